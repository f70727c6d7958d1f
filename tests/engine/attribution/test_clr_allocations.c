/* How many bytes an event of the .NET heap stands for. */
#include "engine/attribution/clr.h"

#include "tests/support/suite.h"

enum { TICK = 10, SAMPLED = 303 };

static uint64_t bytes_of(uint16_t id, uint8_t version, unsigned width,
                         const void *payload, size_t size)
{
    struct reader r = reader_of("event", payload, size, 0, NULL);

    return clr_allocation_bytes(id, version, width, &r);
}

/* Drawn by bytes, one in 100 KiB: small objects stand for many, large ones
 * for themselves. The name is "AB". */
TEST(drawn_objects)
{
    static const char at_8[] = "kindid"
                               "type....A\0B\0\0\0"
                               "address."
                               "\x18\0\0\0\0\0\0\0";
    static const char at_4[] = "kindid"
                               "typeA\0B\0\0\0"
                               "addr"
                               "\0\0\1\0\0\0\0\0";
    static const char none[] = "kindid"
                               "typeA\0B\0\0\0"
                               "addr"
                               "\0\0\0\0\0\0\0\0";
    static const char one[] = "kindid"
                              "typeA\0B\0\0\0"
                              "addr"
                              "\1\0\0\0\0\0\0\0";
    static const char huge[] = "kindid"
                               "typeA\0B\0\0\0"
                               "addr"
                               "\0\0\0\0\1\0\0\0";

    ck_assert_uint_eq(bytes_of(SAMPLED, 0, 8, at_8, sizeof(at_8) - 1), 102412);
    ck_assert_uint_eq(bytes_of(SAMPLED, 0, 8, at_8, sizeof(at_8) - 2), 0);
    ck_assert_uint_eq(bytes_of(SAMPLED, 0, 4, at_4, sizeof(at_4) - 1), 138640);
    ck_assert_uint_eq(bytes_of(SAMPLED, 0, 4, none, sizeof(none) - 1), 0);
    ck_assert_uint_eq(bytes_of(SAMPLED, 0, 4, one, sizeof(one) - 1), 102401);
    ck_assert_uint_eq(bytes_of(SAMPLED, 0, 4, huge, sizeof(huge) - 1),
                      (uint64_t)1 << 32);
    ck_assert_uint_eq(bytes_of(SAMPLED, 0, 4, one, 3), 0);
}
