/*
 * volumes - from kernel paths to the paths a person knows.
 *
 * \Device\HarddiskVolume2\Windows\x.dll becomes C:\Windows\x.dll by the
 * longest prefix that the log maps, without regard to case.
 */
#ifndef TOPFN_ETL_VOLUMES_H
#define TOPFN_ETL_VOLUMES_H

#include "engine/base/arena.h"
#include "engine/base/map.h"
#include "engine/base/strings.h"
#include "engine/base/vec.h"

struct volume {
    const char *nt, *dos;
};

struct volumes {
    VEC(struct volume) list; /* longest NT prefix first, once sorted */
    struct arena arena;
    struct map known; /* path -> mapped path: every process has the same */
};

void volumes_add(struct volumes *volumes, const char *nt, const char *dos);
void volumes_sort(struct volumes *volumes);
void volumes_release(struct volumes *volumes);

/* The string id of the mapped path; `path` itself when nothing maps it. */
uint32_t volumes_path(struct volumes *volumes, struct strings *strings,
                      uint32_t path);

#endif
