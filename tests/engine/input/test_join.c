/* A .vsp and the ETL logs that it names are one recording. */
#include "engine/input/join.h"

#include <sys/stat.h>
#include <unistd.h>

#include "engine/events/events.h"
#include "engine/input/recording.h"
#include "engine/input/trace_events.h"
#include "tests/support/etl_events.h"
#include "tests/support/profile_check.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"
#include "tests/support/vsp_writer.h"

enum {
    MS = 1000000,
    KERNEL_PATH = 18696,
    APPLICATION_PATH = 19216,
};

/* 2013-12-31 00:00:00 as a FILETIME: when vsp_begin says that it began. */
#define VSP_START 130329216000000000u

static char folder[TEMP_FOLDER], path[200];

static const char *in_folder(const char *name)
{
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

static void put_path(struct vsp_writer *w, size_t at, const char *text)
{
    for (size_t i = 0; text[i]; i++)
        w->b.data[at + 2 * i] = (uint8_t)text[i];
}

/* Two samples of thread 11 of process 10, at 0.1 and 0.2 ms. */
static void write_vsp(const char *name, const char *kernel, const char *app)
{
    static const uint64_t frames[] = {0x401010, 0x402000};
    struct vsp_writer w;
    FILE *file = fopen(in_folder(name), "w");

    vsp_begin(&w, 8);
    vsp_block(&w, 1);
    vsp_process(&w, 0, 10, "C:\\work\\a.exe");
    vsp_thread(&w, 0, 10, 11);
    vsp_module(&w, 0, true, 0x400000, 0x10000, 77, "C:\\work\\a.exe");
    vsp_block(&w, 4);
    vsp_sample(&w, 100, 11, frames, 2, false);
    vsp_sample(&w, 200, 11, frames, 2, false);
    vsp_end(&w);
    put_path(&w, KERNEL_PATH, kernel);
    put_path(&w, APPLICATION_PATH, app);
    ck_assert_uint_eq(fwrite(w.b.data, 1, w.b.len, file), w.b.len);
    fclose(file);
    free(w.b.data);
}

/* Begins `ms` after the recording. Process 10 runs a.exe, process 20 another
 * program, in which a sample is taken 1 ms after the log's start. */
static void write_etl(const char *name, int64_t ms)
{
    struct etl_options options = {
        .start_filetime = VSP_START + (uint64_t)(ms * 10000),
    };
    FILE *file = fopen(in_folder(name), "w+");
    struct etl_writer *w = etl_writer_new(&options, file);
    struct etl_process a = {.pid = 10, .parent = 1, .image = "a.exe"};
    struct etl_process b = {.pid = 20, .parent = 10, .image = "b.exe"};
    struct etl_image image = {.pid = 20,
                              .base = 0x500000,
                              .size = 0x10000,
                              .link_time = 5,
                              .name = "\\Device\\X\\b.exe"};
    struct etl_image known = {.pid = 10,
                              .base = 0x400000,
                              .size = 0x10000,
                              .link_time = 77,
                              .name = "\\Device\\X\\a.exe"};
    struct etl_at at = {.tick = etl_tick(w, 0)};

    etl_process(w, at, ETL_DC_START, 3, &a);
    etl_process(w, at, ETL_DC_START, 3, &b);
    etl_thread(w, at, ETL_DC_START, 3, 10, 11, NULL);
    etl_thread(w, at, ETL_DC_START, 3, 20, 21, NULL);
    etl_image(w, at, ETL_DC_START, 3, &image);
    etl_image(w, at, ETL_DC_START, 3, &known);
    at.tick = etl_tick(w, MS);
    etl_sampled_profile(w, at, 0x501000, 21, 0);
    ck_assert(etl_writer_finish(w));
    etl_writer_free(w);
    fclose(file);
}

static struct recording *open_these(const char *one, const char *two)
{
    const struct read_options options = {.threads = 1};
    char first[200], second[200];
    const char *paths[] = {first, second};
    struct err err = {0};
    struct recording *r;

    strcpy(first, in_folder(one));
    if (two)
        strcpy(second, in_folder(two));
    r = recording_open(paths, two ? 2 : 1, &options, &err);
    ck_assert_msg(r, "%s", err.message);
    profile_finish(r->profile);
    ck_assert_msg(!profile_check(r->profile), "%s", profile_check(r->profile));
    return r;
}

static const char *fact(const struct profile *p, const char *name)
{
    for (size_t i = 0; i < p->trace.facts.len; i++)
        if (!strcmp(strings_get(p->strings, p->trace.facts.data[i].name), name))
            return strings_get(p->strings, p->trace.facts.data[i].value);
    return "";
}

/* "a.exe 100000" of a sample. */
static void check_sample(const struct profile *p, size_t i, const char *name,
                         int64_t ns)
{
    const struct thread *t = &p->threads.data[p->samples.thread[i]];

    ck_assert_str_eq(
        strings_get(p->strings, p->processes.data[t->process].name), name);
    ck_assert_int_eq(p->samples.time[i], ns);
}

static void check_joined(const struct profile *p)
{
    ck_assert_uint_eq(p->samples.len, 3);
    ck_assert_uint_eq(p->quality.warnings.len, 1); /* of intervals */
    ck_assert(warns(p, "different intervals"));
    ck_assert_str_eq(fact(p, "kernel.etl"),
                     "2 process records, 2 thread records, 2 image records, "
                     "1 samples, 9 events");
    ck_assert_str_eq(fact(p, "a.vsp"),
                     "1 process records, 1 thread records, 1 image records, "
                     "2 samples, 5 events");
    ck_assert_str_eq(strings_get(p->strings, p->trace.format), "vsp");
}

TEST_LOOP(one_clock, 3)
{
    static const struct {
        int64_t after; /* ms */
        int64_t log, first, second, duration;
    } rows[] = {
        {5, 6 * MS, 100000, 200000, 6 * MS},
        {0, MS, 100000, 200000, MS},
        {-5, MS, 5 * MS + 100000, 5 * MS + 200000, 5 * MS + 200000},
    };
    struct recording *r;
    struct profile *p;
    bool late = rows[_i].log > rows[_i].first;

    temp_folder(folder);
    write_vsp("a.vsp", "C:\\logs\\Kernel.etl", "");
    write_etl("kernel.etl", rows[_i].after);
    r = open_these("a.vsp", NULL);
    p = r->profile;
    check_joined(p);
    check_sample(p, late ? 2 : 0, "b.exe", rows[_i].log);
    check_sample(p, late ? 0 : 1, "a.exe", rows[_i].first);
    check_sample(p, late ? 1 : 2, "a.exe", rows[_i].second);
    ck_assert_int_eq(p->trace.duration_ns, rows[_i].duration);
    /* Both tell of process 10, of its thread and of its image. */
    ck_assert_uint_eq(p->processes.len, 2);
    ck_assert_uint_eq(p->threads.len, 2);
    recording_close(r);
    temp_folder_remove(folder);
}

/* Named together, in any order; the log is then not opened a second time. */
TEST_LOOP(named_together, 4)
{
    struct recording *r;

    temp_folder(folder);
    write_vsp("a.vsp", _i & 1 ? "kernel.etl" : "", "");
    write_etl("kernel.etl", 0);
    r = _i & 2 ? open_these("a.vsp", "kernel.etl")
               : open_these("kernel.etl", "a.vsp");
    check_joined(r->profile);
    recording_close(r);
    temp_folder_remove(folder);
}

TEST(each_log_has_its_part)
{
    static const char part[] = "2 process records, 2 thread records, 2 image "
                               "records, 1 samples, 9 events";
    struct recording *r;

    temp_folder(folder);
    write_vsp("a.vsp", "kernel.etl", "app.etl");
    write_etl("kernel.etl", 0);
    write_etl("app.etl", 5);
    r = open_these("a.vsp", NULL);
    ck_assert_uint_eq(r->profile->samples.len, 4);
    ck_assert_str_eq(fact(r->profile, "kernel.etl"), part);
    ck_assert_str_eq(fact(r->profile, "app.etl"), part);
    recording_close(r);
    temp_folder_remove(folder);
}

TEST(missing_is_said_once)
{
    struct recording *r;

    temp_folder(folder);
    write_vsp("a.vsp", "C:\\logs\\..\\none.etl", "");
    r = open_these("a.vsp", NULL);
    ck_assert_uint_eq(r->profile->quality.warnings.len, 1);
    ck_assert(
        warns(r->profile, "its kernel log \"C:\\logs\\..\\none.etl\" was found "
                          "neither at its path nor beside the recording"));
    ck_assert_uint_eq(r->profile->samples.len, 2);
    recording_close(r);
    temp_folder_remove(folder);
}

/* A path of this system that leads elsewhere, as written and by a link. */
TEST_LOOP(outside, 2)
{
    char elsewhere[200], below[200];
    struct recording *r;

    temp_folder(folder);
    write_etl("kernel.etl", 0);
    strcpy(elsewhere, in_folder("kernel.etl"));
    strcpy(below, in_folder("sub"));
    ck_assert_int_eq(mkdir(below, 0700), 0);
    if (_i) { /* only a link lies in the folder of the recording */
        ck_assert_int_eq(symlink(elsewhere, in_folder("sub/kernel.etl")), 0);
        strcpy(elsewhere, in_folder("sub/kernel.etl"));
    }
    write_vsp("sub/a.vsp", elsewhere, "");
    r = open_these("sub/a.vsp", NULL);
    ck_assert_uint_eq(r->profile->samples.len, 2);
    ck_assert(warns(r->profile, "give it on the command line"));
    recording_close(r);
    r = open_these("sub/a.vsp", elsewhere + strlen(folder) + 1);
    ck_assert_uint_eq(r->profile->samples.len, 3);
    recording_close(r);
    temp_folder_remove(folder);
}

TEST(log_that_is_none)
{
    struct recording *r;
    FILE *file;

    temp_folder(folder);
    write_vsp("a.vsp", "kernel.etl", "");
    file = fopen(in_folder("kernel.etl"), "w");
    fclose(file);
    r = open_these("a.vsp", NULL);
    ck_assert_uint_eq(r->profile->samples.len, 2);
    ck_assert_uint_eq(r->profile->quality.warnings.len, 1);
    ck_assert(warns(r->profile, "is not a trace of the format etl"));
    recording_close(r);
    temp_folder_remove(folder);
}

TEST(events_are_those_of_the_logs)
{
    const char *paths[] = {path};
    struct event_options all = {.timed = false};
    struct event_trace *trace;
    struct event_cursor *cursor;
    struct err err = {0};
    size_t n = 0;

    temp_folder(folder);
    write_etl("kernel.etl", 0);
    write_vsp("a.vsp", "kernel.etl", "");
    in_folder("a.vsp");
    trace = event_trace_open(paths, 1, &err);
    ck_assert_msg(trace, "%s", err.message);
    ck_assert_str_eq(event_trace_format(trace), "etl");
    cursor = event_cursor_new(trace, &all);
    while (event_next(cursor))
        n++;
    ck_assert_uint_eq(n, 9);
    event_cursor_free(cursor);
    event_trace_close(trace);
    temp_folder_remove(folder);
}
