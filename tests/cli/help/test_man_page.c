/*
 * Which page of the manual is opened, and where it is found: this program is
 * put where topfn would be installed, beside pages and a `man` of its own.
 */
#include "cli/help/help.h"

#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

static char home[PATH_MAX]; /* beside this program, so on its disk */

static void in_home(const char *name, char path[PATH_MAX + 64])
{
    snprintf(path, PATH_MAX + 64, "%s/%s", home, name);
}

/* With the folders on the way. */
static void write_page(const char *name, const char *text)
{
    char path[PATH_MAX + 64];
    FILE *file;

    in_home(name, path);
    for (char *at = path + strlen(home) + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        mkdir(path, 0777);
        *at = '/';
    }
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    chmod(path, 0755);
}

static void move_in(void)
{
    char self[PATH_MAX], path[PATH_MAX + 64];
    ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

    ck_assert_int_gt(n, 0);
    self[n] = '\0';
    snprintf(home, sizeof(home), "%.*s-XXXXXX", (int)n, self);
    ck_assert_ptr_nonnull(mkdtemp(home));
    write_page("bin/notes", "");
    in_home("bin/topfn", path);
    ck_assert_int_eq(link(self, path), 0);
    write_page("tools/man", "#!/bin/sh\n"
                            "echo \"$# $1\"\n"
                            "[ \"${1%broken.1}\" = \"$1\" ]\n");
}

static void move_out(void)
{
    temp_folder_remove(home);
}

/* Returns true if the page was shown. `text`: the arguments that the `man` in
 * this folder was called with; "" if it was not called. */
static bool show(const char *tools, const char *name, char text[PATH_MAX])
{
    char command[2 * PATH_MAX + 200];
    size_t n;
    FILE *said;

    snprintf(command, sizeof(command),
             "MAN_PAGE='%s' PATH='%s/%s' '%s/bin/topfn'", name, home, tools,
             home);
    said = popen(command, "r");
    ck_assert_ptr_nonnull(said);
    n = fread(text, 1, PATH_MAX - 1, said);
    text[n] = '\0';
    return pclose(said) == 0;
}

static void assert_shows(const char *name, const char *page)
{
    char text[PATH_MAX], wanted[PATH_MAX + 64];

    ck_assert_msg(show("tools", name, text), "%s", name);
    snprintf(wanted, sizeof(wanted), "1 %s/%s\n", home, page);
    ck_assert_str_eq(text, wanted);
}

static void assert_shows_nothing(const char *tools, const char *name)
{
    char text[PATH_MAX];

    ck_assert_msg(!show(tools, name, text), "%s", name);
    ck_assert_str_eq(text, "");
}

TEST(commands_share_pages)
{
    static const struct {
        const char *name, *page;
    } rows[] = {
        {"callers", "man/topfn-tree.1"},
        {"folded", "man/topfn-tree.1"},
        {"annotate", "man/topfn-list.1"},
        {"merge", "man/topfn-import.1"},
        {"resolve", "man/topfn-symbols.7"},
        {"symbols", "man/topfn-symbols.7"},
        {"info", "man/topfn-formats.7"},
        {"formats", "man/topfn-formats.7"},
        {"flame", "man/topfn-export.1"},
        {"help", "man/topfn.1"},
        {"guide", "man/topfn-schema.1"},
        {"runs", "man/topfn-push.1"},
        {"tree", "man/topfn-tree.1"},
        {"database", "man/topfn-database.5"},
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        write_page(rows[i].page, "");
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_shows(rows[i].name, rows[i].page);
}

/* Beside the build, then where `make install` puts it, perhaps packed; a
 * command before what describes a file or a subject. */
TEST(where_pages_lie)
{
    static const char *const pages[] = {
        "share/man/man7/topfn-top.7.gz",
        "share/man/man7/topfn-top.7",
        "man/topfn-top.7",
        "share/man/man5/topfn-top.5.gz",
        "share/man/man5/topfn-top.5",
        "man/topfn-top.5",
        "share/man/man1/topfn-top.1.gz",
        "share/man/man1/topfn-top.1",
        "man/topfn-top.1",
    };

    for (size_t i = 0; i < COUNT(pages); i++) {
        assert_shows_nothing("tools", i ? "nowhere" : "top");
        write_page(pages[i], "");
        assert_shows("top", pages[i]);
    }
}

TEST(what_cannot_be_shown)
{
    char text[PATH_MAX];

    write_page("man/topfn-top.1", "");
    write_page("man/topfn-broken.1", "");
    write_page("man/topfn-a/b.1", "");
    assert_shows_nothing("bin", "top"); /* no man in there */
    assert_shows_nothing("tools", "a/b");
    assert_shows_nothing("tools", "");
    ck_assert(!show("tools", "broken", text)); /* man says so */
}

/* This program, started by show(). */
__attribute__((constructor)) static void show_page(void)
{
    const char *name = getenv("MAN_PAGE");

    if (name)
        _exit(man_page_show(name) ? 0 : 1);
}

SUITE_FIXTURE(move_in, move_out)
