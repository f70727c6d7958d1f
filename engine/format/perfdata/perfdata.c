#include "engine/format/perfdata/perfdata.h"

#include <string.h>

#include "engine/base/bisect.h"
#include "engine/base/keysort.h"

/* Where Linux puts its kernel in 32-bit spaces. */
#define KERNEL_32 0xC0000000u

static enum format_probe perfdata_probe(const uint8_t *data, size_t size)
{
    return size >= 16 && (!memcmp(data, "PERFILE2", 8) ||
                          !memcmp(data, "2ELIFREP", 8))
               ? PROBE_YES
               : PROBE_NO;
}

void pd_damage(struct pd_reading *r, uint64_t offset, uint64_t size,
               const char *what)
{
    r->damaged = true;
    err_set(&r->damage, ERR_CORRUPT, "%s: offset 0x%llx: %s", r->name,
            (unsigned long long)offset, what);
    profile_skip(r->profile, r->name, offset, size, what);
}

uint32_t pd_text(struct pd_reading *r, struct bytes text)
{
    return strings_add(r->strings, (const char *)text.data, text.len);
}

void pd_met_time(struct pd_reading *r, uint64_t time)
{
    if (!time)
        return;
    if (time < r->first_time)
        r->first_time = time;
    if (time > r->last_time)
        r->last_time = time;
}

/* What the recorder found when it began was there before all else. */
int64_t pd_time(const struct pd_reading *r, uint64_t time)
{
    uint64_t since = time - r->first_time;

    if (!time)
        return -1;
    return since < INT64_MAX ? (int64_t)since : INT64_MAX - 1;
}

/* ---- when all records are read ---- */

/* For samples in any order. */
static void sort_by_keys(struct pd_kept *samples, size_t n)
{
    struct keyed *keys = mem_new(n, sizeof(*keys));
    struct pd_kept *sorted = mem_new(n, sizeof(*sorted));

    for (size_t i = 0; i < n; i++)
        keys[i] = (struct keyed){samples[i].time, (uint32_t)i};
    keysort(keys, n);
    for (size_t i = 0; i < n; i++)
        sorted[i] = samples[keys[i].value];
    memcpy(samples, sorted, n * sizeof(*samples));
    free(keys);
    free(sorted);
}

/* Where a sample of this time goes behind its equals. */
static size_t place_of(const struct pd_kept *samples, size_t n, uint64_t time)
{
    size_t i;

    BISECT(i, n, samples[i].time <= time);
    return i;
}

/* Merges [from, middle) and [middle, end), which are in order. */
static void merge(struct pd_kept *samples, size_t from, size_t middle,
                  size_t end)
{
    size_t n = middle - from, i = 0, j = middle, to = from;
    struct pd_kept *first = mem_new(n, sizeof(*first));

    memcpy(first, samples + from, n * sizeof(*first));
    while (i < n && j < end)
        samples[to++] = samples[j].time < first[i].time ? samples[j++]
                                                        : first[i++];
    memcpy(samples + to, first + i, (n - i) * sizeof(*first));
    free(first);
}

/*
 * The recorder empties the buffers of all CPUs in turn: what is next in order
 * goes not far before the end of what is in order already, and little has to
 * move. Where that is not so, all are sorted another way.
 */
static void sort_samples(struct pd_kept *samples, size_t n)
{
    enum { MOVES_EACH = 16 };
    size_t moved = 0, end;

    for (size_t middle = 1; middle < n; middle = end) {
        size_t from;

        end = middle + 1;
        if (samples[middle - 1].time <= samples[middle].time)
            continue;
        while (end < n && samples[end - 1].time <= samples[end].time)
            end++;
        from = place_of(samples, middle, samples[middle].time);
        moved += end - from;
        if (moved / MOVES_EACH > n) {
            sort_by_keys(samples, n);
            return;
        }
        merge(samples, from, middle, end);
    }
}

uint64_t pd_period(uint64_t period)
{
    return period < PD_PERIOD_MOST ? period : PD_PERIOD_MOST;
}

/* Equal ones make the same shares as the number of samples does. */
static bool periods_differ(const struct pd_reading *r)
{
    for (size_t i = 1; i < r->samples.len; i++)
        if (r->samples.data[i].period != r->samples.data[0].period)
            return true;
    return false;
}

static void tell_sample(struct pd_reading *r, const struct pd_kept *s,
                        bool weighed)
{
    if ((s->flags & SAMPLE_IDLE) && r->options->without_idle) {
        r->profile->trace.idle_not_kept++;
        return;
    }
    observe_sample(r->seen, &(struct observed_sample){
                                .time = s->time ? pd_time(r, s->time) : 0,
                                .thread_key = s->thread_key,
                                .outer = s->outer,
                                .inner = s->inner,
                                .weight = 1,
                                .period = weighed ? s->period : 0,
                                .cpu = s->cpu,
                                .flags = s->flags,
                                .leaf = s->leaf,
                            });
}

static void reverse(struct pd_kept *samples, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        struct pd_kept s = samples[i];

        samples[i] = samples[n - 1 - i];
        samples[n - 1 - i] = s;
    }
}

/* From the end of a list that shrinks as they are told: there are millions,
 * and each would be in memory twice. */
static void tell_samples(struct pd_reading *r)
{
    enum { AT_A_TIME = 1 << 15 };
    bool weighed = r->options->periods || periods_differ(r);
    struct pd_kept **list = &r->samples.data;

    if (weighed)
        r->profile->trace.period_of = pd_period_of(r);
    reverse(*list, r->samples.len);
    while (r->samples.len) {
        tell_sample(r, &(*list)[--r->samples.len], weighed);
        if (r->samples.len % AT_A_TIME)
            continue;
        *list = mem_resize(*list, r->samples.len + 1, sizeof(**list));
        r->samples.cap = r->samples.len + 1;
    }
    vec_release(&r->samples);
}

static void warn(const struct pd_reading *r)
{
    struct profile *p = r->profile;

    p->quality.lost_events += r->lost + r->lost_samples;
    if (r->throttled)
        profile_warn(p, "%s: the kernel held sampling back %llu times: it "
                     "took too much time", r->name,
                     (unsigned long long)r->throttled);
    if (r->aux_bytes)
        profile_warn(p, "%s: traces of the processor itself are not read: "
                     "%llu bytes", r->name, (unsigned long long)r->aux_bytes);
    if (r->cut_stacks)
        profile_warn(p, "%s: user stacks deeper than what was copied of them: "
                     "%llu; perf record --call-graph dwarf,SIZE copies more",
                     r->name, (unsigned long long)r->cut_stacks);
    if (r->cut_memories)
        profile_warn(p,
                     "%s: processes without all of the memory that they "
                     "copied, as it is out of proportion to the file: %llu",
                     r->name, (unsigned long long)r->cut_memories);
    if (r->walks_cut)
        profile_warn(p,
                     "%s: not all user stacks are walked: their processes "
                     "have more mappings than is in proportion to the file",
                     r->name);
    if (r->guest)
        profile_warn(p, "%s: frames in guests of this machine, whose memory "
                     "it does not describe: samples with such: %llu", r->name,
                     (unsigned long long)r->guest);
}

static void describe_trace(struct pd_reading *r)
{
    struct trace_info *trace = &r->profile->trace;

    trace->pointer_size = r->wide ? 8 : 4;
    r->seen->kernel_from = r->wide ? kernel_space_start(8) : KERNEL_32;
    trace->interval_ns = pd_interval(r);
    if (r->last_time > r->first_time)
        trace->duration_ns = pd_time(r, r->last_time);
    if (r->wall_clock && r->last_time)
        trace->start_unix_ns =
            (int64_t)(r->wall_clock + r->first_time - r->wall_clock_at);
}

void pd_finish(struct pd_reading *r)
{
    sort_samples(r->samples.data, r->samples.len);
    pd_tell_happenings(r);
    tell_samples(r);
    pd_count_events(r);
    describe_trace(r);
    warn(r);
}

struct pd_reading *pd_reading_new(const struct entry *entry,
                                  const struct read_options *options,
                                  struct observations *seen)
{
    struct pd_reading *r = mem_new(1, sizeof(*r));

    r->seen = seen;
    r->profile = seen->profile;
    r->strings = seen->profile->strings;
    r->options = options;
    r->entry = entry;
    r->name = entry->name;
    r->data = entry->data;
    r->size = entry->size;
    r->first_time = UINT64_MAX;
    r->wide = true;
    return r;
}

void pd_reading_free(struct pd_reading *r)
{
    vec_release(&r->events);
    map_release(&r->event_ids);
    vec_release(&r->build_ids);
    map_release(&r->build_id_of);
    map_release(&r->identified);
    vec_release(&r->samples);
    vec_release(&r->stacks);
    arena_release(&r->copies);
    vec_release(&r->happenings);
    vec_release(&r->mappings);
    vec_release(&r->kernel_symbols);
    free(r);
}

enum err_code pd_choose(struct pd_reading *r, struct err *err)
{
    pd_choose_events(r);
    if (!pd_state_metric(r))
        return err_set(err, ERR_NOT_FOUND,
                       "%s: has no events \"%s\"; topfn info lists those it "
                       "has", r->name, r->options->event);
    return ERR_NONE;
}

static enum err_code read_recording(struct pd_reading *r, struct err *err)
{
    if (!pd_read_header(r, err))
        return err->code;
    pd_read_records(r);
    if (!r->events.len)
        return r->damaged
                   ? err_set(err, r->damage.code, "%s", r->damage.message)
                   : err_set(err, ERR_TRUNCATED, "%s: describes no event",
                             r->name);
    if (pd_choose(r, err))
        return err->code;
    pd_finish(r);
    return ERR_NONE;
}

static enum err_code perfdata_read(const struct entry *entries, size_t count,
                                   const struct read_options *options,
                                   struct observations *seen, struct err *err)
{
    struct err local = {0};
    struct pd_reading *r;
    enum err_code code;

    if (!err)
        err = &local;
    if (count != 1)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s: several perf.data files have no common clock: "
                       "read them one by one, or join them as runs: "
                       "topfn merge",
                       entries[1].name);
    r = pd_reading_new(entries, options, seen);
    code = read_recording(r, err);
    pd_reading_free(r);
    return code;
}

const struct trace_format perfdata_format = {
    .name = "perf.data",
    .summary = "Linux perf recording",
    .endings = {".data"},
    .recorders = "perf record",
    .how_to_record = "perf record -g -- PROGRAM",
    .chooses_events = true,
    .has_periods = true,
    .probe = perfdata_probe,
    .read = perfdata_read,
};
