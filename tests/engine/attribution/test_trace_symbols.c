/* Symbols of a trace: which name an address gets. */
#include "engine/attribution/address_spaces.h"

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

TEST(by_set_and_address)
{
    uint32_t a, b, empty;

    observed_begin(&o);
    a = observe_symbol_set(o.seen);
    b = observe_symbol_set(o.seen);
    empty = observe_symbol_set(o.seen);
    see_symbol(&o, b, 0x1000, 0x10, "other");
    see_symbol(&o, a, 0x2000, 0x10, "second");
    see_symbol(&o, a, 0x1000, 0x10, "first");
    build();
    ck_assert_str_eq(name_at(a, 0xFFF), "");
    ck_assert_str_eq(name_at(a, 0x1000), "first");
    ck_assert_str_eq(name_at(a, 0x100F), "first");
    ck_assert_str_eq(name_at(a, 0x1010), "");
    ck_assert_str_eq(name_at(a, 0x2000), "second");
    ck_assert_str_eq(name_at(b, 0x1000), "other");
    ck_assert_str_eq(name_at(b, 0x2000), "");
    ck_assert_str_eq(name_at(empty, 0x1000), "");
    ck_assert_str_eq(name_at(0, 0x1000), "");
    ck_assert_uint_eq(rangemap_find(&sets[a], 0x1000, TIME_MIN).value, 2);
    ck_assert_int_eq(rangemap_find(&sets[a], 0x1000, 5).to, TIME_MAX);
    end();
}

/* Of symbols that overlap the shortest is meant. */
TEST(shortest)
{
    uint32_t set;

    observed_begin(&o);
    set = observe_symbol_set(o.seen);
    see_symbol(&o, set, 0x1020, 0x08, "inner");
    see_symbol(&o, set, 0x1000, 0x100, "outer");
    see_symbol(&o, set, 0x1010, 0x80, "middle");
    see_symbol(&o, set, 0x1000, 0x200, "outermost");
    build();
    ck_assert_str_eq(name_at(set, 0x1000), "outer");
    ck_assert_str_eq(name_at(set, 0x1010), "middle");
    ck_assert_str_eq(name_at(set, 0x1020), "inner");
    ck_assert_str_eq(name_at(set, 0x1028), "middle");
    ck_assert_str_eq(name_at(set, 0x10FF), "outer");
    ck_assert_str_eq(name_at(set, 0x1100), "outermost");
    end();
}

/* Of two of one length that overlap, the one that was described later. */
TEST(equal_lengths)
{
    uint32_t set;

    observed_begin(&o);
    set = observe_symbol_set(o.seen);
    see_symbol(&o, set, 0x1008, 0x10, "first");
    see_symbol(&o, set, 0x1000, 0x10, "second");
    see_symbol(&o, set, 0x2000, 0x10, "third");
    see_symbol(&o, set, 0x2008, 0x10, "fourth");
    build();
    ck_assert_str_eq(name_at(set, 0x1008), "second");
    ck_assert_str_eq(name_at(set, 0x2008), "fourth");
    end();
}

/* Of several names of one range the plainest: fewest underscores, no
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

/* Names of ranges that are not the same do not compete. */
TEST(one_name_a_range)
{
    uint32_t a, b;

    observed_begin(&o);
    a = observe_symbol_set(o.seen);
    b = observe_symbol_set(o.seen);
    see_symbol(&o, a, 0x1000, 0x10, "__a");
    see_symbol(&o, b, 0x1000, 0x10, "b");
    see_symbol(&o, a, 0x1010, 0x10, "c");
    see_symbol(&o, a, 0x1000, 0x28, "d");
    build();
    ck_assert_str_eq(name_at(a, 0x1000), "__a");
    ck_assert_str_eq(name_at(b, 0x1000), "b");
    ck_assert_str_eq(name_at(a, 0x1011), "c");
    ck_assert_str_eq(name_at(a, 0x1020), "d");
    end();
}

/* Also where names of a longer one stand between theirs. */
TEST(names_of_two_ranges_with_one_start)
{
    uint32_t set;

    observed_begin(&o);
    set = observe_symbol_set(o.seen);
    see_symbol(&o, set, 0x1000, 0x10, "a");
    see_symbol(&o, set, 0x1000, 0x20, "_b");
    see_symbol(&o, set, 0x1000, 0x10, "__c");
    see_symbol(&o, set, 0x1000, 0x20, "___d");
    build();
    ck_assert_str_eq(name_at(set, 0x1000), "a");
    ck_assert_str_eq(name_at(set, 0x1010), "_b");
    ck_assert_uint_eq(sets[set].ranges.len, 2);
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
