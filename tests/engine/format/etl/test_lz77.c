/* The decoder against one that checks every byte, on whole and on damaged
 * streams. */
#include "engine/format/etl/lz77.h"

#include "engine/base/mem.h"
#include "tests/support/lz77_pack.h"
#include "tests/support/lz77_simple.h"
#include "tests/support/suite.h"

enum { LARGEST = 20000, GUARD = 64, FILL = 0xA5 };

static uint64_t state;

static uint32_t draw(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

/* Repeats of all distances and lengths, the short ones most of all. */
static size_t make_text(uint8_t *text, size_t size)
{
    size_t n = 0;

    while (n < size) {
        size_t length = 1 + draw(draw(4) ? 12 : draw(8) ? 60 : 2000);
        size_t from = draw(draw(2) ? 24 : 9000) + 1;

        for (; length && n < size; length--, n++)
            text[n] =
                draw(6) && from <= n ? text[n - from] : (uint8_t)draw(256);
    }
    return n;
}

/* Both decoders, into blocks of just that size with guards behind. */
static void check_same(const uint8_t *in, size_t in_size, size_t room)
{
    uint8_t *stream = mem_new(in_size, 1);
    uint8_t *one = mem_new(room + GUARD, 1), *other = mem_new(room, 1);
    bool damaged, expected_damage;
    size_t n, expected;

    memcpy(stream, in, in_size);
    memset(one, FILL, room + GUARD);
    expected = lz77_simple(stream, in_size, other, room, &expected_damage);
    n = lz77_decode(stream, in_size, one, room, &damaged);
    ck_assert_uint_eq(n, expected);
    ck_assert_int_eq(damaged, expected_damage);
    ck_assert(!n || !memcmp(one, other, n));
    for (size_t i = room; i < room + GUARD; i++)
        ck_assert_uint_eq(one[i], FILL);
    free(stream);
    free(one);
    free(other);
}

TEST(whole)
{
    uint8_t *text = mem_new(LARGEST, 1);
    uint8_t *packed = mem_new(lz77_bound(LARGEST), 1);

    state = 1;
    for (int round = 0; round < 150; round++) {
        size_t n = make_text(text, 1 + draw(LARGEST));
        size_t size = lz77_pack(text, n, packed);
        uint8_t *out = mem_new(n, 1);
        bool damaged;

        ck_assert_uint_eq(lz77_decode(packed, size, out, n, &damaged), n);
        ck_assert(!damaged && !memcmp(out, text, n));
        check_same(packed, size, n);
        check_same(packed, size, draw((uint32_t)n));
        check_same(packed, size, n + draw(3000));
        free(out);
    }
    free(text);
    free(packed);
}

TEST(damaged_streams)
{
    uint8_t *text = mem_new(LARGEST, 1);
    uint8_t *packed = mem_new(lz77_bound(LARGEST), 1);

    state = 2;
    for (int round = 0; round < 1000; round++) {
        size_t n = make_text(text, 1 + draw(LARGEST));
        size_t size = lz77_pack(text, n, packed);

        for (uint32_t i = 1 + draw(4); i; i--)
            packed[draw((uint32_t)size)] = (uint8_t)draw(256);
        check_same(packed, draw(3) ? size : 1 + draw((uint32_t)size),
                   n + draw(1000));
    }
    free(text);
    free(packed);
}

/* Input and output each end at every place: the loops hand over to each other
 * wherever they can. */
TEST(every_cut)
{
    enum { SIZE = 1500 };
    uint8_t text[SIZE], *packed = mem_new(lz77_bound(SIZE), 1);

    state = 4;
    for (int round = 0; round < 3; round++) {
        size_t n = make_text(text, SIZE);
        size_t size = lz77_pack(text, n, packed);

        for (size_t cut = 1; cut <= size; cut++)
            check_same(packed, cut, n + 100);
        for (size_t room = 1; room <= n; room++)
            check_same(packed, size, room);
    }
    free(packed);
}

/* Flags that make nearly all of it matches, most of them too far. */
TEST(noise)
{
    uint8_t stream[4000];

    state = 3;
    for (int round = 0; round < 1000; round++) {
        uint32_t size = 1 + draw(sizeof(stream)), high = 1 + draw(256);

        for (uint32_t i = 0; i < size; i++)
            stream[i] = (uint8_t)draw(high);
        for (uint32_t i = 0; i < 40 && i < size; i++)
            stream[i] = 0;
        check_same(stream, size, draw(70000));
    }
}

/* A literal, and a match whose length takes more and more bytes: a nibble, a
 * byte, 16 bits, 32 bits. At each of them the input may end. */
static const struct {
    uint8_t length[9];
    size_t size;
} lengths[] = {
    {{0x00}, 1},
    {{0x0E}, 1},
    {{0x0F, 0}, 2},
    {{0x0F, 254}, 2},
    {{0x0F, 255, 21, 0}, 4},
    {{0x0F, 255, 22, 0}, 4},
    {{0x0F, 255, 0xFF, 0xFF}, 4},
    {{0x0F, 255, 0, 0, 21, 0, 0, 0}, 8},
    {{0x0F, 255, 0, 0, 22, 0, 0, 0}, 8},
    {{0x0F, 255, 0, 0, 0, 0, 1, 0}, 8},
};

TEST_LOOP(lengths_of_matches, COUNT(lengths))
{
    uint8_t stream[20] = {0, 0, 0, 0x40, 'a', 7, 0};
    size_t size = 7 + lengths[_i].size;

    memcpy(stream + 7, lengths[_i].length, lengths[_i].size);
    for (size_t n = 4; n <= size; n++) {
        check_same(stream, n, 100);
        check_same(stream, n, 70000);
    }
}
