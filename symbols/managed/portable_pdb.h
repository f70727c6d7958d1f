/*
 * portable_pdb - source lines of managed methods.
 *
 *     struct portable_pdb *pdb = portable_pdb_open("app.pdb", data, size,
 *                                                  &err);
 *     struct il_points points;
 *     if (portable_pdb_points(pdb, 0x06000001, &points)) {
 *         const struct il_point *p = il_points_at(&points, il_offset);
 *         if (p)
 *             use(portable_pdb_document(pdb, p->document), p->line);
 *     }
 *     portable_pdb_close(pdb);
 *
 * A method is its metadata token (0x06rrrrrr); a place in it is an offset in
 * its IL, which the trace's map gives for a native address. Bytes stay the
 * caller's; points and names belong to the file. Methods are decoded when
 * they are asked for, and kept.
 */
#ifndef TOPFN_PORTABLE_PDB_H
#define TOPFN_PORTABLE_PDB_H

#include "engine/base/arena.h"
#include "engine/base/err.h"
#include "symbols/pe/pe.h"

struct portable_pdb;

/* From here to the next point. */
struct il_point {
    uint32_t il;
    uint32_t line;     /* 0: hidden, no line is to be shown */
    uint32_t document; /* row, from 1 */
};

struct il_points {
    const struct il_point *data; /* by IL offset */
    size_t count;
    const struct il_point *only; /* il_points_only_line, once for all */
};

struct portable_pdb *portable_pdb_open(const char *name, const uint8_t *data,
                                       size_t size, struct err *err);
void portable_pdb_close(struct portable_pdb *pdb);

struct debug_file;

/* The PDB that a debug file of that kind has open; NULL for other kinds. */
struct portable_pdb *portable_pdb_of(const struct debug_file *file);

/* Some points or paths came to more than the file's size allows. */
bool portable_pdb_is_cut(const struct portable_pdb *pdb);

/* GUID and stamp: the image's CodeView GUID and the time stamp of that entry
 * of its debug directory. */
const uint8_t *portable_pdb_id(const struct portable_pdb *pdb);

/* False: the method has no source, or the token is none of a method. */
bool portable_pdb_points(struct portable_pdb *pdb, uint32_t token,
                         struct il_points *points);

/* Its path as the compiler wrote it; NULL when there is none. */
const char *portable_pdb_document(struct portable_pdb *pdb, uint32_t row);

/* The last visible point at or before an IL offset, or NULL. */
const struct il_point *il_points_at(const struct il_points *points,
                                    uint32_t il);

/* The point whose line all visible points have, or NULL: then the line of
 * every address is known without a map. */
const struct il_point *il_points_only_line(const struct il_points *points);

/* The portable PDB inside a managed image, decompressed; free *data. False
 * when there is none, or it is broken (`err` tells). */
bool portable_pdb_embedded(const struct pe *pe, uint8_t **data, size_t *size,
                           struct err *err);

/* A sequence points blob into the arena. */
struct il_points il_points_decode(struct reader blob, uint32_t document,
                                  struct arena *arena);

#endif
