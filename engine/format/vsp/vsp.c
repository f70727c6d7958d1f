/*
 * A stack sample, record 0x0CDCDCE8 (format.md, section 4):
 *
 *  x86  x64 SIZE DESCRIPTION
 *    0    0    4 the event id
 *    4    4    8 time stamp, cycles
 *   12   12    4 record size
 *   20   20    4 thread id
 *   28   28  P   stack pointer, frame pointer, 36 or 44 instruction pointer
 *   40   52    4 CPU
 *   48   60    4 sequence number
 *   60   72    4 1: the stack is broken
 *   64   76      addresses, innermost first
 *
 * A wait, record 0x0CDCDCED (format.md, section 8), on x64: 4 end (8), 12
 * start (8), 20 record size, 28 thread id, 52 instruction pointer, 68 sequence
 * number, addresses from 96. Known from 64-bit recordings only.
 */
#include "engine/format/vsp/vsp.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/text.h"

enum {
    NS_PER_US = 1000,
    WAIT_FRAMES = 96,
    LONGEST_PATH = 4096,
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
static enum stack_end end_of(const struct vsp_reading *r,
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

static void add_stack(const struct vsp_reading *r,
                      const struct vsp_record *rec, uint32_t frames_at,
                      uint64_t address, bool broken,
                      struct observed_sample *sample)
{
    uint32_t width = r->file->header.width;
    struct callchain run = {rec->at + frames_at,
                            (rec->size - frames_at) / width, width, NULL};

    sample->outer =
        run.count ? callchains_add(&r->seen->callchains, &run,
                                   callchain_fingerprint(&run), true)
                  : callchains_add_address(&r->seen->callchains, address);
    sample->flags = stack_end_flags(end_of(r, &run, broken));
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
    int64_t us = (vsp_time(r, load_u64(rec->at + 4)) - start) / NS_PER_US;
    uint64_t address = load_u64(rec->at + 52);

    struct observed_sample sample = {
        .time = start,
        .thread_key = thread_key(r, load_u32(rec->at + 28)),
        .weight = us < 1            ? 1
                  : us < UINT32_MAX ? (uint32_t)us
                                    : UINT32_MAX - 1,
    };

    add_stack(r, rec, WAIT_FRAMES, address, false, &sample);
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

static uint32_t broken_stacks(const struct vsp_file *file,
                              const struct vsp_blocks *blocks)
{
    uint32_t wide = 3 * (file->header.width - 4), n = 0;

    for (size_t i = 0; i < blocks->samples.len; i++) {
        const struct vsp_record *rec = &blocks->samples.data[i];

        n += rec->kind == VSP_EVENT_SAMPLE &&
             load_u32(rec->at + 60 + wide) == 1;
    }
    return n;
}

/* What the header counted against what is there. */
static void check_totals(const struct vsp_file *file,
                         const struct vsp_blocks *blocks, struct profile *p)
{
    const struct vsp_header *h = &file->header;
    uint32_t broken = broken_stacks(file, blocks);

    if (h->collection != VSP_SAMPLING)
        return;
    if (h->walks != blocks->samples.len)
        profile_warn(p, "%s: the header counts %u stacks, the file has %zu",
                     file->name, h->walks, blocks->samples.len);
    if (h->broken != broken)
        profile_warn(p,
                     "%s: the header counts %u broken stacks, the file has %u",
                     file->name, h->broken, broken);
}

/* ---- companion traces ---- */

/* The last part of a path of either kind of system. */
static const char *base_of(const char *path)
{
    const char *base = path;

    for (; *path; path++)
        if (*path == '\\' || *path == '/' || *path == ':')
            base = path + 1;
    return base;
}

/* Whether `folder` has a file of this name, without regard to case. Names
 * are compared, never opened. */
static bool folder_has(const char *folder, const char *name)
{
    DIR *dir = opendir(folder);
    struct dirent *e;
    bool found = false;

    while (dir && !found && (e = readdir(dir)))
        found = ascii_same(e->d_name, name);
    if (dir)
        closedir(dir);
    return found;
}

static const char *folder_of(const char *path, char folder[LONGEST_PATH])
{
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) : 0;

    if (!slash)
        return ".";
    if (n >= LONGEST_PATH)
        return ".";
    memcpy(folder, path, n);
    folder[n] = 0;
    return n ? folder : "/";
}

/*
 * The specification looks for a companion at its path, in the current folder
 * and beside the recording; no path means that there is none. A Windows path
 * is nobody's here, and one of our own system came with the file: only its
 * last part is used.
 */
static void find_companion(const struct vsp_file *file, const uint8_t *field,
                           const char *what, struct profile *p)
{
    struct bytes b = vsp_text(field, 520);
    const char *path =
        strings_get(p->strings, strings_add_utf16(p->strings, b.data,
                                                  b.len / 2));
    const char *name = base_of(path);
    char folder[LONGEST_PATH];

    if (!*path)
        return;
    if (!*name || !strcmp(name, ".") || !strcmp(name, ".."))
        profile_warn(p, "%s: the %s trace has no file name", file->name, what);
    else if (folder_has(folder_of(file->name, folder), name))
        profile_fact(p, "companion found", "%s, beside the recording", name);
    else if (folder_has(".", name))
        profile_fact(p, "companion found", "%s, in the current folder", name);
    else
        profile_warn(p, "%s: its %s trace %s is not beside it", file->name,
                     what, name);
}

/* ---- the format ---- */

static enum err_code check_collection(const struct vsp_file *file,
                                      struct err *err)
{
    const char *name = NULL;

    switch (file->header.collection) {
    case VSP_SAMPLING:
        return ERR_NONE;
    case VSP_CONTENTION:
        if (file->header.width == 8)
            return ERR_NONE;
        name = "32-bit resource contention";
        break;
    case VSP_INSTRUMENTATION:
        name = "instrumentation";
        break;
    case VSP_COVERAGE:
        name = "code coverage";
        break;
    case VSP_CONCURRENCY:
        name = "concurrency";
        break;
    }
    if (name)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s: a recording of %s; sampling and 64-bit resource "
                       "contention are read", file->name, name);
    return err_set(err, ERR_UNSUPPORTED,
                   "%s: offset 0xa4: a recording of unknown type %u",
                   file->name, file->header.collection);
}

static void describe(const struct vsp_file *file, struct profile *p)
{
    profile_set_metric(p, file->header.collection == VSP_CONTENTION
                              ? METRIC_WAIT_TIME
                          : file->header.sampling == 1 ? METRIC_CPU_SAMPLES
                                                       : METRIC_EVENT_SAMPLES);
    find_companion(file, file->data + 18696, "kernel", p);
    find_companion(file, file->data + 19216, "application", p);
}

/* Programs with 3 GB of memory have user code above 2 GB, and no address of
 * the kernel is ever recorded: whatever the width of addresses, kernel space
 * stays where observations_new put it, beyond all of them. */
static void read_all(const struct vsp_file *file, struct observations *seen)
{
    struct profile *p = seen->profile;
    struct vsp_blocks blocks = {0};
    struct vsp_reading r = {
        .file = file,
        .blocks = &blocks,
        .saved = saved_read(file->name, file->data, file->size, p),
        .seen = seen,
    };

    vsp_blocks_read(&blocks, file, p);
    vsp_records_take(&r);
    take_samples(&r);
    check_totals(file, &blocks, p);
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
    describe(&file, p);
    read_all(&file, seen);
    return ERR_NONE;
}

const struct trace_format vsp_format = {
    .name = "vsp",
    .summary = "Visual Studio 2005-2013 profiler recording",
    .endings = {".vsp"},
    .recorders = "Visual Studio, vsperf",
    .alone = true,
    .probe = vsp_probe,
    .read = vsp_read,
};
