/*
 * perf_map - text lists of generated code: perf-PID.map, *.ni.r2rmap.
 *
 *     START SIZE NAME      hexadecimal, with or without 0x; NAME to the end
 *
 * perf-PID.map has absolute addresses and grows while a program runs: where
 * entries overlap the later one holds. A size of 0 reaches to the next entry.
 * Maps of precompiled .NET images have RVAs, and first rows from FFFFFFFB to
 * FFFFFFFF that describe the file; FFFFFFFF gives its signature, which
 * becomes the identity's guid. Lines that are neither are skipped.
 */
#ifndef TOPFN_PERF_MAP_H
#define TOPFN_PERF_MAP_H

#include "symbols/kinds.h"

#endif
