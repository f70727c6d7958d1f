/*
 * Binary annotations: the line rows of an inline site, as opcodes and
 * operands, all compressed unsigned numbers:
 *
 *   0xxxxxxx                            7 bits
 *   10xxxxxx xxxxxxxx                  14 bits
 *   110xxxxx xxxxxxxx xxxxxxxx xxxxxxxx 29 bits
 *
 * A signed operand has its sign in bit 0. Offsets count from the start of
 * the procedure, whatever the nesting; file and line begin as the inlinee's.
 *
 *    1 CodeOffset u                    offset = u
 *    2 ChangeCodeOffsetBase u          the following is in a segment apart
 *    3 ChangeCodeOffset d              offset += d; row
 *    4 ChangeCodeLength n              ends the open row at offset += n
 *    5 ChangeFile f                    file = f
 *    6 ChangeLineOffset s              line += s
 *    7 to 10, 13                       end of line, kind, columns: not used
 *   11 ChangeCodeOffsetAndLineOffset v line += s of v >> 4; offset += v &
 *                                      15; row
 *   12 ChangeCodeLengthAndCodeOffset n d   offset += d; row of length n, by
 *                                      which offset does not move
 *
 * A row ends where the next begins. Two habits of clang: opcode 4 without an
 * open row stands for one that begins here; opcode 6 right before 4 or 11
 * belongs to the open row when that began here.
 */
#include "symbols/pdb/module.h"

enum opcode {
    END,
    CODE_OFFSET,
    CODE_OFFSET_BASE,
    CHANGE_CODE_OFFSET,
    CHANGE_CODE_LENGTH,
    CHANGE_FILE,
    CHANGE_LINE_OFFSET,
    LINE_END_DELTA,
    RANGE_KIND,
    COLUMN_START,
    COLUMN_END_DELTA,
    CODE_OFFSET_AND_LINE_OFFSET,
    CODE_LENGTH_AND_CODE_OFFSET,
    COLUMN_END,
    OPCODES
};

struct state {
    struct sites *sites;
    struct site *site;
    uint32_t size; /* of the procedure */
    uint32_t offset, base, file, line;
    bool open;    /* the last row has no end yet */
    bool pending; /* opcode 6 came since the last row */
};

/* As an addend: unsigned arithmetic wraps as it should. */
static uint32_t read_signed(uint32_t value)
{
    return value & 1 ? 0u - (value >> 1) : value >> 1;
}

static struct site_row *last_row(struct state *s)
{
    return &s->sites->rows.data[s->sites->rows.len - 1];
}

static void close_row(struct state *s, uint32_t end)
{
    if (s->open)
        last_row(s)->end = end;
    s->open = false;
}

static void add_row(struct state *s, uint32_t start, uint32_t end)
{
    if (s->base)
        return; /* not at this place of the procedure */
    *vec_add(&s->sites->rows) = (struct site_row){start, end, s->file,
                                                  s->line};
    s->site->rows++;
}

static void open_row(struct state *s)
{
    close_row(s, s->offset);
    s->pending = false;
    if (s->base)
        return;
    add_row(s, s->offset, s->offset);
    s->open = true;
}

static void settle_line(struct state *s)
{
    if (s->pending && s->open && last_row(s)->start == s->offset)
        last_row(s)->line = s->line;
    s->pending = false;
}

static void end_row(struct state *s, uint32_t length)
{
    settle_line(s);
    if (!s->open)
        add_row(s, s->offset, s->offset + length);
    s->offset += length;
    close_row(s, s->offset);
}

static void sized_row(struct state *s, uint32_t length, uint32_t delta)
{
    s->offset += delta;
    close_row(s, s->offset);
    s->pending = false;
    add_row(s, s->offset, s->offset + length);
}

static void step(struct state *s, uint32_t opcode, struct reader *r)
{
    uint32_t value = reader_compressed(r, NULL);

    switch (opcode) {
    case CODE_OFFSET:
        s->offset = value;
        break;
    case CODE_OFFSET_BASE:
        close_row(s, s->offset);
        s->base = value;
        break;
    case CHANGE_CODE_OFFSET:
        s->offset += value;
        open_row(s);
        break;
    case CHANGE_CODE_LENGTH:
        end_row(s, value);
        break;
    case CHANGE_FILE:
        s->file = value;
        break;
    case CHANGE_LINE_OFFSET:
        s->line += read_signed(value);
        s->pending = true;
        break;
    case CODE_OFFSET_AND_LINE_OFFSET:
        settle_line(s);
        s->line += read_signed(value >> 4);
        s->offset += value & 15;
        open_row(s);
        break;
    case CODE_LENGTH_AND_CODE_OFFSET:
        sized_row(s, value, reader_compressed(r, NULL));
        break;
    default:
        break; /* one operand, not needed */
    }
}

/* Rows that wrapped round or end before they begin cover nothing. */
static void find_bounds(struct state *s)
{
    struct site *site = s->site;

    site->low = UINT32_MAX;
    for (uint32_t i = site->row; i < site->row + site->rows; i++) {
        const struct site_row *row = &s->sites->rows.data[i];

        if (row->start < site->low)
            site->low = row->start;
        if (row->end > site->high)
            site->high = row->end;
    }
}

void site_read_rows(struct sites *sites, struct site *site, struct reader *r,
                    const struct inlinee *start, uint32_t size)
{
    struct state s = {.sites = sites, .site = site, .size = size};

    if (start) {
        s.file = start->file;
        s.line = start->line;
    } else {
        s.file = UINT32_MAX;
    }
    site->row = (uint32_t)sites->rows.len;
    while (reader_more(r)) {
        uint32_t opcode = reader_compressed(r, NULL);

        if (opcode == END || opcode >= OPCODES)
            break;
        step(&s, opcode, r);
    }
    close_row(&s, s.size);
    find_bounds(&s);
}
