/* What kinds of events are called in counts. */
#include "engine/format/etl/names.h"

#include "engine/format/etl/etl.h"
#include "tests/support/suite.h"

static const struct {
    uint16_t hook;
    const char *name;
} hooks[] = {
    {0x0F2E, "PerfInfo/SampleProf"}, {0x0301, "Process/Start"},
    {0x03FE, "Process/0xfe"},        {0x0063, "EventTrace/0x63"},
    {0x0C01, "Spare/0x01"},          {0x1D01, "Hypervisor/0x01"},
    {0x1E0A, "HypervisorX/0x0a"},    {0x1F0A, "group 0x1f/0x0a"},
    {0xFFFF, "group 0xff/0xff"},
};

START_TEST(names_of_hooks)
{
    char name[ETL_NAME_SIZE];

    for (size_t i = 0; i < sizeof(hooks) / sizeof(*hooks); i++) {
        etl_hook_name(hooks[i].hook, name);
        ck_assert_str_eq(name, hooks[i].name);
    }
}
END_TEST

static void add(struct etl_counts *c, const uint8_t guid[16], uint16_t id,
                bool classic, uint64_t count)
{
    struct etl_provider_count *p = vec_add(&c->entries);

    *p = (struct etl_provider_count){
        .id = id, .classic = classic, .count = count};
    memcpy(p->guid, guid, 16);
}

/* Of all workers, sorted by name. */
START_TEST(counts_of_workers)
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
        {"01020304-0506-0708-090a-0b0c0d0e0f10#65535", 9},
        {"01020304-0506-0708-090a-0b0c0d0e0f10/7", 3},
        {"Microsoft-Windows-DotNETRuntime/143", 7},
        {"PerfInfo/SampleProf", 30},
        {"group 0xff/0xff", 1},
    };
    struct etl_counts one, two, *both[] = {&one, &two};
    struct profile *p = profile_new();

    etl_counts_init(&one);
    etl_counts_init(&two);
    one.hooks[0x0F2E] = 10;
    two.hooks[0x0F2E] = 20;
    two.hooks[0xFFFF] = 1;
    add(&one, runtime, 143, false, 5);
    add(&two, runtime, 143, false, 2);
    add(&two, stranger, 7, false, 3);
    add(&one, stranger, 65535, true, 9);
    one.malformed = 2;
    two.malformed = 3;
    one.idle_not_kept = 5;
    two.idle_not_kept = 6;
    one.event_stacks = 7;
    two.event_stacks = 8;
    etl_counts_report(both, 2, p);
    ck_assert_uint_eq(p->trace.event_counts.len, 5);
    for (size_t i = 0; i < 5; i++) {
        ck_assert_str_eq(
            strings_get(p->strings, p->trace.event_counts.data[i].name),
            wanted[i].name);
        ck_assert_uint_eq(p->trace.event_counts.data[i].count,
                          wanted[i].count);
    }
    ck_assert_uint_eq(p->trace.events, 50);
    ck_assert_uint_eq(p->quality.malformed, 5);
    ck_assert_uint_eq(p->trace.idle_not_kept, 11);
    ck_assert_uint_eq(p->quality.event_stacks, 15);
    etl_counts_release(&one);
    etl_counts_release(&two);
    profile_free(p);
}
END_TEST

int main(void)
{
    return suite_run("etl names", names_of_hooks, counts_of_workers);
}
