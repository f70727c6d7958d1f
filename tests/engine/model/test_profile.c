#include "engine/model/profile.h"

#include "tests/support/exhausts.h"
#include "tests/support/profile_check.h"
#include "tests/support/suite.h"

static struct profile *p;

static uint32_t str(const char *text)
{
    return strings_add(p->strings, text, strlen(text));
}

static uint32_t add_module(const char *name)
{
    *vec_add(&p->modules) = (struct module){.name = str(name)};
    return (uint32_t)p->modules.len - 1;
}

static uint32_t add_location(uint64_t address, uint32_t module,
                             uint32_t method, enum code_kind kind)
{
    struct location l = {
        .address = address,
        .module = module,
        .method = method,
        .kind = (uint8_t)kind,
        .cause = method == NO_ID ? CAUSE_NO_SYMBOLS : CAUSE_NONE,
    };

    return profile_location(p, &l);
}

static void assert_sane(void)
{
    const char *broken = profile_check(p);

    ck_assert_msg(!broken, "%s", broken);
}

static void add_threads(size_t n)
{
    *vec_add(&p->processes) = (struct process){.pid = 4};
    while (n--)
        *vec_add(&p->threads) = (struct thread){.process = 0};
}

static const char *function_of(uint32_t location)
{
    static char text[FUNCTION_NAME_SIZE];
    uint32_t frame = p->frame_start.data[location];

    return profile_function_name(p, p->frames.data[frame].function, text);
}

/* What is cut off must still be UTF-8. */
TEST(long_names_are_cut_between_characters)
{
    char name[1024], text[FUNCTION_NAME_SIZE], expected[400];

    for (size_t shift = 0; shift < 3; shift++) {
        size_t kept = shift + (256 - shift) / 3 * 3;

        p = profile_new();
        memset(name, 'x', shift);
        name[shift] = '\0';
        while (strlen(name) < 900)
            strcat(name, "\xE2\x83\xAD");
        add_location(UINT64_MAX, add_module(name), NO_ID, CODE_NATIVE);
        snprintf(expected, sizeof(expected), "%.*s!+0xffffffffffffffff",
                 (int)kept, name);
        ck_assert_str_eq(profile_location_name(p, 0, text), expected);
        profile_finish(p);
        ck_assert_str_eq(function_of(0), expected);
        profile_free(p);
    }
}

/* A table of 2^32 entries cannot be made here; its length can. */
/* Or with its duration, if that is longer. */
TEST(a_recording_ends_with_its_last_sample)
{
    p = profile_new();
    p->trace.duration_ns = 5;
    profile_sample(p, &(struct sample){.time = 3, .weight = 1});
    ck_assert_int_eq(profile_end(p), 5);
    profile_sample(p, &(struct sample){.time = 7, .weight = 1});
    ck_assert_int_eq(profile_end(p), 7);
    profile_free(p);
}

TEST(ids_never_wrap)
{
    struct function f = {.address = 1};

    p = profile_new();
    p->locations.len = p->stacks.len = p->functions.len = UINT32_MAX;
    ck_assert(exhausts(add_location(1, NO_ID, NO_ID, CODE_UNKNOWN)));
    ck_assert(exhausts(profile_stack(p, 0, 0)));
    ck_assert(exhausts(profile_function(p, &f)));
    p->locations.len = 0;
    ck_assert(exhausts(add_location(1, NO_ID, 1u << 30, CODE_MANAGED)));
    profile_free(p);
}

static void fill(void)
{
    add_threads(1);
    for (uint32_t i = 0; i < 3000; i++) {
        add_location(i, NO_ID, NO_ID, CODE_UNKNOWN);
        profile_sample(p, &(struct sample){.time = i,
                                           .stack = profile_stack(p, i, i),
                                           .weight = 1});
    }
    profile_warn(p, "%d", 5);
    profile_skip(p, "a.etl", 0, 1, "bad size");
    profile_finish(p);
}

static bool fill_fails(unsigned long nth)
{
    p = profile_new();
    mem_fail_at(nth);
    return exhausts(fill());
}

/* Whichever allocation fails, the handler is called and the profile can
 * still be freed. */
TEST(every_allocation_may_fail)
{
    unsigned long nth = 1;

    while (fill_fails(nth)) {
        profile_free(p);
        nth++;
    }
    mem_fail_at(0);
    ck_assert_uint_gt(nth, 30);
    assert_sane();
    profile_free(p);
}
