/*
 * page_source - source lines and instructions of functions, for a page.
 *
 *     page_source(&data, sides, 2, unit_of);
 *
 * Of each side its functions, most important first, its finder of sources and
 * its `annotated`, by function, of which there may be none. Packed JSON by
 * function of the page; the side is 0 of BEFORE and of one side alone:
 *
 *     [{"function": 7, "side": 0,
 *       "files": [{"file": "/src/a.c", "found": "src/a.c",
 *                  "lines": [[12, 40, 90, "x += step(x);"]]}],
 *       "code": [{"name": "work in a.exe",
 *                 "lines": [[4144, 10, 12, "a.c", "mov eax, [rcx]"]]}]}]
 *
 * A line is its number, samples in it and in what it calls, and its text; an
 * instruction its address, samples, and the line it is of. Counts are null
 * where a line is context. Functions are left out from the last on until the
 * whole fits into PAGE_SOURCE_MOST, and a line has LINE_MOST bytes.
 */
#ifndef TOPFN_PAGE_SOURCE_H
#define TOPFN_PAGE_SOURCE_H

#include "report/page/page_data.h"
#include "report/report.h"

/* Of a tree that is made. `unit_of`: of two sides by side the units of their
 * functions (diff/pair.h); of one NULL. */
void page_source(struct page_data *data, const struct subject *sides,
                 size_t count, const uint32_t *const unit_of[]);

#endif
