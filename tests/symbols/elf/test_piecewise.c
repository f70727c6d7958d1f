/*
 * Parts of a packed section: what is asked for is what was packed, in
 * whatever order, and what nobody asks for is not there.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "symbols/elf/piecewise.h"
#include "tests/support/suite.h"

enum { MIB = 1 << 20, SIZE = 9 * MIB + 12345, PART = 5000 };

static uint8_t *plain, *packed;
static size_t packed_size;

/* Text that packs to about a fifth, with repetitions near and far. */
static void prepare(void)
{
    uint64_t state = 88172645463325252u;
    uLongf room = compressBound(SIZE);

    plain = malloc(SIZE);
    packed = malloc(room);
    for (size_t i = 0; i < SIZE; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        plain[i] = state % 5 && i > 40000 ? plain[i - 30000 - state % 7]
                                          : (uint8_t)(state >> 60);
    }
    packed_size = compress2(packed, &room, plain, SIZE, 6) ? 0 : room;
}

static void release(void)
{
    free(plain);
    free(packed);
}

static struct piecewise *open_packed(size_t size)
{
    struct piecewise *p =
        piecewise_new((struct bytes){packed, packed_size}, size, false, NULL);

    ck_assert_ptr_nonnull(p);
    ck_assert_uint_eq(piecewise_bytes(p).len, size);
    return p;
}

static void check_part(struct piecewise *p, size_t from, size_t n)
{
    ck_assert(piecewise_need(p, from, n, NULL));
    ck_assert_int_eq(memcmp(piecewise_bytes(p).data + from, plain + from, n),
                     0);
}

/* Forwards nothing is unpacked twice, backwards everything is. */
START_TEST(parts_in_any_order)
{
    static const size_t strides[] = {PART, 700001, (size_t)2 * MIB};

    for (size_t i = 0; i < sizeof(strides) / sizeof(*strides); i++) {
        struct piecewise *up = open_packed(SIZE), *down = open_packed(SIZE);

        for (size_t at = 0; at < SIZE - PART; at += strides[i]) {
            check_part(up, at, PART);
            check_part(down, SIZE - PART - at, PART);
        }
        check_part(up, 0, SIZE);
        check_part(down, 0, SIZE);
        piecewise_free(up);
        piecewise_free(down);
    }
}
END_TEST

START_TEST(the_last_byte_and_beyond)
{
    struct piecewise *p = open_packed(SIZE);

    ck_assert(piecewise_need(p, SIZE, 1, NULL));
    check_part(p, SIZE - 1, 1);
    ck_assert(piecewise_need(p, SIZE - 1, SIZE_MAX, NULL));
    ck_assert(piecewise_need(p, SIZE_MAX, SIZE_MAX, NULL));
    piecewise_free(p);
}
END_TEST

/* Far from what was asked for there are zeros. */
START_TEST(what_nobody_asked_for)
{
    struct piecewise *p = open_packed(SIZE);
    struct bytes all = piecewise_bytes(p);
    size_t i = (size_t)4 * MIB;

    check_part(p, (size_t)8 * MIB, PART);
    while (i < (size_t)5 * MIB && !all.data[i])
        i++;
    ck_assert_uint_eq(i, (size_t)5 * MIB);
    check_part(p, (size_t)4 * MIB, MIB);
    piecewise_free(p);
}
END_TEST

/* One that says a byte less or more than there is; parts before the end are
 * there nevertheless. */
START_TEST(a_size_that_is_wrong)
{
    for (int more = -1; more <= 1; more += 2) {
        struct piecewise *p = open_packed((size_t)(SIZE + more));
        struct err err = {0};

        check_part(p, (size_t)3 * MIB, PART);
        ck_assert(!piecewise_need(p, SIZE - 2, 1, &err));
        ck_assert_int_eq(err.code, ERR_CORRUPT);
        ck_assert(!piecewise_need(p, 0, 1, NULL));
        piecewise_free(p);
    }
}
END_TEST

START_TEST(a_claim_beyond_measure)
{
    struct err err = {0};

    ck_assert_ptr_null(
        piecewise_new((struct bytes){packed, 100}, UINT64_MAX, false, &err));
    ck_assert_int_eq(err.code, ERR_LIMIT);
}
END_TEST

/* Bytes that are changed, and a stream that is cut: whatever comes of it, it
 * ends, and what was passed before stays as it was. */
START_TEST(damage)
{
    for (size_t at = 2; at < packed_size; at += packed_size / 40) {
        size_t whole = packed_size;
        struct piecewise *p;
        uint8_t was = packed[at];

        packed[at] ^= 0x55;
        p = open_packed(SIZE);
        ck_assert(!piecewise_need(p, 0, SIZE, NULL));
        piecewise_free(p);
        packed[at] = was;
        packed_size = at;
        p = open_packed(at * 20 < SIZE ? at * 20 : SIZE);
        ck_assert(!piecewise_need(p, piecewise_bytes(p).len - 1, 1, NULL));
        piecewise_free(p);
        packed_size = whole;
    }
}
END_TEST

int main(void)
{
    prepare();
    atexit(release);
    return suite_run("piecewise", parts_in_any_order, the_last_byte_and_beyond,
                     what_nobody_asked_for, a_size_that_is_wrong,
                     a_claim_beyond_measure, damage);
}
