/*
 * portable_writer - makes portable PDBs.
 *
 *     static const struct pdb_point points[] = {{0, 10}, {6, 11}, {9, 0}};
 *     static const struct pdb_method methods[] = {{1, points, 3}, {0}};
 *     static const char *const documents[] = {"/srv/a.cs", NULL};
 *     byte_vec pdb = {0};
 *     portable_write(&pdb, guid, 0x5EED, documents, methods, 2);
 *
 * Method n of the list has the token 0x06000001 + n.
 */
#ifndef TOPFN_TESTS_PORTABLE_WRITER_H
#define TOPFN_TESTS_PORTABLE_WRITER_H

#include "tests/support/nettrace_writer.h"

struct pdb_point {
    uint32_t il;
    uint32_t line; /* 0: hidden */
};

struct pdb_method {
    uint32_t document; /* from 1; 0: no source */
    const struct pdb_point *points;
    size_t count;
};

/* `documents` ends with NULL. Less than 64 KiB of everything. */
void portable_write(byte_vec *to, const uint8_t guid[16], uint32_t stamp,
                    const char *const *documents,
                    const struct pdb_method *methods, size_t count);

#endif
