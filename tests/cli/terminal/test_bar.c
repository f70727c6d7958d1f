#include "cli/terminal/terminal.h"
#include "tests/support/suite.h"
#include "tests/support/watched.h"

enum { WIDTH = 78, LATER = 1000000000 };

/* After a minute of work, or after none; what is shown of it. */
static const char *shown(struct watched *w, bool at_once, const char *what,
                         uint64_t done, uint64_t total)
{
    struct progress progress;
    struct bar bar;

    watched_begin(w);
    progress = bar_start(&bar);
    bar.start += at_once ? LATER : -60000;
    progress_report(&progress, what, done, total);
    ck_assert_int_eq(bar.shown > 0, !at_once);
    return watched_end(w);
}

TEST(a_bar_is_as_long_as_what_is_done)
{
    static const struct {
        uint64_t done, total;
        size_t marks;
    } rows[] = {
        {0, 100, 0},
        {3, 100, 0},
        {4, 100, 1},
        {50, 100, 12},
        {99, 100, 24},
        {100, 100, 30},
        {200, 100, 30},
        {5, 0, 30},
        {15, 29, 15},
        {29, 59, 14},
        {UINT64_MAX - 1, UINT64_MAX, 29},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct watched w;
        const char *text =
            shown(&w, false, "names", rows[i].done, rows[i].total);

        ck_assert_uint_eq(strlen(text), 1 + WIDTH);
        ck_assert(!strncmp(text, "\r[", 2));
        ck_assert_uint_eq(strspn(text + 2, "#"), rows[i].marks);
        ck_assert_uint_eq(strspn(text + 2 + rows[i].marks, "."),
                          30 - rows[i].marks);
        ck_assert(!strncmp(text + 32, "] names  ", 9));
    }
}

TEST(what_is_done_is_cut)
{
    struct watched w;
    char what[100];

    memset(what, 'x', sizeof(what) - 1);
    what[sizeof(what) - 1] = '\0';
    ck_assert_uint_lt(strspn(shown(&w, false, what, 1, 2) + 34, "x"), 45);
}

TEST(nothing_is_shown_of_short_work)
{
    struct watched w;

    ck_assert_str_eq(shown(&w, true, "names", 1, 2), "");
}

TEST(it_is_not_drawn_all_the_time)
{
    struct progress progress;
    struct watched w;
    struct bar bar;

    watched_begin(&w);
    progress = bar_start(&bar);
    bar.start -= 60000;
    bar.shown = bar.start + LATER;
    progress_report(&progress, "names", 1, 2);
    ck_assert_str_eq(watched_end(&w), "");
}

TEST(it_is_wiped_away)
{
    struct watched w;
    struct bar bar;
    const char *text;

    watched_begin(&w);
    bar_start(&bar);
    bar_end(&bar);
    ck_assert_str_eq(watched_end(&w), "");
    watched_begin(&w);
    bar.shown = 1;
    bar_end(&bar);
    text = watched_end(&w);
    ck_assert_uint_eq(strlen(text), WIDTH + 2);
    ck_assert(*text == '\r' && text[WIDTH + 1] == '\r');
    ck_assert_uint_eq(strspn(text + 1, " "), WIDTH);
}
