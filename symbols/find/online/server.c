#include "symbols/find/online/server.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/base/mem.h"
#include "engine/base/vec.h"
#include "symbols/find/folder.h"

struct server {
    char *url;
    char *failure;  /* NULL: none yet */
    uint64_t bytes; /* that it sent */
    int64_t spent;  /* milliseconds, without those since `since` */
    int64_t since;  /* the first of `requests` began */
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
        server->url = text_copy(url, strlen(url));
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

void server_end(struct servers *servers, struct server *s,
                const char *failure)
{
    pthread_mutex_lock(&servers->lock);
    if (!--s->requests)
        s->spent += now_ms() - s->since;
    if (failure && !s->failure)
        s->failure = text_copy(failure, strlen(failure));
    pthread_mutex_unlock(&servers->lock);
}
