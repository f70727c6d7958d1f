/*
 * Procedures among a module's symbol records (format.md, section 5). Ends and
 * parents in the file are not used: scopes are followed by kinds.
 */
#include <stdlib.h>

#include "engine/base/bisect.h"
#include "symbols/pdb/pdb.h"
#include "symbols/pdb/records.h"

enum { WALK_MAX = 64 };

static void add(const struct pdb *pdb, struct module_symbols *m,
                const struct record *rec, struct proc proc, uint16_t section,
                uint32_t offset)
{
    if (rec->r.failed || !pdb_rva_of(pdb, section, offset, &proc.start) ||
        proc.size > UINT32_MAX - proc.start)
        return;
    proc.record = rec->at;
    *vec_add(&m->procs) = proc;
}

/* Offset in the symbols of what comes next in the record. */
static uint32_t here(const struct record *rec)
{
    return (uint32_t)(rec->r.offset + rec->r.pos);
}

static void add_proc(const struct pdb *pdb, struct module_symbols *m,
                     struct record *rec, enum proc_rank rank, bool managed)
{
    struct proc proc = {.rank = (uint8_t)rank};
    uint32_t offset;
    uint16_t section;

    reader_skip(&rec->r, 12);
    proc.size = reader_u32(&rec->r);
    reader_skip(&rec->r, 12);
    offset = reader_u32(&rec->r);
    section = reader_u16(&rec->r);
    reader_skip(&rec->r, managed ? 3 : 1);
    proc.name = here(rec);
    add(pdb, m, rec, proc, section, offset);
}

static void add_thunk(const struct pdb *pdb, struct module_symbols *m,
                      struct record *rec)
{
    struct proc proc = {.rank = PROC_THUNK};
    uint32_t offset;
    uint16_t section;

    reader_skip(&rec->r, 12);
    offset = reader_u32(&rec->r);
    section = reader_u16(&rec->r);
    proc.size = reader_u16(&rec->r);
    reader_skip(&rec->r, 1);
    proc.name = here(rec);
    add(pdb, m, rec, proc, section, offset);
}

static void add_trampoline(const struct pdb *pdb, struct module_symbols *m,
                           struct record *rec)
{
    struct proc proc = {.rank = PROC_TRAMPOLINE};
    uint32_t offset, target;
    uint16_t section;

    reader_skip(&rec->r, 2);
    proc.size = reader_u16(&rec->r);
    offset = reader_u32(&rec->r);
    target = reader_u32(&rec->r);
    section = reader_u16(&rec->r);
    if (pdb_rva_of(pdb, reader_u16(&rec->r), target, &proc.other))
        add(pdb, m, rec, proc, section, offset);
}

static void add_separated(const struct pdb *pdb, struct module_symbols *m,
                          struct record *rec)
{
    struct proc proc = {.rank = PROC_SEPARATED};
    uint32_t offset, parent;
    uint16_t section;

    reader_skip(&rec->r, 8);
    proc.size = reader_u32(&rec->r);
    reader_skip(&rec->r, 4);
    offset = reader_u32(&rec->r);
    parent = reader_u32(&rec->r);
    section = reader_u16(&rec->r);
    if (pdb_rva_of(pdb, reader_u16(&rec->r), parent, &proc.other))
        add(pdb, m, rec, proc, section, offset);
}

static void add_record(const struct pdb *pdb, struct module_symbols *m,
                       struct record *rec)
{
    switch (rec->kind) {
    case S_GPROC32:
    case S_GPROC32_ID:
        add_proc(pdb, m, rec, PROC_GLOBAL, false);
        break;
    case S_LPROC32:
    case S_LPROC32_ID:
    case S_LPROC32_DPC:
    case S_LPROC32_DPC_ID:
        add_proc(pdb, m, rec, PROC_LOCAL, false);
        break;
    case S_GMANPROC:
        add_proc(pdb, m, rec, PROC_GLOBAL, true);
        break;
    case S_LMANPROC:
        add_proc(pdb, m, rec, PROC_LOCAL, true);
        break;
    case S_THUNK32:
        add_thunk(pdb, m, rec);
        break;
    case S_TRAMPOLINE:
        add_trampoline(pdb, m, rec);
        break;
    case S_SEPCODE:
        add_separated(pdb, m, rec);
        break;
    default:
        break;
    }
}

static int compare(const void *a, const void *b)
{
    const struct proc *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return x->record < y->record ? -1 : x->record > y->record;
}

static size_t group_end(const struct module_symbols *m, size_t i)
{
    size_t end = i + 1;

    while (end < m->procs.len &&
           m->procs.data[end].start == m->procs.data[i].start)
        end++;
    return end;
}

/* The preferred one of those from `first` to `end`. */
static struct proc match_functions(const struct module_symbols *m, size_t first,
                                   size_t end)
{
    struct proc p = m->procs.data[first];

    for (size_t i = first + 1; i < end; i++)
        p.twin += m->procs.data[i].rank <= PROC_LOCAL &&
                  m->procs.data[i].record < p.record;
    return p;
}

void module_read_procs(struct pdb *pdb, struct module_symbols *m)
{
    struct record rec;
    uint32_t reach;
    size_t kept;

    for (uint32_t at = 4; record_at(&m->symbols, at, &rec); at = rec.next)
        add_record(pdb, m, &rec);
    reach = 0;
    kept = 0;
    if (m->procs.len)
        qsort(m->procs.data, m->procs.len, sizeof(*m->procs.data), compare);
    for (size_t i = 0, end; i < m->procs.len; i = end) {
        struct proc p;

        end = group_end(m, i);
        p = match_functions(m, i, end);
        if (p.start + p.size > reach)
            reach = p.start + p.size;
        p.reach = reach;
        m->procs.data[kept++] = p;
    }
    m->procs.len = kept;
}

/* Counts those that begin at or below. */
static size_t count_below(const struct module_symbols *m, uint32_t rva)
{
    size_t i;

    BISECT(i, m->procs.len, m->procs.data[i].start <= rva);
    return i;
}

struct proc *module_find(struct module_symbols *m, uint32_t rva)
{
    size_t i = count_below(m, rva);

    for (int n = 0; n < WALK_MAX && i-- > 0; n++) {
        struct proc *p = &m->procs.data[i];

        if (rva - p->start < p->size)
            return p;
        if (p->reach <= rva)
            break;
    }
    return NULL;
}

struct proc *module_find_start(struct module_symbols *m, uint32_t rva)
{
    size_t i = count_below(m, rva);

    if (!i || m->procs.data[i - 1].start != rva)
        return NULL;
    return &m->procs.data[i - 1];
}

static uint32_t stored_name(struct pdb *pdb, const struct module_symbols *m,
                            const struct proc *proc)
{
    struct record rec;
    struct reader r;

    if (!proc->name || !record_at(&m->symbols, proc->record, &rec))
        return 0;
    r = reader_at(&rec.r, proc->name - rec.r.offset, "name");
    return pdb_intern(pdb, reader_cstr(&r));
}

/* The target of a trampoline may be in another module. To decode it might drop
 * this one: publics know the target, too. */
uint32_t module_proc_name(struct pdb *pdb, struct module_symbols *m,
                          struct proc *proc)
{
    struct proc *other = NULL;
    struct pdb_public found;

    if (proc->name_id)
        return proc->name_id;
    if (proc->rank == PROC_SEPARATED || proc->rank == PROC_TRAMPOLINE)
        other = module_find_start(m, proc->other);
    proc->name_id = stored_name(pdb, m, other ? other : proc);
    if (!proc->name_id &&
        pdb_find_public(pdb, other || !proc->other ? proc->start : proc->other,
                        &found) &&
        (found.rva == proc->start || found.rva == proc->other))
        proc->name_id = found.name;
    return proc->name_id;
}
