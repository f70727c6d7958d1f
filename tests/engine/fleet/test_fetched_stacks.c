/* Answers of a fleet's server that make no profile. */
#include "engine/fleet/fetched_stacks.h"

#include "tests/support/cells.h"
#include "tests/support/reading.h"

static void check_damage(const struct cells *row)
{
    unsigned table = 0;

    while (strcmp(fleet_tables[table].name, row->cell[0]))
        ck_assert_uint_lt(++table, FLEET_CONTENT);
    serve_rows(table, fleet_rows_of(table, row->cell[1]));
    serve_all();
    assert_fails(&all, false, ERR_CORRUPT, row->cell[2]);
    reading_end();
    reading_begin();
}

TEST(damaged_rows)
{
    cells_each("tests/engine/fleet/damaged.cells", "damaged", check_damage);
}

TEST(damaged_sums)
{
    static const struct fleet_question apart = {.apart = "run"};
    static const struct sum sums[] = {
        {0, 8, 0, UINT64_C(1) << 63},
        {0, 8, INT64_MAX / 2 + UINT64_C(1), 7},
    };

    for (size_t i = 0; i <= COUNT(sums); i++) {
        struct totals totals = usual;
        bool last = i == COUNT(sums);

        totals.n[SAMPLES] = last ? 7 : sums[i].weight;
        serve_totals(&totals);
        serve_sums(last ? usual_sums : &sums[i], last ? 2 : 1);
        serve_content();
        assert_fails(last ? &apart : &all, !last, ERR_CORRUPT,
                     "sample out of range"); /* the last: of no unit */
        reading_end();
        reading_begin();
    }
}

SUITE_FIXTURE(reading_begin, reading_end)
