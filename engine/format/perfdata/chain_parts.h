/*
 * chain_parts - the stack of a sample, as the recorder put it together.
 *
 *     struct pd_parts parts = pd_chain_parts(tables, r, event, &sample);
 *     if (parts.user.run.count)
 *         ...
 *
 * A call chain has addresses of several modes, told apart by marks that are no
 * addresses. The parts lie in the file or, until the next call, in the tables.
 */
#ifndef TOPFN_PERFDATA_CHAIN_PARTS_H
#define TOPFN_PERFDATA_CHAIN_PARTS_H

#include "engine/format/perfdata/batch.h"

/* The addresses of one mode, or none. */
struct pd_part {
    struct callchain run;
    bool lasting; /* it lies in the record, in our byte order */
};

struct pd_parts {
    struct pd_part kernel, user;
    bool guest; /* there were addresses of a guest, too */
    bool calls; /* the user part is of recorded branches */
    bool deferred; /* the user part comes later, under this cookie */
    uint64_t cookie;
};

struct pd_parts pd_chain_parts(struct pd_tables *t, const struct pd_reading *r,
                               const struct pd_event *e,
                               const struct pd_sample *s);
/* The user addresses of a chain of user code alone, in our byte order. */
struct callchain pd_user_chain(struct bytes chain);

#endif
