#include "symbols/places.h"

#include <string.h>

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

START_TEST(paths_become_places)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct places places = {.paths = {0}};

        places_add(&places, rows[i].path);
        assert_places(&places, rows[i].places);
        places_release(&places);
    }
}
END_TEST

START_TEST(the_folder_of_a_trace_is_one)
{
    struct places places = {.paths = {0}};

    places_add_beside(&places, "a/b.etl");
    places_add_beside(&places, "a/c.etl");
    places_add_beside(&places, "d.etl");
    places_add_beside(&places, "/e.etl");
    places_add_beside(&places, "-");
    assert_places(&places, "a/ . /");
    places_release(&places);
}
END_TEST

int main(void)
{
    return suite_run("places", paths_become_places,
                     the_folder_of_a_trace_is_one);
}
