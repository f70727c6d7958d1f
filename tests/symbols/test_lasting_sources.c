/* Sources whose beginning does not depend on what they are asked. */
#include <string.h>

#include "symbols/find/places.h"
#include "symbols/name_source.h"
#include "symbols/naming.h"
#include "tests/support/suite.h"

static const struct places nowhere;
static int begun, ended, asked_first, asked_kept;

static uint32_t string(struct profile *p, const char *text)
{
    return strings_add(p->strings, text, strlen(text));
}

/* In "app": main at 0x10 was interrupted at 0x20, the first byte of "victim",
 * and then ran the entry at 0x30. */
static struct profile *make_profile(void)
{
    struct profile *p = profile_new();
    uint32_t stack = 0;

    p->trace.format = string(p, "perf.data");
    profile_set_metric(p, METRIC_CPU_SAMPLES);
    *vec_add(&p->processes) = (struct process){.pid = 1};
    *vec_add(&p->threads) = (struct thread){.process = 0};
    *vec_add(&p->modules) = (struct module){.name = string(p, "app")};
    for (uint64_t address = 0x10; address <= 0x30; address += 0x10)
        stack = profile_stack(
            p, stack,
            profile_location(p, &(struct location){.address = address,
                                                   .module = 0,
                                                   .method = NO_ID,
                                                   .kind = CODE_NATIVE,
                                                   .cause = CAUSE_NO_SYMBOLS,
                                                   .caller = address < 0x30}));
    profile_sample(p, &(struct sample){
                          .stack = stack,
                          .weight = 1,
                          .flags = SAMPLE_HAS_STACK | SAMPLE_USER_PART,
                      });
    return p;
}

static uint32_t in_images(const struct profile *p, const struct location *l)
{
    (void)p;
    return l->module;
}

static uint32_t nothing(const struct profile *p, const struct location *l)
{
    (void)p, (void)l;
    return NO_ID;
}

static void *begin_first(const struct naming *n,
                         const struct asked_about *asked, size_t count)
{
    (void)n, (void)asked, (void)count;
    return &asked_first;
}

static void *begin_kept(const struct naming *n, const struct asked_about *asked,
                        size_t count)
{
    (void)n, (void)asked, (void)count;
    begun++;
    return &asked_kept;
}

static void end_kept(void *state, const struct naming *n)
{
    (void)n;
    ck_assert_ptr_eq(state, &asked_kept);
    ended++;
}

/* The first source knows none of it. */
static void ask(void *opened, const struct asked *a, struct answer *answer)
{
    int *count = opened;

    ++*count;
    if (count == &asked_first)
        return;
    answer->count = 1;
    answer->frames[0].function = asked_code(a) >= 0x30   ? "asm_exc_page_fault"
                                 : asked_code(a) >= 0x20 ? "victim"
                                                         : "main";
    answer->frames[0].file = NULL;
    answer->frames[0].line = 0;
    answer->frames[0].inlined = false;
}

static const char *origin(void *opened, uint32_t module)
{
    (void)opened, (void)module;
    return "made up";
}

static const struct name_source first = {
    .subject = in_images, .begin = begin_first, .ask = ask, .origin = origin};
static const struct name_source kept = {.lasting = true,
                                        .subject = in_images,
                                        .begin = begin_kept,
                                        .ask = ask,
                                        .origin = origin,
                                        .end = end_kept};
static const struct name_source unasked = {.lasting = true,
                                           .subject = nothing,
                                           .begin = begin_kept,
                                           .ask = ask,
                                           .origin = origin,
                                           .end = end_kept};

static void name(struct profile *p, unsigned threads,
                 const struct name_source *last)
{
    const struct name_source *const sources[] = {&first, last, NULL};
    struct naming_options options = {
        .places = &nowhere, .style = DEMANGLE_SHORT, .threads = threads};

    begun = ended = asked_first = asked_kept = 0;
    name_from(sources, p, &options, NULL);
    profile_finish(p);
}

/* What was interrupted is asked for once more, of the source as it began. */
START_TEST(begun_once)
{
    struct profile *p = make_profile();
    uint32_t stack, at;

    name(p, (unsigned)_i, &kept);
    ck_assert_int_eq(begun, 1);
    ck_assert_int_eq(ended, 1);
    ck_assert_int_eq(asked_first, 4);
    ck_assert_int_eq(asked_kept, 4);
    stack = p->stacks.data[p->samples.stack[0]].parent;
    at = p->frame_start.data[p->stacks.data[stack].location];
    at = p->functions.data[p->frames.data[at].function].name;
    ck_assert_str_eq(strings_get(p->strings, at), "victim");
    profile_free(p);
}
END_TEST

START_TEST(asked_nothing)
{
    struct profile *p = make_profile();

    name(p, (unsigned)_i, &unasked);
    ck_assert_int_eq(begun, 0);
    ck_assert_int_eq(ended, 0);
    profile_free(p);
}
END_TEST

/* A database has all that such a source knows. */
START_TEST(not_for_databases)
{
    struct profile *p = make_profile();

    name(p, (unsigned)_i, &kept);
    name(p, (unsigned)_i, &kept);
    ck_assert_int_eq(begun, 0);
    ck_assert_int_eq(ended, 0);
    profile_free(p);
}
END_TEST

SUITE
{
    TCase *tests = tcase_create("lasting sources");

    tcase_add_loop_test(tests, begun_once, 1, 4);
    tcase_add_loop_test(tests, asked_nothing, 1, 4);
    tcase_add_loop_test(tests, not_for_databases, 1, 4);
    return suite_run_case("lasting sources", tests);
}
