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

TEST(leaf_kinds_have_names)
{
    ck_assert_str_eq(leaf_kind_name(0), "kernel");
    ck_assert_str_eq(leaf_kind_name(LEAF_KINDS - 1), "unknown");
    ck_assert_ptr_null(leaf_kind_name(LEAF_KINDS));
}
