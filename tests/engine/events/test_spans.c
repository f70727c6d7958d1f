#include "engine/events/spans.h"

#include <stdlib.h>

#include "tests/support/suite.h"

TEST(the_innermost_ends_first)
{
    struct open_events open = {.outer = {0}};

    ck_assert_uint_eq(open_events_begin(&open, 7, 1), 0);
    ck_assert_uint_eq(open_events_begin(&open, 7, 1), 1);
    ck_assert_uint_eq(open_events_begin(&open, 8, 1), 2);
    ck_assert_uint_eq(open_events_begin(&open, 7, 2), 3);
    ck_assert_uint_eq(open_events_end(&open, 7, 1), 1);
    ck_assert_uint_eq(open_events_last(&open, 7, 1), 0);
    ck_assert_uint_eq(open_events_begin(&open, 7, 1), 4);
    ck_assert_uint_eq(open_events_end(&open, 7, 1), 4);
    ck_assert_uint_eq(open_events_end(&open, 7, 1), 0);
    ck_assert_uint_eq(open_events_end(&open, 7, 1), MAP_NONE);
    ck_assert_uint_eq(open_events_begin(&open, 7, 1), 5);
    ck_assert_uint_eq(open_events_end(&open, 7, 1), 5);
    ck_assert_uint_eq(open_events_end(&open, 7, 1), MAP_NONE);
    ck_assert_uint_eq(open_events_end(&open, 8, 1), 2);
    ck_assert_uint_eq(open_events_end(&open, 9, 1), MAP_NONE);
    open_events_release(&open);
}

static const struct {
    const char *event, *ending;
} names[] = {
    {"Contention/Start", "Contention/Stop"},
    {"GC/SuspendEEStart", "GC/SuspendEEStop"},
    {"FrameBegin", "FrameEnd"},
    {"Start", "Stop"},
    {"Contention/Stop", NULL},
    {"", NULL},
};

TEST(names_tell_how_events_end)
{
    for (size_t i = 0; i < COUNT(names); i++) {
        char *ending = event_ending(names[i].event);

        ck_assert_pstr_eq(ending, names[i].ending);
        free(ending);
    }
}
