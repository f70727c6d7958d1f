/*
 * jitdump_records - jit-PID.dump: what a runtime says of code it generated, as
 * `perf inject` reads it.
 *
 *     struct jitdump_records dump;
 *     struct jitdump_record record;
 *     struct jitdump_code code;
 *
 *     if (jitdump_open(&dump, "jit-13.dump", data, size, &err))
 *         while (jitdump_next(&dump, &record))
 *             if (jitdump_code(&dump, &record, &code))
 *                 use(code.start, code.name);
 *
 * Addresses are absolute. A record that is cut off, as when the program was
 * killed, ends the file. (symbols/generated/format.md, section 2)
 */
#ifndef TOPFN_JITDUMP_RECORDS_H
#define TOPFN_JITDUMP_RECORDS_H

#include "engine/base/reader.h"

enum jitdump_id {
    JITDUMP_LOAD,
    JITDUMP_MOVE,
    JITDUMP_DEBUG_INFO,
    JITDUMP_UNWINDING_INFO = 4,
};

struct jitdump_records {
    struct reader reader;
    bool swapped;
    bool processor_clock; /* times are no nanoseconds */
};

struct jitdump_record {
    uint32_t id; /* enum jitdump_id, or others */
    uint64_t time;
    struct reader body;
};

/* The place of code since a LOAD or a MOVE. */
struct jitdump_code {
    uint64_t start, size, index;
    uint64_t old_start; /* of a MOVE */
    struct bytes name;  /* of a LOAD */
};

bool jitdump_probe(const uint8_t *data, size_t size);

/* The id of the process whose code it is, on its machine; 0: no jitdump. */
uint32_t jitdump_pid(const uint8_t *data, size_t size);

/* False, and why in `err`: the header makes no sense. */
bool jitdump_open(struct jitdump_records *dump, const char *name,
                  const uint8_t *data, size_t size, struct err *err);
bool jitdump_next(struct jitdump_records *dump, struct jitdump_record *record);

/* The .eh_frame of the next LOAD; empty: there is none, or it is another
 * record. */
struct bytes jitdump_frames(const struct jitdump_records *dump,
                            struct jitdump_record *record);

/* False for other records, and malformed ones. */
bool jitdump_code(const struct jitdump_records *dump,
                  struct jitdump_record *record, struct jitdump_code *code);

#endif
