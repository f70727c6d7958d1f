/* Parts of profiles of pprof: their fields on the wire, and what is said of
 * parts that are not there or too many. */
#include "engine/base/wire.h"
#include "engine/format/named.h"
#include "tests/engine/format/pprof/parts.h"
#include "tests/support/profile_text.h"
#include "tests/support/suite.h"

/* ---- fields ---- */

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

/* ---- what is not there ---- */

enum { S_SAMPLES = 1, S_COUNT, S_PATH, S_ID, S_LARGEST, S_LARGER };

/* One sample of location 1. */
static char *said_of(struct blob *b)
{
    static const char *const strings[] = {"",          "samples", "count",
                                          "/lib/a.so", "00ff",    "4294967294",
                                          "4294967295"};
    char *text;

    MESSAGE(b, TYPE, 1, S_SAMPLES, 2, S_COUNT);
    for (size_t i = 0; i < COUNT(strings); i++)
        put_bytes(b, STRING, strings[i], strlen(strings[i]));
    text = profile_text_of_bytes(&pprof_format, b->data, b->len, NULL);
    free(b->data);
    return text;
}

static void check(struct blob *b, const char *part)
{
    char *text = said_of(b);

    ck_assert_msg(strstr(text, part), "%s", text);
    free(text);
}

/* Strings by numbers behind the last are empty. */
TEST(numbers_of_nothing)
{
    struct blob b = {0}, location = {0};

    MESSAGE(&b, SAMPLE, 1, 1, 2, 1);
    MESSAGE(&b, FUNCTION, 1, 1, 2, S_COUNT, 4, 7);
    MESSAGE(&b, MAPPING, 1, 1, 5, S_PATH, 6, 7);
    put_number(&location, 1, 1);
    put_number(&location, 2, 1);
    put_number(&location, 3, 0x50);
    put_number(&location, 4, 3); /* a line is a message */
    MESSAGE(&location, 4, 1, 1, 2, 5);
    put_bytes(&b, LOCATION, location.data, location.len);
    free(location.data);
    check(&b, "module /lib/a.so\n0 #0: count [a.so] :5 +50\n");
}

/* Neither another id nor none takes the place of the first. */
TEST(modules_of_several_mappings)
{
    struct blob b = {0};

    MESSAGE(&b, SAMPLE, 1, 1, 2, 1);
    MESSAGE(&b, LOCATION, 1, 1, 2, 1, 3, 0x50);
    MESSAGE(&b, MAPPING, 1, 1, 5, S_PATH, 6, S_LARGER + 1);
    MESSAGE(&b, MAPPING, 1, 2, 5, S_PATH, 6, S_LARGER + 2);
    MESSAGE(&b, MAPPING, 1, 3, 5, S_PATH);
    for (size_t s = 0; s <= S_LARGER; s++)
        put_bytes(&b, STRING, "/lib/a.so", s == S_PATH ? 9 : 0);
    put_bytes(&b, STRING, "0a1b", 4);
    put_bytes(&b, STRING, "2c3d", 4);
    check(&b, " id 0a1b\n");
}

/* ---- damage ---- */

/* What stands before a field that is none is kept. */
TEST(damage)
{
    struct blob b = {0};
    char *text;

    MESSAGE(&b, TYPE, 1, 1, 2, 2);
    put_bytes(&b, STRING, "", 0);
    put_bytes(&b, STRING, "samples", 7);
    put_bytes(&b, STRING, "count", 5);
    MESSAGE(&b, LOCATION, 1, 1, 3, 0x50);
    MESSAGE(&b, SAMPLE, 1, 1, 2, 3);
    put_bytes(&b, SAMPLE, "\x08\1\x10\1\x0B", 5);
    blob_u8(&b, 0x0B);
    MESSAGE(&b, SAMPLE, 1, 1, 2, 3);
    text = profile_text_of_bytes(&pprof_format, b.data, b.len, NULL);
    ck_assert_msg(strstr(text, "malformed: 1\n"), "%s", text);
    ck_assert_msg(strstr(text, "0 #0 x3: 0x50 +50\n"), "%s", text);
    free(text);
    free(b.data);
}
