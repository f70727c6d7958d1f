/* What keeps samples before and after it apart. */
#include "engine/format/etl/changes.h"
#include "engine/container/container.h"
#include "tests/support/etl_events.h"
#include "tests/support/etl_log.h"
#include "tests/support/observed.h"
#include "tests/support/suite.h"

enum { PID = 100, TID = 104, OTHER_PID = 200, OTHER_TID = 204 };

static struct etl_log l;

static struct etl_at at(int64_t ms)
{
    return etl_log_at(&l, 0, ms);
}

static void thread(int64_t ms, enum etl_phase phase, uint32_t tid)
{
    etl_thread(l.w, at(ms), phase, 3, PID, tid, NULL);
}

static void process(int64_t ms, enum etl_phase phase, uint32_t pid)
{
    etl_process(l.w, at(ms), phase, 4,
                &(struct etl_process){
                    .pid = pid, .image = "app.exe", .command_line = "app"});
}

static void image(int64_t ms, enum etl_phase phase, uint32_t pid)
{
    etl_image(l.w, at(ms), phase, 3,
              &(struct etl_image){.pid = pid,
                                  .base = 0x10000,
                                  .size = 0x1000,
                                  .name = "\\Device\\app.dll"});
}

/* Of a process's method. */
static void method(int64_t ms, enum etl_method_event event, bool clr2)
{
    static const struct etl_method m = {.id = 1,
                                        .start = 0x20000,
                                        .size = 16,
                                        .flags = 8,
                                        .class_name = "C",
                                        .name = "M",
                                        .signature = "void ()"};

    if (clr2)
        etl_method_clr2(l.w, at(ms), event, &m);
    else
        etl_method_verbose(l.w, at(ms), event, 1, &m);
}

static void script(int64_t ms, enum etl_method_event event)
{
    etl_script_method(
        l.w, at(ms), event,
        &(struct etl_script_method){.start = 0x30000, .size = 16, .name = "f"});
}

/* Lives that the log begins or ends with change nothing; nor do methods and
 * images that begin. */
static void write_events(void)
{
    process(1, ETL_DC_START, PID);
    thread(1, ETL_DC_START, TID);
    image(1, ETL_DC_START, PID);
    image(2, ETL_START, PID);
    method(2, ETL_METHOD_LOAD, false);
    thread(10, ETL_END, TID);
    thread(11, ETL_START, TID);
    thread(12, ETL_END, OTHER_TID);
    image(20, ETL_END, PID);
    image(21, ETL_END, OTHER_PID);
    image(22, ETL_END, 0);
    method(30, ETL_METHOD_UNLOAD, false);
    method(31, ETL_METHOD_UNLOAD, true);
    method(32, ETL_METHOD_DC_END, false);
    script(33, ETL_METHOD_UNLOAD);
    process(40, ETL_END, PID);
    process(41, ETL_START, PID);
    process(42, ETL_DC_END, PID);
    thread(42, ETL_DC_END, TID);
    image(42, ETL_DC_END, PID);
}

struct keys {
    uint32_t of_thread, of_stranger, of_other, of_nobody, idle;
};

static struct keys see_keys(struct observations *seen)
{
    return (struct keys){
        .of_thread = observe_thread_key(seen, TID, PID),
        .of_stranger = observe_thread_key(seen, OTHER_TID + 4, NO_PID),
        .of_other = observe_thread_key(seen, OTHER_TID, OTHER_PID),
        .of_nobody = observe_thread_key(seen, TID, NO_PID),
        .idle = observe_thread_key(seen, 0, NO_PID),
    };
}

static void check(struct etl_changes *c, const struct keys *k, int64_t ms,
                  struct keys wanted)
{
    etl_changes_until(c, ms * 1000000 + 500000);
    ck_assert_uint_eq(etl_changes_of(c, k->of_thread), wanted.of_thread);
    ck_assert_uint_eq(etl_changes_of(c, k->of_stranger), wanted.of_stranger);
    ck_assert_uint_eq(etl_changes_of(c, k->of_other), wanted.of_other);
    ck_assert_uint_eq(etl_changes_of(c, k->of_nobody), wanted.of_nobody);
    ck_assert_uint_eq(etl_changes_of(c, k->idle), wanted.idle);
}

static void check_changes(const struct etl_records *records,
                          struct observations *seen)
{
    struct keys k = see_keys(seen);
    struct etl_changes c;

    etl_changes_begin(&c, records, seen);
    check(&c, &k, 3, (struct keys){0, 0, 0, 0, 0});
    check(&c, &k, 10, (struct keys){1, 0, 0, 1, 0});
    check(&c, &k, 11, (struct keys){2, 0, 0, 2, 0});
    check(&c, &k, 12, (struct keys){2, 0, 1, 2, 0});
    check(&c, &k, 20, (struct keys){3, 1, 1, 3, 0});
    check(&c, &k, 21, (struct keys){3, 2, 2, 4, 0});
    check(&c, &k, 22, (struct keys){4, 3, 3, 5, 1});
    check(&c, &k, 30, (struct keys){5, 4, 3, 6, 1});
    check(&c, &k, 31, (struct keys){6, 5, 3, 7, 1});
    check(&c, &k, 32, (struct keys){6, 5, 3, 7, 1});
    check(&c, &k, 33, (struct keys){7, 6, 3, 8, 1});
    check(&c, &k, 40, (struct keys){8, 7, 3, 9, 1});
    check(&c, &k, 100, (struct keys){9, 8, 3, 10, 1});
    etl_changes_release(&c);
}

START_TEST(ends_of_lives_and_code)
{
    struct read_options options = {.threads = 1};
    struct err err = {0};
    struct etl_recording r;
    struct etl_correlator *correlator;
    struct etl_records *records;
    struct event_trace *trace;
    struct observed o;

    etl_log_begin(&l, &(struct etl_options){.cpus = 1});
    write_events();
    trace = etl_log_end(&l);
    observed_begin(&o);
    ck_assert_int_eq(etl_open(&r,
                              &(struct entry){.name = "lives.etl",
                                              .data = (uint8_t *)l.bytes,
                                              .size = l.size},
                              1, o.p, &err),
                     ERR_NONE);
    r.seen = o.seen;
    correlator = etl_correlator_new(&r);
    records = etl_records_new(&r);
    etl_merge(&r, &options, correlator, records);
    check_changes(records, o.seen);
    etl_correlator_finish(correlator, 1);
    etl_records_free(records);
    etl_close(&r);
    observed_end(&o);
    etl_log_close(&l, trace);
}
END_TEST

int main(void)
{
    return suite_run("etl changes", ends_of_lives_and_code);
}
