#include "engine/format/perfdata/perfdata.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"

/* The usual address of a Linux kernel in 32-bit spaces, the lowest one that it
 * can be built for, and the lowest one in 64-bit spaces. */
#define KERNEL_32        0xC0000000u
#define LOWEST_KERNEL_32 0x40000000u
#define LOWEST_KERNEL_64 0x8000000000000000u

static enum format_probe perfdata_probe(const uint8_t *data, size_t size)
{
    return size >= 16 && (!memcmp(data, "PERFILE", 7) ||
                          !memcmp(data + 1, "ELIFREP", 7) ||
                          !memcmp(data, "PERFFILE", 8))
               ? PROBE_YES
               : PROBE_NO;
}

void pd_damage(struct pd_reading *r, uint64_t offset, uint64_t size,
               const char *what)
{
    if (r->again)
        return;
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
    if (!time || r->untimed)
        return;
    if (time < r->first_time)
        r->first_time = time;
    if (time > r->last_time)
        r->last_time = time;
}

/* Mappings that the recorder found when it began were there before all else;
 * code that was made even earlier has a time of its own. */
int64_t pd_time(const struct pd_reading *r, uint64_t time)
{
    const uint64_t most = INT64_MAX - 1;
    uint64_t away =
        time < r->first_time ? r->first_time - time : time - r->first_time;

    if (!time)
        return -1;
    if (away > most)
        away = most;
    return time < r->first_time ? -(int64_t)away : (int64_t)away;
}

/* ---- when all records are read ---- */

static void warn_of_recording(const struct pd_reading *r)
{
    struct profile *p = r->profile;

    p->quality.lost_events += r->lost_samples;
    p->quality.lost_events +=
        r->lost > r->lost_by_counters ? r->lost : r->lost_by_counters;
    if (r->throttled)
        profile_warn(p,
                     "%s: the kernel paused sampling %llu times because it "
                     "took too much time",
                     r->name, (unsigned long long)r->throttled);
    if (r->newest_attributes)
        profile_warn(p,
                     "%s: event descriptions have %u bytes, and topfn knows %u "
                     "of them: a newer recorder wrote the file",
                     r->name, r->newest_attributes,
                     (unsigned)PD_KNOWN_ATTRIBUTES);
    if (r->aux_bytes)
        profile_warn(
            p,
            "%s: hardware traces (such as Intel PT) are not read: %llu bytes",
            r->name, (unsigned long long)r->aux_bytes);
    if (r->cut_stacks)
        profile_warn(
            p,
            "%s: user stacks deeper than the part of the stack that perf "
            "copied: %llu; perf record --call-graph dwarf,SIZE copies more",
            r->name, (unsigned long long)r->cut_stacks);
    if (r->cut_memories)
        profile_warn(
            p,
            "%s: processes that lack mappings of their parent process, because "
            "there are too many for a file of this size: %llu",
            r->name, (unsigned long long)r->cut_memories);
    if (r->missing_dumps)
        profile_warn(p,
                     "%s: no function names for generated code, because its "
                     "perf map is missing (add its folder with --symbols): %s, "
                     "processes: %llu",
                     r->name, strings_get(r->strings, r->missing_dump),
                     (unsigned long long)r->missing_dumps);
    if (r->unnamed_mappings)
        profile_warn(p,
                     "%s: mappings without file names, because there are too "
                     "many for a recording of this size: %llu",
                     r->name, (unsigned long long)r->unnamed_mappings);
    if (r->walks_cut)
        profile_warn(p,
                     "%s: some user stacks are not unwound, because their "
                     "processes have too many mappings for a file of this size",
                     r->name);
    if (r->rules_cut)
        profile_warn(p,
                     "%s: some user stacks are not unwound, because unwind "
                     "data of their files repeats too much",
                     r->name);
    if (r->guest)
        profile_warn(p,
                     "%s: samples with frames in virtual machines, whose "
                     "memory the recording does not describe: %llu",
                     r->name, (unsigned long long)r->guest);
}

/* A pipe of an old recorder does not name the machine. The machine has 32 bits
 * if its kernel lies in their space: by its mapping, or else by a sample. A
 * recorder of 32 bits names a machine of its own kind, though the kernel has
 * 64. */
static void find_kernel_space(struct pd_reading *r)
{
    uint64_t least = r->kernel_least;

    for (size_t i = 0; i < r->mappings.len; i++) {
        const struct pd_mapping *m = &r->mappings.data[i];

        if (m->kernel && m->base && m->base < least)
            least = m->base;
    }
    if (!r->width_told || (least > UINT32_MAX && least != UINT64_MAX))
        r->wide = least < LOWEST_KERNEL_32 || least > UINT32_MAX;
    r->kernel_from = r->wide ? kernel_space_start(8) : KERNEL_32;
    if (least < r->kernel_from &&
        least >= (r->wide ? LOWEST_KERNEL_64 : LOWEST_KERNEL_32))
        r->kernel_from = least;
    r->seen->kernel_from = r->kernel_from;
}

static void describe_trace(struct pd_reading *r, bool timed)
{
    enum { NS_PER_SECOND = 1000000000 };
    struct trace_info *trace = &r->profile->trace;

    trace->pointer_size = r->wide ? 8 : 4;
    trace->interval_ns = pd_interval(r);
    if (timed && r->last_time > r->first_time)
        trace->duration_ns = pd_time(r, r->last_time);
    if (r->wall_clock && !r->untimed && r->last_time >= r->first_time)
        trace->start_unix_ns =
            (int64_t)(r->wall_clock + r->first_time - r->wall_clock_at);
    else if (r->started && r->started < INT64_MAX / NS_PER_SECOND)
        trace->start_unix_ns = (int64_t)r->started * NS_PER_SECOND;
}

void pd_finish(struct pd_reading *r)
{
    bool timed;

    find_kernel_space(r);
    pd_sort_samples(r);
    /* perf record --per-thread leaves times out: then what happened to
     * processes has some, but they say nothing of how long samples were taken.
     */
    timed =
        !r->untimed && (!r->samples.len || r->samples.time[r->samples.len - 1]);
    r->seen->untimed = r->untimed;
    if (r->untimed)
        r->first_time = 0;
    pd_tell_happenings(r);
    pd_tell_samples(r);
    pd_count_events(r);
    describe_trace(r, timed);
    warn_of_recording(r);
}

struct pd_reading *pd_reading_new(const struct entry *entry,
                                  const struct read_options *options,
                                  struct observations *seen)
{
    enum { EVENTS_FREE = 1 << 20 };
    struct pd_reading *r = mem_new(1, sizeof(*r));

    r->seen = seen;
    r->profile = seen->profile;
    r->strings = seen->profile->strings;
    r->options = options;
    r->entry = entry;
    r->name = entry->name;
    r->data = entry->data;
    r->size = entry->size;
    r->ids_read = budget_of(entry->size / sizeof(uint64_t), 1, 0);
    r->events_visited = budget_of(entry->size / 4, 1, EVENTS_FREE);
    r->first_time = r->kernel_least = UINT64_MAX;
    r->wide = true;
    r->record_counts = mem_new(PD_RECORD_TYPES, sizeof(*r->record_counts));
    return r;
}

void pd_reading_free(struct pd_reading *r)
{
    vec_release(&r->events);
    map_release(&r->event_ids);
    vec_release(&r->build_ids);
    map_release(&r->build_id_of);
    map_release(&r->identified);
    samples_release(&r->samples);
    vec_release(&r->stacks);
    vec_release(&r->words);
    vec_release(&r->branches);
    vec_release(&r->exact);
    vec_release(&r->counters);
    vec_release(&r->cookies);
    vec_release(&r->deferred);
    arena_release(&r->copies);
    vec_release(&r->happenings);
    vec_release(&r->mappings);
    vec_release(&r->kernel_symbols);
    vec_release(&r->symbol_files);
    map_release(&r->symbol_file_of);
    map_release(&r->symbol_sets);
    vec_release(&r->pieces);
    free(r->record_counts);
    free(r);
}

enum err_code pd_choose(struct pd_reading *r, struct err *err)
{
    pd_choose_events(r);
    if (!pd_state_metric(r))
        return err_set(err, ERR_NOT_FOUND,
                       "%s: no events \"%s\"; topfn info lists those it has",
                       r->name, r->options->event);
    return ERR_NONE;
}

static bool has_samples(const struct pd_reading *r)
{
    for (size_t i = 0; i < r->events.len; i++)
        if (r->events.data[i].count)
            return true;
    return false;
}

static void lose_files(const struct pd_reading *r, unsigned long from,
                       unsigned long to)
{
    r->profile->quality.lost_buffers += to - from + 1;
    if (from == to)
        profile_warn(r->profile,
                     "%s: the file data.%lu and its samples are missing",
                     r->name, from);
    else
        profile_warn(
            r->profile,
            "%s: the files data.%lu to data.%lu and their samples are missing",
            r->name, from, to);
}

/* Files of the recorder's threads are data.0, data.1, ... without a gap; the
 * last ones may be missing without a trace. */
static bool lacks_files(const struct pd_reading *r)
{
    unsigned long next = 0;

    for (size_t i = 0; i < r->entry->part_count; i++) {
        const char *name = path_base_name(r->entry->parts[i]->name);
        const char *dot = strchr(name, '.');
        unsigned long number = dot ? strtoul(dot + 1, NULL, 10) : next;

        if (number > next)
            lose_files(r, next, number - 1);
        next = number + (dot != NULL);
    }
    return r->in_folder && !r->entry->part_count;
}

/* perf record samples all processes with -a or -C, and then adds processors to
 * samples. It adds them with --sample-cpu, too, but with these options it does
 * not wait for the start of a command. */
static bool samples_all_processes(const struct pd_reading *r)
{
    for (size_t i = 0; i < r->events.len; i++)
        if (r->events.data[i].starts_program)
            return false;
    for (size_t i = 0; i < r->samples.len; i++)
        if (r->samples.cpu[i] != NO_CPU)
            return true;
    return !r->samples.len;
}

static enum err_code read_recording(struct pd_reading *r, struct err *err)
{
    if (!pd_read_header(r, err))
        return err->code;
    /* Events are chosen before the first sample is read. Where those took none,
     * the samples of others are read. */
    pd_read_records(r);
    pd_resolve_counters(r);
    r->again = pd_choose_others(r);
    if (r->again) {
        pd_read_records(r);
        pd_resolve_counters(r);
    }
    r->again = false;
    pd_join_deferred(r);
    if (r->refusal.code)
        return err_set(err, r->refusal.code, "%s", r->refusal.message);
    if (!r->events.len)
        return r->damaged
                   ? err_set(err, r->damage.code, "%s", r->damage.message)
                   : err_set(err, ERR_TRUNCATED,
                             "%s: the recording describes no event", r->name);
    if (pd_choose(r, err) || pd_check_switches(r, err))
        return err->code;
    if (!has_samples(r) && !r->aux_bytes && r->damaged)
        return err_set(err, r->damage.code, "%s; no sample could be read",
                       r->damage.message);
    if (!has_samples(r) && r->profile->quality.malformed)
        return err_set(err, ERR_CORRUPT,
                       "%s: none of its %llu samples could be read", r->name,
                       (unsigned long long)r->profile->quality.malformed);
    if (lacks_files(r) && !has_samples(r))
        return err_set(err, ERR_TRUNCATED,
                       "%s: the samples are in files data.0, data.1, ... "
                       "beside it, which are missing",
                       r->name);
    if (!has_samples(r) && !r->aux_bytes && pd_knows_no_record(r))
        return err_set(
            err, ERR_UNSUPPORTED,
            "%s: all record types are unknown: a newer recorder wrote the file",
            r->name);
    if (!samples_all_processes(r))
        profile_fact(r->profile, FACT_SAMPLED, "%s", SAMPLED_SOME);
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
                       "%s: several perf.data files have no common clock: open "
                       "them one at a time, or join them with topfn merge",
                       entries[1].name);
    r = pd_reading_new(entries, options, seen);
    code = read_recording(r, err);
    seen->profile->frame_pointers = !r->stacks.len;
    pd_reading_free(r);
    return code;
}

const struct trace_format perfdata_format = {
    .name = "perf.data",
    .summary = "Linux perf recording",
    .how_to_record = "perf record -g -- PROGRAM",
    .chooses_events = true,
    .has_periods = true,
    .has_switches = true,
    .probe = perfdata_probe,
    .read = perfdata_read,
};
