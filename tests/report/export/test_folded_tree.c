#include "report/export/folded.h"

#include "tests/support/profile_builder.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

static struct profile *profile_of(const char *const *stacks, size_t n)
{
    struct builder *b = builder_new("app.etl");
    uint32_t thread = builder_thread(b, 1, "p", 2);

    for (size_t i = 0; i < n; i++)
        builder_samples(b, thread, (unsigned)i + 1, stacks[i]);
    return builder_finish(b);
}

/* A line stays a line, and a name one name: each byte of a control character
 * is a blank, a semicolon a colon. */
TEST(names_are_made_harmless)
{
    static const struct {
        const char *name, *line;
    } rows[] = {
        {"a\nb", "p;a b"},
        {"a\x7F", "p;a "},
        {"\xC2\x85z", "p;  z"},          /* U+0085 */
        {"\xC2\xA0z", "p;\xC2\xA0z"},    /* a blank that may be */
        {"\xE2\x80\xAEz", "p;\\u202ez"}, /* turns text around */
        {"Größe", "p;Größe"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct profile *p = profile_of((const char *const[]){"m!x"}, 1);
        struct selection *sel = selection_new(p, NULL);
        struct folded_tree tree = {0};
        struct folded_lines l = {.tree = &tree};

        p->functions.data[0].name =
            strings_add(p->strings, rows[i].name, strlen(rows[i].name));
        folded_tree_add(&tree, p, sel, false);
        ck_assert(folded_lines_next(&l));
        ck_assert_str_eq(l.text, rows[i].line);
        folded_lines_release(&l);
        folded_tree_release(&tree);
        selection_free(sel);
        profile_free(p);
    }
}

static void check(const struct profile *p, const struct selection *sel)
{
    struct folded_tree tree = {0};
    struct folded_lines l = {.tree = &tree};
    char last[4096] = "";
    uint64_t sum = 0;
    size_t lines = 0;

    folded_tree_add(&tree, p, sel, false);
    folded_tree_add(&tree, p, sel, true);
    for (; folded_lines_next(&l); lines++) {
        ck_assert_int_lt(strcmp(last, l.text), 0);
        snprintf(last, sizeof(last), "%s", l.text);
        ck_assert_uint_eq(
            l.node->count,
            folded_tree_after(&tree, (size_t)(l.node - tree.nodes.data)));
        sum += l.node->count;
    }
    ck_assert_uint_eq(sum, sel->samples);
    ck_assert_uint_eq(lines, tree.lines);
    /* A node for every name of every stack, at most. */
    ck_assert_uint_le(tree.nodes.len,
                      1 + p->processes.len * (1 + p->stacks.len * 4));
    folded_lines_release(&l);
    folded_tree_release(&tree);
}

TEST(distinct_and_complete)
{
    random_selections(check);
}

TEST(of_nothing)
{
    struct folded_tree tree = {0};
    struct folded_lines l = {.tree = &tree};

    ck_assert(!folded_lines_next(&l));
    folded_lines_release(&l);
    folded_tree_release(&tree);
}
