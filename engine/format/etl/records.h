/*
 * records - what the files that read rare records share.
 */
#ifndef TOPFN_ETL_RECORDS_H
#define TOPFN_ETL_RECORDS_H

#include "engine/attribution/clr.h"
#include "engine/format/etl/choice.h"
#include "engine/format/etl/etl.h"
#include "engine/format/etl/event.h"
#include "engine/format/etl/guids.h"
#include "engine/format/etl/hooks.h"

/* From kernel paths to the paths a person knows: \Device\HarddiskVolume2\x.dll
 * becomes C:\x.dll by the longest prefix that the log maps, without regard to
 * case. */
struct volume {
    const char *nt, *dos;
};

struct volumes {
    VEC(struct volume) list; /* longest NT prefix first, once sorted */
    struct map known; /* path -> mapped path: every process has the same */
};

/* KernelTraceControl describes an image when a log is merged; this belongs to
 * the image record of the same time, process and base. */
struct image_id {
    uint64_t time, base;
    uint32_t pid;
    uint32_t timestamp;
    uint8_t guid[16];
    uint32_t age;
    uint32_t pdb_name; /* string */
};

struct etl_records {
    struct etl_recording *recording;
    struct observations *seen;
    struct profile *profile;
    struct strings *strings;
    VEC(struct etl_event) list; /* in order of time */
    struct volumes volumes;
    VEC(struct image_id) image_ids;
    struct map image_id_at;    /* (time and base folded, pid) */
    struct map makers;         /* (image size, time stamp) -> string */
    struct map script_sources; /* (source, pid) -> url string */
    uint32_t masks[2]; /* of kernel events, of all parts of the log */
};

/* The payload, behind extended items, as a reader. */
static inline struct reader payload_of(const struct etl_event *e)
{
    return reader_of("", etl_payload(e), etl_payload_size(e), 0, NULL);
}

static inline int64_t time_of(const struct etl_records *r,
                              const struct etl_event *e)
{
    return etl_time(r->recording, e->time);
}

static inline uint32_t utf16_string(struct etl_records *r, struct reader *in)
{
    struct bytes b = reader_utf16(in);

    return strings_add_utf16(r->strings, b.data, b.len / 2);
}

/* Managed and script code (records_code.c): one record; and, after the last,
 * the names of script sources. */
void records_take_code(struct etl_records *r, const struct etl_event *e);
void records_name_sources(struct etl_records *r);

#endif
