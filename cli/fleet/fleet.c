#include "cli/fleet/fleet.h"

#include <stdlib.h>

#include "engine/fleet/read.h"

/* The question to a fleet that options and environment make. */
static struct fleet_question fleet_question_of(const struct options *o,
                                               const char *apart)
{
    return (struct fleet_question){
        .access = {.user = getenv("TOPFN_CLICKHOUSE_USER"),
                   .password = getenv("TOPFN_CLICKHOUSE_PASSWORD"),
                   .authorities = getenv("SSL_CERT_FILE")},
        .where = o->where,
        .since = o->since,
        .apart = apart,
    };
}

const char *fleet_key(const struct options *o)
{
    return o->over ? o->over : "version";
}

static struct recording *open_fleet(const struct options *o,
                                    const char *const *files, size_t count,
                                    const struct read_options *read,
                                    bool each_run, struct err *err)
{
    struct recording *r = NULL;
    struct profile *p = NULL;
    const char *label = o->report.by == RANK_LABEL ? fleet_key(o) : NULL;
    struct fleet_question question =
        fleet_question_of(o, each_run ? "run" : label);

    if (count > 1)
        err_set(err, ERR_USAGE,
                "a fleet cannot be combined with other input: %s",
                files[fleet_is_address(files[0]) ? 0 : 1]);
    else if (read->periods)
        err_set(err, ERR_USAGE,
                "%s: a fleet keeps the weights that were sent: choose them "
                "when pushing",
                files[0]);
    else
        p = fleet_read(files[0], &question, !read->without_times, err);
    if (p) {
        r = mem_new(1, sizeof(*r));
        r->profile = p;
    }
    return r;
}

const struct input_scheme fleet_scheme = {fleet_is_address, open_fleet};

enum status fleet_do(const char *address, const struct options *o, bool create,
                     fleet_work *work, void *context)
{
    struct fleet_question question = fleet_question_of(o, NULL);
    enum err_code code = ERR_USAGE;
    struct fleet *f = NULL;
    struct err err = {0};
    enum status status;

    if (!fleet_is_address(address))
        err_set(&err, ERR_USAGE,
                "%s: not the address of a fleet: "
                "clickhouse://host/database",
                address);
    else
        f = fleet_open(address, &question.access, &err);
    if (f)
        code = fleet_check(f, &err);
    if (code == ERR_NOT_FOUND && create) {
        err = (struct err){0};
        code = fleet_create(f, o->cluster, &err);
    }
    if (!code) {
        status = work(context, f, &question, o);
    } else {
        status = say_input_error(&err);
    }
    fleet_close(f);
    return status;
}
