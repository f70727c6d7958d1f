/*
 * A sample: those of the following that its event's sample_type has.
 *
 *   BIT  SIZE  DESCRIPTION
 *   16   8     identifier of the counter
 *   0    8     instruction pointer
 *   1    4,4   pid, tid
 *   2    8     time
 *   3    8     address
 *   6    8     id of the counter
 *   9    8     stream
 *   7    4,4   CPU, unused
 *   8    8     period
 *   4    n     counters read: see skip_counters
 *   5    8,n   number of addresses, and that many, innermost first
 *   10   4,n   size, raw bytes
 *   11   8,n   number of branches; 8 more with HW_INDEX; 24 each: from, to,
 *              flags; 8 each with COUNTERS
 *   12   8,n   user registers: 0 none, 1 32 bit, 2 64 bit; 8 each of those
 *              in the event's mask
 *   13   8,n,8 user stack: size, bytes, how many of them were copied
 *
 * and more that is not needed. (format.md, section 5.2)
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
        {PD_IDENTIFIER, NULL}, {PD_IP, &l->ip},
        {PD_TID, &l->task},    {PD_TIME, &l->time},
        {PD_ADDR, NULL},       {PD_ID, &l->id},
        {PD_STREAM_ID, NULL},  {PD_CPU, &l->cpu},
        {PD_PERIOD, &l->period},
    };

    for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
        if (!(e->sample_type & fields[i].bit))
            continue;
        l->count++;
        if (fields[i].place)
            *fields[i].place = l->count;
    }
    if (e->sample_type & PD_IDENTIFIER)
        l->id = 1;
}

static inline uint64_t load_word(const struct pd_reading *r, const uint8_t *at)
{
    uint64_t value = load_u64(at);

    return r->swapped ? __builtin_bswap64(value) : value;
}

static inline uint32_t load_half(const struct pd_reading *r, const uint8_t *at)
{
    uint32_t value = load_u32(at);

    return r->swapped ? __builtin_bswap32(value) : value;
}

static inline uint64_t field(const struct pd_reading *r, const uint8_t *fields,
                      uint8_t place, uint64_t without)
{
    return place ? load_word(r, fields + (size_t)(place - 1) * WORD) : without;
}

uint64_t pd_sample_id(const struct pd_reading *r, struct bytes body)
{
    const struct pd_layout *l = &r->events.data[0].layout;

    return body.len < (size_t)l->id * WORD ? 0 : field(r, body.data, l->id, 0);
}

static void read_fields(const struct pd_reading *r, const struct pd_event *e,
                        const uint8_t *fields, struct pd_sample *s)
{
    const struct pd_layout *l = &e->layout;

    s->ip = field(r, fields, l->ip, 0);
    s->time = field(r, fields, l->time, 0);
    s->period = field(r, fields, l->period, e->period);
    if (l->task) {
        s->pid = load_half(r, fields + (size_t)(l->task - 1) * WORD);
        s->tid = load_half(r, fields + (size_t)(l->task - 1) * WORD + 4);
    }
    if (l->cpu)
        s->cpu = load_half(r, fields + (size_t)(l->cpu - 1) * WORD);
}

/* ---- what is of any length ---- */

static uint64_t word(const struct pd_reading *r, struct reader *body)
{
    return reader_u64_in(body, r->swapped);
}

/* Alone: value, and those of enabled, running, id and lost that there are. In
 * a group: number of counters, enabled, running, and of each value, id,
 * lost. */
static void skip_counters(const struct pd_reading *r, struct reader *body,
                          uint64_t format)
{
    enum { ENABLED = 1, RUNNING = 2, ID = 4, GROUP = 8, LOST = 16 };
    uint64_t times = !!(format & ENABLED) + (uint64_t)!!(format & RUNNING);
    uint64_t each = 1u + !!(format & ID) + (uint64_t)!!(format & LOST);
    uint64_t count = format & GROUP ? word(r, body) : 1;

    if (count > reader_left(body) / 8)
        reader_fail(body, ERR_CORRUPT, "number of counters");
    else
        reader_skip(body, (size_t)(times + each * count) * 8);
}

static struct bytes read_chain(const struct pd_reading *r, struct reader *body)
{
    uint64_t count = word(r, body);

    if (count > reader_left(body) / 8) {
        reader_fail(body, ERR_CORRUPT, "number of addresses");
        return (struct bytes){0};
    }
    return reader_bytes(body, (size_t)count * 8);
}

static struct bytes read_branches(const struct pd_reading *r,
                                  const struct pd_event *e,
                                  struct reader *body)
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
    const uint8_t *fields = reader_take(body, (size_t)e->layout.count * WORD);
    uint64_t type = e->sample_type;

    if (!fields)
        return false;
    read_fields(r, e, fields, s);
    if (type & PD_READ)
        skip_counters(r, body, e->read_format);
    if (type & PD_CALLCHAIN)
        s->chain = read_chain(r, body);
    if (type & PD_RAW)
        reader_skip(body, reader_u32_in(body, r->swapped));
    if (type & PD_BRANCH_STACK)
        s->branches = read_branches(r, e, body);
    if (type & (PD_REGS_USER | PD_STACK_USER))
        read_user_stack(r, e, body, s);
    return !body->failed;
}
