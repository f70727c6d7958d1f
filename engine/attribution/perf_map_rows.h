/*
 * perf_map_rows - the rows of text lists of generated code.
 *
 *     START SIZE NAME      hexadecimal, with or without 0x; NAME to the end
 *
 *     struct perf_map_row row;
 *     for (size_t at = 0; perf_map_next(data, size, &at, &row);)
 *         use(row.start, row.name);
 *
 * perf-PID.map has absolute addresses and grows while a program runs: where
 * rows overlap the later one holds. A size of 0 reaches to the next row.
 */
#ifndef TOPFN_PERF_MAP_ROWS_H
#define TOPFN_PERF_MAP_ROWS_H

#include "engine/base/reader.h"

struct perf_map_row {
    uint64_t start, size;
    struct bytes name; /* not empty, also as text in C */
};

/* The first row at or behind *at, which moves behind it; lines that are none
 * are skipped. False at the end. */
bool perf_map_next(const uint8_t *data, size_t size, size_t *at,
                   struct perf_map_row *row);

/* True if the first line is a row: there is no magic number. */
bool perf_map_probe(const uint8_t *data, size_t size);

#endif
