#include "symbols/find/online/ask.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/base/mem.h"
#include "engine/base/path.h"
#include "engine/container/container.h"
#include "engine/fleet/net/http.h"
#include "symbols/find/expand.h"

/*
 * Writes a file into a store under a temporary name.
 *
 * Nothing is made, not even a folder, before the first byte; the file has a
 * temporary name until it is published. The error is in `err`.
 */

static void keep_start(struct keep *keep, const char *store, const char *path)
{
    *keep = (struct keep){.store = store, .path = path};
}

static bool fail(struct keep *keep)
{
    mem_check_errno();
    err_set(&keep->err, ERR_IO, "%s: cannot write: %s", keep->path,
            strerror(errno));
    return false;
}

static bool begin(struct keep *keep)
{
    if (!path_make_folders(keep->path))
        return fail(keep);
    if (new_file_create_in(&keep->file, keep->store, keep->path, &keep->err))
        return false;
    keep->stream = new_file_stream(&keep->file);
    return keep->stream || fail(keep);
}

static bool keep_bytes(struct keep *keep, const void *data, size_t n)
{
    if (!keep->stream && !begin(keep))
        return false;
    return fwrite(data, 1, n, keep->stream) == n || fail(keep);
}

/* All bytes are there, and at least one. */
static bool keep_ends(struct keep *keep)
{
    FILE *stream = keep->stream;

    keep->stream = NULL;
    if (stream)
        return !fclose(stream) || fail(keep);
    err_set(&keep->err, ERR_TRUNCATED, "%s: nothing came", keep->path);
    return false;
}

static void keep_drop(struct keep *keep)
{
    if (keep->stream)
        fclose(keep->stream);
    keep->stream = NULL;
    if (keep->file.temp)
        new_file_discard(&keep->file);
}

/* Bytes from a server on their way to the caller. */
struct delivery {
    struct ask *ask;
    struct keep *keep;
    bool is_over; /* the server's share is used up */
};

/* Notes the result of asking there. */
static void ask_note(struct ask *a, enum find_cause cause, const char *address,
                     const char *reason)
{
    char *server = url_without_login(a->url), *url = path_join(server, address);

    found_note(&a->outcome->found, cause, url, reason);
    free(url);
    free(server);
}

static bool pass_on(void *context, const void *data, size_t n)
{
    struct delivery *d = context;

    d->is_over = !server_spend(d->ask->online, d->ask->server, n);
    return !d->is_over && keep_bytes(d->keep, data, n);
}

static void watch(void *context, uint64_t done, uint64_t total)
{
    const struct delivery *d = context;

    online_show(d->ask->online, d->ask->wanted->name, done, total);
}

static enum answer answer_of(struct delivery *d, enum http_result result,
                             const struct http_request *get,
                             const char *address)
{
    char reason[80];

    switch (result) {
    case HTTP_GOT:
        return ANSWER_GOT;
    case HTTP_ABSENT:
        ask_note(d->ask, FIND_ABSENT, address,
                 *get->reason ? get->reason : NULL);
        return ANSWER_ABSENT;
    case HTTP_STOPPED:
        if (d->is_over)
            ask_note(d->ask, FIND_FAILED, address,
                     "the server's share of bytes is used up");
        return ANSWER_NONE; /* else who stopped it says why */
    case HTTP_TOO_BIG:
        snprintf(reason, sizeof(reason), "larger than %llu bytes",
                 (unsigned long long)get->most);
        ask_note(d->ask, FIND_FAILED, address, reason);
        return ANSWER_NONE;
    case HTTP_FAILED:
        ask_note(d->ask, FIND_FAILED, address, get->reason);
        return ANSWER_NONE;
    }
    return ANSWER_NONE;
}

static enum answer deliver(struct delivery *d, const char *address)
{
    struct online *online = d->ask->online;
    struct http_request get = {.take = pass_on, .watch = watch, .context = d};
    uint64_t most = online->limits.file_bytes;
    struct allowance left;
    enum http_result result;
    char *url;

    if (!server_begin(online, d->ask->server, &left, get.reason,
                      sizeof(get.reason))) {
        ask_note(d->ask, FIND_NOT_ASKED, address, get.reason);
        return ANSWER_NONE;
    }
    url = path_join(d->ask->url, address);
    get.url = url;
    get.ms = left.ms;
    get.most = left.bytes < most ? left.bytes : most;
    result = http_run(online->http, &get);
    server_end(online, d->ask->server,
               result == HTTP_FAILED ? get.reason : NULL);
    free(url);
    return answer_of(d, result, &get, address);
}

/* ---- files ---- */

/* Messages begin with the name of the file, which nobody will see. */
static const char *without_name(const char *message, const char *name)
{
    size_t n = strlen(name);

    return !strncmp(message, name, n) && !strncmp(message + n, ": ", 2)
               ? message + n + 2
               : message;
}

static bool is_wanted(struct ask *a, const char *path, const char *address)
{
    struct found found = found_nothing(a->wanted);
    bool is = search_file(&found, a->wanted, path);
    const struct probe *probe = &found.probes.data[0];

    if (probe->cause == FIND_MISMATCH)
        ask_note(a, FIND_MISMATCH, address, "the server sent another build");
    else if (!is)
        ask_note(a, probe->cause, address, without_name(probe->reason, path));
    found_release(&found);
    return is;
}

static enum answer receive(struct ask *a, const char *address,
                           struct keep *keep)
{
    struct delivery d = {.ask = a, .keep = keep};
    enum answer answer = deliver(&d, address);

    if (answer == ANSWER_GOT && !keep_ends(keep))
        answer = ANSWER_NONE;
    if (keep->err.code)
        ask_note(a, FIND_FAILED, address, keep->err.message);
    return answer;
}

/* Ends `keep`. */
static enum answer publish(struct ask *a, const char *address,
                           struct keep *keep)
{
    if (!is_wanted(a, keep->file.temp, address)) {
        keep_drop(keep);
        return ANSWER_NONE;
    }
    if (new_file_publish(&keep->file, &keep->err)) {
        ask_note(a, FIND_FAILED, address, keep->err.message);
        return ANSWER_NONE;
    }
    ask_note(a, FIND_OK, address, NULL);
    a->outcome->kept = text_dup(keep->path);
    return ANSWER_GOT;
}

/* ---- cabinets ---- */

/* `err`: of the cabinet, not of what keeps its file. */
static bool unpack(const char *cabinet, size_t limit, struct keep *keep,
                   struct err *err)
{
    struct container *c = container_open(cabinet, err);
    const struct entry *e = c && c->count ? c->entries : NULL;
    uint8_t *data = NULL;
    size_t n = 0;
    bool done = false;

    if (e && e->data && expand_probe(e->data, e->size))
        done = !expand_cab(e->data, e->size, limit, &data, &n, err);
    else
        err_set(err, ERR_UNSUPPORTED, "not a cabinet");
    done = done && keep_bytes(keep, data, n) && keep_ends(keep);
    free(data);
    container_close(c);
    return done;
}

static enum answer publish_unpacked(struct ask *a, const char *address,
                                    const char *cabinet, const char *path)
{
    enum answer answer = ANSWER_NONE;
    struct err err = {0};
    struct keep keep;

    keep_start(&keep, a->store, path);
    if (unpack(cabinet, a->online->limits.file_bytes, &keep, &err)) {
        answer = publish(a, address, &keep);
    } else {
        ask_note(a, err.code ? FIND_BROKEN : FIND_FAILED, address,
                 err.code ? err.message : keep.err.message);
        keep_drop(&keep);
    }
    return answer;
}

enum answer ask_file(struct ask *a, const char *address, const char *place,
                     bool packed)
{
    char *path = path_join(a->store, place);
    struct keep keep;
    enum answer answer;

    keep_start(&keep, a->store, path);
    answer = receive(a, address, &keep);
    if (answer == ANSWER_GOT && !packed) {
        answer = publish(a, address, &keep);
    } else {
        if (answer == ANSWER_GOT)
            answer = publish_unpacked(a, address, keep.file.temp, path);
        keep_drop(&keep);
    }
    free(path);
    return answer;
}
