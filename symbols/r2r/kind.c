/*
 * A precompiled .NET image as names for its own addresses: of the methods
 * that own them.
 */
#include <stdlib.h>

#include "symbols/kinds.h"
#include "symbols/r2r/image.h"

struct state {
    struct r2r_image *image;
    struct arena names;
    struct r2r_method last; /* addresses come sorted: asked for again */
    const char *last_name;  /* NULL: it has none */
};

static enum err_code open_image(struct debug_file *file, struct err *err)
{
    struct state *s = mem_new(1, sizeof(*s));
    struct pe_codeview cv;

    file->state = s;
    s->image = r2r_open(file->name, file->data, file->size, err);
    if (!s->image)
        return err->code;
    s->last.entry = NO_ID;
    file->identity.timestamp = r2r_pe(s->image)->timestamp;
    file->identity.image_size = r2r_pe(s->image)->image_size;
    file->machine = pe_debug_machine(r2r_pe(s->image));
    if (pe_codeview(r2r_pe(s->image), &cv)) {
        memcpy(file->identity.guid, cv.guid, sizeof(cv.guid));
        file->identity.age = cv.age;
    }
    return ERR_NONE;
}

static const char *name_of(struct state *s, const struct r2r_method *m)
{
    struct r2r_name name;

    if (s->last.entry != m->entry) {
        s->last = *m;
        s->last_name =
            r2r_name(s->image, m, TYPES_EVENT, &s->names, &name) ? name.full : NULL;
    }
    return s->last_name;
}

static size_t frames_at(struct debug_file *file, uint64_t rva,
                        struct debug_frame *frames, size_t max)
{
    struct state *s = file->state;
    struct r2r_method m;

    if (!max || rva > UINT32_MAX || !r2r_find(s->image, (uint32_t)rva, &m) ||
        !name_of(s, &m))
        return 0;
    frames[0] = (struct debug_frame){.function = name_of(s, &m)};
    return 1;
}

static bool range_at(struct debug_file *file, uint64_t rva,
                     struct debug_range *range)
{
    const struct state *s = file->state;
    struct pe_range piece;

    if (rva > UINT32_MAX || !r2r_piece(s->image, (uint32_t)rva, &piece))
        return false;
    *range = (struct debug_range){piece.start, piece.end};
    return true;
}

static struct bytes code_at(struct debug_file *file, uint64_t rva)
{
    const struct state *s = file->state;

    return rva > UINT32_MAX ? (struct bytes){NULL, 0}
                            : pe_code_at(r2r_pe(s->image), (uint32_t)rva);
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
};
