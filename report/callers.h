/*
 * callers - functions with who called them, and what they called.
 *
 *     struct calling calling = {p, sel, &options, chosen.rows.data,
 *                               chosen.rows.len};
 *     callers_report(&calling, out);
 *
 *     mix · app.exe · 72 samples (72.0 %), with what it calls 72 (72.0 %)
 *
 *         samples          called by  module
 *          67  93.1 %  mix_twice  app.exe
 *
 *         samples          calls      module
 *          72 100.0 %  [itself]
 *
 * Percentages are of the function's inclusive samples. JSON: schema
 * "topfn.callers/1".
 */
#ifndef TOPFN_CALLERS_H
#define TOPFN_CALLERS_H

#include "report/report.h"

struct calling {
    const struct profile *p;
    const struct selection *sel;
    /* `rows`: functions to show, and callers and callees of each */
    const struct report_options *options;
    const struct rank_row *const *functions;
    size_t count;
};

void callers_report(const struct calling *calling, struct out *out);

#endif
