#include "engine/base/wire.h"

#include "tests/support/suite.h"

#define LARGEST_KEY "\xF8\xFF\xFF\xFF\x7F" /* field 0xFFFFFFFF, a number */

static const struct {
    const char *bytes;
    size_t size;
    uint32_t number; /* 0: it is none */
    uint64_t value;  /* or the size of the message */
    bool is_message;
} fields[] = {
    {"\x08\x05", 2, 1, 5, false},
    {"\x08\x85\x01", 3, 1, 133, false},
    {"\x09\1\2\3\4\5\6\7\x08", 9, 1, 0x0807060504030201, false},
    {"\x0D\1\2\3\4", 5, 1, 0x04030201, false},
    {"\x0A\2ab", 4, 1, 2, true},
    {"\x0A\0", 2, 1, 0, true},
    {LARGEST_KEY "\1", 6, UINT32_MAX, 1, false},
    {"\x80\x80\x80\x80\x80\1\1", 7, 0, 0, false}, /* field 2^32 */
    {"\0\1", 2, 0, 0, false},
    {"\x0A\3ab", 4, 0, 0, false},
    {"\x09\1\2\3\4\5\6\7", 8, 0, 0, false},
    {"\x0D\1\2\3", 4, 0, 0, false},
    {"\x0B", 1, 0, 0, false}, /* a group */
    {"\x08", 1, 0, 0, false},
    {"", 0, 0, 0, false},
};

TEST_LOOP(fields_of_messages, COUNT(fields))
{
    struct reader r = reader_of("a", (const uint8_t *)fields[_i].bytes,
                                fields[_i].size, 0, NULL);
    struct wire_field f;

    ck_assert(wire_next(&r, &f) == (fields[_i].number > 0));
    if (fields[_i].number) {
        ck_assert_uint_eq(f.number, fields[_i].number);
        ck_assert(f.is_message == fields[_i].is_message);
        ck_assert_uint_eq(f.is_message ? f.message.len : f.value,
                          fields[_i].value);
    }
    ck_assert(!wire_next(&r, &f));
}
