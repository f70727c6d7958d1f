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
     "cpu-samples, every 10000, for 1000000\n"
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
    /* Without times and processes; other records; lines of sources. */
    {"perf-exec 0 PERF_RECORD_COMM: x:1/1\n"
     "a 8 cycles:u: \n"
     "\t    1011 f+0x1 (/bin/a+0x1011)\n"
     "  a.c:12\n"
     "\t    2011 main (/bin/a+0x2011)\n"
     "\n"
     "a 8 PERF_RECORD_MMAP2 8/8: [0x1(0x2) @ 0 0:0 0 0]: r-xp /b\n"
     "b 9 [002] cycles:u:      2021 g (/bin/a+0x2021)\n"
     "b 9 12.000000: cycles:u: \n",
     "cpu-samples\n"
     "cycles:u x 2\n"
     "malformed: 1\n"
     "a: threads stand for processes, which are not in it; perf script -F "
     "+pid prints them\n"
     "a: samples have no times; perf script -F +time prints them\n"
     "process 8 a: 8=a\n"
     "process 9 b: 9=b\n"
     "module /bin/a\n"
     "0 #0: f [a] native +1011 <- main [a] native +2011\n"
     "0 #1: g [a] native +2021\n"},
    /* Without events and files: equal offsets are of different functions. */
    {"a 7/8 1.000000: \n"
     "\t    1010 f\n"
     "\t    2010 main\n"
     "\n"
     "a 7/8 1.000001: 5\n"
     "\tffffffff81000010 sys\n"
     "\t    1010 g\n"
     "\t    2010 [unknown]\n",
     "samples, for 1000\n"
     "samples x 2\n"
     "process 7 : 8=a\n"
     "module [unknown]\n"
     "0 #0: f [[unknown]] native +800000000001 <- main [[unknown]] native "
     "+800000000003\n"
     "1000 #0: sys [[unknown]] kernel +1 <- g [[unknown]] native "
     "+800000000005 <- 0x2010 +2010\n"},
    /* Without threads. */
    {" 1.000000: cycles:\n"
     "\t    1010 f (/bin/a)\n"
     "\n"
     " 1.000001: cycles:\n"
     "\t            1010\n",
     "cpu-samples, for 1000\n"
     "cycles x 2\n"
     "a: samples have no threads; perf script -F +comm,+pid,+tid prints "
     "them\n"
     "process - [unknown]: -\n"
     "module /bin/a\n"
     "0 #0: f [a] native +1010\n"
     "1000 #0: 0x1010 +1010\n"},
    {"8 cycles:\n"
     "\t    1010 f (/bin/a)\n",
     "cpu-samples\n"
     "cycles x 1\n"
     "a: threads stand for processes, which are not in it; perf script -F "
     "+pid prints them\n"
     "a: samples have no times; perf script -F +time prints them\n"
     "process 8 : 8\n"
     "module /bin/a\n"
     "0 #0: f [a] native +1010\n"},
    /* Copied: blanks in place of tabs, or nothing. */
    {"node 7 cycles: \n"
     "            13a80b608e0a RegExp: 12 a: (/tmp/app)\n"
     "                   dd777 f (/bin/a)\n"
     "\n"
     "dd 8 cycles:\n"
     "ffffffff8103d0ca sys ([kernel.kallsyms])\n"
     "7f7241fbe6d8 base 9 b: (/bin/a)\n"
     "\n",
     "cpu-samples\n"
     "cycles x 2\n"
     "a: threads stand for processes, which are not in it; perf script -F "
     "+pid prints them\n"
     "a: samples have no times; perf script -F +time prints them\n"
     "process 7 node: 7=node\n"
     "process 8 dd: 8=dd\n"
     "module /tmp/app\n"
     "module /bin/a\n"
     "module [kernel.kallsyms]\n"
     "0 #0: RegExp: 12 a: [app] native +13a80b608e0a <- f [a] native +dd777\n"
     "0 #1: sys [[kernel.kallsyms]] kernel +ffff8103d0ca <- base 9 b: [a] "
     "native +7f7241fbe6d8\n"},
    /* What simpleperf report-sample prints. */
    {"context_switch:\n"
     "  switch_on: true\n"
     "  time: 1\n"
     "  thread_id: 7\n"
     "sample:\r\n"
     "  event_type: cpu-cycles:u\r\n"
     "  time: 1516268753595265\r\n"
     "  event_count: 1000\r\n"
     "  thread_id: 7\r\n"
     "  thread_name: my app: 1\r\n"
     "  vaddr_in_file: 64ac\r\n"
     "  file: /data/my app\r\n"
     "  symbol: work(int)\r\n"
     "  callchain:\r\n"
     "    vaddr_in_file: 7000\r\n"
     "    file: /data/libc.so\r\n"
     "    symbol: libc.so[+7000]\r\n"
     "    vaddr_in_file: 8000\r\n"
     "    file: /data/my app\r\n"
     "    symbol: operator[]\r\n"
     "lost_situation:\n"
     "  symbol: not of a sample\n"
     "sample:\n"
     "  event_type: cpu-cycles:u\n"
     "  time: 1516268753595266\n"
     "  event_count: 5\n"
     "  thread_id: 8\n"
     "  vaddr_in_file: 10\n"
     "  file: [kernel.kallsyms]\n"
     "  symbol: sys_read\n"
     "sample:\n"
     "  event_type: page-faults\n"
     "  time: 1516268753595267\n"
     "  thread_id: 8\n",
     "cpu-samples, for 1\n"
     "cpu-cycles:u x 2\n"
     "page-faults x 1\n"
     "a: threads stand for processes, which are not in it\n"
     "process 7 my app: 1: 7=my app: 1\n"
     "process 8 : 8\n"
     "module /data/my app\n"
     "module /data/libc.so\n"
     "module [kernel.kallsyms]\n"
     "0 #0: work(int) [my app] native +64ac <- libc.so!+0x7000 [libc.so] "
     "native +7000 <- operator[] [my app] native +8000\n"
     "1 #1: sys_read [[kernel.kallsyms]] kernel +10\n"},
};

TEST_LOOP(said, COUNT(files))
{
    profile_text_check(&perf_script_format, &files[_i]);
}

static const struct profile_text_beginning beginnings[] = {
    {"sample:\n  event_type: c\n", PROBE_YES},
    {"sample:\r\n  event_type: c\r\n", PROBE_YES},
    {"context_switch:\n  switch_on: true\n", PROBE_YES},
    {"sample:\n", PROBE_NO},
    {"sample:\n  time: 5\n", PROBE_NO},
    {"sample: 1\n  event_type: c\n", PROBE_NO},
    {"  sample:\n  event_type: c\n", PROBE_NO},
    {"event_type:\n  event_type: c\n", PROBE_NO},
};

TEST_LOOP(what_is_one, COUNT(beginnings))
{
    profile_text_probe(&perf_script_format, &beginnings[_i]);
}

/* Of a stack deeper than any is read, what is kept of deep ones. */
TEST(deepest)
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
