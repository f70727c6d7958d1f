#include "engine/format/etl/volumes.h"

#include <string.h>
#include <strings.h>

void volumes_add(struct volumes *v, const char *nt, const char *dos)
{
    if (!*nt)
        return;
    *vec_add(&v->list) = (struct volume){
        .nt = arena_strndup(&v->arena, nt, strlen(nt)),
        .dos = arena_strndup(&v->arena, dos, strlen(dos)),
    };
}

static int compare_volumes(const void *a, const void *b)
{
    const struct volume *x = a, *y = b;
    size_t nx = strlen(x->nt), ny = strlen(y->nt);

    if (nx != ny)
        return nx > ny ? -1 : 1;
    return strcasecmp(x->nt, y->nt);
}

void volumes_sort(struct volumes *v)
{
    if (v->list.len)
        qsort(v->list.data, v->list.len, sizeof(*v->list.data),
              compare_volumes);
}

void volumes_release(struct volumes *v)
{
    vec_release(&v->list);
    arena_release(&v->arena);
    map_release(&v->known);
}

static uint32_t map_path(const struct volumes *v, struct strings *strings,
                         uint32_t path)
{
    const char *text = strings_get(strings, path);

    for (size_t i = 0; i < v->list.len; i++) {
        const struct volume *volume = &v->list.data[i];
        size_t n = strlen(volume->nt);

        if (!strncasecmp(text, volume->nt, n))
            return strings_addf(strings, "%s%s", volume->dos, text + n);
    }
    return path;
}

uint32_t volumes_path(struct volumes *v, struct strings *strings,
                      uint32_t path)
{
    uint32_t mapped = map_get(&v->known, path, 0);

    if (mapped != MAP_NONE)
        return mapped;
    mapped = map_path(v, strings, path);
    map_set(&v->known, path, 0, mapped);
    return mapped;
}
