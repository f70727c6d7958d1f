/*
 * messages - the messages of an OTLP file, and the profiles in them.
 *
 *     struct otlp_file f = {.p = p, .name = name, .code = code};
 *     struct err damage = {0};
 *     otlp_note_file(&f, entry, &damage);
 *     for (size_t i = 0; i < f.profiles.len; i++)
 *         read(&f.profiles.data[i], otlp_tables(&f, &f.profiles.data[i]));
 *
 * A file is one message, several behind their sizes, or one or several texts of
 * JSON. Profiles are noted with what says how to read their samples, which are
 * read when all profiles are known. (format.md, section 2)
 */
#ifndef TOPFN_OTLP_MESSAGES_H
#define TOPFN_OTLP_MESSAGES_H

#include "engine/attribution/trace_format.h"
#include "engine/base/proto.h"
#include "engine/format/otlp/dictionary.h"
#include "engine/format/pprof/sample_types.h"

/* Fields of a sample have other numbers from 1.10 on. */
enum otlp_layout { LAYOUT_1_8, LAYOUT_1_10 };

enum otlp_sample_field {
    STACK_INDEX = 1,
    ATTRIBUTES_1_10,
    LINK_1_10,
    VALUES_1_10,
    TIMESTAMPS,
    VALUES_1_8 = 2,
    ATTRIBUTES_1_8,
    LINK_1_8,
};

/* The thread and process of samples, by their attributes; those of the resource
 * go first. */
struct otlp_labels {
    struct named_thread_ids ids;
    uint32_t path, service; /* in place of the process's name: the last part of
                               its path, strings */
};

/* A message with all that its profiles refer to. */
struct otlp_batch {
    struct proto wire; /* of JSON; else empty */
    struct otlp_dictionary tables;
};

struct otlp_profile {
    struct bytes bytes;
    size_t batch;
    struct otlp_type type, period_type;
    uint64_t time, duration, period;
    struct otlp_labels labels; /* of the resource */
    size_t kind;               /* of the list of types */
    bool used;                 /* it has samples */
};

/* How many samples fit into one of the layouts alone. */
struct layout_votes {
    size_t of_1_8, of_1_10;
};

struct otlp_file {
    struct profile *p;
    const char *name;
    struct named_code code;
    VEC(struct otlp_batch) batches;
    struct sample_types types;
    VEC(struct otlp_profile) profiles;
    struct budget profiles_left;
    struct map facts;            /* (name, value) that were stated */
    VEC(uint64_t) values, times; /* of the sample that is read */
    struct layout_votes votes;
    enum otlp_layout layout;
    bool of_json, is_old, is_cut, unknown_fields, knows_threads;
    uint64_t samples, linked;
};

enum format_probe otlp_probe(const uint8_t *data, size_t size);

/* True for JSON, and for messages behind their sizes. */
bool otlp_is_json(const uint8_t *data, size_t size);
bool otlp_is_sized(const uint8_t *data, size_t size);

/* The message behind its size; what is there of one that is cut off. */
struct reader otlp_next_sized(struct reader *r);

/* Notes all that an entry holds. Sets err if it is damaged: what was read
 * before the damage counts. */
void otlp_note_file(struct otlp_file *f, const struct entry *e,
                    struct err *err);

/* The dictionary of a profile. */
static inline struct otlp_dictionary *otlp_tables(
    struct otlp_file *f, const struct otlp_profile *profile)
{
    return &f->batches.data[profile->batch].tables;
}

void otlp_apply_attribute(struct otlp_labels *l,
                          const struct otlp_attribute *a);

#endif
