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
