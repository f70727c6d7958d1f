/*
 * annotation - the instructions of functions, from the images they are in.
 *
 *     struct annotator *a = annotator_new(p, sel, &places, options);
 *     struct annotated f = annotator_function(a, row);
 *     ...                                  // report/profile/annotate.h
 *     annotated_release(&f);
 *     annotator_free(a);
 *
 * The annotator reads a function's code from the images of its modules. It
 * finds them by identity and keeps them open, so texts and bytes live as long
 * as it does. An inlined function is shown in the functions that it is inlined
 * into.
 */
#ifndef TOPFN_CLI_ANNOTATION_H
#define TOPFN_CLI_ANNOTATION_H

#include "cli/options/options.h"
#include "engine/analysis/filter.h"
#include "report/profile/annotate.h"
#include "symbols/disasm.h"
#include "symbols/find/module.h"
#include "symbols/find/places.h"

struct annotator;

struct annotator *annotator_new(const struct profile *p,
                                const struct selection *sel,
                                const struct places *places,
                                const struct options *options);
void annotator_free(struct annotator *a);

struct annotated annotator_function(struct annotator *a,
                                    const struct rank_row *function);
void annotated_release(struct annotated *function);

/*
 * code_modules - the modules of a profile with their code, opened when they
 * are first asked for, and what was sampled in them.
 *
 *     struct code_modules *all = code_modules_new(p, sel, &places);
 *     const struct code_module *m = code_module_get(all, module);
 *     if (m->image)
 *         n = code_samples(m, start, end);
 *     code_modules_free(all);
 */

struct code_hit {
    uint64_t rva, samples;
};

struct code_module {
    uint32_t module;
    struct module_files files;
    struct debug_file *image; /* NULL: not found */
    struct disasm *disasm;    /* NULL: of no known machine */
    VEC(struct code_hit) hits; /* sampled addresses, sorted */
};

struct code_modules;

/* The arguments must outlive the annotator. */
struct code_modules *code_modules_new(const struct profile *p,
                                      const struct selection *sel,
                                      const struct places *places);
void code_modules_free(struct code_modules *all);

/* Modules that are the same file have one. NULL: its identity is not known, and
 * many modules are called like it. Lives until code_modules_free, with all that
 * its files have. */
const struct code_module *code_module_get(struct code_modules *all,
                                          uint32_t module);

/* How many locations were looked at so far, for tests. */
uint64_t code_modules_steps(const struct code_modules *all);

/* Samples taken at addresses from `start` to before `end`. */
uint64_t code_samples(const struct code_module *m, uint64_t start,
                      uint64_t end);

#endif
