/*
 * symbols_bin - names that Visual Studio saved beside a trace.
 *
 *     struct symbols_bin *bin = symbols_bin_open(name, data, size, p, &err);
 *     if (bin && symbols_bin_find(bin, asked, &frame, &start))
 *         use(frame.function, frame.line, start);
 *     symbols_bin_close(bin);
 */
#ifndef TOPFN_SYMBOLS_BIN_H
#define TOPFN_SYMBOLS_BIN_H

#include "symbols/name_source.h"
#include "symbols/debug.h"

struct symbols_bin;

/* Modules are matched by process and base, so the profile must be attributed.
 * NULL when it cannot be read. The bytes are not needed later. */
struct symbols_bin *symbols_bin_open(const char *name, const uint8_t *data,
                                     size_t size, const struct profile *p,
                                     struct err *err);
void symbols_bin_close(struct symbols_bin *c);

#endif
