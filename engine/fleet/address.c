#include "engine/fleet/address.h"

#include <stdio.h>
#include <string.h>

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

static const char *make_url(struct fleet_address *a, int scheme,
                            const char *host, size_t n)
{
    size_t size = n + sizeof("https://:65535/");
    char *url = arena_new(&a->arena, char, size);

    if (has_port(host, n))
        snprintf(url, size, "%s://%.*s/", schemes[scheme].http, (int)n, host);
    else
        snprintf(url, size, "%s://%.*s:%u/", schemes[scheme].http, (int)n, host,
                 schemes[scheme].port);
    return url;
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
    if (sign && memchr(at, ':', (size_t)(sign - at)))
        return err_set(err, ERR_USAGE,
                       "a password does not belong on the command line: "
                       "TOPFN_CLICKHOUSE_PASSWORD is its place");
    host = sign ? sign + 1 : at;
    if (!slash || slash + 1 == text + whole ||
        !is_host(host, (size_t)(slash - host)))
        return err_set(err, ERR_USAGE, "%s: expected %s[user@]host[:port]"
                       "/database", text, schemes[scheme].begins);
    if (sign)
        a->user = arena_strndup(&a->arena, at, (size_t)(sign - at));
    a->text = arena_strndup(&a->arena, text, whole);
    a->url = make_url(a, scheme, host, (size_t)(slash - host));
    a->database = arena_strndup(&a->arena, slash + 1,
                                (size_t)(text + whole - slash - 1));
    return ERR_NONE;
}

void fleet_address_release(struct fleet_address *a)
{
    arena_release(&a->arena);
}
