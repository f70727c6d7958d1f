#include "engine/analysis/hot_path.h"

#include "tests/support/profile_builder.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

static void check_path(const struct profile *p, const char *expected)
{
    struct selection *sel = selection_new(p, NULL);
    struct hot_path path = {0};
    char text[256] = "";
    size_t n = 0;

    hot_path_find(&path, p, sel);
    for (size_t i = 0; i < path.steps.len; i++) {
        const struct hot_step *s = &path.steps.data[i];
        char name[FUNCTION_NAME_SIZE];

        n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", i ? " " : "",
                              profile_function_name(p, s->function, name));
        if (s->depth > 1)
            n += (size_t)snprintf(text + n, sizeof(text) - n, "*%u", s->depth);
        n += (size_t)snprintf(text + n, sizeof(text) - n, ":%u",
                              (unsigned)s->samples);
    }
    ck_assert_str_eq(text, expected);
    hot_path_release(&path);
    selection_free(sel);
}

static struct profile *profile_of(const char *const *stacks,
                                  const unsigned *counts, size_t n)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);

    for (size_t i = 0; i < n; i++)
        builder_samples(b, t, counts[i], stacks[i]);
    return builder_finish(b);
}

/* By name, then by module, at last by address. */
TEST(of_equal_ones_the_first_by_name)
{
    static const char *const names[] = {"a!y", "a!x;a!in_x", "a!z"};
    static const char *const modules[] = {"b!x;b!in_b", "a!x;a!in_a",
                                          "c!x;c!in_c"};
    static const char *const unnamed[] = {"a!+0x20;a!in_20", "a!+0x10;a!in_10",
                                          "a!+0x30;a!in_30"};
    static const unsigned counts[] = {2, 2, 2};
    struct profile *p = profile_of(names, counts, 3);

    check_path(p, "x:2 in_x:2");
    profile_free(p);
    p = profile_of(modules, counts, 3);
    check_path(p, "x:2 in_a:2");
    profile_free(p);
    p = profile_of(unnamed, counts, 3);
    check_path(p, "a!+0x10:2 in_10:2");
    profile_free(p);
}

/* Half and one more, half, and half of an odd number. */
TEST(more_than_half_go_on)
{
    static const char *const stacks[] = {"a!main;a!f", "a!main"};
    static const struct {
        unsigned counts[2];
        const char *path;
    } cases[] = {
        {{2, 1}, "main:3 f:2"}, {{1, 1}, "main:2"},     {{1, 2}, "main:3"},
        {{1, 0}, "main:1 f:1"}, {{3, 2}, "main:5 f:3"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct profile *p = profile_of(stacks, cases[i].counts, 2);

        check_path(p, cases[i].path);
        profile_free(p);
    }
}

TEST(no_samples_no_path)
{
    struct profile *p = profile_of(NULL, NULL, 0);

    check_path(p, "");
    profile_free(p);
}

/* Functions from the outermost one in. */
struct calls {
    VEC(uint32_t) of;
};

static void calls_of(const struct profile *p, uint32_t stack,
                     struct calls *calls)
{
    const uint32_t *start = p->frame_start.data;

    calls->of.len = 0;
    for (; stack; stack = p->stacks.data[stack].parent) {
        uint32_t location = p->stacks.data[stack].location;

        for (uint32_t i = start[location]; i < start[location + 1]; i++)
            *vec_add(&calls->of) = p->frames.data[i].function;
    }
    for (size_t i = 0; i < calls->of.len / 2; i++) {
        uint32_t *a = &calls->of.data[i];
        uint32_t *b = &calls->of.data[calls->of.len - 1 - i];
        uint32_t outer = *b;

        *b = *a;
        *a = outer;
    }
}

/* Samples whose calls begin with these and that one. */
static uint64_t samples_behind(const struct profile *p,
                               const struct selection *sel,
                               const struct calls *path, uint32_t function)
{
    struct calls calls = {.of = {NULL, 0, 0}};
    uint64_t samples = 0;

    for (uint32_t i = 1; i < p->stacks.len; i++) {
        size_t same = 0;

        calls_of(p, i, &calls);
        while (same < path->of.len && same < calls.of.len &&
               calls.of.data[same] == path->of.data[same])
            same++;
        if (same == path->of.len && same < calls.of.len &&
            calls.of.data[same] == function)
            samples += sel->stack_counts[i];
    }
    vec_release(&calls.of);
    return samples;
}

static uint64_t most_behind(const struct profile *p,
                            const struct selection *sel,
                            const struct calls *path)
{
    uint64_t most = 0;

    for (uint32_t f = 0; f < p->functions.len; f++) {
        uint64_t samples = samples_behind(p, sel, path, f);

        most = samples > most ? samples : most;
    }
    return most;
}

/* Each step has as many samples as stacks that begin so, no other way has
 * more, and behind the last one none has most. */
static void check_steps(const struct profile *p, const struct selection *sel)
{
    struct calls path = {.of = {NULL, 0, 0}};
    struct hot_path hot = {0};
    uint64_t before = 0;

    hot_path_find(&hot, p, sel);
    for (size_t i = 0; i < hot.steps.len; i++) {
        const struct hot_step *step = &hot.steps.data[i];

        for (uint32_t d = 0; d < step->depth; d++) {
            uint64_t samples = samples_behind(p, sel, &path, step->function);

            ck_assert(d || samples == step->samples);
            ck_assert_uint_gt(samples, before / 2);
            ck_assert_uint_eq(samples, most_behind(p, sel, &path));
            *vec_add(&path.of) = step->function;
            before = samples;
        }
    }
    ck_assert_uint_le(most_behind(p, sel, &path), before / 2);
    hot_path_release(&hot);
    vec_release(&path.of);
}

TEST(each_step_has_the_samples_of_stacks_that_begin_so)
{
    random_selections(check_steps);
}
