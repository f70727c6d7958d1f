/* Instances of generic methods, as precompiled images describe them. */
#include "symbols/managed/r2r/image_impl.h"
#include "tests/support/code_scenario.h"
#include "tests/support/suite.h"

/* Flags; behind them a module, an owner, the row, types and a constraint. */
static const struct row {
    uint8_t bytes[12];
    size_t size;
    bool good, own, is_reference, has_owner;
    uint32_t row;
} rows[] = {
    {{0x00, 3}, 2, true, true, false, false, 3},
    {{0x10, 3}, 2, true, true, true, false, 3},
    {{0x08, 3}, 2, false, 0, 0, 0, 0}, /* by a slot */
    {{0x04, 3, 2, 0x08, 0x0E}, 5, true, true, false, false, 3},
    {{0x04, 3, 0}, 3, true, true, false, false, 3},
    {{0x04, 3, 1, 0x77}, 4, false, 0, 0, 0, 0},
    {{0x04, 3, 2, 0x08, 0x77}, 5, false, 0, 0, 0, 0},
    {{0x20, 3, 0x08}, 3, true, true, false, false, 3},
    {{0x20, 3, 0x77}, 3, false, 0, 0, 0, 0},
    {{0x24, 3, 1, 0x08, 0x0E}, 5, true, true, false, false, 3},
    {{0x40, 0x12, 4 << 2, 5}, 4, true, true, false, true, 5},
    {{0x40, 0x77, 5}, 3, false, 0, 0, 0, 0},
    {{0x50, 0x12, 4 << 2, 5}, 4, true, true, true, true, 5},
    {{0x40, 0x15, 0x12, 4 << 2, 1, 0x08, 5}, 7, true, true, false, true, 5},
    /* Of module 0, the image itself, and of one that is not at hand. */
    {{0x80, 0x80, 0, 3}, 4, true, true, false, false, 3},
    {{0x80, 0x80, 9, 3}, 4, true, false, false, false, 3},
    {{0x80, 0xC0, 9, 0x12, 4 << 2, 3}, 6, true, false, false, true, 3},
    {{0x40, 0x3F, 0, 0x12, 4 << 2, 5}, 6, true, true, false, true, 5},
    {{0x40, 0x3F, 9, 0x0E, 5}, 5, true, false, false, true, 5},
};

TEST(instances)
{
    byte_vec bytes = {0};
    struct r2r_image *image;

    code_assembly(&bytes, false);
    image = r2r_open("Shop.dll", bytes.data, bytes.len, NULL);
    ck_assert_ptr_nonnull(image);
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t n = 0; n <= rows[i].size; n++) {
            const struct row *w = &rows[i];
            struct reader r = reader_of("made", w->bytes, n, 0, NULL);
            struct r2r_instance got;
            bool good = w->good && n == w->size;

            ck_assert_msg(r2r_read_instance(image, &r, &got) == good,
                          "%zu: %zu bytes", i, n);
            if (!good)
                continue;
            ck_assert_uint_eq(r.pos, n);
            ck_assert_uint_eq(got.row, w->row);
            ck_assert(got.is_reference == w->is_reference);
            ck_assert(got.has_owner == w->has_owner);
            ck_assert_msg((got.tables == &image->components.data[0].tables) ==
                              w->own,
                          "%zu", i);
        }
    r2r_close(image);
    vec_release(&bytes);
}
