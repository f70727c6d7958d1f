/*
 * Context switches and wakeups, from which the time of threads is worked out
 * (attribution/thread_time.h). Tracepoints of the scheduler tell both, with
 * stacks; records of the kernel and the event `cs` tell less. (format.md,
 * section 14)
 */
#include "engine/format/perfdata/perfdata.h"

#include <string.h>

#include "engine/attribution/thread_time.h"
#include "engine/base/text_line.h"

static enum pd_role role_of(const struct pd_reading *r,
                            const struct pd_event *e)
{
    enum { CONTEXT_SWITCHES = 3 };
    static const struct {
        const char *name;
        enum pd_role role;
    } known[] = {
        {"sched:sched_switch", PD_ROLE_SWITCH},
        {"sched:sched_wakeup", PD_ROLE_WAKEUP},
        {"sched:sched_wakeup_new", PD_ROLE_WAKEUP},
        {"sched:sched_waking", PD_ROLE_WAKEUP},
    };
    const char *name = strings_get(r->strings, e->name);

    if (e->type == PD_SOFTWARE && e->config == CONTEXT_SWITCHES)
        return PD_ROLE_SWITCH;
    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (pd_event_is_called(name, known[i].name))
            return known[i].role;
    return PD_ROLE_SAMPLE;
}

void pd_choose_sched(struct pd_reading *r)
{
    const struct pd_event *first = pd_first_event(r);

    for (size_t i = 0; i < r->events.len; i++) {
        struct pd_event *e = &r->events.data[i];

        e->role = (uint8_t)role_of(r, e);
        e->chosen = e == first || e->role != PD_ROLE_SAMPLE;
    }
}

/* ---- fields of tracepoints ---- */

/* "prev_state;\toffset:32;\tsize:8;" within the text. */
static bool read_field(struct text_line format, const char *name, uint16_t *at,
                       uint16_t *size)
{
    size_t len = (size_t)(format.end - format.at);
    uint64_t offset, width;

    format.at = len ? memmem(format.at, len, name, strlen(name)) : NULL;
    if (!format.at || !line_take(&format, name) ||
        !line_take(&format, "\toffset:") || !line_number(&format, &offset) ||
        !line_take(&format, ";\tsize:") || !line_number(&format, &width) ||
        offset > UINT16_MAX || width > UINT16_MAX)
        return false;
    *at = (uint16_t)offset;
    *size = (uint16_t)width;
    return true;
}

/* The text that describes a tracepoint. */
static struct text_line find_format(const struct reader *f, const char *head)
{
    const char *from = memmem(f->base, f->len, head, strlen(head)), *to;
    size_t left;

    if (!from)
        return (struct text_line){0};
    left = f->len - (size_t)((const uint8_t *)from - f->base);
    to = memmem(from, left, "print fmt", 9);
    return (struct text_line){from, to ? to : from};
}

/* The kernel's own texts, among others that are not needed. */
void pd_read_tracing_data(struct pd_reading *r, struct reader *f)
{
    struct pd_sched_fields *s = &r->sched;
    struct text_line format = find_format(f, "name: sched_switch\n");
    uint16_t size;

    if (!read_field(format, " prev_state;", &s->state_at, &s->state_size) ||
        !read_field(format, " prev_pid;", &s->prev_at, &size) ||
        !read_field(format, " next_pid;", &s->next_at, &size))
        s->state_size = 0;
    format = find_format(f, "name: sched_wakeup\n");
    if (format.at == format.end)
        format = find_format(f, "name: sched_waking\n");
    read_field(format, " pid;", &s->woken_at, &size);
}

/* If the recording does not state offsets, those of all known kernels count. */
static struct pd_sched_fields usual_fields(const struct pd_reading *r)
{
    struct pd_sched_fields s = r->sched;

    if (!s.state_size) {
        s.prev_at = 24;
        s.state_at = 32;
        s.state_size = r->wide ? 8 : 4;
        s.next_at = r->wide ? 56 : 52;
    }
    if (!s.woken_at)
        s.woken_at = 24;
    return s;
}

static uint64_t raw_field(const struct pd_reading *r, const struct pd_sample *s,
                          uint16_t at, uint16_t size)
{
    struct reader raw = reader_of(r->name, s->raw.data, s->raw.len, 0, NULL);

    reader_skip(&raw, at);
    return size == 8 ? reader_u64_in(&raw, r->swapped)
                     : reader_u32_in(&raw, r->swapped);
}

/* The state of Linux: 0 it could go on; else bits, of which 0x100 and above say
 * that it was preempted or how it may be woken. */
static unsigned wait_of_state(uint64_t state)
{
    enum { PREEMPTED = 0x100, ENDS = 0x10 | 0x20 };
    static const struct {
        unsigned bit, wait;
    } waits[] = {
        {2, WAIT_UNINTERRUPTIBLE}, {4, WAIT_STOPPED},
        {8, WAIT_TRACED},          {0x40, WAIT_PARKED},
        {0x80, WAIT_KERNEL_IDLE},  {1, WAIT_INTERRUPTIBLE},
    };

    if (state & ENDS)
        return WAIT_EXIT;
    if (!(state & 0xFF) || state & PREEMPTED)
        return WAIT_PREEMPTED;
    for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++)
        if (state & waits[i].bit)
            return waits[i].wait;
    return WAIT_BLOCKED;
}

/* Byte 2 of a tracepoint's data: bit 3 is set in the handler of a hardware
 * interrupt. */
static bool in_interrupt(const struct pd_sample *s)
{
    enum { FLAGS_AT = 2, HARDIRQ = 8 };

    return s->raw.len > FLAGS_AT && s->raw.data[FLAGS_AT] & HARDIRQ;
}

/* A thread that ends has no id any more in the head of its last sample. */
void pd_set_happening(const struct pd_reading *r, const struct pd_event *e,
                      const struct pd_sample *s, struct observed_sample *row)
{
    struct pd_sched_fields at = usual_fields(r);
    uint32_t thread = s->tid, other = 0;
    unsigned wait = WAIT_BLOCKED;

    if (e->role == PD_ROLE_WAKEUP) {
        other = (uint32_t)raw_field(r, s, at.woken_at, 4);
        row->period = thread_happening(in_interrupt(s) ? HAPPENED_INTERRUPT
                                                       : HAPPENED_WAKEUP,
                                       WAIT_NONE, other);
    } else if (e->role == PD_ROLE_SWITCH) {
        if (s->raw.len) {
            thread = (uint32_t)raw_field(r, s, at.prev_at, 4);
            other = (uint32_t)raw_field(r, s, at.next_at, 4);
            wait = wait_of_state(raw_field(r, s, at.state_at, at.state_size));
        }
        row->period = thread_happening(HAPPENED_SWITCH_TO, wait, other);
    } else {
        row->period = thread_happening(HAPPENED_SAMPLE, WAIT_NONE, 0);
    }
    if (thread != s->tid)
        row->thread_key = observe_thread_key(r->seen, thread, NO_PID);
}

void pd_take_switch(struct pd_reading *r, const struct pd_record *rec,
                    const struct pd_sample *identity)
{
    enum { OUT = 1 << 13, PREEMPTED = 1 << 14 };
    bool out = rec->misc & OUT;
    struct observed_sample row = {
        .time = (int64_t)identity->time,
        .weight = 1,
        .cpu = NO_CPU,
        .period = thread_happening(
            out ? HAPPENED_SWITCH_TO : HAPPENED_SWITCH_FROM,
            rec->misc & PREEMPTED ? WAIT_PREEMPTED : WAIT_BLOCKED, 0),
    };

    if (!r->seen->thread_states || !identity->time || !identity->tid)
        return;
    row.thread_key = observe_thread_key(r->seen, identity->tid, identity->pid);
    pd_keep_sample(r, &row);
}

/* ---- perf record --off-cpu ---- */

void pd_find_off_cpu(struct pd_reading *r)
{
    enum { BPF_OUTPUT = 10 };
    bool switches = false, off_cpu = false;

    for (size_t i = 0; i < r->events.len; i++) {
        struct pd_event *e = &r->events.data[i];

        e->off_cpu = e->type == PD_SOFTWARE && e->config == BPF_OUTPUT &&
                     !strcmp(strings_get(r->strings, e->name), PD_OFF_CPU);
        off_cpu |= e->off_cpu;
        switches |= role_of(r, e) == PD_ROLE_SWITCH;
    }
    if (off_cpu && !switches && r->seen->thread_states == 1 << THREAD_BLOCKED)
        r->seen->thread_states = 0;
}

/* The time of a sum puts it behind all samples. In newer recordings, thread,
 * time and call chain are in the raw data. */
bool pd_read_off_cpu(const struct pd_reading *r, struct pd_sample *s)
{
    struct reader raw = reader_of(r->name, s->raw.data, s->raw.len, 0, NULL);
    uint64_t count;

    if (s->time > INT64_MAX)
        s->time = r->last_time;
    if (!s->raw.len)
        return true;
    s->pid = reader_u32_in(&raw, r->swapped);
    s->tid = reader_u32_in(&raw, r->swapped);
    s->period = reader_u64_in(&raw, r->swapped);
    count = reader_u64_in(&raw, r->swapped);
    if (raw.failed || count > reader_left(&raw) / 8)
        return false;
    s->chain = reader_bytes(&raw, (size_t)count * 8);
    return true;
}

enum err_code pd_check_switches(struct pd_reading *r, struct err *err)
{
    for (size_t i = 0; i < r->events.len; i++) {
        const struct pd_event *e = &r->events.data[i];

        if (role_of(r, e) == PD_ROLE_SAMPLE ||
            (!e->frequency && e->period == 1))
            continue;
        if (e->chosen && !r->seen->thread_states)
            profile_warn(r->profile,
                         "%s: only some of the events %s were recorded, as "
                         "perf record -F or -c says; -c 1 records all",
                         r->name, strings_get(r->strings, e->name));
        else if (r->seen->thread_states)
            return err_set(
                err, ERR_NOT_FOUND,
                "%s: only some of the events %s were recorded, and the time of "
                "threads needs all; perf record -F is for all events: use "
                "-e cpu-clock/freq=999/ instead",
                r->name, strings_get(r->strings, e->name));
    }
    return ERR_NONE;
}
