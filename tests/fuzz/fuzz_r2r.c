/* A precompiled image: every method, by its entry and by its address. */
#include "symbols/managed/r2r/image.h"
#include "tests/fuzz/target.h"

enum { ENTRIES = 2000, TEXTS_MAX = 2 * 4096 + 3 };

static void name_it(const struct r2r_image *image, const struct r2r_method *m,
                    enum type_style style, struct arena *arena)
{
    struct r2r_name name;

    if (r2r_name(image, m, style, arena, &name) &&
        (!*name.name || strlen(name.full) > TEXTS_MAX + strlen(name.name)))
        abort();
}

static void look_at(const struct r2r_image *image, uint32_t entry,
                    struct arena *arena)
{
    struct r2r_method m, found;

    if (!r2r_method(image, entry, &m))
        abort();
    if (r2r_find(image, m.start, &found) && found.entry >= r2r_count(image))
        abort();
    r2r_follows_call(image, m.start + 16);
    name_it(image, &m, TYPES_EVENT, arena);
    name_it(image, &m, TYPES_MAP, arena);
    arena_reset(arena);
}

FUZZ(r2r)
{
    struct r2r_image *image = r2r_open("fuzz.dll", data, size, NULL);
    struct arena arena = {0};
    struct r2r_method m;

    if (image && r2r_components(image)) {
        (void)r2r_take_component(image, 0, "fuzz.dll", data, size);
        (void)r2r_component(image, 0);
    }
    if (image && r2r_owner(image) && strlen(r2r_owner(image)) > size)
        abort();
    for (uint32_t i = 0; image && i < r2r_count(image) && i < ENTRIES; i++)
        look_at(image, i, &arena);
    for (uint32_t i = 0; image && i < 20; i++)
        r2r_row(image, i, &m);
    arena_release(&arena);
    r2r_close(image);
    return 0;
}
