/*
 * native - names for the sampled addresses of every module, from debug files.
 *
 *     struct symbol_search search = {&places, DEMANGLE_SHORT, 0};
 *     symbols_from_files(p, &search, NULL);
 *     profile_finish(p);
 *
 * For every module with sampled addresses that nobody named, its files are
 * looked for (find/module.h), asked in order of address, and closed; modules
 * side by side. What stays without a name gets the cause. Servers are asked
 * if the places have them online.
 */
#ifndef TOPFN_NATIVE_H
#define TOPFN_NATIVE_H

#include "engine/model/profile.h"
#include "symbols/find/module.h"
#include "symbols/names/demangle.h"

struct symbol_search {
    const struct places *places;
    enum demangle_style style;
    unsigned threads; /* see threads.h */
};

/* What was looked for and found, of the modules that were looked at. */
struct module_search {
    uint32_t module;
    bool sought;
    struct module_files files; /* closed */
};

struct symbol_log {
    VEC(struct module_search) modules; /* by id */
};

/* Before profile_finish; a finished profile stays as it is. `log` may be
 * NULL; else release it. */
void symbols_from_files(struct profile *p, const struct symbol_search *search,
                        struct symbol_log *log);
void symbol_log_release(struct symbol_log *log);

#endif
