/*
 * same_content - tells a copy of a recording from another recording.
 *
 *     if (same_content("a.data", "copy.data"))
 *         leave_out("copy.data");
 *
 * Files of equal size are compared byte by byte; recordings that are folders
 * file by file. A file that cannot be read is no copy of anything.
 */
#ifndef TOPFN_CLI_SAME_CONTENT_H
#define TOPFN_CLI_SAME_CONTENT_H

#include <stdbool.h>

bool same_content(const char *a, const char *b);

#endif
