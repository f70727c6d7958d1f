/*
 * Inline sites of a procedure. They nest below the procedure and its blocks.
 * The rows of a site cover the code of what is inlined into it, too.
 */
#include "symbols/pdb/module.h"
#include "symbols/pdb/records.h"

/*
 * Binary annotations: the line rows of an inline site, as opcodes and operands
 * (format.md, section 7.1). Offsets count from the start of the procedure,
 * whatever the nesting; file and line begin as the inlinee's.
 *
 * A row ends where the next begins. Two habits of clang: opcode 4 without an
 * open row stands for one that begins here; opcode 6 right before 4 or 11
 * belongs to the open row when that began here.
 */

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
    *vec_add(&s->sites->rows) = (struct site_row){start, end, s->file, s->line};
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
        settle_line(s);
        if (!s->open)
            add_row(s, s->offset, s->offset + value);
        s->offset += value;
        close_row(s, s->offset);
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
        s->offset += reader_compressed(r, NULL);
        close_row(s, s->offset);
        s->pending = false;
        add_row(s, s->offset, s->offset + value);
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

enum { DEPTH_MAX = 512 };

/* Sites whose end has not come yet; blocks and the like between them are not
 * told apart: NO_SITE. */
struct scopes {
    uint32_t open[DEPTH_MAX];
    size_t depth;
};

#define NO_SITE UINT32_MAX

static void read_site(struct module_symbols *m, const struct proc *proc,
                      struct record *rec)
{
    struct sites *s = &m->sites;
    struct site site = {0};

    reader_skip(&rec->r, 8);
    site.inlinee = reader_u32(&rec->r);
    if (rec->kind == S_INLINESITE2)
        reader_skip(&rec->r, 4);
    site_read_rows(s, &site, &rec->r, module_inlinee(m, site.inlinee),
                   proc->size);
    *vec_add(&s->sites) = site;
}

static void close_scope(struct sites *s, struct scopes *scopes)
{
    uint32_t site = scopes->open[--scopes->depth];

    if (site != NO_SITE)
        s->sites.data[site].next = (uint32_t)s->sites.len;
}

/* False at the end of the procedure. */
static bool read_scope(struct module_symbols *m, const struct proc *proc,
                       struct record *rec, struct scopes *scopes)
{
    switch (rec->kind) {
    case S_INLINESITE:
    case S_INLINESITE2:
        scopes->open[scopes->depth++] = (uint32_t)m->sites.sites.len;
        read_site(m, proc, rec);
        break;
    case S_END:
    case S_INLINESITE_END:
    case S_PROC_ID_END:
        if (!scopes->depth)
            return false;
        close_scope(&m->sites, scopes);
        break;
    case S_GPROC32:
    case S_GPROC32_ID:
    case S_LPROC32:
    case S_LPROC32_ID:
    case S_LPROC32_DPC:
    case S_LPROC32_DPC_ID:
        return false; /* scopes are not balanced */
    default:
        if (rec->kind == S_BLOCK32 || rec->kind == S_WITH32 ||
            rec->kind == S_THUNK32 || rec->kind == S_SEPCODE)
            scopes->open[scopes->depth++] = NO_SITE;
        break;
    }
    return scopes->depth < DEPTH_MAX;
}

/* Records are paid for: procedures that lie within each other are read anew
 * for each address in turn. */
static void read_sites(struct module_symbols *m, const struct proc *proc,
                       struct budget *work)
{
    enum { RECORD_STEP = 16 }; /* bytes that are one unit of work */
    struct scopes scopes = {.depth = 0};
    struct record rec;
    uint32_t at = proc->record;

    m->sites.proc = proc->record;
    m->sites.sites.len = m->sites.rows.len = 0;
    if (!record_at(&m->symbols, proc->record, &rec))
        return;
    while (budget_take(work, 1 + (rec.next - at) / RECORD_STEP)) {
        at = rec.next;
        if (!record_at(&m->symbols, at, &rec) ||
            !read_scope(m, proc, &rec, &scopes))
            break;
    }
    while (scopes.depth)
        close_scope(&m->sites, &scopes);
}

const struct site_row *site_row_at(const struct sites *s,
                                   const struct site *site, uint32_t offset)
{
    const struct site_row *found = NULL;

    if (offset < site->low || offset >= site->high)
        return NULL;
    for (uint32_t i = site->row; i < site->row + site->rows; i++) {
        const struct site_row *row = &s->rows.data[i];

        if (offset >= row->start && offset < row->end)
            found = row;
    }
    return found;
}

size_t module_sites(struct module_symbols *m, const struct proc *proc,
                    uint32_t offset, struct budget *work,
                    const struct site **chain, size_t max)
{
    const struct sites *s = &m->sites;
    uint32_t i = 0, end;
    size_t n = 0;

    if (!(proc->rank == PROC_GLOBAL || proc->rank == PROC_LOCAL))
        return 0;
    if (s->proc != proc->record)
        read_sites(m, proc, work);
    end = (uint32_t)s->sites.len;
    while (i < end && n < max) {
        const struct site *site = &s->sites.data[i];
        bool within = offset >= site->low && offset < site->high;

        if (!budget_take(work, 1 + (uint64_t)(within ? site->rows : 0)))
            break;
        if (site_row_at(s, site, offset)) {
            chain[n++] = site;
            i++;
            end = site->next;
        } else {
            i = site->next;
        }
    }
    return n;
}
