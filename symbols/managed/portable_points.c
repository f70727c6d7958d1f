/*
 * Sequence points of a method.
 *
 *   numbers       unsigned: 0xxxxxxx, 10xxxxxx x, 110xxxxx x x x (big-endian);
 *                 signed: the value rotated left by one within 7, 14 or 29
 *                 bits
 *   blob          local signature; the first document if the table has none;
 *                 then records up to the end:
 *   IL offset     of the first record, then differences; 0 behind the first
 *                 record is not a point but a change of the document, whose
 *                 row follows
 *   lines         how many the point spans
 *   columns       unsigned on one line, else signed; with 0 lines and 0
 *                 columns the point is hidden and ends here
 *   line, column  of the first visible point, then signed differences from
 *                 the visible one before
 */
#include <string.h>

#include "engine/base/bisect.h"
#include "engine/base/vec.h"
#include "symbols/managed/metadata.h"
#include "symbols/managed/portable_pdb.h"

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

static void read_point(struct state *s)
{
    uint32_t lines = metadata_number(&s->r);
    uint32_t columns = lines ? signed_number(&s->r)
                             : metadata_number(&s->r);

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

static void read_record(struct state *s)
{
    uint32_t delta = metadata_number(&s->r);

    if (s->begun && !delta) {
        s->document = metadata_number(&s->r);
        return;
    }
    s->begun = true;
    s->il += delta;
    read_point(s);
}

static struct il_points copy_points(const struct state *s,
                                    struct arena *arena)
{
    size_t n = s->points.len;
    struct il_point *data = arena_new(arena, struct il_point, n);

    if (n)
        memcpy(data, s->points.data, n * sizeof(*data));
    return (struct il_points){data, n};
}

struct il_points il_points_decode(struct reader blob, uint32_t document,
                                  struct arena *arena)
{
    struct state s = {.r = blob, .document = document};
    struct il_points points = {.count = 0};

    if (!reader_more(&s.r))
        return points; /* no source */
    metadata_number(&s.r);
    if (!document)
        s.document = metadata_number(&s.r);
    while (reader_more(&s.r))
        read_record(&s);
    points = copy_points(&s, arena);
    vec_release(&s.points);
    return points;
}

/* Offsets may go down in a broken file only: then some are not found. */
const struct il_point *il_points_at(const struct il_points *points,
                                    uint32_t il)
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
