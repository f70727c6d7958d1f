/* Where an image lies, by the calls that return into it. */
#include "symbols/managed/r2r/place.h"
#include "tests/support/code_scenario.h"
#include "tests/support/suite.h"

enum { MOST = 20, OTHER = 0x200000 };

struct world {
    byte_vec bytes;
    struct r2r_image *image;
    struct r2r_bases bases;
    uint64_t addresses[MOST];
    size_t count;
};

static void begin(struct world *w)
{
    *w = (struct world){.image = NULL};
    code_assembly(&w->bytes, false);
    w->image = r2r_open("Shop.dll", w->bytes.data, w->bytes.len, NULL);
    ck_assert(w->image);
}

static void end(struct world *w)
{
    r2r_bases_release(&w->bases);
    r2r_close(w->image);
    vec_release(&w->bytes);
}

static void add(struct world *w, uint64_t base, unsigned piece, unsigned at)
{
    w->addresses[w->count++] =
        base + ASSEMBLY_CODE + piece * ASSEMBLY_STRIDE + at;
}

static void add_calls(struct world *w, uint64_t base, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        add(w, base, i, ASSEMBLY_CALL);
}

static size_t place(struct world *w)
{
    struct r2r_image *const images[] = {w->image, NULL};

    r2r_place(&w->bases, images, 2, w->addresses, w->count);
    return w->bases.list.len;
}

TEST(four_calls)
{
    struct r2r_image *images[1];
    struct world w;

    begin(&w);
    images[0] = w.image;
    add_calls(&w, CODE_BASE, 4);
    add_calls(&w, CODE_BASE, 4); /* the same once more */
    ck_assert_uint_eq(place(&w), 1);
    ck_assert_uint_eq(w.bases.list.data[0].base, CODE_BASE);
    ck_assert_uint_eq(w.bases.list.data[0].calls, 4);
    ck_assert(r2r_base_of(&w.bases, images, CODE_BASE + ASSEMBLY_CODE));
    ck_assert(!r2r_base_of(&w.bases, images, CODE_BASE + ASSEMBLY_CODE - 1));
    ck_assert(!r2r_base_of(&w.bases, images, 0));
    end(&w);
}

TEST(too_few)
{
    struct world w;

    begin(&w);
    add_calls(&w, CODE_BASE, 3);
    add_calls(&w, CODE_BASE, 3);
    ck_assert_uint_eq(place(&w), 0);
    end(&w);
}

TEST(one_contradicts)
{
    struct world w;

    begin(&w);
    add_calls(&w, CODE_BASE, 6);
    add(&w, CODE_BASE, 2, ASSEMBLY_CALL + 1);
    ck_assert_uint_eq(place(&w), 0);
    end(&w);
}

TEST(not_at_a_multiple)
{
    struct world w;

    begin(&w);
    add_calls(&w, CODE_BASE + 0x1000, 6);
    ck_assert_uint_eq(place(&w), 0);
    end(&w);
}

TEST(loaded_twice)
{
    struct world w;

    begin(&w);
    add_calls(&w, CODE_BASE, 5);
    add_calls(&w, CODE_BASE + OTHER, 6);
    ck_assert_uint_eq(place(&w), 2);
    ck_assert_uint_eq(w.bases.list.data[0].base, CODE_BASE + OTHER);
    ck_assert_uint_eq(w.bases.list.data[1].base, CODE_BASE);
    end(&w);
}

/* Of images that the same calls speak for, the first. */
TEST(images_alike)
{
    struct world w, other;

    begin(&w);
    begin(&other);
    add_calls(&w, CODE_BASE, 5);
    r2r_place(&w.bases, (struct r2r_image *const[]){w.image, other.image}, 2,
              w.addresses, w.count);
    ck_assert_uint_eq(w.bases.list.len, 1);
    ck_assert_uint_eq(w.bases.list.data[0].image, 0);
    end(&other);
    end(&w);
}

/* Three of four could be chance, as could the four. */
TEST(in_doubt)
{
    struct world w;

    begin(&w);
    add_calls(&w, CODE_BASE, 3);
    add_calls(&w, CODE_BASE + OTHER, 4);
    ck_assert_uint_eq(place(&w), 0);
    end(&w);
}

TEST(told_bases_do_not_overlap)
{
    struct r2r_base told = {.base = CODE_BASE};
    struct r2r_image *images[1];
    struct world w;

    begin(&w);
    images[0] = w.image;
    r2r_bases_add(&w.bases, images, &told);
    r2r_bases_add(&w.bases, images, &told);
    ck_assert_uint_eq(w.bases.list.len, 1);
    add_calls(&w, CODE_BASE, 6);
    ck_assert_uint_eq(place(&w), 1); /* nothing is left to explain */
    end(&w);
}
