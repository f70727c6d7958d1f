#include "engine/format/perfdata/expression.h"

#include <libdwarf/dwarf.h>

enum { DEEPEST = 64 };

struct evaluation {
    const struct frame_state *state;
    struct reader r;
    uint64_t stack[DEEPEST];
    unsigned depth;
};

bool frame_memory(const struct frame_state *s, uint64_t address,
                  uint64_t *value)
{
    uint64_t at = address - s->memory_at;

    if (s->memory.len < 8 || at > s->memory.len - 8)
        return false;
    *value = load_u64(s->memory.data + at);
    return true;
}

/* Operations return true, as they are known; what fails shows in the reader. */
static bool push_value(struct evaluation *e, uint64_t value)
{
    if (e->depth == DEEPEST)
        reader_fail(&e->r, ERR_LIMIT, "stack");
    else
        e->stack[e->depth++] = value;
    return true;
}

static bool fail_expression(struct evaluation *e, enum err_code code,
                            const char *what)
{
    reader_fail(&e->r, code, what);
    return true;
}

static uint64_t pop_value(struct evaluation *e)
{
    if (e->depth)
        return e->stack[--e->depth];
    reader_fail(&e->r, ERR_CORRUPT, "stack");
    return 0;
}

static bool push_again(struct evaluation *e, unsigned index)
{
    return index < e->depth ? push_value(e, e->stack[e->depth - 1 - index])
                            : fail_expression(e, ERR_CORRUPT, "stack");
}

static bool push_register(struct evaluation *e, uint64_t reg)
{
    uint64_t offset = (uint64_t)reader_sleb(&e->r);

    return reg < FRAME_REGISTERS && (e->state->known >> reg & 1)
               ? push_value(e, e->state->registers[reg] + offset)
               : fail_expression(e, ERR_CORRUPT, "register");
}

static bool push_memory(struct evaluation *e, unsigned size)
{
    uint64_t value = 0;

    if (!size || size > 8 || !frame_memory(e->state, pop_value(e), &value))
        reader_fail(&e->r, ERR_TRUNCATED, "memory");
    else if (size < 8)
        value &= ((uint64_t)1 << 8 * size) - 1;
    return push_value(e, value);
}

static bool push_constant(struct evaluation *e, uint8_t op)
{
    struct reader *r = &e->r;

    if (op >= DW_OP_lit0 && op <= DW_OP_lit31)
        return push_value(e, op - (uint64_t)DW_OP_lit0);
    switch (op) {
    case DW_OP_addr:
    case DW_OP_const8u:
    case DW_OP_const8s:
        return push_value(e, reader_u64(r));
    case DW_OP_const1u:
        return push_value(e, reader_u8(r));
    case DW_OP_const1s:
        return push_value(e, (uint64_t)(int8_t)reader_u8(r));
    case DW_OP_const2u:
        return push_value(e, reader_u16(r));
    case DW_OP_const2s:
        return push_value(e, (uint64_t)(int16_t)reader_u16(r));
    case DW_OP_const4u:
        return push_value(e, reader_u32(r));
    case DW_OP_const4s:
        return push_value(e, (uint64_t)(int32_t)reader_u32(r));
    case DW_OP_constu:
        return push_value(e, reader_uleb(r));
    case DW_OP_consts:
        return push_value(e, (uint64_t)reader_sleb(r));
    }
    return false;
}

static bool arrange(struct evaluation *e, uint8_t op)
{
    uint64_t a, b, c;

    switch (op) {
    case DW_OP_dup:
        return push_again(e, 0);
    case DW_OP_drop:
        pop_value(e);
        return true;
    case DW_OP_over:
        return push_again(e, 1);
    case DW_OP_pick:
        return push_again(e, reader_u8(&e->r));
    case DW_OP_swap:
        a = pop_value(e), b = pop_value(e);
        push_value(e, a);
        return push_value(e, b);
    case DW_OP_rot:
        a = pop_value(e), b = pop_value(e), c = pop_value(e);
        push_value(e, a);
        push_value(e, c);
        return push_value(e, b);
    }
    return false;
}

static uint64_t shift_right_signed(uint64_t value, uint64_t by)
{
    uint64_t sign = value >> 63 ? ~(uint64_t)0 : 0;

    if (by > 63)
        return sign;
    return by ? value >> by | sign << (64 - by) : value;
}

/* Operations on two numbers. */
static bool combine(struct evaluation *e, uint8_t op)
{
    uint64_t b = pop_value(e), a = pop_value(e);
    int64_t x = (int64_t)a, y = (int64_t)b;

    switch (op) {
    case DW_OP_and:
        return push_value(e, a & b);
    case DW_OP_minus:
        return push_value(e, a - b);
    case DW_OP_mul:
        return push_value(e, a * b);
    case DW_OP_or:
        return push_value(e, a | b);
    case DW_OP_plus:
        return push_value(e, a + b);
    case DW_OP_shl:
        return push_value(e, b < 64 ? a << b : 0);
    case DW_OP_shr:
        return push_value(e, b < 64 ? a >> b : 0);
    case DW_OP_shra:
        return push_value(e, shift_right_signed(a, b));
    case DW_OP_xor:
        return push_value(e, a ^ b);
    case DW_OP_eq:
        return push_value(e, x == y);
    case DW_OP_ge:
        return push_value(e, x >= y);
    case DW_OP_gt:
        return push_value(e, x > y);
    case DW_OP_le:
        return push_value(e, x <= y);
    case DW_OP_lt:
        return push_value(e, x < y);
    case DW_OP_ne:
        return push_value(e, x != y);
    }
    return false;
}

static bool jump_expression(struct evaluation *e, bool taken)
{
    int16_t by = (int16_t)reader_u16(&e->r);
    int64_t to = (int64_t)e->r.pos + by;

    if (!taken)
        return true;
    if (to < 0 || (uint64_t)to > e->r.len)
        return fail_expression(e, ERR_CORRUPT, "jump");
    e->r.pos = (size_t)to;
    return true;
}

static bool run_one(struct evaluation *e, uint8_t op)
{
    uint64_t a;

    if (push_constant(e, op) || arrange(e, op))
        return true;
    if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
        return push_register(e, op - (uint64_t)DW_OP_breg0);
    switch (op) {
    case DW_OP_nop:
        return true;
    case DW_OP_bregx:
        return push_register(e, reader_uleb(&e->r));
    case DW_OP_deref:
        return push_memory(e, 8);
    case DW_OP_deref_size:
        return push_memory(e, reader_u8(&e->r));
    case DW_OP_plus_uconst:
        a = pop_value(e);
        return push_value(e, a + reader_uleb(&e->r));
    case DW_OP_abs:
        a = pop_value(e);
        return push_value(e, a >> 63 ? -a : a);
    case DW_OP_neg:
        return push_value(e, -pop_value(e));
    case DW_OP_not:
        return push_value(e, ~pop_value(e));
    case DW_OP_bra:
        a = pop_value(e);
        return jump_expression(e, a != 0);
    case DW_OP_skip:
        return jump_expression(e, true);
    }
    return combine(e, op);
}

bool frame_expression(const struct frame_state *state,
                      const struct frame_rule *rule, const uint64_t *first,
                      unsigned *steps, uint64_t *value)
{
    struct evaluation e = {
        .state = state,
        .r = reader_of("expression", rule->expression, rule->size, 0, NULL),
    };

    if (first)
        push_value(&e, *first);
    while (reader_more(&e.r)) {
        if (!*steps || !run_one(&e, reader_u8(&e.r)))
            return false;
        --*steps;
    }
    *value = pop_value(&e);
    return !e.r.failed;
}
