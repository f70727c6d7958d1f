#include "cli/command.h"

#include "tests/support/program.h"
#include "tests/support/suite.h"

/* What the page names is there. */

static char *guide_text(void)
{
    FILE *file = fopen("testdata/expected/guide.txt", "r");
    char *text = calloc(1, 20000);

    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_gt(fread(text, 1, 19999, file), 1000);
    fclose(file);
    return text;
}

static bool is_option(const char *name, size_t n)
{
    for (const struct option *o = option_table; o->name; o++)
        if (strlen(o->name) == n && !memcmp(o->name, name, n))
            return true;
    return false;
}

TEST(options_of_the_guide_exist)
{
    char *text = guide_text();
    unsigned seen = 0;

    for (const char *at = text; (at = strstr(at, "--")); at++) {
        size_t n = strspn(at + 2, "abcdefghijklmnopqrstuvwxyz-");

        if (!n)
            continue;
        ck_assert_msg(is_option(at + 2, n), "--%.*s", (int)n, at + 2);
        seen++;
    }
    ck_assert_uint_ge(seen, 25);
    free(text);
}

TEST(commands_of_the_guide_exist)
{
    char *text = guide_text();
    unsigned seen = 0;

    for (const char *at = text; (at = strstr(at, "topfn ")); at++) {
        size_t n = strspn(at + 6, "abcdefghijklmnopqrstuvwxyz");
        struct command command;
        char name[20];

        if (!n || !strncmp(at + 6, "for ", 4))
            continue;
        snprintf(name, sizeof(name), "%.*s", (int)n, at + 6);
        ck_assert_msg(command_find(name, &command), "%s", name);
        seen++;
    }
    ck_assert_uint_ge(seen, 10);
    free(text);
}

TEST(it_is_one_page)
{
    char *text = guide_text();
    unsigned lines = 0;

    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        ck_assert_msg(strlen(line) <= 80, "%s", line);
        lines++;
    }
    ck_assert_uint_le(lines, 66);
    free(text);
}

/* On a screen of 80 columns and 24 lines, with the next prompt. */
TEST(help_names_every_command)
{
    struct program_run run;
    struct command command;
    unsigned lines = 0;
    char name[24];

    program_run(&run, "--help", NULL);
    ck_assert(!run.status);
    for (size_t i = 0; command_get(i, &command); i++) {
        snprintf(name, sizeof(name), " %s", command.name);
        ck_assert_msg(strstr(run.out, name) != NULL, "%s", name);
    }
    for (char *line = run.out, *end; (end = strchr(line, '\n'));
         line = end + 1) {
        ck_assert_int_le(end - line, 80);
        lines++;
    }
    ck_assert_uint_le(lines, 23);
    program_release(&run);
}

/* The same on a terminal and in a pipe, and no line is wider than 80 columns. */
TEST(help_of_each_command_fits)
{
    struct command command;

    for (size_t i = 0; command_get(i, &command); i++) {
        struct program_run run;
        char line[40];

        snprintf(line, sizeof(line), "help %s", command.name);
        program_run(&run, line, NULL);
        ck_assert(!run.status);
        for (char *at = run.out, *end; (end = strchr(at, '\n')); at = end + 1)
            ck_assert_msg(end - at <= 80, "%s: %.*s", line, (int)(end - at),
                          at);
        program_release(&run);
    }
}
