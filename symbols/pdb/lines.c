/*
 * C13 lines of a module (format.md, section 6).
 *
 * A row covers the code up to the next one of its subsection, whichever file
 * that is of. If several rows have one offset, the first counts for the offset
 * itself, as dbghelp and llvm-symbolizer show it, and the last for the code
 * after it, because the others have no length.
 */
#include <stdlib.h>

#include "engine/base/bisect.h"
#include "symbols/pdb/pdb.h"

enum {
    LINES = 0xF2,
    FILECHKSMS = 0xF4,
    INLINEELINES = 0xF6,
    HAS_COLUMNS = 1,
    MORE_FILES = 1,
    LINE_MASK = 0xFFFFFF,
    HIDDEN = 0xFEEFEE,
    NEVER_STEP = 0xF00F00,
    WALK_MAX = 64,
};

static void read_lines(struct pdb *pdb, struct module_symbols *m,
                       struct reader *r)
{
    uint32_t offset = reader_u32(r);
    uint16_t section = reader_u16(r);
    struct line_block b = {.columns = reader_u16(r) & HAS_COLUMNS};

    b.size = reader_u32(r);
    b.at = (uint32_t)(r->offset + r->pos);
    b.end = (uint32_t)(r->offset + r->len);
    if (!r->failed && pdb_rva_of(pdb, section, offset, &b.start) &&
        b.size <= UINT32_MAX - b.start)
        *vec_add(&m->lines) = b;
}

static void read_inlinees(struct module_symbols *m, struct reader *r)
{
    uint32_t signature = reader_u32(r);

    while (reader_left(r) >= 12) {
        uint32_t order = (uint32_t)m->inlinees.len;
        struct inlinee *i = vec_add(&m->inlinees);

        *i = (struct inlinee){.id = reader_u32(r), .order = order};
        i->file = reader_u32(r);
        i->line = reader_u32(r);
        if (signature == MORE_FILES)
            reader_skip(r, (size_t)reader_count(r, 4, "inlinee files") * 4);
    }
}

static int compare_blocks(const void *a, const void *b)
{
    const struct line_block *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* An id may be described twice; the first in the file counts. */
static int compare_inlinees(const void *a, const void *b)
{
    const struct inlinee *x = a, *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

void module_read_lines(struct pdb *pdb, struct module_symbols *m)
{
    struct reader r = reader_of("lines", m->c13.data, m->c13.len, 0, NULL);
    uint32_t reach;

    while (reader_left(&r) >= 8) {
        uint32_t kind = reader_u32(&r);
        uint32_t length = reader_u32(&r);
        struct reader sub;

        if (length > reader_left(&r))
            length = (uint32_t)reader_left(&r);
        sub = reader_sub(&r, length, "lines");
        if (kind == LINES) {
            read_lines(pdb, m, &sub);
        } else if (kind == FILECHKSMS) {
            m->checksums_at = (uint32_t)sub.offset;
            m->checksums_end = (uint32_t)(sub.offset + sub.len);
        } else if (kind == INLINEELINES) {
            read_inlinees(m, &sub);
        }
        if (reader_left(&r) >= 4)
            reader_align(&r, 4);
    }
    reach = 0;
    if (m->lines.len)
        qsort(m->lines.data, m->lines.len, sizeof(*m->lines.data),
              compare_blocks);
    for (size_t i = 0; i < m->lines.len; i++) {
        struct line_block *b = &m->lines.data[i];

        if (b->start + b->size > reach)
            reach = b->start + b->size;
        b->reach = reach;
    }
    if (m->inlinees.len)
        qsort(m->inlinees.data, m->inlinees.len, sizeof(*m->inlinees.data),
              compare_inlinees);
}

struct best_row {
    uint32_t offset, file, line;
    bool found;
};

/* The first row at the offset, else the last below; before all rows, the
 * first: there the function begins with code that was inlined into it. */
static bool is_better(const struct best_row *best, uint32_t at, uint32_t offset)
{
    if (!best->found)
        return true;
    if (at <= offset)
        return best->offset > offset || at > best->offset ||
               (at == best->offset && at < offset);
    return best->offset > offset && at < best->offset;
}

/* One file's rows. */
static void scan_rows(struct reader *rows, uint32_t file, uint32_t offset,
                      struct best_row *best)
{
    while (reader_more(rows)) {
        uint32_t at = reader_u32(rows);
        uint32_t line = reader_u32(rows) & LINE_MASK;

        if (is_better(best, at, offset))
            *best = (struct best_row){at, file, line, true};
    }
}

static bool block_line(const struct module_symbols *m,
                       const struct line_block *b, uint32_t offset,
                       struct budget *work, uint32_t *file, uint32_t *line)
{
    struct reader r =
        reader_of("lines", m->c13.data + b->at, b->end - b->at, b->at, NULL);
    struct best_row best = {0};

    while (reader_left(&r) >= 12) {
        uint32_t number = reader_u32(&r);
        uint32_t rows = reader_count(&r, 8, "line rows");
        struct reader sub;

        reader_u32(&r);
        if (!budget_take(work, 1 + (uint64_t)rows))
            return false;
        sub = reader_sub(&r, (size_t)rows * 8, "line rows");
        scan_rows(&sub, number, offset, &best);
        if (b->columns)
            reader_skip(&r, (size_t)rows * 4);
    }
    *file = best.file;
    *line = (best.line && best.line != HIDDEN && best.line != NEVER_STEP)
                ? best.line
                : 0;
    return best.found;
}

/* Compilers write procedures and their lines in the same order. `last` is
 * the last block that begins where it does. */
static const struct line_block *block_of_twin(const struct module_symbols *m,
                                              size_t last, uint32_t twin,
                                              struct budget *work)
{
    const struct line_block *b = &m->lines.data[last];
    size_t first = last;

    while (first && m->lines.data[first - 1].start == b->start &&
           budget_take(work, 1))
        first--;
    return twin < last - first ? &m->lines.data[first + twin] : b;
}

bool module_line(struct module_symbols *m, uint32_t rva, uint32_t twin,
                 struct budget *work, uint32_t *file, uint32_t *line)
{
    size_t i;

    BISECT(i, m->lines.len, m->lines.data[i].start <= rva);
    for (int n = 0; n < WALK_MAX && i-- > 0; n++) {
        const struct line_block *b = &m->lines.data[i];

        if (rva - b->start < b->size)
            return block_line(m, block_of_twin(m, i, twin, work),
                              rva - b->start, work, file, line);
        if (b->reach <= rva)
            break;
    }
    return false;
}

uint32_t module_file_name(struct pdb *pdb, struct module_symbols *m,
                          uint32_t file)
{
    uint32_t size = m->checksums_end - m->checksums_at;

    if (size < 4 || file > size - 4)
        return 0;
    return pdb_file_name(pdb, load_u32(m->c13.data + m->checksums_at + file));
}

const struct inlinee *module_inlinee(const struct module_symbols *m,
                                     uint32_t id)
{
    size_t i;

    BISECT(i, m->inlinees.len, m->inlinees.data[i].id < id);
    if (i == m->inlinees.len || m->inlinees.data[i].id != id)
        return NULL;
    return &m->inlinees.data[i];
}
