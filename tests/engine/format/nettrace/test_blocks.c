/* Blocks of version 6: threads, sequence points, labels. */
#include "tests/engine/format/nettrace/events.h"

enum { KIND = 3, FORGET_THREADS = 1, FORGET_KINDS = 2 };

static struct nettrace_writer *w;

static void begin(void)
{
    w = nettrace_writer_new(6, true);
    nettrace_kind(w, KIND, "Shop", 1, "Sold", 0);
    nettrace_thread(w, 0, 100, 100);
    nettrace_thread(w, 1, 100, 101);
}

static void put(uint64_t value, unsigned width)
{
    put_number(&w->block, value, width);
}

static void put_event(uint64_t thread, uint32_t sequence, uint32_t labels)
{
    nettrace_event(w, &(struct nettrace_event){.kind = KIND,
                                               .thread = thread,
                                               .capture_thread = thread,
                                               .sequence = sequence,
                                               .labels = labels});
}

/* ---- threads ---- */

static void check_thread(size_t i, uint64_t id, uint32_t pid, uint32_t tid)
{
    const struct nt_thread *t = &got.file.threads.data[i];

    ck_assert_uint_lt(i, got.file.threads.len);
    ck_assert_uint_eq(t->id, id);
    ck_assert_uint_eq(t->pid, pid);
    ck_assert_uint_eq(t->tid, tid);
}

/* Names and pairs are passed; what follows an entry of another kind is not
 * read, but the next row is. Without entries it is one of the process that the
 * description names. */
TEST(entries_of_threads)
{
    w = nettrace_writer_new(6, true);
    nettrace_begin_block(w, NT_BLOCK_THREADS);
    put(16, 2);
    put(5, 1);
    put(1, 1);
    put_string(&w->block, "main");
    put(4, 1);
    put_string(&w->block, "k");
    put_string(&w->block, "v");
    put(2, 1);
    put(70, 1);
    put(3, 1);
    put(71, 1);
    put(6, 2);
    put(6, 1);
    put(2, 1);
    put(80, 1);
    put(9, 1);
    put(3, 1);
    put(81, 1);
    put(1, 2);
    put(7, 1);
    events_read(w);
    ck_assert_uint_eq(got.file.damaged, 0);
    ck_assert_uint_eq(got.file.threads.len, 3);
    check_thread(0, 5, 70, 71);
    check_thread(1, 6, 80, UINT32_MAX);
    check_thread(2, 7, 1234, UINT32_MAX);
    events_end(w);
}

TEST(rows_that_do_not_fit)
{
    static const uint8_t rows[][6] = {
        {4, 0, 5, 2, 70},    /* longer than the block */
        {2, 0, 5, 2, 70, 0}, /* an entry cut off */
    };

    for (size_t i = 0; i < 2; i++) {
        w = nettrace_writer_new(6, true);
        nettrace_begin_block(w, NT_BLOCK_THREADS);
        put_bytes(&w->block, rows[i], 5 + i);
        events_read(w);
        ck_assert_uint_eq(got.file.damaged, 1);
        ck_assert_ptr_nonnull(strstr(got.err.message, "block damaged"));
        ck_assert_uint_eq(got.file.threads.len, 0);
        events_end(w);
    }
}

/* ---- sequence points ---- */

static const struct {
    uint32_t flags;
    size_t events;
    uint64_t no_kind, damaged;
} points[] = {
    {0, 2, 0, 0},
    {FORGET_THREADS, 1, 0, 1},
    {FORGET_KINDS, 1, 1, 0},
    {4, 2, 0, 0},
};

TEST_LOOP(what_a_sequence_point_forgets, COUNT(points))
{
    static const uint64_t threads[][2] = {{1, 7}};

    begin();
    put_event(1, 1, 0);
    nettrace_sequence_point(w, points[_i].flags, threads, 1);
    put_event(1, 8, 0);
    events_read(w);
    ck_assert_uint_eq(got.barriers, 1);
    ck_assert_uint_eq(got.count, points[_i].events);
    ck_assert_uint_eq(got.file.no_kind, points[_i].no_kind);
    ck_assert_uint_eq(got.file.damaged, points[_i].damaged);
    if (!points[_i].flags)
        ck_assert_uint_eq(got.file.threads.data[1].lost, 6);
    events_end(w);
}

/* ---- labels ---- */

static void put_labels(uint32_t first, uint32_t count)
{
    nettrace_begin_block(w, NT_BLOCK_LABELS);
    put(first, 4);
    put(count, 4);
}

/* Lists before a label of another kind, or one cut off, are known. */
TEST(labels_that_cannot_be_read)
{
    for (unsigned i = 0; i < 2; i++) {
        begin();
        put_labels(30, 2);
        put(0x87, 1);
        put(5, 1);
        put(i ? 0x88 : 0x8B, 1);
        put(6, 1);
        put_event(1, 1, 30);
        put_event(1, 2, 31);
        events_read(w);
        ck_assert_uint_eq(got.file.damaged, 1);
        ck_assert_int_eq(got.labels[0].opcode, 5);
        ck_assert_uint_eq(got.file.no_labels, 1);
        events_end(w);
    }
}

/* Numbers of labels hold until the next sequence point. */
TEST(labels_are_forgotten)
{
    begin();
    put_labels(30, 1);
    put(0x87, 1);
    put(5, 1);
    put_event(1, 1, 30);
    nettrace_sequence_point(w, 0, NULL, 0);
    put_event(1, 2, 30);
    events_read(w);
    ck_assert_int_eq(got.labels[0].opcode, 5);
    ck_assert_uint_eq(got.file.no_labels, 1);
    events_end(w);
}

/* ---- blocks ---- */

TEST(blocks_cut_off)
{
    size_t whole;

    begin();
    put_event(1, 1, 0);
    nettrace_end_block(w);
    whole = w->out.len;
    put_number(&w->out, 0, 3); /* of the next one */
    events_read(w);
    ck_assert_uint_eq(got.count, 1);
    ck_assert_uint_eq(got.file.damaged, 1);
    ck_assert_uint_eq(got.file.recording->profile->quality.skipped_bytes, 3);
    ck_assert_uint_eq(nt_wanted(&got.file, whole), whole + 4);
    ck_assert_uint_eq(nt_wanted(&got.file, whole + 9), whole + 13);
    nt_close(&got.file);
    event_naming_free(got.file.recording->seen->naming);
    observations_free(got.file.recording->seen);
    profile_free(got.file.recording->profile);
    w->out.len = whole;
    put_number(&w->out, 0x09000003, 4); /* one byte is missing, of any kind */
    put_number(&w->out, 0, 2);
    events_read(w);
    ck_assert_uint_eq(got.file.unknown_blocks, 1);
    ck_assert_uint_eq(got.file.damaged, 1);
    ck_assert_uint_eq(got.file.recording->profile->quality.skipped_bytes, 0);
    ck_assert_uint_eq(nt_wanted(&got.file, whole), whole + 7);
    ck_assert(!got.file.complete);
    events_end(w);
}
