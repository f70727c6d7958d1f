/* Labels in columns too narrow for them. */
#include "report/table/text.h"

#include "tests/support/cells.h"

#define TABLE "tests/report/table/shorten.cells"

static void check_name(const struct cells *row)
{
    struct arena arena = {0};

    cells_expect(row, 2, shorten(row->cell[1], cells_number(row, 0), &arena));
    arena_release(&arena);
}

TEST(names_give_way_and_the_last_stays)
{
    cells_each(TABLE, "names", check_name);
}

static void check_path(const struct cells *row)
{
    struct arena arena = {0};

    cells_expect(row, 2,
                 shorten_path(row->cell[1], cells_number(row, 0), &arena));
    arena_release(&arena);
}

TEST(folders_give_way_and_the_file_stays)
{
    cells_each(TABLE, "paths", check_path);
}

TEST(a_long_module_has_a_short_name)
{
    static const char dynamic[] = "Anonymously Hosted DynamicMethods Assembly";

    ck_assert_str_eq(shorten_module(dynamic, 42), dynamic);
    ck_assert_str_eq(shorten_module(dynamic, 41), "[dynamic]");
    ck_assert_str_eq(shorten_module("System.Private.CoreLib", 3),
                     "System.Private.CoreLib");
}

static void check_width(const struct cells *row)
{
    cells_expect_number(row, 0, text_width(row->cell[1], row->len[1]));
}

TEST(blocks_of_characters)
{
    cells_each(TABLE, "blocks", check_width);
}

TEST(places_on_a_terminal)
{
    ck_assert_uint_eq(text_width("abc", 3), 3);
    ck_assert_uint_eq(text_width("…", 3), 1);
    ck_assert_uint_eq(text_width("関", 3), 2);
    ck_assert_uint_eq(text_width("e\xCC\x81", 3), 1);
}
