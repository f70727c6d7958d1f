#include "engine/format/etl/choice.h"
#include "engine/format/etl/etl.h"

#include <string.h>

/* Two logs of one recording agree on when the counter was zero, but for the
 * time between reading the clock and reading the counter. */
enum { SAME_RECORDING_SECONDS = 60 };

/* Seconds from 1601, where FILETIME begins, to 1970. */
static const int64_t UNIX_EPOCH = 11644473600;

/* The wall-clock second at which this log's counter was zero. */
static int64_t counter_origin(const struct etl_file *f)
{
    return (int64_t)(f->start / FILETIME_PER_SECOND) -
           (int64_t)(f->first_time / f->frequency);
}

static enum err_code check_same_recording(const struct etl_file *files,
                                          size_t n, struct err *err)
{
    for (size_t i = 1; i < n; i++) {
        int64_t apart = counter_origin(&files[i]) - counter_origin(files);

        if (files[i].clock != files->clock ||
            files[i].frequency != files->frequency ||
            apart > SAME_RECORDING_SECONDS || apart < -SAME_RECORDING_SECONDS)
            return err_set(
                err, ERR_UNSUPPORTED,
                "%s: not of the same recording as %s: open them one at a time",
                files[i].name, files->name);
    }
    return ERR_NONE;
}

int64_t etl_unix_time(uint64_t filetime)
{
    int64_t seconds = (int64_t)(filetime / FILETIME_PER_SECOND) - UNIX_EPOCH;

    if (seconds < 0 || seconds > INT64_MAX / NS_PER_SECOND - 1)
        return 0;
    return seconds * NS_PER_SECOND +
           (int64_t)(filetime % FILETIME_PER_SECOND) * 100;
}

/* The log that began first says when time 0 was. */
static void describe_trace(struct etl_recording *r, struct profile *p)
{
    const struct etl_file *first = &r->files[0];

    for (size_t i = 0; i < r->file_count; i++) {
        const struct etl_file *f = &r->files[i];

        if (f->first_time < first->first_time)
            first = f;
        if (f->cpus > p->trace.cpus)
            p->trace.cpus = f->cpus;
        p->quality.lost_events += f->events_lost;
        p->quality.lost_buffers += f->buffers_lost;
    }
    r->zero = first->first_time;
    etl_header_facts(first, p);
    p->trace.start_unix_ns = etl_unix_time(first->start);
    p->trace.pointer_size = first->pointer_size;
    profile_set_metric(p, METRIC_CPU_SAMPLES);
    p->trace.os =
        strings_addf(p->strings, "Windows %u.%u build %u", first->os_major,
                     first->os_minor, first->os_build);
}

enum err_code etl_open_headers(struct etl_recording *r,
                               const struct entry *entries, size_t count,
                               struct profile *p, struct err *err)
{
    enum err_code code;

    *r = (struct etl_recording){
        .files = mem_new(count, sizeof(*r->files)),
        .file_count = count,
    };
    if (count > UINT16_MAX)
        return err_set(err, ERR_LIMIT, "%zu log files; topfn opens at most %u",
                       count, UINT16_MAX);
    for (size_t i = 0; i < count; i++)
        if (etl_file_open(&r->files[i], &entries[i], err))
            return err ? err->code : ERR_CORRUPT;
    code = check_same_recording(r->files, count, err);
    if (!code)
        describe_trace(r, p);
    return code;
}

enum err_code etl_open(struct etl_recording *r, const struct entry *entries,
                       size_t count, struct profile *p, struct err *err)
{
    enum err_code code = etl_open_headers(r, entries, count, p, err);

    if (code)
        return code;
    for (size_t i = 0; i < count; i++)
        etl_index_file(&r->buffers, &r->files[i], (uint16_t)i, p);
    etl_index_sort(&r->buffers);
    return ERR_NONE;
}

void etl_close(struct etl_recording *r)
{
    vec_release(&r->buffers);
    free(r->files);
}

/* The samples are of another kind than describe_trace took them for. */
static void state_metric(struct profile *p, const struct etl_choice *choice)
{
    const char *source = etl_source_name(choice->source);
    uint32_t word;

    if (choice->metric == METRIC_COUNTER && choice->source != ANY_SOURCE) {
        word = source ? strings_addf(p->strings, "pmc:%s", source)
                      : strings_addf(p->strings, "pmc:%u", choice->source);
        profile_set_metric_word(p, strings_get(p->strings, word));
    } else if (choice->metric == METRIC_EVENTS) {
        profile_set_metric_word(p, choice->name);
    } else {
        profile_set_metric(p, choice->metric);
    }
}

static enum err_code read_chosen(struct etl_recording *r,
                                 const struct read_options *options,
                                 struct err *err)
{
    struct profile *p = r->seen->profile;
    struct etl_choice choice;
    bool possible =
        etl_choice_make(&choice, options->event) ||
        (options->event_id && etl_choice_make(&choice, options->event_id));
    struct etl_correlator *correlator;
    struct etl_records *records;
    enum err_code code = ERR_NONE;
    const char *there;

    if (choice.name)
        choice.name = options->event;
    r->choice = &choice;
    r->seen->kernel_from = kernel_space_start(p->trace.pointer_size);
    r->seen->windows_pids = true;
    r->seen->deepest = ETL_DEEPEST;
    correlator = etl_correlator_new(r);
    records = etl_records_new(r);
    etl_merge(r, options, correlator, records);
    etl_correlator_finish(correlator);
    etl_records_finish(records);
    etl_records_free(records);
    p->trace.duration_ns = etl_time(r, r->last_time);
    there = strings_get(p->strings, r->kinds);
    if (!possible ||
        (choice.name && !r->seen->samples.len && !p->trace.idle_not_kept))
        code = err_set(err, ERR_NOT_FOUND,
                       "%s: no events \"%s\"; --event accepts %s%sa name that "
                       "topfn info lists",
                       r->files[0].name, options->event, there,
                       *there ? ", or " : "");
    else if (choice.name)
        state_metric(p, &choice);
    r->choice = NULL;
    etl_choice_release(&choice);
    return code;
}

static enum err_code etl_read(const struct entry *entries, size_t count,
                              const struct read_options *options,
                              struct observations *seen, struct err *err)
{
    struct etl_recording r;
    enum err_code code;

    code = etl_open(&r, entries, count, seen->profile, err);
    r.seen = seen;
    r.without_idle = options->without_idle && !seen->thread_states;
    for (size_t i = 0; i < r.buffers.len; i++)
        if (r.buffers.data[i].packed)
            seen->unpacked += r.buffers.data[i].filled;
    if (!code && seen->thread_states)
        profile_fact(seen->profile, "thread time",
                     "by the documented layout; checked with made logs only");
    if (!code)
        code = read_chosen(&r, options, err);
    etl_close(&r);
    return code;
}

const struct trace_format etl_format = {
    .name = "etl",
    .summary = "Windows event trace log (PerfView, WPR, xperf)",
    .how_to_record = "wpr -start CPU; or xperf -on "
                     "PROC_THREAD+LOADER+PROFILE -stackwalk Profile; or "
                     "PerfView collect",
    .chooses_events = true,
    .has_switches = true,
    .probe = etl_probe,
    .read = etl_read,
};
