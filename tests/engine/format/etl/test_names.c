/* What kinds of events are called in counts. */

#include "engine/events/events.h"
#include "engine/format/etl/etl.h"
#include "tests/support/suite.h"

static void add(struct etl_counts *c, const uint8_t guid[16], uint16_t id,
                bool classic, uint64_t count)
{
    struct etl_provider_count *p = vec_add(&c->entries);

    *p = (struct etl_provider_count){
        .id = id,
        .opcode = classic ? (uint8_t)id : 0,
        .classic = classic,
        .count = count};
    memcpy(p->guid, guid, 16);
}

/* Of all workers, sorted by name. */
TEST(counts_of_workers)
{
    static const uint8_t runtime[16] = {0x23, 0x0d, 0x3c, 0xe1, 0xbc, 0xcc,
                                        0x12, 0x4e, 0x93, 0x1b, 0xd9, 0xcc,
                                        0x2e, 0xee, 0x27, 0xe4};
    static const uint8_t stranger[16] = {4, 3, 2,  1,  6,  5,  8,  7,
                                         9, 10, 11, 12, 13, 14, 15, 16};
    static const struct {
        const char *name;
        uint64_t count;
    } wanted[] = {
        {"01020304-0506-0708-090a-0b0c0d0e0f10/EventID(7)", 3},
        {"01020304-0506-0708-090a-0b0c0d0e0f10/Opcode(200)", 9},
        {"Group(255)/Opcode(255)", 1},
        {"Maker/Request/Start", 6},
        {"Microsoft-Windows-DotNETRuntime/Method/LoadVerbose", 7},
        {"PerfInfo/Sample", 30},
    };
    /* Of TraceLogging: the event's schema and its provider's traits. */
    static const uint8_t schema[] = "\x10\0\0RequestStart", traits[] = "\x08\0Maker";
    struct etl_counts one, two, *both[] = {&one, &two};
    struct profile *p = profile_new();
    struct observations *seen = observations_new(p);

    etl_counts_init(&one);
    etl_counts_init(&two);
    one.hooks[0x0F2E] = 10;
    two.hooks[0x0F2E] = 20;
    two.hooks[0xFFFF] = 1;
    add(&one, runtime, 143, false, 5);
    add(&two, runtime, 143, false, 2);
    add(&two, stranger, 7, false, 3);
    add(&one, stranger, 200, true, 9);
    for (int i = 0; i < 2; i++) {
        struct etl_counts *c = both[i];

        add(c, stranger, 0, false, 3);
        c->entries.data[c->entries.len - 1].tracelogging =
            (struct bytes){schema, sizeof(schema)};
        c->entries.data[c->entries.len - 1].traits =
            (struct bytes){traits, sizeof(traits)};
    }
    one.malformed = 2;
    two.malformed = 3;
    one.idle_not_kept = 5;
    two.idle_not_kept = 6;
    one.event_stacks = 7;
    two.event_stacks = 8;
    seen->naming = event_naming_new();
    etl_counts_report(both, 2, seen);
    event_naming_free(seen->naming);
    ck_assert_uint_eq(p->trace.event_counts.len, COUNT(wanted));
    for (size_t i = 0; i < COUNT(wanted); i++) {
        ck_assert_str_eq(
            strings_get(p->strings, p->trace.event_counts.data[i].name),
            wanted[i].name);
        ck_assert_uint_eq(p->trace.event_counts.data[i].count,
                          wanted[i].count);
    }
    ck_assert_uint_eq(p->trace.events, 56);
    ck_assert_uint_eq(p->quality.malformed, 5);
    ck_assert_uint_eq(p->trace.idle_not_kept, 11);
    ck_assert_uint_eq(p->quality.event_stacks, 15);
    etl_counts_release(&one);
    etl_counts_release(&two);
    observations_free(seen);
    profile_free(p);
}
