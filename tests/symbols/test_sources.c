#include "symbols/sources.h"

#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/suite.h"

struct map_case {
    const char *maps[3];
    const char *path, *mapped; /* NULL: no map is for it */
};

static const struct map_case map_cases[] = {
    {{"/srv/src=/home/me"}, "/srv/src/a/b.c", "/home/me/a/b.c"},
    {{"/srv/src/=/home/me/"}, "/srv/src/a.c", "/home/me/a.c"},
    {{"/srv/src=/home/me"}, "/srv/srcs/a.c", NULL},
    {{"/srv/src=/home/me"}, "/SRV/src/a.c", NULL},
    {{"/srv=/x", "/srv/src=/y"}, "/srv/src/a.c", "/y/a.c"},
    {{"/srv/src=/y", "/srv=/x"}, "/srv/b/a.c", "/x/b/a.c"},
    {{"C:\\build=src"}, "c:\\Build\\a\\b.c", "src/a/b.c"},
    {{"c:/build=src"}, "C:\\build\\a\\b.c", "src/a/b.c"},
    {{"C:\\build=src"}, "C:/build/b.c", "src/b.c"},
    {{"\\\\host\\share=src"}, "\\\\host\\share\\b.c", "src/b.c"},
    {{".=src"}, "./stdlib/msort.c", "src/stdlib/msort.c"},
    {{"/=/sources"}, "/a.c", "/sources/a.c"},
    {{"/a.c=/b"}, "/a.c", "/b"},
    {{"/srv/src=/home/me"}, "/srv", NULL},
    {{"/srv/src=/home/me"}, "/srv/src", "/home/me"},
    {{"/srv/src=/home/me"}, "/srv/src//a.c", "/home/me/a.c"},
    {{"/srv=/x", "/srv/=/y"}, "/srv/a.c", "/x/a.c"}, /* the first of two */
    {{"C:\\build=src"}, "C:\\builds\\b.c", NULL},
    {{"C:\\build=src"}, "D:\\build\\b.c", NULL},
    {{"C:\\a\\b=src"}, "C:/A/B/c\\d.c", "src/c/d.c"},
    {{"src=/x"}, "src\\a\\b.c", "/x/a/b.c"},
};

static void check_map(const struct map_case *c)
{
    struct sources s = {.refused = NULL};
    char *mapped;

    for (size_t i = 0; i < 3 && c->maps[i]; i++)
        ck_assert(sources_map(&s, c->maps[i]));
    mapped = sources_mapped(&s, c->path);
    ck_assert_msg(!mapped == !c->mapped, "%s", c->path);
    if (mapped)
        ck_assert_str_eq(mapped, c->mapped);
    free(mapped);
    sources_release(&s);
}

TEST(maps_move_the_beginning)
{
    for (size_t i = 0; i < COUNT(map_cases); i++)
        check_map(&map_cases[i]);
}

TEST(what_is_no_map_is_refused)
{
    static const char *const bad[] = {"", "=", "a", "a=", "=b"};
    struct sources s = {.refused = NULL};

    for (size_t i = 0; i < COUNT(bad); i++)
        ck_assert(!sources_map(&s, bad[i]));
    sources_release(&s);
}

/* A folder with src/app.c, lib/src/app.c, App.H; each names itself. */
static const char *const files[] = {"src/app.c", "lib/src/app.c", "App.H"};
static const char *const folders[] = {"src", "lib", "lib/src"};
static char root[64];

static void make_files(void)
{
    char path[200];

    snprintf(root, sizeof(root), "/tmp/topfn-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof(path), "%s/%s", root, folders[i]);
        ck_assert(!mkdir(path, 0700));
    }
    for (size_t i = 0; i < 3; i++) {
        FILE *f;

        snprintf(path, sizeof(path), "%s/%s", root, files[i]);
        f = fopen(path, "w");
        ck_assert_ptr_nonnull(f);
        fprintf(f, "%s\n", files[i]);
        fclose(f);
    }
}

static void remove_files(void)
{
    char path[200];

    for (size_t i = 3; i-- > 0;) {
        snprintf(path, sizeof(path), "%s/%s", root, files[i]);
        unlink(path);
    }
    for (size_t i = 3; i-- > 0;) {
        snprintf(path, sizeof(path), "%s/%s", root, folders[i]);
        rmdir(path);
    }
    rmdir(root);
}

static const struct {
    const char *path, *found; /* NULL: not found */
} find_cases[] = {
    {"/build/lib/src/app.c", "lib/src/app.c"},
    {"/build/src/app.c", "src/app.c"},
    {"/build/other/src/app.c", "src/app.c"},
    {"C:\\build\\SRC\\App.c", "src/app.c"},
    {"d:\\x\\app.h", "App.H"},
    {"app.h", "App.H"},
    {"/x/../src/app.c", "src/app.c"}, /* below what leads out */
    {"/nowhere.c", NULL},
    {"/build/app.c", NULL},
    {"/build/src", NULL},
    {"/", NULL},
    {"", NULL},
};

TEST(the_longest_tail_that_leads_to_a_file_counts)
{
    struct sources s = {.refused = NULL};

    make_files();
    sources_add(&s, root);
    for (size_t i = 0; i < COUNT(find_cases); i++) {
        struct textfile *t = sources_find(&s, find_cases[i].path);

        ck_assert_msg(!t == !find_cases[i].found, "%s", find_cases[i].path);
        if (t)
            ck_assert_str_eq(textfile_line(t, 1), find_cases[i].found);
        ck_assert_ptr_eq(sources_find(&s, find_cases[i].path), t);
    }
    remove_files();
    sources_release(&s);
}

/* Paths that lead elsewhere by themselves, by dots, by a link, to a pipe
 * that nobody writes to. */
TEST(only_what_was_allowed_is_opened)
{
    struct sources s = {.refused = NULL};
    char path[200], link[200], map[200], lib[100];

    make_files();
    snprintf(lib, sizeof(lib), "%s/lib", root);
    sources_add(&s, lib);
    snprintf(path, sizeof(path), "%s/App.H", root);
    ck_assert_ptr_null(sources_find(&s, path));
    ck_assert_str_eq(s.refused, path);
    snprintf(path, sizeof(path), "%s/lib/../App.H", root);
    ck_assert_ptr_null(sources_find(&s, path));
    snprintf(map, sizeof(map), "/b=%s/lib", root);
    ck_assert(sources_map(&s, map));
    ck_assert_ptr_null(sources_find(&s, "/b/../App.H"));
    ck_assert_ptr_nonnull(sources_find(&s, "/b/src/app.c"));
    snprintf(path, sizeof(path), "%s/App.H", root);
    snprintf(link, sizeof(link), "%s/lib/link", root);
    ck_assert(!symlink(path, link));
    ck_assert_ptr_null(sources_find(&s, link));
    ck_assert_ptr_null(sources_find(&s, "/x/link"));
    unlink(link);
    ck_assert(!mkfifo(link, 0600));
    ck_assert_ptr_null(sources_find(&s, link));
    ck_assert_ptr_null(textfile_open(link, NULL));
    unlink(link);
    ck_assert_ptr_null(sources_find(&s, "/etc/passwd"));
    remove_files();
    sources_release(&s);
}

/* A folder is no part of another's name; a file may be allowed by itself, and
 * all there is. */
TEST(what_is_below_a_folder)
{
    struct sources s = {.refused = NULL};
    char path[200], map[200], part[100];

    make_files();
    snprintf(part, sizeof(part), "%s/li", root);
    sources_add(&s, "/nowhere");
    sources_add(&s, part);
    snprintf(path, sizeof(path), "%s/lib/src/app.c", root);
    ck_assert_ptr_null(sources_find(&s, path));
    ck_assert(!mkdir(part, 0700));
    snprintf(path, sizeof(path), "%s/src/../lib/src/app.c", root);
    ck_assert_ptr_null(sources_find(&s, path)); /* beside "li" */
    rmdir(part);
    snprintf(map, sizeof(map), "/a.c=%s/App.H", root);
    ck_assert(sources_map(&s, map));
    ck_assert_str_eq(textfile_line(sources_find(&s, "/a.c"), 1), files[2]);
    sources_add(&s, "/");
    snprintf(path, sizeof(path), "%s/src/app.c", root);
    ck_assert_str_eq(textfile_line(sources_find(&s, path), 1), files[0]);
    remove_files();
    sources_release(&s);
}

/* What a trace writes into a path costs no more than its parts. */
TEST(dots_are_dropped)
{
    struct sources s = {.refused = NULL};
    char path[10000] = "/x/", *at = path + 3;

    make_files();
    sources_add(&s, root);
    for (unsigned i = 0; i < 2000; i++)
        at = stpcpy(at, i & 1 ? "./" : "//");
    strcpy(at, "src/./app.c");
    ck_assert_str_eq(textfile_line(sources_find(&s, path), 1), files[0]);
    ck_assert_uint_eq(s.steps, 1 + 2); /* x; src, app.c */
    remove_files();
    sources_release(&s);
}

/* Of 5,000 parts 64 are tried, each as deep as there are folders. */
TEST(long_paths_cost_no_more_than_their_last_parts)
{
    enum { PARTS = 5000 };
    struct sources s = {.refused = NULL};
    char path[4 * PARTS + 10], *at = path;

    make_files();
    sources_add(&s, root);
    for (unsigned i = 0; i < PARTS; i++)
        at = stpcpy(at, i & 1 ? "/src" : "/lib");
    strcpy(at, "/none.c");
    ck_assert_ptr_null(sources_find(&s, path));
    ck_assert_uint_le(s.steps, 64 * 3);
    ck_assert_ptr_null(sources_find(&s, path));
    ck_assert_uint_le(s.steps, 64 * 3);
    remove_files();
    sources_release(&s);
}
