/*
 * The stream header tells the version. Nothing tells v5 from v4 but what its
 * metadata holds. (format.md, section 1)
 */
#include "engine/format/nettrace/nettrace.h"

#include <string.h>

#include "engine/base/text.h"

static const char magic[] = "Nettrace";
static const char serialization[] = "\x14\0\0\0!FastSerialization.1";

enum {
    MAGIC = 8,
    SERIALIZATION = 24,
    HEADER_V6 = 20,
    NS_PER_SECOND = 1000000000,
    NS_PER_MS = 1000000,
    MOST_CPUS = 1 << 20,
    REPORT_EACH = 2 << 20, /* bytes that were read */
};

static bool begins_with(const uint8_t *data, size_t size, const char *text,
                        size_t n)
{
    return size >= n && !memcmp(data, text, n);
}

static enum format_probe nettrace_probe(const uint8_t *data, size_t size)
{
    return begins_with(data, size, magic, MAGIC) ||
                   begins_with(data, size, serialization, SERIALIZATION)
               ? PROBE_YES
               : PROBE_NO;
}

void nt_damage(struct nt_file *f, uint64_t offset, uint64_t size,
               const char *what)
{
    if (f->description_only)
        return;
    f->damaged++;
    err_set(f->err, ERR_CORRUPT, "%s: offset 0x%llx: %s", f->name,
            (unsigned long long)offset, what);
    profile_skip(f->recording->profile, f->name, offset, size, what);
}

int64_t nt_time(const struct nt_file *f, uint64_t ticks)
{
    /* Differences are taken modulo 2^64: events may precede the start. */
    int64_t d = (int64_t)(ticks - f->sync);
    __int128 ns = f->frequency == NS_PER_SECOND
                      ? d
                      : (__int128)d * NS_PER_SECOND / (int64_t)f->frequency;

    ns += f->shift;
    return ns > INT64_MAX   ? INT64_MAX
           : ns < TIME_MIN + 1 ? TIME_MIN + 1
                               : (int64_t)ns;
}

/* Year, month, day of week, day, hour, minute, second, millisecond; 0 for a
 * date that is none. */
int64_t nt_unix_time(struct reader *r)
{
    struct bytes date = reader_bytes(r, SYSTEMTIME_SIZE);

    return date.len ? systemtime_unix_ns(date.data) : 0;
}

bool nt_check_description(struct nt_file *f, uint64_t offset)
{
    const char *wrong = NULL;

    if (f->pointer_size != 4 && f->pointer_size != 8)
        wrong = "pointer size is neither 4 nor 8";
    else if (!f->frequency || f->frequency > INT64_MAX)
        wrong = "clock frequency is not positive";
    f->described = !wrong;
    f->stopped = wrong;
    if (wrong)
        nt_damage(f, offset, f->size - offset, wrong);
    if (f->cpus > MOST_CPUS)
        f->cpus = 0;
    if (f->start_unix_ns)
        f->shift = f->start_unix_ns - f->recording->zero_unix_ns;
    return !wrong;
}

void nt_number_fact(const struct nt_file *f, const char *name,
                    const char *field, uint64_t n)
{
    if (f->description_only)
        return;
    profile_number(f->recording->profile, name, n, "%llu",
                   (unsigned long long)n);
    profile_fact_field(f->recording->profile, field);
}

void nt_describe(const struct nt_file *f)
{
    nt_number_fact(f, "format version", "FormatVersion", f->version);
    nt_number_fact(f, "clock at the start", "SyncTimeQPC", f->sync);
    nt_number_fact(f, "clock, Hz", "QPCFrequency", f->frequency);
    nt_number_fact(f, "pointer size", "PointerSize", f->pointer_size);
}

/* Where blocks begin, by the header; sets the version. */
static enum err_code read_stream_header(struct nt_file *f, size_t *pos,
                                        struct err *err)
{
    bool v4 = begins_with(f->data, f->size, magic, MAGIC);
    size_t at = v4 ? MAGIC : 0;

    *pos = at + SERIALIZATION;
    f->version = v4 ? 4 : 3;
    if (begins_with(f->data + at, f->size - at, serialization, SERIALIZATION))
        return ERR_NONE;
    if (f->size < HEADER_V6)
        return err_set(err, ERR_TRUNCATED, "%s: offset 0x%zx: header truncated",
                       f->name, f->size);
    if (load_u32(f->data + 8) || load_u32(f->data + 12) < 6)
        return err_set(err, ERR_CORRUPT, "%s: offset 0x8: not a header",
                       f->name);
    if (load_u32(f->data + 12) > 6)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s: offset 0xc: unknown nettrace version %u.%u; topfn "
                       "reads versions up to 6",
                       f->name, load_u32(f->data + 12), load_u32(f->data + 16));
    *pos = HEADER_V6;
    f->version = 6;
    return ERR_NONE;
}

static void warn_of_dangling(const struct nt_file *f, uint64_t count,
                             const char *what)
{
    if (count)
        profile_warn(f->recording->profile,
                     "%s: events that refer to an undefined %s: %llu", f->name,
                     what, (unsigned long long)count);
}

static void warn_of_file(const struct nt_file *f)
{
    struct profile *p = f->recording->profile;

    warn_of_dangling(f, f->no_kind, "event kind");
    warn_of_dangling(f, f->no_stack, "stack");
    warn_of_dangling(f, f->no_labels, "label list");
    nt_report_losses(f);
    if (f->unknown_blocks)
        profile_warn(p, "%s: blocks of unknown types skipped: %llu", f->name,
                     (unsigned long long)f->unknown_blocks);
    if (f->backwards)
        profile_warn(p, "%s: sequence numbers that decreased: %llu", f->name,
                     (unsigned long long)f->backwards);
    if (!f->complete && !f->damaged)
        profile_warn(
            p, "%s: truncated file: it ends at 0x%zx without an end marker",
            f->name, f->size);
}

static void release_file(struct nt_file *f)
{
    vec_release(&f->kinds);
    map_release(&f->kind_ids);
    vec_release(&f->threads);
    map_release(&f->thread_ids);
    vec_release(&f->stacks);
    map_release(&f->stack_ids);
    vec_release(&f->labels);
    map_release(&f->label_ids);
}

static int compare_starts(const void *a, const void *b)
{
    const struct time_range *x = a, *y = b;

    return (x->from > y->from) - (x->from < y->from);
}

/* The time between files that do not meet was not recorded. */
static int64_t recorded_time(struct nt_recording *rec)
{
    struct time_range *r = rec->recorded.data;
    int64_t end = 0, sum = 0;

    if (rec->recorded.len)
        qsort(r, rec->recorded.len, sizeof(*r), compare_starts);
    for (size_t i = 0; i < rec->recorded.len; i++) {
        if (end < r[i].from)
            end = r[i].from;
        if (end < r[i].to) {
            sum += r[i].to - end;
            end = r[i].to;
        }
    }
    return sum;
}

static struct nt_file file_of(struct nt_recording *rec,
                              const struct entry *entry, struct err *err)
{
    return (struct nt_file){
        .recording = rec,
        .name = entry->name,
        .data = entry->data,
        .size = entry->size,
        .err = err,
    };
}

enum err_code nt_open(struct nt_file *f, struct nt_recording *rec,
                      const struct entry *entry, size_t *pos, struct err *err)
{
    *f = file_of(rec, entry, err);
    if (read_stream_header(f, pos, err))
        return err ? err->code : ERR_CORRUPT;
    while (!f->described && nt_step(f, pos))
        continue;
    if (!f->described)
        return err_set(
            err, ERR_TRUNCATED,
            "%s: offset 0x%zx: truncated before the trace is described",
            f->name, f->size);
    return ERR_NONE;
}

bool nt_step(struct nt_file *f, size_t *pos)
{
    if (nt_resume_block(f))
        return true;
    return f->version == 6 ? nt_step_block(f, pos) : nt_step_object(f, pos);
}

size_t nt_wanted(const struct nt_file *f, size_t pos)
{
    if (f->paused)
        return pos;
    if (f->version != 6)
        return nt_wanted_object(f, pos);
    if (f->size < pos || f->size - pos < 4)
        return pos + 4;
    return pos + 4 + (load_u32(f->data + pos) & 0xFFFFFF);
}

void nt_close(struct nt_file *f)
{
    warn_of_file(f);
    release_file(f);
}

/* Several files may be parts of one recording: the earliest start is time
 * 0. Errors are met again when the file is read. */
static void find_start(struct nt_recording *rec, const struct entry *entry)
{
    struct nt_file f = file_of(rec, entry, NULL);
    size_t pos;

    f.description_only = true;
    if (read_stream_header(&f, &pos, NULL))
        return;
    while (nt_step(&f, &pos))
        continue;
    if (f.start_unix_ns &&
        (!rec->zero_unix_ns || f.start_unix_ns < rec->zero_unix_ns))
        rec->zero_unix_ns = f.start_unix_ns;
    release_file(&f);
}

/* One file, from its header to its end or its damage. */
static enum err_code read_file(struct nt_recording *rec,
                               const struct entry *entry, struct err *err)
{
    struct err damage = {0};
    struct nt_file f = file_of(rec, entry, &damage);
    size_t pos;
    struct profile *p;

    if (read_stream_header(&f, &pos, err))
        return err->code;
    for (size_t told = 0; nt_step(&f, &pos);) {
        if (pos - told < REPORT_EACH)
            continue;
        told = pos;
        progress_report(rec->options->progress, "reading", pos, f.size);
    }
    if (f.damaged && !f.events)
        err_set(err, damage.code, "%s", damage.message);
    else if (!f.described)
        err_set(err, ERR_TRUNCATED,
                "%s: offset 0x%zx: truncated before the trace is described",
                f.name, f.size);
    warn_of_file(&f);
    nt_universal_finish(&f);
    nt_count_kinds(&f);
    p = f.recording->profile;
    if (p->trace.pointer_size < f.pointer_size)
        p->trace.pointer_size = f.pointer_size;
    if (p->trace.cpus < f.cpus)
        p->trace.cpus = f.cpus;
    if (f.events)
        *vec_add(&f.recording->recorded) = (struct time_range){
            f.shift, nt_time(&f, f.sync + (uint64_t)f.last_ticks)};
    if (!f.complete)
        rec->cut_off = true;
    release_file(&f);
    return err ? err->code : ERR_NONE;
}

static enum err_code nettrace_read(const struct entry *entries, size_t count,
                                   const struct read_options *options,
                                   struct observations *seen, struct err *err)
{
    struct err local = {0};
    struct profile *p = seen->profile;
    struct nt_recording rec = {
        .seen = seen,
        .profile = p,
        .strings = p->strings,
        .options = options,
        .last_unload = TIME_MIN,
    };
    enum err_code code = ERR_NONE;
    uint64_t size = 0;
    const char *there;

    if (!err)
        err = &local;
    for (size_t i = 0; i < count; i++) {
        find_start(&rec, &entries[i]);
        size += entries[i].size;
    }
    rec.most_samples = samples_most(size);
    p->trace.start_unix_ns = rec.zero_unix_ns;
    for (size_t i = 0; i < count && !code; i++)
        code = read_file(&rec, &entries[i], err);
    p->trace.duration_ns = recorded_time(&rec);
    if (!code) {
        seen->without_images = true;
        seen->late_images = true;
        seen->late_switches = true;
        seen->kernel_from = kernel_space_start(p->trace.pointer_size);
        nt_finish_events(&rec);
    }
    there = code ? "" : nt_describe_choices(&rec);
    if (!code && options->event && !rec.chosen)
        code = err_set(err, ERR_NOT_FOUND,
                       "%s: no events \"%s\"; --event accepts %s%sa name that "
                       "topfn info lists",
                       entries[0].name, options->event, there,
                       *there ? " or " : "");
    samples_release(&rec.samples);
    vec_release(&rec.recorded);
    vec_release(&rec.methods);
    map_release(&rec.count_ids);
    return code;
}

const struct trace_format nettrace_format = {
    .name = "nettrace",
    .summary = ".NET EventPipe trace (dotnet-trace, netperf, record-trace)",
    .weighs_threads = true,
    .chooses_events = true,
    .has_switches = true,
    .probe = nettrace_probe,
    .read = nettrace_read,
};
