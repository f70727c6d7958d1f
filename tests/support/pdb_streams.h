/*
 * pdb_streams - a PDB of streams that are put together, opened.
 *
 *     struct made t;
 *     begin(&t);
 *     blob_u32(&t.streams[NAMES], 0xEFFEEFFE);
 *     finish(&t);
 *     ... t.pdb ...
 *     end(&t);
 *
 * Included by test programs only.
 */
#ifndef TOPFN_TESTS_PDB_STREAMS_H
#define TOPFN_TESTS_PDB_STREAMS_H

#include <stdlib.h>

#include "symbols/pdb/pdb.h"
#include "symbols/pdb/records.h"
#include "tests/support/blob.h"
#include "tests/support/msf_writer.h"
#include "tests/support/suite.h"

/* Streams besides those with fixed numbers. */
enum { NAMES = 5, PUBLICS, RECORDS, SECTIONS, MODULE, STREAMS };

struct made {
    struct pdb pdb;
    struct blob streams[STREAMS];
    uint8_t *file;
    size_t size;
    size_t record;
};

static inline void begin(struct made *t)
{
    *t = (struct made){.record = 0};
    t->pdb.strings = strings_new();
    t->pdb.names_stream = NAMES;
    t->pdb.publics_stream = PUBLICS;
    t->pdb.records_stream = RECORDS;
    t->pdb.omap_stream = MSF_NONE;
}

/* In blocks of 512 bytes, so that much lies across the end of one. */
static inline void finish(struct made *t)
{
    struct msf_copy copy = {.count = 0};
    struct err err = {0};

    for (uint32_t i = 0; i < STREAMS; i++)
        msf_copy_add(&copy, t->streams[i].data, t->streams[i].len);
    t->file = msf_write(&copy, 512, 1, &t->size);
    ck_assert(!msf_open(&t->pdb.msf, "made", t->file, t->size, &err));
    msf_copy_release(&copy);
}

static inline void end(struct made *t)
{
    module_cache_release(&t->pdb.cache);
    vec_release(&t->pdb.sections);
    map_release(&t->pdb.id_names);
    map_release(&t->pdb.exporters);
    map_release(&t->pdb.file_names);
    strings_free(t->pdb.strings);
    msf_release(&t->pdb.msf);
    arena_release(&t->pdb.scratch);
    arena_release(&t->pdb.arena);
    for (size_t i = 0; i < STREAMS; i++)
        free(t->streams[i].data);
    free(t->file);
}

static inline void text(struct blob *b, const char *string)
{
    blob_bytes(b, string, strlen(string) + 1);
}

#endif
