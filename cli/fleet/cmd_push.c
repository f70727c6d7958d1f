#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/command.h"
#include "cli/fleet/fleet.h"
#include "cli/load/load.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "engine/base/file_hash.h"
#include "engine/analysis/trust.h"
#include "engine/fleet/batch.h"

/* push: recordings go to a fleet. */

enum { GROUP = 200 }; /* files whose hashes are asked for at once */

struct pushing {
    const struct options *o;
    struct fleet *f;
    struct batch *batch;
    VEC(struct fleet_label) labels;
    const char *host; /* NULL: as recorded */
    struct arena arena;
    struct batch_sent sent;
    size_t there;
    struct err err; /* why sending ended */
    enum status status;
};

/* The rows of a batch are sent when it is large enough, and at the end. */
static void send_batch(struct pushing *push)
{
    if (!push->err.code)
        batch_send(push->batch, push->f, &push->sent, &push->err);
}

static void add_recording(struct pushing *push, const char *path,
                          const char *hash, const struct profile *p)
{
    struct selection *sel = selection_new(p, NULL);
    struct trust trust = {0};
    struct fleet_recording r = {
        .hash = hash,
        .host = push->host,
        .pushed = time(NULL),
        .slice_ns = (uint64_t)push->o->slice_ns,
        .labels = push->labels.data,
        .label_count = push->labels.len,
        .busy = sel->samples,
        .unnamed = sel->unresolved,
    };
    struct stat st;

    trust_stacks(&trust, sel);
    r.complete = trust.complete;
    r.time = stat(path, &st) ? 0 : (int64_t)st.st_mtime;
    batch_add(push->batch, p, &r);
    selection_free(sel);
    if (batch_is_full(push->batch))
        send_batch(push);
}

/* Files that the server has already are not read. */
static void push_group(struct pushing *push, const char *const *files,
                       size_t count)
{
    char hashes[GROUP][FILE_HASH_SIZE];
    const char *hash[GROUP] = {NULL}, *path[GROUP];
    size_t n = 0;
    bool *there;

    for (size_t i = 0; i < count; i++) {
        struct err err = {0};

        if (file_hash(files[i], hashes[n], &err)) {
            push->status = say_input_error(&err);
        } else {
            hash[n] = hashes[n];
            path[n++] = files[i];
        }
    }
    there = fleet_has(push->f, hash, n, &push->err);
    for (size_t i = 0; there && i < n && !push->err.code; i++) {
        enum status status = STATUS_OK;
        struct profile *p = NULL;

        for (size_t k = 0; k < i; k++)
            there[i] |= !strcmp(hash[k], hash[i]);
        if (there[i])
            push->there++;
        else
            p = load(push->o, &path[i], 1, LOAD_ALL, &status);
        if (p)
            add_recording(push, path[i], hash[i], p);
        push->status = status ? status : push->status;
        profile_free(p);
    }
    free(there);
}

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
    if (!push->err.code)
        return push->status;
    say_hint("the same command sends the recordings that are not there yet");
    return status_of_input(push->err.code);
}

static enum status push_all(void *context, struct fleet *f,
                            const struct fleet_question *q,
                            const struct options *o)
{
    const struct recordings *all = context;
    struct pushing push = {.o = o, .f = f, .batch = batch_new()};
    enum status status;

    (void)q;
    for (size_t i = 0; i < push.o->labels.len; i++) {
        const char *text = push.o->labels.data[i];
        size_t n = strcspn(text, "=");
        const char *key = arena_strndup(&push.arena, text, n);
        size_t at = 0;

        if (!strcmp(key, "host")) {
            push.host = text + n + 1;
            continue;
        }
        while (at < push.labels.len &&
               strcmp(push.labels.data[at].key, key) != 0)
            at++;
        if (at == push.labels.len)
            vec_add(&push.labels)->key = key;
        push.labels.data[at].value = text + n + 1; /* the last one counts */
    }
    for (size_t i = 0; i < all->paths.len && !push.err.code; i += GROUP)
        push_group(&push, all->paths.data + i,
                   all->paths.len - i < GROUP ? all->paths.len - i : GROUP);
    send_batch(&push);
    status = tell(&push);
    batch_free(push.batch);
    vec_release(&push.labels);
    arena_release(&push.arena);
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

static enum status run(const struct command *command, const struct options *o,
                       const char *const *files, size_t count)
{
    struct recordings all = {.paths = {0}};
    enum status status = STATUS_USAGE;
    bool found = true;

    (void)command;
    if (o->sql_schema) {
        struct schema_subject s = {
            {.options = &o->report}, "fleet", o->cluster};
        struct fleet_address address = {0};
        struct err err = {0};

        if (o->server && fleet_is_address(o->server) &&
            !fleet_address_read(&address, o->server, &err))
            s.database = address.database;
        if (err.code)
            say("%s", err.message);
        else
            status = print_to(NULL, write_schema, &s.subject);
        fleet_address_release(&address);
        return status;
    }
    if (!o->server || !fleet_is_address(o->server)) {
        say("push needs a fleet to send to: --server "
            "clickhouse://host/database");
        return STATUS_USAGE;
    }
    for (size_t i = 0; i < count && found; i++)
        found = recordings_add(&all, files[i]);
    if (!count)
        say("push needs a FILE");
    else if (found)
        status = fleet_do(o->server, o, true, push_all, &all);
    recordings_release(&all);
    return status;
}

const struct command push_command = {
    .name = "push",
    .arguments = "FILE...",
    .help = "send recordings to a fleet on ClickHouse (--server)",
    .takes = USE_LOAD | USE_SYMBOLS | USE_PUSH,
    .run = run,
    .stands_alone = true,
};
