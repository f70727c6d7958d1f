/*
 * module_names - of each module with sampled addresses: where its names come
 * from, and what was tried. Written by `topfn symbols`.
 *
 *     samples  unnamed  module     names
 *          75        5  app.exe    pdb/app.pdb
 *          15       15  other.dll  identity mismatch: pdb/other.pdb
 *
 * With a module to explain: the identity wanted and every probe. JSON:
 * schema "topfn.symbols/1", always with both; CSV and Markdown have the rows.
 */
#ifndef TOPFN_REPORT_MODULE_NAMES_H
#define TOPFN_REPORT_MODULE_NAMES_H

#include "engine/analysis/filter.h"
#include "engine/base/json.h"
#include "report/report.h"
#include "symbols/naming.h"

struct module_row {
    uint32_t module;
    uint64_t samples; /* taken in it */
    uint64_t unnamed; /* of these */
    uint32_t cause;   /* enum name_cause, of addresses without a name */
    const struct module_search *search; /* NULL: not looked for */
    const struct lines_search *lines;   /* NULL: no managed code */
};

struct module_names {
    const struct profile *p;
    const struct code_log *code;
    struct module_row *rows; /* most unnamed samples first */
    size_t count;
};

/* `log` must live as long. */
struct module_names module_names_new(const struct profile *p,
                                     const struct selection *sel,
                                     const struct naming_log *log);
void module_names_release(struct module_names *names);

static inline const char *names_string(const struct module_names *names,
                                       uint32_t id)
{
    return strings_get(names->p->strings, id);
}

static inline const struct module *names_module(
    const struct module_names *names, const struct module_row *row)
{
    return &names->p->modules.data[row->module];
}

/* The file in use if others that it refers to are not at hand; else NULL. */
const struct found *names_lost(const struct module_row *row);

/* By its name or that of its file, case ignored. */
bool module_names_has(const struct module_names *names, const char *module);

struct names_subject {
    struct subject subject;
    const struct module_names *names;
    const char *explain; /* in text: this module only, and all about it */
};

/* Its subject is a names_subject's. */
extern const struct report symbols_report;

static inline const struct names_subject *names_subject(
    const struct subject *subject)
{
    return (const struct names_subject *)subject;
}

/*
 * module_managed - what `topfn symbols` writes of managed modules alone:
 * where the image was found to lie, and where source lines come from, or why
 * there are none.
 *
 *     code    at 0x7f0000450000, inferred from 8 calls: names of 10 addresses
 *     lines   Orders.pdb, for 97 of 130 addresses; 20 in methods without an
 *             IL map
 */

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
