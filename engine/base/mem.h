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

/* At a program's start: large blocks become mappings of their own, which go
 * back to the system when they are freed. Else some of them stay, in holes that
 * the next one does not fit. What smaller ones leave is kept for the next, as
 * to have pages from the system takes longer than to fill them. */
void mem_map_large(void);

/* Before several things are done side by side that each need much: what one
 * leaves goes back to the system, as another may need it elsewhere. */
void mem_keep_little(void);

/* Zeroed memory for `count` things of `size` bytes; release with free(). */
void *mem_new(size_t count, size_t size);

/* The same, for tables that are looked up at random while they fill: all pages
 * are there at once. Else each would come twice, as one of zeros when a slot is
 * read and as its own when it is written, of which all cores have to hear. */
void *mem_new_table(size_t count, size_t size);

/* A line of the cache is one core's at a time when it is written: what threads
 * write side by side must not share one, or each waits for the other without
 * anybody seeing why. The first member of a struct that is declared so begins a
 * pair of lines, as processors fetch these together; so does each of an array
 * that mem_new_apart makes. */
#define MEM_APART _Alignas(128)

/* Zeroed memory for `count` structs with a member that is MEM_APART. */
void *mem_new_apart(size_t count, size_t size);

/* Resizes; what is beyond the old size is not zeroed. */
void *mem_resize(void *old, size_t count, size_t size);

/* The same for what is filled from its beginning: of `used` things a copy is
 * made, so that all pages of a large block are huge ones. That takes less time
 * than to have as many small ones as it grows by. */
void *mem_enlarge(void *old, size_t used, size_t count, size_t size);

/* For vectors: makes room for `need` elements, at least doubling. Returns
 * the new block and updates *cap. */
void *mem_grow(void *old, size_t *cap, size_t need, size_t size);

/* What is at `at` comes into the cache, as it is used soon; it may lie beyond
 * what can be read. The empty statement is for gcc 12, which takes functions
 * that only fetch to have no effect and drops their calls. */
static inline void mem_fetch(const void *at)
{
    __builtin_prefetch(at);
    __asm__ volatile("");
}

/* The same of what is written soon, which other cores may have. */
static inline void mem_fetch_to_write(void *at)
{
    __builtin_prefetch(at, 1);
    __asm__ volatile("");
}

/* As mem_fetch, of so many bytes, a line of the cache each. */
static inline void mem_fetch_lines(const void *at, size_t bytes)
{
    enum { LINE = 64 };

    for (size_t i = 0; i < bytes; i += LINE)
        mem_fetch((const char *)at + i);
}

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
