#include "engine/fleet/net/http.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include <curl/curl.h>

#include "engine/base/library.h"
#include "engine/base/mem.h"
#include "engine/base/vec.h"

/* Bytes of an error's text that are read to keep the connection. */
enum { IGNORED_MOST = 64 << 10 };

/* libcurl is loaded when a server is to be asked: it comes with some thirty
 * libraries, whose loading takes longer than many a report. */
#define LIBRARY "libcurl.so.4"

static struct curl {
    CURL *(*init)(void);
    void (*cleanup)(CURL *handle);
    void (*reset)(CURL *handle);
    CURLcode (*setopt)(CURL *handle, CURLoption option, ...);
    CURLcode (*getinfo)(CURL *handle, CURLINFO info, ...);
    CURLcode (*perform)(CURL *handle);
    const char *(*strerror)(CURLcode code);
    curl_mime *(*mime_init)(CURL *handle);
    void (*mime_free)(curl_mime *mime);
    curl_mimepart *(*mime_addpart)(curl_mime *mime);
    CURLcode (*mime_name)(curl_mimepart *part, const char *name);
    CURLcode (*mime_filename)(curl_mimepart *part, const char *name);
    CURLcode (*mime_data)(curl_mimepart *part, const char *data, size_t n);
} api;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load_curl(void)
{
    static const struct {
        const char *name;
        void *to;
    } names[] = {
        {"curl_easy_init", &api.init},
        {"curl_easy_cleanup", &api.cleanup},
        {"curl_easy_reset", &api.reset},
        {"curl_easy_setopt", &api.setopt},
        {"curl_easy_getinfo", &api.getinfo},
        {"curl_easy_perform", &api.perform},
        {"curl_easy_strerror", &api.strerror},
        {"curl_mime_init", &api.mime_init},
        {"curl_mime_free", &api.mime_free},
        {"curl_mime_addpart", &api.mime_addpart},
        {"curl_mime_name", &api.mime_name},
        {"curl_mime_filename", &api.mime_filename},
        {"curl_mime_data", &api.mime_data},
    };
    CURLcode (*global_init)(long flags);
    void *library = library_load(LIBRARY);
    bool all = library_find(library, "curl_global_init", &global_init);

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        all = all && library_find(library, names[i].name, names[i].to);
    is_loaded = all && !global_init(CURL_GLOBAL_DEFAULT);
}

struct http {
    struct http_settings settings;
    pthread_mutex_t lock; /* guards what follows */
    VEC(CURL *) idle;     /* with their connections */
};

struct transfer {
    CURL *curl;
    struct http_request *get;
    curl_mime *mime;                /* of a body that is a file of a form */
    VEC(struct curl_slist) headers; /* each leads to the next */
    uint64_t taken, ignored;
    bool stopped, too_big, downgraded;
};

/* A server that hangs up may raise SIGPIPE, which would end the program. It is
 * held back from this thread while libcurl works, and then forgotten. */
static void hold_pipe_signal(sigset_t *before)
{
    sigset_t pipe;

    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, before);
}

static void forget_pipe_signal(const sigset_t *before)
{
    const struct timespec at_once = {.tv_sec = 0};
    sigset_t pipe;

    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    if (!sigismember(before, SIGPIPE))
        sigtimedwait(&pipe, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

struct http *http_new(const struct http_settings *settings)
{
    struct http *http = mem_new(1, sizeof(*http));

    http->settings = *settings;
    pthread_once(&once, load_curl);
    pthread_mutex_init(&http->lock, NULL);
    return http;
}

void http_free(struct http *http)
{
    sigset_t before;

    hold_pipe_signal(&before);
    for (size_t i = 0; i < http->idle.len; i++)
        api.cleanup(http->idle.data[i]);
    forget_pipe_signal(&before);
    vec_release(&http->idle);
    pthread_mutex_destroy(&http->lock);
    free(http);
}

static CURL *borrow(struct http *http)
{
    CURL *curl = NULL;

    pthread_mutex_lock(&http->lock);
    if (http->idle.len)
        curl = http->idle.data[--http->idle.len];
    pthread_mutex_unlock(&http->lock);
    return curl || !is_loaded ? curl : api.init();
}

static long status_of(const struct transfer *t)
{
    long status = 0;

    api.getinfo(t->curl, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

/* The text that comes with an error. */
static size_t take_complaint(struct transfer *t, const char *data, size_t n)
{
    struct http_request *get = t->get;
    size_t room = 0;

    if (get->complaint_size > t->ignored + 1)
        room = get->complaint_size - (size_t)t->ignored - 1;
    if (room) {
        size_t kept = n < room ? n : room;

        memcpy(get->complaint + t->ignored, data, kept);
        get->complaint[t->ignored + kept] = '\0';
    }
    t->ignored += n;
    return t->ignored > IGNORED_MOST ? 0 : n;
}

static size_t take(char *data, size_t one, size_t n, void *context)
{
    struct transfer *t = context;

    (void)one;
    if (status_of(t) != 200)
        return take_complaint(t, data, n);
    t->taken += n;
    t->too_big = t->taken > t->get->most;
    t->stopped = !t->too_big && !t->get->take(t->get->context, data, n);
    return t->too_big || t->stopped ? 0 : n;
}

static int watch(void *context, curl_off_t total, curl_off_t done,
                 curl_off_t up_total, curl_off_t up_done)
{
    struct http_request *get = context;

    (void)up_total;
    (void)up_done;
    if (get->watch)
        get->watch(get->context, (uint64_t)done, (uint64_t)total);
    return 0;
}

static bool begins(const char *text, size_t n, const char *with)
{
    return n >= strlen(with) && !strncasecmp(text, with, strlen(with));
}

/* Once a transfer is encrypted it stays so, whatever it began with: a header
 * that leads back ends it. */
static size_t take_header(char *line, size_t one, size_t n, void *context)
{
    struct transfer *t = context;
    const char *url = NULL, *to = line + strlen("location:");

    (void)one;
    api.getinfo(t->curl, CURLINFO_EFFECTIVE_URL, &url);
    if (!url || !begins(url, strlen(url), "https:") ||
        !begins(line, n, "location:"))
        return n;
    while (to < line + n && (*to == ' ' || *to == '\t'))
        to++;
    t->downgraded = begins(to, (size_t)(line + n - to), "http:");
    return t->downgraded ? 0 : n;
}

static curl_off_t to_offset(uint64_t n)
{
    return n > INT64_MAX ? INT64_MAX : (curl_off_t)n;
}

/* libcurl wants them linked; they stay where they are from then on. */
static void link_headers(struct transfer *t)
{
    const char *const *text = t->get->headers;

    for (; text && *text; text++)
        *vec_add(&t->headers) = (struct curl_slist){(char *)*text, NULL};
    for (size_t i = 0; i + 1 < t->headers.len; i++)
        t->headers.data[i].next = &t->headers.data[i + 1];
}

/* The body as a file of a form; NULL: the library cannot. */
static curl_mime *make_form(const struct transfer *t)
{
    const struct http_request *get = t->get;
    curl_mime *mime = api.mime_init(t->curl);
    curl_mimepart *part = mime ? api.mime_addpart(mime) : NULL;

    if (part && !api.mime_name(part, get->form) &&
        !api.mime_filename(part, get->form) &&
        !api.mime_data(part, get->body, get->body_size))
        return mime;
    api.mime_free(mime);
    return NULL;
}

/* False when the library takes one of them not: nothing is asked then, as
 * any of them may be what keeps a transfer within bounds. */
static bool prepare(struct transfer *t, const struct http_settings *s)
{
    bool is_safe = begins(t->get->url, strlen(t->get->url), "https:");
    CURL *curl = t->curl;
    bool ok = true;

#define set(curl, option, value) (ok = !api.setopt(curl, option, value) && ok)
    set(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    set(curl, CURLOPT_REDIR_PROTOCOLS_STR, is_safe ? "https" : "http,https");
    set(curl, CURLOPT_HEADERFUNCTION, take_header);
    set(curl, CURLOPT_HEADERDATA, t);
    set(curl, CURLOPT_URL, t->get->url);
    set(curl, CURLOPT_USERAGENT, s->agent);
    set(curl, CURLOPT_NOSIGNAL, 1L);
    set(curl, CURLOPT_FOLLOWLOCATION, 1L);
    set(curl, CURLOPT_MAXREDIRS, (long)s->most_redirects);
    set(curl, CURLOPT_CONNECTTIMEOUT_MS, (long)s->connect_ms);
    set(curl, CURLOPT_TIMEOUT_MS, (long)t->get->ms);
    set(curl, CURLOPT_LOW_SPEED_LIMIT, (long)s->slow_bytes);
    set(curl, CURLOPT_LOW_SPEED_TIME, (long)s->slow_seconds);
    set(curl, CURLOPT_MAXFILESIZE_LARGE, to_offset(t->get->most));
    set(curl, CURLOPT_WRITEFUNCTION, take);
    set(curl, CURLOPT_WRITEDATA, t);
    if (s->authorities)
        set(curl, CURLOPT_CAINFO, s->authorities);
    set(curl, CURLOPT_NOPROGRESS, 0L);
    set(curl, CURLOPT_XFERINFOFUNCTION, watch);
    set(curl, CURLOPT_XFERINFODATA, t->get);
    if (t->headers.len)
        set(curl, CURLOPT_HTTPHEADER, t->headers.data);
    if (s->user)
        set(curl, CURLOPT_USERNAME, s->user);
    if (s->password)
        set(curl, CURLOPT_PASSWORD, s->password);
    if (t->get->form) {
        t->mime = make_form(t);
        set(curl, CURLOPT_MIMEPOST, t->mime);
        ok = ok && t->mime;
    } else if (t->get->body) {
        set(curl, CURLOPT_POSTFIELDSIZE_LARGE, to_offset(t->get->body_size));
        set(curl, CURLOPT_POSTFIELDS, t->get->body);
    }
#undef set
    return ok;
}

/* Storage services answer 403 for what is not there to those who may not
 * list it. */
static bool means_absent(long status)
{
    return status == 403 || status == 404 || status == 410;
}

/* libcurl's longer messages have times in them. */
static enum http_result judge(const struct transfer *t, CURLcode code)
{
    struct http_request *get = t->get;
    long status = status_of(t);

    get->is_untrusted = code == CURLE_PEER_FAILED_VERIFICATION ||
                        code == CURLE_SSL_CACERT_BADFILE;
    if (t->stopped)
        return HTTP_STOPPED;
    if (t->downgraded) {
        snprintf(get->reason, sizeof(get->reason),
                 "redirected from https to http");
        return HTTP_FAILED;
    }
    if (status == 200 && (t->too_big || code == CURLE_FILESIZE_EXCEEDED))
        return HTTP_TOO_BIG;
    if (!code && status == 200)
        return HTTP_GOT;
    get->is_cut = status >= 400 && code && t->ignored <= IGNORED_MOST;
    if (status == 404)
        get->reason[0] = '\0';
    else if (!code || status >= 400)
        snprintf(get->reason, sizeof(get->reason), "HTTP status %ld", status);
    else
        snprintf(get->reason, sizeof(get->reason), "%s", api.strerror(code));
    return means_absent(status) ? HTTP_ABSENT : HTTP_FAILED;
}

enum http_result http_run(struct http *http, struct http_request *get)
{
    struct transfer t = {.curl = borrow(http), .get = get};
    enum http_result result;
    sigset_t before;

    if (!t.curl) {
        snprintf(get->reason, sizeof(get->reason), "libcurl is not installed");
        return HTTP_FAILED;
    }
    if (get->complaint_size)
        get->complaint[0] = '\0';
    link_headers(&t);
    hold_pipe_signal(&before);
    if (prepare(&t, &http->settings)) {
        result = judge(&t, api.perform(t.curl));
    } else {
        snprintf(get->reason, sizeof(get->reason), "libcurl is too old");
        result = HTTP_FAILED;
    }
    get->status = status_of(&t);
    api.mime_free(t.mime);
    api.reset(t.curl); /* connections stay */
    pthread_mutex_lock(&http->lock);
    *vec_add(&http->idle) = t.curl;
    pthread_mutex_unlock(&http->lock);
    vec_release(&t.headers);
    forget_pipe_signal(&before);
    return result;
}
