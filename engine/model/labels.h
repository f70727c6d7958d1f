/*
 * labels - the labels of a profile's functions, no two of them the same.
 *
 *     puts(profile_label(p, function));     // "Order.Total"
 *
 * Where functions of one profile would have the same label, more of their
 * names comes back, as little as tells them apart: parameters, then return
 * types, hashes and numbers, then the module ("Total [Orders.dll]"), at last
 * the recorded name. This is decided over all functions, so a label does not
 * depend on what a report shows.
 *
 * Labels are made when the first is asked for, in time linear in the names,
 * and forgotten when functions change. They are strings of the profile: that
 * first time, no other thread may use it, so code with threads makes them
 * before (labels_make).
 */
#ifndef TOPFN_LABELS_H
#define TOPFN_LABELS_H

#include <stdint.h>

#include "engine/base/arena.h"
#include "engine/model/code.h"
#include "engine/model/profile.h"

struct labels;
struct profile;

/* The profile is finished. Unnamed code, and a function that stands for such
 * code (frames.h), have no label: "". Valid until the profile's functions
 * change. */
const char *profile_label(const struct profile *p, uint32_t function);

/* All of them now; afterwards threads may ask for labels side by side. */
void labels_make(const struct profile *p);

/* From now on labels are the names as recorded. */
void labels_as_recorded(struct labels *labels);

/* For profile.h: every profile has one of these. */
struct labels *labels_new(void);
void labels_forget(struct labels *labels);
void labels_free(struct labels *labels);

/* ---- one label, from a recorded name ---- */

/*     struct label_source source = {"Order.Sort`1[System.Int32].Run(!0[])",
 *                                   NULL, CODE_MANAGED};
 *     label_from_name(&arena, &source, 0);           // Order.Sort<int>.Run
 *     label_from_name(&arena, &source, LABEL_PARAMETERS);
 *                                                // Order.Sort<int>.Run(T0[])
 *
 * A label leaves out what rarely tells two functions apart: parameters,
 * hashes, marks of tiers and copies, names that a compiler made up. Parts
 * bring them back. Text that is not understood stays as it is recorded, so a
 * label is never empty unless the name is.
 *
 * Names are untrusted. Work is linear in the name; without parts a label is
 * at most LABEL_GROWTH bytes longer than its name, with them at most twice as
 * long and that. */
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
const char *label_from_name(struct arena *arena,
                            const struct label_source *source, unsigned parts);

/*
 * titles - what functions, modules and processes are called in reports.
 *
 *     puts(function_label(p, function, &arena)); // "Order.Total"
 *     puts(function_module(p, function));        // "Orders.dll"
 *     puts(process_title(p, process, &arena));   // "shop.exe (3644)"
 *
 * Never NULL. Texts that are made are kept by the arena, the others are the
 * profile's.
 */

/* The function's name as profile_function_name gives it. */
const char *function_name(const struct profile *p, uint32_t function,
                          struct arena *arena);

/* True if it stands for all code that lies in no module and has no name. */
bool function_is_unknown(const struct profile *p, uint32_t function);

/* Its label (labels.h), or its name where it has none. The label of the unknown
 * function says why it is unknown: it stands beside the module "[unknown]". */
const char *function_label(const struct profile *p, uint32_t function,
                           struct arena *arena);

/* The module shown beside a function: "[unknown]" where it has none. */
const char *function_module(const struct profile *p, uint32_t function);

/* A process's name, "[unknown]" where the trace does not say. */
const char *process_label(const struct profile *p, uint32_t process);

/* With its id, where that is known, as names do not tell processes apart:
 * "app.exe (3644)". If processes of one recording have the same name and id,
 * their order tells them apart: "app.exe (3644) #2". */
const char *process_title(const struct profile *p, uint32_t process,
                          struct arena *arena);

#endif
