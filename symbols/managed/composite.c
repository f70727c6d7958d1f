#include "symbols/managed/composite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/find/folder.h"
#include "symbols/find/places.h"

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
    struct bytes text = {(const uint8_t *)name, (size_t)n};
    char *last;

    if (n < 0 || n >= MOST)
        return NULL;
    last = path_last_part(text);
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
        bool done =
            !name || take(c, image, i, path_join(folder, name), places);

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
