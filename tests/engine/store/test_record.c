/* Rows as SQLite keeps them, byte by byte and by what it reads. */
#include "engine/store/record.h"

#include <stdio.h>

#include "tests/support/suite.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const char *hex(struct bytes bytes)
{
    static char text[2 * 600 + 1];

    ck_assert_uint_lt(2 * bytes.len, sizeof(text));
    for (size_t i = 0; i < bytes.len; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes.data[i]);
    return text;
}

/* https://www.sqlite.org/fileformat2.html section 2.1, by hand. */
START_TEST(integers_are_short)
{
    static const struct {
        int64_t value;
        const char *record;
    } cases[] = {
        {0, "0208"},
        {1, "0209"},
        {2, "020102"},
        {-1, "0201ff"},
        {127, "02017f"},
        {128, "02020080"},
        {-128, "020180"},
        {-129, "0202ff7f"},
        {32767, "02027fff"},
        {32768, "0203008000"},
        {-32769, "0203ff7fff"},
        {8388607, "02037fffff"},
        {8388608, "020400800000"},
        {INT32_MAX, "02047fffffff"},
        {INT32_MIN, "020480000000"},
        {(int64_t)INT32_MAX + 1, "0205000080000000"},
        {((int64_t)1 << 47) - 1, "02057fffffffffff"},
        {-((int64_t)1 << 47), "0205800000000000"},
        {(int64_t)1 << 47, "02060000800000000000"},
        {INT64_MAX, "02067fffffffffffffff"},
        {INT64_MIN, "02068000000000000000"},
    };
    struct record r = {0};

    for (size_t i = 0; i < COUNT(cases); i++) {
        record_begin(&r);
        record_integer(&r, cases[i].value);
        ck_assert_str_eq(hex(record_end(&r)), cases[i].record);
    }
    record_release(&r);
}
END_TEST

START_TEST(values_stand_behind_their_types)
{
    struct record r = {0};

    record_begin(&r);
    record_null(&r);
    record_bytes(&r, RECORD_TEXT, "ab", 2);
    record_integer(&r, 300);
    record_bytes(&r, RECORD_BLOB, "\xfe", 1);
    record_bytes(&r, RECORD_TEXT, "", 0);
    ck_assert_str_eq(hex(record_end(&r)), "0600"
                                          "1102"
                                          "0e0d"
                                          "6162"
                                          "012c"
                                          "fe");
    record_begin(&r);
    ck_assert_str_eq(hex(record_end(&r)), "01");
    record_release(&r);
}
END_TEST

/* A type of two bytes. */
START_TEST(long_texts)
{
    static const char text[58];
    struct record r = {0};
    struct bytes row;

    record_begin(&r);
    record_bytes(&r, RECORD_TEXT, text, sizeof(text) - 1);
    row = record_end(&r);
    row.len = 2;
    ck_assert_str_eq(hex(row), "027f");
    record_begin(&r);
    record_bytes(&r, RECORD_TEXT, text, sizeof(text));
    row = record_end(&r);
    ck_assert_uint_eq(row.len, 3 + sizeof(text));
    row.len = 3;
    ck_assert_str_eq(hex(row), "038101");
    record_release(&r);
}
END_TEST

START_TEST(varints)
{
    static const struct {
        uint32_t value;
        const char *bytes;
    } cases[] = {{0, "00"},         {127, "7f"},
                 {128, "8100"},     {16383, "ff7f"},
                 {16384, "818000"}, {UINT32_MAX, "8fffffff7f"}};
    uint8_t bytes[VARINT_BYTES];

    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t n = varint_put(bytes, cases[i].value);

        ck_assert_str_eq(hex((struct bytes){bytes, n}), cases[i].bytes);
    }
}
END_TEST

int main(void)
{
    return suite_run("records of databases", integers_are_short,
                     values_stand_behind_their_types, long_texts, varints);
}
