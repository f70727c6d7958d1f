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

struct labels;
struct profile;

/* Of a finished profile. Unnamed code has no label: "", nor a function that
 * stands for such code (unnamed.h). Valid until the profile's functions
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

#endif
