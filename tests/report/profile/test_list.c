/* Which lines of a source are shown around those with samples. */
#include "report/profile/list.h"

#include "engine/base/textfile.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

enum { SOURCE_LINES = 100 };

static struct textfile *source; /* of "/src/a.c": "line 1" and so on */

static struct textfile *find(void *state, const char *path)
{
    (void)state;
    return strcmp(path, "/src/a.c") ? NULL : source;
}

static void open_source(void)
{
    struct err err = {0};
    char text[20 * SOURCE_LINES] = "", path[TEMP_PATH];
    size_t n = 0;

    for (int i = 1; i <= SOURCE_LINES; i++)
        n += (size_t)snprintf(text + n, sizeof(text) - n, "line %d\n", i);
    temp_file(path, text, n);
    source = textfile_open(path, &err);
    ck_assert_ptr_nonnull(source);
    unlink(path);
}

/* One function "f" with a sample at each of these lines. */
static struct profile *sampled_at(const uint32_t *lines, const char *file)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "app.exe", 11);

    for (; *lines; lines++) {
        char stack[60];

        snprintf(stack, sizeof(stack), "app.exe!main;app.exe!f@%s:%u", file,
                 (unsigned)*lines);
        builder_samples(b, t, 1, stack);
    }
    return builder_finish(b);
}

/* "3 4* 5 ... 20*": what is shown, with a mark where there are samples. */
static void shown_lines(const struct profile *p, enum format format,
                        size_t context, char *text, size_t room)
{
    struct selection *sel = selection_new(p, NULL);
    struct ranking *r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);
    struct report_options options = {.format = format, .context = context};
    struct subject subject = {.options = &options,
                              .p = p,
                              .sel = sel,
                              .functions = r->rows,
                              .function_count = 1,
                              .sources = {find, NULL}};
    struct list l = {.subject = &subject};
    size_t n = 0;

    *text = '\0';
    list_collect(&l);
    ck_assert_uint_eq(l.functions, 1);
    for (size_t i = 0; i < l.rows.len; i++) {
        const struct list_row *row = &l.rows.data[i];
        char wanted[20];

        snprintf(wanted, sizeof(wanted), "line %u", (unsigned)row->line);
        if (row->line && row->text)
            ck_assert_str_eq(row->text, wanted);
        ck_assert_uint_eq(row->total, sel->samples);
        if (row->line)
            n += (size_t)snprintf(text + n, room - n, "%s%u%s%s", i ? " " : "",
                                  (unsigned)row->line,
                                  row->is_counted ? "*" : "",
                                  row->text ? "" : "?");
        else
            n += (size_t)snprintf(text + n, room - n, " %s", row->text);
    }
    if (l.sections.data[0].is_beyond)
        snprintf(text + n, room - n, " too short");
    list_release(&l);
    ranking_free(r);
    selection_free(sel);
}

static const struct {
    uint32_t lines[8];
    size_t context;
    enum format format;
    const char *shown;
} cases[] = {
    {{10}, 2, FORMAT_TEXT, "8 9 10* 11 12"},
    {{10}, 0, FORMAT_TEXT, "10*"},
    {{2}, 3, FORMAT_TEXT, "1 2* 3 4 5"},
    {{4}, 1, FORMAT_TEXT, "1 2 3 4* 5"},
    {{5}, 1, FORMAT_TEXT, "4 5* 6"},
    {{3, 4}, 1, FORMAT_TEXT, "1 2 3* 4* 5"},
    {{99}, 3, FORMAT_TEXT, "96 97 98 99* 100"},
    {{100}, 1, FORMAT_TEXT, "99 100*"},
    {{101}, 1, FORMAT_TEXT, "100 101*? too short"},
    {{100, 120}, 1, FORMAT_TEXT, "99 100* 120*? too short"},
    /* A function of 50 lines is shown whole. */
    {{20, 30}, 1, FORMAT_TEXT, "19 20* 21 22 23 24 25 26 27 28 29 30* 31"},
    {{1, 50},
     0,
     FORMAT_JSON,
     "1* 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 "
     "27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 "
     "50*"},
    /* A longer function leaves out lines far from samples, and text says so. */
    {{1, 51}, 0, FORMAT_TEXT, "1* ... 51*"},
    {{1, 51}, 0, FORMAT_MARKDOWN, "1* ... 51*"},
    {{1, 51}, 0, FORMAT_JSON, "1* 51*"},
    {{1, 51}, 0, FORMAT_CSV, "1* 51*"},
    {{20, 80}, 2, FORMAT_TEXT, "18 19 20* 21 22 ... 78 79 80* 81 82"},
    {{20, 30, 80}, 1, FORMAT_TEXT, "19 20* 21 ... 29 30* 31 ... 79 80* 81"},
    /* No gap for what would take as much room. */
    {{20, 26, 80}, 1, FORMAT_TEXT, "19 20* 21 ... 25 26* 27 ... 79 80* 81"},
    {{20, 25, 80}, 1, FORMAT_TEXT, "19 20* 21 22 23 24 25* 26 ... 79 80* 81"},
    {{5, 80}, 2, FORMAT_TEXT, "1 2 3 4 5* 6 7 ... 78 79 80* 81 82"},
    {{6, 80}, 2, FORMAT_TEXT, "4 5 6* 7 8 ... 78 79 80* 81 82"},
};

TEST(lines_around_those_with_samples)
{
    open_source();
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct profile *p = sampled_at(cases[i].lines, "/src/a.c");
        char text[400];

        shown_lines(p, cases[i].format, cases[i].context, text, sizeof(text));
        ck_assert_msg(!strcmp(text, cases[i].shown), "%zu: \"%s\", not \"%s\"",
                      i, text, cases[i].shown);
        profile_free(p);
    }
    textfile_close(source);
}

static char *listed(const struct profile *p, enum format format,
                    const char *name)
{
    struct selection *sel = selection_new(p, NULL);
    struct ranking *r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);
    struct report_options options = {.format = format, .context = 1};
    struct subject subject = {.options = &options,
                              .p = p,
                              .sel = sel,
                              .function_count = 1,
                              .sources = {find, NULL}};
    struct out *out = out_memory();
    char *text;

    for (size_t i = 0; i < r->len; i++)
        if (!strcmp(r->rows[i].label, name))
            subject.functions = &r->rows[i];
    ck_assert_ptr_nonnull(subject.functions);
    list_report.write[format](&subject, out);
    text = strdup(strstr(out_text(out, NULL), name));
    out_close(out, NULL);
    ranking_free(r);
    selection_free(sel);
    return text;
}

/* Lines of two files, and of none. */
static struct profile *mixed_profile(void)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "app.exe", 11);

    builder_samples(b, t, 3, "app.exe!mixed@/src/a.c:20");
    builder_samples(b, t, 1, "app.exe!mixed@/src/a.c:300");
    builder_samples(b, t, 2, "app.exe!mixed@/src/b.c:7");
    builder_samples(b, t, 4, "app.exe!mixed;app.exe!native");
    builder_samples(b, t, 1, "[jit]!Managed");
    builder_samples(b, t, 1, "other.dll!+0x10");
    return builder_finish(b);
}

static const struct {
    const char *function;
    enum format format;
    const char *listed;
} listings[] = {
    {"mixed", FORMAT_TEXT,
     "mixed · app.exe · exclusive 6 (50.0 %) · inclusive 10 (83.3 %)\n"
     "/src/a.c · found as  · does not match: it has 100 lines\n"
     "\n"
     "exclusive     %  inclusive     %  line  source\n"
     "                                    19  line 19\n"
     "        3  25.0          3  25.0    20  line 20\n"
     "                                    21  line 21\n"
     "                                        ...\n"
     "        1   8.3          1   8.3   300\n"
     "\n"
     "/src/b.c · source not found\n"
     "\n"
     "exclusive     %  inclusive     %  line\n"
     "        2  16.7          2  16.7     7\n"
     "\n"
     "unknown lines: exclusive 0, inclusive 4\n"},
    {"mixed", FORMAT_JSON,
     "mixed\",\"label\":\"mixed\",\"module\":\"app.exe\",\"kind\":\"na"
     "tive\",\"exclusive\":6,\"exclusive_percent\":50.00,\"inclusive\""
     ":10,\"inclusive_percent\":83.33,\"files\":[{\"file\":\"/src/a.c"
     "\",\"found\":\"\",\"too_short\":true,\"rows\":[\n"
     "  {\"exclusive\":null,\"exclusive_percent\":null,\"inclusive\":n"
     "ull,\"inclusive_percent\":null,\"line\":19,\"source\":\"line 19"
     "\"},\n"
     "  {\"exclusive\":3,\"exclusive_percent\":25.00,\"inclusive\":3,"
     "\"inclusive_percent\":25.00,\"line\":20,\"source\":\"line 20\"},\n"
     "  {\"exclusive\":null,\"exclusive_percent\":null,\"inclusive\":n"
     "ull,\"inclusive_percent\":null,\"line\":21,\"source\":\"line 21"
     "\"},\n"
     "  {\"exclusive\":1,\"exclusive_percent\":8.33,\"inclusive\":1,\""
     "inclusive_percent\":8.33,\"line\":300,\"source\":null}]},{\"file"
     "\":\"/src/b.c\",\"found\":null,\"too_short\":false,\"rows\":[\n"
     "  {\"exclusive\":2,\"exclusive_percent\":16.67,\"inclusive\":2,"
     "\"inclusive_percent\":16.67,\"line\":7,\"source\":null}]},{\"fil"
     "e\":null,\"found\":null,\"too_short\":false,\"rows\":[\n"
     "  {\"exclusive\":0,\"exclusive_percent\":0.00,\"inclusive\":4,\""
     "inclusive_percent\":33.33,\"line\":null,\"source\":null}]}]}],\""
     "total_functions\":1}\n"},
    {"native", FORMAT_TEXT,
     "native · app.exe · exclusive 4 (33.3 %) · inclusive 4 (33.3 %)\n"
     "unknown lines: exclusive 4, inclusive 4\n"
     "they come with the debug file of app.exe: --symbols PATH or --on"
     "line\n"},
    {"Managed", FORMAT_TEXT,
     "Managed · [jit] · exclusive 1 (8.3 %) · inclusive 1 (8.3 %)\n"
     "unknown lines: exclusive 1, inclusive 1\n"
     "the code has no name that a debug file is known for\n"},
    {"other.dll!+0x10", FORMAT_TEXT,
     "other.dll!+0x10 · other.dll · exclusive 1 (8.3 %) · inclusive 1 (8.3 %)\n"
     "unknown lines: exclusive 1, inclusive 1\n"
     "the code has no name that a debug file is known for\n"},
};

TEST(listings_are_as_written)
{
    struct profile *p = mixed_profile();

    open_source();
    for (size_t i = 0; i < COUNT(listings); i++) {
        char *text = listed(p, listings[i].format, listings[i].function);
        const char *path = textfile_path(source), *at = strstr(text, path);

        /* Where the source is differs from run to run. */
        if (at)
            memmove(text + (at - text), at + strlen(path),
                    strlen(at + strlen(path)) + 1);
        ck_assert_str_eq(text, listings[i].listed);
        free(text);
    }
    textfile_close(source);
    profile_free(p);
}
