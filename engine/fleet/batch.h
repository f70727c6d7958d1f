/*
 * batch - recordings as rows, on their way to a fleet.
 *
 *     struct batch *b = batch_new();
 *     batch_add(b, profile, &recording);
 *     if (batch_is_full(b) && !batch_send(b, fleet, &sent, &err))
 *         printf("%zu new", sent.runs);
 *     batch_free(b);
 *
 * Several recordings are sent at once, as a server wants few large inserts.
 * A batch is sent in this order: what recordings have in common, samples, and
 * the rows of `runs`, with which the recordings are there. Whenever that is
 * broken off, all of the batch's recordings are there or none, up to what the
 * last insert does; sent again, each is there once: those that are there
 * already are left out, and samples are sent under a number drawn anew, so
 * that nobody reads those of an attempt that failed.
 */
#ifndef TOPFN_FLEET_BATCH_H
#define TOPFN_FLEET_BATCH_H

#include "engine/fleet/client.h"
#include "engine/fleet/id.h"
#include "engine/model/profile.h"

struct fleet_label {
    const char *key, *value;
};

/* What a profile does not say of itself. Strings are copied. */
struct fleet_recording {
    const char *hash;   /* of its file: fleet_hash_file */
    const char *host;   /* NULL: as recorded */
    int64_t time;       /* seconds since 1970, if the profile has none */
    int64_t pushed;     /* the same, now */
    uint64_t slice_ns;  /* at least 1 */
    const struct fleet_label *labels;
    size_t label_count;
};

struct batch_sent {
    size_t runs;       /* that were not there */
    size_t rows;       /* of samples */
    size_t bytes;      /* of rows, before they were compressed */
};

struct batch;

struct batch *batch_new(void);
void batch_free(struct batch *b);

/* Of a finished profile with times. */
void batch_add(struct batch *b, const struct profile *p,
               const struct fleet_recording *recording);
bool batch_is_full(const struct batch *b);

/* Forgets the recordings, sent or not. */
void batch_clear(struct batch *b);

/* One attempt. `sent` is added to; `f->may_recover` says of a failure whether
 * another attempt is of use. */
enum err_code batch_send(struct batch *b, struct fleet *f,
                         struct batch_sent *sent, struct err *err);

/* Which of these hashes are there already: by index. To be freed; NULL after
 * a failure. */
bool *fleet_has(struct fleet *f, const char *const *hashes, size_t count,
                struct err *err);

#endif
