/*
 * label - what a person calls a function, made from its recorded name.
 *
 *     struct label_source source = {"Order.Sort`1[System.Int32].Run(!0[])",
 *                                   NULL, CODE_MANAGED};
 *     puts(label_of(&arena, &source, 0));            // Order.Sort<int>.Run
 *     puts(label_of(&arena, &source, LABEL_PARAMETERS));
 *                                                // Order.Sort<int>.Run(T0[])
 *
 * A label leaves out what rarely tells two functions apart: parameters,
 * hashes, marks of tiers and copies, names that a compiler made up. Parts
 * bring them back. What is not understood stays as it is recorded, so a label
 * is never empty unless the name is.
 *
 * Names are untrusted. Work is linear in the name; without parts a label is
 * at most LABEL_GROWTH bytes longer than its name, with them at most twice as
 * long and that. Labels that no two functions share: labels.h.
 */
#ifndef TOPFN_LABEL_H
#define TOPFN_LABEL_H

#include "engine/base/arena.h"
#include "engine/model/code_kind.h"

enum label_parts {
    LABEL_PARAMETERS = 1, /* types by their own names: "(int,string)" */
    LABEL_DETAIL = 2,     /* return types, hashes, numbers of copies, tiers */
};

enum { LABEL_GROWTH = 32 };

struct label_source {
    const char *name;      /* as recorded */
    const char *signature; /* of a managed method, where it is known: that of
                              a state machine tells iterators from async */
    enum code_kind kind;
};

/* `source->name` itself or text in the arena. */
const char *label_of(struct arena *arena, const struct label_source *source,
                     unsigned parts);

#endif
