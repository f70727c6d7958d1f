#include "cli/fleet/outbox.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/fleet/spool.h"
#include "cli/load/load.h"
#include "cli/terminal/say.h"

bool outbox_open(struct outbox *box, const char *address,
                 const struct options *o, const struct fleet_access *access,
                 struct err *err)
{
    *box = (struct outbox){.o = o, .batch = batch_new()};
    box->f = fleet_open(address, access, err);
    return box->f;
}

void outbox_release(struct outbox *box)
{
    vec_release(&box->queue);
    map_release(&box->hashes);
    batch_free(box->batch);
    fleet_close(box->f);
    arena_release(&box->texts);
}

/* ---- attempts ---- */

static void wait_ms(unsigned ms)
{
    const struct timespec span = {ms / 1000, (long)(ms % 1000) * 1000000};

    nanosleep(&span, NULL);
}

typedef enum err_code attempt(struct outbox *box, void *context,
                              struct err *err);

/* Again at growing intervals, as long as that is of use. */
static bool insist(struct outbox *box, attempt *attempt, void *context)
{
    enum { FIRST_MS = 250, LONGEST_MS = 15000 };
    uint64_t left = (uint64_t)box->o->retry_seconds * 1000;
    unsigned ms = FIRST_MS;

    while (!box->err.code) {
        struct err err = {0};

        if (!attempt(box, context, &err))
            return true;
        if (!box->f->may_recover || !left) {
            box->err = err;
            break;
        }
        if (ms == FIRST_MS)
            say_warning("warning: %s; trying again", err.message);
        ms = ms < left ? ms : (unsigned)left;
        wait_ms(ms);
        left -= ms;
        ms = 2 * ms < LONGEST_MS ? 2 * ms : LONGEST_MS;
    }
    return false;
}

static enum err_code prepare(struct outbox *box, void *context, struct err *err)
{
    const struct fleet_layout layout = {.cluster = box->o->cluster,
                                        .replicas = box->o->replicas};
    struct err missing = {0};
    enum err_code code = fleet_check(box->f, &missing);

    (void)context;
    if (code != ERR_NOT_FOUND) {
        *err = missing;
        return code;
    }
    return fleet_create(box->f, layout, err);
}

void outbox_begin(struct outbox *box)
{
    insist(box, prepare, NULL);
}

struct asked_hashes {
    const char *const *hashes;
    size_t count;
    bool *there;
};

static enum err_code ask_hashes(struct outbox *box, void *context,
                                struct err *err)
{
    struct asked_hashes *asked = context;

    asked->there = fleet_has(box->f, asked->hashes, asked->count, err);
    return asked->there ? ERR_NONE : err->code;
}

bool *outbox_there(struct outbox *box, const char *const *hashes, size_t count)
{
    struct asked_hashes asked = {hashes, count, NULL};

    return insist(box, ask_hashes, &asked) ? asked.there : NULL;
}

static enum err_code send_batch(struct outbox *box, void *context,
                                struct err *err)
{
    (void)context;
    return batch_send(box->batch, box->f, &box->sent, err);
}

/* ---- the queue ---- */

/* Of SHA-256 as much as a map's key has. */
static void key_of(const char *hash, uint64_t *a, uint32_t *b)
{
    enum { A_DIGITS = 16, B_DIGITS = 8 };
    char digits[A_DIGITS + 1] = "";

    memcpy(digits, hash, A_DIGITS);
    *a = strtoull(digits, NULL, 16);
    memcpy(digits, hash + A_DIGITS, B_DIGITS);
    digits[B_DIGITS] = '\0';
    *b = (uint32_t)strtoull(digits, NULL, 16);
}

bool outbox_is_new(const struct outbox *box, const char *hash)
{
    uint64_t a;
    uint32_t b;

    key_of(hash, &a, &b);
    return map_get(&box->hashes, a, b) == MAP_NONE;
}

static void keep(struct outbox *box, const struct queued *q)
{
    struct err err = {0};
    enum status status;
    struct profile *p = NULL;

    if (!q->is_spooled && box->o->spool)
        p = load(box->o, &q->path, 1, LOAD_ALL, &status);
    if (q->is_spooled ||
        (p && !spool_keep(box->o->spool, p, &q->recording, &err)))
        box->kept++;
    else
        box->lost++;
    if (err.code)
        say("%s", err.message);
    profile_free(p);
}

void outbox_flush(struct outbox *box)
{
    bool sent = !box->queue.len || insist(box, send_batch, NULL);

    for (size_t i = 0; i < box->queue.len; i++) {
        if (!sent)
            keep(box, &box->queue.data[i]);
        else if (box->queue.data[i].is_spooled)
            spool_remove(box->queue.data[i].path);
    }
    batch_clear(box->batch);
    box->queue.len = 0;
}

void outbox_add(struct outbox *box, const char *path, bool is_spooled,
                const struct profile *p, const struct fleet_recording *r)
{
    struct queued *q = vec_add(&box->queue);
    uint64_t a;
    uint32_t b;

    *q = (struct queued){path, is_spooled, *r};
    q->recording.hash = arena_strndup(&box->texts, r->hash, strlen(r->hash));
    key_of(r->hash, &a, &b);
    map_set(&box->hashes, a, b, 0);
    batch_add(box->batch, p, r);
    if (batch_is_full(box->batch))
        outbox_flush(box);
}
