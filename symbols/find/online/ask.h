/*
 * ask - one wanted file at one server: what protocols are made of.
 *
 * A protocol knows which addresses below a server's may have the file, and
 * where in a store it belongs.
 */
#ifndef TOPFN_ASK_H
#define TOPFN_ASK_H

#include "symbols/find/online/online.h"
#include "symbols/find/search.h"
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "engine/base/newfile.h"
#include <stdint.h>

struct allowance {
    int64_t ms;
    uint64_t bytes;
};

struct server;
struct claim;

struct keep {
    const char *store; /* the folder of all; these are the caller's */
    const char *path;
    struct new_file file; /* temp NULL: not begun */
    FILE *stream;         /* NULL: not open */
    struct err err;
};

/* For symbols/find/online/ only. */

struct online {
    struct online_limits limits;
    struct http *http;
    pthread_mutex_t lock; /* guards the next four, and what they lead to */
    VEC(struct server *) servers;
    struct strings *urls;       /* that were asked */
    VEC(struct claim *) claims; /* by id of the url, which begins with 1 */
    pthread_cond_t settled;     /* a claim was */
    const struct progress *progress;
    pthread_t owner; /* who alone reports progress */
    _Atomic bool lacks_debuginfod;
};

void online_show(const struct online *online, const char *what, uint64_t done,
                 uint64_t total);

/* Constant once settled; lives as long as the answers. */
struct outcome {
    struct found found; /* its probes */
    char *kept;         /* path in the store; NULL: no file came */
};

struct ask {
    struct online *online;
    struct server *server;
    const char *url;   /* of the server */
    const char *store; /* folder */
    const struct wanted *wanted;
    struct outcome *outcome; /* filled in by asking */
};

enum answer {
    ANSWER_GOT,
    ANSWER_ABSENT, /* not at this address */
    ANSWER_NONE    /* no use in asking further */
};

struct protocol {
    bool (*has)(const struct wanted *wanted); /* that kind of file */
    /* The first address below the server's, to be freed. */
    char *(*address)(const struct wanted *wanted);
    void (*ask)(struct ask *a);
};

extern const struct protocol symsrv_protocol, debuginfod_protocol;

/* Brings what is at `address` to `place` in the store, if it is the file
 * wanted: a->outcome->kept. `packed`: it is in a cabinet. */
enum answer ask_file(struct ask *a, const char *address, const char *place,
                     bool packed);

struct server *server_get(struct online *online, const char *url);
/* True: ask it, within what is left. False: why not. */
bool server_begin(struct online *online, struct server *server,
                  struct allowance *left, char *reason, size_t room);

/* It sent `n` bytes. False: these were too many. */
bool server_spend(struct online *online, struct server *server, uint64_t n);

/* `failure`: it is not to be relied on any more, and why; or NULL. */
void server_end(struct online *online, struct server *server,
                const char *failure);

#endif
