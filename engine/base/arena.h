/*
 * arena - memory that is given back all at once.
 *
 *     struct arena arena = {0};
 *     struct node *nodes = arena_new(&arena, struct node, count);
 *     ...
 *     arena_release(&arena);
 *
 * Two lifetimes cover nearly everything: the profile's arena, and a scratch
 * arena reset after each record or report. The header of a function that
 * returns arena memory says which one. Allocation cannot fail (mem.h).
 */
#ifndef TOPFN_ARENA_H
#define TOPFN_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena_block;

struct arena {
    struct arena_block *blocks; /* newest first */
    char *next;                 /* free space of the newest block */
    size_t left;
};

/* Zeroed memory for `count` objects of `type`. */
#define arena_new(a, type, count)                                              \
    ((type *)arena_alloc(a, count, sizeof(type), _Alignof(type)))

void *arena_alloc(struct arena *arena, size_t count, size_t size, size_t align);

/* A copy of `n` bytes, not terminated. */
void *arena_copy(struct arena *arena, const void *bytes, size_t n);

/* A copy of `n` characters, terminated. */
char *arena_strndup(struct arena *arena, const char *text, size_t n);

/* Formats as printf does. */
char *arena_fmt(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Forgets everything but keeps the largest block for reuse. */
void arena_reset(struct arena *arena);

void arena_release(struct arena *arena);

#endif
