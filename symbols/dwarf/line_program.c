/*
 * The header (DWARF 5, section 6.2.4):
 *
 *   unit_length                u32, or FFFFFFFF and u64
 *   version                    u16
 *   address_size, seg_size     u8 each, version 5
 *   header_length              u32 or u64: from here to the program
 *   minimum_instruction_length u8
 *   maximum_operations         u8, from version 4
 *   default_is_stmt            u8
 *   line_base, line_range      i8, u8
 *   opcode_base                u8, then opcode_base - 1 operand counts
 *   tables of folders and files, which lines.c gets from libdwarf
 */
#include "symbols/dwarf/line_program.h"

#include <libdwarf/dwarf.h>
#include <stdlib.h>

struct sequence {
    uint64_t start;
    size_t first, count; /* rows */
};

struct program {
    struct reader r;
    struct line_header header;
    struct line_rows *rows;
    struct line_budget *budget;
    VEC(struct sequence) sequences;
    size_t first; /* row of the sequence that is being made */
    uint8_t min_length, line_range, opcode_base;
    int8_t line_base;
    const uint8_t *operands; /* how many each standard opcode has */
    uint64_t address;
    uint32_t line, file;
};

/* False when this is no program that can be run. */
static bool read_header(struct program *p)
{
    const uint8_t *start = p->r.base + p->r.pos;
    uint64_t length = reader_u32(&p->r);
    uint8_t wide = 4;
    uint16_t version;

    if (length == UINT32_MAX) {
        length = reader_u64(&p->r);
        wide = 8;
    }
    if (length > reader_left(&p->r))
        return false;
    p->r = reader_sub(&p->r, (size_t)length, "line table");
    version = reader_u16(&p->r);
    if (version == 5)
        reader_skip(&p->r, 2);
    length = reader_ptr(&p->r, wide);
    if (version < 2 || version > 5 || length > reader_left(&p->r))
        return false;
    length += p->r.pos;
    p->min_length = reader_u8(&p->r);
    /* Machines with several operations in an instruction are not read. */
    if (version >= 4 && reader_u8(&p->r) > 1)
        return false;
    reader_skip(&p->r, 1);
    p->line_base = (int8_t)reader_u8(&p->r);
    p->line_range = reader_u8(&p->r);
    p->opcode_base = reader_u8(&p->r);
    if (!p->line_range || !p->opcode_base)
        return false;
    p->operands = reader_take(&p->r, p->opcode_base - 1u);
    if (!p->operands || length < p->r.pos)
        return false;
    p->header = (struct line_header){
        .bytes = {start, (size_t)(p->r.base + length - start)},
        .tables = (size_t)(p->r.base + p->r.pos - start),
        .version = version,
        .wide = wide,
    };
    p->r.pos = (size_t)length;
    return true;
}

static void reset(struct program *p)
{
    p->address = 0;
    p->file = p->line = 1;
}

static void add_row(struct program *p, uint32_t file)
{
    struct line_row row = {p->address, p->line, file};
    struct line_row *last;

    if (!p->budget->rows)
        return;
    p->budget->rows--;
    last = p->rows->all.len > p->first
               ? &p->rows->all.data[p->rows->all.len - 1]
               : NULL;
    /* Of rows at one address the last counts; of equal ones the first. */
    if (last && last->address == row.address)
        *last = row;
    else if (!last || last->line != row.line || last->file != row.file)
        *vec_add(&p->rows->all) = row;
}

/* Dropped code begins at 0 or 1, or at the top. */
static bool is_dropped(uint64_t start)
{
    return start <= 1 || start >= UINT64_MAX - 1 || start == UINT32_MAX ||
           start == UINT32_MAX - 1;
}

static int compare_rows(const void *x, const void *y)
{
    const struct line_row *a = x, *b = y;

    return a->address < b->address ? -1 : a->address > b->address;
}

/* Rows of a sequence only go up, says the standard. */
static void sort_rows(struct line_row *rows, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (rows[i - 1].address > rows[i].address) {
            qsort(rows, n, sizeof(*rows), compare_rows);
            return;
        }
}

static void end_sequence(struct program *p)
{
    size_t n;
    struct line_row *rows;

    add_row(p, LINE_END);
    n = p->rows->all.len - p->first;
    rows = p->rows->all.data + p->first;
    if (n < 2 || is_dropped(rows[0].address)) {
        p->rows->all.len = p->first;
    } else {
        sort_rows(rows, n);
        *vec_add(&p->sequences) =
            (struct sequence){rows[0].address, p->first, n};
        p->first = p->rows->all.len;
    }
    reset(p);
}

static void advance(struct program *p, uint64_t n)
{
    p->address += n * p->min_length;
}

static void run_special(struct program *p, uint8_t opcode)
{
    unsigned n = (unsigned)opcode - p->opcode_base;

    advance(p, n / p->line_range);
    p->line += (uint32_t)(p->line_base + (int)(n % p->line_range));
    add_row(p, p->file);
}

static void run_extended(struct program *p)
{
    uint64_t n = reader_uleb(&p->r);
    struct reader r;
    uint8_t opcode;

    if (n > reader_left(&p->r)) {
        reader_fail(&p->r, ERR_TRUNCATED, "line opcode");
        return;
    }
    r = reader_sub(&p->r, (size_t)n, "line opcode");
    opcode = n ? reader_u8(&r) : 0;
    if (opcode == DW_LNE_end_sequence)
        end_sequence(p);
    else if (opcode == DW_LNE_set_address && (n == 9 || n == 5))
        p->address = reader_ptr(&r, (unsigned)n - 1);
}

static uint32_t reader_sleb32(struct reader *r)
{
    uint32_t value = 0;
    unsigned shift = 0;
    uint8_t byte;

    do {
        byte = reader_u8(r);
        if (shift < 32)
            value |= (uint32_t)(byte & 0x7F) << shift;
        shift += 7;
    } while (byte & 0x80);
    if (shift < 32 && byte & 0x40)
        value |= UINT32_MAX << shift;
    return value;
}

static void run_standard(struct program *p, uint8_t opcode)
{
    switch (opcode) {
    case DW_LNS_copy:
        add_row(p, p->file);
        break;
    case DW_LNS_advance_pc:
        advance(p, reader_uleb(&p->r));
        break;
    case DW_LNS_advance_line:
        p->line += reader_sleb32(&p->r);
        break;
    case DW_LNS_set_file:
        p->file = (uint32_t)reader_uleb(&p->r);
        break;
    case DW_LNS_const_add_pc:
        advance(p, (255u - p->opcode_base) / p->line_range);
        break;
    case DW_LNS_fixed_advance_pc:
        p->address += reader_u16(&p->r);
        break;
    default: /* flags, columns, and what the future brings */
        for (unsigned i = p->operands[opcode - 1]; i > 0; i--)
            (void)reader_uleb(&p->r);
        break;
    }
}

static void run(struct program *p)
{
    reset(p);
    while (reader_more(&p->r) && p->budget->rows) {
        uint8_t opcode = reader_u8(&p->r);

        if (opcode >= p->opcode_base)
            run_special(p, opcode);
        else if (opcode)
            run_standard(p, opcode);
        else
            run_extended(p);
    }
    /* A sequence without an end does not say where it ends. */
    p->rows->all.len = p->first;
}

static int compare_sequences(const void *x, const void *y)
{
    const struct sequence *a = x, *b = y;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

/* Appends a sequence; where the one before reaches into it, that is cut. */
static void append(struct line_rows *to, const struct line_row *rows, size_t n)
{
    while (to->all.len &&
           to->all.data[to->all.len - 1].address >= rows[0].address)
        to->all.len--;
    for (size_t i = 0; i < n; i++)
        *vec_add(&to->all) = rows[i];
}

static void sort_sequences(struct program *p)
{
    struct line_rows sorted = {0};

    if (p->sequences.len < 2)
        return;
    qsort(p->sequences.data, p->sequences.len, sizeof(struct sequence),
          compare_sequences);
    vec_reserve(&sorted.all, p->rows->all.len);
    for (size_t i = 0; i < p->sequences.len; i++) {
        const struct sequence *s = &p->sequences.data[i];

        append(&sorted, p->rows->all.data + s->first, s->count);
    }
    vec_release(&p->rows->all);
    *p->rows = sorted;
}

struct line_header line_program_read(struct line_rows *rows,
                                     struct bytes section, uint64_t offset,
                                     struct line_budget *budget)
{
    struct program p = {.rows = rows, .budget = budget};
    struct reader all =
        reader_of(".debug_line", section.data, section.len, 0, NULL);
    size_t n;

    p.r = reader_at(&all, offset, "line table");
    if (read_header(&p)) {
        n = p.header.bytes.len;
        if (n > budget->headers)
            budget->rows = 0;
        else
            budget->headers -= n;
        run(&p);
    }
    sort_sequences(&p);
    vec_release(&p.sequences);
    return p.header;
}
