/*
 * question - what is asked of a fleet: which recordings, and how apart.
 */
#ifndef TOPFN_FLEET_QUESTION_H
#define TOPFN_FLEET_QUESTION_H

#include <stdint.h>

#include "engine/fleet/client.h"

struct fleet_question {
    struct fleet_access access;
    const char *where; /* where.h; NULL: all */
    int64_t since;     /* recordings begun then or later, seconds since 1970 */
    int64_t until;     /* begun before then; 0: whenever */
    /* Recordings that differ in this key (where.h) stay apart, as the inputs
     * of a merged profile do; NULL: all are one. */
    const char *apart;
};

#endif
