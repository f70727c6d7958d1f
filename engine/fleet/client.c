#include "engine/fleet/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "engine/base/text.h"
#include "engine/fleet/net/http.h"
#include "engine/fleet/rows.h"
#include "engine/fleet/sql.h"

enum {
    CONNECT_MS = 10000,
    ANSWER_MS = 600000,
    SLOW_SECONDS = 600, /* without a byte: the server may be counting */
    ANSWER_MOST = 1 << 30,
};

/* Codes of ClickHouse. */
enum {
    CODE_UNKNOWN_TABLE = 60,
    CODE_UNKNOWN_DATABASE = 81,
};

static const unsigned may_pass[] = {
    3,   /* unexpected end of file */
    75,  /* cannot write to a file: the disk is full */
    159, /* timeout */
    160, /* too slow */
    173, /* cannot allocate memory */
    202, /* too many simultaneous queries */
    209, /* socket timeout */
    210, /* network error */
    225, /* no ZooKeeper */
    241, /* memory limit */
    242, /* table is read only */
    243, /* not enough space */
    252, /* too many parts */
    279, /* all connection tries failed */
    319, /* unknown status of insert */
    369, /* all replicas are stale */
};

/* "X-ClickHouse-User: NAME", or NULL where a name cannot be a header's. */
static char *header(const char *name, const char *value)
{
    size_t size = strlen(name) + strlen(value) + sizeof(": ");
    char *text = mem_new(size, 1);

    snprintf(text, size, "%s: %s", name, value);
    return text;
}

static bool is_one_line(const char *text)
{
    return !strpbrk(text, "\r\n");
}

struct fleet *fleet_open(const char *address,
                         const struct fleet_access *access, struct err *err)
{
    const struct http_settings settings = {
        .agent = "topfn",
        .connect_ms = CONNECT_MS,
        .slow_bytes = 1,
        .slow_seconds = SLOW_SECONDS,
        .authorities = access->authorities,
    };
    struct fleet *f = mem_new(1, sizeof(*f));
    const char *user;

    if (fleet_address_read(&f->address, address, err)) {
        fleet_close(f);
        return NULL;
    }
    user = f->address.user ? f->address.user : access->user;
    if ((user && !is_one_line(user)) ||
        (access->password && !is_one_line(access->password))) {
        err_set(err, ERR_USAGE, "%s: user and password are of one line",
                f->address.text);
        fleet_close(f);
        return NULL;
    }
    if (user)
        f->user_header = header("X-ClickHouse-User", user);
    if (access->password)
        f->password_header = header("X-ClickHouse-Key", access->password);
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
    free(f->user_header);
    free(f->password_header);
    fleet_address_release(&f->address);
    free(f);
}

/* ---- what a server complains of ---- */

enum { COMPLAINT_SIZE = 4096 };

/* "Code: 60, e.displayText() = DB::Exception: TEXT, e.what() = ...", also
 * DB::NetException */
static unsigned code_of(const char *complaint)
{
    const char *code = strstr(complaint, "Code: ");

    return code ? (unsigned)strtoul(code + strlen("Code: "), NULL, 10) : 0;
}

/* In one line, without the blanks of several. */
static void join_lines(char *text)
{
    char *to = text;

    for (const char *at = text; *at; at++) {
        bool blank = strchr(" \t\r\n", *at);

        if (!blank)
            *to++ = *at;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    }
    while (to > text && to[-1] == ' ')
        to--;
    *to = '\0';
}

static const char *shorten(char *complaint)
{
    char *begins = strstr(complaint, "DB::"), *ends;

    begins = begins ? strstr(begins, "Exception: ") : NULL;
    begins = begins ? begins + strlen("Exception: ") : complaint;
    ends = strstr(begins, ", e.what()");
    if (ends)
        *ends = '\0';
    join_lines(begins);
    return begins;
}

static bool passes(unsigned code)
{
    for (size_t i = 0; i < sizeof(may_pass) / sizeof(*may_pass); i++)
        if (code == may_pass[i])
            return true;
    return false;
}

static enum err_code refused(struct fleet *f, struct http_request *request,
                             struct err *err)
{
    unsigned code = code_of(request->complaint);
    const char *text = shorten(request->complaint);

    f->may_recover = passes(code);
    return err_set(err,
                   code == CODE_UNKNOWN_TABLE || code == CODE_UNKNOWN_DATABASE
                       ? ERR_NOT_FOUND
                       : ERR_DATABASE,
                   "%s: %.400s", f->address.text, text);
}

static enum err_code failed(struct fleet *f, enum http_result result,
                            struct http_request *request, struct err *err)
{
    if (*request->complaint)
        return refused(f, request, err);
    f->may_recover = result == HTTP_FAILED && !request->is_untrusted;
    if (request->is_untrusted)
        return err_set(err, ERR_IO,
                       "%s: its certificate is not to be trusted, by %s",
                       f->address.text,
                       f->authorities ? f->authorities
                                      : "the system's authorities "
                                        "(SSL_CERT_FILE names others)");
    if (result == HTTP_TOO_BIG)
        return err_set(err, ERR_LIMIT, "%s: the answer is too large: choose "
                       "fewer recordings with --where or --since",
                       f->address.text);
    return err_set(err, ERR_IO, "%s: %s", f->address.text, request->reason);
}

/* ---- requests ---- */

static bool keep(void *context, const void *data, size_t n)
{
    struct answer *a = context;

    vec_reserve(&a->bytes, n);
    memcpy(a->bytes.data + a->bytes.len, data, n);
    a->bytes.len += n;
    return true;
}

/* Everything but letters and digits, so that nothing is taken for the URL's. */
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
static struct out *make_url(const struct fleet *f, const char *database)
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

struct message {
    const char *url;
    const void *body;
    size_t size;
    const char *type; /* a header of its own; or NULL */
};

static enum err_code send_message(struct fleet *f, const struct message *m,
                                  struct answer *answer, struct err *err)
{
    const char *headers[5] = {"Expect:"};
    char complaint[COMPLAINT_SIZE];
    struct http_request request = {
        .url = m->url,
        .body = m->body,
        .body_size = m->size,
        .headers = headers,
        .most = ANSWER_MOST,
        .ms = ANSWER_MS,
        .take = keep,
        .context = answer,
        .complaint = complaint,
        .complaint_size = sizeof(complaint),
    };
    enum http_result result;
    size_t n = 1;

    if (m->type)
        headers[n++] = m->type;
    if (f->user_header)
        headers[n++] = f->user_header;
    if (f->password_header)
        headers[n] = f->password_header;
    f->may_recover = false;
    result = http_run(f->http, &request);
    return result == HTTP_GOT ? ERR_NONE : failed(f, result, &request, err);
}

#define BOUNDARY "topfn-3f0c6a5e9d2b4817"

/* The numbers as a file of a form, which is how the server takes tables that
 * come with a statement. */
static struct out *form_of(const struct fleet_ids *ids)
{
    struct out *form = out_memory();

    out_str(form, "--" BOUNDARY "\r\nContent-Disposition: form-data; "
                  "name=\"ids\"; filename=\"ids\"\r\nContent-Type: "
                  "application/octet-stream\r\n\r\n");
    for (size_t i = 0; i < ids->all.len; i++)
        row_u64(form, ids->all.data[i]);
    out_str(form, "\r\n--" BOUNDARY "--\r\n");
    return form;
}

enum err_code fleet_ask(struct fleet *f, const char *sql,
                        const struct fleet_ids *ids, struct answer *answer,
                        struct err *err)
{
    struct out *url = make_url(f, f->address.database);
    struct out *body = ids ? form_of(ids) : out_memory();
    struct message m = {0};
    enum err_code code;

    out_str(url, "&default_format=RowBinary");
    if (ids) {
        out_str(url, "&ids_format=RowBinary&ids_structure=id%20UInt64&query=");
        url_text(url, sql);
        m.type = "Content-Type: multipart/form-data; boundary=" BOUNDARY;
    } else {
        out_str(body, sql);
    }
    m.url = out_text(url, NULL);
    m.body = out_text(body, &m.size);
    code = send_message(f, &m, answer, err);
    out_close(url, NULL);
    out_close(body, NULL);
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

enum err_code fleet_tell(struct fleet *f, const char *sql, struct err *err)
{
    struct answer answer = {0};
    enum err_code code = fleet_ask(f, sql, NULL, &answer, err);

    fleet_answer_release(&answer);
    return code;
}

/* ---- rows ---- */

/* Fast, and with a header as gzip has it. */
enum { PACK_LEVEL = 1, PACK_GZIP = 15 + 16, PACK_MEMORY = 8 };

/* To be freed. */
static void *pack(const void *rows, size_t n, size_t *packed)
{
    z_stream z = {0};
    void *bytes;

    if (deflateInit2(&z, PACK_LEVEL, Z_DEFLATED, PACK_GZIP, PACK_MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        mem_exhausted(sizeof(z));
    *packed = deflateBound(&z, n);
    bytes = mem_new(*packed, 1);
    z.next_in = (Bytef *)rows;
    z.avail_in = (uInt)n;
    z.next_out = bytes;
    z.avail_out = (uInt)*packed;
    deflate(&z, Z_FINISH);
    *packed -= z.avail_out;
    deflateEnd(&z);
    return bytes;
}

static enum err_code send_packed(struct fleet *f, const char *url,
                                 const void *rows, size_t n, struct err *err)
{
    struct message m = {.url = url, .type = "Content-Encoding: gzip"};
    struct answer answer = {0};
    void *packed = pack(rows, n, &m.size);
    enum err_code code;

    m.body = packed;
    code = send_message(f, &m, &answer, err);
    fleet_answer_release(&answer);
    free(packed);
    return code;
}

/* A batch is far below the 4 GiB that zlib counts to. */
enum err_code fleet_insert(struct fleet *f, enum fleet_table_id table,
                           const void *rows, size_t n, struct err *err)
{
    struct out *url = make_url(f, f->address.database), *sql = out_memory();
    enum err_code code;

    out_fmt(sql, "INSERT INTO %s FORMAT RowBinary", fleet_tables[table].name);
    out_str(url, "&query=");
    url_text(url, out_text(sql, NULL));
    code = send_packed(f, out_text(url, NULL), rows, n, err);
    out_close(sql, NULL);
    out_close(url, NULL);
    return code;
}

/* ---- the schema ---- */

enum err_code fleet_check(struct fleet *f, struct err *err)
{
    struct answer answer = {0};
    enum err_code code =
        fleet_ask(f, "SELECT toUInt64(version) FROM topfn_schema", NULL,
                  &answer, err);
    struct reader r = fleet_reader(f, &answer, err);
    uint64_t version = code ? 0 : reader_u64(&r);

    fleet_answer_release(&answer);
    if (code || r.failed)
        return code ? code : ERR_CORRUPT;
    if (version == FLEET_VERSION)
        return ERR_NONE;
    return err_set(err, ERR_UNSUPPORTED,
                   "%s: its tables are of version %llu, and this topfn's of "
                   "%d: %s",
                   f->address.text, (unsigned long long)version, FLEET_VERSION,
                   version < FLEET_VERSION
                       ? "push the recordings to a new database"
                       : "a newer one is needed");
}

/* The database may not be there yet, so none is named for these. */
static enum err_code tell_server(struct fleet *f, const char *sql,
                                 struct err *err)
{
    struct out *url = make_url(f, NULL);
    struct answer answer = {0};
    struct message m = {out_text(url, NULL), sql, strlen(sql), NULL};
    enum err_code code = send_message(f, &m, &answer, err);

    fleet_answer_release(&answer);
    out_close(url, NULL);
    return code;
}

enum err_code fleet_create(struct fleet *f, struct fleet_layout layout,
                           struct err *err)
{
    struct out *sql = out_memory();
    enum err_code code = ERR_NONE;

    layout.database = f->address.database;
    for (size_t i = 0; !code && fleet_statement(i, &layout, &sql); i++)
        code = tell_server(f, out_text(sql, NULL), err);
    out_close(sql, NULL);
    return code;
}
