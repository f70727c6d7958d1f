/*
 * Traces made from scripts, against the answers counted from the scripts:
 * every script of tests/scripts, in each of the forms an ETL file can take.
 */
#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/out.h"
#include "engine/rank.h"
#include "engine/trace.h"
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

typedef VEC(char *) text_lines;

static void add_line(text_lines *lines, struct out *out)
{
    *vec_add(lines) = strdup(out_text(out, NULL));
    out_close(out, NULL);
}

static void add_number(text_lines *lines, const char *kind, const char *name,
                       uint64_t n)
{
    struct out *out = out_memory();

    out_fmt(out, "%s\t%s\t%llu", kind, name, (unsigned long long)n);
    add_line(lines, out);
}

static void add_totals(text_lines *lines, const struct profile *p,
                       const struct selection *sel)
{
    add_number(lines, "total", "samples", sel->samples);
    add_number(lines, "total", "idle", sel->idle);
    add_number(lines, "total", "events_lost", p->quality.lost_events);
    add_number(lines, "total", "buffers_lost", p->quality.lost_buffers);
    add_number(lines, "stacks", "full", sel->by_class[STACK_FULL]);
    add_number(lines, "stacks", "user_only", sel->by_class[STACK_USER]);
    add_number(lines, "stacks", "kernel_only", sel->by_class[STACK_KERNEL]);
    add_number(lines, "stacks", "none", sel->by_class[STACK_NONE]);
}

/* Lines of one ranking. Rows of one name (lives of one pid, functions of
 * several modules) are one line of the answer. */
static void add_ranking(text_lines *lines, const char *kind,
                        const struct profile *p, const struct selection *sel,
                        enum rank_by by)
{
    struct ranking *r = ranking_new(p, sel, by, SORT_EXCLUSIVE);

    for (size_t i = 0; i < r->len; i++) {
        const struct rank_row *row = &r->rows[i];
        bool first = true;
        uint64_t exclusive = 0, inclusive = 0;
        struct out *out;

        for (size_t j = 0; j < r->len; j++) {
            if (strcmp(r->rows[j].name, row->name) != 0)
                continue;
            first = first && j >= i;
            exclusive += r->rows[j].exclusive;
            inclusive += r->rows[j].inclusive;
        }
        if (!first)
            continue;
        out = out_memory();
        out_fmt(out, "%s\t", kind);
        out_str(out, row->name);
        out_fmt(out, "\t%llu\t%llu", (unsigned long long)exclusive,
                (unsigned long long)inclusive);
        add_line(lines, out);
    }
    ranking_free(r);
}

static void add_lives(text_lines *lines, const struct profile *p,
                      const struct selection *sel)
{
    struct ranking *r = ranking_new(p, sel, RANK_THREAD, SORT_EXCLUSIVE);

    for (size_t i = 0; i < r->len; i++) {
        const struct thread *t = &p->threads.data[r->rows[i].id];
        struct out *out = out_memory();

        out_fmt(out, "thread\t%u\t%u\t%llu",
                p->processes.data[t->process].pid, t->tid,
                (unsigned long long)r->rows[i].exclusive);
        add_line(lines, out);
    }
    ranking_free(r);
    r = ranking_new(p, sel, RANK_PROCESS, SORT_EXCLUSIVE);
    for (size_t i = 0; i < r->len; i++) {
        const struct process *process = &p->processes.data[r->rows[i].id];
        struct out *out = out_memory();

        out_fmt(out, "process\t%u\t", process->pid);
        out_str(out, strings_get(p->strings, process->name));
        out_fmt(out, "\t%llu", (unsigned long long)r->rows[i].exclusive);
        add_line(lines, out);
    }
    ranking_free(r);
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* What the answer would be if the profile were right. */
static char *describe(const struct profile *p)
{
    struct selection *sel = selection_new(p, NULL);
    text_lines lines = {0};
    struct out *out = out_memory();
    char *text;

    add_totals(&lines, p, sel);
    add_lives(&lines, p, sel);
    add_ranking(&lines, "module", p, sel, RANK_MODULE);
    add_ranking(&lines, "function", p, sel, RANK_FUNCTION);
    qsort(lines.data, lines.len, sizeof(*lines.data), compare_lines);
    for (size_t i = 0; i < lines.len; i++) {
        out_str(out, lines.data[i]);
        out_char(out, '\n');
        free(lines.data[i]);
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
    struct trace_options options = {.threads = threads};
    struct err err = {0};
    struct profile *p = trace_open(&path, 1, &options, &err);
    char *got;

    ck_assert_msg(p != NULL, "%s: %s", what, err.message);
    profile_finish(p);
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

START_TEST(scripts)
{
    struct dirent **names;
    int n = scandir("tests/scripts", &names, is_script, alphasort);
    char path[300], *text;

    ck_assert_int_gt(n, 0);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof(path), "tests/scripts/%.255s",
                 names[i]->d_name);
        text = read_text(path);
        for (size_t f = 0; f < sizeof(forms) / sizeof(forms[0]); f++)
            check_form(text, names[i]->d_name, &forms[f]);
        free(text);
        free(names[i]);
    }
    free(names);
}
END_TEST

int main(void)
{
    return suite_run("etl scripts", scripts);
}
