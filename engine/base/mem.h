/*
 * mem - the heap, with one policy for running out.
 *
 * Allocation never returns NULL. When memory runs out (or a size overflows)
 * the handler is called; it must not return. The program installs one that
 * prints a message and exits; a test installs one that jumps.
 */
#ifndef TOPFN_MEM_H
#define TOPFN_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void mem_handler(size_t wanted);

/* The handler must not return; NULL restores the default, abort(). */
void mem_set_handler(mem_handler *handler);

/* Zeroed memory for `count` things of `size` bytes; release with free(). */
void *mem_new(size_t count, size_t size);

/* The same for a table that is looked up at random. A large one lies in huge
 * pages where the system has them: that saves 8 % of the time of `top` on a
 * perf.data of 280,000 chains of frame pointers. */
void *mem_new_table(size_t count, size_t size);

/* Resizes; what is beyond the old size is not zeroed. */
void *mem_resize(void *old, size_t count, size_t size);

/* For vectors: makes room for `need` elements, at least doubling. Returns
 * the new block and updates *cap. */
void *mem_grow(void *old, size_t *cap, size_t need, size_t size);

/* Call before several recordings are read: large blocks go back to the system
 * when they are freed. Otherwise the heap keeps up to 64 MiB of them, and holes
 * between them that no other block fits in. */
void mem_return_freed(void);

/* Reports that `wanted` bytes were not to be had. Does not return. */
_Noreturn void mem_exhausted(size_t wanted);

/* After a call of the system or of a library that failed: does not return
 * where errno says that it was for want of memory. */
void mem_check_errno(void);

/* The id of the next element of a table that has `len`. Ids are 32 bits and
 * the largest stands for none, so a table that would need more is treated as
 * memory running out: ids never wrap. */
static inline uint32_t mem_next_id(size_t len)
{
    if (len >= UINT32_MAX)
        mem_exhausted(len);
    return (uint32_t)len;
}

/* For tests: the nth allocation from now fails; 0 switches that off. */
void mem_fail_at(unsigned long nth);

#endif
