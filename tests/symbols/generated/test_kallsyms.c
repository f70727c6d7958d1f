/* The kernel's list of functions. */
#include <string.h>

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

START_TEST(functions)
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
END_TEST

/* A copy may have been sorted by name; drivers' rows come before others. */
START_TEST(in_any_order)
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
END_TEST

/* Of another start of the machine: drivers went elsewhere. */
START_TEST(moved)
{
    struct kallsyms *k = kallsyms_open((const uint8_t *)rows, sizeof(rows) - 1,
                                       TEXT + 0x1c00000);

    assert_name(k, TEXT + 0x1c00410, NULL, "do_syscall_64");
    assert_name(k, TEXT + 0x410, NULL, NULL);
    assert_name(k, 0xffffffffc1c01010, "ext4", NULL);
    kallsyms_free(k);
}
END_TEST

START_TEST(no_list)
{
    static const char hidden[] = "0000000000000000 T _text\n"
                                 "0000000000000000 T do_syscall_64\n";

    ck_assert_ptr_null(
        kallsyms_open((const uint8_t *)hidden, sizeof(hidden) - 1, TEXT));
    ck_assert_ptr_null(kallsyms_open(NULL, 0, TEXT));
}
END_TEST

int main(void)
{
    return suite_run("kallsyms", functions, in_any_order, moved, no_list);
}
