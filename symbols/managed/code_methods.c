#include "symbols/managed/code_methods.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/path.h"
#include "symbols/find/places.h"

/*
 * Opens a composite image of .NET with the files of its components,
 * which have the names of its code.
 *
 * A component's file is beside the image or in a place, and of the build that
 * the image was made of.
 */

static bool take(struct composite *c, struct r2r_image *image, uint32_t i,
                 char *path, const struct places *places)
{
    struct found found = found_nothing(NULL);
    bool done = false;

    if (path_is_file(path))
        found = found_given(path, places, NULL);
    free(path);
    if (found.file)
        done = r2r_take_component(image, i, found.path, found.file->data,
                                  found.file->size);
    if (done)
        *vec_add(&c->files) = found;
    else
        found_release(&found);
    return done;
}

/* "System.Linq.dll"; NULL: such a name would lead elsewhere. */
static char *file_of(const struct r2r_image *image, uint32_t i)
{
    enum { MOST = 300 };
    char name[MOST];
    int n = snprintf(name, MOST, "%s.dll", r2r_component(image, i));
    char *last;

    if (n < 0 || n >= MOST)
        return NULL;
    last = path_last_part(name, (size_t)n);
    if (last && strcmp(last, name) != 0) {
        free(last);
        last = NULL;
    }
    return last;
}

void composite_open(struct composite *c, struct r2r_image *image,
                    const char *path, const struct places *places)
{
    enum { MOST = 4096 };
    char *folder = path_folder(path);

    for (uint32_t i = 0; i < r2r_components(image) && i < MOST; i++) {
        char *name = file_of(image, i);
        bool done = !name || take(c, image, i, path_join(folder, name), places);

        for (size_t k = 0; k < places->paths.len && !done; k++)
            done = take(c, image, i, path_join(places->paths.data[k], name),
                        places);
        free(name);
    }
    free(folder);
}

void composite_close(struct composite *c)
{
    for (size_t i = 0; i < c->files.len; i++)
        found_release(&c->files.data[i]);
    vec_release(&c->files);
}

bool code_find(const struct r2r_image *image, uint64_t rva, bool returns,
               struct r2r_method *m)
{
    if (rva > UINT32_MAX)
        return false;
    if (returns && rva && r2r_find(image, (uint32_t)rva - 1, m))
        return true;
    return r2r_find(image, (uint32_t)rva, m);
}

static const struct code_method *describe(struct code_methods *c,
                                          const struct r2r_image *image,
                                          const struct r2r_method *m,
                                          const struct code_method *given)
{
    struct code_method *method;
    struct r2r_name name;

    if (!r2r_name(image, m, c->style, &c->arena, &name))
        return NULL;
    method = arena_new(&c->arena, struct code_method, 1);
    *method = *given;
    method->size = m->end - m->start;
    method->space = name.space;
    method->name = name.name;
    method->signature = name.signature;
    method->full_name = name.full;
    method->token = name.token;
    if (name.assembly) {
        method->module = NO_ID;
        method->assembly = name.assembly;
    }
    return method;
}

const struct code_method *code_methods_get(struct code_methods *c,
                                           const struct r2r_image *image,
                                           const struct r2r_method *m,
                                           const struct code_method *given)
{
    uint32_t id = map_get(&c->ids, given->start, m->entry);
    const struct code_method *method;

    if (id != MAP_NONE)
        return c->list.data[id];
    method = describe(c, image, m, given);
    map_set(&c->ids, given->start, m->entry, (uint32_t)c->list.len);
    *vec_add(&c->list) = method;
    return method;
}

void code_methods_release(struct code_methods *c)
{
    map_release(&c->ids);
    vec_release(&c->list);
    arena_release(&c->arena);
}
