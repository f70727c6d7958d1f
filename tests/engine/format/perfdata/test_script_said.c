/* Texts of perf script, and all that a profile has of them. */
#include "engine/format/perfdata/perfdata.h"
#include "tests/support/profile_text.h"
#include "tests/support/suite.h"

static const struct profile_text_file files[] = {
    /* Functions that were inlined at one address and at others. */
    {"app 7/7 [000] 1.000000: 1000 cpu-clock:\n"
     "\t    1010 one (inlined)\n"
     "\t    1010 two (inlined)\n"
     "\t    1010 run+0x10 (/bin/app)\n"
     "\t    2020 two (inlined)\n"
     "\t    2020 three (inlined)\n"
     "\t    2020 main (/bin/app)\n"
     "\n"
     "app 7/7 [000] 1.001000: 1000 cpu-clock:\n"
     "\t    1010 one (inlined)\n"
     "\t    1010 run+0x10 (/lib/other.so)\n"
     "\t    2024 main (/bin/app)\n",
     "cpu-samples, every 1000, for 1000000\n"
     "cpu-clock x 2\n"
     "process 7 app: 7=app\n"
     "module /bin/app\n"
     "module /lib/other.so\n"
     "0 #0: one [app] native +800000000001 <- two [app] native "
     "+800000000003 <- run [app] native +1010 <- two [app] native "
     "+800000000003 <- three [app] native +800000000005 <- main [app] "
     "native +2020\n"
     "1000000 #0: one [other.so] native +800000000007 <- run [other.so] "
     "native +1010 <- main [app] native +2024\n"},
    /* Kernel and program; without a stack; the idle one; another program. */
    {"a 7/8 [003] 5.000000000: cycles:u:\n"
     "\tffffffff81000010 sys ([kernel.kallsyms])\n"
     "\t    1010 f (/bin/a)\n"
     "\n"
     "a 7/8 [003] 5.000000100: cycles:u:\n"
     "\tffffffff81000020 [unknown] ([kernel.kallsyms])\n"
     "\n"
     "a 7/8 [003] 5.000000200: cycles:u:\n"
     "\n"
     "swapper 0/0 [001] 5.000000300: cycles:u: ffffffff81000030 idle (k)\n"
     "b 7/8 [003] 5.000000400: cycles:u:\n"
     "\t    1010 [unknown] (/bin/a)\n"
     "\t    1014 [unknown] ([unknown])\n",
     "cpu-samples, for 400\n"
     "cycles:u x 5\n"
     "process 0 swapper: 0=swapper\n"
     "process 7 : 8=b 8=a\n"
     "module [kernel.kallsyms]\n"
     "module /bin/a\n"
     "module k\n"
     "0 #2: sys [[kernel.kallsyms]] kernel +ffff81000010 <- f [a] native "
     "+1010\n"
     "100 #2: [kernel.kallsyms]!+0xffff81000020 [[kernel.kallsyms]] "
     "kernel +ffff81000020\n"
     "200 #2: 0x0\n"
     "300 #1 idle: idle [k] kernel +1\n"
     "400 #0: f [a] native +1010 <- 0x1014 +1014\n"},
    /* Only threads are told, and periods that differ. */
    {"a 8 5.000000: 10 cycles:\n"
     "\t    1010 f (/bin/a)\n"
     "\n"
     "a 9 5.000001: 20 cycles:\n"
     "\t    1010 f (/bin/a)\n"
     "no head\n"
     "\n"
     "\t    1010 f (/bin/a)\n",
     "cpu-samples, for 1000\n"
     "cycles x 2\n"
     "malformed: 1\n"
     "a: threads stand for processes, which are not in it; perf script -F "
     "+pid prints them\n"
     "process 8 a: 8=a\n"
     "process 9 a: 9=a\n"
     "module /bin/a\n"
     "0 #0: f [a] native +1010\n"
     "1000 #1: f [a] native +1010\n"},
};

START_TEST(said)
{
    profile_text_check(&perf_script_format, &files[_i]);
}
END_TEST

/* Of a stack deeper than any is read, what is kept of deep ones. */
START_TEST(deepest)
{
    static const char head[] = "a 7/7 [000] 1.000000: cycles:\n",
                      frame[] = "\t    1010 f (/bin/a)\n";
    enum { READ = STACK_PART_DEEPEST, KEPT = STACK_PART_DEEPEST };
    size_t frames = 0, n = strlen(head), each = strlen(frame);
    char *text = calloc(n + (READ + 9) * each + 1, 1), *said;

    ck_assert_ptr_nonnull(text);
    memcpy(text, head, n);
    for (size_t i = 0; i < READ + 9; i++, n += each)
        memcpy(text + n, frame, each);
    said = profile_text_of_bytes(&perf_script_format, text, n, NULL);
    for (const char *at = said; (at = strstr(at, "f [a]")); at++)
        frames++;
    ck_assert_uint_eq(frames, KEPT);
    free(said);
    free(text);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("perf script, said");

    tcase_add_loop_test(tests, said, 0, sizeof(files) / sizeof(*files));
    tcase_add_test(tests, deepest);
    return suite_run_case("perf script, said", tests);
}
