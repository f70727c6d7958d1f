/* Where the mix of functions changes, on traces whose mix is known. */
#include "engine/analysis/timeline.h"

#include "tests/support/drawn_profile.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

static struct phases find(const struct profile *p)
{
    struct selection *sel = selection_new(p, NULL);
    struct phases phases = {.parts = {0}};

    phases_find(&phases, p, sel);
    selection_free(sel);
    return phases;
}

/* ---- at the limits of what counts ---- */

enum { BUCKETS = 128 };

/* As many samples a bucket, every third of g, others of f until
 * `from`, h until `to`, then f again. */
static struct profile *by_turns(int bucket, int from, int to)
{
    struct builder *b = builder_new("a.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);

    for (int i = 0; i < BUCKETS * bucket; i++)
        builder_samples(b, t, 1,
                        i % 3 == 2            ? "a.exe!g"
                        : i < from || i >= to ? "a.exe!f"
                                              : "a.exe!h");
    return builder_finish(b);
}

/* "f 10 of 20 | h 15 of 30 from 20", times in ms. */
static void assert_phases(const struct profile *p, const char *expected)
{
    struct phases phases = find(p);
    char text[300] = "";

    for (size_t i = 0; i < phases.parts.len; i++) {
        const struct phase *phase = &phases.parts.data[i];
        const struct function *f = &p->functions.data[phase->function];
        size_t n = strlen(text);

        snprintf(text + n, sizeof(text) - n, "%s%s %u of %u", n ? " | " : "",
                 strings_get(p->strings, f->name), (unsigned)phase->taken,
                 (unsigned)phase->samples);
        n = strlen(text);
        if (i)
            snprintf(text + n, sizeof(text) - n, " from %d",
                     (int)(phase->from / 1000000));
        ck_assert_int_eq(i ? phases.parts.data[i - 1].to : TIME_MIN,
                         i ? phase->from : TIME_MIN);
    }
    ck_assert_str_eq(text, expected);
    phases_release(&phases);
}

/* 20 samples a bucket: the first and the last part have four buckets. */
static const struct {
    int bucket, from, to;
    const char *expected;
} turns[] = {
    {20, 80, 9999, "f 54 of 80 | h 1653 of 2480 from 80"},
    {20, 60, 9999, "f 40 of 80 | h 1653 of 2480 from 80"},
    {20, 0, 2480, "h 1654 of 2480 | f 53 of 80 from 2480"},
    {20, 0, 2500, "h 1654 of 2480 | f 40 of 80 from 2480"},
    {20, 80, 2480,
     "f 54 of 80 | h 1600 of 2400 from 80 | f 53 of 80 from 2480"},
    {20, 500, 1500,
     "f 334 of 500 | h 666 of 1000 from 500 | f 707 of 1060 from 1500"},
    /* 30 samples */
    {2, 28, 1000, "h 152 of 256"},
    {2, 30, 1000, "f 20 of 30 | h 151 of 226 from 30"},
    {2, 0, 226, "h 151 of 226 | f 20 of 30 from 226"},
    {2, 0, 228, "h 152 of 256"},
    {3, 27, 9999, "h 238 of 384"},
};

TEST(parts_have_a_least_length_and_size)
{
    for (size_t i = 0; i < COUNT(turns); i++) {
        struct profile *p =
            by_turns(turns[i].bucket, turns[i].from, turns[i].to);

        assert_phases(p, turns[i].expected);
        profile_free(p);
    }
}

/* f has half of the samples; from the middle on `more` of them more. */
static size_t parts_of_a_step(int half, int more)
{
    struct builder *b = builder_new("a.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);
    struct phases phases;
    struct profile *p;
    size_t parts;
    int due = 0;

    for (int i = 0; i < 2 * half; i++) {
        due += i < half ? half / 2 : half / 2 + more;
        builder_samples(b, t, 1, due >= half ? "a.exe!f" : "a.exe!g");
        due -= due >= half ? half : 0;
    }
    p = builder_finish(b);
    phases = find(p);
    parts = phases.parts.len;
    phases_release(&phases);
    profile_free(p);
    return parts;
}

TEST(a_step_must_be_more_than_chance_and_than_a_tenth)
{
    /* the ratio that chance does not reach, and just less */
    ck_assert_uint_eq(parts_of_a_step(640, 83), 1);
    ck_assert_uint_eq(parts_of_a_step(640, 84), 2);
    /* a tenth */
    ck_assert_uint_eq(parts_of_a_step(6400, 630), 1);
    ck_assert_uint_eq(parts_of_a_step(6400, 650), 2);
}
