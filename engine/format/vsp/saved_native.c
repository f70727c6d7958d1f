/* Saved names and lines of native code: tables of sampled modules only.
 * Layouts: saved.c. */
#include <stdlib.h>
#include <string.h>

#include "engine/base/bisect.h"
#include "engine/format/vsp/saved_impl.h"
#include "engine/format/vsp/vsp.h"

enum { NATIVE_SIZE = 32, LINE_SIZE = 12 };

static int compare_native(const void *a, const void *b)
{
    const struct saved_native *x = a, *y = b;

    return (x->rva > y->rva) - (x->rva < y->rva);
}

static int compare_lines(const void *a, const void *b)
{
    const struct saved_line *x = a, *y = b;

    return (x->rva > y->rva) - (x->rva < y->rva);
}

static void load_natives(struct vsp_saved *s, struct saved_module *m)
{
    const uint8_t *e =
        m->native_count
            ? saved_table(s, m->native_at, m->native_count, NATIVE_SIZE)
            : NULL;

    for (uint64_t i = 0; e && i < m->native_count; i++, e += NATIVE_SIZE) {
        struct saved_native n = {
            .rva = load_u32(e),
            .length = load_u32(e + 8),
            .line = (int32_t)load_u32(e + 16),
            .name = (int32_t)load_u32(e + 20),
            .file = (int32_t)load_u32(e + 24),
            .start = load_u32(e + 28),
        };

        if (n.rva == n.start)
            *vec_add(&m->functions) = n;
        else
            *vec_add(&m->addresses) = n;
    }
    if (m->functions.len)
        qsort(m->functions.data, m->functions.len, sizeof(*m->functions.data),
              compare_native);
    if (m->addresses.len)
        qsort(m->addresses.data, m->addresses.len, sizeof(*m->addresses.data),
              compare_native);
}

static void load_lines(struct vsp_saved *s, struct saved_module *m)
{
    const uint8_t *e =
        m->line_count ? saved_table(s, m->line_at, m->line_count, LINE_SIZE)
                      : NULL;

    for (uint64_t i = 0; e && i < m->line_count; i++, e += LINE_SIZE)
        *vec_add(&m->lines) = (struct saved_line){load_u32(e), load_u32(e + 8)};
    if (m->lines.len)
        qsort(m->lines.data, m->lines.len, sizeof(*m->lines.data),
              compare_lines);
}

struct saved_module *saved_find(struct vsp_saved *s, const char *path,
                                uint32_t image_size, uint32_t timestamp)
{
    uint32_t id = strings_fold(s->paths,
                               strings_add(s->paths, path, strlen(path)));
    uint32_t i = map_get(&s->by_path, id, 0);
    struct saved_module *m;

    if (i == MAP_NONE)
        return NULL;
    m = &s->modules.data[i];
    if (m->image_size != image_size || m->timestamp != timestamp)
        return NULL;
    if (!m->loaded) {
        m->loaded = true;
        load_natives(s, m);
        load_lines(s, m);
    }
    return m;
}

/* The last of `list` that is not above `rva`. */
static const struct saved_native *at_or_before(const struct saved_native *list,
                                               size_t n, uint32_t rva)
{
    size_t i;

    BISECT(i, n, list[i].rva <= rva);
    return i ? &list[i - 1] : NULL;
}

bool saved_native(struct vsp_saved *s, struct saved_module *m, uint32_t rva,
                  struct saved_native *found)
{
    const struct saved_native *a =
        at_or_before(m->addresses.data, m->addresses.len, rva);
    const struct saved_native *f =
        at_or_before(m->functions.data, m->functions.len, rva);

    if (a && a->rva == rva && saved_text(s, a->name).len)
        *found = *a;
    else if (f && (f->rva == rva || rva - f->rva < f->length) &&
             saved_text(s, f->name).len)
        *found = *f;
    else
        return false;
    return true;
}

uint32_t saved_line_of(const struct saved_module *m, uint32_t rva)
{
    struct saved_line key = {rva, 0}, *found;

    if (!m->lines.len)
        return 0;
    found = bsearch(&key, m->lines.data, m->lines.len, sizeof(key),
                    compare_lines);
    return found ? found->line : 0;
}
