/* Layouts of OTLP on the wire: fields of samples have other numbers in each
 * version, and nothing in a file names its version. */
#include "engine/format/named.h"
#include "tests/engine/format/pprof/parts.h"
#include "tests/support/profile_text.h"
#include "tests/support/suite.h"

/* Appends a message as a field, and empties it. */
static void put_blob(struct blob *b, unsigned field, struct blob *message)
{
    put_bytes(b, field, message->data, message->len);
    message->len = 0;
}

/* Strings 1 to 4; attribute 1 is a thread's id, stack 1 has a function; there
 * is a link 1. */
static void put_dictionary(struct blob *b)
{
    enum { LOCATIONS = 2, FUNCTIONS, LINKS, STRINGS, ATTRIBUTES, STACKS };
    static const char *const strings[] = {"", "samples", "count", "thread.id",
                                          "run"};
    struct blob d = {0}, row = {0};

    for (size_t i = 0; i < COUNT(strings); i++)
        put_bytes(&d, STRINGS, strings[i], strlen(strings[i]));
    put_bytes(&d, LOCATIONS, "", 0);
    MESSAGE(&row, 3, 1, 1);
    put_blob(&d, LOCATIONS, &row);
    put_bytes(&d, FUNCTIONS, "", 0);
    MESSAGE(&d, FUNCTIONS, 1, 4);
    put_bytes(&d, LINKS, "", 0);
    put_bytes(&d, LINKS, "", 0);
    put_bytes(&d, ATTRIBUTES, "", 0);
    put_number(&row, 1, 3);
    MESSAGE(&row, 2, 3, 7);
    put_blob(&d, ATTRIBUTES, &row);
    put_bytes(&d, STACKS, "", 0);
    put_bytes(&row, 1, "\1", 1);
    put_blob(&d, STACKS, &row);
    put_blob(b, 2, &d);
    free(d.data);
    free(row.data);
}

/* A profile with these bytes behind its type. */
static void put_profile(struct blob *b, const char *bytes, size_t size)
{
    struct blob profile = {0}, outer = {0};

    MESSAGE(&profile, 1, 1, 1, 2, 2);
    blob_bytes(&profile, bytes, size);
    put_blob(&outer, 2, &profile);
    put_blob(&profile, 2, &outer);
    put_blob(b, 1, &profile);
    free(profile.data);
    free(outer.data);
}

static char *said_of(const struct blob *b)
{
    return profile_text_of_bytes(&otlp_format, b->data, b->len, NULL);
}

#define TIME "\x29\7\0\0\0\0\0\0\0" /* field 5, eight bytes */

/* Samples are fields 2 of the profile: field 1 is the stack. */
static const struct {
    const char *bytes;
    size_t size;
    const char *layout; /* or what is wrong */
    const char *sample;
} layouts[] = {
    /* attributes, link, values */
    {"\x12\x0A\x08\1\x12\1\1\x18\1\x22\1\5", 12, "1.10 or newer",
     "0 #0 x5: run\n"},
    /* values, attributes, link */
    {"\x12\x0A\x08\1\x12\1\5\x1A\1\1\x20\1", 12, "1.8 or 1.9",
     "0 #0 x5: run\n"},
    /* Both fit: a number of an attribute, or a value, for each time. */
    {"\x12\x0E\x08\1\x12\1\1" TIME, 16, "1.10 or newer", "7 #0: run\n"},
    {"\x12\x0E\x08\1\x12\1\5" TIME, 16, "1.8 or 1.9", "7 #0 x5: run\n"},
    {"\x12\5\x08\1\x12\1\1", 7, "1.8 or 1.9", "0 #0: run\n"},
    {"\x12\x0F\x08\1\x12\2\1\1" TIME, 17, "1.10 or newer", "7 #0: run\n"},
    {"\x12\x0B\x08\1" TIME, 13, "1.10 or newer", "7 #0: run\n"},
    /* Numbers alone: attribute and value; value and attribute; value. */
    {"\x12\6\x08\1\x10\1\x20\5", 8, "1.10 or newer", "0 #0 x5: run\n"},
    {"\x12\6\x08\1\x18\1\x10\5", 8, "1.8 or 1.9", "0 #0 x5: run\n"},
    {"\x12\6\x08\1\x18\1\x10\1", 8, "1.8 or 1.9", "0 #0: run\n"},
    {"\x12\4\x08\1\x20\5", 6, "1.10 or newer", "0 #0 x5: run\n"},
    /* An attribute alone, and a list of values; times in a list. */
    {"\x12\x10\x08\1\x18\1\x12\1\5" TIME, 18, "1.8 or 1.9", "7 #0 x5: run\n"},
    {"\x12\x0E\x08\1\x18\0\x2A\x08\7\0\0\0\0\0\0\0", 16, "1.10 or newer",
     "7 #0: run\n"},
    /* One of each. */
    {"\x12\5\x08\1\x22\1\5\x12\5\x08\1\x12\1\5", 14,
     "a: an OTLP profile in a layout that topfn does not know: 1 samples are "
     "as in opentelemetry-proto 1.8, 1 as in 1.10",
     NULL},
    /* A list of locations, of which samples have slices; or a table. */
    {"\x12\7\x08\0\x10\1\x1A\1\1\x1A\1\1", 12,
     "a: an OTLP profile of opentelemetry-proto 1.7", NULL},
};

TEST_LOOP(layouts_of_samples, COUNT(layouts))
{
    struct blob b = {0};
    char expected[80], *said;

    put_profile(&b, layouts[_i].bytes, layouts[_i].size);
    put_dictionary(&b);
    ck_assert_int_eq(otlp_format.probe(b.data, b.len), PROBE_YES);
    said = said_of(&b);
    snprintf(expected, sizeof(expected), "layout: opentelemetry-proto %s\n",
             layouts[_i].layout);
    ck_assert_msg(
        strstr(said, layouts[_i].sample ? expected : layouts[_i].layout), "%s",
        said);
    if (layouts[_i].sample)
        ck_assert_msg(strstr(said, layouts[_i].sample), "%s", said);
    free(said);
    free(b.data);
}

/* The dictionary may stand before its profiles, in a file of sizes and
 * messages, too; what is cut off is damaged. */
TEST(messages_behind_sizes)
{
    struct blob b = {0}, one = {0};
    char *said;

    put_dictionary(&one);
    put_profile(&one, layouts[0].bytes, layouts[0].size);
    for (int i = 0; i < 2; i++) {
        for (int shift = 24; shift >= 0; shift -= 8)
            blob_u8(&b, (uint8_t)(one.len >> shift));
        blob_bytes(&b, one.data, one.len);
    }
    ck_assert_int_eq(otlp_format.probe(b.data, b.len), PROBE_YES);
    said = said_of(&b);
    ck_assert_msg(strstr(said, "sample x 2\n"), "%s", said);
    free(said);
    b.len -= 3;
    said = said_of(&b);
    ck_assert_msg(strstr(said, "sample x 1\n"), "%s", said);
    free(said);
    free(b.data);
    free(one.data);
}

/* Fields of newer versions are said. */
TEST(fields_that_are_not_known)
{
    struct blob b = {0};
    char *said;

    put_profile(&b, "\x12\7\x08\1\x22\1\5\x30\1", 9);
    put_dictionary(&b);
    MESSAGE(&b, 2, 9, 1);
    said = said_of(&b);
    ck_assert_msg(strstr(said, "fields that topfn does not know"), "%s", said);
    free(said);
    free(b.data);
}

/* Other signals of OpenTelemetry have the same outer messages; pprof has other
 * ones. */
static const struct {
    const char *bytes;
    size_t size;
    enum format_probe probe;
} beginnings[] = {
    {"", 0, PROBE_NO},
    {"\x0A\6\x12\4\x12\2\x12\0", 8, PROBE_NO}, /* no type of samples */
    {"\x0A\x08\x12\6\x12\4\x0A\2\x08\1", 10, PROBE_YES},
    {"\x0A\x08\x12\6\x12\4\x0A\2\x0A\0", 10, PROBE_NO}, /* a span, a log */
    {"\x0A\x0A\x12\x08\x12\6\x0A\4\x12\2ab", 12, PROBE_NO},
    {"\x0A\0\x12\2\x2A\0", 6, PROBE_MAYBE}, /* no profiles */
    {"\x0A\0\x12\0", 4, PROBE_NO},
    {"\x0A\4\x08\1\x10\2", 6, PROBE_NO},   /* a type of pprof */
    {"\x12\3\x82\1\0\x0A\0", 7, PROBE_NO}, /* no table */
    {"\x08\1", 2, PROBE_NO},
    {"\0\0\0\x0A\x0A\x08\x12\6\x12\4\x0A\2\x08\1", 14, PROBE_YES},
};

TEST_LOOP(beginnings_of_files, COUNT(beginnings))
{
    ck_assert_int_eq(otlp_format.probe((const uint8_t *)beginnings[_i].bytes,
                                       beginnings[_i].size),
                     beginnings[_i].probe);
}
