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
 * Rows that recordings have in common go first, then samples, then the rows of
 * `runs`. A batch that fails before the last insert has added no recording, and
 * can be made and sent again: its samples get a new random number, so that
 * nobody reads those of the failed attempt.
 */
#ifndef TOPFN_FLEET_BATCH_H
#define TOPFN_FLEET_BATCH_H

#include "engine/fleet/client.h"
#include "engine/model/profile.h"


struct fleet_label {
    const char *key, *value;
};

/* Facts about a recording that its profile does not have. Strings are
 * copied. */
struct fleet_recording {
    const char *hash;   /* of its file: file_hash */
    const char *host;   /* NULL: as recorded */
    int64_t time;       /* seconds since 1970, if the profile has none */
    int64_t pushed;     /* the same, now */
    uint64_t slice_ns;  /* at least 1 */
    const struct fleet_label *labels;
    size_t label_count;
    uint64_t busy;              /* samples that are not idle; of these: */
    uint64_t complete, unnamed; /* complete stacks; code without a name */
};

struct batch_sent {
    size_t runs, rows; /* recordings, rows of samples */
};

struct batch;

struct batch *batch_new(void);
void batch_free(struct batch *b);

/* The profile must be finished and have times. */
void batch_add(struct batch *b, const struct profile *p,
               const struct fleet_recording *recording);
bool batch_is_full(const struct batch *b);

/* Sends the recordings, adds to `sent`, and forgets them, sent or not. */
enum err_code batch_send(struct batch *b, struct fleet *f,
                         struct batch_sent *sent, struct err *err);

/* Tells for each hash whether the fleet has it. The caller frees the list; NULL
 * after a failure. */
bool *fleet_has(struct fleet *f, const char *const *hashes, size_t count,
                struct err *err);

/* First 64 bits of the SHA-256 of a row of this table, as it is sent, without
 * its id; never 0. Among ten million different stacks two have the same id
 * with a chance of 3 in a million. */
uint64_t fleet_id(enum fleet_table_id table, const void *row, size_t n);

#endif
