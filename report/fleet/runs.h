/*
 * runs - the recordings of a fleet. JSON: schema "topfn.runs/1".
 */
#ifndef TOPFN_REPORT_RUNS_H
#define TOPFN_REPORT_RUNS_H

#include "engine/fleet/runs.h"
#include "report/report.h"

struct runs_subject {
    struct subject subject;
    struct fleet_runs runs;
};

/* Its subject is a runs_subject's. */
extern const struct report runs_report;

#endif
