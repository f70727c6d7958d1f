/*
 * wrap - head lines and messages in the width of a terminal.
 *
 *     wrap("app.etl · CPU samples · 6,810 samples in 13.21 s\n", 40, out);
 *
 * A line that is too long is broken behind " ·" where it has such parts, a
 * part that is too long by itself at a blank; what follows is indented by
 * two. A word is never broken. Width 0 breaks nothing.
 */
#ifndef TOPFN_WRAP_H
#define TOPFN_WRAP_H

#include "engine/base/out.h"

/* Every line of `text`, which ends with a newline or not; so does what is
 * written. The text holds no control characters but newlines. */
void wrap(const char *text, size_t width, struct out *out);

#endif
