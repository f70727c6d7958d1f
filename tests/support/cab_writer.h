/*
 * cab_writer - small cabinets, each file stored or packed (MSZIP).
 *
 *     struct blob cab = {0};
 *     cab_make(&cab, bytes, n, true);
 *     free(cab.data);
 *
 * A cabinet has one folder. Blocks of 32,768 bytes; those of MSZIP do not
 * refer to each other.
 */
#ifndef TOPFN_TESTS_CAB_WRITER_H
#define TOPFN_TESTS_CAB_WRITER_H

#include <stdbool.h>

#include "tests/support/blob.h"

/* Where the header says how large the file and where the first block is. */
enum { CAB_FILE_SIZE = 44, CAB_FIRST_BLOCK = 36 };

void cab_make(struct blob *cab, const void *bytes, size_t n, bool packed);

#endif
