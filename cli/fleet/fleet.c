#include "cli/fleet/fleet.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal/say.h"
#include "engine/fleet/read.h"

/* The first line. */
static char *read_password(const char *path, struct err *err)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;

    if (file && getline(&line, &room, file) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
    } else {
        err_set(err, ERR_IO, "%s: %s", path,
                file ? "no password in it" : strerror(errno));
        free(line);
        line = NULL;
    }
    if (file)
        fclose(file);
    return line;
}

const struct fleet_question *fleet_asked_by(struct fleet_asked *asked,
                                            const struct options *o,
                                            const char *apart,
                                            struct err *err)
{
    struct fleet_question *q = &asked->question;

    *asked = (struct fleet_asked){
        .question = {.where = o->where,
                     .since = o->since,
                     .until = o->older,
                     .apart = apart}};
    q->access.user = getenv("TOPFN_CLICKHOUSE_USER");
    q->access.password = getenv("TOPFN_CLICKHOUSE_PASSWORD");
    q->access.authorities = getenv("SSL_CERT_FILE");
    if (!o->password_file)
        return q;
    asked->password = read_password(o->password_file, err);
    q->access.password = asked->password;
    return asked->password ? q : NULL;
}

struct recording *fleet_recording(const struct options *o,
                                  const char *const *files, size_t count,
                                  const struct read_options *read,
                                  const char *apart, struct err *err)
{
    struct recording *r = NULL;
    struct profile *p = NULL;
    struct fleet_asked asked = {.password = NULL};

    if (count > 1)
        err_set(err, ERR_USAGE,
                "a fleet is asked alone: %s and another input do not add up",
                files[fleet_is_address(files[0]) ? 0 : 1]);
    else if (read->periods)
        err_set(err, ERR_USAGE,
                "%s: a fleet holds the weights it was sent: choose them when "
                "pushing",
                files[0]);
    else if (fleet_asked_by(&asked, o, apart, err))
        p = fleet_read(files[0], &asked.question, !read->without_times, err);
    fleet_asked_release(&asked);
    if (p) {
        r = mem_new(1, sizeof(*r));
        r->profile = p;
        p->concurrency = read->threads;
    }
    return r;
}

const char *fleet_key(const struct options *o)
{
    return o->over ? o->over : "version";
}

void fleet_asked_release(struct fleet_asked *asked)
{
    free(asked->password);
}

static struct fleet *open_fleet(const struct fleet_asked *asked,
                                const char *address, enum status *status)
{
    struct err err = {0};
    struct fleet *f = NULL;

    if (!fleet_is_address(address))
        err_set(&err, ERR_USAGE, "%s: not the address of a fleet: "
                "clickhouse://host/database", address);
    else
        f = fleet_open(address, &asked->question.access, &err);
    if (f && !fleet_check(f, &err))
        return f;
    say("%s", err.message);
    *status = status_of_input(err.code);
    fleet_close(f);
    return NULL;
}

enum status fleet_do(const char *address, const struct options *o,
                     fleet_work *work, void *context)
{
    enum status status = STATUS_USAGE;
    struct fleet_asked asked;
    struct err err = {0};
    struct fleet *f = NULL;

    if (fleet_asked_by(&asked, o, NULL, &err))
        f = open_fleet(&asked, address, &status);
    else
        say("%s", err.message);
    if (f)
        status = work(context, f, &asked.question, o);
    fleet_close(f);
    fleet_asked_release(&asked);
    return status;
}
