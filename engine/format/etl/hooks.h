/*
 * hooks - the kinds of kernel events: group << 8 | type.
 *
 * One row each, of what everybody meets and of all that is read: its name in
 * counts, what is made of it, and what it says of a thing's life where it is
 * about one. A kind without a row is counted. (format.md, section 4)
 */
#ifndef TOPFN_ETL_HOOKS_H
#define TOPFN_ETL_HOOKS_H

#include <stdint.h>

#include "engine/attribution/observations.h"

enum etl_use {
    USE_COUNT,
    /* Decoded at once. */
    USE_SAMPLE,
    USE_STACK,
    USE_KERNEL_KEY, /* of a stack's part of that mode */
    USE_USER_KEY,
    USE_DEFINITION,
    USE_COUNTER, /* a sample of one */
    /* Kept as records from here on, and read when all are in. */
    USE_PROCESS,
    USE_DEFUNCT, /* a process, whose end has been told */
    USE_THREAD,
    USE_THREAD_NAME,
    USE_IMAGE,
    USE_HYPERCALL_PAGE,
    USE_CPU_CONFIG,
    USE_GROUP_MASKS,
    USE_INTERVAL, /* of sampling: a change, or that at the end */
    USE_INTERVAL_AT_START,
};

struct etl_hook {
    uint16_t hook;
    const char *name; /* "PerfInfo/SampleProf" */
    enum etl_use use;
    enum observed_event life; /* of a process, a thread or an image */
};

enum { ETL_HOOKS = 65536, ETL_NAME_SIZE = 128 };

/* "PerfInfo/SampleProf", "Process/0x27". */
void etl_hook_name(uint16_t hook, char name[ETL_NAME_SIZE]);

/* NULL: a kind without a row. */
const struct etl_hook *etl_hook_find(uint16_t hook);

/* The uses of kinds, up to behind that of the last row. */
enum { ETL_HOOK_ROWS_END = 0x1827 };

extern const uint8_t etl_hook_uses[ETL_HOOK_ROWS_END];

/* The use of any kind. */
static inline enum etl_use etl_hook_use(uint16_t hook)
{
    return hook < ETL_HOOK_ROWS_END ? etl_hook_uses[hook] : USE_COUNT;
}

#endif
