/*
 * module_lines - where the source lines of a managed module come from, or why
 * there are none; a part of what `topfn symbols` writes.
 *
 *     lines   Orders.pdb, for 97 of 130 addresses; 20 in methods without an
 *             IL map
 */
#ifndef TOPFN_MODULE_LINES_H
#define TOPFN_MODULE_LINES_H

#include "engine/base/out.h"
#include "symbols/managed.h"

/* One line of text, without its end. */
void module_lines_text(const struct lines_search *search, struct out *out);

/* The members of an object, without its braces. */
void module_lines_json(const struct lines_search *search, struct out *out);

#endif
