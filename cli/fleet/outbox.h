/*
 * outbox - recordings on their way to a fleet: collected, sent, tried again,
 * and kept in a folder when that does not help.
 *
 *     struct outbox box;
 *     if (outbox_open(&box, address, options, &access, &err)) {
 *         outbox_begin(&box);
 *         if (outbox_is_new(&box, recording.hash))
 *             outbox_add(&box, path, false, profile, &recording);
 *         outbox_flush(&box);
 *         printf("%zu sent", box.sent.runs);
 *     }
 *     outbox_release(&box);
 *
 * What the server refuses, or what it has not taken for --retry seconds, ends
 * all sending: `err` says why, and what follows is only kept.
 */
#ifndef TOPFN_OUTBOX_H
#define TOPFN_OUTBOX_H

#include "cli/options/options.h"
#include "engine/base/map.h"
#include "engine/fleet/batch.h"

/* A recording of the batch, to be kept if that cannot be sent. */
struct queued {
    const char *path;
    bool is_spooled;                  /* lies in the spool already */
    struct fleet_recording recording; /* of those that do not */
};

struct outbox {
    const struct options *o; /* --retry, --spool, --cluster, how to read */
    struct fleet *f;
    struct batch *batch;
    VEC(struct queued) queue; /* by recording of the batch */
    struct map hashes;        /* of all that was added */
    struct arena texts;
    struct batch_sent sent;
    size_t kept, lost;
    struct err err; /* why sending was given up */
};

/* Nothing is asked yet. False when the address is none. */
bool outbox_open(struct outbox *box, const char *address,
                 const struct options *options,
                 const struct fleet_access *access, struct err *err);
void outbox_release(struct outbox *box);

/* Makes the fleet's tables where there are none. */
void outbox_begin(struct outbox *box);

/* Which of these hashes the fleet has already, by index, to be freed; NULL
 * where it cannot be asked. */
bool *outbox_there(struct outbox *box, const char *const *hashes, size_t count);

/* Whether no recording with this hash was added. */
bool outbox_is_new(const struct outbox *box, const char *hash);

/* Sends what is there when it is enough. The path, host and labels outlive the
 * box, unless the recording lies in the spool. */
void outbox_add(struct outbox *box, const char *path, bool is_spooled,
                const struct profile *p, const struct fleet_recording *r);

/* Sends all that is left, or keeps it. */
void outbox_flush(struct outbox *box);

#endif
