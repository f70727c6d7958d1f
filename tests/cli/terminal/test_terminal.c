/* A terminal as it is found, and what a person who sits at it gets. */
#include "cli/terminal/terminal.h"

#include <signal.h>

#include "cli/terminal/output.h"
#include "tests/support/suite.h"
#include "tests/support/watched.h"

static void set(const char *variable, const char *value)
{
    if (value)
        setenv(variable, value, 1);
    else
        unsetenv(variable);
}

TEST(sizes)
{
    static const struct {
        unsigned short columns, lines; /* as the terminal says */
        const char *columns_set, *lines_set;
        size_t wanted[2];
    } rows[] = {
        {100, 30, NULL, NULL, {100, 30}},
        {100, 30, "70", "9", {70, 9}},
        {100, 30, "", "", {100, 30}},
        {100, 30, "x", "9x", {100, 30}},
        {100, 30, "10000", "10000", {10000, 10000}},
        {100, 30, "10001", "10001", {100, 30}},
        {100, 30, "0", "0", {100, 30}},
        {20, 1, NULL, NULL, {20, 1}},
        {19, 1, NULL, NULL, {80, 1}},
        {0, 0, NULL, NULL, {80, 24}},
        {100, 30, "19", NULL, {80, 30}},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct terminal t;
        struct watched w;

        set("COLUMNS", rows[i].columns_set);
        set("LINES", rows[i].lines_set);
        watched_begin_at(&w, STDOUT_FILENO, rows[i].columns, rows[i].lines);
        t = terminal_find(STDOUT_FILENO);
        watched_end(&w);
        ck_assert(t.there);
        ck_assert_uint_eq(t.columns, rows[i].wanted[0]);
        ck_assert_uint_eq(t.lines, rows[i].wanted[1]);
    }
}

static void leave_terminal(void)
{
    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stdout));
}

TEST(colours)
{
    static const struct {
        enum colour_choice choice;
        const char *kind, *refused;
        bool at_terminal, elsewhere;
    } rows[] = {
        {COLOUR_AUTO, "xterm", NULL, true, false},
        {COLOUR_AUTO, "xterm", "", true, false},
        {COLOUR_AUTO, "xterm", "1", false, false},
        {COLOUR_AUTO, "dumb", NULL, false, false},
        {COLOUR_AUTO, "", NULL, false, false},
        {COLOUR_AUTO, NULL, NULL, false, false},
        {COLOUR_ALWAYS, NULL, "1", true, true},
        {COLOUR_NEVER, "xterm", NULL, false, false},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct watched w;
        bool takes;

        set("TERM", rows[i].kind);
        set("NO_COLOR", rows[i].refused);
        watched_begin_at(&w, STDOUT_FILENO, 80, 24);
        takes = terminal_takes_colours(rows[i].choice);
        watched_end(&w);
        ck_assert_int_eq(takes, rows[i].at_terminal);
    }
    leave_terminal();
    for (size_t i = 0; i < COUNT(rows); i++) {
        set("TERM", rows[i].kind);
        set("NO_COLOR", rows[i].refused);
        ck_assert_int_eq(terminal_takes_colours(rows[i].choice),
                         rows[i].elsewhere);
    }
}

TEST(pagers)
{
    static const struct {
        const char *own, *usual;
        bool paged;
        const char *shown;
    } rows[] = {
        {"sed s/^/1:/", NULL, true, "1:a\n1:b\n"},
        {NULL, "sed s/^/2:/", true, "2:a\n2:b\n"},
        {"sed s/^/1:/", "sed s/^/2:/", true, "1:a\n1:b\n"},
        {"", "sed s/^/2:/", false, ""},
        {"cat", NULL, false, ""},
        {"no-such-pager 2>/dev/null", NULL, false, ""},
        {"exit 127", NULL, false, ""},
        {"exit 126", NULL, true, ""}, /* it ran, and was left */
        {"kill -9 $$", NULL, true, ""},
        {"echo \"$LESS\"; cat >/dev/null", NULL, true, "FRX\n"},
    };

    unsetenv("LESS");
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct watched w;
        bool paged;

        set("TOPFN_PAGER", rows[i].own);
        set("PAGER", rows[i].usual);
        watched_begin_at(&w, STDOUT_FILENO, 80, 24);
        paged = terminal_page("a\nb\n", 4);
        ck_assert_str_eq(watched_end(&w), rows[i].shown);
        ck_assert_int_eq(paged, rows[i].paged);
    }
}

static void assert_usual(int signal)
{
    struct sigaction now;

    ck_assert_int_eq(sigaction(signal, NULL, &now), 0);
    ck_assert(now.sa_handler == SIG_DFL);
}

/* A pager that is left before it has read all ends nothing, and signals do
 * afterwards what they did before. */
TEST(a_pager_may_be_left)
{
    static char text[1 << 20];
    struct watched w;

    memset(text, 'x', sizeof(text));
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    setenv("TOPFN_PAGER", "head -c 3", 1);
    watched_begin_at(&w, STDOUT_FILENO, 80, 24);
    ck_assert(terminal_page(text, sizeof(text)));
    ck_assert_str_eq(watched_end(&w), "xxx");
    assert_usual(SIGPIPE);
    assert_usual(SIGINT);
}

/* What fits the screen with the prompt below it needs no pager. */
TEST(long_output_is_paged)
{
    static const struct {
        unsigned lines;
        const char *shown;
    } rows[] = {
        {2, "0\n1\n"},
        {3, "1:0\n1:1\n1:2\n"},
        {4, "1:0\n1:1\n1:2\n1:3\n"},
    };

    set("TOPFN_PAGER", "sed s/^/1:/");
    set("LINES", NULL);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct err err = {0};
        struct output *output;
        struct watched w;

        watched_begin_at(&w, STDOUT_FILENO, 80, 3);
        output_dress(COLOUR_NEVER);
        output = output_open(NULL, &err);
        for (unsigned k = 0; k < rows[i].lines; k++)
            out_fmt(output_out(output), "%u\n", k);
        ck_assert_int_eq(output_close(output, &err), ERR_NONE);
        ck_assert_str_eq(watched_end(&w), rows[i].shown);
    }
}
