/* Lines of perf script: heads of samples, and frames. */
#include "engine/format/perfdata/printed.h"

#include "tests/support/suite.h"

static struct bytes bytes_of(const char *text)
{
    return (struct bytes){(const uint8_t *)text, strlen(text)};
}

static bool matches(struct bytes b, const char *text)
{
    return b.len == strlen(text) && (!b.len || !memcmp(b.data, text, b.len));
}

/* ---- heads ---- */

static const struct {
    const char *line;
    const char *name; /* NULL: it is none */
    uint32_t pid, tid;
    uint16_t cpu;
    uint64_t time, period;
    const char *event, *rest;
} heads[] = {
    {"app 12/13 [003] 4.000005: 100 cycles:u: 7f00 f", "app", 12, 13, 3,
     4000005000, 100, "cycles:u", "7f00 f"},
    {"app 13 4.000000005: cycles:", "app", 13, 13, 0, 4000000005, 0, "cycles",
     ""},
    {"\tmy app\t 1/2 \t[65535]\t9.999999: \t5\tc:\t", "my app", 1, 2, 65535,
     9999999000, 5, "c", ""},
    {"a:b 7/8 0.000001: sched:sched_switch: x", "a:b", 7, 8, 0, 1000, 0,
     "sched:sched_switch", "x"},
    {"a 1:2 3 [0] 5.000000: e:", "a 1:2", 3, 3, 0, 5000000000, 0, "e", ""},
    {"a 7 KE 1.000000: e:", "a", 7, 7, 0, 1000000000, 0, "e", ""},
    {"a 7 [3] U 1.000000: e:", "a", 7, 7, 3, 1000000000, 0, "e", ""},
    {"K 7 U 1.000000: e:", "K", 7, 7, 0, 1000000000, 0, "e", ""},
    {"a 7 x 1.000000: e:", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"a 7 1.000000: 12: x", "a", 7, 7, 0, 1000000000, 0, "12", "x"},
    {"a 7 1.000000: 1 2 3:", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"a 7 1.00000: e:", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"a 7 1.0000000: e:", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"a 7 1,000000: e:", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"a 7 .000000: e:", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"a 7 x1.000000: e:", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"1.000000: e:", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"000000: e:", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"a 7 1.000000 e:", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"a 7 1.000000: e", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"a 7 1.000000: :", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"a 7 1.000000:", "a", 7, 7, 0, 1000000000, 0, "", ""},
    {"a 7 1.000000: 5", "a", 7, 7, 0, 1000000000, 5, "", ""},
    {"a x 1.000000: e:", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"7 1.000000: e:", "", 7, 7, 0, 1000000000, 0, "e", ""},
    {" 7/8 1.000000: e:", "", 7, 8, 0, 1000000000, 0, "e", ""},
    {"a7 1.000000: e:", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"a /8 1.000000: e:", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"a 7/ 1.000000: e:", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"a 7 3] 1.000000: e:", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"a 7 (3] 1.000000: e:", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"3] 1.000000: e:", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"[3] 1.000000: e:", "", UINT32_MAX, UINT32_MAX, 3, 1000000000, 0, "e", ""},
    {" 1.000000: 12 e:", "", UINT32_MAX, UINT32_MAX, 0, 1000000000, 12, "e",
     ""},
    {" 1.000000: 1f f (k)", "", UINT32_MAX, UINT32_MAX, 0, 1000000000, 0, "",
     "1f f (k)"},
    {"a 7 1.000000: 1f f", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {":-1    -1/-1    1.000000: e:", ":-1", UINT32_MAX, UINT32_MAX, 0,
     1000000000, 0, "e", ""},
    {"a -2 1.000000: e:", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    /* Without a time. */
    {"java  3244 cpu-clock: ", "java", 3244, 3244, 0, 0, 0, "cpu-clock", ""},
    {"my app 2 7/8 [003]  100 cycles:u:", "my app 2", 7, 8, 3, 0, 100,
     "cycles:u", ""},
    {"a 7 [0] e: 1f f (k)", "a", 7, 7, 0, 0, 0, "e", "1f f (k)"},
    {"a 7 sched:sched_switch: prev_comm=a 1", "a", 7, 7, 0, 0, 0,
     "sched:sched_switch", "prev_comm=a 1"},
    {"7 e:", "", 7, 7, 0, 0, 0, "e", ""},
    {"e:", "", UINT32_MAX, UINT32_MAX, 0, 0, 0, "e", ""},
    {"a 7 ", "a", 7, 7, 0, 0, 0, "", ""},
    {"a 7/8 [1] 5", "a", 7, 8, 1, 0, 5, "", ""},
    {"a 7      55d0c1a2b234 f (k)", "a", 7, 7, 0, 0, 0, "",
     "55d0c1a2b234 f (k)"},
    {"a 7/8 [2]  ffffffff81000010 f (k)", "a", 7, 8, 2, 0, 0, "",
     "ffffffff81000010 f (k)"},
    {"a 7 added f (k)", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"a 7      55d0c1a2b234 f", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"a 7 e: x", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"a 7 [x] e:", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"a e:", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"7", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"main;work", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {"", NULL, 0, 0, 0, 0, 0, NULL, NULL},
    {":", NULL, 0, 0, 0, 0, 0, NULL, NULL},
};

TEST_LOOP(heads_of_samples, COUNT(heads))
{
    struct printed_head head;
    bool is = printed_head(bytes_of(heads[_i].line), &head);

    ck_assert(is == !!heads[_i].name);
    if (!is)
        return;
    ck_assert(matches(head.name, heads[_i].name));
    ck_assert_uint_eq(head.pid, heads[_i].pid);
    ck_assert_uint_eq(head.tid, heads[_i].tid);
    ck_assert(!head.has_tid || head.has_pid == (head.pid != head.tid) ||
              head.pid == UINT32_MAX);
    ck_assert(head.has_time == (head.time > 0));
    ck_assert_uint_eq(head.cpu, heads[_i].cpu);
    ck_assert_uint_eq(head.time, heads[_i].time);
    ck_assert_uint_eq(head.period, heads[_i].period);
    ck_assert(matches(head.event, heads[_i].event));
    ck_assert(matches(head.rest, heads[_i].rest));
}

/* ---- frames ---- */

static const struct {
    const char *line;
    uint64_t address;
    const char *symbol, *file; /* NULL: it is none */
    bool inlined;
} frames[] = {
    {"\t    401136 main+0x16 (/srv/app)", 0x401136, "main", "/srv/app", false},
    {"ffffffffffffffff f (k)", UINT64_MAX, "f", "k", false},
    {"ABCdef f (k)\r", 0xABCDEF, "f", "k", false},
    {"1ffffffffffffffff f (k)", 0, NULL, NULL, false},
    {"12 [unknown] ([unknown])", 0x12, "", "", false},
    {"12 f (inlined)", 0x12, "f", "", true},
    {"12 f(int, char (*)()) (a b (deleted))", 0x12, "f(int, char (*)())",
     "a b (deleted)", false},
    {"12 f(x)+0xaF (k)", 0x12, "f(x)", "k", false},
    {"12 f+0x (k)", 0x12, "f+0x", "k", false},
    {"12 f+0xg (k)", 0x12, "f+0xg", "k", false},
    {"12 0x1f (k)", 0x12, "0x1f", "k", false},
    {"12 +0x1 (k)", 0x12, "+0x1", "k", false},
    {"12 a+0x1 (k)", 0x12, "a", "k", false},
    {"12  (k)", 0x12, "", "k", false},
    {"12 f ()", 0x12, "f", "", false},
    {"12 f k)", 0, NULL, NULL, false},
    {"12 f (k", 0, NULL, NULL, false},
    {"12 f", 0x12, "f", "", false},
    {"12 f(int) const", 0x12, "f(int) const", "", false},
    {"12 [unknown]", 0x12, "", "", false},
    {"\t              12", 0x12, "", "", false},
    {"\t12", 0, NULL, NULL, false},
    {"               12", 0, NULL, NULL, false},
    {"12 f (/a/b+0x1c)", 0x12, "f", "/a/b", false},
    {"12 f+0x1 (a+0x1g)", 0x12, "f", "a+0x1g", false},
    {"12 f )(", 0, NULL, NULL, false},
    {"12(k)", 0, NULL, NULL, false},
    {"12x f (k)", 0, NULL, NULL, false},
    {"f (k)", 0xF, "", "k", false},
    {"x f (k)", 0, NULL, NULL, false},
    {"(k)", 0, NULL, NULL, false},
    {")", 0, NULL, NULL, false},
    {"", 0, NULL, NULL, false},
};

TEST_LOOP(frames_of_stacks, COUNT(frames))
{
    struct printed_frame frame;
    bool is = printed_frame(bytes_of(frames[_i].line), &frame);

    ck_assert(is == !!frames[_i].symbol);
    if (!is)
        return;
    ck_assert_uint_eq(frame.address, frames[_i].address);
    ck_assert(matches(frame.symbol, frames[_i].symbol));
    ck_assert(matches(frame.file, frames[_i].file));
    ck_assert(frame.inlined == frames[_i].inlined);
}

TEST(fields_and_records)
{
    struct printed_head timed, same, untimed;

    ck_assert(printed_head(bytes_of("a 7 1.000000: e:"), &timed));
    ck_assert(printed_head(bytes_of("9 2.000000: f: x"), &same));
    ck_assert(printed_same_fields(&timed, &same));
    ck_assert(printed_head(bytes_of("a 7 1.000000:"), &same));
    ck_assert(!printed_same_fields(&timed, &same));
    ck_assert(printed_head(bytes_of(" 1.000000: e:"), &same));
    ck_assert(!printed_same_fields(&timed, &same));
    ck_assert(printed_head(bytes_of("a 7 e:"), &untimed));
    ck_assert(!printed_same_fields(&timed, &untimed));
    ck_assert(printed_head(bytes_of("7 e:"), &same));
    ck_assert(!printed_same_fields(&untimed, &same));
    ck_assert(
        printed_record(bytes_of("a 7 1.000000: PERF_RECORD_COMM: b:1/1")));
    ck_assert(!printed_record(bytes_of("PERF_RECORD_COMM")));
}

TEST(lines_of_texts)
{
    struct bytes text = bytes_of("ab\n\nc"), line;
    static const char *const lines[] = {"ab", "", "c"};
    size_t at = 0;

    for (size_t i = 0; i < 3; i++) {
        ck_assert(printed_line(text, &at, &line));
        ck_assert(matches(line, lines[i]));
    }
    ck_assert_uint_eq(at, 5);
    ck_assert(!printed_line(text, &at, &line));
}
