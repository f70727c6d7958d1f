/*
 * choose - the SQL of the recordings that a question is about.
 */
#ifndef TOPFN_FLEET_CHOOSE_H
#define TOPFN_FLEET_CHOOSE_H

#include "engine/fleet/question.h"

/* What stands behind WHERE over `runs`: each recording once, whoever sent it
 * how often, alone or in a sum. */
enum err_code choose_runs(const struct fleet *f,
                          const struct fleet_question *question,
                          struct out *sql, struct err *err);

/* The number that recordings which are apart differ by, and what it is
 * called, both over `runs`. */
void choose_unit(const struct fleet_question *question, struct out *number,
                 struct out *name);

#endif
