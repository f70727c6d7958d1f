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
 * about the locations that are left. A location that stays without a name gets
 * the cause. The outcome does not depend on the number of threads.
 */
#ifndef TOPFN_NAMING_H
#define TOPFN_NAMING_H

#include "engine/base/progress.h"
#include "symbols/find/module.h"
#include "symbols/names/demangle.h"

struct naming_options {
    const struct places *places;     /* with what came in the containers */
    enum demangle_style style;       /* of native code */
    unsigned threads;                /* see threads.h */
    const struct progress *progress; /* may be NULL */
};

/* Files of one module that has sampled addresses. */
struct module_search {
    uint32_t module;
    struct module_files files; /* closed */
    bool borrowed;             /* they are those of another module */
};

struct symbol_log {
    VEC(struct module_search) modules; /* by id */
};

/* A precompiled .NET assembly whose code was placed (precompiled.c). */
struct code_place {
    uint32_t module;
    uint64_t base;
    uint32_t calls; /* that tell it; 0: a described method does */
    uint32_t named; /* addresses that got a name so */
};

struct code_log {
    VEC(struct code_place) places;
};

/* The PDB of one module that has sampled methods (managed_lines.c). */
struct lines_search {
    uint32_t module;
    struct found pdb;   /* closed */
    struct found image; /* closed; looked for when there is no PDB file */
    bool embedded;      /* the PDB is in the image */
    bool is_windows;    /* a Windows PDB: its lines are not read */
    struct err err;     /* of an embedded PDB that is broken */
    uint32_t places;    /* sampled addresses in methods of the module */
    uint32_t found;     /* those with a line */
    uint32_t unmapped;  /* those in methods without an IL map */
    bool borrowed;      /* the files are those of another module */
};

struct lines_log {
    VEC(struct lines_search) modules; /* by id */
};

/* The file that lines came from; NULL none. */
const char *lines_search_used(const struct lines_search *search);

/* The files that were looked for and found. */
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
