/*
 * debug_files - names of native code from debug files and images.
 *
 * For every module with sampled addresses its files are looked for
 * (find/module.h), asked, and closed; modules side by side. Servers are asked
 * if the places have them online. (A source of names: name_source.h.)
 */
#ifndef TOPFN_DEBUG_FILES_H
#define TOPFN_DEBUG_FILES_H

#include "engine/model/profile.h"
#include "symbols/find/module.h"

/* What was looked for and found, of one module that was looked at. */
struct module_search {
    uint32_t module;
    struct module_files files; /* closed */
};

struct symbol_log {
    VEC(struct module_search) modules; /* by id */
};

void symbol_log_release(struct symbol_log *log);

#endif
