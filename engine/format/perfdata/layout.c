/*
 * Offsets of the fields in a sample. The sample_type of its event says which
 * fields it has.
 * (format.md, section 5.2)
 */
#include "engine/format/perfdata/perfdata.h"

enum { WORD = 8 };

/* ---- fields of 8 bytes ---- */

void pd_lay_out(struct pd_event *e)
{
    struct pd_layout *l = &e->layout;
    const struct {
        uint64_t bit;
        uint8_t *place;
    } fields[] = {
        {PD_IDENTIFIER, NULL}, {PD_IP, &l->ip},   {PD_TID, &l->task},
        {PD_TIME, &l->time},   {PD_ADDR, NULL},   {PD_ID, &l->id},
        {PD_STREAM_ID, NULL},  {PD_CPU, &l->cpu}, {PD_PERIOD, &l->period},
    };

    for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
        if (!(e->sample_type & fields[i].bit))
            continue;
        l->size += WORD;
        if (fields[i].place)
            *fields[i].place = l->size;
    }
    if (e->sample_type & PD_IDENTIFIER)
        l->id = WORD;
}

static inline uint64_t field(const uint8_t *fields, uint8_t end, bool swapped,
                             uint64_t without)
{
    return end ? load_u64_in(fields + end - WORD, swapped) : without;
}

/* A field may hold two numbers. The second is in its upper half on this
 * machine, and in its lower half on one of the other byte order. */
static inline uint32_t half(uint64_t value, bool second, bool swapped)
{
    return (uint32_t)(second == swapped ? value : value >> 32);
}

uint64_t pd_sample_id(const struct pd_reading *r, struct bytes body)
{
    const struct pd_layout *l = &r->events.data[0].layout;

    return body.len < l->id ? 0 : field(body.data, l->id, r->swapped, 0);
}

static inline void read_fields(const struct pd_event *e, const uint8_t *fields,
                               bool swapped, struct pd_sample *s)
{
    const struct pd_layout *l = &e->layout;
    uint64_t task = field(fields, l->task, swapped, 0);

    s->ip = field(fields, l->ip, swapped, 0);
    s->time = field(fields, l->time, swapped, 0);
    s->period = field(fields, l->period, swapped, e->period);
    s->pid = half(task, false, swapped);
    s->tid = half(task, true, swapped);
    s->cpu = half(field(fields, l->cpu, swapped, UINT64_MAX), false, swapped);
}

/* ---- what is of any length ---- */

static uint64_t word(const struct pd_reading *r, struct reader *body)
{
    return reader_u64_in(body, r->swapped);
}

/* Alone: value, and those of enabled, running, id and lost that there are. In
 * a group: number of counters, enabled, running, and of each value, id,
 * lost. */
static void read_counters(const struct pd_reading *r, struct reader *body,
                          uint64_t format, struct pd_sample *s)
{
    unsigned times = (format & PD_READ_ENABLED ? WORD : 0u) +
                     (format & PD_READ_RUNNING ? WORD : 0u);
    unsigned size = WORD;
    uint64_t count = 1;

    if (format & PD_READ_GROUP) {
        count = word(r, body);
        reader_skip(body, times);
    } else {
        size += times;
    }
    if (format & PD_READ_ID) {
        s->counter_id = (uint8_t)size;
        size += WORD;
    }
    if (format & PD_READ_LOST)
        size += WORD;
    if (count > reader_left(body) / size) {
        reader_fail(body, ERR_CORRUPT, "number of counters");
        return;
    }
    s->counter_size = (uint8_t)size;
    s->counters = reader_bytes(body, (size_t)count * size);
}

static struct bytes read_chain(const struct pd_reading *r, struct reader *body)
{
    uint64_t count = word(r, body);
    struct bytes chain = {0};

    if (count > reader_left(body) / 8) {
        reader_fail(body, ERR_CORRUPT, "number of addresses");
        return chain;
    }
    chain.len = (size_t)count * 8;
    chain.data = reader_take(body, chain.len);
    return chain;
}

static struct bytes read_branches(const struct pd_reading *r,
                                  const struct pd_event *e, struct reader *body)
{
    enum { BRANCH = 24, HW_INDEX = 1 << 17, COUNTERS = 1 << 19 };
    uint64_t count = word(r, body);
    struct bytes branches;

    if (e->branch_type & HW_INDEX)
        word(r, body);
    if (count > reader_left(body) / BRANCH) {
        reader_fail(body, ERR_CORRUPT, "number of branches");
        return (struct bytes){0};
    }
    branches = reader_bytes(body, (size_t)count * BRANCH);
    if (e->branch_type & COUNTERS)
        reader_skip(body, (size_t)count * 8);
    return branches;
}

static void read_user_stack(const struct pd_reading *r,
                            const struct pd_event *e, struct reader *body,
                            struct pd_sample *s)
{
    unsigned registers = (unsigned)__builtin_popcountll(e->user_registers);
    uint64_t size, copied;

    if (e->sample_type & PD_REGS_USER) {
        s->registers_abi = word(r, body);
        if (s->registers_abi)
            s->registers = reader_bytes(body, (size_t)registers * 8);
    }
    if (!(e->sample_type & PD_STACK_USER))
        return;
    size = word(r, body);
    if (!size)
        return;
    if (size > reader_left(body)) {
        reader_fail(body, ERR_CORRUPT, "size of a stack");
        return;
    }
    s->stack = reader_bytes(body, (size_t)size);
    copied = word(r, body);
    if (copied < s->stack.len)
        s->stack.len = (size_t)copied;
}

bool pd_read_sample(const struct pd_reading *r, const struct pd_event *e,
                    struct reader *body, struct pd_sample *s)
{
    const uint8_t *fields = reader_take(body, e->layout.size);
    uint64_t type = e->sample_type;

    if (!fields)
        return false;
    if (r->swapped)
        read_fields(e, fields, true, s);
    else
        read_fields(e, fields, false, s);
    if (type & PD_READ)
        read_counters(r, body, e->read_format, s);
    if (type & PD_CALLCHAIN)
        s->chain = read_chain(r, body);
    if (type & PD_RAW)
        s->raw = reader_bytes(body, reader_u32_in(body, r->swapped));
    if (type & PD_BRANCH_STACK)
        s->branches = read_branches(r, e, body);
    if (type & (PD_REGS_USER | PD_STACK_USER))
        read_user_stack(r, e, body, s);
    return !body->failed;
}
