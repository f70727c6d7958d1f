/*
 * Stack samples, and waits, which are known from 64-bit recordings only.
 * (format.md, sections 4 and 8)
 */
#include "engine/format/vsp/vsp.h"

#include <string.h>

#include "engine/attribution/thread_time.h"
#include "engine/base/text.h"

enum {
    WAIT_FRAMES = 96,
};

static enum format_probe vsp_probe(const uint8_t *data, size_t size)
{
    return size >= 4 && !memcmp(data, "MIKE", 4) ? PROBE_YES : PROBE_NO;
}

/* ---- samples ---- */

/* How a record's thread is looked up: by its history where it has one. */
static uint32_t thread_key(const struct vsp_reading *r, uint32_t tid)
{
    return observe_thread_key(r->seen, tid, r->pid);
}

/* A stack with a gap is broken, and so are all that the header counts to be,
 * whatever the record says of it. */
static enum stack_end walked_end(const struct vsp_reading *r,
                                 const struct callchain *run, bool broken)
{
    const struct vsp_header *h = &r->file->header;

    broken |= h->broken && h->broken >= h->walks;
    for (uint32_t i = 0; i < run->count; i++)
        broken |= callchain_frame(run, i) == VSP_GAP;
    if (!run->count)
        return STACK_END_NO_STACK;
    return broken ? STACK_END_BROKEN : STACK_END_UNKNOWN;
}

static void add_stack(const struct vsp_reading *r, const struct vsp_record *rec,
                      uint32_t frames_at, uint64_t address, bool broken,
                      struct observed_sample *sample)
{
    uint32_t width = r->file->header.width;
    struct callchain run = {rec->at + frames_at,
                            (rec->size - frames_at) / width, width, NULL};

    sample->outer = run.count
                        ? callchains_add(&r->seen->callchains, &run,
                                         callchain_fingerprint(&run), true)
                        : callchains_add_address(&r->seen->callchains, address);
    sample->flags = stack_end_flags(walked_end(r, &run, broken));
}

static void take_sample(const struct vsp_reading *r,
                        const struct vsp_record *rec)
{
    uint32_t width = r->file->header.width, wide = 3 * (width - 4);
    uint64_t address = load_ptr(rec->at + 28 + (size_t)2 * width, width);

    struct observed_sample sample = {
        .time = vsp_time(r, rec->time),
        .thread_key = thread_key(r, load_u32(rec->at + 20)),
        .weight = 1,
        .cpu = (uint16_t)load_u32(rec->at + 40 + wide),
    };

    add_stack(r, rec, 64 + wide, address, load_u32(rec->at + 60 + wide) == 1,
              &sample);
    observe_sample(r->seen, &sample);
}

/* Waits are weighed by their length; none weighs nothing. */
static void take_wait(const struct vsp_reading *r, const struct vsp_record *rec)
{
    int64_t start = vsp_time(r, rec->time);
    int64_t length = vsp_time(r, load_u64(rec->at + 4)) - start;
    uint64_t address = load_u64(rec->at + 52);

    struct observed_sample sample = {
        .time = start,
        .thread_key = thread_key(r, load_u32(rec->at + 28)),
        .weight = length < 1 ? 1 : (uint64_t)length,
        .cpu = NO_CPU,
    };

    add_stack(r, rec, WAIT_FRAMES, address, false, &sample);
    if (r->seen->thread_states)
        sample.period = thread_happening(HAPPENED_WAIT_BEGIN, WAIT_LOCK, 0);
    observe_sample(r->seen, &sample);
    if (!r->seen->thread_states)
        return;
    sample.time += length > 0 ? length : 0;
    sample.period = thread_happening(HAPPENED_WAIT_END, WAIT_LOCK, 0);
    observe_sample(r->seen, &sample);
}

/* Only records of the kind that the header promises. */
static void take_samples(const struct vsp_reading *r)
{
    const vsp_records *list = &r->blocks->samples;
    bool waits = r->file->header.collection == VSP_CONTENTION;
    uint32_t wanted = waits ? VSP_EVENT_WAIT : VSP_EVENT_SAMPLE;

    for (size_t i = 0; i < list->len; i++) {
        const struct vsp_record *rec = &list->data[i];

        if (rec->kind != wanted)
            continue;
        if (waits)
            take_wait(r, rec);
        else
            take_sample(r, rec);
    }
}

/* Compares the counts of the header with the records that are there. */
static void check_totals(const struct vsp_file *file,
                         const struct vsp_blocks *blocks, struct profile *p)
{
    const struct vsp_header *h = &file->header;
    uint32_t wide = 3 * (h->width - 4), broken = 0;

    if (h->collection != VSP_SAMPLING)
        return;
    for (size_t i = 0; i < blocks->samples.len; i++) {
        const struct vsp_record *rec = &blocks->samples.data[i];

        broken +=
            rec->kind == VSP_EVENT_SAMPLE && load_u32(rec->at + 60 + wide) == 1;
    }
    if (h->walks != blocks->samples.len)
        profile_warn(p, "%s: the header counts %u stacks, the file has %zu",
                     file->name, h->walks, blocks->samples.len);
    if (h->broken != broken)
        profile_warn(p,
                     "%s: the header counts %u broken stacks, the file has %u",
                     file->name, h->broken, broken);
}

/* ---- companion logs ---- */

/* 260 units become 780 bytes at most. */
static void copy_path(char path[COMPANION_PATH], struct bytes text)
{
    size_t n = 0, used;

    for (size_t at = 0; at < text.len / 2; at += used) {
        uint32_t c =
            utf16_code_point(text.data + 2 * at, text.len / 2 - at, &used);

        n += utf8_of(c, path + n);
    }
    path[n] = 0;
}

static size_t vsp_companions(const struct entry *e,
                             struct companion list[MOST_COMPANIONS])
{
    static const struct {
        uint16_t at;
        const char *what;
    } paths[MOST_COMPANIONS] = {{18696, "kernel"}, {19216, "application"}};
    size_t n = 0;

    for (size_t i = 0; i < MOST_COMPANIONS && e->size >= VSP_LEAST_HEADER;
         i++) {
        struct bytes b = vsp_text(e->data + paths[i].at, 520);

        if (!b.len)
            continue;
        copy_path(list[n].path, b);
        list[n++].what = paths[i].what;
    }
    return n;
}

/* ---- the format ---- */

/* Names the kind of a recording whose events have a layout that is not known;
 * NULL: its events are read. */
static const char *unread_kind(const struct vsp_header *h)
{
    switch (h->collection) {
    case VSP_CONTENTION:
        return h->width == 8 ? NULL : "32-bit resource contention";
    case VSP_INSTRUMENTATION:
        return "instrumentation (calls of functions and their times)";
    case VSP_COVERAGE:
        return "code coverage (executed blocks)";
    case VSP_CONCURRENCY:
        return "concurrency (waits of threads, from its ETL logs)";
    }
    return NULL;
}

static enum err_code check_collection(const struct vsp_file *file,
                                      struct err *err)
{
    uint32_t type = file->header.collection;

    if (type == VSP_SAMPLING || type == VSP_CONTENTION ||
        unread_kind(&file->header))
        return ERR_NONE;
    return err_set(err, ERR_UNSUPPORTED,
                   "%s: offset 0xa4: a recording of unknown type %u; known "
                   "types: 1 contention, 2 instrumentation, 4 sampling, 8 "
                   "coverage, 16 concurrency",
                   file->name, type);
}

/* Programs with 3 GB of memory have user code above 2 GB, and no address of
 * the kernel is ever recorded: whatever the width of addresses, kernel space
 * stays where observations_new put it, beyond all of them. */
static void read_vsp(const struct vsp_file *file, struct observations *seen)
{
    struct profile *p = seen->profile;
    struct vsp_blocks blocks = {0};
    struct vsp_reading r = {
        .file = file,
        .blocks = &blocks,
        .saved = saved_read(file->name, file->data, file->size, p),
        .seen = seen,
    };
    const char *kind = unread_kind(&file->header);

    blocks.events_unread = kind != NULL;
    vsp_blocks_read(&blocks, file, p);
    vsp_records_take(&r);
    take_samples(&r);
    check_totals(file, &blocks, p);
    /* Processes, threads, modules and methods lie in blocks of the same layout
     * whatever was recorded. */
    if (kind)
        profile_warn(p,
                     "%s: a recording of %s: topfn reads its header, "
                     "processes, threads, modules and methods; it counts the "
                     "events but cannot decode them",
                     file->name, kind);
    p->trace.duration_ns = vsp_time(&r, blocks.last_time);
    vsp_names_hand_over(&r);
    vec_release(&r.methods);
    vsp_blocks_release(&blocks);
}

static enum err_code vsp_read(const struct entry *entries, size_t count,
                              const struct read_options *options,
                              struct observations *seen, struct err *err)
{
    struct profile *p = seen->profile;
    struct vsp_file file = {
        .name = entries[0].name,
        .data = entries[0].data,
        .size = entries[0].size,
    };
    enum err_code code;

    (void)count;
    (void)options;
    code = vsp_header_read(&file, p, err);
    if (!code)
        code = check_collection(&file, err);
    if (code)
        return code;
    profile_set_metric(p, file.header.collection == VSP_CONTENTION
                              ? METRIC_WAIT_TIME
                          : file.header.sampling == 1 ? METRIC_CPU_SAMPLES
                                                      : METRIC_EVENT_SAMPLES);
    read_vsp(&file, seen);
    if (seen->samples.len)
        profile_fact(p, FACT_SAMPLED, "%s", SAMPLED_SOME);
    return ERR_NONE;
}

const struct trace_format vsp_format = {
    .name = "vsp",
    .summary = "Visual Studio 2005-2013 profiler recording",
    .alone = true,
    .probe = vsp_probe,
    .companions = vsp_companions,
    .companion_format = "etl",
    .has_switches = true,
    .read = vsp_read,
};
