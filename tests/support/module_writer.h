/*
 * module_writer - the records of one module of a PDB under construction.
 *
 *     struct made t;
 *     begin(&t);
 *     proc(&t, S_GPROC32, 1, 0x10, 8, "f");
 *     decode(&t);
 *     ... t.m.procs ...
 *     end(&t);
 *
 * Included by test programs only.
 */
#ifndef TOPFN_TESTS_MODULE_WRITER_H
#define TOPFN_TESTS_MODULE_WRITER_H

#include <stdlib.h>

#include "symbols/pdb/pdb.h"
#include "symbols/pdb/records.h"
#include "tests/support/blob.h"
#include "tests/support/suite.h"

/* Two sections, and a module under construction. */
struct made {
    struct pdb pdb;
    struct module_symbols m;
    struct blob symbols, c13;
    size_t record;
};

static inline void begin(struct made *t)
{
    *t = (struct made){.record = 0};
    t->pdb.strings = strings_new();
    *vec_add(&t->pdb.sections) = (struct pdb_section){0x1000, 0x1000};
    *vec_add(&t->pdb.sections) = (struct pdb_section){0x3000, 0x1000};
    blob_u32(&t->symbols, 4); /* the signature */
}

static inline void decode(struct made *t)
{
    t->m.symbols = (struct bytes){t->symbols.data, t->symbols.len};
    t->m.c13 = (struct bytes){t->c13.data, t->c13.len};
    module_read_procs(&t->pdb, &t->m);
    module_read_lines(&t->pdb, &t->m);
}

static inline void end(struct made *t)
{
    vec_release(&t->m.procs);
    vec_release(&t->m.lines);
    vec_release(&t->m.inlinees);
    vec_release(&t->m.sites.sites);
    vec_release(&t->m.sites.rows);
    vec_release(&t->pdb.sections);
    strings_free(t->pdb.strings);
    arena_release(&t->pdb.scratch);
    arena_release(&t->pdb.arena);
    free(t->symbols.data);
    free(t->c13.data);
}

static inline struct blob *record(struct made *t, uint16_t kind)
{
    t->record = t->symbols.len;
    blob_pack(&t->symbols, "HH", 0, kind);
    return &t->symbols;
}

static inline void record_end(struct made *t)
{
    blob_set(&t->symbols, t->record, t->symbols.len - t->record - 2, 2);
}

static inline void simple(struct made *t, uint16_t kind)
{
    (void)record(t, kind);
    record_end(t);
}

static inline void proc(struct made *t, uint16_t kind, uint16_t section,
                        uint32_t offset, uint32_t size, const char *name)
{
    struct blob *b = record(t, kind);

    for (uint32_t i = 0; i < 3; i++)
        blob_u32(b, 0x111 + i); /* parent, end, next */
    blob_u32(b, size);
    for (uint32_t i = 0; i < 3; i++)
        blob_u32(b, 0x222 + i); /* where debugging begins and ends; type */
    blob_pack(b, "IH", offset, section);
    blob_zero(b, kind == S_GMANPROC || kind == S_LMANPROC ? 3 : 1);
    blob_bytes(b, name, strlen(name) + 1);
    record_end(t);
}

#endif
