#include "tests/support/http_server.h"

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/base/arena.h"
#include "engine/base/vec.h"

struct request {
    const char *path, *text;
};

struct http_server {
    int listener;
    char url[40];
    pthread_t thread;
    pthread_mutex_t lock; /* guards what follows */
    struct arena arena;
    VEC(struct http_page) pages;
    VEC(struct request) requests;
    void (*answer)(void *context, const struct http_asked *asked,
                   struct http_page *page);
    void *context;
};

/* ---- one request ---- */

static void send_all(int fd, const void *data, size_t n)
{
    const char *at = data;
    ssize_t sent;

    for (; n; at += sent, n -= (size_t)sent) {
        sent = send(fd, at, n, MSG_NOSIGNAL);
        if (sent <= 0)
            return;
    }
}

/* Up to the empty line, and the body that follows. */
static bool is_whole(const char *text, size_t n)
{
    const char *end = strstr(text, "\r\n\r\n");
    const char *length = strstr(text, "Content-Length: ");

    return end && (!length || length > end ||
                   n - (size_t)(end + 4 - text) >=
                       strtoul(length + 16, NULL, 10));
}

typedef VEC(char) request_text;

/* Terminated. False: the client went away. */
static bool read_request(int fd, request_text *text)
{
    do {
        enum { PIECE = 4096 };
        ssize_t got;

        vec_reserve(text, PIECE + 1);
        got = recv(fd, text->data + text->len, PIECE, 0);
        if (got <= 0)
            return false;
        text->len += (size_t)got;
        text->data[text->len] = '\0';
    } while (!is_whole(text->data, text->len));
    return true;
}

/* Notes the request, too. */
static struct http_page find_page(struct http_server *s,
                                  const struct http_asked *asked)
{
    struct http_page page = {.status = 404};
    bool found = false;

    pthread_mutex_lock(&s->lock);
    *vec_add(&s->requests) = (struct request){
        arena_strndup(&s->arena, asked->path, strlen(asked->path)),
        arena_strndup(&s->arena, asked->text, strlen(asked->text))};
    for (size_t i = 0; i < s->pages.len; i++) {
        if (!strcmp(s->pages.data[i].path, asked->path)) {
            page = s->pages.data[i];
            found = true;
        }
    }
    if (!found && s->answer)
        s->answer(s->context, asked, &page);
    pthread_mutex_unlock(&s->lock);
    return page;
}

static void answer(int fd, const struct http_page *page)
{
    struct pollfd client = {.fd = fd, .events = POLLIN | POLLRDHUP};
    const char *body = page->size ? page->body : "";
    size_t half = page->waits_ms ? page->size / 2 : page->size;
    char head[1024];
    int n;

    n = snprintf(head, sizeof(head),
                 "HTTP/1.1 %u x\r\nConnection: close\r\n%s%s%s"
                 "Content-Length: %llu\r\n\r\n",
                 page->location ? 302 : page->status ? page->status : 200,
                 page->location ? "Location: " : "",
                 page->location ? page->location : "",
                 page->location ? "\r\n" : "",
                 (unsigned long long)(page->claimed ? page->claimed
                                                    : page->size));
    send_all(fd, head, (size_t)n);
    send_all(fd, body, half);
    if (page->waits_ms)
        poll(&client, 1, (int)page->waits_ms);
    send_all(fd, body + half, page->size - half);
}

static void serve(struct http_server *s, int fd)
{
    request_text text = {0};
    struct http_asked asked;
    struct http_page page;
    char *path, *end;

    if (read_request(fd, &text) && (path = strchr(text.data, ' ')) &&
        (end = strchr(path + 1, ' '))) {
        asked.body = strstr(text.data, "\r\n\r\n") + 4;
        asked.size = text.len - (size_t)(asked.body - text.data);
        asked.text = text.data;
        asked.path = path = strndup(path + 1, (size_t)(end - path - 1));
        page = find_page(s, &asked);
        free(path);
        answer(fd, &page);
    }
    vec_release(&text);
}

static void *run(void *argument)
{
    struct http_server *s = argument;
    int fd;

    while ((fd = accept(s->listener, NULL, NULL)) >= 0) {
        serve(s, fd);
        close(fd);
    }
    return NULL;
}

/* ---- the server ---- */

/* On any free port. */
static int listen_somewhere(unsigned *port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    socklen_t size = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) ||
        listen(fd, 64) ||
        getsockname(fd, (struct sockaddr *)&address, &size))
        abort();
    *port = ntohs(address.sin_port);
    return fd;
}

unsigned http_free_port(void)
{
    unsigned port;

    close(listen_somewhere(&port));
    return port;
}

struct http_server *http_server_start(void)
{
    struct http_server *s = mem_new(1, sizeof(*s));
    unsigned port;

    s->listener = listen_somewhere(&port);
    snprintf(s->url, sizeof(s->url), "http://127.0.0.1:%u", port);
    pthread_mutex_init(&s->lock, NULL);
    if (pthread_create(&s->thread, NULL, run, s))
        abort();
    return s;
}

void http_server_stop(struct http_server *s)
{
    shutdown(s->listener, SHUT_RDWR); /* ends accept */
    pthread_join(s->thread, NULL);
    close(s->listener);
    pthread_mutex_destroy(&s->lock);
    vec_release(&s->pages);
    vec_release(&s->requests);
    arena_release(&s->arena);
    free(s);
}

void http_server_add(struct http_server *s, const struct http_page *page)
{
    struct http_page *added;

    pthread_mutex_lock(&s->lock);
    added = vec_add(&s->pages);
    *added = *page;
    added->path = arena_strndup(&s->arena, page->path, strlen(page->path));
    if (page->location)
        added->location = arena_strndup(&s->arena, page->location,
                                        strlen(page->location));
    pthread_mutex_unlock(&s->lock);
}

void http_server_ask(struct http_server *s,
                     void (*answer)(void *context,
                                    const struct http_asked *asked,
                                    struct http_page *page),
                     void *context)
{
    pthread_mutex_lock(&s->lock);
    s->answer = answer;
    s->context = context;
    pthread_mutex_unlock(&s->lock);
}

const char *http_server_url(const struct http_server *s)
{
    return s->url;
}

size_t http_server_requests(struct http_server *s)
{
    size_t n;

    pthread_mutex_lock(&s->lock);
    n = s->requests.len;
    pthread_mutex_unlock(&s->lock);
    return n;
}

const char *http_server_request(struct http_server *s, size_t n)
{
    const char *path;

    pthread_mutex_lock(&s->lock);
    path = s->requests.data[n].path;
    pthread_mutex_unlock(&s->lock);
    return path;
}

const char *http_server_request_text(struct http_server *s, size_t n)
{
    const char *text;

    pthread_mutex_lock(&s->lock);
    text = s->requests.data[n].text;
    pthread_mutex_unlock(&s->lock);
    return text;
}
