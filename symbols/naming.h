/*
 * naming - names for everything in a profile that has none yet.
 *
 *     struct naming_options options = {&places, DEMANGLE_SHORT, 0};
 *     struct naming_log log = {.code = {0}};
 *     name_profile(r->profile, &options, &log);
 *     profile_finish(r->profile);
 *     naming_log_release(&log);
 *
 * Every source of names (name_source.h has the table) is asked in its turn
 * about the locations that are left. What stays without a name has the cause.
 * The outcome does not depend on the number of threads.
 */
#ifndef TOPFN_NAMING_H
#define TOPFN_NAMING_H

#include "symbols/debug_files.h"
#include "symbols/managed/managed.h"
#include "symbols/managed/precompiled.h"
#include "engine/base/progress.h"
#include "symbols/names/demangle.h"

struct naming_options {
    const struct places *places; /* with what came in the containers */
    enum demangle_style style;   /* of native code */
    unsigned threads;            /* see threads.h */
    const struct progress *progress; /* may be NULL */
};

/* What was looked for and found on the way. */
struct naming_log {
    struct symbol_log symbols;
    struct code_log code;
    struct lines_log lines;
};

/* Before profile_finish. A finished profile, which a database gives, is
 * opened again first: what it was imported with stays, and only sources that
 * need no trace are asked. `log` may be NULL; else release it. */
void name_profile(struct profile *p, const struct naming_options *options,
                  struct naming_log *log);
void naming_log_release(struct naming_log *log);

#endif
