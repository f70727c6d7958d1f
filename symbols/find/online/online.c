#include "symbols/find/online/online.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/base/strings.h"
#include "engine/fleet/net/http.h"
#include "symbols/find/folder.h"
#include "symbols/find/online/ask.h"
#include "symbols/find/online/server.h"
#include "symbols/find/search.h"

/*
 * what was asked in this run: every address once.
 *
 * Modules of one build may stand in a trace several times, and then want the
 * same file. Whoever asks for what is being asked for waits for the answer.
 */

struct claim {
    struct told told; /* first: a told is its claim */
    bool is_settled;
};

struct answers {
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t settled;
    struct strings *urls;
    VEC(struct claim *) list; /* by id of the url, which begins with 1 */
};

static struct told *answers_claim(struct answers *answers, const char *url,
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
    return &claim->told;
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
        found_release(&online->answers->list.data[i]->told.found);
        free(online->answers->list.data[i]->told.kept);
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

/* What a server says, now or earlier in this run. */
static const struct told *ask(const struct wanted *wanted,
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

    a.told = answers_claim(online->answers, url, &is_first);
    if (is_first) {
        a.told->found = found_nothing(wanted);
        protocols[s->kind]->ask(&a);
        pthread_mutex_lock(&online->answers->lock);
        ((struct claim *)a.told)->is_settled = true;
        pthread_cond_broadcast(&online->answers->settled);
        pthread_mutex_unlock(&online->answers->lock);
    }
    return a.told;
}

static void repeat_probes(struct found *found, const struct found *told)
{
    for (size_t i = 0; i < told->probes.len; i++) {
        const struct probe *probe = &told->probes.data[i];

        found_note(found, probe->cause, probe->path, probe->reason);
    }
}

static bool find_at(struct found *found, const struct wanted *wanted,
                    const struct server_place *s)
{
    const struct places *places = wanted->places;
    char *address = protocols[s->kind]->address(wanted);
    char *url = path_join(s->url, address);
    const struct told *told = NULL;

    if (!places->online)
        found_note(found, FIND_NOT_ASKED, url, "no --online");
    else if (!s->store && !places->store)
        found_note(found, FIND_NOT_ASKED, url, "no folder to keep it in");
    else
        told = ask(wanted, s, url);
    if (told)
        repeat_probes(found, &told->found);
    free(address);
    free(url);
    return told && told->kept && search_file(found, wanted, told->kept);
}

bool online_find(struct found *found, const struct wanted *wanted)
{
    const struct places *places = wanted->places;

    for (size_t i = 0; i < places->servers.len; i++) {
        const struct server_place *s = &places->servers.data[i];

        if (protocols[s->kind]->has(wanted) && find_at(found, wanted, s))
            return true;
    }
    return false;
}
