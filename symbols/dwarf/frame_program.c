#include "symbols/dwarf/frame_program.h"

enum { STATES = 16 };

struct machine {
    const struct frame_program *program;
    struct frame_row *row;
    struct frame_row initial; /* what the CIE says */
    struct frame_row saved[STATES];
    unsigned depth;
    uint64_t at; /* the row holds from here on */
};

static void set_rule(struct machine *m, uint64_t reg, uint8_t kind,
                     int64_t offset)
{
    if (reg < FRAME_REGISTERS)
        m->row->rules[reg] =
            (struct frame_rule){.kind = kind, .offset = offset};
}

static void set_expression(struct machine *m, struct reader *r, uint64_t reg,
                           uint8_t kind)
{
    struct bytes e = reader_bytes(r, (size_t)reader_uleb(r));

    if (reg < FRAME_REGISTERS && !r->failed)
        m->row->rules[reg] = (struct frame_rule){
            .kind = kind, .size = (uint32_t)e.len, .expression = e.data};
}

static void set_frame(struct machine *m, uint64_t base, int64_t offset)
{
    m->row->base = base < FRAME_REGISTERS ? (uint8_t)base : 0;
    m->row->frame =
        (struct frame_rule){.kind = RULE_REGISTER, .offset = offset};
}

static void restore(struct machine *m, uint64_t reg)
{
    if (reg < FRAME_REGISTERS)
        m->row->rules[reg] = m->initial.rules[reg];
}

static void restore_state(struct machine *m, struct reader *r)
{
    if (!m->depth)
        reader_fail(r, ERR_CORRUPT, "states");
    else
        *m->row = m->saved[--m->depth];
}

static int64_t factored(const struct machine *m, uint64_t n)
{
    return (int64_t)(n * (uint64_t)m->program->data_factor);
}

static void advance(struct machine *m, uint64_t n)
{
    m->at += n * m->program->code_factor;
}

/* Those whose number has the operand in its low six bits. */
static bool run_short(struct machine *m, struct reader *r, uint8_t op)
{
    enum { ADVANCE = 0x40, OFFSET = 0x80, RESTORE = 0xC0 };
    uint8_t low = op & 0x3F;

    switch (op & 0xC0) {
    case ADVANCE:
        advance(m, low);
        return true;
    case OFFSET:
        set_rule(m, low, RULE_SAVED, factored(m, reader_uleb(r)));
        return true;
    case RESTORE:
        restore(m, low);
        return true;
    }
    return false;
}

enum instruction {
    DW_CFA_nop = 0x00,
    DW_CFA_set_loc = 0x01,
    DW_CFA_advance_loc1 = 0x02,
    DW_CFA_advance_loc2 = 0x03,
    DW_CFA_advance_loc4 = 0x04,
    DW_CFA_offset_extended = 0x05,
    DW_CFA_restore_extended = 0x06,
    DW_CFA_undefined = 0x07,
    DW_CFA_same_value = 0x08,
    DW_CFA_register = 0x09,
    DW_CFA_remember_state = 0x0A,
    DW_CFA_restore_state = 0x0B,
    DW_CFA_def_cfa = 0x0C,
    DW_CFA_def_cfa_register = 0x0D,
    DW_CFA_def_cfa_offset = 0x0E,
    DW_CFA_def_cfa_expression = 0x0F,
    DW_CFA_expression = 0x10,
    DW_CFA_offset_extended_sf = 0x11,
    DW_CFA_def_cfa_sf = 0x12,
    DW_CFA_def_cfa_offset_sf = 0x13,
    DW_CFA_val_offset = 0x14,
    DW_CFA_val_offset_sf = 0x15,
    DW_CFA_val_expression = 0x16,
    DW_CFA_AARCH64_negate_ra_state_with_pc = 0x2C, /* as the next */
    DW_CFA_GNU_window_save = 0x2D, /* of arm64: return addresses are signed */
    DW_CFA_GNU_args_size = 0x2E,
    DW_CFA_GNU_negative_offset_extended = 0x2F,
};

/* Those that say where the frame is. */
static bool run_frame(struct machine *m, struct reader *r, uint8_t op)
{
    uint64_t reg;
    struct bytes e;

    switch (op) {
    case DW_CFA_def_cfa:
        reg = reader_uleb(r);
        set_frame(m, reg, (int64_t)reader_uleb(r));
        return true;
    case DW_CFA_def_cfa_sf:
        reg = reader_uleb(r);
        set_frame(m, reg, factored(m, (uint64_t)reader_sleb(r)));
        return true;
    case DW_CFA_def_cfa_register:
        set_frame(m, reader_uleb(r), m->row->frame.offset);
        return true;
    case DW_CFA_def_cfa_offset:
        set_frame(m, m->row->base, (int64_t)reader_uleb(r));
        return true;
    case DW_CFA_def_cfa_offset_sf:
        set_frame(m, m->row->base, factored(m, (uint64_t)reader_sleb(r)));
        return true;
    case DW_CFA_def_cfa_expression:
        e = reader_bytes(r, (size_t)reader_uleb(r));
        m->row->frame = (struct frame_rule){.kind = RULE_EXPRESSION,
                                            .size = (uint32_t)e.len,
                                            .expression = e.data};
        return true;
    }
    return false;
}

/* Those that say where a register is. */
static bool run_register(struct machine *m, struct reader *r, uint8_t op)
{
    bool bare = op == DW_CFA_GNU_window_save ||
                op == DW_CFA_AARCH64_negate_ra_state_with_pc;
    uint64_t reg = bare ? 0 : reader_uleb(r);

    switch (op) {
    case DW_CFA_offset_extended:
        set_rule(m, reg, RULE_SAVED, factored(m, reader_uleb(r)));
        return true;
    case DW_CFA_offset_extended_sf:
        set_rule(m, reg, RULE_SAVED, factored(m, (uint64_t)reader_sleb(r)));
        return true;
    case DW_CFA_GNU_negative_offset_extended:
        set_rule(m, reg, RULE_SAVED, factored(m, -reader_uleb(r)));
        return true;
    case DW_CFA_val_offset:
        set_rule(m, reg, RULE_OFFSET, factored(m, reader_uleb(r)));
        return true;
    case DW_CFA_val_offset_sf:
        set_rule(m, reg, RULE_OFFSET, factored(m, (uint64_t)reader_sleb(r)));
        return true;
    case DW_CFA_restore_extended:
        restore(m, reg);
        return true;
    case DW_CFA_undefined:
        set_rule(m, reg, RULE_UNDEFINED, 0);
        return true;
    case DW_CFA_same_value:
        set_rule(m, reg, RULE_SAME, 0);
        return true;
    case DW_CFA_register:
        set_rule(m, reg, RULE_REGISTER, (int64_t)reader_uleb(r));
        return true;
    case DW_CFA_expression:
        set_expression(m, r, reg, RULE_SAVED_EXPRESSION);
        return true;
    case DW_CFA_val_expression:
        set_expression(m, r, reg, RULE_EXPRESSION);
        return true;
    case DW_CFA_AARCH64_negate_ra_state_with_pc:
    case DW_CFA_GNU_args_size:
    case DW_CFA_GNU_window_save:
        return true;
    }
    return false;
}

static void run_one(struct machine *m, struct reader *r)
{
    uint8_t op = reader_u8(r);

    if (run_short(m, r, op) || run_frame(m, r, op))
        return;
    switch (op) {
    case DW_CFA_nop:
        return;
    case DW_CFA_set_loc:
        m->at =
            frame_pointer_read(&m->program->pointers, r, m->program->encoding);
        return;
    case DW_CFA_advance_loc1:
        advance(m, reader_u8(r));
        return;
    case DW_CFA_advance_loc2:
        advance(m, reader_u16(r));
        return;
    case DW_CFA_advance_loc4:
        advance(m, reader_u32(r));
        return;
    case DW_CFA_remember_state:
        if (m->depth == STATES)
            reader_fail(r, ERR_LIMIT, "states");
        else
            m->saved[m->depth++] = *m->row;
        return;
    case DW_CFA_restore_state:
        restore_state(m, r);
        return;
    }
    if (!run_register(m, r, op))
        reader_fail(r, ERR_UNSUPPORTED, "call frame instruction");
}

/* Up to the row of `address`. False when something is not understood. */
static bool run(struct machine *m, struct bytes instructions, uint64_t address)
{
    struct reader r = reader_of(
        "call frames", instructions.data, instructions.len,
        (uint64_t)(instructions.data - m->program->section.data), NULL);

    while (reader_more(&r) && m->at <= address)
        run_one(m, &r);
    return !r.failed;
}

bool frame_program_run(const struct frame_program *program, uint64_t start,
                       struct bytes instructions, uint64_t address,
                       struct frame_row *row)
{
    struct machine m = {.program = program, .row = row};

    *row = (struct frame_row){.return_register = program->return_register,
                              .signal = program->signal};
    if (!run(&m, program->first, UINT64_MAX))
        return false;
    m.initial = *row;
    m.at = start;
    return run(&m, instructions, address);
}
