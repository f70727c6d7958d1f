/*
 * annotation - the instructions of functions, from the images they are in.
 *
 *     struct annotator *a = annotator_new(p, sel, &places, options);
 *     struct annotated f = annotator_function(a, row);
 *     ...                                  // report/profile/annotate.h
 *     annotated_release(&f);
 *     annotator_free(a);
 *
 * What is sampled of a function is looked up in the images of its modules,
 * which are found by identity and stay open: texts and bytes live as long as
 * the annotator. A function that is inlined is shown in those it is inlined
 * into.
 */
#ifndef TOPFN_ANNOTATION_H
#define TOPFN_ANNOTATION_H

#include "cli/options/options.h"
#include "report/profile/annotate.h"
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

#endif
