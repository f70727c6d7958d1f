/* Lists of generated code against their rule: the last entry holds. */
#include <stdlib.h>
#include <string.h>
#include "engine/base/out.h"
#include "symbols/debug.h"
#include "tests/support/suite.h"

static struct debug_file *open_text(const char *text)
{
    return debug_open("perf-1.map", (const uint8_t *)text, strlen(text), NULL);
}

static const char *name_at(struct debug_file *file, uint64_t address)
{
    struct debug_frame f;

    return debug_frames(file, address, &f, 1) ? f.function : "";
}

TEST(later_entries_hold)
{
    struct debug_file *file =
        open_text("1000 100 a\n1080 100 b c\nnonsense\n0x1040 0x10 d\r\n"
                  "2000 0 open\n3000 10 last");

    ck_assert_ptr_nonnull(file);
    ck_assert_str_eq(name_at(file, 0xFFF), "");
    ck_assert_str_eq(name_at(file, 0x1000), "a");
    ck_assert_str_eq(name_at(file, 0x1040), "d");
    ck_assert_str_eq(name_at(file, 0x1050), "a");
    ck_assert_str_eq(name_at(file, 0x1080), "b c");
    ck_assert_str_eq(name_at(file, 0x117F), "b c");
    ck_assert_str_eq(name_at(file, 0x1180), "");
    ck_assert_str_eq(name_at(file, 0x2FFF), "open");
    ck_assert_str_eq(name_at(file, 0x300F), "last");
    ck_assert_str_eq(name_at(file, 0x3010), "");
    debug_close(file);
}

/* The name of the last row that holds an address. Size 0 reaches to the next
 * beginning or end of any row. */
static size_t last_row(const uint64_t (*rows)[2], size_t n, uint64_t at)
{
    for (size_t i = n; i-- > 0;) {
        uint64_t start = rows[i][0], end = start + rows[i][1];

        if (!rows[i][1])
            end = UINT64_MAX;
        for (size_t k = 0; !rows[i][1] && k < n; k++)
            for (unsigned e = 0; e < 2; e++) {
                uint64_t edge = rows[k][0] + (e ? rows[k][1] : 0);

                if (edge > start && edge < end)
                    end = edge;
            }
        if (at >= start && at < end)
            return i + 1;
    }
    return 0;
}

TEST(any_rows_hold_by_the_rule)
{
    enum { MOST = 20, SPACE = 60 };

    for (unsigned round = 0; round < 500; round++) {
        struct out *text = out_memory();
        uint64_t rows[MOST][2];
        size_t n = 1 + suite_random(MOST - 1);
        struct debug_file *file;

        for (size_t i = 0; i < n; i++) {
            rows[i][0] = suite_random(SPACE);
            rows[i][1] = suite_random(15);
            out_fmt(text, "%x %x %zu\n", (unsigned)rows[i][0],
                    (unsigned)rows[i][1], i + 1);
        }
        file = open_text(out_text(text, NULL));
        for (uint64_t at = 0; at < SPACE + 20; at++)
            ck_assert_int_eq(atoi(name_at(file, at)),
                             (int)last_row((const uint64_t(*)[2])rows, n, at));
        debug_close(file);
        out_close(text, NULL);
    }
}

TEST(precompiled_images)
{
    struct debug_file *file =
        open_text("FFFFFFFF 00 00112233445566778899aabbccddeeff\n"
                  "FFFFFFFE 00 1\n00001000 20 System.Void Main()\n");

    ck_assert_str_eq(name_at(file, 0x101F), "System.Void Main()");
    ck_assert_str_eq(name_at(file, 0xFFFFFFFF), "");
    ck_assert_uint_eq(file->identity.guid[1], 0x11);
    ck_assert_uint_eq(file->identity.guid[15], 0xFF);
    debug_close(file);
}

/* Sixteen bytes as digits of either case, or none at all. */
TEST(signatures)
{
    static const uint8_t none[16] = {0};
    static const uint8_t all[16] = {0x10, 0xAf, 1, 2,  3,  4,  5,  6,
                                    7,    8,    9, 10, 11, 12, 13, 0xFe};
    static const struct {
        const char *text;
        const uint8_t *guid;
    } rows[] = {
        {"10aF0102030405060708090a0b0c0dfE", all},
        {"10aF0102030405060708090a0b0c0dfg", none},
        {"10aF0102030405060708090a0b0c0df", none},
        {"10aF0102030405060708090a0b0c0dfE0", none},
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        for (int k = 0; k < 3; k++) {
            static const char *const starts[] = {"FFFFFFFF 0", "FFFFFFFE 0",
                                                 "FFFFFFFF 2"};
            char text[100];
            struct debug_file *file;

            snprintf(text, sizeof(text), "%s %s", starts[k], rows[i].text);
            file = open_text(text);
            ck_assert_mem_eq(file->identity.guid, k ? none : rows[i].guid, 16);
            debug_close(file);
        }
}

/* What describes the file is no code. */
TEST(rows_of_the_file)
{
    static const char rest[] = " one\nFFFFFFFB 1 b\nFFFFFFFB 2 c\n"
                               "100000000 1 d\n";
    char text[100];
    struct debug_frame f;
    struct debug_file *file;

    snprintf(text, sizeof(text), "FFFFFFFA 1%s", rest);
    file = open_text(text);
    ck_assert_str_eq(name_at(file, 0xFFFFFFFA), "one");
    ck_assert_str_eq(name_at(file, 0xFFFFFFFB), "c");
    ck_assert_str_eq(name_at(file, 0xFFFFFFFC), "c");
    ck_assert_str_eq(name_at(file, 0x100000000), "d");
    ck_assert_uint_eq(debug_frames(file, 0xFFFFFFFB, &f, 0), 0);
    debug_close(file);
}

/* Against painting the entries one over the other. */
TEST(agrees_with_painting)
{
    for (unsigned round = 0; round < 500; round++) {
        char text[1000] = "", names[200][4] = {{0}};
        struct debug_file *file;

        for (unsigned i = 0; i < 20; i++) {
            unsigned start = (unsigned)suite_random(100);
            unsigned size = 1 + (unsigned)suite_random(60);

            snprintf(text + strlen(text), 20, "%x %x n%u\n", start, size, i);
            for (unsigned at = start; at < start + size; at++)
                snprintf(names[at], sizeof(names[at]), "n%u", i % 100);
        }
        file = open_text(text);
        for (unsigned at = 0; at < 200; at++)
            ck_assert_str_eq(name_at(file, at), names[at]);
        debug_close(file);
    }
}

TEST(other_files)
{
    ck_assert_ptr_null(open_text(""));
    ck_assert_ptr_null(open_text("\n1000 10 a\n"));
    ck_assert_ptr_null(open_text("deadbeef\n"));
    ck_assert_ptr_null(open_text("cafe babe"));
}
