#include "symbols/find/places.h"

#include "tests/support/suite.h"

static const struct {
    const char *path, *places; /* one a word */
} rows[] = {
    {"", ""},
    {"/a", "/a"},
    {"/a;/b;;/a", "/a /b"},
    {"srv*/a*https://symbols.example/x;/b", "/a /b"},
    {"SRV*/a*/b*http://c", "/a /b"},
    {"srv*https://symbols.example", ""},
    {"srv*", ""},
    {"srv**/a", "/a"},
    {"cache*/a;srv*/b", "/a /b"},
    {"cache*", ""},
    {"symsrv*symsrv.dll*/a*https://c", "/a"},
    {"symsrv*symsrv.dll", ""},
    {"symsrv*symsrv.dll*", ""},
    {"symsrv*symsrv.dll*/a*/b", "/a /b"},
    {"symsrw*symsrv.dll*/a", "symsrw*symsrv.dll*/a"},
    {"srw*/a", "srw*/a"},
    {"caches*/a", "caches*/a"},
    {"cachd*/a", "cachd*/a"},
    {"cache*/a*/b", "/a /b"},
    {"symsrv", "symsrv"},
    {"server*/a", "server*/a"},
    {"https://symbols.example", ""},
    {"C:\\symbols;/a", "C:\\symbols /a"},
};

static void assert_places(const struct places *places, const char *expected)
{
    char text[200] = "";

    for (size_t i = 0; i < places->paths.len; i++) {
        if (i)
            strcat(text, " ");
        strcat(text, places->paths.data[i]);
    }
    ck_assert_str_eq(text, expected);
}

TEST(paths_become_places)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct places places = {.paths = {0}};

        places_add(&places, rows[i].path);
        assert_places(&places, rows[i].places);
        places_release(&places);
    }
}

/* Servers with the folder that keeps what they send; "-" the default. */
static const struct {
    const char *path, *servers;
} server_rows[] = {
    {"https://a.example/x/", "https://a.example/x -"},
    {"HTTP://a;http://", "HTTP://a -"},
    {"https://;httpx://a;https:/b/c", ""},
    {"http://b;HTTPS://c", "http://b - HTTPS://c -"},
    {"https://a//", "https://a -"},
    {"https://a;https://ab;https://a/", "https://a - https://ab -"},
    {"file:///etc;ftp://a;srv*ldap://b", ""},
    {"srv*https://a", "https://a -"},
    {"srv**https://a*http://b", "https://a - http://b -"},
    {"srv*/tmp*https://a", "https://a /tmp"},
    {"srv*/tmp/new/er*https://a", "https://a /tmp/new/er"},
    {"srv*/tmp*/dev/null*https://a", "https://a /tmp"},
    {"srv*/tmp*/dev/null/a/b*https://a", "https://a /tmp"},
    {"srv*C:\\symbols*https://a", "https://a -"},
    {"srv*/tmp*https://a*/*https://b", "https://a /tmp https://b /"},
    {"cache*/tmp;srv*https://a;https://b", "https://a /tmp https://b /tmp"},
    {"https://a;cache*/tmp;srv*/*https://b", "https://a - https://b /"},
    {"/tmp;https://a", "https://a -"},
    {"symsrv*symsrv.dll*/tmp*https://a", "https://a /tmp"},
    {"https://a;srv*/tmp*https://a", "https://a -"},
};

static void add_text(char *text, size_t room, const char *word)
{
    size_t n = strlen(text);

    snprintf(text + n, room - n, "%s%s", n ? " " : "", word);
}

TEST(servers_have_stores)
{
    for (size_t i = 0; i < COUNT(server_rows); i++) {
        struct places places = {.paths = {0}};
        char text[200] = "";

        places_add(&places, server_rows[i].path);
        for (size_t k = 0; k < places.servers.len; k++) {
            const char *store = places.servers.data[k].store;

            add_text(text, sizeof(text), places.servers.data[k].url);
            add_text(text, sizeof(text), store ? store : "-");
        }
        ck_assert_str_eq(text, server_rows[i].servers);
        ck_assert_int_eq(places_has_server(&places, SERVER_SYMSRV),
                         text[0] != '\0');
        places_release(&places);
    }
}

TEST(debuginfod_has_urls_between_spaces)
{
    struct places places = {.paths = {0}};

    places_add_debuginfod(&places,
                          " https://a/  ima:enforcing file:///b http://c ");
    places_add_debuginfod(&places, "https://a");
    ck_assert_uint_eq(places.servers.len, 2);
    ck_assert_str_eq(places.servers.data[0].url, "https://a");
    ck_assert_str_eq(places.servers.data[1].url, "http://c");
    ck_assert(places_has_server(&places, SERVER_DEBUGINFOD));
    ck_assert(!places_has_server(&places, SERVER_SYMSRV));
    places_release(&places);
}

TEST(the_store_is_a_place_once_it_exists)
{
    struct places places = {.paths = {0}};

    places_set_store(&places, "/nowhere/at/all");
    assert_places(&places, "");
    places_set_store(&places, "/tmp");
    assert_places(&places, "/tmp");
    ck_assert_str_eq(places.store, "/tmp");
    places_release(&places);
}
