/*
 * A pprof file while it is read: for the files of this folder.
 *
 *     pprof_note_parts(&f, &reader);           // parts.c
 *     code = pprof_choose_metric(&f, event, name, err);  // counts.c
 *     pprof_read_mappings(&f);                 // code.c
 *     location = pprof_location(&f, id);       // for each of a sample
 */
#ifndef TOPFN_PPROF_FILE_H
#define TOPFN_PPROF_FILE_H

#include "engine/attribution/named_code.h"
#include "engine/base/wire.h"

typedef VEC(struct reader) parts;

struct value_type {
    uint64_t type, unit; /* strings */
};

struct noted_mapping {
    uint64_t start, offset;
    uint32_t module; /* of the profile; NO_ID: no name */
};

struct noted_location {
    struct reader bytes;
    uint32_t location; /* of the profile; NO_ID: not yet */
};

struct pprof_file {
    struct profile *p;
    struct named_code code;
    parts samples, functions, strings, mapping_parts;
    uint32_t *texts; /* by string: that of the profile + 1; 0: not yet */
    VEC(struct value_type) types;
    VEC(struct noted_mapping) mappings;
    VEC(struct noted_location) locations;
    struct map mapping_ids, location_ids, function_ids;
    struct map processes, threads;
    struct value_type period_type;
    uint64_t period, time, duration, default_type;
    uint64_t drop_frames; /* a string: which ones pprof does not show */
    uint64_t drop; /* a string: which frames pprof leaves out */
    size_t value; /* which of a sample's */
    bool knows_threads, knows_addresses;
};

/* ---- parts.c ---- */

void pprof_note_parts(struct pprof_file *f, struct reader *r);

/* A text of the file's table, in the file; as a string of the profile. Empty
 * if there is none of that number. */
struct bytes pprof_text(const struct pprof_file *f, uint64_t id);
uint32_t pprof_string(struct pprof_file *f, uint64_t id);
bool pprof_text_is(const struct pprof_file *f, uint64_t id, const char *word);
bool pprof_text_same(const struct pprof_file *f, uint64_t a, uint64_t b);

/* ---- code.c ---- */

void pprof_read_mappings(struct pprof_file *f);

/* The profile's location; NO_ID: the file has none of that number. */
uint32_t pprof_location(struct pprof_file *f, uint64_t id);

/* ---- counts.c ---- */

/* Chooses `event`, or what the file or custom prefers where it is NULL. */
enum err_code pprof_choose_metric(struct pprof_file *f, const char *event,
                                  const char *name, struct err *err);

#endif
