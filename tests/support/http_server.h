/*
 * http_server - a server on the loopback that does what a test wants it to.
 *
 *     struct http_server *server = http_server_start();
 *     http_server_add(server, &(struct http_page){
 *         .path = "/a.pdb", .body = data, .size = n});
 *     ... http_server_url(server) ...
 *     ck_assert_uint_eq(http_server_requests(server), 1);
 *     http_server_stop(server);
 *
 * Every connection is for one request, one after the other. Other paths are
 * answered with 404. Bodies must live as long as the server.
 */
#ifndef TOPFN_TESTS_HTTP_SERVER_H
#define TOPFN_TESTS_HTTP_SERVER_H

#include <stddef.h>
#include <stdint.h>

struct http_page {
    const char *path; /* copied, as `location` is */
    unsigned status;  /* 0: 200 */
    const void *body;
    size_t size;
    uint64_t claimed;     /* Content-Length; 0: `size` */
    const char *location; /* redirects there; status 302 */
    unsigned waits_ms;    /* in the middle of the body, or until the client
                             gives up */
};

/* A request as it came. */
struct http_asked {
    const char *path;
    const char *text; /* all of it, terminated */
    const char *body;
    size_t size;      /* of the body */
};

struct http_server;

struct http_server *http_server_start(void);
void http_server_stop(struct http_server *server);

/* Replaces an earlier one of that path. */
void http_server_add(struct http_server *server,
                     const struct http_page *page);

/* Asked for what is not added, on another thread: fills the page, whose body
 * must live until the next request. */
void http_server_ask(struct http_server *server,
                     void (*answer)(void *context,
                                    const struct http_asked *asked,
                                    struct http_page *page),
                     void *context);

/* "http://127.0.0.1:40000" */
const char *http_server_url(const struct http_server *server);
size_t http_server_requests(struct http_server *server);
/* The path of the nth; valid until it is stopped. */
const char *http_server_request(struct http_server *server, size_t n);
/* All of it: "POST /a HTTP/1.1", headers, body. */
const char *http_server_request_text(struct http_server *server, size_t n);

/* A port of the loopback where nobody listens. */
unsigned http_free_port(void);

#endif
