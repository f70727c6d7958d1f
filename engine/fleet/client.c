#include "engine/fleet/client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#include "engine/base/text.h"
#include "engine/fleet/clickhouse.h"
#include "engine/fleet/net/http.h"

enum {
    CONNECT_MS = 10000,
    ANSWER_MS = 600000,
    SLOW_SECONDS = 600, /* without a byte: the server may be counting */
    ANSWER_MOST = 1 << 30,
    COMPLAINT_SIZE = 4096,
};

/* A question that a busy server or its gateway refuses is asked again, at
 * growing intervals. */
enum { ATTEMPTS = 4, FIRST_WAIT_MS = 200 };

/* Codes of ClickHouse. */
enum {
    CODE_UNKNOWN_TABLE = 60,
    CODE_UNKNOWN_DATABASE = 81,
};

/* ---- addresses ---- */

static const struct {
    const char *begins, *http;
    unsigned port;
} schemes[] = {
    {"clickhouse://", "http", 8123},
    {"clickhouses://", "https", 8443},
};

enum { SCHEMES = sizeof(schemes) / sizeof(*schemes) };

static int scheme_of(const char *text)
{
    for (int i = 0; i < SCHEMES; i++)
        if (!strncmp(text, schemes[i].begins, strlen(schemes[i].begins)))
            return i;
    return -1;
}

bool fleet_is_address(const char *text)
{
    return scheme_of(text) >= 0;
}

bool fleet_address_has_password(const char *text)
{
    const char *host = fleet_is_address(text) ? strstr(text, "://") + 3 : "";
    const char *sign = memrchr(host, '@', strcspn(host, "/?"));

    return sign && memchr(host, ':', (size_t)(sign - host));
}

/* Allows a host and port, so that nothing else gets into the URL. */
static bool is_host(const char *text, size_t n)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789.-_[]:";

    return n && strspn(text, allowed) >= n;
}

/* A colon behind the last bracket: "[::1]:8123". */
static bool has_port(const char *host, size_t n)
{
    const char *colon = memrchr(host, ':', n);
    const char *bracket = memrchr(host, ']', n);

    return colon && (!bracket || colon > bracket);
}

static const char *server_url(struct fleet_address *a, int scheme,
                              const char *host, size_t n)
{
    if (has_port(host, n))
        return arena_fmt(&a->arena, "%s://%.*s/", schemes[scheme].http, (int)n,
                         host);
    return arena_fmt(&a->arena, "%s://%.*s:%u/", schemes[scheme].http, (int)n,
                     host, schemes[scheme].port);
}

enum err_code fleet_address_read(struct fleet_address *a, const char *text,
                                 struct err *err)
{
    int scheme = scheme_of(text);
    const char *at = text + strlen(schemes[scheme].begins);
    size_t whole = strcspn(text, "?");
    const char *host, *slash = memchr(at, '/', (size_t)(text + whole - at));
    const char *sign = slash ? memchr(at, '@', (size_t)(slash - at)) : NULL;

    *a = (struct fleet_address){.where = text[whole] ? text + whole + 1 : NULL};
    if (fleet_address_has_password(text))
        return err_set(err, ERR_USAGE, FLEET_PASSWORD_REFUSED);
    host = sign ? sign + 1 : at;
    if (!slash || slash + 1 == text + whole ||
        !is_host(host, (size_t)(slash - host)))
        return err_set(err, ERR_USAGE,
                       "%s: expected %s[user@]host[:port]"
                       "/database",
                       text, schemes[scheme].begins);
    if (sign)
        a->user = arena_strndup(&a->arena, at, (size_t)(sign - at));
    a->text = arena_strndup(&a->arena, text, whole);
    a->url = server_url(a, scheme, host, (size_t)(slash - host));
    a->database =
        arena_strndup(&a->arena, slash + 1, (size_t)(text + whole - slash - 1));
    return ERR_NONE;
}

void fleet_address_release(struct fleet_address *a)
{
    arena_release(&a->arena);
}

/* ---- opening ---- */

struct fleet *fleet_open(const char *address, const struct fleet_access *access,
                         struct err *err)
{
    struct fleet *f = mem_new(1, sizeof(*f));
    struct http_settings settings = {
        .agent = "topfn",
        .connect_ms = CONNECT_MS,
        .slow_bytes = 1,
        .slow_seconds = SLOW_SECONDS,
        .authorities = access->authorities,
        .password = access->password,
    };

    if (fleet_address_read(&f->address, address, err)) {
        fleet_close(f);
        return NULL;
    }
    settings.user = f->address.user ? f->address.user : access->user;
    if (settings.password && !settings.user)
        settings.user = "default";
    f->authorities = access->authorities;
    f->http = http_new(&settings);
    return f;
}

void fleet_close(struct fleet *f)
{
    if (!f)
        return;
    if (f->http)
        http_free(f->http);
    fleet_address_release(&f->address);
    free(f);
}

/* ---- failures ---- */

/* The sentence in "Code: 60, e.displayText() = DB::Exception: TEXT, e.what()
 * = ..."; there is DB::NetException, too. In one line. */
static const char *shorten_complaint(char *complaint)
{
    char *begins = strstr(complaint, "DB::"), *ends, *to;

    begins = begins ? strstr(begins, "Exception: ") : NULL;
    begins = begins ? begins + strlen("Exception: ") : complaint;
    ends = strstr(begins, ", e.what()");
    if (ends)
        *ends = '\0';
    to = begins;
    for (const char *at = begins; *at; at++)
        if (!strchr(" \t\r\n", *at))
            *to++ = *at;
        else if (to > begins && to[-1] != ' ')
            *to++ = ' ';
    *to = '\0';
    if (to > begins && to[-1] == ' ')
        to[-1] = '\0';
    return begins;
}

#define CUT_SHORT " (the answer was cut short)"

/* Too many requests, bad gateway, service unavailable: whoever answers so did
 * not look at the question, whatever text comes along. */
static bool is_busy(const struct http_request *request)
{
    return request->status == 429 || request->status == 502 ||
           request->status == 503;
}

static enum err_code explain_failure(const struct fleet *f,
                                     enum http_result result,
                                     const struct http_request *request,
                                     struct err *err)
{
    const char *cut = request->is_cut ? CUT_SHORT : "";

    if (is_busy(request))
        return err_set(err, ERR_IO, "%s: %s%s%.400s%s", f->address.text,
                       request->reason, *request->complaint ? ": " : "",
                       shorten_complaint(request->complaint), cut);
    if (*request->complaint) {
        const char *number = strstr(request->complaint, "Code: ");
        unsigned long code =
            number ? strtoul(number + strlen("Code: "), NULL, 10) : 0;

        return err_set(err,
                       code == CODE_UNKNOWN_TABLE ||
                               code == CODE_UNKNOWN_DATABASE
                           ? ERR_NOT_FOUND
                           : ERR_DATABASE,
                       "%s: %.400s%s", f->address.text,
                       shorten_complaint(request->complaint),
                       request->is_cut ? CUT_SHORT : "");
    }
    if (request->is_untrusted)
        return err_set(err, ERR_IO,
                       "%s: the server's certificate is not trusted by %s",
                       f->address.text,
                       f->authorities ? f->authorities
                                      : "the system's certificate authorities "
                                        "(SSL_CERT_FILE names others)");
    if (result == HTTP_TOO_BIG)
        return err_set(err, ERR_LIMIT,
                       "%s: the answer is too large: choose fewer recordings "
                       "with --where or --since",
                       f->address.text);
    return err_set(err, ERR_IO, "%s: %s%s", f->address.text, request->reason,
                   cut);
}

/* ---- requests ---- */

static bool keep_answer(void *context, const void *data, size_t n)
{
    struct answer *a = context;

    vec_reserve(&a->bytes, n);
    memcpy(a->bytes.data + a->bytes.len, data, n);
    a->bytes.len += n;
    return true;
}

/* Escapes all but letters and digits. */
static void url_text(struct out *url, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
            (c >= 'A' && c <= 'Z'))
            out_char(url, (char)c);
        else
            out_fmt(url, "%%%02X", c);
    }
}

/* Inserts wait for the shards; answers are held back until they are whole. */
static struct out *request_url(const struct fleet *f, const char *database)
{
    struct out *url = out_memory();

    out_str(url, f->address.url);
    out_str(url, "?insert_distributed_sync=1&wait_end_of_query=1");
    if (database) {
        out_str(url, "&database=");
        url_text(url, database);
    }
    return url;
}

/* Sends the body of `request` to the URL, and closes that. Rows are sent once:
 * some of them may be there. */
static enum err_code run_request(struct fleet *f, struct out *url,
                                 struct http_request *request,
                                 const char *header, struct answer *answer,
                                 struct err *err)
{
    const char *const headers[] = {"Expect:", header, NULL};
    char complaint[COMPLAINT_SIZE];
    enum http_result result;
    int attempts = header ? 1 : ATTEMPTS;
    long wait = FIRST_WAIT_MS;
    enum err_code code;

    request->url = out_text(url, NULL);
    request->headers = headers;
    request->most = ANSWER_MOST;
    request->ms = ANSWER_MS;
    request->take = keep_answer;
    request->context = answer;
    request->complaint = complaint;
    request->complaint_size = sizeof(complaint);
    result = http_run(f->http, request);
    for (; result != HTTP_GOT && is_busy(request) && --attempts; wait *= 2) {
        struct timespec rest = {wait / 1000, wait % 1000 * 1000000};

        while (nanosleep(&rest, &rest) && errno == EINTR)
            continue;
        result = http_run(f->http, request);
    }
    code = result == HTTP_GOT ? ERR_NONE
                              : explain_failure(f, result, request, err);
    out_close(url, NULL);
    return code;
}

enum err_code fleet_ask(struct fleet *f, const char *sql,
                        const struct fleet_ids *ids, struct answer *answer,
                        struct err *err)
{
    struct out *url = request_url(f, f->address.database), *rows = out_memory();
    struct http_request request = {.body = sql, .body_size = strlen(sql)};
    enum err_code code;

    out_str(url, "&default_format=RowBinary");
    if (ids) {
        out_str(url, "&ids_format=RowBinary&ids_structure=id%20UInt64&query=");
        url_text(url, sql);
        for (size_t i = 0; i < ids->all.len; i++)
            row_u64(rows, ids->all.data[i]);
        request.body = out_text(rows, &request.body_size);
        request.form = "ids";
    }
    code = run_request(f, url, &request, NULL, answer, err);
    out_close(rows, NULL);
    return code;
}

struct reader fleet_reader(const struct fleet *f, const struct answer *answer,
                           struct err *err)
{
    return reader_of(f->address.text, answer->bytes.data, answer->bytes.len, 0,
                     err);
}

void fleet_answer_release(struct answer *answer)
{
    vec_release(&answer->bytes);
}

enum err_code fleet_insert(struct fleet *f, enum fleet_table_id table,
                           const void *rows, size_t n, struct err *err)
{
    struct out *url = request_url(f, f->address.database);
    uLongf packed = compressBound(n);
    void *bytes = mem_new(packed, 1);
    struct http_request request = {.body = bytes};
    struct answer answer = {0};
    enum err_code code;

    if (compress2(bytes, &packed, rows, n, Z_BEST_SPEED) != Z_OK)
        mem_exhausted(n);
    request.body_size = packed;
    out_str(url, "&query=INSERT%20INTO%20");
    url_text(url, fleet_tables[table].name);
    out_str(url, "%20FORMAT%20RowBinary");
    code = run_request(f, url, &request, "Content-Encoding: deflate", &answer,
                       err);
    fleet_answer_release(&answer);
    free(bytes);
    return code;
}

/* ---- the schema ---- */

enum err_code fleet_check(struct fleet *f, struct err *err)
{
    struct answer answer = {0};
    enum err_code code = fleet_ask(
        f, "SELECT toUInt64(version) FROM topfn_schema", NULL, &answer, err);
    struct reader r = fleet_reader(f, &answer, err);
    uint64_t version = code ? 0 : reader_u64(&r);

    fleet_answer_release(&answer);
    if (code || r.failed)
        return code ? code : ERR_CORRUPT;
    if (version == FLEET_VERSION)
        return ERR_NONE;
    return err_set(
        err, ERR_UNSUPPORTED,
        "%s: the tables have version %llu, this topfn needs version %d: %s",
        f->address.text, (unsigned long long)version, FLEET_VERSION,
        version < FLEET_VERSION ? "push the recordings to a new database"
                                : "a newer topfn is needed");
}

/* The database may not be there yet, so the URL names none. */
enum err_code fleet_create(struct fleet *f, const char *cluster,
                           struct err *err)
{
    struct out *sql = out_memory();
    enum err_code code = ERR_NONE;

    for (size_t i = 0;
         !code && fleet_statement(i, f->address.database, cluster, &sql); i++) {
        struct http_request request = {0};
        struct answer answer = {0};

        request.body = out_text(sql, &request.body_size);
        code =
            run_request(f, request_url(f, NULL), &request, NULL, &answer, err);
        fleet_answer_release(&answer);
    }
    out_close(sql, NULL);
    return code;
}
