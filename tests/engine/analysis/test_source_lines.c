#include "engine/analysis/source_lines.h"

#include "engine/analysis/rank.h"
#include "tests/support/profile_builder.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

static uint32_t function_named(const struct profile *p, const char *name)
{
    for (uint32_t i = 0; i < p->functions.len; i++)
        if (!strcmp(strings_get(p->strings, p->functions.data[i].name), name))
            return i;
    ck_abort_msg("no function %s", name);
}

/* "a.c:5 3/4" for 3 of 4 samples in itself, one line each. */
static void print_lines(const struct profile *p,
                        const struct function_lines *lines, char *text,
                        size_t size)
{
    *text = '\0';
    for (size_t i = 0; i < lines->files.len; i++) {
        const struct file_lines *file = &lines->files.data[i];

        for (size_t k = file->first; k < file->end; k++) {
            const struct line_count *c = &lines->counts.data[k];

            snprintf(text + strlen(text), size - strlen(text),
                     "%s:%u %u/%u\n", strings_get(p->strings, c->file),
                     c->line, (unsigned)c->exclusive, (unsigned)c->inclusive);
        }
    }
}

TEST(a_line_counts_once_a_sample)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);
    struct function_lines lines[2];
    uint32_t functions[2];
    struct selection *sel;
    struct profile *p;
    char text[500];

    builder_samples(b, t, 4, "a!fib@a.c:5;a!fib@a.c:5;a!fib@a.c:9");
    builder_samples(b, t, 3, "a!fib@a.c:9;a!leaf@b.c:1<a!fib@a.c:5");
    builder_samples(b, t, 2, "a!fib@a.c:5;a!fib@z.h:3");
    builder_samples(b, t, 1, "a!fib");
    p = builder_finish(b);
    sel = selection_new(p, NULL);
    functions[0] = function_named(p, "fib");
    functions[1] = function_named(p, "leaf");
    source_lines_count(p, sel, functions, 2, lines);
    print_lines(p, &lines[0], text, sizeof(text));
    ck_assert_str_eq(text, "a.c:5 0/9\n"
                           "a.c:9 4/7\n"
                           "z.h:3 2/2\n"
                           ":0 1/1\n");
    print_lines(p, &lines[1], text, sizeof(text));
    ck_assert_str_eq(text, "b.c:1 3/3\n");
    source_lines_release(lines, 2);
    selection_free(sel);
    profile_free(p);
}

static void check_sums(const struct profile *p, const struct selection *sel)
{
    struct ranking *r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);
    struct function_lines *lines = mem_new(r->len, sizeof(*lines));
    uint32_t *ids = mem_new(r->len, sizeof(*ids));

    for (size_t i = 0; i < r->len; i++)
        ids[i] = r->rows[i].id;
    source_lines_count(p, sel, ids, r->len, lines);
    for (size_t i = 0; i < r->len; i++) {
        uint64_t exclusive = 0;

        for (size_t k = 0; k < lines[i].counts.len; k++) {
            const struct line_count *c = &lines[i].counts.data[k];

            exclusive += c->exclusive;
            ck_assert_uint_le(c->exclusive, c->inclusive);
            ck_assert_uint_le(c->inclusive, r->rows[i].inclusive);
        }
        ck_assert_uint_eq(exclusive, r->rows[i].exclusive);
    }
    source_lines_release(lines, r->len);
    free(lines);
    free(ids);
    ranking_free(r);
}

TEST(lines_add_up_to_their_function)
{
    random_selections(check_sums);
}
