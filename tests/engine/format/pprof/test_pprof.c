/* Profiles of pprof made by hand, and all that a profile has of them. */
#include "engine/format/named.h"
#include "tests/engine/format/pprof/parts.h"
#include "tests/support/profile_text.h"
#include "tests/support/suite.h"

/* By their index. */
static const char *const strings[] = {
    "",          "samples",      "count", "cpu",          "nanoseconds",
    "pid",       "thread",       "tid",   "process",      "main",
    "lib.so",    "run",          "run.c", "12",           "00ff1a",
    "thread_id", "thread_name",  "wall",  "milliseconds", "delay",
    "seconds",   "bytes",        "12x",   "4294967296",   "0f0",
    "/bin/app",  "microseconds", "0g",    "default",      "us",
};

enum {
    S_SAMPLES = 1,
    S_COUNT,
    S_CPU,
    S_NS,
    S_PID,
    S_THREAD,
    S_TID,
    S_PROCESS,
    S_MAIN,
    S_LIB,
    S_RUN,
    S_FILE,
    S_12,
    S_ID,
    S_THREAD_ID,
    S_THREAD_NAME,
    S_WALL,
    S_MS,
    S_DELAY,
    S_SECONDS,
    S_BYTES,
    S_12X,
    S_LARGE,
    S_ODD,
    S_APP,
    S_US,
    S_NO_HEX,
    S_DEFAULT,
    S_US_SHORT,
};

static void put_strings(struct blob *b)
{
    for (size_t i = 0; i < COUNT(strings); i++)
        put_bytes(b, STRING, strings[i], strlen(strings[i]));
}

/* Functions 1 and 2; location 1 in the first mapping, 2 with a function that
 * was inlined, 3 without a name. */
static void put_code(struct blob *b)
{
    struct blob location = {0};

    MESSAGE(b, MAPPING, 1, 1, 2, 0x1000, 3, 0x2000, 4, 0x100, 5, S_APP, 6,
            S_ID);
    MESSAGE(b, MAPPING, 1, 2, 2, 0x8000, 5, S_LIB, 6, S_ODD);
    MESSAGE(b, FUNCTION, 1, 1, 2, S_MAIN, 4, S_FILE);
    MESSAGE(b, FUNCTION, 1, 2, 2, S_RUN);
    put_number(&location, 1, 1);
    put_number(&location, 2, 1);
    put_number(&location, 3, 0x1010);
    MESSAGE(&location, 4, 1, 1, 2, 7);
    put_bytes(b, LOCATION, location.data, location.len);
    location.len = 0;
    put_number(&location, 1, 2);
    put_number(&location, 2, 2);
    put_number(&location, 3, 0x8020);
    MESSAGE(&location, 4, 1, 2, 2, UINT32_MAX);
    MESSAGE(&location, 4, 1, 1, 2, UINT32_MAX - 1u);
    MESSAGE(&location, 4, 1, 1, 2, 3);
    MESSAGE(&location, 9, 1, 1);
    put_bytes(b, LOCATION, location.data, location.len);
    MESSAGE(b, LOCATION, 1, 3, 2, 2, 3, 0x7FFF);
    MESSAGE(b, LOCATION, 1, 4, 3, 0x50);
    MESSAGE(b, LOCATION, 1, 5, 2, 77, 3, 0x50);
    free(location.data);
}

/* Locations, one value, and a label: its key, its text and its number. */
static void put_sample(struct blob *b, uint64_t location, uint64_t value,
                       uint64_t key, uint64_t text, uint64_t number)
{
    struct blob m = {0};

    put_number(&m, 1, location);
    put_number(&m, 1, 1);
    put_number(&m, 2, value);
    if (key)
        MESSAGE(&m, 3, 1, key, 2, text, 3, number);
    put_bytes(b, SAMPLE, m.data, m.len);
    free(m.data);
}

static void check(struct blob *b, const char *event, const char *expected)
{
    char *text = profile_text_of_bytes(&pprof_format, b->data, b->len, event);

    ck_assert_str_eq(text, expected);
    free(text);
    free(b->data);
    *b = (struct blob){0};
}

/* ---- all of it ---- */

TEST(locations_and_modules)
{
    struct blob b = {0};

    MESSAGE(&b, TYPE, 1, S_SAMPLES, 2, S_COUNT);
    for (uint64_t i = 1; i <= 6; i++)
        put_sample(&b, i, i, 0, 0, 0);
    put_code(&b);
    put_strings(&b);
    put_number(&b, 9, 1700000000000000000);
    put_number(&b, 10, 5000);
    MESSAGE(&b, 11, 1, S_CPU, 2, S_MS);
    put_number(&b, 12, 10);
    check(&b, NULL,
          "cpu-samples, every 10000000, for 5000, from 1700000000000000000\n"
          "not in the format: threads, times, losses\n"
          "sample x 6\n"
          "malformed: 1\n"
          "process - app: 0\n"
          "module /bin/app id 00ff1a\n"
          "module lib.so\n"
          "0 #0: main [app] run.c:7 +110 <- main [app] run.c:7 +110\n"
          "0 #0 x2: (run [lib.so] (main [lib.so] run.c:4294967294 "
          "main [lib.so] run.c:3 +20 <- main [app] run.c:7 +110\n"
          "0 #0 x3: lib.so!+0x7fff [lib.so] +7fff <- main [app] run.c:7 "
          "+110\n"
          "0 #0 x4: 0x50 +50 <- main [app] run.c:7 +110\n"
          "0 #0 x5: 0x50 +50 <- main [app] run.c:7 +110\n"
          "0 #0 x6: main [app] run.c:7 +110\n");
}

/* Labels that name a process or a thread. */
static const struct {
    uint64_t key, text, number;
    const char *process;
} labels[] = {
    {S_PID, 0, 7, "process 7 : 0\n"},
    {S_PID, S_12, 7, "process 12 : 0\n"},
    {S_PID, S_12X, 7, "process - : 0\n"},
    {S_PID, S_LARGE, 0, "process - : 0\n"},
    {S_TID, 0, 9, "process - : 9\n"},
    {S_THREAD_ID, S_12, 0, "process - : 12\n"},
    {S_PROCESS, S_MAIN, 0, "process - main: 0\n"},
    {S_PROCESS, 0, 1, "process - : 0\n"},
    {S_THREAD, S_MAIN, 0, "process - : 0=main\n"},
    {S_THREAD_NAME, S_RUN, 0, "process - : 0=run\n"},
    {S_THREAD_NAME, 0, 3, "process - : 0\n"},
    {S_CPU, S_RUN, 3, "process - : 0\n"},
};

TEST_LOOP(labels_of_samples, COUNT(labels))
{
    bool threads = labels[_i].key == S_TID || labels[_i].key == S_THREAD_ID;
    struct blob b = {0};
    char expected[300];

    MESSAGE(&b, TYPE, 1, S_BYTES, 2, S_COUNT);
    put_sample(&b, 1, 1, labels[_i].key, labels[_i].text, labels[_i].number);
    MESSAGE(&b, LOCATION, 1, 1, 3, 0);
    put_strings(&b);
    snprintf(expected, sizeof(expected),
             "bytes in count\nnot in the format: modules, %stimes, "
             "addresses, losses\nsample x 1\n%s0 #0: 0x0 <- 0x0\n",
             threads ? "" : "threads, ", labels[_i].process);
    check(&b, NULL, expected);
}

/* What is counted: a type and its unit; what is chosen of several. */
static const struct {
    uint64_t types[3][2];
    uint64_t standard;
    const char *event, *said;
} counts[] = {
    {{{S_SAMPLES, S_COUNT}, {S_CPU, S_NS}}, 0, NULL, "cpu-samples x1"},
    {{{S_CPU, S_MS}, {S_SAMPLES, S_COUNT}}, 0, NULL, "cpu-samples x2"},
    {{{S_SAMPLES, S_COUNT}, {S_CPU, S_MS}},
     0,
     "cpu",
     "cpu-time in milliseconds x2"},
    {{{S_SAMPLES, S_COUNT}, {S_WALL, S_MS}}, 0, NULL, "thread-samples x1"},
    {{{S_SAMPLES, S_COUNT}, {S_WALL, S_MS}},
     0,
     "wall",
     "thread-time in milliseconds x2"},
    {{{S_DELAY, S_SECONDS}}, 0, NULL, "wait-time in seconds x1"},
    {{{S_DELAY, S_US}}, 0, NULL, "wait-time in microseconds x1"},
    {{{S_DELAY, S_US_SHORT}}, 0, NULL, "wait-time in us x1"},
    {{{S_RUN, S_MS}}, 0, NULL, "run in milliseconds x1"},
    {{{S_BYTES, S_BYTES}}, 0, NULL, "bytes in bytes x1"},
    {{{S_BYTES, S_12X}}, 0, NULL, "bytes in 12x x1"},
    {{{S_WALL, S_MS}, {S_CPU, S_NS}}, 0, NULL, "cpu-time in nanoseconds x2"},
    {{{S_BYTES, S_BYTES}, {S_WALL, S_MS}, {S_RUN, S_COUNT}},
     S_WALL,
     NULL,
     "thread-time in milliseconds x2"},
    {{{S_BYTES, S_BYTES}, {S_RUN, S_COUNT}}, S_WALL, NULL, "bytes in bytes x1"},
    {{{S_RUN, S_COUNT}, {S_BYTES, S_BYTES}}, 0, NULL, "run in count x1"},
    {{{S_RUN, 0}}, 0, NULL, "run in count x1"},
    {{{S_CPU, 0}}, 0, NULL, "cpu in count x1"},
    {{{S_SAMPLES, 0}}, 0, NULL, "samples x1"},
    {{{S_SAMPLES, S_COUNT}, {S_CPU, S_NS}}, 0, NULL, "cpu-samples x1"},
    {{{S_SAMPLES, S_BYTES}}, 0, NULL, "samples in bytes x1"},
    {{{S_BYTES, S_BYTES}, {S_WALL, S_MS}}, 0, "bytes", "bytes in bytes x1"},
    {{{S_BYTES, S_BYTES}, {S_WALL, S_MS}},
     0,
     "cpu",
     "a: no sample type \"cpu\"; the first one is \"bytes\", topfn info lists "
     "all"},
    {{{0}}, 0, NULL, "a: no sample type is stated"},
};

TEST_LOOP(what_is_counted, COUNT(counts))
{
    struct blob b = {0}, m = {0};
    const char *expected = counts[_i].said, *weight = strchr(expected, 'x');
    char *text;

    size_t types = 0;

    for (; types < 3 && counts[_i].types[types][0]; types++)
        MESSAGE(&b, TYPE, 1, counts[_i].types[types][0], 2,
                counts[_i].types[types][1]);
    put_number(&m, 1, 1);
    put_bytes(&m, 2, "\1\2\3", types); /* a value of each */
    put_bytes(&b, SAMPLE, m.data, m.len);
    MESSAGE(&b, LOCATION, 1, 1, 3, 0);
    put_strings(&b);
    put_number(&b, 14, counts[_i].standard);
    text =
        profile_text_of_bytes(&pprof_format, b.data, b.len, counts[_i].event);
    if (!strncmp(expected, "a: ", 3)) {
        ck_assert_str_eq(text, expected);
    } else {
        size_t n = (size_t)(strstr(expected, " x") - expected);
        char sample[30];

        weight = strstr(expected, " x");
        snprintf(sample, sizeof(sample),
                 "0 #0%s:", strcmp(weight, " x1") ? weight : "");
        ck_assert_msg(!strncmp(text, expected, n) && text[n] == '\n', "%s",
                      text);
        ck_assert_msg(strstr(text, sample), "%s", text);
    }
    free(text);
    free(b.data);
    free(m.data);
}

/* A type without a value is not chosen, be it the default, where another has
 * one. */
TEST(types_without_values)
{
    static const struct {
        const char *values;
        uint64_t standard;
        const char *said;
    } rows[] = {
        {"\0\0\3", 0, "cpu-time in nanoseconds\n"},
        {"\0\2\0", 0, "cpu-samples\n"},
        {"\1\0\0", S_CPU, "run in count\n"},
        {"\0\0\0", S_CPU, "cpu-time in nanoseconds\n"},
        {"\1\2\3", S_RUN, "run in count\n"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct blob b = {0}, m = {0};
        char *text;

        MESSAGE(&b, TYPE, 1, S_RUN, 2, S_COUNT);
        MESSAGE(&b, TYPE, 1, S_SAMPLES, 2, S_COUNT);
        MESSAGE(&b, TYPE, 1, S_CPU, 2, S_NS);
        put_number(&m, 1, 1);
        put_bytes(&m, 2, rows[i].values, 3);
        put_bytes(&b, SAMPLE, m.data, m.len);
        MESSAGE(&b, LOCATION, 1, 1, 3, 0);
        put_strings(&b);
        put_number(&b, 14, rows[i].standard);
        text = profile_text_of_bytes(&pprof_format, b.data, b.len, NULL);
        ck_assert_msg(!strncmp(text, rows[i].said, strlen(rows[i].said)), "%s",
                      text);
        free(text);
        free(b.data);
        free(m.data);
    }
}

/* Below 0, and as large as they get. */
TEST(values_at_the_limits)
{
    struct blob b = {0};

    MESSAGE(&b, TYPE, 1, S_CPU, 2, S_SECONDS);
    put_sample(&b, 1, (uint64_t)-1, 0, 0, 0);
    put_sample(&b, 1, UINT64_MAX / 4, 0, 0, 0);
    put_sample(&b, 1, 0, 0, 0, 0);
    put_sample(&b, 1, 2, 0, 0, 0);
    MESSAGE(&b, LOCATION, 1, 1, 3, 0);
    put_strings(&b);
    check(
        &b, NULL,
        "cpu-time in seconds\nnot in the format: modules, threads, times, "
        "addresses, losses\nsample x 4\n1 negative value left out: the file is "
        "a difference of two profiles, and only increases are shown\nprocess - "
        ": 0\n0 #0 x4611686018427387903: 0x0 <- 0x0\n0 #0 x2: 0x0 <- 0x0\n");
}

/* Frames that pprof drops are kept, and that is said. */
TEST(frames_to_drop)
{
    struct blob b = {0};

    MESSAGE(&b, TYPE, 1, S_CPU, 2, S_SECONDS);
    put_sample(&b, 1, 5, 0, 0, 0);
    MESSAGE(&b, LOCATION, 1, 1, 3, 0);
    put_strings(&b);
    put_number(&b, 7, S_RUN);
    check(&b, NULL,
          "cpu-time in seconds\nnot in the format: modules, threads, times, "
          "addresses, losses\nsample x 1\nthe file asks pprof to drop frames "
          "(drop_frames); topfn keeps them\nprocess - : 0\n0 #0 x5: 0x0 <- "
          "0x0\n");
}

/* A sample with another number of values than there are types. */
TEST(values_too_few)
{
    struct blob b = {0};

    MESSAGE(&b, TYPE, 1, S_CPU, 2, S_SECONDS);
    put_sample(&b, 1, 5, 0, 0, 0);
    MESSAGE(&b, SAMPLE, 1, 1);
    MESSAGE(&b, SAMPLE, 1, 1, 2, 7, 2, 8);
    MESSAGE(&b, LOCATION, 1, 1, 3, 0);
    put_strings(&b);
    check(&b, NULL,
          "cpu-time in seconds\nnot in the format: modules, "
          "threads, times, addresses, losses\nsample x 3\nmalformed: 2\n"
          "process - : 0\n0 #0 x5: 0x0 <- 0x0\n");
}

/* ---- what is one ---- */

static enum format_probe probe(struct blob *b)
{
    enum format_probe found = pprof_format.probe(b->data, b->len);

    free(b->data);
    *b = (struct blob){0};
    return found;
}

TEST(what_is_one)
{
    struct blob b = {0};

    MESSAGE(&b, TYPE, 1, 1, 2, 2);
    ck_assert_int_eq(probe(&b), PROBE_MAYBE);
    MESSAGE(&b, TYPE, 1, 1, 3, 2);
    ck_assert_int_eq(probe(&b), PROBE_NO);
    put_bytes(&b, TYPE, "\x0a\0", 2); /* a text in it */
    ck_assert_int_eq(probe(&b), PROBE_NO);
    put_number(&b, TYPE, 7);
    ck_assert_int_eq(probe(&b), PROBE_NO);
    MESSAGE(&b, SAMPLE, 1, 1);
    ck_assert_int_eq(probe(&b), PROBE_NO); /* no type yet */
    MESSAGE(&b, SAMPLE, 1, 1);
    MESSAGE(&b, TYPE, 1, 1, 2, 2);
    ck_assert_int_eq(probe(&b), PROBE_MAYBE);
    put_number(&b, 15, 1);
    MESSAGE(&b, TYPE, 1, 1, 2, 2);
    ck_assert_int_eq(probe(&b), PROBE_MAYBE);
    put_number(&b, 16, 1);
    MESSAGE(&b, TYPE, 1, 1, 2, 2);
    ck_assert_int_eq(probe(&b), PROBE_NO);
    put_number(&b, 13, 1); /* comments are numbers or a list of them */
    put_bytes(&b, 13, "\1", 1);
    MESSAGE(&b, TYPE, 1, 1, 2, 2);
    ck_assert_int_eq(probe(&b), PROBE_MAYBE);
    MESSAGE(&b, TYPE, 1, 1, 2, 2);
    put_bytes(&b, 9, "\1", 1);
    ck_assert_int_eq(probe(&b), PROBE_NO);
    put_number(&b, 2, 1);
    MESSAGE(&b, TYPE, 1, 1, 2, 2);
    ck_assert_int_eq(probe(&b), PROBE_NO);
}
