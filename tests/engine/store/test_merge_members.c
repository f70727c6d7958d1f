/* Nothing of a profile is lost or changed when it is joined, but for times. */
#include "engine/store/merge.h"

#include "tests/support/full_profile.h"
#include "tests/support/profile_check.h"
#include "tests/support/same_profile.h"
#include "tests/support/suite.h"

/* Without a first one, of the second alone. */
static struct profile *join(const struct profile *first,
                            const struct profile *second)
{
    const struct profile *both[] = {first, second};
    struct profile *p = first ? profile_merge(both, 2, NULL)
                              : profile_merge(both + 1, 1, NULL);

    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    return p;
}

/* A profile with every member in use, of a minute. */
static struct profile *minute(uint64_t seed)
{
    struct profile *p = full_profile(seed, 40);

    p->trace.duration_ns = INT64_C(60000000000);
    for (size_t i = 0; i < p->samples.len; i++)
        p->samples.time[i] = (int64_t)i;
    return p;
}

/* One alone stays what it is. */
TEST(all_that_is_known_is_kept)
{
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct profile *p = minute(seed);
        struct profile *all = join(NULL, p);
        const char *what = same_profile(p, all);

        ck_assert_msg(!what, "different: %s", what);
        profile_free(p), profile_free(all);
    }
}

static void shift(int64_t *from, int64_t *to, int64_t by)
{
    *from += *from == TIME_MIN ? 0 : by;
    *to += *to == TIME_MAX ? 0 : by;
}

static void shift_all(struct profile *p, int64_t by)
{
    for (size_t i = 0; i < p->processes.len; i++)
        shift(&p->processes.data[i].start, &p->processes.data[i].end, by);
    for (size_t i = 0; i < p->threads.len; i++)
        shift(&p->threads.data[i].start, &p->threads.data[i].end, by);
    for (size_t i = 0; i < p->mappings.len; i++)
        shift(&p->mappings.data[i].from, &p->mappings.data[i].to, by);
    for (size_t i = 0; i < p->methods.code.len; i++)
        shift(&p->methods.code.data[i].from, &p->methods.code.data[i].to, by);
    for (size_t i = 0; i < p->samples.len; i++)
        p->samples.time[i] += by;
}

static uint32_t same_text(struct profile *to, const struct profile *from,
                          uint32_t id)
{
    return strings_add(to->strings, strings_get(from->strings, id),
                       strings_len(from->strings, id));
}

/* Behind another its times are that much later; what has no beginning or end
 * has none. */
TEST(times_are_moved)
{
    struct profile *empty = profile_new(), *p = minute(9), *all;
    const char *what;

    profile_finish(empty);
    empty->trace.duration_ns = 1000;
    profile_set_metric_word(empty, profile_metric_word(p));
    empty->trace.interval_ns = p->trace.interval_ns;
    all = join(empty, p);
    shift_all(p, 1000);
    ck_assert_int_eq(all->trace.inputs.data[1].from, 1000);
    ck_assert_int_eq(all->trace.duration_ns, INT64_C(60000001000));
    /* What there is one of is the first one's. */
    all->trace.duration_ns = p->trace.duration_ns;
    all->trace.start_unix_ns = p->trace.start_unix_ns;
    all->trace.pointer_size = p->trace.pointer_size;
    all->trace.format = same_text(all, p, p->trace.format);
    all->trace.os = same_text(all, p, p->trace.os);
    all->trace.machine = same_text(all, p, p->trace.machine);
    what = same_profile(p, all);
    ck_assert_msg(!what, "different: %s", what);
    profile_free(empty), profile_free(p), profile_free(all);
}
