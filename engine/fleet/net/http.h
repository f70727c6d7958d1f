/*
 * http - one request after the other, over libcurl.
 *
 *     struct http *http = http_new(&settings);
 *     struct http_request get = {.url = url, .most = 4096, .ms = 10000,
 *                            .take = keep, .context = &text};
 *     switch (http_run(http, &get)) ...
 *     http_free(http);
 *
 * Only http:// and https:// are spoken, from https:// on only https://.
 * Proxies are those that libcurl takes from the environment (https_proxy,
 * http_proxy, all_proxy, no_proxy). Several threads may use one http; each
 * request has a connection of its own, which is kept for the next.
 */
#ifndef TOPFN_HTTP_H
#define TOPFN_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct http_settings {
    const char *agent;       /* "topfn/1.0" */
    uint32_t connect_ms;     /* to be connected */
    uint32_t slow_bytes;     /* a second: slower than this ... */
    uint32_t slow_seconds;   /* ... for so long is a failure */
    uint32_t most_redirects;
    /* PEM file of the authorities that may vouch for a server of https://;
     * NULL: the system's. */
    const char *authorities;
    const char *user, *password; /* NULL: none */
};

enum http_result {
    HTTP_GOT,     /* all of it went to `take` */
    HTTP_ABSENT,  /* the server does not have it, or not for everybody */
    HTTP_STOPPED, /* `take` said so */
    HTTP_TOO_BIG, /* more than `most` bytes */
    HTTP_FAILED   /* no connection, too slow, another status */
};

struct http_request {
    const char *url;
    /* Sent along, which makes it a POST; NULL: a GET. */
    const void *body;
    size_t body_size;
    const char *form; /* the body is the file of this name in a form; or NULL */
    const char *const *headers; /* "Name: value", NULL at the end; or NULL */
    uint64_t most; /* bytes */
    int64_t ms;    /* until it must be done */
    /* Takes the answer piece by piece. False ends it. */
    bool (*take)(void *context, const void *data, size_t n);
    /* Called from time to time; `total` 0: not known. */
    void (*watch)(void *context, uint64_t done, uint64_t total);
    void *context;
    char reason[256]; /* out: of FAILED, and of ABSENT if there is one */
    /* out: the beginning of the text that comes with an error, terminated; the
     * caller may give room for it. */
    char *complaint;
    size_t complaint_size;
    long status; /* out: of the answer; 0: there was none */
    bool is_cut; /* out: the text that comes with an error did not come whole */
    bool is_untrusted; /* out: of FAILED: nobody vouches for the server */
};

struct http;

struct http *http_new(const struct http_settings *settings);
void http_free(struct http *http);

enum http_result http_run(struct http *http, struct http_request *get);

#endif
