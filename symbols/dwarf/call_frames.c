/*
 * Entries of the section, each u32 length (or FFFFFFFF and u64 length), id:
 *
 *   CIE, what functions have in common: id 0 (in .debug_frame FFFFFFFF),
 *     u8 version, augmentation (NUL), in version 4 u8 address size and u8
 *     segment size, uleb code factor, sleb data factor, return register (u8
 *     in version 1, else uleb), with 'z' uleb size of augmentation data,
 *     instructions
 *   FDE, a function: id the distance back to its CIE (in .debug_frame the
 *     CIE's offset), start, size, with 'z' uleb size of augmentation data,
 *     instructions
 *
 * Augmentation data of a CIE, by letter: R u8 encoding of addresses, P u8
 * encoding and a pointer, L u8, S a signal's frame, B keys of arm64.
 */
#include "symbols/dwarf/call_frames.h"

#include <stdlib.h>

#include "engine/base/bisect.h"
#include "engine/base/vec.h"

/*
 * Addresses as call frame information encodes them.
 *
 * Each has a form of its own, and may count from its own place; one that counts
 * from elsewhere fails the reader.
 */

/* The low four bits are the form, the others the base it counts from. */
enum {
    POINTER_ULEB = 0x01,
    POINTER_U16 = 0x02,
    POINTER_U32 = 0x03,
    POINTER_U64 = 0x04,
    POINTER_SLEB = 0x09,
    POINTER_S16 = 0x0A,
    POINTER_S32 = 0x0B,
    POINTER_S64 = 0x0C,
    POINTER_HERE = 0x10, /* its own place */
    POINTER_BASE = 0x70,
};

uint64_t frame_pointer_read(const struct frame_pointers *p, struct reader *r,
                            uint8_t encoding)
{
    uint64_t here = p->address + r->offset + r->pos, value = 0;

    switch (encoding & POINTER_FORM) {
    case POINTER_ABSOLUTE:
        value = reader_ptr(r, p->wide ? 8 : 4);
        break;
    case POINTER_ULEB:
        value = reader_uleb(r);
        break;
    case POINTER_U16:
        value = reader_u16(r);
        break;
    case POINTER_U32:
        value = reader_u32(r);
        break;
    case POINTER_U64:
    case POINTER_S64:
        value = reader_u64(r);
        break;
    case POINTER_SLEB:
        value = (uint64_t)reader_sleb(r);
        break;
    case POINTER_S16:
        value = (uint64_t)(int16_t)reader_u16(r);
        break;
    case POINTER_S32:
        value = (uint64_t)(int32_t)reader_u32(r);
        break;
    default:
        reader_fail(r, ERR_UNSUPPORTED, "encoding of a pointer");
    }
    if ((encoding & POINTER_BASE) == POINTER_HERE)
        value += here;
    else if (encoding & POINTER_BASE)
        reader_fail(r, ERR_UNSUPPORTED, "base of a pointer");
    return value;
}

/*
 * Runs the instructions that say where registers were saved.
 *
 * DWARF 5, section 6.4.2, and what GNU added.
 */

enum {
    STATES = 16,
    ROW_WORK = 32, /* that copying a row is, in instructions */
};

struct machine {
    const struct frame_program *program;
    struct frame_row *row;
    struct frame_row initial; /* what the CIE says */
    struct frame_row saved[STATES];
    unsigned depth;
    uint64_t at; /* the row holds from here on */
    struct budget *budget;
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

static int64_t factored(const struct machine *m, uint64_t n)
{
    return (int64_t)(n * (uint64_t)m->program->data_factor);
}

static void advance(struct machine *m, uint64_t n)
{
    m->at += n * m->program->code_factor;
}

/* Runs an instruction that has its operand in its low six bits. */
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

/* Runs an instruction that says where the frame is. */
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

/* Runs an instruction that says where a register is. */
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
        if (!m->depth)
            reader_fail(r, ERR_CORRUPT, "states");
        else
            *m->row = m->saved[--m->depth];
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

    while (reader_more(&r) && m->at <= address) {
        uint8_t op = r.base[r.pos];
        bool copies = op == DW_CFA_remember_state || op == DW_CFA_restore_state;

        if (!budget_take(m->budget, copies ? ROW_WORK : 1))
            return false;
        run_one(m, &r);
    }
    return !r.failed;
}

bool frame_program_run(const struct frame_program *program, uint64_t start,
                       struct bytes instructions, uint64_t address,
                       struct budget *budget, struct frame_row *row)
{
    struct machine m = {.program = program, .row = row, .budget = budget};

    *row = (struct frame_row){.return_register = program->return_register,
                              .signal = program->signal};
    if (!run(&m, program->first, UINT64_MAX))
        return false;
    m.initial = *row;
    m.at = start;
    return run(&m, instructions, address);
}

/* Rules that functions have in common (CIE). */
struct common {
    size_t offset;
    struct frame_program program;
    bool has_data;
};

struct function_frames {
    uint64_t start, end;
    uint32_t common;
    struct bytes instructions;
};

struct call_frames {
    struct call_frames_section section;
    struct frame_pointers pointers;
    VEC(struct common) commons;            /* in order of offset */
    VEC(struct function_frames) functions; /* by start */
    struct budget budget;
};

static void read_augmentation(const struct call_frames *f, struct common *c,
                              struct bytes letters, struct reader *data)
{
    for (size_t i = 1; i < letters.len; i++) {
        switch (letters.data[i]) {
        case 'R':
            c->program.encoding = reader_u8(data);
            break;
        case 'P':
            (void)frame_pointer_read(&f->pointers, data, reader_u8(data));
            break;
        case 'L':
            reader_skip(data, 1);
            break;
        case 'S':
            c->program.signal = true;
            break;
        }
    }
}

static void add_common(struct call_frames *f, size_t offset,
                       struct reader *body)
{
    struct common c = {.offset = offset};
    struct frame_program *p = &c.program;
    uint8_t version = reader_u8(body);
    struct bytes letters = reader_cstr(body);

    *p = (struct frame_program){.section = f->section.bytes,
                                .pointers = f->pointers};
    if (version == 4)
        reader_skip(body, 2);
    p->code_factor = reader_uleb(body);
    p->data_factor = reader_sleb(body);
    p->return_register =
        version == 1 ? reader_u8(body) : (uint8_t)reader_uleb(body);
    if (letters.len && *letters.data == 'z') {
        struct reader data =
            reader_sub(body, (size_t)reader_uleb(body), "augmentation");

        c.has_data = true;
        read_augmentation(f, &c, letters, &data);
    } else if (letters.len) {
        return; /* its size is not known */
    }
    p->first = reader_bytes(body, reader_left(body));
    if (!body->failed && p->return_register < FRAME_REGISTERS)
        *vec_add(&f->commons) = c;
}

static uint32_t common_at(const struct call_frames *f, uint64_t offset)
{
    size_t i;

    BISECT(i, f->commons.len, f->commons.data[i].offset < offset);
    return i < f->commons.len && f->commons.data[i].offset == offset
               ? (uint32_t)i
               : NO_ID;
}

static void add_function(struct call_frames *f, uint64_t common,
                         struct reader *body)
{
    struct function_frames function = {.common = common_at(f, common)};
    const struct common *c;
    uint8_t encoding;

    if (function.common == NO_ID)
        return;
    c = &f->commons.data[function.common];
    encoding = c->program.encoding;
    function.start = frame_pointer_read(&f->pointers, body, encoding);
    function.end = function.start + frame_pointer_read(&f->pointers, body,
                                                       encoding & POINTER_FORM);
    if (c->has_data)
        reader_skip(body, (size_t)reader_uleb(body));
    function.instructions = reader_bytes(body, reader_left(body));
    if (!body->failed && function.start < function.end)
        *vec_add(&f->functions) = function;
}

/* False at the end of the section. */
static bool read_entry(struct call_frames *f, struct reader *r)
{
    size_t offset = r->pos, id_at;
    uint64_t length = reader_u32(r), id, none;
    bool is_long = length == UINT32_MAX;
    struct reader body;

    if (is_long)
        length = reader_u64(r);
    if (r->failed || !length || length > reader_left(r))
        return !r->failed && !length && f->section.is_debug;
    id_at = r->pos;
    body = reader_sub(r, (size_t)length, "entry");
    body.offset = id_at;
    body.err = NULL;
    none = !f->section.is_debug ? 0 : is_long ? UINT64_MAX : UINT32_MAX;
    id = is_long && f->section.is_debug ? reader_u64(&body) : reader_u32(&body);
    if (id == none)
        add_common(f, offset, &body);
    else
        add_function(f, f->section.is_debug ? id : id_at - id, &body);
    return true;
}

static int compare_functions(const void *a, const void *b)
{
    const struct function_frames *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

struct call_frames *call_frames_open(const struct call_frames_section *s)
{
    enum { WORK_FREE = 32 << 20 };
    struct call_frames *f = mem_new(1, sizeof(*f));
    struct reader r =
        reader_of("call frames", s->bytes.data, s->bytes.len, 0, NULL);

    f->section = *s;
    f->budget = budget_of(s->bytes.len, 2, WORK_FREE);
    f->pointers = (struct frame_pointers){s->address, s->wide};
    while (reader_more(&r) && read_entry(f, &r))
        continue;
    if (f->functions.len)
        qsort(f->functions.data, f->functions.len, sizeof(*f->functions.data),
              compare_functions);
    return f;
}

void call_frames_close(struct call_frames *f)
{
    if (!f)
        return;
    vec_release(&f->commons);
    vec_release(&f->functions);
    free(f);
}

bool call_frames_are_cut(const struct call_frames *f)
{
    return f->budget.cut;
}

bool call_frames_find(struct call_frames *f, uint64_t address,
                      struct frame_row *row)
{
    enum { USUAL = 256 }; /* compilers make programs that are no longer */
    const struct function_frames *function;
    size_t i;

    BISECT(i, f->functions.len, f->functions.data[i].start <= address);
    if (!i || address >= f->functions.data[i - 1].end)
        return false;
    function = &f->functions.data[i - 1];
    budget_question(&f->budget, USUAL);
    return frame_program_run(&f->commons.data[function->common].program,
                             function->start, function->instructions, address,
                             &f->budget, row);
}
