/* Labels, metadata and names of processes: what a record has beside its
 * fields. */
#include "engine/events/schema.h"

#include "engine/events/events.h"
#include "tests/support/etl_events.h"
#include "tests/support/etl_log.h"
#include "tests/support/events_of_bytes.h"
#include "tests/support/nettrace_writer.h"
#include "tests/support/suite.h"

static struct event_trace *trace;
static struct event_cursor *cursor;

static const struct event *first_event(const struct nettrace_writer *w)
{
    const struct event_options all = {.timed = false};
    struct err err = {0};

    trace = events_of_bytes("a.nettrace", w->out.data, w->out.len, &err);
    ck_assert_msg(trace, "%s", err.message);
    cursor = event_cursor_new(trace, &all);
    return event_next(cursor);
}

static void close_trace(void)
{
    event_cursor_free(cursor);
    event_trace_close(trace);
}

static void check_labels(const struct event *e, const char *expected)
{
    struct out *out = out_memory();

    event_labels_json(out, e);
    ck_assert_str_eq(out_text(out, NULL), expected);
    out_close(out, NULL);
}

static void put_guid(byte_vec *to, uint8_t first)
{
    for (unsigned i = 0; i < 16; i++)
        put_number(to, first + i, 1);
}

/* The examples of the specification: ids of an activity, of a distributed
 * trace and its span, and pairs of any names. */
TEST_LOOP(every_label, 2)
{
    struct nettrace_writer *w = nettrace_writer_new(6, _i);
    byte_vec *b = &w->block;
    const struct event *e;

    nettrace_kind(w, 1, "Provider", 7, "Work", 0);
    nettrace_thread(w, 1, 100, 101);
    nettrace_begin_block(w, NT_BLOCK_LABELS);
    blob_pack(b, "II", 1, 1);
    put_number(b, 1, 1); /* activity */
    put_guid(b, 0x10);
    put_number(b, 2, 1); /* related activity */
    put_guid(b, 0x30);
    put_number(b, 3, 1); /* trace */
    put_guid(b, 0xA0);
    put_number(b, 4, 1); /* span */
    blob_pack(b, "QB", 0x00F067AA0BA902B7, 5);
    put_string(b, "user");
    put_string(b, "eve \"e\"");
    put_number(b, 6, 1);
    put_string(b, "shard");
    put_varint(b, 5); /* zigzag: -3 */
    put_number(b, 7, 1); /* opcode */
    put_number(b, 1, 1);
    put_number(b, 8, 1); /* keywords */
    put_number(b, 0x8000000000000002, 8);
    put_number(b, 9, 1); /* level */
    put_number(b, 2, 1);
    put_number(b, 10 | 0x80, 1); /* version, the last */
    put_number(b, 3, 1);
    nettrace_end_block(w);
    nettrace_event(w, &(struct nettrace_event){
                          .kind = 1,
                          .thread = 1,
                          .capture_thread = 1,
                          .labels = 1,
                          .time = 5});
    nettrace_end(w);
    e = first_event(w);
    ck_assert_ptr_nonnull(e);
    check_labels(e, "{\"TraceId\":\"a0a1a2a3a4a5a6a7a8a9aaabacadaeaf\","
                    "\"SpanId\":\"00f067aa0ba902b7\","
                    "\"user\":\"eve \\\"e\\\"\",\"shard\":-3}");
    ck_assert_uint_eq(e->activity[0], 0x10);
    ck_assert_uint_eq(e->related[15], 0x3F);
    ck_assert_uint_eq(e->level, 2);
    ck_assert_uint_eq(e->kind->opcode, 1);
    ck_assert_uint_eq(e->kind->version, 3);
    ck_assert(e->keywords == 0x8000000000000002);
    ck_assert_uint_eq(e->ticks, 5);
    close_trace();
    nettrace_writer_free(w);
}

TEST(no_labels)
{
    struct nettrace_writer *w = nettrace_writer_new(6, true);

    nettrace_kind(w, 1, "Provider", 7, "Work", 0);
    nettrace_thread(w, 1, 100, 101);
    nettrace_event(w, &(struct nettrace_event){
                          .kind = 1, .thread = 1, .capture_thread = 1});
    nettrace_end(w);
    check_labels(first_event(w), "");
    close_trace();
    nettrace_writer_free(w);
}

TEST(metadata)
{
    struct nettrace_writer *w = nettrace_writer_new(6, true);
    byte_vec row = {0}, optional = {0};
    const struct event_kind *k;

    put_number(&optional, 4, 1);
    put_string(&optional, "{name} ended");
    put_number(&optional, 5, 1);
    put_string(&optional, "The work of one job.");
    put_number(&optional, 6, 1);
    put_string(&optional, "team");
    put_string(&optional, "blue");
    put_number(&optional, 6, 1);
    put_string(&optional, "cost");
    put_string(&optional, "low");
    blob_pack(&optional, "BB", 8, 4);
    put_number(&optional, 77, 1); /* unknown: the rest cannot be read */
    put_varint(&row, 1);
    put_string(&row, "Provider");
    put_varint(&row, 7);
    put_string(&row, "Work");
    blob_pack(&row, "HH", 0, optional.len);
    put_bytes(&row, optional.data, optional.len);
    nettrace_begin_block(w, NT_BLOCK_METADATA);
    blob_pack(&w->block, "HH", 0, row.len);
    put_bytes(&w->block, row.data, row.len);
    nettrace_end_block(w);
    nettrace_thread(w, 1, 100, 101);
    nettrace_event(w, &(struct nettrace_event){
                          .kind = 1, .thread = 1, .capture_thread = 1});
    nettrace_end(w);
    k = first_event(w)->kind;
    ck_assert_str_eq(k->message, "{name} ended");
    ck_assert_str_eq(k->description, "The work of one job.");
    ck_assert_str_eq(k->attributes, "{\"team\":\"blue\",\"cost\":\"low\"}");
    ck_assert_uint_eq(k->level, 4);
    close_trace();
    vec_release(&row);
    vec_release(&optional);
    nettrace_writer_free(w);
}

static void check_process(uint32_t pid, int64_t ms, const char *name,
                          const char *image)
{
    const struct event_process *p =
        event_process_at(trace, pid, ms * 1000000);

    if (!name) {
        ck_assert_ptr_null(p);
        return;
    }
    ck_assert_ptr_nonnull(p);
    ck_assert_str_eq(p->name, name);
    ck_assert_str_eq(p->path, image);
}

/* A pid that is used twice; a process that only its end tells of. */
TEST(processes)
{
    struct etl_process first = {.pid = 50, .image = "old.exe"};
    struct etl_process second = {.pid = 50, .image = "new.exe"};
    struct etl_process last = {.pid = 60, .image = "late.exe"};
    struct etl_image image = {
        .pid = 50, .base = 0x400000, .size = 4096, .name = "\\Dev\\NEW.exe"};
    struct etl_log log;

    etl_log_begin(&log, &(struct etl_options){.cpus = 1});
    etl_process(log.w, etl_log_at(&log, 0, 1), ETL_DC_START, 3, &first);
    etl_process(log.w, etl_log_at(&log, 0, 5), ETL_END, 3, &first);
    etl_process(log.w, etl_log_at(&log, 0, 10), ETL_START, 3, &second);
    etl_image(log.w, etl_log_at(&log, 0, 11), ETL_START, 3, &image);
    etl_process(log.w, etl_log_at(&log, 0, 20), ETL_END, 3, &last);
    trace = etl_log_end(&log);
    check_process(50, 0, "old.exe", "");
    check_process(50, 9, "old.exe", "");
    check_process(50, 10, "new.exe", "\\Dev\\NEW.exe");
    check_process(60, 0, "late.exe", "");
    check_process(70, 0, NULL, NULL);
    check_process(EVENT_UNKNOWN, 0, NULL, NULL);
    etl_log_close(&log, trace);
}
