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
 * In the byte order of the machine:
 *
 *   0   u32  magic 0x4A695444
 *   4   u32  version 1
 *   8   u32  size of this header, at least 40
 *   12  u32  machine, u32 0, u32 pid, u64 time, u64 flags (1: times
 *            are those of the processor's clock)
 *
 * Records, each u32 id, u32 size with these 16 bytes, u64 time:
 *
 *   0 LOAD        u32 pid, u32 tid, u64 address in memory, u64 address,
 *                 u64 size, u64 index, name (NUL), code
 *   1 MOVE        u32 pid, u32 tid, u64 address in memory, u64 old and new
 *                 address, u64 size, u64 index (of its LOAD)
 *   2 DEBUG_INFO  lines; comes before its LOAD
 *   3 CLOSE       nothing about names
 *   4 UNWINDING_INFO  u64 size of what follows the sizes, u64 size of the
 *                 .eh_frame_hdr at its end, u64 size in memory; before that an
 *                 .eh_frame; comes before its LOAD. Distances in it are as if
 *                 it lay behind the code, at the next multiple of 8
 *
 * Addresses are absolute. A record that is cut off, as when the program was
 * killed, ends the file.
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

/* Where code is since a LOAD or a MOVE. */
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
