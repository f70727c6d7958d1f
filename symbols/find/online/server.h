/*
 * server - what a symbol server may still be asked for.
 *
 *     struct server *s = servers_get(servers, "https://symbols.example");
 *     struct allowance left;
 *     if (server_begin(servers, s, &left, reason, sizeof(reason))) {
 *         ... server_spend(servers, s, n); ...
 *         server_end(servers, s, failed ? why : NULL);
 *     }
 *
 * A server has a budget of time, spent while at least one request is under
 * way, and of bytes. One failure, or the end of its budget, and it is not
 * asked again. Any thread may call; servers are never forgotten.
 */
#ifndef TOPFN_SERVER_H
#define TOPFN_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct allowance {
    int64_t ms;
    uint64_t bytes;
};

struct server;
struct servers;

/* `budget`: of each server. */
struct servers *servers_new(const struct allowance *budget);
void servers_free(struct servers *servers);

struct server *servers_get(struct servers *servers, const char *url);

/* True: ask it, within what is left. False: why not. */
bool server_begin(struct servers *servers, struct server *server,
                  struct allowance *left, char *reason, size_t room);
/* It sent `n` bytes. False: these were too many. */
bool server_spend(struct servers *servers, struct server *server, uint64_t n);
/* `failure`: it is not to be relied on any more, and why; or NULL. */
void server_end(struct servers *servers, struct server *server,
                const char *failure);

#endif
