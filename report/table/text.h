/*
 * shorten - fits a label into the width of a column.
 *
 *     puts(shorten(label, 34, &arena));
 *
 *     System.Threading.WaitHandle.WaitOne
 *     S.T.WaitHandle.WaitOne
 *     …WaitHandle.WaitOne
 *     WaitOne
 *
 * Parameters shrink to (…) first, then template and generic arguments to
 * <…>, leading namespaces to their initials, then they go; "::" as well as dots.
 * The function's own name stays whole, even where that exceeds the width, and
 * of code without one its place in the module: "libz.so.1!+0x2f10", "+0x2f10".
 * Deterministic, linear in the label; the result is never longer than it.
 */
#ifndef TOPFN_REPORT_TEXT_H
#define TOPFN_REPORT_TEXT_H

#include "engine/base/arena.h"
#include "engine/base/out.h"

/* `label` itself, if it fits, or text in the arena. UTF-8. */
const char *shorten(const char *label, size_t width, struct arena *arena);

/* A path of a source file, perhaps with a line: leading folders go, the
 * file's own name stays whole. */
const char *shorten_path(const char *path, size_t width, struct arena *arena);

/* A module with a long name that is known by a short one: "[dynamic]". Other
 * names stay; a table cuts them in the middle. */
const char *shorten_module(const char *name, size_t width);

/*
 * wrap - head lines and messages in the width of a terminal.
 *
 *     wrap("app.etl · CPU samples · 6,810 samples in 13.21 s\n", 40, out);
 *
 * A line that is too long is broken behind " ·" where it has such parts, and a
 * part that is too long by itself at a blank: not at one between a number and
 * its unit or name, nor before or in an explanation in parentheses. The next
 * lines are indented by two. A word is never broken. Width 0 breaks nothing.
 */

/* Every line of `text`, which ends with a newline or not; so does what is
 * written. The text holds no control characters but newlines. */
void wrap(const char *text, size_t width, struct out *out);

/* One line of text, of which `indent` columns are printed already; the lines
 * that follow begin there. */
void wrap_from(const char *text, size_t indent, size_t width, struct out *out);

/*
 * xml - text in elements and attributes of XML.
 */

/* Escaped; what XML has no characters for, and what acts unseen, is shown as
 * in any text. */
void xml_text(struct out *out, const char *text);

#endif
