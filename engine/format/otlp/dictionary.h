/*
 * dictionary - the tables that all profiles of an OTLP file share, and those of
 * a pprof profile.
 *
 *     struct otlp_dictionary d = {.code = &code};
 *     otlp_dictionary_note(&d, part);          // each part of field 2
 *     if (otlp_stack(&d, index, &stack))
 *         named_sample(&code, &(struct named_sample){.stack = stack, ...});
 *     otlp_dictionary_release(&d);
 *
 * Rows are noted as bytes and read when a sample first refers to them, once:
 * thousands of samples may name one long row. (format.md, section 1)
 *
 * pprof's mappings, locations and functions have the same fields, but each
 * begins with its id: all numbers of fields are one higher.
 */
#ifndef TOPFN_OTLP_DICTIONARY_H
#define TOPFN_OTLP_DICTIONARY_H

#include "engine/attribution/named_code.h"
#include "engine/base/wire.h"

/* The attributes that say something of a sample, a mapping or a location. */
enum otlp_key {
    OTLP_OTHER,
    OTLP_PID,
    OTLP_PROCESS,
    OTLP_PROCESS_PATH,
    OTLP_SERVICE,
    OTLP_TID,
    OTLP_THREAD,
    OTLP_FRAME_TYPE,
    OTLP_BUILD_ID,
};

struct otlp_attribute {
    uint32_t key, text; /* strings; the text of a number is "" */
    uint32_t base;      /* of a path: its last part, a string */
    uint64_t number;    /* NO_PID: the value is no number that is an id */
    uint8_t kind;       /* enum otlp_key */
};

struct otlp_row {
    struct bytes bytes;
    uint32_t value; /* what it is in the profile, + 1; 0: not read yet */
};

struct otlp_function {
    uint32_t name, file; /* strings */
};

struct otlp_mapping {
    uint32_t module; /* of the profile; NO_ID: it has no name */
    uint64_t start, offset;
};

struct otlp_table {
    VEC(struct otlp_row) rows;
    struct map ids; /* of pprof: to their rows */
};

struct otlp_dictionary {
    struct named_code *code;
    bool of_pprof;
    struct otlp_table mappings, locations, functions, strings, attributes,
        stacks;
    size_t links;          /* how many there are */
    struct map path_bases; /* by path, a string: its last part */
    /* The entries that rows were read into: `value` of a row is the number of
     * its entry. */
    VEC(struct otlp_mapping) read_mappings;
    VEC(struct otlp_function) read_functions;
    VEC(struct otlp_attribute) read_attributes;
    VEC(uint32_t) path; /* locations of the stack that is read */
    bool knows_addresses;
    bool unknown_fields; /* a table that topfn does not know was left out */
};

/* Notes what a part of the file's dictionary has. */
void otlp_dictionary_note(struct otlp_dictionary *d, struct reader part);

/* Notes a row of pprof, whose id is its field 1. */
void otlp_note_row(struct otlp_table *table, struct reader row);

/* Reads all mappings in the order of the file. */
void otlp_read_mappings(struct otlp_dictionary *d);

/* The kind of samples and their unit: "cpu", "nanoseconds". */
struct otlp_type {
    uint64_t type, unit; /* strings of the file */
};

struct otlp_type otlp_read_type(struct reader r);

/* Returns a text as it lies in the file. It is empty if the file has fewer. */
struct bytes otlp_text(const struct otlp_dictionary *d, uint64_t index);
void otlp_dictionary_release(struct otlp_dictionary *d);

/* A string of the profile; "" if the table has none of that number. */
uint32_t otlp_string(struct otlp_dictionary *d, uint64_t index);

/* NULL: the table has none of that number. Valid until the next call. */
const struct otlp_attribute *otlp_attribute(struct otlp_dictionary *d,
                                            uint64_t index);

/* Reads an attribute of a resource, which has its key as text. */
struct otlp_attribute otlp_own_attribute(struct otlp_dictionary *d,
                                         struct reader part);

/* The location of the profile; NO_ID if the table has none of that number. */
uint32_t otlp_location(struct otlp_dictionary *d, uint64_t index);

/* The stack of the profile; false if the table has none of that number. */
bool otlp_stack(struct otlp_dictionary *d, uint64_t index, uint32_t *stack);

#endif
