/* The table of kernel events. */
#include "engine/format/etl/hooks.h"
#include "tests/support/suite.h"

/* The rows are the one list: every other kind is counted only. */
TEST(uses_agree_with_rows)
{
    unsigned rows = 0;

    for (unsigned i = 0; i <= UINT16_MAX; i++) {
        const struct etl_hook *row = etl_hook_find((uint16_t)i);

        ck_assert_int_eq(etl_hook_use((uint16_t)i), row ? row->use : USE_COUNT);
        if (!row)
            continue;
        rows++;
        ck_assert_uint_eq(row->hook, i);
        ck_assert(row->name && strchr(row->name, '/'));
    }
    ck_assert_uint_eq(rows, 48);
}

TEST(lives)
{
    static const struct etl_hook wanted[] = {
        {0x0301, "Process/Start", USE_PROCESS, SEEN_BEGIN},
        {0x0302, "Process/End", USE_PROCESS, SEEN_END},
        {0x0303, "Process/DCStart", USE_PROCESS, SEEN_AT_START},
        {0x0304, "Process/DCEnd", USE_PROCESS, SEEN_AT_STOP},
        {0x0327, "Process/Defunct", USE_DEFUNCT, SEEN_END},
        {0x0501, "Thread/Start", USE_THREAD, SEEN_BEGIN},
        {0x0504, "Thread/DCEnd", USE_THREAD, SEEN_AT_STOP},
        {0x030A, "Image/Load", USE_IMAGE, SEEN_BEGIN},
        {0x1402, "Image/Unload", USE_IMAGE, SEEN_END},
        {0x1403, "Image/DCStart", USE_IMAGE, SEEN_AT_START},
        {0x1404, "Image/DCEnd", USE_IMAGE, SEEN_AT_STOP},
    };

    for (size_t i = 0; i < COUNT(wanted); i++) {
        const struct etl_hook *row = etl_hook_find(wanted[i].hook);

        ck_assert_str_eq(row->name, wanted[i].name);
        ck_assert_int_eq(row->use, wanted[i].use);
        ck_assert_int_eq(row->life, wanted[i].life);
    }
}
