/*
 * answers - what was asked in this run: every address once.
 *
 *     struct told *told = answers_claim(answers, url, &is_first);
 *     if (is_first) {
 *         ... asks, and fills it in ...
 *         answers_settle(answers, told);
 *     }
 *     use(told);
 *
 * Modules of one build may stand in a trace several times, and then want the
 * same file. Whoever asks for what is being asked for waits for the answer.
 */
#ifndef TOPFN_ANSWERS_H
#define TOPFN_ANSWERS_H

#include "symbols/find/search.h"

struct answers;

/* Constant once settled; lives as long as the answers. */
struct told {
    struct found found; /* its probes */
    char *kept;         /* path in the store; NULL: no file came */
};

struct answers *answers_new(void);
void answers_free(struct answers *answers);

struct told *answers_claim(struct answers *answers, const char *url,
                           bool *is_first);
void answers_settle(struct answers *answers, struct told *told);

#endif
