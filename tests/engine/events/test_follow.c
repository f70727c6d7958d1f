/*
 * Traces that come through a pipe: the same events as of the file, and each
 * as soon as no earlier one can come.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/mem.h"
#include "engine/base/vec.h"
#include "engine/events/etl_events.h"
#include "engine/events/events.h"
#include "engine/events/follow.h"
#include "engine/input/trace_events.h"
#include "tests/support/suite.h"

struct seen {
    uint64_t print; /* of time, kind and payload */
    int64_t time;
};

typedef VEC(struct seen) seens;

static uint64_t print_of(const struct event *e)
{
    uint64_t print = (uint64_t)e->time * 31 + e->kind->id + e->tid * 7ull;

    for (uint32_t i = 0; i < e->size; i++)
        print = print * 31 + e->payload[i];
    for (const char *name = e->kind->full_name; *name; name++)
        print = print * 31 + (uint8_t)*name;
    return print;
}

static seens read_all(struct event_trace *trace)
{
    struct event_options options = {.timed = false};
    struct event_cursor *c = event_cursor_new(trace, &options);
    const struct event *e;
    seens list = {0};

    while ((e = event_next(c)))
        *vec_add(&list) = (struct seen){print_of(e), e->time};
    event_cursor_free(c);
    event_trace_close(trace);
    return list;
}

/* ---- a pipe ---- */

struct pipe_of {
    char folder[32], path[64];
    pid_t writer;
};

static void write_pieces(const char *from, const char *to, size_t piece)
{
    FILE *in = fopen(from, "rb");
    int out = open(to, O_WRONLY);
    char *bytes = mem_new(piece, 1);
    size_t n;

    signal(SIGPIPE, SIG_DFL);
    while (in && out >= 0 && (n = fread(bytes, 1, piece, in)) > 0)
        if (write(out, bytes, n) != (ssize_t)n)
            break;
    _exit(0);
}

static void open_pipe(struct pipe_of *p, const char *file, size_t piece)
{
    strcpy(p->folder, "/tmp/topfn-follow.XXXXXX");
    ck_assert(mkdtemp(p->folder) != NULL);
    snprintf(p->path, sizeof(p->path), "%s/pipe", p->folder);
    ck_assert_int_eq(mkfifo(p->path, 0600), 0);
    p->writer = fork();
    ck_assert_int_ge(p->writer, 0);
    if (!p->writer)
        write_pieces(file, p->path, piece);
}

static void close_pipe(struct pipe_of *p)
{
    waitpid(p->writer, NULL, 0);
    unlink(p->path);
    rmdir(p->folder);
}

/* ---- tests ---- */

static int compare_prints(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;

    return (x->print > y->print) - (x->print < y->print);
}

static const struct {
    const char *path;
    size_t piece;
} followed[] = {
    {"testdata/etl/orders.etl", 1000},
    {"testdata/etl/orders.etl", 1 << 20},
    {"testdata/etl/packed.etl", 100},
    {"testdata/etl/live.etl", 4096},
    {"testdata/etl/kernel-32bit.etl", 10000},
    {"testdata/etl/managed-lines.etl", 4096},
    {"testdata/nettrace/v4-compressed.nettrace", 100},
    {"testdata/nettrace/v6-plain.nettrace", 1000},
};

TEST_LOOP(a_pipe_gives_what_a_file_gives, COUNT(followed))
{
    const char *path = followed[_i].path;
    struct err err = {0};
    struct event_trace *file = event_trace_open(&path, 1, &err);
    struct event_trace *trace;
    seens expected, seen;
    struct pipe_of p;

    ck_assert_msg(file != NULL, "%s", err.message);
    expected = read_all(file);
    open_pipe(&p, path, followed[_i].piece);
    trace = event_trace_follow(p.path, NULL, NULL, &err);
    ck_assert_msg(trace != NULL, "%s: %s", path, err.message);
    seen = read_all(trace);
    close_pipe(&p);
    ck_assert_uint_gt(seen.len, 0);
    ck_assert_uint_eq(seen.len, expected.len);
    for (size_t i = 1; i < seen.len; i++)
        ck_assert_int_le(seen.data[i - 1].time, seen.data[i].time);
    qsort(seen.data, seen.len, sizeof(*seen.data), compare_prints);
    qsort(expected.data, seen.len, sizeof(*seen.data), compare_prints);
    for (size_t i = 0; i < seen.len; i++)
        ck_assert_uint_eq(seen.data[i].print, expected.data[i].print);
    vec_release(&seen);
    vec_release(&expected);
}

/* Events of the first buffers are given while the rest is not written. */
TEST(events_come_before_the_end)
{
    enum { WRITTEN = 200000, SEEN = 2000 };
    char *bytes = mem_new(WRITTEN, 1);
    FILE *in = fopen("testdata/etl/orders.etl", "rb");
    struct event_options options = {.timed = false};
    struct event_trace *trace;
    struct event_cursor *c;
    struct err err = {0};
    char path[32];
    int ends[2];

    ck_assert(in && fread(bytes, 1, WRITTEN, in) == WRITTEN);
    fclose(in);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_ge(fcntl(ends[1], F_SETPIPE_SZ, 1 << 18), WRITTEN);
    ck_assert_int_eq(write(ends[1], bytes, WRITTEN), WRITTEN);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
    trace = event_trace_follow(path, NULL, NULL, &err);
    ck_assert_msg(trace != NULL, "%s", err.message);
    c = event_cursor_new(trace, &options);
    for (int i = 0; i < SEEN; i++)
        ck_assert(event_next(c) != NULL);
    close(ends[1]);
    while (event_next(c))
        ;
    event_cursor_free(c);
    event_trace_close(trace);
    close(ends[0]);
    free(bytes);
}

/* Until every CPU was heard of, or four buffers of each and of one more wait;
 * of more than 64 no more is expected. */
TEST(buffers_are_waited_for)
{
    static const struct {
        uint32_t cpus;
        size_t open; /* the most that wait */
    } cases[] = {{1, 8}, {2, 12}, {63, 256}, {64, 260}, {65, 260}, {999, 260}};

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct etl_file file = {.cpus = cases[i].cpus};
        const struct etl_recording r = {.files = &file, .file_count = 1};
        struct etl_following *f = etl_following_new(&r);

        ck_assert(!etl_following_is_ready(f, 0, 0));
        ck_assert(!etl_following_is_ready(f, 0, cases[i].open));
        ck_assert(etl_following_is_ready(f, 0, cases[i].open + 1));
        etl_following_free(f);
    }
}

/* As they come, without waiting for others. */
TEST(a_pipe_keeps_the_order_of_the_file)
{
    static const char *const paths[] = {
        "testdata/etl/orders.etl", "testdata/nettrace/v6-plain.nettrace"};
    const struct event_options unordered = {.unordered = true};

    for (unsigned i = 0; i < 2; i++) {
        struct err err = {0};
        struct event_trace *file = event_trace_open(&paths[i], 1, &err);
        struct event_trace *piped;
        struct event_cursor *a, *b;
        const struct event *x, *y;
        struct pipe_of p;

        ck_assert_msg(file != NULL, "%s", err.message);
        open_pipe(&p, paths[i], 5000);
        piped = event_trace_follow(p.path, NULL, NULL, &err);
        ck_assert_msg(piped != NULL, "%s", err.message);
        a = event_cursor_new(file, &unordered);
        b = event_cursor_new(piped, &unordered);
        do {
            x = event_next(a);
            y = event_next(b);
            ck_assert(!x == !y);
            if (x)
                ck_assert_uint_eq(print_of(x), print_of(y));
        } while (x);
        event_cursor_free(a);
        event_cursor_free(b);
        event_trace_close(file);
        event_trace_close(piped);
        close_pipe(&p);
    }
}

/* ---- bytes ---- */

static void count_call(void *context)
{
    ++*(unsigned *)context;
}

/* So many as there are; `idle` is called before each wait for more. */
TEST(bytes_come_as_they_are_written)
{
    unsigned idle = 0;
    struct err err = {0};
    struct follow *f;
    char path[32];
    int ends[2];

    ck_assert_int_eq(pipe(ends), 0);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
    f = follow_open(path, count_call, &idle, &err);
    ck_assert_msg(f != NULL, "%s", err.message);
    ck_assert_uint_eq(follow_size(f), 0);
    ck_assert(follow_wait(f, 0));
    ck_assert_uint_eq(idle, 0);
    ck_assert_int_eq(write(ends[1], "abc", 3), 3);
    ck_assert(follow_wait(f, 1));
    ck_assert_uint_eq(idle, 1);
    ck_assert(follow_wait(f, 3));
    ck_assert_uint_eq(idle, 1);
    ck_assert_int_eq(write(ends[1], "de", 2), 2);
    ck_assert(follow_wait(f, 4));
    ck_assert_uint_eq(follow_size(f), 5);
    ck_assert_mem_eq(follow_bytes(f), "abcde", 5);
    close(ends[1]);
    ck_assert(!follow_wait(f, 6));
    ck_assert_uint_eq(idle, 3);
    ck_assert(!follow_wait(f, 7));
    ck_assert_uint_eq(idle, 3);
    ck_assert(follow_wait(f, 5));
    ck_assert_uint_eq(follow_size(f), 5);
    follow_close(f);
    close(ends[0]);
}

static int written_by_alarm;

static void on_alarm(int number)
{
    static int alarms;

    (void)number;
    if (++alarms == 3 && write(written_by_alarm, "x", 1) != 1)
        _exit(1);
}

/* A signal, such as that of a terminal that changes its size, ends no wait. */
TEST(signals_end_no_wait)
{
    const struct itimerval often = {{0, 20000}, {0, 20000}}, never = {{0, 0}, {0, 0}};
    struct sigaction action = {.sa_handler = on_alarm};
    struct err err = {0};
    struct follow *f;
    char path[32];
    int ends[2];

    ck_assert_int_eq(pipe(ends), 0);
    written_by_alarm = ends[1];
    snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
    f = follow_open(path, NULL, NULL, &err);
    ck_assert_msg(f != NULL, "%s", err.message);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    ck_assert(follow_wait(f, 1));
    setitimer(ITIMER_REAL, &never, NULL);
    ck_assert_uint_eq(*follow_bytes(f), 'x');
    follow_close(f);
    close(ends[0]);
    close(ends[1]);
}

TEST(what_cannot_be_followed)
{
    struct err err = {0};
    struct follow *f;

    ck_assert_ptr_null(follow_open("/nowhere/at/all", NULL, NULL, &err));
    ck_assert_int_eq(err.code, ERR_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(err.message, "/nowhere/at/all: No such"));
    /* A folder can be opened and not read. */
    f = follow_open("/", NULL, NULL, &err);
    ck_assert_ptr_nonnull(f);
    ck_assert(!follow_wait(f, 1));
    ck_assert_uint_eq(follow_size(f), 0);
    follow_close(f);
    follow_close(NULL);
}

TEST(what_has_no_events_is_refused)
{
    struct err err = {0};
    struct pipe_of p;

    open_pipe(&p, "testdata/perfdata/shop.data", 4096);
    ck_assert_ptr_null(event_trace_follow(p.path, NULL, NULL, &err));
    ck_assert_int_eq(err.code, ERR_UNSUPPORTED);
    close_pipe(&p);
}

static void ignore(int signal)
{
    (void)signal;
}

/* A signal while nothing has come yet is no end, and takes nothing away. */
TEST(signals_do_not_end_it)
{
    struct sigaction action = {.sa_handler = ignore};
    struct follow *f;
    char path[32];
    int ends[2];
    pid_t writer, reader = getpid();

    ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
    ck_assert_int_eq(pipe(ends), 0);
    writer = fork();
    if (!writer) {
        usleep(100000);
        kill(reader, SIGUSR1);
        usleep(100000);
        _exit(write(ends[1], "what comes", 10) != 10);
    }
    close(ends[1]);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
    f = follow_open(path, NULL, NULL, NULL);
    ck_assert_ptr_nonnull(f);
    ck_assert(follow_wait(f, 10));
    ck_assert_mem_eq(follow_bytes(f), "what comes", 10);
    ck_assert(!follow_wait(f, 11));
    ck_assert_uint_eq(follow_size(f), 10);
    follow_close(f);
    close(ends[0]);
    waitpid(writer, NULL, 0);
}

/* What cannot be read ends at once. */
TEST(a_folder_has_nothing)
{
    struct follow *f = follow_open("/", NULL, NULL, NULL);

    ck_assert_ptr_nonnull(f);
    ck_assert(!follow_wait(f, 1));
    ck_assert_uint_eq(follow_size(f), 0);
    follow_close(f);
}
