/* The header and the opcodes of a program (format.md, section 5). */
#include "symbols/dwarf/line_program.h"

#include <libdwarf/dwarf.h>
#include <stdlib.h>

#include "engine/base/bisect.h"

/* Sequences without code that begin where another does. */
enum { MOST_EMPTY = 16 };

/* The registers of the machine that runs a program. */
struct machine {
    struct line_program *p;
    struct reader r;
    uint64_t address;
    uint32_t line, file;
    size_t first;          /* row of the sequence that is being made */
    struct budget *budget; /* rows */
};

static struct reader reader_in(const struct line_program *p, size_t at)
{
    struct reader r =
        reader_of(".debug_line", p->table.data, p->table.len, 0, NULL);

    r.pos = at;
    return r;
}

/* False when this is no program that can be run. */
static bool read_header(struct line_program *p, struct reader r)
{
    uint64_t length = reader_u32(&r);
    size_t head = 4;

    p->wide = 4;
    if (length == UINT32_MAX) {
        length = reader_u64(&r);
        p->wide = 8;
        head = 12;
    }
    if (r.failed || length > reader_left(&r))
        return false;
    p->table = (struct bytes){r.base + r.pos - head, (size_t)length + head};
    r = reader_in(p, head);
    p->version = reader_u16(&r);
    if (p->version == 5)
        reader_skip(&r, 2);
    length = reader_ptr(&r, p->wide);
    if (p->version < 2 || p->version > 5 || length > reader_left(&r))
        return false;
    p->start = r.pos + (size_t)length;
    p->min_length = reader_u8(&r);
    /* Machines with several operations in an instruction are not read. */
    if (p->version >= 4 && reader_u8(&r) > 1)
        return false;
    reader_skip(&r, 1);
    p->line_base = (int8_t)reader_u8(&r);
    p->line_range = reader_u8(&r);
    p->opcode_base = reader_u8(&r);
    if (!p->line_range || !p->opcode_base)
        return false;
    p->operands = reader_take(&r, p->opcode_base - 1u);
    p->tables = r.pos;
    return p->operands && p->start >= r.pos;
}

/* ---- running it ---- */

static void add_row(struct machine *m, uint32_t file)
{
    struct line_row row = {m->address, m->line, file};
    struct line_row *last = NULL;

    if (!budget_take(m->budget, 1))
        return;
    if (m->p->rows.len > m->first)
        last = &m->p->rows.data[m->p->rows.len - 1];
    /* The last of several rows at one address counts; of equal ones the first.
     */
    if (last && last->address == row.address)
        *last = row;
    else if (!last || last->line != row.line || last->file != row.file)
        *vec_add(&m->p->rows) = row;
}

static void advance(struct machine *m, uint64_t n)
{
    m->address += n * m->p->min_length;
}

/* The opcode; 0 if it is cut off. */
static uint8_t run_extended(struct machine *m)
{
    uint64_t n = reader_uleb(&m->r);
    struct reader r;
    uint8_t opcode;

    if (n > reader_left(&m->r)) {
        reader_fail(&m->r, ERR_TRUNCATED, "line opcode");
        return 0;
    }
    r = reader_sub(&m->r, (size_t)n, "line opcode");
    opcode = n ? reader_u8(&r) : 0;
    if (opcode == DW_LNE_set_address && (n == 9 || n == 5))
        m->address = reader_ptr(&r, (unsigned)n - 1);
    return opcode;
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

static void skip_operands(struct machine *m, uint8_t opcode)
{
    for (unsigned i = m->p->operands[opcode - 1]; i > 0; i--)
        (void)reader_uleb(&m->r);
}

/* One instruction; true if it makes a row. `ends`: it ended the sequence. */
static bool run_one(struct machine *m, bool *ends)
{
    uint8_t opcode = reader_u8(&m->r);

    if (opcode >= m->p->opcode_base) {
        unsigned n = (unsigned)opcode - m->p->opcode_base;

        advance(m, n / m->p->line_range);
        m->line += (uint32_t)(m->p->line_base + (int)(n % m->p->line_range));
        return true;
    }
    if (!opcode)
        *ends = run_extended(m) == DW_LNE_end_sequence;
    else {
        switch (opcode) {
        case DW_LNS_copy:
            break;
        case DW_LNS_advance_pc:
            advance(m, reader_uleb(&m->r));
            break;
        case DW_LNS_advance_line:
            m->line += reader_sleb32(&m->r);
            break;
        case DW_LNS_set_file:
            m->file = (uint32_t)reader_uleb(&m->r);
            break;
        case DW_LNS_const_add_pc:
            advance(m, (255u - m->p->opcode_base) / m->p->line_range);
            break;
        case DW_LNS_fixed_advance_pc:
            m->address += reader_u16(&m->r);
            break;
        default: /* flags, columns, and what the future brings */
            skip_operands(m, opcode);
            break;
        }
    }
    return opcode == DW_LNS_copy;
}

static struct machine machine_at(struct line_program *p, size_t at)
{
    return (struct machine){
        .p = p,
        .r = reader_in(p, at),
        .line = 1,
        .file = 1,
        .first = p->rows.len,
    };
}

/* ---- its sequences ---- */

/* Dropped code begins at 0 or 1, or at the top. */
static bool is_dropped(uint64_t start)
{
    return start <= 1 || start >= UINT64_MAX - 1 || start == UINT32_MAX ||
           start == UINT32_MAX - 1;
}

/* Instructions up to the end of the sequence, of which only the lengths
 * matter; false if there is no end: then it does not say where it ends. */
static bool pass_rest(struct machine *m)
{
    struct reader *r = &m->r;

    while (reader_more(r)) {
        uint8_t opcode = reader_u8(r);

        if (opcode >= m->p->opcode_base)
            continue;
        if (!opcode) {
            if (run_extended(m) == DW_LNE_end_sequence)
                return true;
        } else if (opcode == DW_LNS_fixed_advance_pc) {
            reader_skip(r, 2);
        } else if (opcode != DW_LNS_copy && opcode != DW_LNS_const_add_pc) {
            skip_operands(m, opcode);
        }
    }
    return false;
}

static bool find_sequence(struct machine *m)
{
    struct line_sequence s = {.at = m->r.pos};
    bool ends = false;

    while (reader_more(&m->r) && !ends) {
        if (!run_one(m, &ends))
            continue;
        s.start = m->address;
        if (!pass_rest(m))
            return false;
        if (!is_dropped(s.start))
            *vec_add(&m->p->sequences) = s;
        return true;
    }
    return ends; /* before it had a row */
}

static int compare_sequences(const void *x, const void *y)
{
    const struct line_sequence *a = x, *b = y;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

bool line_program_open(struct line_program *p, struct bytes section,
                       uint64_t offset, struct line_budget *budget)
{
    struct reader all =
        reader_of(".debug_line", section.data, section.len, 0, NULL);
    struct machine m;

    *p = (struct line_program){.table = {0}};
    if (!read_header(p, reader_at(&all, offset, "line table")))
        return false;
    if (!budget_take(&budget->bytes, p->table.len))
        return false;
    m = machine_at(p, p->start);
    while (reader_more(&m.r) && find_sequence(&m))
        m = machine_at(p, m.r.pos);
    if (p->sequences.len)
        qsort(p->sequences.data, p->sequences.len, sizeof(struct line_sequence),
              compare_sequences);
    return true;
}

void line_program_close(struct line_program *p)
{
    vec_release(&p->sequences);
    vec_release(&p->rows);
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

static const struct line_row *row_of(const struct line_program *p,
                                     const struct line_sequence *s,
                                     uint64_t address)
{
    const struct line_row *rows = p->rows.data + s->first;
    size_t i;

    BISECT(i, s->count, rows[i].address <= address);
    return i && rows[i - 1].file != LINE_END ? &rows[i - 1] : NULL;
}

/* The sequence that begins last up to the address has it, or none has; those
 * with nothing between their first row and their end do not count. */
const struct line_row *line_program_find(struct line_program *p,
                                         uint64_t address,
                                         struct line_budget *budget)
{
    size_t i;

    BISECT(i, p->sequences.len, p->sequences.data[i].start <= address);
    for (unsigned n = 0; i-- > 0 && n < MOST_EMPTY; n++) {
        struct line_sequence *s = &p->sequences.data[i];

        if (!s->made) {
            struct machine m = machine_at(p, s->at);
            bool ends = false;

            m.budget = &budget->rows;
            while (reader_more(&m.r) && !ends && !budget->rows.cut)
                if (run_one(&m, &ends))
                    add_row(&m, m.file);
            if (ends)
                add_row(&m, LINE_END);
            s->made = true;
            s->first = m.first;
            s->count =
                ends && !budget->rows.cut ? p->rows.len - m.first : 0;
            if (s->count)
                sort_rows(&p->rows.data[s->first], s->count);
        }
        if (s->count >= 2)
            return row_of(p, s, address);
    }
    return NULL;
}
