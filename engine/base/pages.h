/*
 * pages - the memory of a file that is mapped.
 *
 *     pages_forget(data + from, n);
 *
 * A pass over a large file makes all of it count as memory of this process.
 * pages_forget gives back the pages that are wholly inside; they come again
 * when they are read. Only for a mapping of a file that nobody writes to: other
 * memory would become zeros.
 */
#ifndef TOPFN_PAGES_H
#define TOPFN_PAGES_H

#include <stddef.h>
#include <stdint.h>

void pages_forget(const uint8_t *from, size_t n);

#endif
