/*
 * shorten - a label in a column of so many places.
 *
 *     puts(shorten(label, 34, &arena));
 *
 *     System.Threading.WaitHandle.WaitOne
 *     S.T.WaitHandle.WaitOne
 *     …WaitHandle.WaitOne
 *     WaitOne
 *
 * Parameters shrink to (…) first, then template and generic arguments to <…>,
 * leading namespaces to their initials, then they go; "::" as well as dots.
 * The function's own name stays whole, even where that exceeds the width.
 * Deterministic, linear in the label; the result is never longer than it.
 */
#ifndef TOPFN_SHORTEN_H
#define TOPFN_SHORTEN_H

#include "engine/base/arena.h"

/* `label` itself, if it fits, or text in the arena. UTF-8. */
const char *shorten(const char *label, size_t width, struct arena *arena);

/* Places that `n` bytes of UTF-8 take on a terminal: two for those of East
 * Asian scripts, none for marks that combine. */
size_t text_width(const char *text, size_t n);

#endif
