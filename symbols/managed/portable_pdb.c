/*
 * Portable PDB: metadata with tables of its own (format.md, sections 1 to 3).
 */
#define ZLIB_CONST /* it only reads its input */
#include "symbols/managed/portable_pdb.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "engine/base/bisect.h"
#include "engine/base/budget.h"
#include "engine/base/map.h"
#include "engine/base/unpacking.h"
#include "engine/base/vec.h"
#include "symbols/managed/r2r/tables.h"
#include "symbols/debug.h"

/* Sequence points of a method (format.md, section 4). */

struct state {
    struct reader r;
    VEC(struct il_point) points;
    uint32_t il, line, document;
    bool begun;   /* a record was read */
    bool visible; /* a visible one was */
};

/* As an addend: unsigned arithmetic wraps as it should. */
static uint32_t signed_number(struct reader *r)
{
    unsigned bits;
    uint32_t raw = reader_compressed(r, &bits);

    return raw & 1 ? (raw >> 1) - (1u << (bits - 1)) : raw >> 1;
}

static void add(struct state *s, uint32_t line)
{
    if (!s->r.failed)
        *vec_add(&s->points) = (struct il_point){s->il, line, s->document};
}

static void read_record(struct state *s)
{
    uint32_t delta = metadata_number(&s->r);
    uint32_t lines;
    uint32_t columns;

    if (s->begun && !delta) {
        s->document = metadata_number(&s->r);
        return;
    }
    s->begun = true;
    s->il += delta;
    lines = metadata_number(&s->r);
    columns = lines ? signed_number(&s->r) : metadata_number(&s->r);
    if (!lines && !columns) {
        add(s, 0);
        return;
    }
    if (s->visible) {
        s->line += signed_number(&s->r);
        signed_number(&s->r);
    } else {
        s->line = metadata_number(&s->r);
        metadata_number(&s->r);
    }
    s->visible = true;
    add(s, s->line);
}

struct il_points il_points_decode(struct reader blob, uint32_t document,
                                  struct arena *arena)
{
    struct state s = {.r = blob, .document = document};
    struct il_points points = {.count = 0};
    size_t n;
    struct il_point *data;

    if (!reader_more(&s.r))
        return points; /* no source */
    metadata_number(&s.r);
    if (!document)
        s.document = metadata_number(&s.r);
    while (reader_more(&s.r))
        read_record(&s);
    n = s.points.len;
    data = arena_new(arena, struct il_point, n);
    if (n)
        memcpy(data, s.points.data, n * sizeof(*data));
    points = (struct il_points){.data = data, .count = n};
    vec_release(&s.points);
    return points;
}

/* Offsets may go down in a broken file only: then some are not found. */
const struct il_point *il_points_at(const struct il_points *points, uint32_t il)
{
    size_t i;

    BISECT(i, points->count, points->data[i].il <= il);
    while (i && !points->data[i - 1].line)
        i--;
    return i ? &points->data[i - 1] : NULL;
}

const struct il_point *il_points_only_line(const struct il_points *points)
{
    const struct il_point *only = NULL;

    for (size_t i = 0; i < points->count; i++) {
        const struct il_point *p = &points->data[i];

        if (!p->line)
            continue;
        if (only && (only->line != p->line || only->document != p->document))
            return NULL;
        only = only ? only : p;
    }
    return only;
}

enum {
    ID_SIZE = 20,
    METHOD_TOKEN = 0x06,
    PATH_SIZE = 4096,
    EMBEDDED_MAX = 256 << 20,
    MADE_FREE = 24 << 20,
    POINT_COST = 4, /* bytes of points for one of a blob: 12 for 3 */
};

struct portable_pdb {
    const char *name;
    struct cli_tables tables;
    struct arena arena;
    struct map decoded; /* method row -> index of points */
    VEC(struct il_points) points;
    struct map blob_points; /* (blob, document) -> index of blobs */
    VEC(struct il_points) blobs;
    struct map names; /* document row -> index of paths */
    /* A limit in bytes for methods and documents that share blobs. */
    struct budget made;
    VEC(const char *) paths;
};

/* An image's metadata begins alike, but lies within the image. */
static bool portable_pdb_probe(const uint8_t *data, size_t size)
{
    return metadata_probe(data, size);
}

struct portable_pdb *portable_pdb_open(const char *name, const uint8_t *data,
                                       size_t size, struct err *err)
{
    struct portable_pdb *p = mem_new(1, sizeof(*p));
    struct err own = {0};

    err = err ? err : &own;
    p->name = name;
    p->made = budget_of(size, 2, MADE_FREE);
    if (!cli_tables_open(&p->tables, name, data, size, err) &&
        p->tables.metadata.id.len < ID_SIZE)
        err_set(err, ERR_TRUNCATED, "%s: no #Pdb stream", name);
    for (enum cli_table i = 0; i < CLI_DOCUMENT && !err->code; i++)
        if (cli_rows(&p->tables, i))
            err_set(err, ERR_UNSUPPORTED,
                    "%s: metadata of an image, not of a PDB", name);
    if (!err->code)
        return p;
    portable_pdb_close(p);
    return NULL;
}

void portable_pdb_close(struct portable_pdb *p)
{
    if (!p)
        return;
    map_release(&p->decoded);
    map_release(&p->names);
    map_release(&p->blob_points);
    vec_release(&p->blobs);
    vec_release(&p->points);
    vec_release(&p->paths);
    arena_release(&p->arena);
    free(p);
}

bool portable_pdb_is_cut(const struct portable_pdb *p)
{
    return p->made.cut;
}

const uint8_t *portable_pdb_id(const struct portable_pdb *p)
{
    return p->tables.metadata.id.data;
}

/* Methods may share a blob: it is decoded once for each document that rows
 * name with it. No points where they come to more than the file may have. */
static struct il_points points_of(struct portable_pdb *p, uint32_t blob,
                                  uint32_t document)
{
    struct reader bytes = metadata_blob(&p->tables.metadata, blob);
    uint32_t fresh = mem_next_id(p->blobs.len);
    uint32_t at = map_add(&p->blob_points, blob, document, fresh);

    if (at == fresh) {
        struct il_points points = {.count = 0};

        if (budget_take(&p->made, reader_left(&bytes) * POINT_COST))
            points = il_points_decode(bytes, document, &p->arena);
        points.only = il_points_only_line(&points);
        *vec_add(&p->blobs) = points;
    }
    return p->blobs.data[at];
}

bool portable_pdb_points(struct portable_pdb *p, uint32_t token,
                         struct il_points *points)
{
    uint32_t row = token & 0xFFFFFF, known = map_get(&p->decoded, row, 0);
    uint32_t document, blob;

    if (token >> 24 != METHOD_TOKEN || !row ||
        row > cli_rows(&p->tables, CLI_METHOD_LINES))
        return false;
    if (known == MAP_NONE) {
        known = mem_next_id(p->points.len);
        document = cli_cell(&p->tables, CLI_METHOD_LINES, row,
                            METHOD_LINES_DOCUMENT);
        blob =
            cli_cell(&p->tables, CLI_METHOD_LINES, row, METHOD_LINES_POINTS);
        *vec_add(&p->points) = points_of(p, blob, document);
        map_set(&p->decoded, row, 0, known);
    }
    *points = p->points.data[known];
    return points->count > 0;
}

/* A path being joined; what does not fit is cut off. */
struct path {
    char text[PATH_SIZE];
    size_t len;
};

static void join(struct path *path, const uint8_t *bytes, size_t n)
{
    size_t room = sizeof(path->text) - path->len;

    n = n < room ? n : room;
    if (n)
        memcpy(path->text + path->len, bytes, n);
    path->len += n;
}

/* Bytes of the UTF-8 character that begins so. */
static size_t character_size(uint8_t first)
{
    return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

static const char *read_path(struct portable_pdb *p, uint32_t row)
{
    struct path path = {.len = 0};
    struct bytes separator, part;
    struct reader r, text;

    if (!row || row > cli_rows(&p->tables, CLI_DOCUMENT))
        return NULL;
    r = cli_blob(&p->tables, CLI_DOCUMENT, row, DOCUMENT_NAME);
    if (!reader_more(&r) || !budget_take(&p->made, reader_left(&r)))
        return NULL;
    separator = reader_bytes(&r, character_size(r.base[r.pos]));
    if (separator.len == 1 && !*separator.data)
        separator.len = 0;
    /* A part may be an index to any bytes: each costs its own. */
    for (bool first = true; reader_more(&r) && path.len < sizeof(path.text);
         first = false) {
        text = metadata_blob(&p->tables.metadata, metadata_number(&r));
        part = reader_bytes(&text, reader_left(&text));
        if (!first)
            join(&path, separator.data, separator.len);
        join(&path, part.data, part.len);
    }
    return budget_take(&p->made, path.len)
               ? arena_strndup(&p->arena, path.text, path.len)
               : NULL;
}

const char *portable_pdb_document(struct portable_pdb *p, uint32_t row)
{
    uint32_t known = map_get(&p->names, row, 0);

    if (known == MAP_NONE) {
        known = mem_next_id(p->paths.len);
        *vec_add(&p->paths) = read_path(p, row);
        map_set(&p->names, row, 0, known);
    }
    return p->paths.data[known];
}

/* Raw Deflate that must come to exactly `size` bytes. */
static bool inflate_exactly(struct bytes packed, uint8_t *out, size_t size)
{
    z_stream z = {
        .avail_in = (uInt)packed.len,
        .next_out = out,
        .avail_out = (uInt)size,
    };
    int result;

    z.next_in = (z_const Bytef *)packed.data;
    if (inflateInit2(&z, -15) != Z_OK)
        mem_exhausted(size);
    result = inflate(&z, Z_FINISH);
    inflateEnd(&z);
    return result == Z_STREAM_END && z.total_out == size;
}

static bool unpack(const struct pe *pe, struct bytes packed, uint8_t **data,
                   size_t *size, struct err *err)
{
    struct reader r = reader_of(pe->name, packed.data, packed.len, 0, NULL);
    struct bytes magic = reader_bytes(&r, 4), rest;

    *size = reader_u32(&r);
    rest = reader_bytes(&r, reader_left(&r));
    if (!rest.len || memcmp(magic.data, "MPDB", 4) != 0 ||
        *size > EMBEDDED_MAX || *size > unpack_most(rest.len)) {
        err_set(err, ERR_CORRUPT, "%s: embedded PDB is broken", pe->name);
        return false;
    }
    *data = mem_new(*size, 1);
    if (inflate_exactly(rest, *data, *size))
        return true;
    free(*data);
    *data = NULL;
    err_set(err, ERR_CORRUPT, "%s: embedded PDB does not decompress", pe->name);
    return false;
}

bool portable_pdb_embedded(const struct pe *pe, uint8_t **data, size_t *size,
                           struct err *err)
{
    struct pe_debug entry;

    *data = NULL;
    for (uint32_t i = 0; pe_debug_entry(pe, i, &entry); i++)
        if (entry.type == PE_EMBEDDED_PORTABLE)
            return unpack(pe, entry.data, data, size, err);
    return false;
}

/*
 * A portable PDB as a debug file: it has an identity, and no names for
 * addresses of the image. Its lines are those of IL: portable_pdb.h.
 */

static enum err_code open_portable(struct debug_file *file, struct err *err)
{
    struct portable_pdb *pdb =
        portable_pdb_open(file->name, file->data, file->size, err);

    file->state = pdb;
    if (!pdb)
        return err->code;
    memcpy(file->identity.guid, portable_pdb_id(pdb), 16);
    file->identity.age = load_u32(portable_pdb_id(pdb) + 16);
    return ERR_NONE;
}

struct portable_pdb *portable_pdb_of(const struct debug_file *file)
{
    return file && file->kind == &portable_kind ? file->state : NULL;
}

static size_t no_frames(struct debug_file *file, uint64_t rva,
                        struct debug_frame *frames, size_t max)
{
    (void)file;
    (void)rva;
    (void)frames;
    (void)max;
    return 0;
}

static void close_portable(struct debug_file *file)
{
    portable_pdb_close(file->state);
}

static enum debug_names no_names(struct debug_file *file)
{
    (void)file;
    return NAMES_NONE;
}

/* The stamp is unknown when only the trace tells which file is wanted. */
static bool matches(struct debug_file *file, const struct wanted *wanted,
                    const char **objection)
{
    const struct identity *a = &file->identity, *b = &wanted->identity;

    (void)objection;
    return wanted->kind == WANTED_PDB &&
           !memcmp(a->guid, b->guid, sizeof(a->guid)) &&
           (a->age == b->age || wanted->portable_key[0]);
}

const struct debug_kind portable_kind = {
    .name = "portable-pdb",
    .probe = portable_pdb_probe,
    .open = open_portable,
    .frames = no_frames,
    .close = close_portable,
    .matches = matches,
    .names = no_names,
};
