/*
 * crash - what was being tried when the program crashed or hung.
 *
 *     crash_watch();
 *     crash_note("a.etl", "cut at", 17, bytes, 17);
 *     try(bytes, 17);
 *
 * A crash, a sanitizer's verdict or crash_note's time limit prints the last
 * note and leaves its bytes in ./crash-replay, which a fuzz target replays.
 */
#ifndef TOPFN_TESTS_CRASH_H
#define TOPFN_TESTS_CRASH_H

#include <stdbool.h>
#include <stddef.h>

void crash_watch(void);

/* Starts one try, of a few seconds at most; `data` stays the caller's and
 * must outlive it. */
void crash_note(const char *name, const char *how, size_t number,
                const void *data, size_t size);

/* The last try came to its end. */
void crash_clear(void);

/* True if this program has a sanitizer: then its address space does not show
 * its memory. */
bool crash_sanitized(void);

#endif
