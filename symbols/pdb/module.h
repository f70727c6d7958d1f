/*
 * module - the symbols and lines of one module (compiland) of a PDB, decoded.
 *
 *     struct module_symbols *m = module_get(pdb, number);
 *     struct proc *proc = module_find(m, rva);
 *
 * The result of module_get is valid until the next call of it: when those that
 * are decoded come to too many bytes, all are dropped. Inside of symbols/pdb
 * only.
 */
#ifndef TOPFN_PDB_MODULE_H
#define TOPFN_PDB_MODULE_H

#include "engine/base/arena.h"
#include "engine/base/budget.h"
#include "engine/base/reader.h"
#include "engine/base/vec.h"

struct pdb;
struct debug_frame;

/* In order of preference where several begin at one address. */
enum proc_rank {
    PROC_GLOBAL,
    PROC_LOCAL,
    PROC_SEPARATED, /* S_SEPCODE: a part of another procedure */
    PROC_THUNK,
    PROC_TRAMPOLINE, /* nameless: named after its target */
};

struct proc {
    uint32_t start, size; /* RVA */
    uint32_t reach;       /* greatest end of this one and all before it */
    uint32_t record;      /* offset of its record in the symbols */
    uint32_t other;       /* RVA: parent of separated code, or target */
    uint32_t name;        /* offset of its name in the symbols; 0 none */
    uint32_t name_id;     /* string, 0 until it is asked for */
    uint32_t twin;        /* of the procedures of this module that were folded
                             into one, which this is, in order of records */
    uint8_t rank;         /* enum proc_rank */
};

/* A LINES subsection. */
struct line_block {
    uint32_t start, size; /* RVA */
    uint32_t reach;
    uint32_t at, end; /* its file blocks, in the C13 bytes */
    bool columns;
};

/* An entry of an INLINEELINES subsection. */
struct inlinee {
    uint32_t id, file, line;
    uint32_t order; /* in the file */
};

/* A row of an inline site: code offsets from the start of its procedure. */
struct site_row {
    uint32_t start, end;
    uint32_t file, line;
};

struct site {
    uint32_t next;      /* site behind all that is inlined into this one */
    uint32_t row, rows; /* in sites.rows */
    uint32_t low, high; /* code offsets it lies within */
    uint32_t inlinee;
};

/* The inline sites of one procedure, in the order of their records, which
 * is that of nesting. */
struct sites {
    uint32_t proc; /* its record; 0: none decoded */
    VEC(struct site) sites;
    VEC(struct site_row) rows;
};

struct module_symbols {
    uint32_t number;
    size_t bytes; /* that it holds */
    struct arena arena;
    struct bytes symbols, c13;
    VEC(struct proc) procs;               /* by start; one for each start */
    VEC(struct line_block) lines;         /* by start */
    VEC(struct inlinee) inlinees;         /* by id */
    uint32_t checksums_at, checksums_end; /* FILECHKSMS in the C13 bytes */
    struct sites sites;
};

enum { MODULE_BYTES_KEPT = 64 << 20 };

/* NULL when it has no symbols. */
struct module_symbols *module_get(struct pdb *pdb, uint32_t number);
void modules_release(struct pdb *pdb);

/* procs.c: fills procs. */
void module_read_procs(struct pdb *pdb, struct module_symbols *m);
/* The procedure that covers an address, or NULL. */
struct proc *module_find(struct module_symbols *m, uint32_t rva);
/* The procedure that begins at an address, or NULL. */
struct proc *module_find_start(struct module_symbols *m, uint32_t rva);
uint32_t module_proc_name(struct pdb *pdb, struct module_symbols *m,
                          struct proc *proc);

/* lines.c: fills lines, inlinees and checksums. */
void module_read_lines(struct pdb *pdb, struct module_symbols *m);
/* False: nothing is known there. The line is 0 where it is hidden. `twin`:
 * whose lines, where several procedures were folded into one. */
bool module_line(struct module_symbols *m, uint32_t rva, uint32_t twin,
                 struct budget *work, uint32_t *file, uint32_t *line);
/* The string id of a file by its number in this module; 0 none. */
uint32_t module_file_name(struct pdb *pdb, struct module_symbols *m,
                          uint32_t file);
const struct inlinee *module_inlinee(const struct module_symbols *m,
                                     uint32_t id);

/* inlines.c: the inline sites of a procedure that cover a code offset,
 * outermost first, at most `max`. */
size_t module_sites(struct module_symbols *m, const struct proc *proc,
                    uint32_t offset, struct budget *work,
                    const struct site **chain, size_t max);
/* The row that covers the offset, or NULL. */
const struct site_row *site_row_at(const struct sites *s,
                                   const struct site *site, uint32_t offset);

/* The rows of one inline site. `size` is the procedure's. */
void site_read_rows(struct sites *s, struct site *site, struct reader *r,
                    const struct inlinee *start, uint32_t size);

#endif
