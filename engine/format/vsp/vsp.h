/*
 * vsp - recordings of the Visual Studio 2005 to 2013 profiler.
 *
 *   header.c   the file header, whole
 *   blocks.c   blocks -> lists of records, in order of time
 *   records.c  processes, threads, modules, methods -> facts
 *   saved.c    names, files and lines that the analysing machine saved, as the
 *              profile carries them
 *   vsp.c      the format: samples, and what is declined
 *
 * Layouts: format.md. All integers are little-endian, all strings UTF-16 but
 * the version.
 */
#ifndef TOPFN_VSP_H
#define TOPFN_VSP_H

#include "engine/attribution/observations.h"
#include "engine/attribution/trace_format.h"
#include "engine/format/vsp/saved.h"

extern const struct trace_format vsp_format;

/* Stands in a stack for what the recorder could not walk. */
enum { VSP_GAP = 0xBAADF00Du };

enum vsp_collection {
    VSP_CONTENTION = 1,
    VSP_INSTRUMENTATION = 2,
    VSP_SAMPLING = 4,
    VSP_COVERAGE = 8,
    VSP_CONCURRENCY = 16,
};

enum { VSP_LEAST_HEADER = 19752, VSP_LARGEST_HEADER = 1 << 20 };

/* The part of the header that other files need; the rest is facts. */
struct vsp_header {
    uint32_t size;
    uint32_t collection;
    uint32_t sampling, interval;
    uint32_t blocks; /* with the header itself; 0 in an interrupted file */
    uint32_t block_size;
    uint32_t mhz; /* of time stamps; never 0 */
    uint32_t width; /* of addresses: 4 or 8 */
    uint32_t walks, broken; /* stacks */
};

struct vsp_file {
    const char *name;
    const uint8_t *data;
    size_t size;
    struct vsp_header header;
};

/* Reads the header; all it says becomes facts of the profile. */
enum err_code vsp_header_read(struct vsp_file *file, struct profile *p,
                              struct err *err);

enum vsp_kind {
    VSP_PROCESS_START = 1,
    VSP_PROCESS_END = 2,
    VSP_THREAD_START = 3,
    VSP_THREAD_END = 4,
    VSP_MARK = 5,
    VSP_MODULE_LOAD = 7,
    VSP_MODULE_UNLOAD = 8,
    VSP_DATA_BLOCK = 11,
};

/* One record, still where it is in the file. */
struct vsp_record {
    uint64_t time;
    uint32_t kind; /* enum vsp_kind, or the event id */
    uint32_t sequence;
    const uint8_t *at;
    uint32_t size; /* all its bytes are in the file */
};

typedef VEC(struct vsp_record) vsp_records;

struct vsp_blocks {
    vsp_records samples; /* by (time, sequence) */
    vsp_records index;   /* as written: processes, threads, modules */
    vsp_records methods; /* as written */
    uint64_t first_time, last_time;
    bool events_unread; /* in: their layout is not known, so they are counted
                           by block only */
};

enum {
    VSP_EVENT_SAMPLE = 0x0CDCDCE8,
    VSP_EVENT_WAIT = 0x0CDCDCED,
    VSP_EVENT_JIT = 0x0CDCDCDE,
    VSP_EVENT_NGEN = 0x0CDCDCDA,
};

/* Finds all records; damage is noted in the profile. */
void vsp_blocks_read(struct vsp_blocks *blocks, const struct vsp_file *file,
                     struct profile *p);
void vsp_blocks_release(struct vsp_blocks *blocks);

/* The path of a record's fixed field, to its NUL. */
struct bytes vsp_text(const uint8_t *field, size_t size);

/* A piece of managed code. */
struct vsp_method {
    uint64_t start;
    uint64_t time;
    uint32_t length, token, pid;
    const uint8_t *mvid;  /* 16 bytes: the module's version */
    const uint8_t *map;   /* entries of 12 bytes: IL to native offsets */
    uint32_t map_entries; /* 0: no map */
};

struct vsp_reading {
    const struct vsp_file *file;
    const struct vsp_blocks *blocks;
    struct vsp_saved *saved;
    struct observations *seen;
    uint32_t pid; /* of the only process; NO_PID: several or none */
    VEC(struct vsp_method) methods; /* by start */
};

/* Nanoseconds since the first record. */
int64_t vsp_time(const struct vsp_reading *reading, uint64_t cycles);

/* All but samples. */
void vsp_records_take(struct vsp_reading *reading);

/* Leaves the saved names in the profile, to be asked once it is attributed. */
void vsp_names_hand_over(struct vsp_reading *reading);

#endif
