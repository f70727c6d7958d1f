/* The kernel's list of functions. */
#include <ctype.h>

#include "symbols/generated/kallsyms.h"
#include "tests/support/suite.h"

#define TEXT 0xffffffff81000000u

static const char rows[] = "0000000000000000 A fixed_percpu_data\n"
                           "ffffffff81000000 t __pfx_start\n"
                           "ffffffff81000000 T _text\n"
                           "ffffffff81000000 T startup\n"
                           "ffffffff81000100 T _stext\n"
                           "ffffffff81000200 t local_one\n"
                           "ffffffff81000200 W weak_one\n"
                           "ffffffff81000300 D a_number\n"
                           "ffffffff81000400 T do_syscall_64\n"
                           "no row\n"
                           "ffffffffc0001000 t ext4_read\t[ext4]\n"
                           "ffffffffc0001100 t ext4_write\t[ext4]";

static void assert_name(struct kallsyms *k, uint64_t address,
                        const char *driver, const char *expected)
{
    const char *name = kallsyms_find(k, address, driver);

    if (expected)
        ck_assert_str_eq(name ? name : "", expected);
    else
        ck_assert_ptr_null(name);
}

TEST(functions)
{
    struct kallsyms *k =
        kallsyms_open((const uint8_t *)rows, sizeof(rows) - 1, TEXT);

    ck_assert_ptr_nonnull(k);
    assert_name(k, TEXT - 1, NULL, NULL);
    assert_name(k, TEXT, NULL, "startup");
    assert_name(k, TEXT + 0x1ff, NULL, "_stext");
    assert_name(k, TEXT + 0x200, NULL, "weak_one");
    assert_name(k, TEXT + 0x3ff, NULL, "weak_one");
    assert_name(k, TEXT + 0x410, NULL, "do_syscall_64");
    assert_name(k, 0xffffffffc0001010, "ext4", "ext4_read");
    assert_name(k, 0xffffffffc0001010, "xfs", NULL);
    assert_name(k, 0xffffffffc0001010, NULL, NULL);
    assert_name(k, 0xffffffffc0001fff, "ext4", "ext4_write");
    assert_name(k, 0xffffffffc0002100, "ext4", NULL);
    kallsyms_free(k);
}

/* A copy may have been sorted by name; drivers' rows come before others. */
TEST(in_any_order)
{
    static const char turned[] = "ffffffffc0001100 t ext4_write\t[ext4]\n"
                                 "ffffffff81000400 T do_syscall_64\n"
                                 "ffffffff81000200 W weak_one\n"
                                 "ffffffff81000000 T startup\n"
                                 "ffffffff81000200 t local_one\n"
                                 "ffffffff81000000 T _text\n";
    struct kallsyms *k =
        kallsyms_open((const uint8_t *)turned, sizeof(turned) - 1, TEXT);

    assert_name(k, TEXT + 1, NULL, "startup");
    assert_name(k, TEXT + 0x1ff, NULL, "startup");
    assert_name(k, TEXT + 0x200, NULL, "weak_one");
    assert_name(k, TEXT + 0x400, NULL, "do_syscall_64");
    assert_name(k, 0xffffffffc0001100, "ext4", "ext4_write");
    kallsyms_free(k);
}

/* Of another start of the machine: drivers went elsewhere. */
TEST(moved)
{
    struct kallsyms *k = kallsyms_open((const uint8_t *)rows, sizeof(rows) - 1,
                                       TEXT + 0x1c00000);

    assert_name(k, TEXT + 0x1c00410, NULL, "do_syscall_64");
    assert_name(k, TEXT + 0x410, NULL, NULL);
    assert_name(k, 0xffffffffc1c01010, "ext4", NULL);
    kallsyms_free(k);
}

TEST(no_list)
{
    static const char hidden[] = "0000000000000000 T _text\n"
                                 "0000000000000000 T do_syscall_64\n";

    ck_assert_ptr_null(
        kallsyms_open((const uint8_t *)hidden, sizeof(hidden) - 1, TEXT));
    ck_assert_ptr_null(kallsyms_open(NULL, 0, TEXT));
}

/* Any character in place of any digit of an address. */
TEST(digits)
{
    char line[] = "0123456789abcdef T f";

    for (size_t at = 0; at < 16; at++) {
        char kept = line[at];

        for (int c = 1; c < 256; c++) {
            struct kallsyms *k;

            if (c == '\n')
                continue;
            line[at] = (char)c;
            k = kallsyms_open((const uint8_t *)line, sizeof(line) - 1, 0);
            ck_assert_msg(!k == !isxdigit(c), "%s", line);
            if (k)
                assert_name(k, strtoull(line, NULL, 16), NULL, "f");
            if (k)
                assert_name(k, strtoull(line, NULL, 16) - 1, NULL, NULL);
            kallsyms_free(k);
        }
        line[at] = kept;
    }
}

/* Rows that are there, and rows that are none; all are of 0x1000. */
TEST(single_rows)
{
    static const struct {
        const char *text, *driver, *name; /* NULL: none */
    } list[] = {
        {"1000 T f", NULL, "f"},
        {"1000 t f\n", NULL, "f"},
        {"1000 W f", NULL, "f"},
        {"1000 w f", NULL, "f"},
        {"1000 D f", NULL, NULL},
        {"1000 T ", NULL, NULL},
        {"1000 T", NULL, NULL},
        {"1000T f", NULL, NULL},
        {"1000 Tf g", NULL, NULL},
        {"1000 T $x", NULL, NULL},
        {"1000 T \t[a]", NULL, NULL},
        {"0 T f", NULL, NULL},
        {"00000000000001000 T f", NULL, NULL}, /* 17 digits */
        {"1000 T f\t[a]", NULL, NULL},
        {"1000 T f\t[a]", "a", "f"},
        {"1000 T f\t[a]", "ab", NULL},
        {"1000 T f\t[ab]", "a", NULL},
        {"1000 T f\t(a]", "a", NULL},
        {"1000 T f\t[]", NULL, "f"},
        {"1000 T f", "a", NULL},
        {"1000 t a\n1000 T b", NULL, "b"},
        {"1000 T b\n1000 t a", NULL, "b"},
        {"1000 W a\n1000 t b", NULL, "a"},
        {"1000 T _a\n1000 t b", NULL, "b"},
        {"1000 T _a\n1000 t _b", NULL, "_a"},
        {"1000 T a\n1000 T b", NULL, "b"},
    };

    for (size_t i = 0; i < COUNT(list); i++) {
        struct kallsyms *k = kallsyms_open((const uint8_t *)list[i].text,
                                           strlen(list[i].text), 0);

        if (!k) {
            ck_assert_msg(!list[i].name, "%s", list[i].text);
            continue;
        }
        assert_name(k, 0xFFF, list[i].driver, NULL);
        assert_name(k, 0x1000, list[i].driver, list[i].name);
        assert_name(k, 0x1FFF, list[i].driver, list[i].name);
        assert_name(k, 0x2000, list[i].driver, NULL); /* too far */
        kallsyms_free(k);
    }
}

/* The start of the kernel has that very name. */
TEST(start_of_the_kernel)
{
    static const struct {
        const char *text;
        uint64_t base, found; /* where f is */
    } list[] = {
        {"1000 T _text\n1100 T f", 0x5000, 0x5100},
        {"1000 T _text\t[a]\n1100 T f", 0x5000, 0x5100},
        {"1000 T _textual\n1100 T f", 0x5000, 0x1100},
        {"1000 T _tex\n1100 T f", 0x5000, 0x1100},
        {"1000 T _text\n1100 T f", 0, 0x1100},
    };

    for (size_t i = 0; i < COUNT(list); i++) {
        struct kallsyms *k =
            kallsyms_open((const uint8_t *)list[i].text, strlen(list[i].text),
                          list[i].base);

        assert_name(k, list[i].found, NULL, "f");
        assert_name(k, list[i].found + 0xFFF, NULL, "f");
        assert_name(k, list[i].found + 0x1000, NULL, NULL);
        kallsyms_free(k);
    }
}
