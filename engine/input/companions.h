/*
 * companions - logs that belong to a recording and lie beside it.
 *
 * A recording of Visual Studio's profiler names the ETL logs that were made
 * with it (trace_format.h, `companions`). traces_open looks for each: at the
 * path as it is written, in the current folder, in the folder of the
 * recording. The path comes from a stranger: a file outside of these two
 * folders is opened only if the user said so.
 */
#ifndef TOPFN_COMPANIONS_H
#define TOPFN_COMPANIONS_H

#include <stdbool.h>
#include <stddef.h>

enum { LONGEST_PATH = 4096 };

enum companion_place {
    COMPANION_FOUND,
    COMPANION_ABSENT,
    COMPANION_OUTSIDE, /* it is there, where only `anywhere` would open it */
};

/* Where the file named `wanted` by the recording at `recording` is: `found`
 * is set if it was found, or is outside. */
enum companion_place companion_find(const char *wanted, const char *recording,
                                    bool anywhere, char found[LONGEST_PATH]);

#endif
