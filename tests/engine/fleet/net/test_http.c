/* Requests to a server on the loopback: every end that one can come to. */
#include "engine/fleet/net/http.h"

#include "engine/base/library.h"
#include "tests/support/http_server.h"
#include "tests/support/suite.h"

static const struct http_settings settings = {
    .agent = "tests/1.0",
    .connect_ms = 10000,
    .slow_bytes = 1,
    .slow_seconds = 30,
    .most_redirects = 2,
};

static struct http_server *server;
static struct http *http;
static char url[200], body[200000], complaint[50];

/* What `take` got, and when it has enough. */
static struct {
    char text[1000];
    size_t n, enough;
    unsigned watched;
    uint64_t total;
} got;

static bool take(void *context, const void *data, size_t n)
{
    ck_assert_ptr_eq(context, &got);
    if (got.n + n < sizeof(got.text))
        memcpy(got.text + got.n, data, n);
    got.n += n;
    return got.n < got.enough;
}

static void look(void *context, uint64_t done, uint64_t total)
{
    ck_assert_ptr_eq(context, &got);
    ck_assert_uint_le(done, total ? total : sizeof(body));
    got.watched++;
    got.total = total > got.total ? total : got.total;
}

static struct http_request request(const char *path)
{
    memset(&got, 0, sizeof(got));
    got.enough = SIZE_MAX;
    snprintf(url, sizeof(url), "%s%s", http_server_url(server), path);
    return (struct http_request){
        .url = url, .most = 1000, .ms = 60000, .take = take, .context = &got};
}

static void begin(void)
{
    memset(body, 'x', sizeof(body));
    server = http_server_start();
    http = http_new(&settings);
}

static void end(void)
{
    http_free(http);
    http_server_stop(server);
}

static void page(const char *path, unsigned status, size_t size)
{
    http_server_add(server, &(struct http_page){.path = path,
                                                .status = status,
                                                .body = body,
                                                .size = size});
}

static const struct {
    unsigned status;
    size_t size;
    enum http_result result;
    const char *reason;
} ends[] = {
    {200, 0, HTTP_GOT, ""},
    {200, 1, HTTP_GOT, ""},
    {200, 1000, HTTP_GOT, ""},
    {200, 1001, HTTP_TOO_BIG, ""},
    {404, 0, HTTP_ABSENT, ""},
    {404, 1000, HTTP_ABSENT, ""},
    {403, 10, HTTP_ABSENT, "HTTP status 403"},
    {410, 10, HTTP_ABSENT, "HTTP status 410"},
    {402, 10, HTTP_FAILED, "HTTP status 402"},
    {405, 10, HTTP_FAILED, "HTTP status 405"},
    {409, 10, HTTP_FAILED, "HTTP status 409"},
    {411, 10, HTTP_FAILED, "HTTP status 411"},
    {201, 10, HTTP_FAILED, "HTTP status 201"},
    {500, 10, HTTP_FAILED, "HTTP status 500"},
    {503, 1000, HTTP_FAILED, "HTTP status 503"},
};

TEST(a_status_is_an_end)
{
    begin();
    for (size_t i = 0; i < COUNT(ends); i++) {
        struct http_request get = request("/a");
        enum http_result result;

        page("/a", ends[i].status, ends[i].size);
        result = http_run(http, &get);
        ck_assert_msg(result == ends[i].result, "%u: %d %s", ends[i].status,
                      (int)result, get.reason);
        ck_assert_int_eq(get.status, ends[i].status);
        if (*ends[i].reason || ends[i].status == 404)
            ck_assert_str_eq(get.reason, ends[i].reason);
        ck_assert_uint_eq(got.n, result == HTTP_GOT ? ends[i].size : 0);
        ck_assert(!get.is_untrusted);
    }
    end();
}

/* More than was announced, or without an announcement that is true. */
TEST(what_is_announced_is_no_promise)
{
    struct http_request get;

    begin();
    http_server_add(
        server, &(struct http_page){
                    .path = "/less", .body = body, .size = 10, .claimed = 20});
    get = request("/less");
    ck_assert_int_eq(http_run(http, &get), HTTP_FAILED);
    ck_assert_str_ne(get.reason, "");
    http_server_add(server, &(struct http_page){.path = "/more",
                                                .body = body,
                                                .size = 10,
                                                .claimed = 1001});
    get = request("/more");
    ck_assert_int_eq(http_run(http, &get), HTTP_TOO_BIG);
    end();
}

TEST(who_has_enough_stops)
{
    struct http_request get;

    begin();
    page("/a", 200, 100);
    get = request("/a");
    got.enough = 100;
    ck_assert_int_eq(http_run(http, &get), HTTP_STOPPED);
    get = request("/a");
    got.enough = 101;
    ck_assert_int_eq(http_run(http, &get), HTTP_GOT);
    ck_assert_mem_eq(got.text, body, 100);
    end();
}

/* Room for 49 characters and the end; more is left out. */
TEST(errors_come_with_a_text)
{
    static const size_t sizes[] = {0, 1, 48, 49, 50, 100000};

    begin();
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct http_request get = request("/a");

        page("/a", 500, sizes[i]);
        memset(complaint, 'y', sizeof(complaint));
        get.most = sizeof(body);
        get.complaint = complaint;
        get.complaint_size = sizeof(complaint);
        ck_assert_int_eq(http_run(http, &get), HTTP_FAILED);
        ck_assert(!get.is_cut);
        ck_assert_uint_eq(strlen(complaint), sizes[i] < 49 ? sizes[i] : 49);
        ck_assert_uint_eq(strspn(complaint, "x"), strlen(complaint));
        get = request("/a");
        memset(complaint, 'y', sizeof(complaint));
        get.complaint = complaint;
        get.complaint_size = 1;
        ck_assert_int_eq(http_run(http, &get), HTTP_FAILED);
        ck_assert_uint_eq(strlen(complaint), 0);
        ck_assert_int_eq(complaint[1], 'y');
    }
    http_server_add(server, &(struct http_page){.path = "/cut",
                                                .status = 500,
                                                .body = body,
                                                .size = 10,
                                                .claimed = 20});
    struct http_request cut = request("/cut");

    ck_assert_int_eq(http_run(http, &cut), HTTP_FAILED);
    ck_assert(cut.is_cut);
    end();
}

TEST(somebody_may_watch)
{
    struct http_request get;

    begin();
    page("/a", 200, 1000);
    get = request("/a");
    get.watch = look;
    ck_assert_int_eq(http_run(http, &get), HTTP_GOT);
    ck_assert_uint_gt(got.watched, 0);
    ck_assert_uint_eq(got.total, 1000);
    end();
}

/* Two are followed, three are not, and only to servers of its kind. */
TEST(redirects_have_an_end)
{
    struct http_request get;

    begin();
    page("/0", 200, 5);
    for (unsigned i = 1; i <= 3; i++) {
        char from[8], to[8];

        snprintf(from, sizeof(from), "/%u", i);
        snprintf(to, sizeof(to), "/%u", i - 1);
        http_server_add(server,
                        &(struct http_page){.path = from, .location = to});
    }
    http_server_add(
        server,
        &(struct http_page){.path = "/file", .location = "file:///dev/null"});
    get = request("/2");
    ck_assert_int_eq(http_run(http, &get), HTTP_GOT);
    ck_assert_uint_eq(got.n, 5);
    get = request("/3");
    ck_assert_int_eq(http_run(http, &get), HTTP_FAILED);
    get = request("/file");
    ck_assert_int_eq(http_run(http, &get), HTTP_FAILED);
    get = request("/0");
    get.url = "file:///dev/null";
    ck_assert_int_eq(http_run(http, &get), HTTP_FAILED);
    ck_assert_int_eq(get.status, 0);
    end();
}

TEST(what_is_sent)
{
    static const char *const headers[] = {"X-One: 1", "X-Two: 2", "X-Three: 3",
                                          NULL};
    struct http_request get;
    const char *text;

    begin();
    page("/a", 200, 5);
    get = request("/a");
    ck_assert_int_eq(http_run(http, &get), HTTP_GOT);
    text = http_server_request_text(server, 0);
    ck_assert_int_eq(strncmp(text, "GET /a HTTP/1.1\r\n", 17), 0);
    ck_assert_ptr_nonnull(strstr(text, "\r\nUser-Agent: tests/1.0\r\n"));
    ck_assert_ptr_null(strstr(text, "X-One"));
    get = request("/a");
    get.headers = headers;
    get.body = "question?";
    get.body_size = 8;
    ck_assert_int_eq(http_run(http, &get), HTTP_GOT);
    text = http_server_request_text(server, 1);
    ck_assert_int_eq(strncmp(text, "POST /a HTTP/1.1\r\n", 18), 0);
    ck_assert_ptr_nonnull(strstr(text, "\r\nX-One: 1\r\n"));
    ck_assert_ptr_nonnull(strstr(text, "\r\nX-Two: 2\r\n"));
    ck_assert_ptr_nonnull(strstr(text, "\r\nX-Three: 3\r\n"));
    ck_assert_ptr_nonnull(strstr(text, "\r\nUser-Agent: tests/1.0\r\n"));
    ck_assert_str_eq(strstr(text, "\r\n\r\n") + 4, "question");
    get = request("/a"); /* nothing of it stays for the next */
    ck_assert_int_eq(http_run(http, &get), HTTP_GOT);
    text = http_server_request_text(server, 2);
    ck_assert_int_eq(strncmp(text, "GET /a", 6), 0);
    ck_assert_ptr_null(strstr(text, "X-One"));
    end();
}

/* Nobody listens, or nobody goes on in time. */
TEST(servers_that_do_not_answer)
{
    struct http_request get;

    begin();
    get = request("/a");
    snprintf(url, sizeof(url), "http://127.0.0.1:%u/a", http_free_port());
    ck_assert_int_eq(http_run(http, &get), HTTP_FAILED);
    ck_assert_int_eq(get.status, 0);
    ck_assert_str_ne(get.reason, "");
    http_server_add(server, &(struct http_page){.path = "/slow",
                                                .body = body,
                                                .size = 10,
                                                .waits_ms = 100000});
    get = request("/slow");
    get.ms = 300;
    ck_assert_int_eq(http_run(http, &get), HTTP_FAILED);
    ck_assert_str_ne(get.reason, "");
    end();
}

SUITE
{
    unsetenv("http_proxy");
    unsetenv("all_proxy");
    unsetenv("ALL_PROXY");
    if (!library_load("libcurl.so.4")) {
        return suite_skip_all("no libcurl");
    }
    return run_tests();
}
