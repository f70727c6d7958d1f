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
    char *url;
    char *failure;     /* NULL: none yet */
    size_t files, found, refused; /* of struct online_server */
    uint64_t bytes;    /* that it sent */
    int64_t spent;     /* milliseconds, without those since `since` */
    int64_t since;     /* the first of `requests` began */
    unsigned requests; /* under way */
};

struct servers {
    struct allowance budget;
    pthread_mutex_t lock; /* guards what follows, and every server */
    VEC(struct server *) list;
};

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct servers *servers_new(const struct allowance *budget)
{
    struct servers *servers = mem_new(1, sizeof(*servers));

    servers->budget = *budget;
    pthread_mutex_init(&servers->lock, NULL);
    return servers;
}

void servers_free(struct servers *servers)
{
    for (size_t i = 0; i < servers->list.len; i++) {
        free(servers->list.data[i]->url);
        free(servers->list.data[i]->failure);
        free(servers->list.data[i]);
    }
    vec_release(&servers->list);
    pthread_mutex_destroy(&servers->lock);
    free(servers);
}

static struct server *find(const struct servers *servers, const char *url)
{
    for (size_t i = 0; i < servers->list.len; i++)
        if (!strcmp(servers->list.data[i]->url, url))
            return servers->list.data[i];
    return NULL;
}

struct server *servers_get(struct servers *servers, const char *url)
{
    struct server *server;

    pthread_mutex_lock(&servers->lock);
    server = find(servers, url);
    if (!server) {
        server = mem_new(1, sizeof(*server));
        server->url = text_dup(url);
        *vec_add(&servers->list) = server;
    }
    pthread_mutex_unlock(&servers->lock);
    return server;
}

static struct allowance what_is_left(const struct servers *servers,
                                     const struct server *s, int64_t now)
{
    const struct allowance *budget = &servers->budget;
    int64_t spent = s->spent + (s->requests ? now - s->since : 0);

    return (struct allowance){
        budget->ms > spent ? budget->ms - spent : 0,
        budget->bytes > s->bytes ? budget->bytes - s->bytes : 0,
    };
}

bool server_begin(struct servers *servers, struct server *s,
                  struct allowance *left, char *reason, size_t room)
{
    int64_t now = now_ms();
    bool may;

    pthread_mutex_lock(&servers->lock);
    *left = what_is_left(servers, s, now);
    may = !s->failure && left->ms && left->bytes;
    if (s->failure)
        snprintf(reason, room, "the server failed before: %s", s->failure);
    else if (!may)
        snprintf(reason, room, "the server's share of %s is used up",
                 left->ms ? "bytes" : "time");
    if (may && !s->requests++)
        s->since = now;
    pthread_mutex_unlock(&servers->lock);
    return may;
}

bool server_spend(struct servers *servers, struct server *s, uint64_t n)
{
    bool enough;

    pthread_mutex_lock(&servers->lock);
    s->bytes += n;
    enough = s->bytes <= servers->budget.bytes;
    pthread_mutex_unlock(&servers->lock);
    return enough;
}

void server_end(struct servers *servers, struct server *s, const char *failure)
{
    pthread_mutex_lock(&servers->lock);
    if (!--s->requests)
        s->spent += now_ms() - s->since;
    if (failure && !s->failure)
        s->failure = text_dup(failure);
    pthread_mutex_unlock(&servers->lock);
}

/* Counts one file that was looked for at the server. */
static void server_count(struct servers *servers, struct server *s,
                         const struct outcome *outcome)
{
    size_t n = outcome->found.probes.len;

    pthread_mutex_lock(&servers->lock);
    if (n && outcome->found.probes.data[n - 1].cause == FIND_NOT_ASKED)
        s->refused++;
    else
        s->files++;
    s->found += outcome->kept != NULL;
    pthread_mutex_unlock(&servers->lock);
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

struct answers {
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t settled;
    struct strings *urls;
    VEC(struct claim *) list; /* by id of the url, which begins with 1 */
};

static struct outcome *answers_claim(struct answers *answers, const char *url,
                                     bool *is_first)
{
    struct claim *claim;
    uint32_t id;

    pthread_mutex_lock(&answers->lock);
    id = strings_add(answers->urls, url, strlen(url));
    *is_first = id > answers->list.len;
    if (*is_first)
        *vec_add(&answers->list) = mem_new(1, sizeof(*claim));
    claim = answers->list.data[id - 1];
    while (!*is_first && !claim->is_settled)
        pthread_cond_wait(&answers->settled, &answers->lock);
    pthread_mutex_unlock(&answers->lock);
    return &claim->outcome;
}

static const struct protocol *const protocols[] = {
    [SERVER_SYMSRV] = &symsrv_protocol,
    [SERVER_DEBUGINFOD] = &debuginfod_protocol,
};

struct online *online_new(const struct online_limits *limits, const char *agent)
{
    struct online *online = mem_new(1, sizeof(*online));
    struct allowance budget = {limits->server_ms, limits->server_bytes};
    struct http_settings settings = {
        .agent = agent,
        .connect_ms = limits->connect_ms,
        .slow_bytes = limits->slow_bytes,
        .slow_seconds = limits->slow_seconds,
        .most_redirects = ONLINE_REDIRECTS,
    };
    struct answers *answers;

    online->limits = *limits;
    online->http = http_new(&settings);
    online->servers = servers_new(&budget);
    answers = mem_new(1, sizeof(*answers));
    pthread_mutex_init(&answers->lock, NULL);
    pthread_cond_init(&answers->settled, NULL);
    answers->urls = strings_new();
    online->answers = answers;
    online->owner = pthread_self();
    return online;
}

void online_free(struct online *online)
{
    if (!online)
        return;
    http_free(online->http);
    servers_free(online->servers);
    for (size_t i = 0; i < online->answers->list.len; i++) {
        found_release(&online->answers->list.data[i]->outcome.found);
        free(online->answers->list.data[i]->outcome.kept);
        free(online->answers->list.data[i]);
    }
    vec_release(&online->answers->list);
    strings_free(online->answers->urls);
    pthread_cond_destroy(&online->answers->settled);
    pthread_mutex_destroy(&online->answers->lock);
    free(online->answers);
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
        .server = servers_get(online->servers, s->url),
        .url = s->url,
        .store = s->store ? s->store : places->store,
        .wanted = wanted,
    };
    bool is_first;

    a.outcome = answers_claim(online->answers, url, &is_first);
    if (is_first) {
        a.outcome->found = found_nothing(wanted);
        protocols[s->kind]->ask(&a);
        server_count(online->servers, a.server, a.outcome);
        pthread_mutex_lock(&online->answers->lock);
        ((struct claim *)a.outcome)->is_settled = true;
        pthread_cond_broadcast(&online->answers->settled);
        pthread_mutex_unlock(&online->answers->lock);
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
    const struct server *s;

    if (i >= online->servers->list.len)
        return false;
    s = online->servers->list.data[i];
    *told = (struct online_server){s->url,   s->failure, s->files,
                                   s->found, s->refused, s->bytes};
    return true;
}
