#include "engine/diff/pair.h"

#include "engine/model/profile.h"
#include "tests/support/compare_two.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

/* Pairs must leave no row new or gone, by this rule and no other. */
static const struct {
    const char *before, *after;
    enum diff_rule rule;
} rows[] = {
    {"a!main;a!f", "a!main;a!f", DIFF_EXACT},
    {"a!f(class System.String)", "a!f(string)", DIFF_SPELLING},
    {"a!f", "a!f.isra.0", DIFF_SUFFIX},
    {"a!f", "a!f|a!f.cold", DIFF_SUFFIX},
    {"a!f.part.1", "a!f.llvm.77", DIFF_SUFFIX},
    {"a!f()[Tier0]|a!f()[Tier1]", "a!f()[Tier1]", DIFF_TIER},
    {"a!f", "b!f", DIFF_MODULE},
    {"a!f::h0123456789abcdef", "a!f::h0123456789abcdee", DIFF_HASH},
    {"a!run.func1|a!run.func2", "a!run.func3|a!run.func4", DIFF_LAMBDA},
    {"a!run.func1", "a!run.func2|a!run.func3", DIFF_LAMBDA},
    {"a!List`1[int].Add()", "a!List`1[long].Add()", DIFF_TEMPLATE},
    {"a!main;a!f", "a!f<a!main", DIFF_EXACT}, /* became inlined */
};

TEST(names_are_paired)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct profile *a = compared_stacks(rows[i].before);
        struct profile *b = compared_stacks(rows[i].after);
        struct comparison *c = compare_two(a, b, NULL);
        uint8_t rule = 0;

        for (size_t j = 0; j < c->diff->len; j++) {
            const struct diff_row *row = &c->diff->rows[j];

            ck_assert_msg(row->samples[0] && row->samples[1], "%s",
                          rows[i].after);
            rule = row->rule > rule ? row->rule : rule;
        }
        ck_assert_int_eq(rule, rows[i].rule);
        comparison_free(c);
        profile_free(a);
        profile_free(b);
    }
}

TEST(what_is_new_or_gone_is_not_paired)
{
    struct profile *a = compared_stacks("a!main;a!old|a!main;a!f|a!main;a!g");
    struct profile *b = compared_stacks("a!main;a!fresh|a!main;a!f|a!main;a!g");
    struct comparison *c = compare_two(a, b, NULL);

    ck_assert_int_eq(comparison_row(c, "old")->verdict, DIFF_GONE);
    ck_assert_int_eq(comparison_row(c, "fresh")->verdict, DIFF_NEW);
    comparison_free(c);
    profile_free(a);
    profile_free(b);
}

TEST(a_rename_is_believed)
{
    struct diff_options o = DIFF_DEFAULTS;
    struct diff_rename rename = {"old", "fresh"};
    struct profile *a = compared_stacks("a!main;a!old|a!main;a!f");
    struct profile *b = compared_stacks("a!main;a!fresh|a!main;a!f");
    struct comparison *c;

    o.renames = &rename;
    o.rename_count = 1;
    c = compare_two(a, b, &o);
    ck_assert_ptr_null(comparison_row(c, "old"));
    ck_assert_int_eq(comparison_row(c, "fresh")->rule, DIFF_RENAME);
    ck_assert_uint_eq(comparison_row(c, "fresh")->samples[0], 200);
    comparison_free(c);
    profile_free(a);
    profile_free(b);
}

/* Sets the identity of module `name`, as a new build has another. */
static void rebuild(struct profile *p, const char *name, uint32_t timestamp)
{
    for (size_t i = 0; i < p->modules.len; i++)
        if (!strcmp(strings_get(p->strings, p->modules.data[i].name), name))
            p->modules.data[i].identity.timestamp = timestamp;
}

/* An address of another build is another address, even when it is equal;
 * its place in the tree tells which it is, along a chain of them. */
TEST(unnamed_code_is_known_by_its_place)
{
    struct profile *a = compared_stacks("a!main;c!+0x10;c!+0x20;a!leaf|"
                               "a!other;c!+0x30");
    struct profile *b = compared_stacks("a!main;c!+0x30;c!+0x55;a!leaf|"
                               "a!other;c!+0x99");
    struct diff_options o = DIFF_DEFAULTS;
    struct comparison *c;

    rebuild(a, "c", 1);
    rebuild(b, "c", 2);
    o.inclusive = true;
    c = compare_two(a, b, &o);
    for (size_t i = 0; i < c->diff->len; i++)
        ck_assert_msg(c->diff->rows[i].samples[0] ==
                          c->diff->rows[i].samples[1],
                      "%s", c->diff->rows[i].name);
    ck_assert_int_eq(comparison_row(c, "c!+0x99")->rule, DIFF_POSITION);
    ck_assert_int_eq(comparison_row(c, "c!+0x30")->rule, DIFF_POSITION);
    comparison_free(c);
    rebuild(b, "c", 1);
    c = compare_two(a, b, &o);
    ck_assert_int_eq(comparison_row(c, "c!+0x30")->rule, DIFF_EXACT);
    comparison_free(c);
    profile_free(a);
    profile_free(b);
}

/* Of module c in both profiles, and whether these are one build. */
static const struct {
    struct identity id[2];
    bool is_one;
} builds[] = {
    {{{.age = 0}, {.age = 0}}, true}, /* nothing tells them apart */
    {{{.timestamp = 5}, {.timestamp = 5}}, true},
    {{{.timestamp = 5}, {.timestamp = 6}}, false},
    {{{.timestamp = 5}, {.age = 0}}, false},
    {{{.image_size = 5}, {.image_size = 5}}, true},
    {{{.image_size = 5}, {.image_size = 6}}, false},
    {{{.timestamp = 5}, {.image_size = 5}}, false},
    {{{.age = 1, .guid = {[15] = 1}}, {.age = 1, .guid = {[15] = 1}}}, true},
    {{{.age = 1, .guid = {[15] = 1}}, {.age = 1, .guid = {[15] = 2}}}, false},
    {{{.age = 1, .guid = {1}}, {.age = 1, .guid = {2}}}, false},
    {{{.age = 1, .guid = {1}}, {.age = 0, .guid = {1}}}, false},
    {{{.age = 0, .guid = {1}}, {.age = 0, .guid = {2}}}, true},
    {{{.build_id = {1, 2}, .build_id_size = 2},
      {.build_id = {1, 2}, .build_id_size = 2}},
     true},
    {{{.build_id = {1, 2}, .build_id_size = 2},
      {.build_id = {1, 3}, .build_id_size = 2}},
     false},
    {{{.build_id = {1, 2}, .build_id_size = 1},
      {.build_id = {1, 3}, .build_id_size = 1}},
     true},
    {{{.build_id = {[31] = 1}, .build_id_size = 32},
      {.build_id = {[31] = 2}, .build_id_size = 32}},
     false},
    /* The first of these that is known tells. */
    {{{.build_id = {1}, .build_id_size = 1, .timestamp = 5},
      {.build_id = {1}, .build_id_size = 1, .timestamp = 6}},
     true},
    {{{.timestamp = 5, .age = 1, .guid = {1}},
      {.timestamp = 5, .age = 1, .guid = {2}}},
     true},
};

/* In one build, addresses identify code. In different builds they do not, and
 * here the callers show that it is other code. */
TEST(builds_have_identities)
{
    for (size_t i = 0; i < COUNT(builds); i++) {
        struct profile *a = compared_stacks("a!x;c!+0x10|a!y");
        struct profile *b = compared_stacks("a!y;c!+0x10|a!x");
        struct comparison *c;

        a->modules.data[1].identity = builds[i].id[0];
        b->modules.data[1].identity = builds[i].id[1];
        c = compare_two(a, b, NULL);
        ck_assert_msg((comparison_row(c, "c!+0x10")->samples[0] &&
                       comparison_row(c, "c!+0x10")->samples[1]) ==
                          builds[i].is_one,
                      "row %zu", i);
        comparison_free(c);
        profile_free(a);
        profile_free(b);
    }
}

/* The same image at the same addresses; of a build that is not known nobody
 * can say that. */
static void check_unnamed_side(bool known)
{
    struct profile *a = compared_stacks("a!main;c!work"), *b = compared_stacks("a!main;c!work");
    const struct diff_row *row;
    struct comparison *c;

    rebuild(a, "c", known ? 7 : 0);
    rebuild(b, "c", known ? 7 : 0);
    for (size_t i = 0; i < b->functions.len; i++) {
        struct function *f = &b->functions.data[i];

        if (strcmp(strings_get(b->strings, f->name), "work") != 0)
            continue;
        f->name = 0;
        f->address = b->locations.data[1].address;
    }
    c = compare_two(a, b, NULL);
    row = comparison_row(c, "work");
    ck_assert_ptr_nonnull(row);
    ck_assert_int_eq(row->rule, known ? DIFF_ADDRESS : DIFF_NAMELESS);
    ck_assert_uint_eq(row->samples[0], 200);
    ck_assert_uint_eq(row->samples[1], known ? 200 : 0);
    comparison_free(c);
    profile_free(a);
    profile_free(b);
}

TEST(an_address_has_the_name_of_the_other_side)
{
    check_unnamed_side(true);
    check_unnamed_side(false);
}

/* Symbols that are found on one side only make nothing new or gone. */
TEST(a_lost_name_is_not_gone)
{
    struct profile *a = compared_stacks("a!main;c!f|a!main;c!g");
    struct profile *b = compared_stacks("a!main;c!+0x770|a!main;c!+0x990");
    struct comparison *there, *back;

    rebuild(b, "c", 2);
    there = compare_two(a, b, NULL);
    back = compare_two(b, a, NULL);
    ck_assert_uint_eq(there->diff->by_verdict[DIFF_NEW], 0);
    ck_assert_uint_eq(there->diff->by_verdict[DIFF_GONE], 0);
    ck_assert_uint_eq(back->diff->by_verdict[DIFF_NEW], 0);
    ck_assert_int_eq(comparison_row(there, "f")->rule, DIFF_NAMELESS);
    ck_assert_int_eq(comparison_row(there, "f")->verdict, DIFF_CANNOT_TELL);
    comparison_free(there);
    comparison_free(back);
    profile_free(a);
    profile_free(b);
}

/* Of one side a label leaves out what tells it from the other side's. */
TEST(labels_are_of_one_function)
{
    struct profile *a = compared_stacks("a!main;a!f(int)|a!main;a!g(int)");
    struct profile *b = compared_stacks("a!main;a!f(long, long)|a!main;a!g(int)");
    struct comparison *c = compare_two(a, b, NULL);

    ck_assert_str_eq(comparison_row(c, "g(int)")->label, "g");
    ck_assert_str_eq(comparison_row(c, "f(int)")->label, "f(int)");
    ck_assert_str_eq(comparison_row(c, "f(long, long)")->label,
                     "f(long, long)");
    comparison_free(c);
    profile_free(a);
    profile_free(b);
}

/* A module each, all sampled: `name` in every one of them. */
static struct profile *modules(unsigned count, const char *name)
{
    struct builder *b = builder_new("a.etl");
    uint32_t t = builder_thread(b, 1, "a", 1);

    for (unsigned i = 0; i < count; i++) {
        char stack[64];

        snprintf(stack, sizeof(stack), "m%u!%s", i, name);
        builder_samples(b, t, 1, stack);
    }
    return builder_finish(b);
}

static void check_steps(const char *before, const char *after)
{
    enum { MODULES = 2000 };
    struct profile *a = modules(MODULES, before), *b = modules(MODULES, after);
    struct diff_rename rename = {before, after};
    struct comparison *c = compare_two(a, b, NULL);
    struct diff_pairs *pairs = diff_pairs_new(c->inputs, 2, &rename, 1, 1);

    ck_assert_uint_ge(pairs->names.len, MODULES);
    ck_assert_uint_le(pairs->steps, 2 * MODULES + 2 * pairs->names.len);
    diff_pairs_free(pairs);
    comparison_free(c);
    profile_free(a);
    profile_free(b);
}

/* A trace may name as many as it has bytes for. */
TEST(modules_are_gone_through_once)
{
    check_steps("+0x10", "+0x10");
    check_steps("old", "fresh");
}
