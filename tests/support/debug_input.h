/*
 * debug_input - a debug file from disk, opened for a test.
 *
 *     struct debug_input *in = debug_input_open("symbolic-linux", "crash");
 *     if (!in)
 *         skip...
 *     debug_input_close(in);
 */
#ifndef TOPFN_TESTS_DEBUG_INPUT_H
#define TOPFN_TESTS_DEBUG_INPUT_H

#include <stdio.h>

#include "symbols/debug.h"

struct debug_input {
    char path[1000];
    uint8_t *data;
    size_t size;
    struct debug_file *file;
};

/* A file in `folder` of the real symbol files, or at a path when that is
 * NULL. NULL when it is not there; a file that cannot be opened fails. */
struct debug_input *debug_input_open(const char *folder, const char *name);
void debug_input_close(struct debug_input *input);

FILE *debug_input_text(const char *folder, const char *name);

#endif
