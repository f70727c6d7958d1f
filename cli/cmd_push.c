#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/command.h"
#include "cli/fleet.h"
#include "cli/load.h"
#include "cli/output.h"
#include "cli/print_report.h"
#include "cli/say.h"
#include "cli/spool.h"
#include "engine/base/text.h"
#include "engine/fleet/batch.h"

/* push: recordings go to a fleet. */

/* A recording of the batch, to be kept if that cannot be sent. */
struct queued {
    const char *path;
    bool is_spooled; /* lies in the spool already */
};

enum { GROUP = 200 };

/* Files that the server is asked for at once. */
struct group {
    const char *paths[GROUP];
    char hashes[GROUP][FLEET_HASH_SIZE];
    const char *hash[GROUP];
    size_t count;
    bool *there;
};

struct pushing {
    const struct options *o;
    struct fleet *f;
    struct batch *batch;
    VEC(struct queued) queue; /* by recording of the batch */
    VEC(char *) hashes;       /* of all that was queued */
    VEC(struct fleet_label) labels;
    const char *host;
    struct arena arena;
    struct batch_sent sent;
    struct group *group;
    size_t there, kept, lost;
    enum status status;
    struct err err; /* why sending was given up */
};

/* ---- what is said of recordings ---- */

static void read_labels(struct pushing *push)
{
    for (size_t i = 0; i < push->o->labels.len; i++) {
        const char *text = push->o->labels.data[i];
        size_t n = strcspn(text, "=");
        const char *key = arena_strndup(&push->arena, text, n);
        size_t at = 0;

        if (!strcmp(key, "host")) {
            push->host = text + n + 1;
            continue;
        }
        while (at < push->labels.len &&
               strcmp(push->labels.data[at].key, key) != 0)
            at++;
        if (at == push->labels.len)
            vec_add(&push->labels)->key = key;
        push->labels.data[at].value = text + n + 1; /* the last one counts */
    }
}

static struct fleet_recording recording_of(const struct pushing *push,
                                           const char *path, const char *hash)
{
    struct stat st;

    return (struct fleet_recording){
        .hash = hash,
        .host = push->host,
        .time = stat(path, &st) ? 0 : (int64_t)st.st_mtime,
        .pushed = time(NULL),
        .slice_ns = (uint64_t)push->o->slice_ns,
        .labels = push->labels.data,
        .label_count = push->labels.len,
    };
}

/* ---- sending ---- */

static void wait_ms(unsigned ms)
{
    const struct timespec span = {ms / 1000, (long)(ms % 1000) * 1000000};

    nanosleep(&span, NULL);
}

typedef enum err_code attempt(struct pushing *push, struct err *err);

/* Again at growing intervals, as long as that is of use. */
static enum err_code insist(struct pushing *push, attempt *attempt)
{
    enum { FIRST_MS = 250, LONGEST_MS = 15000 };
    uint64_t left = (uint64_t)push->o->retry_seconds * 1000;
    unsigned ms = FIRST_MS;

    for (;;) {
        struct err err = {0};

        if (!attempt(push, &err))
            return ERR_NONE;
        if (!push->f->may_recover || !left) {
            push->err = err;
            return err.code;
        }
        if (ms == FIRST_MS)
            say_warning("warning: %s; trying again", err.message);
        ms = ms < left ? ms : (unsigned)left;
        wait_ms(ms);
        left -= ms;
        ms = 2 * ms < LONGEST_MS ? 2 * ms : LONGEST_MS;
    }
}

static enum err_code prepare(struct pushing *push, struct err *err)
{
    struct err missing = {0};
    enum err_code code = fleet_check(push->f, &missing);

    if (code != ERR_NOT_FOUND) {
        *err = missing;
        return code;
    }
    return fleet_create(push->f, push->o->cluster, err);
}

static enum err_code send_batch(struct pushing *push, struct err *err)
{
    return batch_send(push->batch, push->f, &push->sent, err);
}

static void keep_one(struct pushing *push, size_t i)
{
    const struct queued *q = &push->queue.data[i];
    size_t first = push->hashes.len - push->queue.len;
    struct fleet_recording r =
        recording_of(push, q->path, push->hashes.data[first + i]);
    struct err err = {0};
    enum status status;
    struct profile *p = NULL;

    if (!q->is_spooled && push->o->spool)
        p = load(push->o, &q->path, 1, LOAD_ALL, &status);
    if (q->is_spooled || (p && !spool_keep(push->o->spool, p, &r, &err)))
        push->kept++;
    else
        push->lost++;
    if (err.code)
        say("%s", err.message);
    profile_free(p);
}

/* Sends what is queued, or keeps it. What failed once for as long as one
 * waits is not tried with the next. */
static void flush(struct pushing *push)
{
    bool sent = !push->queue.len ||
                (!push->err.code && !insist(push, send_batch));

    for (size_t i = 0; i < push->queue.len; i++) {
        if (!sent)
            keep_one(push, i);
        else if (push->queue.data[i].is_spooled)
            spool_remove(push->queue.data[i].path);
    }
    batch_clear(push->batch);
    push->queue.len = 0;
}

static void enqueue(struct pushing *push, const char *path, bool is_spooled,
                    const struct profile *p, const struct fleet_recording *r)
{
    *vec_add(&push->queue) = (struct queued){path, is_spooled};
    *vec_add(&push->hashes) = text_copy(r->hash, strlen(r->hash));
    batch_add(push->batch, p, r);
    if (batch_is_full(push->batch))
        flush(push);
}

static bool was_queued(const struct pushing *push, const char *hash)
{
    for (size_t i = 0; i < push->hashes.len; i++)
        if (!strcmp(push->hashes.data[i], hash))
            return true;
    return false;
}

/* ---- what is sent ---- */

static void push_spooled(struct pushing *push, const char *path)
{
    struct err err = {0};
    struct spooled s;
    enum status status;
    struct profile *p;

    if (spool_read(path, &s, &err)) {
        say("%s", err.message);
        push->status = STATUS_NO_INPUT;
    } else if (!was_queued(push, s.recording.hash)) {
        p = load(push->o, &path, 1, LOAD_ALL, &status);
        s.recording.pushed = time(NULL);
        if (p)
            enqueue(push, path, true, p, &s.recording);
        else
            push->status = status;
        profile_free(p);
    }
    spooled_release(&s);
}

/* What is on the server already need not be read. */
static void push_file(struct pushing *push, const char *path, const char *hash,
                      bool is_there)
{
    struct fleet_recording r = recording_of(push, path, hash);
    enum status status = STATUS_OK;
    struct profile *p;

    if (is_there || was_queued(push, hash)) {
        push->there++;
        return;
    }
    p = load(push->o, &path, 1, LOAD_ALL, &status);
    if (status)
        push->status = status;
    if (p)
        enqueue(push, path, false, p, &r);
    profile_free(p);
}

static enum err_code ask_group(struct pushing *push, struct err *err)
{
    struct group *g = push->group;

    g->there = fleet_has(push->f, g->hash, g->count, err);
    return g->there ? ERR_NONE : err->code;
}

static void push_group(struct pushing *push)
{
    struct group *g = push->group;

    g->there = NULL;
    if (!push->err.code)
        insist(push, ask_group);
    for (size_t i = 0; i < g->count; i++)
        push_file(push, g->paths[i], g->hash[i], g->there && g->there[i]);
    free(g->there);
    g->count = 0;
}

static void push_files(struct pushing *push, const char *const *files,
                       size_t count)
{
    struct group *g = push->group = mem_new(1, sizeof(*g));

    for (size_t i = 0; i < count; i++) {
        struct err err = {0};

        g->paths[g->count] = files[i];
        g->hash[g->count] = g->hashes[g->count];
        if (fleet_hash_file(files[i], g->hashes[g->count], &err)) {
            say("%s", err.message);
            push->status = status_of_input(err.code);
        } else if (++g->count == GROUP) {
            push_group(push);
        }
    }
    if (g->count)
        push_group(push);
    free(g);
}

static void push_all(struct pushing *push, const char *const *files,
                     size_t count)
{
    struct recordings waiting = {.paths = {0}};

    if (push->o->spool)
        spool_list(push->o->spool, &waiting);
    insist(push, prepare);
    for (size_t i = 0; i < waiting.paths.len; i++)
        push_spooled(push, waiting.paths.data[i]);
    push_files(push, files, count);
    flush(push);
    recordings_release(&waiting);
}

/* ---- what became of it ---- */

static enum status tell(const struct pushing *push)
{
    if (push->err.code)
        say("%s", push->err.message);
    if (!push->o->quiet) {
        struct out *out = out_stream(stdout);

        out_fmt(out, "%zu sent, %zu there already; %zu rows of samples\n",
                push->sent.runs, push->there, push->sent.rows);
        out_close(out, NULL);
    }
    if (push->kept)
        say("%zu wait in %s, to be sent by the next push", push->kept,
            push->o->spool);
    if (push->lost)
        say("%zu could not be sent%s", push->lost,
            push->o->spool ? "" : " (--spool DIR keeps them)");
    if (push->err.code && !push->f->may_recover)
        return status_of_input(push->err.code);
    return push->kept || push->lost || push->err.code ? STATUS_CANNOT_WRITE
                                                      : push->status;
}

static void release(struct pushing *push)
{
    for (size_t i = 0; i < push->hashes.len; i++)
        free(push->hashes.data[i]);
    vec_release(&push->hashes);
    vec_release(&push->queue);
    vec_release(&push->labels);
    batch_free(push->batch);
    fleet_close(push->f);
    arena_release(&push->arena);
}

static enum status push_to(const char *address, const struct options *o,
                           const char *const *files, size_t count)
{
    struct pushing push = {.o = o, .batch = batch_new()};
    struct err err = {0};
    struct recordings all = {.paths = {0}};
    struct fleet_asked asked;
    enum status status = STATUS_USAGE;
    bool found = true;

    if (fleet_asked_by(&asked, o, NULL, &err))
        push.f = fleet_open(address, &asked.question.access, &err);
    if (!push.f)
        say("%s", err.message);
    for (size_t i = 0; i < count && found; i++)
        found = recordings_add(&all, files[i]);
    if (push.f && found) {
        read_labels(&push);
        push_all(&push, all.paths.data, all.paths.len);
        status = tell(&push);
    }
    recordings_release(&all);
    fleet_asked_release(&asked);
    release(&push);
    return status;
}

/* ---- the schema ---- */

struct schema_subject {
    struct subject subject;
    const char *database, *cluster;
};

static void write_schema(const struct subject *subject, struct out *out)
{
    const struct schema_subject *s = (const void *)subject;
    struct out *sql = out_memory();

    for (size_t i = 0; fleet_statement(i, s->database, s->cluster, &sql); i++)
        out_fmt(out, "%s;\n\n", out_text(sql, NULL));
    out_close(sql, NULL);
}

static enum status print_schema(const struct options *o)
{
    struct schema_subject s = {{.options = &o->report}, "fleet", o->cluster};
    struct fleet_address address = {0};
    struct err err = {0};
    enum status status;

    if (o->report.to && fleet_is_address(o->report.to)) {
        if (fleet_address_read(&address, o->report.to, &err)) {
            say("%s", err.message);
            fleet_address_release(&address);
            return STATUS_USAGE;
        }
        s.database = address.database;
    }
    status = print_to(NULL, write_schema, &s.subject);
    fleet_address_release(&address);
    return status;
}

static enum status run(const struct command *command, const struct options *o,
                       const char *const *files, size_t count)
{
    (void)command;
    if (o->sql_schema)
        return print_schema(o);
    if (!o->report.to || !fleet_is_address(o->report.to)) {
        say("push needs a fleet to send to: --to clickhouse://host/database");
        return STATUS_USAGE;
    }
    if (!count && !o->spool) {
        say("push needs a FILE");
        return STATUS_USAGE;
    }
    return push_to(o->report.to, o, files, count);
}

const struct command push_command = {
    .name = "push",
    .arguments = "FILE...",
    .help = "send recordings to a fleet on ClickHouse (--to)",
    .takes = USE_LOAD | USE_SYMBOLS | USE_PUSH,
    .run = run,
    .stands_alone = true,
};
