/* Where debug files are looked for, by what the environment says. */
#include "cli/load/places.h"

#include "tests/support/suite.h"

struct surroundings {
    const char *home, *cache, *client; /* HOME, XDG_CACHE_HOME, ... */
    const char *symbols, *urls;        /* _NT_SYMBOL_PATH, DEBUGINFOD_URLS */
};

static void set(const char *variable, const char *value)
{
    if (value)
        setenv(variable, value, 1);
    else
        unsetenv(variable);
}

/* All of it, as one line: paths|caches|perf|store|servers. */
static void said(const struct surroundings *s, const char *option, char *text,
                 size_t room)
{
    struct places places = {.paths = {0}};
    struct options o = {.output = NULL};
    struct out *out = out_memory();

    set("HOME", s->home);
    set("XDG_CACHE_HOME", s->cache);
    set("DEBUGINFOD_CACHE_PATH", s->client);
    set("_NT_SYMBOL_PATH", s->symbols);
    set("DEBUGINFOD_URLS", s->urls);
    if (option)
        *vec_add(&o.symbols) = option;
    symbol_places(&places, &o);
    for (size_t i = 0; i < places.paths.len; i++)
        out_fmt(out, "%s ", places.paths.data[i]);
    out_str(out, "| ");
    for (size_t i = 0; i < places.caches.len; i++)
        out_fmt(out, "%s ", places.caches.data[i]);
    out_fmt(out, "| %s ", places.perf_cache ? places.perf_cache : "-");
    out_fmt(out, "| %s |", places.store ? places.store : "-");
    for (size_t i = 0; i < places.servers.len; i++)
        out_fmt(out, " %s", places.servers.data[i].url);
    snprintf(text, room, "%s", out_text(out, NULL));
    ck_assert_ptr_null(places.online);
    out_close(out, NULL);
    symbol_places_release(&places);
    vec_release(&o.symbols);
}

#define MICROSOFT "https://msdl.microsoft.com/download/symbols"

TEST(places_of_the_environment)
{
    static const struct {
        struct surroundings around;
        const char *option, *said;
    } rows[] = {
        {{.home = NULL}, NULL, "| | - | - | " MICROSOFT},
        {{.home = ""}, NULL, "| | - | - | " MICROSOFT},
        {{.home = "/h"},
         NULL,
         "| /h/.cache/debuginfod_client /h/.debuginfod_client_cache "
         "| /h/.debug | /h/.cache/topfn/symbols | " MICROSOFT},
        {{.home = "/h", .cache = "/c"},
         NULL,
         "| /c/debuginfod_client /h/.debuginfod_client_cache "
         "| /h/.debug | /c/topfn/symbols | " MICROSOFT},
        {{.home = "/h", .cache = "/c", .client = "/d"},
         NULL,
         "| /d/ | /h/.debug | /c/topfn/symbols | " MICROSOFT},
        {{.symbols = "/n;/m", .urls = "https://one.example http://two.example"},
         "/o",
         "/o /n /m | | - | - | https://one.example "
         "http://two.example " MICROSOFT},
        {{.symbols = "srv*https://own.example"},
         NULL,
         "| | - | - | https://own.example"},
        {{.symbols = NULL},
         "srv*/s*https://own.example",
         "/s | | - | - | https://own.example"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[400];

        said(&rows[i].around, rows[i].option, text, sizeof(text));
        ck_assert_str_eq(text, rows[i].said);
    }
}
