/* Events of nettrace files in order of time, as far as a file says what can
 * still come; what labels, stacks and time ranges make of them. */
#include "engine/events/events.h"
#include "engine/input/trace_events.h"
#include "tests/support/events_of_bytes.h"
#include "tests/support/nettrace_writer.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

static const uint64_t frames[] = {0x1000, 0x2000, 0x3000};

static struct nettrace_writer *begin(unsigned version)
{
    struct nettrace_writer *w = nettrace_writer_new(version, false);

    nettrace_kind(w, 1, "Mine", 7, "Tick", 2);
    if (version == 6)
        nettrace_thread(w, 5, 100, 101);
    return w;
}

/* A block whose header has the times between which its events lie. */
static void begin_events(struct nettrace_writer *w, uint64_t min, uint64_t max)
{
    nettrace_begin_block(w, NT_BLOCK_EVENTS);
    if (w->version == 3)
        return;
    blob_pack(&w->block, "HHQQ", 20, 0, min, max);
}

static void put_full(struct nettrace_writer *w, struct nettrace_event e,
                     bool sorted)
{
    size_t at = w->block.len;

    e.kind = 1;
    e.thread = e.capture_thread = 5;
    nettrace_event(w, &e);
    if (sorted)
        w->block.data[at + 7] &= 0x7F;
}

static void put(struct nettrace_writer *w, uint64_t time)
{
    put_full(w, (struct nettrace_event){.time = time}, false);
}

static void put_sorted(struct nettrace_writer *w, uint64_t time)
{
    put_full(w, (struct nettrace_event){.time = time}, true);
}

static struct event_trace *end(struct nettrace_writer *w)
{
    struct event_trace *trace;
    struct err err = {0};

    nettrace_end(w);
    trace = events_of_bytes("a.nettrace", w->out.data, w->out.len, &err);
    ck_assert_msg(trace != NULL, "%s", err.message);
    return trace;
}

static void close_all(struct nettrace_writer *w, struct event_trace *trace,
                      struct event_cursor *c)
{
    event_cursor_free(c);
    event_trace_close(trace);
    nettrace_writer_free(w);
}

/* ---- order ---- */

/* "time/blocks read when it was given", blanks between. */
static void expect(struct nettrace_writer *w, const struct event_options *o,
                   const char *wanted)
{
    struct event_trace *trace = end(w);
    struct event_cursor *c = event_cursor_new(trace, o);
    const struct event *e;
    char text[200] = "";
    size_t n = 0;

    while ((e = event_next(c)))
        n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%d/%u",
                              n ? " " : "", (int)e->time,
                              (unsigned)event_cursor_effort(c).buffers);
    ck_assert_str_eq(text, wanted);
    close_all(w, trace, c);
}

static const struct event_options all;

TEST(events_without_marks_wait_for_the_end)
{
    struct nettrace_writer *w = begin(6);

    begin_events(w, 3, 9);
    put(w, 9);
    put(w, 3);
    begin_events(w, 1, 8);
    put(w, 8);
    put(w, 1);
    expect(w, &all, "1/2 3/2 8/2 9/2");
}

/* What is earlier than a sorted event comes when that has been read. */
TEST(sorted_events_let_earlier_ones_go)
{
    struct nettrace_writer *w = begin(6);

    begin_events(w, 1, 9);
    put(w, 9);
    put(w, 4);
    put(w, 1);
    put_sorted(w, 5);
    put_sorted(w, 3);
    begin_events(w, 6, 7);
    put_sorted(w, 7);
    put(w, 6);
    begin_events(w, 20, 20);
    put(w, 20);
    expect(w, &all, "1/1 3/1 4/1 5/2 6/2 7/3 9/3 20/3");
}

/* Behind a sequence point everything may begin anew. */
TEST(sequence_points_let_all_go)
{
    struct nettrace_writer *w = begin(6);

    begin_events(w, 10, 12);
    put(w, 12);
    put(w, 10);
    nettrace_sequence_point(w, 0, NULL, 0);
    begin_events(w, 5, 6);
    put(w, 6);
    put(w, 5);
    begin_events(w, 4, 4);
    put(w, 4);
    expect(w, &all, "10/1 12/1 4/3 5/3 6/3");
}

/* Netperf, version 3: block by block. */
TEST(netperf_is_given_block_by_block)
{
    struct nettrace_writer *w = begin(3);

    begin_events(w, 0, 0);
    put(w, 10);
    put(w, 8);
    begin_events(w, 0, 0);
    put(w, 5);
    put(w, 2);
    expect(w, &all, "8/0 10/0 2/0 5/0");
}

TEST(order_of_the_file_needs_no_marks)
{
    const struct event_options unordered = {.unordered = true};
    struct nettrace_writer *w = begin(6);

    begin_events(w, 3, 9);
    put(w, 9);
    put(w, 3);
    begin_events(w, 1, 8);
    put(w, 8);
    put(w, 1);
    expect(w, &unordered, "9/1 3/1 8/2 1/2");
}

/* ---- what an event has ---- */

/* Of the labels, a kind, and the level that the event goes by. */
TEST(labels_speak_for_the_event)
{
    static const struct {
        const char *labels;
        size_t size;
        uint8_t version, level, opcode;
        uint64_t keywords;
    } cases[] = {
        {"", 0, 2, 0, 0, 0},
        {"\x87\x05", 2, 2, 0, 5, 0},
        {"\x88\x01\2\0\0\0\0\0\0", 9, 2, 0, 0, 0x201},
        {"\x89\x04", 2, 2, 4, 0, 0},
        {"\x8a\x09", 2, 9, 0, 0, 0},
        {"\x07\x05\x0a\x09\x89\x00", 6, 9, 0, 5, 0},
        {"\x0a\x00\x87\x00", 4, 0, 0, 0, 0},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct nettrace_writer *w = begin(6);
        struct event_trace *trace;
        struct event_cursor *c;
        const struct event *e;

        if (cases[i].size) {
            nettrace_begin_block(w, NT_BLOCK_LABELS);
            blob_pack(&w->block, "II", 1, 1);
            put_bytes(&w->block, cases[i].labels, cases[i].size);
        }
        begin_events(w, 1, 1);
        put_full(
            w, (struct nettrace_event){.time = 1, .labels = cases[i].size > 0},
            false);
        trace = end(w);
        c = event_cursor_new(trace, &all);
        e = event_next(c);
        ck_assert_ptr_nonnull(e);
        ck_assert_uint_eq(e->kind->version, cases[i].version);
        ck_assert_uint_eq(e->level, cases[i].level);
        ck_assert_uint_eq(e->opcode, cases[i].opcode);
        ck_assert_uint_eq(e->keywords, cases[i].keywords);
        ck_assert_ptr_null(e->activity);
        ck_assert_ptr_null(e->related);
        close_all(w, trace, c);
    }
}

/* Each its own, however long it waits; of the process where no thread is
 * known. */
static void check_stacks(unsigned version)
{
    const struct event_options stacks = {.stacks = true};
    struct nettrace_writer *w = begin(version);
    struct event_trace *trace;
    struct event_cursor *c;
    const struct event *e;

    if (version > 3) {
        nettrace_stack(w, 1, frames, 2);
        nettrace_stack(w, 2, frames + 2, 1);
    }
    begin_events(w, 1, 3);
    put_full(w,
             (struct nettrace_event){
                 .time = 3, .stack = 1, .frames = frames, .depth = 2},
             false);
    put_full(w,
             (struct nettrace_event){.time = 2,
                                     .stack = 2,
                                     .frames = frames + 2,
                                     .depth = 1,
                                     .payload = "abc",
                                     .size = 3},
             false);
    put(w, 1);
    trace = end(w);
    c = event_cursor_new(trace, &stacks);
    e = event_next(c);
    ck_assert(e && e->time == 1 && !e->stack_count);
    e = event_next(c);
    ck_assert(e && e->time == 2 && e->stack_count == 1);
    ck_assert_uint_eq(event_frame(e, 0), 0x3000);
    ck_assert_uint_eq(e->size, 3);
    ck_assert_mem_eq(e->payload, "abc", 3);
    ck_assert_mem_eq(w->out.data + e->place, "abc", 3);
    ck_assert_uint_eq(e->pid, version == 6 ? 100 : 1234);
    ck_assert_uint_eq(e->tid, version == 6 ? 101 : 5);
    ck_assert(e->stack_pid == e->pid && e->stack_tid == e->tid);
    e = event_next(c);
    ck_assert(e && e->time == 3 && e->stack_count == 2);
    ck_assert_mem_eq(e->stack, frames, 16);
    ck_assert_ptr_null(event_next(c));
    close_all(w, trace, c);
}

TEST(events_have_their_stacks)
{
    check_stacks(3);
    check_stacks(4);
    check_stacks(6);
}

/* ---- time ranges ---- */

/* Blocks with events at 10 and 20, and at 30: those that cannot have any of
 * from <= time < to are passed over, and numbers are unknown from then on. */
TEST(blocks_outside_the_time_are_passed_over)
{
    static const struct {
        int64_t from, to;
        unsigned read, events;
        uint64_t first; /* number */
    } cases[] = {
        {0, 40, 2, 3, 1},  {0, 10, 0, 0, 0},  {0, 11, 1, 1, 1},
        {20, 30, 1, 1, 0}, {20, 31, 2, 2, 2}, {21, 31, 1, 1, 0},
        {30, 40, 1, 1, 0}, {31, 40, 0, 0, 0},
    };

    for (size_t i = 0; i < COUNT(cases); i++)
        for (unsigned numbered = 0; numbered < 2; numbered++) {
            const struct event_options o = {.timed = true,
                                            .numbered = numbered,
                                            .from = cases[i].from,
                                            .to = cases[i].to};
            struct nettrace_writer *w = begin(6);
            struct event_trace *trace;
            struct event_cursor *c;
            const struct event *e;
            unsigned n = 0;

            begin_events(w, 10, 20);
            put_sorted(w, 10);
            put_sorted(w, 20);
            begin_events(w, 30, 30);
            put_sorted(w, 30);
            trace = end(w);
            c = event_cursor_new(trace, &o);
            for (; (e = event_next(c)); n++)
                if (!n)
                    ck_assert_uint_eq(
                        e->number,
                        (numbered ? (uint64_t)e->time / 10 : cases[i].first));
            ck_assert_uint_eq(n, cases[i].events);
            ck_assert_uint_eq(event_cursor_effort(c).buffers,
                              numbered ? 2 : cases[i].read);
            ck_assert_uint_eq(event_cursor_effort(c).buffers_skipped,
                              numbered ? 0 : 2 - cases[i].read);
            close_all(w, trace, c);
        }
}

/* ---- several files ---- */

enum { SECOND = 1000000000, STARTS = 36 }; /* where the seconds are, in v6 */

static struct nettrace_writer *write_file(char *path, unsigned later,
                                          uint64_t first, uint64_t second)
{
    struct nettrace_writer *w = begin(6);

    begin_events(w, first, second);
    put(w, first);
    put(w, second);
    nettrace_end(w);
    w->out.data[STARTS] = (uint8_t)(w->out.data[STARTS] + later);
    temp_file(path, w->out.data, w->out.len);
    return w;
}

/* Time 0 is the earliest start; events of both come in turns. */
TEST(files_are_put_into_one_order)
{
    static const struct {
        int64_t time;
        unsigned file;
    } wanted[] = {{SECOND, 1},
                  {2 * (int64_t)SECOND, 0},
                  {5 * (int64_t)SECOND, 1},
                  {6 * (int64_t)SECOND, 0}};
    char late[TEMP_PATH], early[TEMP_PATH];
    const char *const paths[] = {late, early};
    struct nettrace_writer *a = write_file(late, 2, 0, (uint64_t)4 * SECOND);
    struct nettrace_writer *b =
        write_file(early, 0, SECOND, (uint64_t)5 * SECOND);
    const struct event_options unordered = {.unordered = true};
    struct err err = {0};
    struct event_trace *trace = event_trace_open(paths, 2, &err);
    struct event_cursor *c;

    ck_assert_msg(trace != NULL, "%s", err.message);
    ck_assert_int_eq(event_trace_start(trace), 1738555506 * (int64_t)SECOND);
    c = event_cursor_new(trace, &all);
    for (size_t i = 0; i < COUNT(wanted); i++) {
        const struct event *e = event_next(c);

        ck_assert_ptr_nonnull(e);
        ck_assert_int_eq(e->time, wanted[i].time);
        ck_assert_uint_eq(e->file, wanted[i].file);
        ck_assert_uint_eq(e->place >> 48, wanted[i].file);
    }
    ck_assert_ptr_null(event_next(c));
    event_cursor_free(c);
    c = event_cursor_new(trace, &unordered);
    for (unsigned i = 0; i < 4; i++)
        ck_assert_uint_eq(event_next(c)->file, i / 2);
    event_cursor_free(c);
    event_trace_close(trace);
    unlink(late);
    unlink(early);
    nettrace_writer_free(a);
    nettrace_writer_free(b);
}
