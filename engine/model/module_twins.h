/*
 * module_twins - modules that are the same file, by the identity that the
 * trace tells.
 *
 *     struct module_twins twins = {0};
 *     first = module_twins_add(&twins, p->modules.data, module);
 *     module_twins_release(&twins);
 *
 * A file that many paths lead to, as containers have them, is many modules. It
 * is opened for the first of them only. Without an identity each path may be
 * another file, though one is found for all by its name: then only a few of a
 * name are opened.
 */
#ifndef TOPFN_MODULE_TWINS_H
#define TOPFN_MODULE_TWINS_H

#include "engine/base/strings.h"
#include "engine/base/vec.h"
#include "engine/model/code.h"

struct module_group {
    uint32_t first;
    uint32_t count; /* without an identity */
};

struct module_twins {
    struct strings *keys;
    VEC(struct module_group) groups; /* by id of `keys`, less 1 */
};

/* Call it once for each module. The module of the same identity that was added
 * first, which may be itself; NO_ID: it has none, and too many others are
 * called like it. */
uint32_t module_twins_add(struct module_twins *twins,
                          const struct module *modules, uint32_t module);
void module_twins_release(struct module_twins *twins);

#endif
