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

void unnamed_fold(struct profile *p)
{
    size_t n = p->functions.len;
    uint32_t *ids = mem_new(n, sizeof(*ids));
    struct map folds = {0};

    for (uint32_t i = 0; i < n; i++) {
        struct function f = p->functions.data[i];

        ids[i] = f.name ? i : fold_of(p, &folds, &f);
    }
    for (size_t i = 0; i < p->frames.len; i++)
        p->frames.data[i].function = ids[p->frames.data[i].function];
    labels_forget(p->labels);
    map_release(&folds);
    free(ids);
}
