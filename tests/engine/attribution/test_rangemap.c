/* The segment tree against the rule, applied to every range in turn. */
#include "engine/attribution/rangemap.h"
#include "tests/support/suite.h"

/* The rule of rangemap.h, word for word. Of equals the later addition wins. */
static uint32_t expected(const struct rangemap *map, uint64_t address,
                         int64_t time)
{
    const struct range *begun = NULL, *other = NULL;

    for (size_t i = 0; i < map->ranges.len; i++) {
        const struct range *r = &map->ranges.data[i];

        if (address < r->start || address >= r->end)
            continue;
        if (r->began && r->from <= time && (!begun || r->from >= begun->from))
            begun = r;
        if (!r->began && r->to >= time && (!other || r->to <= other->to))
            other = r;
    }
    if (begun && begun->to >= time)
        return begun->value;
    return other && other->from <= time ? other->value : UINT32_MAX;
}

static bool had_ended(const struct rangemap *map, uint64_t address,
                      int64_t time)
{
    for (size_t i = 0; i < map->ranges.len; i++) {
        const struct range *r = &map->ranges.data[i];

        if (address >= r->start && address < r->end && r->to < time)
            return true;
    }
    return false;
}

static uint64_t start_of(const struct rangemap *map, uint32_t value)
{
    for (size_t i = 0; i < map->ranges.len; i++)
        if (map->ranges.data[i].value == value)
            return map->ranges.data[i].start;
    return 0;
}

static void fill(struct rangemap *map, unsigned n, uint64_t span)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t start = suite_random(span);
        int64_t from = (int64_t)suite_random(50);
        struct range r = {
            .start = start,
            .end = start + 1 + suite_random(span / 4 + 1),
            .from = from,
            .to = suite_random(3) ? from + (int64_t)suite_random(30)
                                  : INT64_MAX,
            .began = suite_random(2),
            .value = i,
        };

        if (!r.began && suite_random(2))
            r.from = INT64_MIN;
        rangemap_add(map, &r);
    }
    rangemap_build(map);
}

/* Every point agrees, and so does everything the answer claims to hold for. */
static void compare(const struct rangemap *map, uint64_t span)
{
    for (uint64_t address = 0; address < span + span / 2; address++) {
        for (int64_t time = -2; time < 90; time++) {
            struct range_hit hit = rangemap_find(map, address, time);
            int64_t other = (int64_t)suite_random(90) - 1;

            ck_assert_uint_eq(hit.value, expected(map, address, time));
            ck_assert(hit.from <= time && time <= hit.to);
            ck_assert_uint_eq(hit.start, start_of(map, hit.value));
            if (hit.value == UINT32_MAX)
                ck_assert_int_eq(hit.ended, had_ended(map, address, time));
            if (other >= hit.from && other <= hit.to)
                ck_assert_uint_eq(expected(map, address, other), hit.value);
        }
    }
}

TEST(agrees_with_the_rule)
{
    for (unsigned round = 0; round < 60; round++) {
        struct rangemap map = {0};
        uint64_t span = 1 + suite_random(40);

        fill(&map, (unsigned)suite_random(30), span);
        compare(&map, span);
        rangemap_release(&map);
    }
}

TEST(empty_and_impossible_ranges)
{
    struct rangemap map = {0};

    rangemap_build(&map);
    ck_assert_uint_eq(rangemap_find(&map, 1, 1).value, UINT32_MAX);
    rangemap_add(&map, &(struct range){.start = 5, .end = 5});
    rangemap_add(&map, &(struct range){.start = 9, .end = 5});
    rangemap_add(&map, &(struct range){.start = 1, .end = 5, .from = 2});
    ck_assert_uint_eq(map.ranges.len, 0);
    rangemap_release(&map);
}
