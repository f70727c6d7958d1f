#include "engine/model/unnamed.h"

#include <string.h>

static uint32_t add_fold(struct profile *p, struct map *folds,
                         const struct function *unnamed)
{
    uint32_t fresh = mem_next_id(p->functions.len);
    uint32_t module = strings_fold(p->strings, unnamed->module);
    uint32_t id = map_add(folds, module, 0, fresh);
    const char *name = unnamed->module ? NAME_NO_SYMBOLS : NAME_UNKNOWN;
    struct function fold = *unnamed;

    map_set(folds, unnamed->module, 0, id);
    if (id != fresh)
        return id;
    fold.name = strings_add(p->strings, name, strlen(name));
    fold.address = 0;
    *vec_add(&p->functions) = fold;
    return id;
}

/* The function that stands for unnamed code of a module, by the module's name
 * as it was met and in lower case; added if new. */
static uint32_t fold_of(struct profile *p, struct map *folds,
                        const struct function *unnamed)
{
    uint32_t id = map_get(folds, unnamed->module, 0);

    return id == MAP_NONE ? add_fold(p, folds, unnamed) : id;
}

/* Of a location that profile_finish left without. */
static uint32_t fold_at(struct profile *p, struct map *folds, uint32_t location)
{
    struct function unnamed = profile_plain_function(p, location);

    return fold_of(p, folds, &unnamed);
}

void unnamed_fold_all(struct profile *p)
{
    size_t n = p->functions.len;
    uint32_t *ids = mem_new(n, sizeof(*ids));
    const uint32_t *start = p->frame_start.data;
    struct map folds = {0};

    for (uint32_t i = 0; i < n; i++) {
        struct function f = p->functions.data[i];

        ids[i] = f.name ? i : fold_of(p, &folds, &f);
    }
    for (uint32_t l = 0; l < p->locations.len; l++) {
        for (uint32_t i = start[l]; i < start[l + 1]; i++) {
            uint32_t *function = &p->frames.data[i].function;

            *function =
                *function == NO_ID ? fold_at(p, &folds, l) : ids[*function];
        }
    }
    labels_forget(p->labels);
    map_release(&folds);
    free(ids);
}

void unnamed_fold(struct profile *p)
{
    for (size_t i = 0; i < p->functions.len; i++) {
        if (!p->functions.data[i].name) {
            unnamed_fold_all(p);
            return;
        }
    }
}
