/* How events are asked for. */
#include "engine/format/etl/choice.h"

#include "tests/support/suite.h"

static const struct {
    const char *name;
    bool possible;
    uint32_t source;
    uint16_t id;
} names[] = {
    {"pmc:0", true, 0, 0},
    {"pmc:65535", true, 65535, 0},
    {"pmc:65536", false, ANY_SOURCE, 0},
    {"pmc:", false, ANY_SOURCE, 0},
    {"pmc:7x", false, ANY_SOURCE, 0},
    {"PMC:loadlinkedissues", true, 23, 0},
    {"Timer", false, ANY_SOURCE, 0},
    {"CLR/Stack#3", true, ANY_SOURCE, 3},
    {"Microsoft-Windows-DotNETRuntime/65535", true, ANY_SOURCE, 65535},
    {"Microsoft-Windows-DotNETRuntime/65536", false, ANY_SOURCE, 0},
    {"Microsoft-Windows-DotNETRuntime/", false, ANY_SOURCE, 0},
    {"Microsoft-Windows-DotNETRuntime/1x", false, ANY_SOURCE, 0},
    {"Nobody/1", false, ANY_SOURCE, 1},
    {"/1", false, ANY_SOURCE, 0},
    {"1", false, ANY_SOURCE, 0},
    {"Thread/0x7f", true, ANY_SOURCE, 0},
    {"group 0xff/0xff", true, ANY_SOURCE, 0},
    {"group 0x100/0x00", false, ANY_SOURCE, 0},
};

TEST_LOOP(names_of_events, COUNT(names))
{
    struct etl_choice choice;

    ck_assert(etl_choice_make(&choice, names[_i].name) == names[_i].possible);
    ck_assert_uint_eq(choice.source, names[_i].source);
    ck_assert_uint_eq(choice.id, names[_i].id);
    ck_assert(choice.classic == (strchr(names[_i].name, '#') != NULL));
    etl_choice_release(&choice);
}

/* A name is at most as long as names of events are. */
TEST(a_name_too_long)
{
    char name[300];
    struct etl_choice choice;

    memset(name, 'x', sizeof(name));
    memcpy(name + 250, "/12", 4);
    ck_assert(!etl_choice_make(&choice, name));
    ck_assert(!choice.provider);
    etl_choice_release(&choice);
}

TEST(hooks_of_a_short_name)
{
    struct etl_choice choice;
    unsigned taken = 0;

    ck_assert(etl_choice_make(&choice, "page-fault"));
    for (unsigned hook = 0; hook <= UINT16_MAX; hook++)
        taken += etl_choice_takes_hook(&choice, (uint16_t)hook);
    ck_assert_uint_eq(taken, 5);
    for (uint16_t hook = 0x020A; hook <= 0x020E; hook++)
        ck_assert(etl_choice_takes_hook(&choice, hook));
    etl_choice_release(&choice);
}
