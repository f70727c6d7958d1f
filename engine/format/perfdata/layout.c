/*
 * The fields of a sample. The sample_type of its event says which it has.
 * (format.md, section 5.2)
 */
#include "engine/format/perfdata/perfdata.h"

enum { WORD = 8 };

uint64_t pd_sample_id(const struct pd_reading *r, struct bytes body)
{
    uint64_t type = r->events.data[0].sample_type;
    unsigned before = (unsigned)__builtin_popcountll(
        type & (PD_IP | PD_TID | PD_TIME | PD_ADDR));
    struct reader id = {.base = body.data, .len = body.len};

    if (!(type & PD_IDENTIFIER))
        reader_skip(&id, (size_t)before * WORD);
    return type & (PD_IDENTIFIER | PD_ID) ? reader_u64_in(&id, r->swapped) : 0;
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
    uint64_t type = e->sample_type;

    s->period = e->period;
    s->cpu = UINT32_MAX;
    if (type & PD_IDENTIFIER)
        reader_skip(body, WORD);
    if (type & PD_IP)
        s->ip = word(r, body);
    if (type & PD_TID) {
        s->pid = reader_u32_in(body, r->swapped);
        s->tid = reader_u32_in(body, r->swapped);
    }
    if (type & PD_TIME)
        s->time = word(r, body);
    if (type & PD_ADDR)
        reader_skip(body, WORD);
    if (type & PD_ID)
        reader_skip(body, WORD);
    if (type & PD_STREAM_ID)
        reader_skip(body, WORD);
    if (type & PD_CPU) {
        s->cpu = reader_u32_in(body, r->swapped);
        reader_skip(body, WORD / 2);
    }
    if (type & PD_PERIOD)
        s->period = word(r, body);
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
