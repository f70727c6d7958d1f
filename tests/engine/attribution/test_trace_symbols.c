/* Symbols of a trace: which name an address gets. */
#include "engine/attribution/address_spaces.h"

#include "tests/support/cells.h"
#include "tests/support/observed.h"
#include "tests/support/suite.h"

static struct observed o;
static struct rangemap *sets;

static void build(void)
{
    sets = trace_symbols_new(o.seen);
}

static void end(void)
{
    trace_symbols_free(sets, o.seen);
    observed_end(&o);
}

/* The name of the symbol, "" for none. */
static const char *name_at(uint32_t set, uint64_t address)
{
    static char text[64];
    struct range_hit hit = rangemap_find(&sets[set], address, 0);
    const struct text_slice *name;

    if (hit.value == UINT32_MAX)
        return "";
    name = &o.seen->symbols.data[hit.value].name;
    ck_assert_uint_lt(name->len, sizeof(text));
    memcpy(text, name->data, name->len);
    text[name->len] = '\0';
    return text;
}

static void check_names(const struct cells *row)
{
    char *save = NULL, *word = strtok_r(row->cell[0], " ", &save), *at;

    observed_begin(&o);
    for (unsigned set = 1; set <= 3; set++)
        ck_assert_uint_eq(observe_symbol_set(o.seen), set);
    for (; word; word = strtok_r(NULL, " ", &save)) {
        uint32_t set = (uint32_t)strtoul(word, &at, 10);
        uint64_t start = strtoull(at + 1, &at, 16);
        uint64_t size = strtoull(at + 1, &at, 16);

        see_symbol(&o, set, start, size, at + 1);
    }
    build();
    word = strtok_r(row->cell[1], " ", &save);
    for (; word; word = strtok_r(NULL, " ", &save)) {
        uint32_t set = (uint32_t)strtoul(word, &at, 10);
        uint64_t address = strtoull(at + 1, &at, 16);

        ck_assert_msg(!strcmp(name_at(set, address), at + 1),
                      "%s:%u: %s, not %s", row->path, row->line,
                      name_at(set, address), word);
    }
    if (row->len[2])
        cells_expect_number(row, 2, sets[1].ranges.len);
    end();
}

TEST(names_of_addresses)
{
    cells_each("tests/engine/attribution/symbols.cells", "names", check_names);
}

/* The plainest of several names of one range wins: fewest underscores, no
 * version, shortest, first of the alphabet. */
TEST(plainest_name)
{
    static const char *const rows[][4] = {
        {"__fork", "fork", "_fork", "fork"},
        {"_fork", "__a", "___b", "_fork"},
        {"copy@V_2", "copy_of_bytes", "copy@@V_2.14", "copy_of_bytes"},
        {"b@1", "a@1", "cc@1", "a@1"},
        {"stpncpy", "stpcpy", "stpcopy", "stpcpy"},
        {"beta", "alfa", "gama", "alfa"},
        {"same", "same", "same", "same"},
        {"_", "", "__", ""},
        {"a_b", "ab_", "_ab", "a_b"},
    };
    enum { ROWS = COUNT(rows) };
    /* Whatever order they are described in. */
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

    for (size_t k = 0; k < 6; k++) {
        uint32_t set;

        observed_begin(&o);
        set = observe_symbol_set(o.seen);
        for (size_t i = 0; i < ROWS; i++)
            for (size_t j = 0; j < 3; j++)
                see_symbol(&o, set, 0x1000 * (i + 1), 0x10,
                           rows[i][orders[k][j]]);
        build();
        for (size_t i = 0; i < ROWS; i++)
            ck_assert_str_eq(name_at(set, 0x1000 * (i + 1)), rows[i][3]);
        ck_assert_uint_eq(sets[set].ranges.len, ROWS);
        end();
    }
}

/* Names are slices: what follows them in the file is none of theirs. */
TEST(names_end)
{
    struct observed_symbol symbol = {.start = 0x1000, .size = 0x10};

    observed_begin(&o);
    symbol.set = observe_symbol_set(o.seen);
    symbol.name = observed_slice(&o, "___x@");
    symbol.name.len = 2;
    observe_symbol(o.seen, &symbol);
    see_symbol(&o, symbol.set, 0x1000, 0x10, "__b");
    build();
    ck_assert_str_eq(name_at(symbol.set, 0x1000), "__");
    end();
}

TEST(nothing_to_free)
{
    observed_begin(&o);
    trace_symbols_free(NULL, o.seen);
    build();
    ck_assert_str_eq(name_at(0, 0), "");
    end();
}
