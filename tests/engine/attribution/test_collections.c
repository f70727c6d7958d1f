/* Garbage collections, from the events of the runtime. */
#include "engine/attribution/clr.h"
#include "engine/model/trace.h"
#include "tests/support/suite.h"

static const struct {
    uint32_t pid;
    int64_t time;
    uint16_t id;
    uint8_t version, reason;
} events[] = {
    {1, 500, 3, 1, 0}, /* the recording began inside a pause */
    {1, 900, 9, 1, 1},
    {2, 950, 9, 0, 1}, /* another process, in the old layout */
    {1, 1000, 1, 2, 7}, /* its number, written twice */
    {1, 1001, 1, 1, 7},
    {1, 1100, 3, 1, 0},
    {2, 1000, 1, 0, 0},
    {2, 1450, 3, 0, 0},
    {1, 2000, 9, 1, 5}, /* a debugger */
    {1, 2900, 3, 1, 0},
    {1, 3000, 9, 1, 6}, /* preparing; events come in any order */
    {1, 3030, 3, 1, 0},
    {1, 3010, 1, 2, 8},
    {1, 4000, 9, 1, 1}, /* the recording ends inside a pause */
};

TEST(pauses_last_until_threads_run)
{
    struct profile *p = profile_new();
    struct observations *seen = observations_new(p);

    for (size_t i = 0; i < COUNT(events); i++) {
        const uint8_t payload[] = {events[i].reason, 0, 0, 0, 0, 0, 0, 0};
        struct reader r = reader_of("events", payload, sizeof(payload), 0,
                                    NULL);
        struct clr_event event = {.provider = CLR_RUNTIME,
                                  .id = events[i].id,
                                  .version = events[i].version,
                                  .pid = events[i].pid,
                                  .time = events[i].time};

        ck_assert(clr_event_take(seen, &event, &r));
    }
    clr_collections_state(seen);
    ck_assert_uint_eq(profile_fact_named(p, FACT_COLLECTIONS)->number, 3);
    ck_assert_uint_eq(profile_fact_named(p, FACT_PAUSED)->number,
                      200 + 500 + 30);
    observations_free(seen);
    profile_free(p);
}

TEST(none_are_not_told)
{
    struct profile *p = profile_new();
    struct observations *seen = observations_new(p);

    clr_collections_state(seen);
    ck_assert_ptr_null(profile_fact_named(p, FACT_COLLECTIONS));
    observations_free(seen);
    profile_free(p);
}
