/*
 * Traces made from scripts, against the answers counted from the scripts:
 * every script of tests/scripts, in each of the forms an ETL file can take.
 */
#include <dirent.h>
#include <stdarg.h>
#include <unistd.h>

#include "engine/analysis/rank.h"
#include "engine/base/out.h"
#include "engine/input/recording.h"
#include "tests/support/opened.h"
#include "tests/support/profile_check.h"
#include "tests/support/scenario.h"
#include "tests/support/suite.h"

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = mem_new(1 << 20, 1);

    ck_assert_msg(file != NULL, "%s", path);
    ck_assert(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

/* A line of the answer. Equal ones (two lives of a pid, a function in two
 * modules) are one there, so they are added up. */
struct line {
    char *name;
    uint64_t exclusive, inclusive;
};

typedef VEC(struct line) answer_lines;

static void add_line(answer_lines *lines, uint64_t exclusive,
                     uint64_t inclusive, const char *format, ...)
{
    char name[1000];
    va_list args;
    size_t i = 0;

    va_start(args, format);
    vsnprintf(name, sizeof(name), format, args);
    va_end(args);
    while (i < lines->len && strcmp(lines->data[i].name, name) != 0)
        i++;
    if (i == lines->len)
        *vec_add(lines) = (struct line){.name = strdup(name)};
    lines->data[i].exclusive += exclusive;
    lines->data[i].inclusive += inclusive;
}

static void add_totals(answer_lines *lines, const struct profile *p,
                       const struct selection *sel)
{
    static const char *const classes[] = {
        [STACK_FULL] = "full",
        [STACK_USER] = "user_only",
        [STACK_KERNEL] = "kernel_only",
        [STACK_NONE] = "none",
    };

    add_line(lines, sel->samples, 0, "total\tsamples");
    add_line(lines, sel->idle, 0, "total\tidle");
    add_line(lines, p->quality.lost_events, 0, "total\tevents_lost");
    add_line(lines, p->quality.lost_buffers, 0, "total\tbuffers_lost");
    for (size_t i = 0; i < 4; i++)
        add_line(lines, sel->by_class[i], 0, "stacks\t%s", classes[i]);
}

static void add_row(answer_lines *lines, const struct profile *p,
                    enum rank_by by, const struct rank_row *row)
{
    const struct process *process;
    const struct thread *thread;

    switch (by) {
    case RANK_PROCESS:
        process = &p->processes.data[row->id];
        add_line(lines, row->exclusive, 0, "process\t%u\t%s", process->pid,
                 strings_get(p->strings, process->name));
        break;
    case RANK_THREAD:
        thread = &p->threads.data[row->id];
        add_line(lines, row->exclusive, 0, "thread\t%u\t%u",
                 p->processes.data[thread->process].pid, thread->tid);
        break;
    default:
        add_line(lines, row->exclusive, row->inclusive, "%s\t%s",
                 by == RANK_MODULE ? "module" : "function", row->name);
    }
}

static void add_ranking(answer_lines *lines, const struct profile *p,
                        const struct selection *sel, enum rank_by by)
{
    struct ranking *r = ranking_new(p, sel, by, SORT_EXCLUSIVE);

    for (size_t i = 0; i < r->len; i++)
        add_row(lines, p, by, &r->rows[i]);
    ranking_free(r);
}

static void print_line(struct out *out, const struct line *line)
{
    bool both = !strncmp(line->name, "module", 6) ||
                !strncmp(line->name, "function", 8);

    out_str(out, line->name);
    out_char(out, '\t');
    out_u64(out, line->exclusive);
    if (both)
        out_char(out, '\t');
    if (both)
        out_u64(out, line->inclusive);
    out_char(out, '\n');
}

static int compare_lines(const void *a, const void *b)
{
    const struct line *x = a, *y = b;

    return strcmp(x->name, y->name);
}

/* What the answer would be if the profile were right. */
static char *describe(const struct profile *p)
{
    struct selection *sel = selection_new(p, NULL);
    answer_lines lines = {0};
    struct out *out = out_memory();
    char *text;

    add_totals(&lines, p, sel);
    add_ranking(&lines, p, sel, RANK_THREAD);
    add_ranking(&lines, p, sel, RANK_PROCESS);
    add_ranking(&lines, p, sel, RANK_MODULE);
    add_ranking(&lines, p, sel, RANK_FUNCTION);
    qsort(lines.data, lines.len, sizeof(*lines.data), compare_lines);
    for (size_t i = 0; i < lines.len; i++) {
        print_line(out, &lines.data[i]);
        free(lines.data[i].name);
    }
    text = strdup(out_text(out, NULL));
    out_close(out, NULL);
    vec_release(&lines);
    selection_free(sel);
    return text;
}

static char *answer_text(const struct answer *answer)
{
    char *text = NULL;
    size_t n;
    FILE *file = open_memstream(&text, &n);

    ck_assert(answer_write(answer, file));
    fclose(file);
    return text;
}

struct form {
    const char *name;
    const char *options[4]; /* name, value, ... */
};

static const struct form forms[] = {
    {"plain", {NULL}},
    {"packed", {"compressed", "on"}},
    {"live", {"live", "on"}},
    {"small packed buffers", {"compressed", "on", "buffer", "4096"}},
};

static void check_profile(const char *path, unsigned threads,
                          const char *expected, const char *what)
{
    struct read_options options = {.threads = threads};
    struct profile *p = opened_profile(path, &options);
    char *got;

    ck_assert_msg(!profile_check(p), "%s: %s", what, profile_check(p));
    got = describe(p);
    ck_assert_msg(!strcmp(got, expected), "%s: expected\n%sgot\n%s", what,
                  expected, got);
    free(got);
    profile_free(p);
}

static void check_form(const char *text, const char *script,
                       const struct form *form)
{
    struct scenario *s = scenario_parse(text, script);
    struct answer *answer = answer_new();
    char path[] = "/tmp/topfn-script-XXXXXX", what[400], *expected;
    int fd = mkstemp(path);
    FILE *file = fdopen(fd, "w+b");

    for (size_t i = 0; i < 4 && form->options[i]; i += 2)
        ck_assert(scenario_option(s, form->options[i], form->options[i + 1]));
    ck_assert_msg(scenario_write(s, file, answer), "%s", scenario_error(s));
    fclose(file);
    snprintf(what, sizeof(what), "%s, %s", script, form->name);
    expected = answer_text(answer);
    check_profile(path, 1, expected, what);
    check_profile(path, 3, expected, what);
    unlink(path);
    free(expected);
    answer_free(answer);
    scenario_free(s);
}

static int is_script(const struct dirent *entry)
{
    return strstr(entry->d_name, ".script") != NULL;
}

TEST(scripts)
{
    struct dirent **names;
    int n = scandir("tests/scripts", &names, is_script, alphasort);
    char path[300], *text;

    ck_assert_int_gt(n, 0);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof(path), "tests/scripts/%.255s",
                 names[i]->d_name);
        text = read_text(path);
        for (size_t f = 0; f < COUNT(forms); f++)
            check_form(text, names[i]->d_name, &forms[f]);
        free(text);
        free(names[i]);
    }
    free(names);
}
