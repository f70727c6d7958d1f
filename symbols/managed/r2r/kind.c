/*
 * A precompiled .NET image as names for its own addresses: of the methods
 * that own them. Entry points are listed when the first is asked for: many
 * images are opened to see what they are.
 */
#include <stdlib.h>

#include "symbols/debug.h"
#include "symbols/managed/r2r/image.h"

#define R2R_CUT                                                                \
    "entry points and names that come to more than the file's size allows "    \
    "are left out"

struct state {
    struct pe pe;
    bool opened;
    struct r2r_image *image; /* NULL: not opened, or broken */
    struct arena names;
    struct r2r_method last; /* addresses come sorted: asked for again */
    const char *last_name;  /* NULL: it has none */
};

static enum err_code open_image(struct debug_file *file, struct err *err)
{
    struct state *s = mem_new(1, sizeof(*s));

    file->state = s;
    s->last.entry = NO_ID;
    return pe_debug_open(&s->pe, file, err);
}

static const struct r2r_image *image_of(struct debug_file *file)
{
    struct state *s = file->state;

    if (!s->opened)
        s->image = r2r_open(file->name, file->data, file->size, NULL);
    s->opened = true;
    return s->image;
}

static const char *name_of(struct state *s, const struct r2r_method *m)
{
    struct r2r_name name;

    if (s->last.entry != m->entry) {
        s->last = *m;
        s->last_name = r2r_name(s->image, m, TYPES_EVENT, &s->names, &name)
                           ? name.full
                           : NULL;
    }
    return s->last_name;
}

static size_t frames_at(struct debug_file *file, uint64_t rva,
                        struct debug_frame *frames, size_t max)
{
    const struct r2r_image *image = image_of(file);
    struct state *s = file->state;
    struct r2r_method m;

    if (!max || !image || rva > UINT32_MAX ||
        !r2r_find(image, (uint32_t)rva, &m) || !name_of(s, &m))
        return 0;
    frames[0] = (struct debug_frame){.function = name_of(s, &m)};
    return 1;
}

/* The bounds of the method, or of the piece of its cold part. */
static bool range_at(struct debug_file *file, uint64_t rva,
                     struct debug_range *range)
{
    const struct r2r_image *image = image_of(file);
    struct r2r_method m;
    struct pe_range piece;

    if (!image || rva > UINT32_MAX || !r2r_find(image, (uint32_t)rva, &m) ||
        !r2r_piece(image, (uint32_t)rva, &piece))
        return false;
    *range = (struct debug_range){piece.start, piece.end};
    if (rva >= m.start && rva < m.end)
        *range = (struct debug_range){m.start, m.end};
    return true;
}

static struct bytes code_at(struct debug_file *file, uint64_t rva)
{
    const struct state *s = file->state;

    return pe_code_at(&s->pe, rva);
}

static const char *flaw_of(const struct debug_file *file)
{
    const struct state *s = file->state;

    return r2r_is_cut(s->image) ? R2R_CUT : pe_flaw(&s->pe);
}

static void close_image(struct debug_file *file)
{
    struct state *s = file->state;

    r2r_close(s->image);
    arena_release(&s->names);
    free(s);
}

const struct debug_kind r2r_kind = {
    .name = "ready-to-run",
    .probe = r2r_probe,
    .open = open_image,
    .frames = frames_at,
    .close = close_image,
    .range = range_at,
    .code = code_at,
    .image = IMAGE_PE,
    .matches = pe_matches,
    .flaw = flaw_of,
};
