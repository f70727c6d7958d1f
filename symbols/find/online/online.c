#include "symbols/find/online/online.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/base/mem.h"
#include "engine/base/path.h"
#include "engine/base/strings.h"
#include "engine/base/vec.h"
#include "engine/fleet/net/http.h"
#include "symbols/find/online/ask.h"

/*
 * The budget of requests to a symbol server.
 *
 * A server has a budget of time, spent while at least one request is under
 * way, and of bytes. One failure, or the end of its budget, and it is not
 * asked again. Any thread may call; servers are never forgotten.
 */

struct server {
    struct online_server told; /* url and failure are to be freed */
    int64_t spent;     /* milliseconds, without those since `since` */
    int64_t since;     /* the first of `requests` began */
    unsigned requests; /* under way */
};

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct server *server_get(struct online *online, const char *url)
{
    struct server *server = NULL;

    pthread_mutex_lock(&online->lock);
    for (size_t i = 0; i < online->servers.len && !server; i++)
        if (!strcmp(online->servers.data[i]->told.url, url))
            server = online->servers.data[i];
    if (!server) {
        server = mem_new(1, sizeof(*server));
        server->told.url = text_dup(url);
        *vec_add(&online->servers) = server;
    }
    pthread_mutex_unlock(&online->lock);
    return server;
}

static struct allowance what_is_left(const struct online *online,
                                     const struct server *s, int64_t now)
{
    int64_t ms = online->limits.server_ms - s->spent -
                 (s->requests ? now - s->since : 0);
    uint64_t bytes = online->limits.server_bytes;

    return (struct allowance){
        ms > 0 ? ms : 0,
        bytes > s->told.bytes ? bytes - s->told.bytes : 0,
    };
}

bool server_begin(struct online *online, struct server *s,
                  struct allowance *left, char *reason, size_t room)
{
    int64_t now = now_ms();
    bool may;

    pthread_mutex_lock(&online->lock);
    *left = what_is_left(online, s, now);
    may = !s->told.failure && left->ms && left->bytes;
    if (s->told.failure)
        snprintf(reason, room, "the server failed before: %s", s->told.failure);
    else if (!may)
        snprintf(reason, room, "the server's share of %s is used up",
                 left->ms ? "bytes" : "time");
    if (may && !s->requests++)
        s->since = now;
    pthread_mutex_unlock(&online->lock);
    return may;
}

bool server_spend(struct online *online, struct server *s, uint64_t n)
{
    bool enough;

    pthread_mutex_lock(&online->lock);
    s->told.bytes += n;
    enough = s->told.bytes <= online->limits.server_bytes;
    pthread_mutex_unlock(&online->lock);
    return enough;
}

void server_end(struct online *online, struct server *s, const char *failure)
{
    pthread_mutex_lock(&online->lock);
    if (!--s->requests)
        s->spent += now_ms() - s->since;
    if (failure && !s->told.failure)
        s->told.failure = text_dup(failure);
    pthread_mutex_unlock(&online->lock);
}

/* Counts one file that was looked for at the server. */
static void server_count(struct online *online, struct server *s,
                         const struct outcome *outcome)
{
    size_t n = outcome->found.probes.len;

    pthread_mutex_lock(&online->lock);
    if (n && outcome->found.probes.data[n - 1].cause == FIND_NOT_ASKED)
        s->told.refused++;
    else
        s->told.files++;
    s->told.found += outcome->kept != NULL;
    pthread_mutex_unlock(&online->lock);
}

/*
 * The answers of this run: every address is asked once.
 *
 * Modules of one build may stand in a trace several times, and then want the
 * same file. A thread that asks for an address being asked for waits for the
 * answer.
 */

struct claim {
    struct outcome outcome; /* first: its address is the claim's */
    bool is_settled;
};

static struct outcome *claim_answer(struct online *online, const char *url,
                                    bool *is_first)
{
    struct claim *claim;
    uint32_t id;

    pthread_mutex_lock(&online->lock);
    id = strings_add(online->urls, url, strlen(url));
    *is_first = id > online->claims.len;
    if (*is_first)
        *vec_add(&online->claims) = mem_new(1, sizeof(*claim));
    claim = online->claims.data[id - 1];
    while (!*is_first && !claim->is_settled)
        pthread_cond_wait(&online->settled, &online->lock);
    pthread_mutex_unlock(&online->lock);
    return &claim->outcome;
}

static const struct protocol *const protocols[] = {
    [SERVER_SYMSRV] = &symsrv_protocol,
    [SERVER_DEBUGINFOD] = &debuginfod_protocol,
};

struct online *online_new(const struct online_limits *limits, const char *agent)
{
    struct online *online = mem_new(1, sizeof(*online));
    struct http_settings settings = {
        .agent = agent,
        .connect_ms = limits->connect_ms,
        .slow_bytes = limits->slow_bytes,
        .slow_seconds = limits->slow_seconds,
        .most_redirects = ONLINE_REDIRECTS,
    };

    online->limits = *limits;
    online->http = http_new(&settings);
    pthread_mutex_init(&online->lock, NULL);
    pthread_cond_init(&online->settled, NULL);
    online->urls = strings_new();
    online->owner = pthread_self();
    return online;
}

void online_free(struct online *online)
{
    if (!online)
        return;
    http_free(online->http);
    for (size_t i = 0; i < online->servers.len; i++) {
        free((char *)online->servers.data[i]->told.url);
        free((char *)online->servers.data[i]->told.failure);
        free(online->servers.data[i]);
    }
    vec_release(&online->servers);
    for (size_t i = 0; i < online->claims.len; i++) {
        found_release(&online->claims.data[i]->outcome.found);
        free(online->claims.data[i]->outcome.kept);
        free(online->claims.data[i]);
    }
    vec_release(&online->claims);
    strings_free(online->urls);
    pthread_cond_destroy(&online->settled);
    pthread_mutex_destroy(&online->lock);
    free(online);
}

void online_watch(struct online *online, const struct progress *progress)
{
    online->progress = progress;
}

void online_show(const struct online *online, const char *what, uint64_t done,
                 uint64_t total)
{
    if (pthread_equal(pthread_self(), online->owner))
        progress_report(online->progress, what, done, total ? total : 1);
}

unsigned online_requests(const struct online *online)
{
    return online->limits.requests;
}

/* The answer of a server, now or earlier in this run. */
static const struct outcome *ask(const struct wanted *wanted,
                                 const struct server_place *s, const char *url)
{
    const struct places *places = wanted->places;
    struct online *online = places->online;
    struct ask a = {
        .online = online,
        .server = server_get(online, s->url),
        .url = s->url,
        .store = s->store ? s->store : places->store,
        .wanted = wanted,
    };
    bool is_first;

    a.outcome = claim_answer(online, url, &is_first);
    if (is_first) {
        a.outcome->found = found_nothing(wanted);
        protocols[s->kind]->ask(&a);
        server_count(online, a.server, a.outcome);
        pthread_mutex_lock(&online->lock);
        ((struct claim *)a.outcome)->is_settled = true;
        pthread_cond_broadcast(&online->settled);
        pthread_mutex_unlock(&online->lock);
    }
    return a.outcome;
}

static void repeat_probes(struct found *found, const struct found *outcome)
{
    for (size_t i = 0; i < outcome->probes.len; i++) {
        const struct probe *probe = &outcome->probes.data[i];

        found_note(found, probe->cause, probe->path, probe->reason);
    }
}

static bool find_at(struct found *found, const struct wanted *wanted,
                    const struct server_place *s)
{
    const struct places *places = wanted->places;
    char *address = protocols[s->kind]->address(wanted);
    char *url = path_join(s->url, address), *shown = url_without_login(url);
    const struct outcome *outcome = NULL;

    if (!places->online)
        found_note(found, FIND_NOT_ASKED, shown, "no --online");
    else if (!s->store && !places->store)
        found_note(found, FIND_NOT_ASKED, shown, "no folder to keep it in");
    else
        outcome = ask(wanted, s, url);
    if (outcome)
        repeat_probes(found, &outcome->found);
    free(address);
    free(url);
    free(shown);
    return outcome && outcome->kept &&
           search_file(found, wanted, outcome->kept);
}

bool online_find(struct found *found, const struct wanted *wanted)
{
    const struct places *places = wanted->places;
    bool served = false;

    for (size_t i = 0; i < places->servers.len; i++) {
        const struct server_place *s = &places->servers.data[i];

        if (!protocols[s->kind]->has(wanted))
            continue;
        served = true;
        if (find_at(found, wanted, s))
            return true;
    }
    if (places->online && !served && debuginfod_protocol.has(wanted))
        places->online->lacks_debuginfod = true;
    return false;
}

bool online_lacks_debuginfod(const struct online *online)
{
    return online->lacks_debuginfod;
}

bool online_server(const struct online *online, size_t i,
                   struct online_server *told)
{
    if (i >= online->servers.len)
        return false;
    *told = online->servers.data[i]->told;
    return true;
}
