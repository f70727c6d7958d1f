#include "tests/support/fleet_stand_in.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "engine/base/arena.h"
#include "engine/base/reader.h"
#include "engine/base/vec.h"
#include "tests/support/http_server.h"

struct reply {
    const char *beginning;
    const char *text; /* rows, or a complaint */
    size_t size;
    unsigned status;
    bool given;
};

struct fleet_stand_in {
    struct http_server *http;
    const char *address;
    pthread_mutex_t lock; /* guards what follows */
    struct arena arena;
    VEC(struct reply) replies;
    VEC(struct fleet_told) told;
};

/* ---- what is asked ---- */

static const char *between(struct fleet_stand_in *s, const char *from,
                           const char *to)
{
    return arena_strndup(&s->arena, from, (size_t)(to - from));
}

/* "%41" is A. */
static const char *decoded(struct fleet_stand_in *s, const char *text)
{
    char *copy = arena_strndup(&s->arena, text, strlen(text)), *to = copy;

    for (const char *at = copy; *at; at++) {
        if (*at == '%') {
            char digits[3] = {at[1], at[2], '\0'};

            *to++ = (char)strtoul(digits, NULL, 16);
            at += 2;
        } else {
            *to++ = *at;
        }
    }
    *to = '\0';
    return copy;
}

static void unpack(struct fleet_stand_in *s, const struct http_asked *asked,
                   struct fleet_told *told)
{
    enum { MOST = 1 << 20 };
    char *rows = arena_new(&s->arena, char, MOST);
    z_stream z = {.next_in = (Bytef *)asked->body,
                  .avail_in = (uInt)asked->size,
                  .next_out = (Bytef *)rows,
                  .avail_out = MOST};

    if (inflateInit(&z) != Z_OK || inflate(&z, Z_FINISH) != Z_STREAM_END)
        abort();
    told->rows = rows;
    told->size = MOST - z.avail_out;
    inflateEnd(&z);
}

/* Numbers in a form of one file. */
static void read_ids(const struct http_asked *asked, struct fleet_told *told)
{
    const char *from = strstr(asked->body, "\r\n\r\n") + 4;
    size_t end = asked->size - (size_t)(from - asked->body);

    /* Behind them stands the boundary, and two hyphens and a line's end. */
    end -= strcspn(asked->body, "\r") + strlen("\r\n--\r\n");
    told->id_count = end / sizeof(uint64_t);
    for (size_t i = 0; i < told->id_count && i < 8; i++)
        told->ids[i] = load_u64((const uint8_t *)from + i * sizeof(uint64_t));
}

static struct fleet_told note(struct fleet_stand_in *s,
                              const struct http_asked *asked)
{
    const char *settings = asked->path + strcspn(asked->path, "?");
    const char *query = strstr(settings, "&query=");
    struct fleet_told told = {.rows = ""};

    settings += *settings == '?';
    told.settings =
        between(s, settings, query ? query : settings + strlen(settings));
    told.head = between(s, asked->text, asked->body);
    told.sql = query ? decoded(s, query + strlen("&query="))
                     : between(s, asked->body, asked->body + asked->size);
    if (strstr(told.head, "Content-Encoding: deflate"))
        unpack(s, asked, &told);
    else if (query)
        read_ids(asked, &told);
    return told;
}

/* ---- what is answered ---- */

static bool begins(const char *text, const char *beginning)
{
    return !strncmp(text, beginning, strlen(beginning));
}

static void answer(void *context, const struct http_asked *asked,
                   struct http_page *page)
{
    struct fleet_stand_in *s = context;
    struct reply *found = NULL;
    struct fleet_told *told;

    pthread_mutex_lock(&s->lock);
    told = vec_add(&s->told);
    *told = note(s, asked);
    for (size_t i = 0; i < s->replies.len; i++) {
        struct reply *r = &s->replies.data[i];

        if (!begins(told->sql, r->beginning))
            continue;
        found = r;
        if (!r->given)
            break;
    }
    page->status = found ? found->status : 200;
    page->body = found ? found->text : "";
    page->size = found ? found->size : 0;
    if (found)
        found->given = true;
    pthread_mutex_unlock(&s->lock);
}

struct fleet_stand_in *fleet_stand_in_start(void)
{
    struct fleet_stand_in *s = mem_new(1, sizeof(*s));
    struct out *address = out_memory();
    const char *text;

    pthread_mutex_init(&s->lock, NULL);
    s->http = http_server_start();
    out_fmt(address, "clickhouse%s/fleet", http_server_url(s->http) + 4);
    text = out_text(address, NULL);
    s->address = arena_strndup(&s->arena, text, strlen(text));
    out_close(address, NULL);
    http_server_ask(s->http, answer, s);
    return s;
}

void fleet_stand_in_stop(struct fleet_stand_in *s)
{
    http_server_stop(s->http);
    pthread_mutex_destroy(&s->lock);
    vec_release(&s->replies);
    vec_release(&s->told);
    arena_release(&s->arena);
    free(s);
}

const char *fleet_stand_in_address(const struct fleet_stand_in *s)
{
    return s->address;
}

static void add_reply(struct fleet_stand_in *s, const char *beginning,
                      unsigned status, const char *text, size_t n)
{
    pthread_mutex_lock(&s->lock);
    *vec_add(&s->replies) = (struct reply){
        beginning, arena_strndup(&s->arena, text, n), n, status, false};
    pthread_mutex_unlock(&s->lock);
}

void fleet_stand_in_reply(struct fleet_stand_in *s, const char *beginning,
                          struct out *rows)
{
    size_t n = 0;
    const char *text = rows ? out_text(rows, &n) : "";

    add_reply(s, beginning, 200, text, n);
    if (rows)
        out_close(rows, NULL);
}

void fleet_stand_in_refuse(struct fleet_stand_in *s, const char *beginning,
                           const char *complaint)
{
    fleet_stand_in_fail(s, beginning, 500, complaint);
}

void fleet_stand_in_fail(struct fleet_stand_in *s, const char *beginning,
                         unsigned status, const char *complaint)
{
    add_reply(s, beginning, status, complaint, strlen(complaint));
}

size_t fleet_stand_in_count(struct fleet_stand_in *s)
{
    size_t n;

    pthread_mutex_lock(&s->lock);
    n = s->told.len;
    pthread_mutex_unlock(&s->lock);
    return n;
}

const struct fleet_told *fleet_stand_in_told(struct fleet_stand_in *s, size_t n)
{
    const struct fleet_told *told;

    pthread_mutex_lock(&s->lock);
    told = n < s->told.len ? &s->told.data[n] : NULL;
    pthread_mutex_unlock(&s->lock);
    return told;
}

const struct fleet_told *fleet_stand_in_find(struct fleet_stand_in *s,
                                             const char *beginning)
{
    const struct fleet_told *told = NULL;

    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->told.len && !told; i++)
        if (begins(s->told.data[i].sql, beginning))
            told = &s->told.data[i];
    pthread_mutex_unlock(&s->lock);
    return told;
}
