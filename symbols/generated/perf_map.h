/*
 * perf_map - text lists of generated code: perf-PID.map, *.ni.r2rmap.
 *
 * Rows are those of perf_map_rows.h. Maps of precompiled .NET images have
 * RVAs, and first rows from FFFFFFFB to FFFFFFFF that describe the file;
 * FFFFFFFF gives its signature, which becomes the identity's guid. Lines that
 * are neither are skipped.
 */
#ifndef TOPFN_PERF_MAP_H
#define TOPFN_PERF_MAP_H

#include "symbols/debug.h"

#endif
