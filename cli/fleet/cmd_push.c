#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/command.h"
#include "cli/fleet/fleet.h"
#include "cli/fleet/outbox.h"
#include "cli/fleet/spool.h"
#include "cli/load/load.h"
#include "cli/terminal/output.h"
#include "cli/terminal/print_report.h"
#include "cli/terminal/say.h"

/* push: recordings go to a fleet. */

enum { GROUP = 200 };

/* Files that the server is asked for at once. */
struct group {
    const char *paths[GROUP];
    char hashes[GROUP][FLEET_HASH_SIZE];
    const char *hash[GROUP];
    size_t count;
};

struct pushing {
    const struct options *o;
    struct outbox box;
    VEC(struct fleet_label) labels;
    const char *host; /* NULL: as recorded */
    struct arena arena;
    size_t there;
    enum status status;
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
    } else if (outbox_is_new(&push->box, s.recording.hash)) {
        p = load(push->o, &path, 1, LOAD_ALL, &status);
        s.recording.pushed = time(NULL);
        if (p)
            outbox_add(&push->box, path, true, p, &s.recording);
        else
            push->status = status;
        profile_free(p);
    }
    spooled_release(&s);
}

static void push_spool(struct pushing *push)
{
    struct recordings waiting = {.paths = {0}};

    if (push->o->spool)
        spool_list(push->o->spool, &waiting);
    for (size_t i = 0; i < waiting.paths.len; i++)
        push_spooled(push, waiting.paths.data[i]);
    outbox_flush(&push->box);
    recordings_release(&waiting);
}

/* What is on the server already need not be read. */
static void push_file(struct pushing *push, const char *path, const char *hash,
                      bool is_there)
{
    struct fleet_recording r = recording_of(push, path, hash);
    enum status status = STATUS_OK;
    struct profile *p;

    if (is_there || !outbox_is_new(&push->box, hash)) {
        push->there++;
        return;
    }
    p = load(push->o, &path, 1, LOAD_ALL, &status);
    if (status)
        push->status = status;
    if (p)
        outbox_add(&push->box, path, false, p, &r);
    profile_free(p);
}

static void push_group(struct pushing *push, struct group *g)
{
    bool *there = outbox_there(&push->box, g->hash, g->count);

    for (size_t i = 0; i < g->count; i++)
        push_file(push, g->paths[i], g->hash[i], there && there[i]);
    free(there);
    g->count = 0;
}

static void push_files(struct pushing *push, const char *const *files,
                       size_t count)
{
    struct group *g = mem_new(1, sizeof(*g));

    for (size_t i = 0; i < count; i++) {
        struct err err = {0};

        g->paths[g->count] = files[i];
        g->hash[g->count] = g->hashes[g->count];
        if (fleet_hash_file(files[i], g->hashes[g->count], &err)) {
            say("%s", err.message);
            push->status = status_of_input(err.code);
        } else if (++g->count == GROUP) {
            push_group(push, g);
        }
    }
    if (g->count)
        push_group(push, g);
    outbox_flush(&push->box);
    free(g);
}

/* ---- what became of it ---- */

static enum status tell(const struct pushing *push)
{
    const struct outbox *box = &push->box;

    if (box->err.code)
        say("%s", box->err.message);
    if (!push->o->quiet) {
        struct out *out = out_stream(stdout);

        out_fmt(out, "%zu sent, %zu there already; %zu rows of samples\n",
                box->sent.runs, push->there, box->sent.rows);
        out_close(out, NULL);
    }
    if (box->kept)
        say("%zu wait in %s, to be sent by the next push", box->kept,
            push->o->spool);
    if (box->lost)
        say("%zu could not be sent%s", box->lost,
            push->o->spool ? "" : " (--spool DIR keeps them)");
    if (box->err.code && !box->f->may_recover)
        return status_of_input(box->err.code);
    return box->kept || box->lost || box->err.code ? STATUS_CANNOT_WRITE
                                                   : push->status;
}

static enum status push_all(struct pushing *push, const struct recordings *all)
{
    read_labels(push);
    outbox_begin(&push->box);
    push_spool(push);
    push_files(push, all->paths.data, all->paths.len);
    return tell(push);
}

static enum status push_to(const char *address, const struct options *o,
                           const char *const *files, size_t count)
{
    struct recordings all = {.paths = {0}};
    struct pushing push = {.o = o};
    enum status status = STATUS_USAGE;
    struct fleet_question question = fleet_question_of(o, NULL);
    struct err err = {0};
    bool found = true;

    for (size_t i = 0; i < count && found; i++)
        found = recordings_add(&all, files[i]);
    if (!outbox_open(&push.box, address, o, &question.access, &err))
        say("%s", err.message);
    else if (found)
        status = push_all(&push, &all);
    outbox_release(&push.box);
    vec_release(&push.labels);
    arena_release(&push.arena);
    recordings_release(&all);
    return status;
}

/* ---- the schema ---- */

struct schema_subject {
    struct subject subject;
    struct fleet_layout layout;
};

static void write_schema(const struct subject *subject, struct out *out)
{
    const struct schema_subject *s = (const void *)subject;
    struct out *sql = out_memory();

    for (size_t i = 0; fleet_statement(i, &s->layout, &sql); i++)
        out_fmt(out, "%s;\n\n", out_text(sql, NULL));
    out_close(sql, NULL);
}

static enum status print_schema(const struct options *o)
{
    struct schema_subject s = {{.options = &o->report},
                               {"fleet", o->cluster, o->replicas}};
    struct fleet_address address = {0};
    struct err err = {0};
    enum status status;

    if (o->server && fleet_is_address(o->server)) {
        if (fleet_address_read(&address, o->server, &err)) {
            say("%s", err.message);
            fleet_address_release(&address);
            return STATUS_USAGE;
        }
        s.layout.database = address.database;
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
    if (!o->server || !fleet_is_address(o->server)) {
        say("push needs a fleet to send to: --server clickhouse://host/database");
        return STATUS_USAGE;
    }
    if (!count && !o->spool) {
        say("push needs a FILE");
        return STATUS_USAGE;
    }
    return push_to(o->server, o, files, count);
}

const struct command push_command = {
    .name = "push",
    .arguments = "FILE...",
    .help = "send recordings to a fleet on ClickHouse (--server)",
    .takes = USE_LOAD | USE_SYMBOLS | USE_PUSH,
    .run = run,
    .stands_alone = true,
};
