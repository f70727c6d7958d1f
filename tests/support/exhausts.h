/*
 * exhausts - whether a statement runs out of memory.
 *
 *     mem_fail_at(3);
 *     ck_assert(exhausts(build(&thing)));
 *
 * It leaks what the statement had allocated; with LeakSanitizer release that
 * or free the whole thing after.
 */
#ifndef TOPFN_TESTS_EXHAUSTS_H
#define TOPFN_TESTS_EXHAUSTS_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

#include "engine/base/mem.h"

/* Fires on loop variables that nothing changes between the two jumps. */
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wclobbered"
#endif

static jmp_buf exhausts_jump;
static size_t exhausts_wanted; /* what the handler was told */

static inline void exhausts_handler(size_t wanted)
{
    exhausts_wanted = wanted;
    longjmp(exhausts_jump, 1);
}

#define exhausts(statement)                                                    \
    (mem_set_handler(exhausts_handler),                                        \
     setjmp(exhausts_jump) ? true : ((void)(statement), false))

#endif
