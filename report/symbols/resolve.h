/*
 * resolve - functions, files and lines of addresses of one image.
 *
 * Text, one address a line, innermost function first:
 *
 *     0x1010  mix  app.c:12
 *             inlined into mix_twice  app.c:20
 *
 * CSV and Markdown have a row for each function of an address. JSON: schema
 * "topfn.resolve/1".
 */
#ifndef TOPFN_REPORT_RESOLVE_H
#define TOPFN_REPORT_RESOLVE_H

#include "engine/base/vec.h"
#include "report/report.h"
#include "symbols/find/module.h"
#include "symbols/names/demangle.h"

struct resolved_row {
    uint64_t rva;
    uint32_t first, count; /* of frames; none: not known */
};

/* Strings of frames belong to the debug files. */
struct resolved {
    struct resolved_row *rows; /* in the order they were asked for */
    size_t count;
    VEC(struct debug_frame) frames;
};

void resolved_release(struct resolved *r);

struct resolved_subject {
    struct subject subject;
    const struct resolved *resolved;
    const struct module_files *files;
    enum demangle_style names;
};

/* Its subject is a resolved_subject's. */
extern const struct report resolve_report;

/* Members of a JSON object: what is known of it. */
void identity_json(const struct identity *id, struct json *json);

#endif
