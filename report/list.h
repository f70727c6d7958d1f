/*
 * list - source lines of functions, with the samples taken at each.
 *
 *     struct listing listing = {
 *         .p = p, .sel = sel, .options = &options, .context = 3,
 *         .functions = chosen.rows.data, .count = chosen.rows.len,
 *         .find = find, .state = &sources,
 *     };
 *     list_report(&listing, out);
 *
 *     work · app.exe · 40 samples (40.0 %), with what it calls 90 (90.0 %)
 *     /src/app.c · found as src/app.c
 *
 *         exclusive        inclusive    line  source
 *                                         11      for (;;)
 *          40  40.0 %       90  90.0 %    12          x += step(x);
 *
 * Lines around those with samples are shown too; a short function is shown
 * whole. JSON: schema "topfn.list/1".
 */
#ifndef TOPFN_LIST_H
#define TOPFN_LIST_H

#include "engine/base/textfile.h"
#include "report/report.h"

struct listing {
    const struct profile *p;
    const struct selection *sel;
    const struct report_options *options; /* `rows`: functions to show */
    size_t context; /* lines shown before and after one with samples */
    const struct rank_row *const *functions;
    size_t count;
    /* NULL: not found. The path is as the debug file has it. */
    struct textfile *(*find)(void *state, const char *path);
    void *state;
};

/* False: the source of some file was not found. */
bool list_report(const struct listing *listing, struct out *out);

#endif
