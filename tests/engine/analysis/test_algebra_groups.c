/* What functions are grouped as, and what becomes of modules and kinds. */
#include "engine/analysis/algebra.h"

#include "engine/analysis/algebra_impl.h"
#include "engine/analysis/rank.h"
#include "tests/support/cells.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

/* The rows of a ranking after these groups, "name [module] kind count". */
static void show_groups(struct profile *p, const char *const *groups, size_t n,
                        char *text, size_t size)
{
    struct filter f = {.groups = {.data = (const char **)groups, .len = n}};
    struct selection *sel;
    struct ranking *r;

    algebra_apply(p, &f, NULL);
    sel = selection_new(p, NULL);
    r = ranking_new(p, sel, RANK_FUNCTION, SORT_INCLUSIVE);
    *text = '\0';
    for (size_t i = 0; i < r->len; i++) {
        size_t at = strlen(text);

        snprintf(text + at, size - at, "%s [%s] %s %u; ", r->rows[i].name,
                 r->rows[i].module, code_kind_name(r->rows[i].kind),
                 (unsigned)r->rows[i].inclusive);
    }
    ranking_free(r);
    selection_free(sel);
}

/* In stacks of the builder "<" has a meaning: names have braces instead. */
static void set_brackets(struct profile *p)
{
    for (size_t i = 0; i < p->functions.len; i++) {
        struct function *f = &p->functions.data[i];
        char name[100];

        snprintf(name, sizeof(name), "%s", strings_get(p->strings, f->name));
        for (char *c = name; *c; c++)
            *c = (char)(*c == '{' ? '<' : *c == '}' ? '>' : *c);
        f->name = strings_add(p->strings, name, strlen(name));
    }
}

static void check(const struct cells *row)
{
    struct builder *b = builder_new("a.etl");
    const char *groups[2] = {row->cell[1], row->cell[2]};
    struct profile *p;
    char text[500];

    builder_samples(b, builder_thread(b, 1, "a", 1), 1, row->cell[0]);
    p = builder_finish(b);
    set_brackets(p);
    show_groups(p, groups, row->len[2] ? 2 : 1, text, sizeof(text));
    text[strlen(text) - 1] = '\0'; /* a blank */
    cells_expect(row, 3, text);
    profile_free(p);
}

TEST(groups_have_a_name_a_module_and_a_kind)
{
    cells_each("tests/engine/analysis/groups.cells", "cases", check);
}

/* A bit each, which those behind the 63rd share. */
TEST(as_many_words_as_there_are)
{
    static const char *all[65];

    for (size_t n = 63; n <= 65; n++)
        for (int there = 0; there < 2; there++) {
            struct filter f = {.focus = {.data = all, .len = n}};
            struct builder *b = builder_new("a.etl");
            struct profile *p;

            builder_samples(b, builder_thread(b, 1, "a", 1), 1, "a!f;a!g");
            p = builder_finish(b);
            for (size_t i = 0; i < n; i++)
                all[i] = i == 1 ? "g" : "f";
            if (!there)
                all[62] = "h";
            algebra_apply(p, &f, NULL);
            ck_assert_msg(p->samples.len == (size_t)there, "%zu", n);
            profile_free(p);
        }
}

/* What takes too long on some name is said, as is what nothing is called. */
TEST(expressions_that_give_up_are_noted)
{
    static const char *slow[] = {"re:^(a+)+$", "f"};
    struct filter f = {.ignore = {.data = slow, .len = 2}};
    struct algebra_notes notes = {.unmet = {0}};
    struct builder *b = builder_new("a.etl");
    struct profile *p;

    builder_samples(b, builder_thread(b, 1, "a", 1), 1,
                    "a!f;a!aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab");
    p = builder_finish(b);
    algebra_apply(p, &f, &notes);
    ck_assert_uint_eq(notes.slow.len, 1);
    ck_assert_str_eq(notes.slow.data[0].option, "ignore");
    ck_assert_str_eq(notes.slow.data[0].text, "re:^(a+)+$");
    ck_assert_uint_eq(notes.unmet.len, 1);
    algebra_notes_release(&notes);
    profile_free(p);
}

/* All columns of a sample move together. */
TEST(columns_go_with_their_samples)
{
    static const char *words[] = {"g"};
    struct filter f = {.focus = {.data = words, .len = 1}};
    struct builder *b = builder_new("a.etl");
    uint32_t one = builder_thread(b, 1, "a", 1);
    uint32_t two = builder_thread(b, 1, "a", 2);
    struct profile *p;

    builder_samples(b, one, 3, "a!f");
    builder_samples(b, two, 2, "a!f;a!g");
    p = builder_finish(b);
    p->samples.period = mem_new(5, sizeof(uint64_t));
    for (size_t i = 0; i < 5; i++) {
        p->samples.period[i] = 100 + i;
        p->samples.cpu[i] = (uint16_t)i;
        p->samples.flags[i] = (uint8_t)(8 * i);
    }
    algebra_apply(p, &f, NULL);
    ck_assert_uint_eq(p->samples.len, 2);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(p->samples.period[i], 103 + i);
        ck_assert_uint_eq(p->samples.cpu[i], 3 + i);
        ck_assert_uint_eq(p->samples.flags[i], 24 + 8 * i);
        ck_assert_uint_eq(p->samples.thread[i], two);
        ck_assert_int_eq(p->samples.time[i], 3000000 + 1000000 * (int)i);
    }
    ck_assert_uint_eq(p->left_out.samples, 3);
    profile_free(p);
}

/* What was folded before is not folded again. */
TEST(what_is_folded_stays)
{
    static const char *words[] = {"f"};
    struct filter f = {.folds = {.data = words, .len = 1},
                       .fold_percent = 2000};
    struct builder *b = builder_new("a.etl");
    uint32_t t = builder_thread(b, 1, "a", 1);
    struct selection *sel;
    struct ranking *r;
    struct profile *p;

    builder_samples(b, t, 1, "a!f");
    builder_samples(b, t, 1, "a!rare");
    builder_samples(b, t, 8, "a!often");
    p = builder_finish(b);
    algebra_apply(p, &f, NULL);
    sel = selection_new(p, NULL);
    r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);
    ck_assert_uint_eq(r->len, 2);
    ck_assert_str_eq(r->rows[0].name, "often");
    ck_assert_str_eq(r->rows[1].name, "[folded]");
    ck_assert_uint_eq(r->rows[1].exclusive, 2);
    ranking_free(r);
    selection_free(sel);
    profile_free(p);
}

/* The first function of all, too. */
TEST(what_is_rare_is_folded)
{
    struct filter f = {.fold_percent = 2000};
    struct builder *b = builder_new("a.etl");
    uint32_t t = builder_thread(b, 1, "a", 1);
    struct selection *sel;
    struct ranking *r;
    struct profile *p;

    builder_samples(b, t, 1, "a!rare");
    builder_samples(b, t, 2, "a!fifth");
    builder_samples(b, t, 7, "a!often");
    p = builder_finish(b);
    algebra_apply(p, &f, NULL);
    sel = selection_new(p, NULL);
    r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);
    ck_assert_uint_eq(r->len, 3);
    ck_assert_str_eq(r->rows[1].name, "fifth");
    ck_assert_str_eq(r->rows[2].name, "[folded]");
    ck_assert_uint_eq(r->rows[2].exclusive, 1);
    ranking_free(r);
    selection_free(sel);
    profile_free(p);
}

/* Of inlined functions the one that is left stands for itself; what nothing is
 * taken from stays the same location. */
TEST(locations_change_where_frames_do)
{
    static const char *words[] = {"out"}, *others[] = {"nobody"};
    struct filter f = {.folds = {.data = words, .len = 1}};
    struct filter none = {.ignore = {.data = others, .len = 1}};
    struct builder *b = builder_new("a.etl");
    uint32_t t = builder_thread(b, 1, "a", 1), start;
    size_t locations;
    struct profile *p;

    builder_samples(b, t, 1, "a!main;a!in<a!out;a!x<a!y<a!z");
    p = builder_finish(b);
    locations = p->locations.len;
    algebra_apply(p, &none, NULL);
    ck_assert_uint_eq(p->locations.len, locations);
    algebra_apply(p, &f, NULL);
    ck_assert_uint_eq(p->locations.len, locations + 1);
    start = p->frame_start.data[locations];
    ck_assert_uint_eq(p->frame_start.data[locations + 1], start + 1);
    ck_assert(!p->frames.data[start].inlined);
    ck_assert(p->frames.data[p->frame_start.data[1]].inlined);
    profile_free(p);
}

TEST(leaf_kinds_have_names)
{
    ck_assert_str_eq(leaf_kind_name(0), "kernel");
    ck_assert_str_eq(leaf_kind_name(LEAF_KINDS - 1), "unknown");
    ck_assert_ptr_null(leaf_kind_name(LEAF_KINDS));
}
