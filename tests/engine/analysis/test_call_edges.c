#include "engine/analysis/call_edges.h"

#include "engine/analysis/rank.h"
#include "engine/model/labels.h"
#include "tests/support/profile_builder.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

/* Samples of `function` next to `other`; NO_ID for nobody. */
static uint64_t samples_with(const struct call_count *calls, size_t n,
                             uint32_t other)
{
    for (size_t i = 0; i < n; i++)
        if (calls[i].function == other)
            return calls[i].samples;
    return 0;
}

static const char *name_of(const struct profile *p, uint32_t function)
{
    return function == NO_ID
               ? "-"
               : strings_get(p->strings, p->functions.data[function].name);
}

static void assert_calls(const struct profile *p,
                         const struct call_count *calls, size_t n,
                         const char *expected)
{
    char text[500] = "";

    for (size_t i = 0; i < n; i++)
        snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s %u; ",
                 name_of(p, calls[i].function), (unsigned)calls[i].samples);
    ck_assert_str_eq(text, expected);
}

static uint32_t function_named(const struct profile *p, const char *name)
{
    for (uint32_t i = 0; i < p->functions.len; i++)
        if (!strcmp(name_of(p, i), name))
            return i;
    ck_abort_msg("no function %s", name);
}

/* Most samples first, then by name, then by module. */
TEST(callers_have_an_order)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11), function;
    struct function_calls calls;
    struct selection *sel;
    struct profile *p;

    builder_samples(b, t, 1, "b!same;a!f;b!in");
    builder_samples(b, t, 1, "a!z;a!f;b!in");
    builder_samples(b, t, 1, "a!same;a!f;a!in");
    builder_samples(b, t, 3, "a!y;a!f;c!in");
    p = builder_finish(b);
    sel = selection_new(p, NULL);
    function = function_named(p, "f");
    call_edges_count(p, sel, &function, 1, &calls);
    assert_calls(p, calls.callers.data, calls.callers.len,
                 "y 3; same 1; same 1; z 1; ");
    assert_calls(p, calls.callees.data, calls.callees.len,
                 "in 3; in 2; in 1; ");
    ck_assert_str_eq(function_module(p, calls.callers.data[1].function), "a");
    ck_assert_str_eq(function_module(p, calls.callers.data[2].function), "b");
    ck_assert_str_eq(function_module(p, calls.callees.data[0].function), "c");
    ck_assert_str_eq(function_module(p, calls.callees.data[1].function), "b");
    call_edges_release(&calls, 1);
    selection_free(sel);
    profile_free(p);
}

static void check_function(const struct ranking *r, size_t i,
                           const struct function_calls *calls)
{
    const struct function_calls *c = &calls[i];
    uint64_t from = 0, most = r->rows[i].inclusive;

    ck_assert_uint_eq(samples_with(c->callees.data, c->callees.len, NO_ID),
                      r->rows[i].exclusive);
    for (size_t k = 0; k < c->callers.len; k++) {
        from += c->callers.data[k].samples;
        ck_assert_uint_le(c->callers.data[k].samples, most);
    }
    ck_assert_uint_ge(from, most);
    for (size_t k = 0; k < r->len; k++)
        ck_assert_uint_eq(
            samples_with(c->callers.data, c->callers.len, r->rows[k].id),
            samples_with(calls[k].callees.data, calls[k].callees.len,
                         r->rows[i].id));
}

/* Of all functions: who is a caller has a callee, as often. */
static void check_profile(const struct profile *p,
                          const struct selection *sel)
{
    struct ranking *r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);
    struct function_calls *calls = mem_new(r->len, sizeof(*calls));
    uint32_t *ids = mem_new(r->len, sizeof(*ids));

    for (size_t i = 0; i < r->len; i++)
        ids[i] = r->rows[i].id;
    call_edges_count(p, sel, ids, r->len, calls);
    for (size_t i = 0; i < r->len; i++)
        check_function(r, i, calls);
    call_edges_release(calls, r->len);
    free(calls);
    free(ids);
    ranking_free(r);
}

TEST(callers_and_callees_agree)
{
    random_selections(check_profile);
}

/* A chain with a sample at each of its frames: of 400 functions, then by turns
 * of two, which call each other 200 times a stack. */
static void count_chain(uint32_t functions)
{
    enum { DEPTH = 400 };
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11), ids[DEPTH];
    static char stack[DEPTH * 8];
    struct function_calls calls[DEPTH];
    struct selection *sel;
    struct profile *p;

    *stack = '\0';
    for (uint32_t i = 0; i < DEPTH; i++) {
        snprintf(stack + strlen(stack), sizeof(stack) - strlen(stack),
                 "%sa!f%u", i ? ";" : "", i % functions);
        builder_samples(b, t, 1, stack);
    }
    p = builder_finish(b);
    sel = selection_new(p, NULL);
    for (uint32_t i = 0; i < functions; i++) {
        char name[16];

        snprintf(name, sizeof(name), "f%u", i);
        ids[i] = function_named(p, name);
    }
    ck_assert_uint_eq(call_edges_count(p, sel, ids, functions, calls), DEPTH);
    ck_assert_uint_eq(samples_with(calls[0].callers.data, calls[0].callers.len,
                                   NO_ID), DEPTH);
    ck_assert_uint_eq(samples_with(calls[1].callers.data, calls[1].callers.len,
                                   ids[0]), DEPTH - 1);
    call_edges_release(calls, functions);
    selection_free(sel);
    profile_free(p);
}

TEST(each_frame_is_looked_at_once)
{
    count_chain(400);
    count_chain(2);
}
