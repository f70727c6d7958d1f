/* Answers of a fleet's server that make no profile. */
#include "engine/fleet/definitions.h"

#include "tests/support/reading.h"

static const struct {
    enum fleet_table_id table;
    const char *rows, *what;
} damaged[] = {
    {FLEET_STACKS, "@8 @1 56 []\n@9 @1 41 [@6]\n", "depth of a stack"},
    {FLEET_STACKS, "@8 0 56 [@6]\n@9 @1 41 [@6]\n", "refers to nothing"},
    {FLEET_STACKS, "@8 @1 56 [@6,0]\n@9 @1 41 [@6]\n", "refers to nothing"},
    {FLEET_STACKS, "@8 @1 56 [@6,@7]\n", "table stacks: no row with the id 9"},
    {FLEET_STACKS, "@8 @1 56 [@6,@70]\n@9 @1 41 [@6]\n",
     "refers to nothing"},
    {FLEET_LOCATIONS, "@6 0 0 1 5 0 0 [@4] [''] [0] [0]\n",
     "value out of range"},
    {FLEET_LOCATIONS, "@6 0 0 1 0 12 0 [@4] [''] [0] [0]\n",
     "value out of range"},
    {FLEET_LOCATIONS, "@6 0 0 1 0 0 2 [@4] [''] [0] [0]\n",
     "value out of range"},
    {FLEET_LOCATIONS, "@6 0 0 1 0 0 0 [@4] [''] [0] [2]\n",
     "value out of range"},
    {FLEET_LOCATIONS, "@6 0 0 1 0 0 0 [] [] [] []\n",
     "location without frames"},
    {FLEET_LOCATIONS, "@6 0 0 1 0 0 0 [@4] [] [0] [0]\n",
     "frames differ in number"},
    {FLEET_LOCATIONS, "@6 0 0 1 0 0 0 [@4] [''] [0,0] [0]\n",
     "frames differ in number"},
    {FLEET_LOCATIONS, "@6 0 0 1 0 0 0 [@4] [''] [0] []\n",
     "frames differ in number"},
    {FLEET_LOCATIONS,
     "@6 0 0 1 0 0 0 [0] [''] [0] [0]\n@7 0 0 1 0 0 0 [@4] [''] [0] [0]\n",
     "refers to nothing"},
    {FLEET_FUNCTIONS, "@4 'main' 'app' 0 5 0\n", "value out of range"},
    {FLEET_FUNCTIONS, "@4 'main' 'app' 0 0 12\n", "value out of range"},
    {FLEET_MODULES,
     "@2 '' '' '' '' '' '' x0102030405060708090a0b0c0d0e0f1011 "
     "0 0 0 '' 0 0 0\n",
     "identity is too long"},
    {FLEET_MODULES, "@2 '' '' '' '' '' '' '' 0 0 0 '' 2 0 0\n",
     "value out of range"},
    {FLEET_MODULES, "@2 '' '' '' '' '' '' '' 0 0 0 '' 0 2 0\n",
     "value out of range"},
    {FLEET_MODULES, "@2 '' '' '' '' '' '' '' 0 0 0 '' 0 0 2\n",
     "value out of range"},
    {FLEET_METHODS, "", "refers to nothing"},
    {FLEET_PROCESSES, "", "refers to nothing"},
};

TEST(damaged_rows)
{
    for (size_t i = 0; i < COUNT(damaged); i++) {
        serve_rows(damaged[i].table,
                   fleet_rows_of(damaged[i].table, damaged[i].rows));
        serve_all();
        assert_fails(&all, false, ERR_CORRUPT, damaged[i].what);
        reading_end();
        reading_begin();
    }
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
