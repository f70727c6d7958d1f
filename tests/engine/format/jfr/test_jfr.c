/* Recordings of Java made by hand, and all that a profile has of them. */
#include "engine/format/named.h"
#include "engine/base/text.h"
#include "engine/input/recording.h"
#include "tests/engine/format/jfr/chunk.h"
#include "tests/support/profile_text.h"

/* Constants that the tests share: Shop.pay(int, String[]) at lines, a native
 * function, a hidden class. Texts of all encodings. */
static void put_code(struct jfr_writer *w)
{
    pool(w, C_STRING, 1);
    number(w, 1, 8), text(w, "\3pay");
    pool(w, C_SYMBOL, 11);
    number(w, 1, 8), text(w, "\3shop/Shop$Till");
    number(w, 2, 8), text(w, "\2"), number(w, 1, 8);
    number(w, 3, 8), text(w, "\5(I[Ljava/lang/String;)V");
    number(w, 4, 8), text(w, "\4gr\xFC\xDF");
    number(w, 5, 8), text(w, "\5()V");
    number(w, 6, 8), text(w, "\3Shop$$Lambda$1+0x00007f00/99");
    number(w, 7, 8), text(w, "\3read");
    number(w, 8, 8), text(w, "\3()L;");
    number(w, 9, 8), text(w, "\3libc.so.6");
    number(w, 10, 8), text(w, "\3java.base");
    number(w, 1, 8), text(w, "\3the second of a key");
    pool(w, C_MODULE, 1);
    number(w, 1, 8), number(w, 10, 8);
    pool(w, C_PACKAGE, 1);
    number(w, 1, 8), number(w, 1, 8);
    pool(w, C_LOADER, 1);
    number(w, 1, 8), number(w, 9, 8);
    pool(w, C_CLASS, 4);
    number(w, 1, 8), number(w, 1, 8), number(w, 1, 8), number(w, 1, 8);
    number(w, 2, 8), number(w, 0, 8), number(w, 6, 8), number(w, 0, 8);
    number(w, 3, 8), number(w, 0, 8), number(w, 9, 8), number(w, 0, 8);
    number(w, 4, 8), number(w, 1, 8), number(w, 1, 8), number(w, 0, 8);
    pool(w, C_METHOD, 4);
    number(w, 1, 8), number(w, 1, 8), number(w, 2, 8), number(w, 3, 8);
    number(w, 2, 8), number(w, 2, 8), number(w, 4, 8), number(w, 5, 8);
    number(w, 3, 8), number(w, 3, 8), number(w, 7, 8), number(w, 8, 8);
    number(w, 4, 8), number(w, 4, 8), number(w, 4, 8), number(w, 5, 8);
    pool(w, C_FRAME_TYPE, 3);
    number(w, 1, 8), text(w, "\3JIT compiled");
    number(w, 2, 8), text(w, "\3Inlined");
    number(w, 3, 8), text(w, "\3Native");
}

static void put_frame(struct jfr_writer *w, uint64_t method, uint32_t line,
                      uint64_t type)
{
    number(w, method, 8), number(w, line, 4), number(w, 7, 4);
    number(w, type, 8);
}

/* Stack 1: native code in an inlined function; 2: truncated, with a method
 * that is not there. Thread 1: of Java; 2: of the system; 3: virtual. */
static void put_stacks(struct jfr_writer *w)
{
    pool(w, C_STACK, 2);
    number(w, 1, 8), byte(w, 0), number(w, 4, 4);
    put_frame(w, 3, UINT32_MAX, 3);
    put_frame(w, 1, 12, 2);
    put_frame(w, 2, 0, 1);
    put_frame(w, 4, 3, 1);
    number(w, 2, 8), byte(w, 1), number(w, 2, 4);
    put_frame(w, 1, 70000, 1);
    put_frame(w, 77, 1, 1);
    pool(w, C_THREAD, 3);
    number(w, 1, 8), text(w, "\3os"), number(w, 100, 8), text(w, "\3main");
    number(w, 1, 8);
    number(w, 2, 8), text(w, "\3GC"), number(w, 101, 8), text(w, "\0");
    number(w, 0, 8);
    number(w, 3, 8), text(w, "\1"), number(w, 0, 8), text(w, "\1");
    number(w, 40, 8);
    pool(w, C_STATE, 3);
    number(w, 1, 8), text(w, "\3STATE_RUNNABLE");
    number(w, 2, 8), text(w, "\3STATE_SLEEPING");
    number(w, 3, 8), text(w, "\3STATE_DEFAULT");
}

static void put_sample(struct jfr_writer *w, uint64_t ticks, uint64_t thread,
                       uint64_t stack, uint64_t state)
{
    begin_event(w, E_SAMPLE);
    number(w, ticks, 8), number(w, thread, 8), number(w, stack, 8);
    number(w, state, 8);
    end_event(w);
}

static void put_process(struct jfr_writer *w, uint64_t pid,
                        const char *arguments)
{
    begin_event(w, E_JVM);
    number(w, 0, 8), text(w, "\3JDK 17"), text(w, arguments);
    number(w, pid, 8);
    end_event(w);
}

static void put_constants(struct jfr_writer *w)
{
    begin_constants(w, 11);
    put_code(w);
    put_stacks(w);
    end_event(w);
}

static void check(struct jfr_writer *w, const char *event, const char *expected)
{
    char *said;

    end_chunk(w);
    said = profile_text_of_bytes(&jfr_format, w->file.data, w->file.len, event);
    ck_assert_str_eq(said, expected);
    free(said);
    writer_free(w);
}

/* ---- all of it, compressed or not ---- */

TEST_LOOP(samples_and_stacks, 2)
{
    struct jfr_writer w = {.fixed = _i};

    begin_chunk(&w, 1000);
    put_sample(&w, 3000, 1, 1, 1);
    put_sample(&w, 2000, 2, 2, 3);
    put_sample(&w, 2500, 3, 0, 1);
    put_process(&w, 4711, "\3/opt/shop.jar --port 1");
    put_constants(&w);
    check(&w, NULL,
          "cpu-samples, for 9000000000, from 1700000000000000000\n"
          "JVM: JDK 17\n"
          "not in the format: addresses, source files\n"
          "jdk.ExecutionSample x 3\n"
          "jdk.JVMInformation x 1\n"
          "stacks or names that the file does not hold: 1\n"
          "process 4711 shop.jar: 100=main 101=GC 40\n"
          "module libc.so.6\n"
          "module java.base\n"
          "1000000000 #1: shop.Shop$Till.pay(int, String[]) [java.base] "
          "shop/Shop.java:70000 <- 0x0\n"
          "1500000000 #2: [no stack] [[unknown]]\n"
          "2000000000 #0: read [libc.so.6] native <- (shop.Shop$Till.pay(int, "
          "String[]) [java.base] shop/Shop.java:12 Shop$$Lambda$1.grüß() <- "
          "shop.Shop$Till.grüß() [libc.so.6] shop/Shop.java:3\n");
}

/* A sampled thread that does not run: these are no CPU samples. */
TEST(threads_that_wait)
{
    struct jfr_writer w = {0};

    begin_chunk(&w, 1000);
    put_sample(&w, 1000, 1, 0, 1);
    put_sample(&w, 1001, 1, 0, 2);
    put_constants(&w);
    check(&w, "cpu",
          "thread-samples, for 9000000000, from 1700000000000000000\n"
          "not in the format: modules, addresses, source files\n"
          "jdk.ExecutionSample x 2\n"
          "process - : 100=main\n"
          "0 #0: [no stack] [[unknown]]\n"
          "1000000 #0: [no stack] [[unknown]]\n");
}

/* A duration is in ticks. */
TEST(waits_for_a_lock)
{
    struct jfr_writer w = {0};

    begin_chunk(&w, 500);
    begin_event(&w, E_ENTER);
    number(&w, 1500, 8), number(&w, 3, 8), number(&w, 1, 8), number(&w, 2, 8);
    end_event(&w);
    put_constants(&w);
    check(&w, "Contention",
          "wait-time in nanoseconds, for 9000000000, from 1700000000000000000\n"
          "not in the format: addresses, source files\n"
          "jdk.JavaMonitorEnter x 1\n"
          "stacks or names that the file does not hold: 1\n"
          "process - : 100=main\n"
          "module java.base\n"
          "1000000000 #0 x6000000: shop.Shop$Till.pay(int, String[]) "
          "[java.base] shop/Shop.java:70000 <- 0x0\n");
}

/* ---- async-profiler ---- */

static void put_setting(struct jfr_writer *w, unsigned event, const char *name,
                        const char *value)
{
    begin_event(w, E_SETTING);
    number(w, 0, 8), number(w, event, 8), text(w, name), text(w, value);
    end_event(w);
}

/* The interval is that of the clock it was told; other events have none. */
static const struct {
    const char *event, *said;
} clocks[] = {
    {"\3cpu", "cpu-samples, every 10000000, "},
    {"\3ctimer", "cpu-samples, every 10000000, "},
    {"\3cache-misses", "event-samples, for"},
    {"\0", "cpu-samples, every 10000000, "},
};

TEST_LOOP(clocks_of_async_profiler, COUNT(clocks))
{
    struct jfr_writer w = {0};
    char *said;

    begin_chunk(&w, 1000);
    put_setting(&w, E_RECORDING, "\3event", clocks[_i].event);
    put_setting(&w, E_SAMPLE, "\3interval",
                "\0031000"
                "0000");
    put_sample(&w, 1000, 1, 0, 1);
    end_chunk(&w);
    said = profile_text_of_bytes(&jfr_format, w.file.data, w.file.len, NULL);
    ck_assert_msg(text_starts(said, clocks[_i].said), "%s", said);
    free(said);
    writer_free(&w);
}

/* A sample of the wall clock stands for several; memory is weighed in bytes. */
static void put_async_samples(struct jfr_writer *w)
{
    begin_chunk(w, 1000);
    begin_event(w, E_WALL);
    number(w, 1000, 8), number(w, 1, 8), number(w, 2, 8), number(w, 2, 8);
    number(w, 12, 4);
    end_event(w);
    begin_event(w, E_MALLOC);
    number(w, 1000, 8), number(w, 2, 8), number(w, 2, 8), number(w, 0, 8);
    number(w, 4096, 8);
    end_event(w);
    put_constants(w);
}

TEST(wall_clock)
{
    struct jfr_writer w = {0};

    put_async_samples(&w);
    check(&w, NULL,
          "thread-samples, for 9000000000, from 1700000000000000000\n"
          "also recorded (--event): profiler.Malloc 1\n"
          "not in the format: addresses, source files\n"
          "profiler.WallClockSample x 1\n"
          "profiler.Malloc x 1\n"
          "stacks or names that the file does not hold: 1\n"
          "process - : 100=main\n"
          "module java.base\n"
          "0 #0 x12: shop.Shop$Till.pay(int, String[]) [java.base] "
          "shop/Shop.java:70000 <- 0x0\n");
}

TEST(native_memory)
{
    struct jfr_writer w = {0};

    put_async_samples(&w);
    check(&w, "malloc",
          "heap-bytes in bytes, for 9000000000, from 1700000000000000000\n"
          "also recorded (--event): profiler.WallClockSample 1\n"
          "not in the format: addresses, source files\n"
          "profiler.WallClockSample x 1\n"
          "profiler.Malloc x 1\n"
          "stacks or names that the file does not hold: 1\n"
          "process - : 101=GC\n"
          "module java.base\n"
          "0 #0 x4096: shop.Shop$Till.pay(int, String[]) [java.base] "
          "shop/Shop.java:70000 <- 0x0\n");
}

/* ---- garbage collections ---- */

static void put_heap(struct jfr_writer *w, uint32_t id, uint64_t when,
                     uint64_t used)
{
    begin_event(w, E_HEAP);
    number(w, 1000, 8), number(w, id, 4), number(w, when, 8);
    number(w, used, 8);
    end_event(w);
}

static void put_collection(struct jfr_writer *w, uint64_t ticks, uint32_t id,
                           uint64_t name)
{
    begin_event(w, E_COLLECTION);
    number(w, ticks, 8), number(w, 7, 8), number(w, id, 4);
    number(w, name, 8), number(w, 1, 8), number(w, 5, 8), number(w, 4, 8);
    end_event(w);
}

/* Collections and measures of the heap come in no order. */
TEST(garbage_collections)
{
    struct jfr_writer w = {0};
    struct profile *p = profile_new();
    struct err err = {0};
    struct entry entry = {.name = "a", .inner = ""};
    const struct collection *c;

    begin_chunk(&w, 1000);
    put_heap(&w, 0, 2, 30);
    put_collection(&w, 1020, 1, 2);
    put_collection(&w, 1010, 0, 1);
    put_heap(&w, 0, 1, 90);
    put_heap(&w, 5, 1, 90);
    begin_constants(&w, 3);
    pool(&w, C_GC_NAME, 2);
    number(&w, 1, 8), text(&w, "\3G1New"), number(&w, 2, 8), text(&w, "\3New");
    pool(&w, C_GC_CAUSE, 1);
    number(&w, 1, 8), text(&w, "\3System.gc()");
    pool(&w, C_GC_WHEN, 2);
    number(&w, 1, 8), text(&w, "\3Before GC");
    number(&w, 2, 8), text(&w, "\3After GC");
    end_event(&w);
    end_chunk(&w);
    entry.data = w.file.data;
    entry.size = w.file.len;
    ck_assert(!recording_read(&jfr_format, &entry, 1,
                              &(struct read_options){.threads = 1}, p, &err));
    ck_assert_uint_eq(p->collections.len, 2);
    c = &p->collections.data[0];
    ck_assert_int_eq(c->start, 10000000);
    ck_assert_str_eq(collection_kind(c->kind), "G1New");
    ck_assert_str_eq(collection_reason(c->reason), "System.gc()");
    ck_assert_uint_eq(c->paused, 5000000);
    ck_assert_uint_eq(c->longest, 4000000);
    ck_assert_uint_eq(c->before, 90);
    ck_assert_uint_eq(c->after, 30);
    ck_assert_uint_eq(c[1].number, 1);
    ck_assert_str_eq(collection_kind(c[1].kind), "");
    ck_assert(c[1].before == COLLECTION_UNKNOWN);
    ck_assert_uint_eq(profile_fact_named(p, FACT_PAUSED)->number, 10000000);
    profile_free(p);
    writer_free(&w);
}

/* Fields of a class within an event are not taken for the event's. */
TEST_LOOP(an_event_of_a_program, 2)
{
    struct jfr_writer w = {.fixed = _i};

    begin_chunk(&w, 1000);
    begin_event(&w, E_OTHER);
    number(&w, 7777, 8), big(&w.event, 0, 4), number(&w, 1, 4),
        number(&w, 9, 8);
    number(&w, 2, 4);
    for (unsigned i = 0; i < 2; i++)
        number(&w, 8888, 8), big(&w.event, 0, 4), number(&w, 0, 4);
    number(&w, 1005, 8), number(&w, 2, 8);
    end_event(&w);
    put_constants(&w);
    check(&w, "other",
          "test.Other, for 9000000000, from 1700000000000000000\n"
          "not in the format: addresses, source files\n"
          "test.Other x 1\n"
          "stacks or names that the file does not hold: 1\n"
          "process - : 0\n"
          "module java.base\n"
          "5000000 #0: shop.Shop$Till.pay(int, String[]) [java.base] "
          "shop/Shop.java:70000 <- 0x0\n");
}

/* Two recordings one behind the other: keys mean what their chunk says. */
TEST(two_chunks)
{
    struct jfr_writer w = {0};

    begin_chunk(&w, 1000);
    put_sample(&w, 1000, 1, 1, 1);
    put_process(&w, 1, "\3A");
    put_constants(&w);
    end_chunk(&w);
    begin_chunk(&w, 1000);
    put_sample(&w, 1000, 1, 1, 1);
    put_process(&w, 2, "\0");
    check(&w, NULL,
          "cpu-samples, for 9000000000, from 1700000000000000000\n"
          "JVM: JDK 17\n"
          "not in the format: addresses, source files\n"
          "jdk.ExecutionSample x 2\n"
          "jdk.JVMInformation x 2\n"
          "stacks or names that the file does not hold: 1\n"
          "process 1 A: 100=main\n"
          "process 2 java: 0\n"
          "module libc.so.6\n"
          "module java.base\n"
          "0 #0: read [libc.so.6] native <- (shop.Shop$Till.pay(int, String[]) "
          "[java.base] shop/Shop.java:12 Shop$$Lambda$1.grüß() <- "
          "shop.Shop$Till.grüß() [libc.so.6] shop/Shop.java:3\n"
          "0 #1: [no stack] [[unknown]]\n");
}

/* ---- what is not there ---- */

TEST(no_such_event)
{
    struct jfr_writer w = {0};

    begin_chunk(&w, 1000);
    put_sample(&w, 1000, 1, 0, 1);
    check(&w, "JVMInformation",
          "a: no event \"JVMInformation\" with stacks; the first one is "
          "jdk.ExecutionSample; topfn info lists all");
}

enum {
    AT_MAJOR = 5,
    AT_SIZE = 8,
    AT_CONSTANTS = 16,
    AT_METADATA = 24,
    AT_STATE = 64,
    AT_EVENTS = 68
};

static void set_big(struct jfr_writer *w, size_t at, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        w->file.data[at + i] = (uint8_t)(value >> 8 * (7 - i));
}

static void check_file(struct jfr_writer *w, const char *expected)
{
    char *said =
        profile_text_of_bytes(&jfr_format, w->file.data, w->file.len, NULL);

    ck_assert_str_eq(said, expected);
    free(said);
    writer_free(w);
}

static void put_two_samples(struct jfr_writer *w)
{
    begin_chunk(w, 1000);
    put_constants(w);
    put_sample(w, 1000, 1, 2, 1);
    put_sample(w, 1000, 1, 2, 1);
    end_chunk(w);
}

TEST(another_version)
{
    struct jfr_writer w = {0};

    put_two_samples(&w);
    w.file.data[AT_MAJOR] = 1;
    check_file(&w, "a: nothing in it can be read (a chunk of version 1.1); "
                   "topfn reads versions 2.0 and 2.1");
}

/* A chunk of which nothing was flushed says no size; one that was flushed says
 * how often. */
TEST_LOOP(a_chunk_that_is_being_written, 2)
{
    struct jfr_writer w = {0};

    put_two_samples(&w);
    if (_i)
        w.file.data[AT_STATE] = 4;
    else
        set_big(&w, AT_SIZE, 0);
    check_file(&w, "cpu-samples, for 9000000000, from 1700000000000000000\n"
                   "not in the format: addresses, source files\n"
                   "jdk.ExecutionSample x 2\n"
                   "the recording was still being written, or is truncated: "
                   "the end of its last chunk is missing\n"
                   "stacks or names that the file does not hold: 1\n"
                   "process - : 100=main\n"
                   "module java.base\n"
                   "0 #0: shop.Shop$Till.pay(int, String[]) [java.base] "
                   "shop/Shop.java:70000 <- 0x0\n"
                   "0 #0: shop.Shop$Till.pay(int, String[]) [java.base] "
                   "shop/Shop.java:70000 <- 0x0\n");
}

/* Behind an event whose size cannot be right, the header tells where constants
 * and metadata are. */
TEST(a_damaged_event)
{
    struct jfr_writer w = {0};
    size_t sample;

    put_two_samples(&w);
    sample = AT_EVENTS + w.file.data[AT_EVENTS] - 0x80u +
             0x80u * w.file.data[AT_EVENTS + 1];
    set_big(&w, AT_CONSTANTS, AT_EVENTS);
    set_big(&w, AT_METADATA, sample + 2 * w.file.data[sample]);
    w.file.data[sample + w.file.data[sample]] = 0;
    check_file(&w, "cpu-samples, for 9000000000, from 1700000000000000000\n"
                   "not in the format: addresses, source files\n"
                   "jdk.ExecutionSample x 1\n"
                   "stacks or names that the file does not hold: 1\n"
                   "process - : 100=main\n"
                   "module java.base\n"
                   "0 #0: shop.Shop$Till.pay(int, String[]) [java.base] "
                   "shop/Shop.java:70000 <- 0x0\n");
}

/* A chunk is gone through twice, and its damage is told once. */
TEST(damage_is_told_once)
{
    struct jfr_writer w = {0};
    struct profile *p = profile_new();
    struct err err = {0};
    struct entry entry = {.name = "a", .inner = ""};

    put_two_samples(&w);
    blob_u8(&w.file, 0);
    set_big(&w, AT_SIZE, w.file.len);
    entry.data = w.file.data;
    entry.size = w.file.len;
    ck_assert(!recording_read(&jfr_format, &entry, 1,
                              &(struct read_options){.threads = 1}, p, &err));
    ck_assert_uint_eq(p->samples.len, 2);
    ck_assert_uint_eq(p->quality.skipped_ranges, 1);
    ck_assert_uint_eq(p->quality.skipped_bytes, 1);
    profile_free(p);
    writer_free(&w);
}
