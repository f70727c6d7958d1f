#include "engine/container/xpress.h"

#include "tests/support/suite.h"

/* The two examples of MS-XCA, section 3.2. */
TEST(published_examples)
{
    static const uint8_t lengths[] = {0x50, 0x55, 0x55, 0x55, 0x55,
                                      0x55, 0x55, 0x55, 0x55, 0x55,
                                      0x55, 0x45, 0x44, 0x04};
    static const uint8_t alphabet[] = {
        0xD8, 0x52, 0x3E, 0xD7, 0x94, 0x11, 0x5B, 0xE9, 0x19, 0x5F,
        0xF9, 0xD6, 0x7C, 0xDF, 0x8D, 0x04, 0x00, 0x00, 0x00, 0x00};
    static const uint8_t repeated[] = {0xA8, 0xDC, 0x00, 0x00,
                                       0xFF, 0x26, 0x01};
    uint8_t packed[300] = {0}, out[300];

    memcpy(packed + 48, lengths, sizeof(lengths));
    packed[128] = 4;
    memcpy(packed + 256, alphabet, sizeof(alphabet));
    ck_assert(xpress_huffman(packed, 256 + sizeof(alphabet), out, 26));
    ck_assert_mem_eq(out, "abcdefghijklmnopqrstuvwxyz", 26);

    memset(packed, 0, sizeof(packed));
    packed[48] = 0x30;
    packed[49] = 0x23;
    packed[128] = 0x02;
    packed[143] = 0x20;
    memcpy(packed + 256, repeated, sizeof(repeated));
    ck_assert(xpress_huffman(packed, 256 + sizeof(repeated), out, 300));
    for (size_t i = 0; i < 300; i++)
        ck_assert_int_eq(out[i], "abc"[i % 3]);
    ck_assert(!xpress_huffman(packed, 256 + sizeof(repeated), out, 299));
    for (size_t n = 0; n < 256 + sizeof(repeated); n++)
        ck_assert(!xpress_huffman(packed, n, out, 300));
}

TEST(refused)
{
    uint8_t packed[512] = {0}, out[16];

    ck_assert(!xpress_huffman(packed, sizeof(packed), out, 1)); /* no code */
    memset(packed, 0x11, 256); /* 512 codes of one bit */
    ck_assert(!xpress_huffman(packed, sizeof(packed), out, 1));
    /* One code: a match, before anything is there. */
    memset(packed, 0, sizeof(packed));
    packed[128] = 0x11;
    ck_assert(!xpress_huffman(packed, sizeof(packed), out, 16));
    ck_assert(!xpress_huffman(packed, sizeof(packed), out, XPRESS_BLOCK + 1));
}
