/*
 * call_site - what a caller's address on a stack must look like.
 *
 *     is_call_site("/usr/bin/sort", 0x6eff);
 *
 * Callers are where calls return to: right behind a call instruction. A walk
 * that lost its way finds other addresses, but for the one in some hundred
 * whose bytes before look like a call.
 */
#ifndef TOPFN_TESTS_CALL_SITE_H
#define TOPFN_TESTS_CALL_SITE_H

#include <stdbool.h>
#include <stdint.h>

/* `at` is an offset in the file; x64. Also true of what signal handlers return
 * to, and of what cannot be read, as [vdso]; false where there is no file at
 * all, the path being empty. */
bool is_call_site(const char *path, uint64_t at);

#endif
