/* Collapsed stacks, and all that a profile has of them. */
#include "engine/format/named.h"
#include "tests/support/profile_text.h"
#include "tests/support/suite.h"

#define HEADER                                                                 \
    "samples\n"                                                                \
    "not in the format: modules, processes, threads, times, addresses, "       \
    "losses\n"

#define FINE(decimals)                                                         \
    "samples e-" #decimals                                                     \
    "\n"                                                                       \
    "not in the format: modules, processes, threads, times, addresses, "       \
    "losses\n"

static const struct profile_text_file lines[] = {
    {"a;b 1", HEADER "stack x 1\nprocess - : 0\n0 #0: b <- a\n"},
    {"\xEF\xBB\xBF"
     "a 1\n",
     HEADER "stack x 1\nprocess - : 0\n0 #0: a\n"},
    {"\xEF\xBB", "a: nothing of it can be read (damaged records: 1)"},
    {"a 12 \r\nb 0\nc 3  \r", HEADER "stack x 3\nprocess - : 0\n0 #0 x12: a\n"
                                     "0 #0 x3: c\n"},
    /* Fractions and exponents; what is no number is no line. */
    {"a 1.4\nb 1.5\nc 2.\nd .5\ne 1.5.5\nf 1,5\ng1\n 7\nh .\ni 1e\nj e3\n",
     FINE(1) "stack x 4\nprocess - : 0\n0 #0 x14: a\n0 #0 x15: b\n"
             "0 #0 x20: c\n0 #0 x5: d\n"},
    {"a 1.25e3\nb 2.5E+2\nc 5e-1\nd 125e-2\ne 1e99\nf 1e1.5\ng +3\n",
     FINE(2) "stack x 5\nprocess - : 0\n0 #0 x125000: a\n0 #0 x25000: b\n"
             "0 #0 x50: c\n0 #0 x125: d\n0 #0 x300: g\n"},
    {"a 109\nb 120000000000\nc 18446744073709551616\n",
     HEADER "stack x 2\nprocess - : 0\n0 #0 x109: a\n"
            "0 #0 x120000000000: b\n"},
    {"a 109\nb 18446744073709551615\n",
     HEADER "stack x 2\nthe weights of the samples add up to more than "
            "9223372036854775807: the last 1 samples are left out\n"
            "process - : 0\n0 #0 x109: a\n"},
    {"a 100\nb -40\nc -0\nd -.5\n",
     HEADER "stack x 4\n2 negative values (a difference of two profiles) left "
            "out: what is shown is what grew\nprocess - : 0\n"
            "0 #0 x100: a\n"},
    /* Two counts in all lines; else the first of them belongs to the name. */
    {"a;b 10 40\na;c  20   0\n\nd 1.5 2.5\n",
     FINE(1) "stack x 3\nevery line has two counts, those before and after a "
             "change: the second is read\nprocess - : 0\n"
             "0 #0 x400: b <- a\n0 #0 x25: d\n"},
    {"a;b 10 40\na 7\n",
     HEADER "stack x 2\nprocess - : 0\n0 #0 x40: b 10 <- a\n0 #0 x7: a\n"},
    {"# 1\n// a 1\n/ 2\n\n   \n/x 3\n",
     HEADER "stack x 2\nprocess - : 0\n0 #0 x2: /\n0 #0 x3: /x\n"},
    {"12\n3.4\n", "a: nothing of it can be read (damaged records: 2)"},
    {"a 1.49\nb 1.50\nc 0.5\nd 0.4\n",
     FINE(2) "stack x 4\nprocess - : 0\n0 #0 x149: a\n0 #0 x150: b\n"
             "0 #0 x50: c\n0 #0 x40: d\n"},
    /* Empty frames are none. */
    {";;a;;b; 4\n", HEADER "stack x 1\nprocess - : 0\n0 #0 x4: b <- a\n"},
    {"; 4\n", HEADER "stack x 1\nprocess - : 0\n"
                     "0 #0 x4: [no stack] [[unknown]]\n"},
    /* Inlined into the frame outside of it, which may not be there. */
    {"a;b_[i];c_[i];d 1\n", HEADER "stack x 1\nprocess - : 0\n"
                                   "0 #0: d <- (c (b a\n"},
    {"a_[i];b_[k] 1\n", HEADER "stack x 1\nprocess - : 0\n"
                               "0 #0: b kernel <- a\n"},
};

TEST_LOOP(said, COUNT(lines))
{
    profile_text_check(&collapsed_format, &lines[_i]);
}

/* ---- UTF-16 ---- */

static const struct {
    uint16_t units[8];
    size_t count;
    const char *name;
} wide[] = {
    {{'a', ' ', '1'}, 3, "a"},
    {{0xE9, ' ', '1'}, 3, "\xC3\xA9"},
    {{0xD7FF, 0xE000, ' ', '1'}, 4, "\xED\x9F\xBF\xEE\x80\x80"},
    {{0xD83D, 0xDE00, ' ', '1'}, 4, "\xF0\x9F\x98\x80"},
    {{0xD800, 0xDC00, ' ', '1'}, 4, "\xF0\x90\x80\x80"},
    {{0xDBFF, 0xDFFF, ' ', '1'}, 4, "\xF4\x8F\xBF\xBF"},
    {{0xDC00, 0xDC00, ' ', '1'}, 4, "\xEF\xBF\xBD\xEF\xBF\xBD"},
    {{0xD800, 'x', ' ', '1'}, 4, "\xEF\xBF\xBDx"},
    {{0xD800, 0xE000, ' ', '1'}, 4, "\xEF\xBF\xBD\xEE\x80\x80"},
};

TEST_LOOP(texts_of_wide_characters, COUNT(wide))
{
    char expected[200];

    snprintf(expected, sizeof(expected),
             HEADER "stack x 1\nprocess - : 0\n0 #0: %s\n", wide[_i].name);
    for (unsigned big = 0; big < 2; big++) {
        uint8_t bytes[32] = {(uint8_t)(big ? 0xFE : 0xFF),
                             (uint8_t)(big ? 0xFF : 0xFE)};
        size_t n = 2 + 2 * wide[_i].count;
        char *text;

        for (size_t i = 0; i < wide[_i].count; i++) {
            bytes[2 + 2 * i + big] = (uint8_t)wide[_i].units[i];
            bytes[3 + 2 * i - big] = (uint8_t)(wide[_i].units[i] >> 8);
        }
        text = profile_text_of_bytes(&collapsed_format, bytes, n, NULL);
        ck_assert_str_eq(text, expected);
        free(text);
        /* Half a character at the end is none. */
        text = profile_text_of_bytes(&collapsed_format, bytes, n + 1, NULL);
        ck_assert_str_eq(text, expected);
        free(text);
    }
}

TEST(beginnings_of_wide_characters)
{
    static const struct {
        uint8_t bytes[14];
        size_t size;
        enum format_probe probe;
    } rows[] = {
        {{0xFF, 0xFE, 'a', 0, ';', 0, 'b', 0, ' ', 0, '1', 0}, 12, PROBE_MAYBE},
        {{0xFE, 0xFF, 0, 'a', 0, ';', 0, 'b', 0, ' ', 0, '1'}, 12, PROBE_MAYBE},
        {{0xFE, 0xFE, 0, 'a', 0, ';', 0, 'b', 0, ' ', 0, '1'}, 12, PROBE_NO},
        {{0xFF, 0xFF, 'a', 0, ';', 0, 'b', 0, ' ', 0, '1', 0}, 12, PROBE_NO},
        {{0xFF, 0xFE}, 2, PROBE_NO},
        {{'a', 0, ';', 'b', ' ', '1'}, 6, PROBE_NO},
    };

    for (size_t i = 0; i < 6; i++)
        ck_assert_int_eq(collapsed_format.probe(rows[i].bytes, rows[i].size),
                         rows[i].probe);
}

/* A pair of which the end of the file has only half. */
TEST(half_a_pair)
{
    static const uint8_t bytes[] = {0xFF, 0xFE, 'a',  0, ' ', 0,
                                    '1',  0,    '\n', 0, 0,   0xD8};
    char *text =
        profile_text_of_bytes(&collapsed_format, bytes, sizeof(bytes), NULL);

    ck_assert_str_eq(text, HEADER "stack x 1\nprocess - : 0\n0 #0: a\n");
    free(text);
}

/* ---- what is one ---- */

static const struct profile_text_beginning beginnings[] = {
    {"a;b 1", PROBE_MAYBE},
    {"a;b 1\n", PROBE_MAYBE},
    /* One frame a line: every line is text and a count. */
    {"a 1\n", PROBE_MAYBE},
    {"a 1\nb c 2.5\n# d\n\ne", PROBE_MAYBE},
    {"a 1\nb\n", PROBE_NO},
    {"a 1 2\nb 3 4\n", PROBE_MAYBE},
    {"a\t1\n", PROBE_NO},
    {"1 2\n3 4\n", PROBE_NO},
    {"a;b\n", PROBE_NO},
    {"a;b 1\nx\n", PROBE_MAYBE},
    {"a;b 1\nx\ny\n", PROBE_NO},
    {"a;b 1\nx\nhalf a line", PROBE_MAYBE},
    {"a;b\t 1\n", PROBE_NO},
    {"a;\tb 1\na;b 1\n", PROBE_MAYBE},
    {"# a;b 1\n", PROBE_NO},
    /* Lines of logs, metrics and code that end with a number. */
    {"2024-01-01 12:00:00 listens on port 8080\n", PROBE_NO},
    {"Jan 1 host kernel: bar 12\n", PROBE_NO},
    {"requests{code='200'} 1027\n", PROBE_NO},
    {"it has started to listen on port 80\n", PROBE_NO},
    {"INFO done; took 12\n", PROBE_NO},
    {"pgfault 12\npgmajfault 0\n", PROBE_NO},
    {"a;b 12\na;c 0\n", PROBE_MAYBE},
    {"mov eax, 1 ; set 1\n", PROBE_NO},
    {"INFO done; took 12\na;b 1\n", PROBE_MAYBE},
    /* Frames alone that have blanks, brackets and semicolons. */
    {"start()+0x131 4\n0x12ab 3\n", PROBE_MAYBE},
    {"std::map<int, a b c, d e> f<[u8; 4]>(int, int) 4\n", PROBE_MAYBE},
    {"operator new 4\nmain - a.rb:3 4\na; 3\n", PROBE_MAYBE},
    {"", PROBE_NO},
};

TEST_LOOP(what_is_one, COUNT(beginnings))
{
    profile_text_probe(&collapsed_format, &beginnings[_i]);
}

/* The first line is looked at to its end, however long it is. */
TEST(a_long_first_line)
{
    size_t n = 200000;
    char *text = malloc(n + 8);

    ck_assert_ptr_nonnull(text);
    memset(text, 'x', n);
    text[1] = ';';
    memcpy(text + n, " 1\nx\ny\n", 8);
    ck_assert_int_eq(collapsed_format.probe((const uint8_t *)text, n + 7),
                     PROBE_MAYBE);
    ck_assert_int_eq(collapsed_format.probe((const uint8_t *)text, n + 2),
                     PROBE_MAYBE);
    ck_assert_int_eq(collapsed_format.probe((const uint8_t *)text, n),
                     PROBE_NO);
    free(text);
}
