/*
 * Inline sites of a procedure.
 *
 *   S_INLINESITE  u32 parent, u32 end, u32 inlinee id, annotations
 *   S_INLINESITE2 the same with u32 invocations before the annotations
 *
 * They nest below the procedure and its blocks. The rows of a site cover the
 * code of what is inlined into it, too.
 */
#include "symbols/pdb/pdb.h"
#include "symbols/pdb/records.h"

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

static bool opens_scope(uint16_t kind)
{
    return kind == S_BLOCK32 || kind == S_WITH32 || kind == S_THUNK32 ||
           kind == S_SEPCODE;
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
        if (opens_scope(rec->kind))
            scopes->open[scopes->depth++] = NO_SITE;
        break;
    }
    return scopes->depth < DEPTH_MAX;
}

static void read_sites(struct module_symbols *m, const struct proc *proc)
{
    struct scopes scopes = {.depth = 0};
    struct record rec;

    m->sites.proc = proc->record;
    m->sites.sites.len = m->sites.rows.len = 0;
    if (!record_at(&m->symbols, proc->record, &rec))
        return;
    while (record_at(&m->symbols, rec.next, &rec))
        if (!read_scope(m, proc, &rec, &scopes))
            break;
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

static bool has_sites(const struct proc *proc)
{
    return proc->rank == PROC_GLOBAL || proc->rank == PROC_LOCAL;
}

size_t module_sites(struct module_symbols *m, const struct proc *proc,
                    uint32_t offset, const struct site **chain, size_t max)
{
    const struct sites *s = &m->sites;
    uint32_t i = 0, end;
    size_t n = 0;

    if (!has_sites(proc))
        return 0;
    if (s->proc != proc->record)
        read_sites(m, proc);
    end = (uint32_t)s->sites.len;
    while (i < end && n < max) {
        const struct site *site = &s->sites.data[i];

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
