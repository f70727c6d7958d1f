/*
 * debug_code - what must hold for the answers of any debug file, however
 * broken.
 *
 *     debug_check_code(file, rva);
 *     debug_check_names(frames, n);
 */
#ifndef TOPFN_TESTS_DEBUG_CODE_H
#define TOPFN_TESTS_DEBUG_CODE_H

#include <stdlib.h>

#include "symbols/debug.h"

/* Aborts for a function that does not hold its address, or bytes that are not
 * the file's. */
static inline void debug_check_code(struct debug_file *file, uint64_t rva)
{
    struct bytes code = debug_code(file, rva);
    struct debug_range range;

    if (debug_range(file, rva, &range) &&
        (rva < range.start || rva >= range.end))
        abort();
    if (code.len && (code.data < file->data ||
                     code.data + code.len > file->data + file->size))
        abort();
}

/* The same for names: only a line of code may stand without one, alone. */
static inline void debug_check_names(const struct debug_frame *frames,
                                     size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (frames[i].function ? !*frames[i].function
                               : n != 1 || !frames[i].file)
            abort();
}

#endif
