/* Garbage collections and compiled methods, from the events of the runtime. */
#include <string.h>

#include "engine/attribution/clr.h"
#include "engine/attribution/lifetimes.h"
#include "engine/model/trace.h"
#include "tests/support/suite.h"

enum { START = 1, STOP, RUNS, HEAP, HISTORY = 204, REACHED = 8, SUSPENDS };

/* Four numbers are enough for each payload. */
struct step {
    uint32_t pid, thread;
    int64_t time;
    uint16_t id;
    uint8_t version;
    uint32_t numbers[4];
};

static void take(struct observations *seen, const struct step *s)
{
    uint8_t payload[120] = {0};
    struct clr_event event = {.provider = CLR_RUNTIME,
                              .id = s->id,
                              .version = s->version,
                              .width = 4,
                              .pid = s->pid,
                              .thread = s->thread,
                              .time = s->time};
    struct reader r;

    memcpy(payload, s->numbers, sizeof(s->numbers));
    if (s->id == HISTORY) { /* two generations, of which one is told */
        memset(payload, 0, sizeof(s->numbers));
        payload[54] = 1;
        memcpy(payload + 58, s->numbers, 4);
    }
    r = reader_of("events", payload, sizeof(payload), 0, NULL);
    ck_assert(clr_event_take(seen, &event, &r));
}

static struct profile *joined(const struct step *steps, size_t count)
{
    struct profile *p = profile_new();
    struct observations *seen = observations_new(p);
    struct lifetimes lives;

    for (size_t i = 0; i < count; i++)
        take(seen, &steps[i]);
    lifetimes_build(&lives, seen);
    clr_collections_state(seen, &lives);
    lifetimes_release(&lives);
    observations_free(seen);
    return p;
}

static uint64_t fact(const struct profile *p, const char *name)
{
    const struct trace_fact *f = profile_fact_named(p, name);

    return f ? f->number : UINT64_MAX;
}

TEST(pauses_last_until_threads_run)
{
    static const struct step steps[] = {
        {1, 1, 500, RUNS, 1, {0}}, /* the recording began inside a pause */
        {1, 1, 900, SUSPENDS, 1, {1}},
        {2, 9, 950, SUSPENDS, 0, {1}}, /* another process, the old layout */
        {1, 1, 1000, START, 1, {7, 2, 1}}, /* its number, written twice */
        {1, 1, 1001, START, 1, {7, 2, 1}},
        {1, 1, 1100, RUNS, 1, {0}},
        {2, 9, 1000, START, 0, {3, 4}},
        {2, 9, 1450, RUNS, 0, {0}},
        {1, 1, 2000, SUSPENDS, 1, {5}}, /* a debugger */
        {1, 1, 2900, RUNS, 1, {0}},
        {1, 1, 3000, SUSPENDS, 1, {6}}, /* preparing; in any order */
        {1, 1, 3030, RUNS, 1, {0}},
        {1, 1, 3010, START, 1, {8, 0, 0}},
        {1, 1, 4000, SUSPENDS, 1, {1}}, /* the recording ends inside a pause */
    };
    struct profile *p = joined(steps, COUNT(steps));
    const struct collection *c = p->collections.data;

    ck_assert_uint_eq(p->collections.len, 3);
    ck_assert_uint_eq(c[0].number, 7);
    ck_assert_uint_eq(c[0].generation, 2);
    ck_assert_str_eq(collection_reason(c[0].reason), "Induced");
    ck_assert_uint_eq(c[0].paused, 200);
    ck_assert_uint_eq(c[0].after, COLLECTION_UNKNOWN);
    ck_assert_uint_eq(c[1].paused, 30);
    ck_assert_str_eq(collection_reason(c[2].reason), "AllocLarge");
    ck_assert_uint_eq(c[2].paused, 500);
    ck_assert_uint_eq(fact(p, FACT_COLLECTIONS), 3);
    ck_assert_uint_eq(fact(p, FACT_PAUSED), 200 + 500 + 30);
    ck_assert_uint_eq(fact(p, "stops for other reasons"), 1);
    ck_assert_uint_eq(fact(p, "stopped for other reasons"), 900);
    profile_free(p);
}

/* A sampler stops threads while a collection is about to: its end is no end of
 * the pause, nor is one that comes before threads stand still. */
TEST(other_stops_overlap)
{
    static const struct step steps[] = {
        {1, 5, 100, SUSPENDS, 1, {0}}, {1, 6, 110, SUSPENDS, 1, {0}},
        {1, 5, 120, RUNS, 1, {0}},     {1, 1, 130, SUSPENDS, 1, {1}},
        {1, 6, 140, RUNS, 1, {0}},     {1, 8, 145, RUNS, 1, {0}},
        {1, 1, 150, REACHED, 1, {0}},  {1, 1, 160, START, 1, {1, 0, 0}},
        {1, 1, 190, STOP, 1, {1, 0}},  {1, 2, 200, RUNS, 1, {0}},
    };
    struct profile *p = joined(steps, COUNT(steps));

    ck_assert_uint_eq(p->collections.len, 1);
    ck_assert_uint_eq(p->collections.data[0].paused, 70);
    ck_assert_uint_eq(p->collections.data[0].lasted, 30);
    ck_assert_uint_eq(fact(p, "stopped for other reasons"), 20 + 30);
    profile_free(p);
}

/* A young generation is collected while the background one begins; it owns
 * that pause, and the background one the second. */
TEST(background_collections_pause_twice)
{
    static const struct step steps[] = {
        {1, 1, 100, SUSPENDS, 1, {1}},
        {1, 1, 110, START, 1, {1, 2, 0, 1}},
        {1, 1, 120, START, 1, {2, 1, 0, 0}},
        {1, 1, 130, HISTORY, 3, {500}},
        {1, 1, 131, HISTORY, 3, {40}}, /* of another heap */
        {1, 1, 140, STOP, 1, {2}},
        {1, 1, 141, HEAP, 1, {300, 0, 20, 0}},
        {1, 1, 150, RUNS, 1, {0}},
        {1, 3, 200, SUSPENDS, 1, {6}},
        {1, 3, 205, REACHED, 1, {0}},
        {1, 3, 230, RUNS, 1, {0}},
        {1, 3, 300, STOP, 1, {1}},
        {1, 3, 301, HISTORY, 3, {600}},
        {1, 3, 302, HEAP, 1, {250, 0, 30, 0}},
    };
    struct profile *p = joined(steps, COUNT(steps));
    const struct collection *background = p->collections.data;
    const struct collection *young = background + 1;

    ck_assert_str_eq(collection_kind(background->kind), "background");
    ck_assert_uint_eq(background->paused, 30);
    ck_assert_uint_eq(background->before, 600);
    ck_assert_uint_eq(background->after, 250);
    ck_assert_uint_eq(background->lasted, 190);
    ck_assert_uint_eq(young->paused, 50);
    ck_assert_uint_eq(young->before, 540);
    ck_assert_uint_eq(young->after, 300);
    ck_assert_uint_eq(young->promoted, 20);
    profile_free(p);
}

TEST(none_are_not_told)
{
    struct profile *p = joined(NULL, 0);

    ck_assert_uint_eq(fact(p, FACT_COLLECTIONS), UINT64_MAX);
    profile_free(p);
}

static void compile(struct observations *seen, uint32_t thread, int64_t time,
                    uint16_t id, uint8_t method, uint32_t flags)
{
    uint8_t payload[36] = {method};
    struct clr_event event = {.provider = CLR_RUNTIME,
                              .id = id,
                              .pid = 1,
                              .thread = thread,
                              .time = time};

    memcpy(payload + 32, &flags, sizeof(flags));
    clr_jit_take(seen, &event, payload, sizeof(payload));
}

TEST(compiling_lasts_until_the_code_is_there)
{
    enum { BEGINS = 145, LOADED = 143, QUICK = 8 | 3 << 7, TIER1 = 8 | 4 << 7 };
    struct profile *p = profile_new();
    struct observations *seen = observations_new(p);

    compile(seen, 1, 100, BEGINS, 7, 0);
    compile(seen, 2, 110, BEGINS, 7, 0); /* the same on another thread */
    compile(seen, 1, 130, LOADED, 7, QUICK);
    compile(seen, 2, 160, LOADED, 7, TIER1);
    compile(seen, 1, 200, LOADED, 8, QUICK); /* its start was lost */
    compile(seen, 1, 210, LOADED, 9, 0);     /* compiled before */
    compile(seen, 1, 220, LOADED, 7, QUICK | 1u << 28); /* its cold part */
    clr_jit_state(seen);
    ck_assert_uint_eq(fact(p, FACT_COMPILED), 3);
    ck_assert_uint_eq(fact(p, FACT_COMPILING), 30 + 50);
    ck_assert_uint_eq(fact(p, "methods compiled, QuickJitted"), 2);
    ck_assert_uint_eq(fact(p, "methods compiled, OptimizedTier1"), 1);
    observations_free(seen);
    profile_free(p);
}
