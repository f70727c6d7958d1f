/*
 * module_managed - what `topfn symbols` writes of managed modules alone:
 * where the image was found to lie, and where source lines come from, or why
 * there are none.
 *
 *     code    at 0x7f0000450000, inferred from 8 calls: names of 10 addresses
 *     lines   Orders.pdb, for 97 of 130 addresses; 20 in methods without an
 *             IL map
 */
#ifndef TOPFN_MODULE_MANAGED_H
#define TOPFN_MODULE_MANAGED_H

#include "engine/base/json.h"
#include "symbols/naming.h"

/* A line for every place of the module's code. */
void module_code_text(const struct code_log *log, uint32_t module,
                      struct out *out);
/* The member "code". */
void module_code_json(const struct code_log *log, uint32_t module,
                      struct json *json);

/* One line of text, without its end. */
void module_lines_text(const struct lines_search *search, struct out *out);

/* The member "lines", null when nobody searched (NULL). */
void module_lines_json(const struct lines_search *search, struct json *json);

#endif
