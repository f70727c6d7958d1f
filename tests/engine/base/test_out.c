#include "engine/base/out.h"

#include <math.h>

#include "tests/support/suite.h"

static struct out *out;

/* Compares what was printed since the last call, and closes the output. */
static void assert_text(const char *expected)
{
    struct err err = {0};
    size_t n;

    ck_assert_str_eq(out_text(out, &n), expected);
    ck_assert_uint_eq(n, strlen(expected));
    ck_assert(out_close(out, &err));
    ck_assert_int_eq(err.code, ERR_NONE);
}

TEST(nothing_printed)
{
    out = out_memory();
    assert_text("");
}

/* Names from a file have any length. */
TEST(format_of_any_length)
{
    char name[3000];

    for (size_t n = 0; n < sizeof(name); n += 61) {
        memset(name, 'x', n);
        name[n] = '\0';
        out = out_memory();
        out_fmt(out, "%s", name);
        assert_text(name);
    }
}

TEST(grouped)
{
    static const struct {
        uint64_t value;
        const char *text;
    } rows[] = {
        {0, "0"},
        {999, "999"},
        {1000, "1,000"},
        {81999, "81,999"},
        {1234567, "1,234,567"},
        {UINT64_MAX, "18,446,744,073,709,551,615"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        out = out_memory();
        out_grouped(out, rows[i].value);
        assert_text(rows[i].text);
    }
}

TEST(decimals)
{
    static const struct {
        uint64_t value;
        unsigned decimals;
        bool grouped;
        const char *text;
    } rows[] = {
        {0, 0, false, "0"},
        {0, 3, false, "0"},
        {3025, 3, false, "3.025"},
        {1500, 3, false, "1.5"},
        {400, 3, false, "0.4"},
        {5, 3, false, "0.005"},
        {1000, 3, true, "1"},
        {1234567, 2, true, "12,345.67"},
        {1234567, 2, false, "12345.67"},
        {UINT64_MAX, 19, false, "1.8446744073709551615"},
        {UINT64_MAX, 0, true, "18,446,744,073,709,551,615"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        out = out_memory();
        out_decimal(out, rows[i].value, rows[i].decimals, rows[i].grouped);
        assert_text(rows[i].text);
    }
}

TEST(percent)
{
    static const struct {
        uint64_t part, whole;
        unsigned decimals;
        const char *text;
    } rows[] = {
        {1140, 6810, 2, "16.74"},
        {1140, 6810, 1, "16.7"},
        {1140, 6810, 0, "17"},
        {0, 0, 1, "0.0"},
        {5, 0, 1, "0.0"},
        {0, 5, 4, "0.0000"},
        {1, 1, 2, "100.00"},
        {1, 8, 0, "13"}, /* half up: 12.5 */
        {1, 8, 1, "12.5"},
        {1, 2000, 1, "0.1"}, /* 0.05 */
        {1, 2001, 1, "0.0"},
        {9995, 10000, 1, "100.0"},
        {2, 3, 4, "66.6667"},
        {3, 1, 1, "300.0"},
        {UINT64_MAX, UINT64_MAX, 4, "100.0000"},
        {UINT64_MAX / 2, UINT64_MAX, 2, "50.00"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        out = out_memory();
        out_percent(out, rows[i].part, rows[i].whole, rows[i].decimals);
        assert_text(rows[i].text);
    }
}

TEST(reals)
{
    static const struct {
        double real;
        unsigned decimals;
        bool sign;
        const char *text;
    } rows[] = {
        {0, 0, false, "0"},
        {0, 2, true, "0.00"},
        {0.5, 0, false, "1"},
        {0.49, 0, false, "0"},
        {1.25, 1, false, "1.3"},
        {-1.25, 1, false, "-1.3"},
        {1.005, 3, true, "+1.005"},
        {-1, 0, true, "-1"},
        {-0.004, 2, true, "0.00"},
        {0.004, 2, true, "0.00"},
        {0.006, 2, true, "+0.01"},
        {12.03, 2, false, "12.03"},
        {99999999999, 3, false, "99999999999.000"},
        {1e18, 0, false, "1000000000000000000"},
        {3e30, 0, false, "1000000000000000000"},
        {-3e30, 3, false, "-1000000000000000.000"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        out = out_memory();
        out_real(out, rows[i].real, rows[i].decimals, rows[i].sign);
        assert_text(rows[i].text);
    }
}

TEST(shortest)
{
    static const struct {
        double real;
        bool single;
        const char *text;
    } rows[] = {
        {0, false, "0"},
        {0.1, false, "0.1"},
        {1.0 / 3, false, "0.3333333333333333"},
        {5e-324, false, "4.94065645841247e-324"},
        {0.1 + 0.2, false, "0.30000000000000004"},
        {123456789012345678.0, false, "1.2345678901234568e+17"},
        {0.1f, true, "0.1"},
        {0.1f, false, "0.10000000149011612"},
        {16777217.0f, true, "16777216"},
        {1.17549421e-38f, true, "1.1754942e-38"},
        {NAN, false, "NaN"},
        {INFINITY, true, "Infinity"},
        {-INFINITY, false, "-Infinity"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        out = out_memory();
        out_shortest(out, rows[i].real, rows[i].single);
        assert_text(rows[i].text);
    }
}

/* A full disk is reported once, at the end, however early it was met. */
TEST(full_disk)
{
    static const size_t sizes[] = {1, 100000, 10000000};

    for (size_t i = 0; i < COUNT(sizes); i++) {
        FILE *full = fopen("/dev/full", "w");
        struct err err = {0};

        if (!full)
            return;
        out = out_stream(full);
        out_repeat(out, 'x', sizes[i]);
        ck_assert(!out_close(out, &err));
        ck_assert_int_eq(err.code, ERR_IO);
        ck_assert_str_eq(err.message,
                         "cannot write: No space left on device");
        fclose(full);
    }
}

TEST(empty_stream)
{
    FILE *file = tmpfile();

    ck_assert_ptr_nonnull(file);
    out = out_stream(file);
    ck_assert(out_close(out, NULL));
    ck_assert_int_eq(ftell(file), 0);
    fclose(file);
}
