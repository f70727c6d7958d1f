/* Parts of a trace that events mark, against ranges counted by hand. */
#include "engine/events/between.h"
#include "engine/input/trace_events.h"
#include "tests/support/etl_writer.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

enum { MS = 1000000, START = 1, STOP = 2 };

static char path[TEMP_PATH];

static void write_event(struct etl_writer *w, unsigned ms, uint16_t id)
{
    const struct etl_descriptor event = {
        .provider = {0xe13c0d23, 0xccbc, 0x4e12,
                     {0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4}},
        .id = id,
        .version = 0,
        .opcode = (uint8_t)id,
        .task = 1,
    };

    etl_begin_event(w,
                    (struct etl_at){.tick = etl_tick(w, (int64_t)ms * MS),
                                    .pid = 8,
                                    .tid = 4 + 4 * (ms / 30)},
                    &event);
    etl_pack(w, "II", 0, 0);
    etl_end(w);
}

/* Starts at 10, 20 (within), 50 and 80; stops at 5, 30, 60. */
static void write_log(void)
{
    static const struct {
        unsigned ms;
        uint16_t id;
    } events[] = {{5, STOP},  {10, START}, {20, START}, {30, STOP},
                  {50, START}, {60, STOP},  {80, START}};
    struct etl_options options = {.cpus = 1};
    struct etl_writer *w;
    FILE *file;

    temp_file(path, "", 0);
    file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    w = etl_writer_new(&options, file);
    for (size_t i = 0; i < COUNT(events); i++)
        write_event(w, events[i].ms, events[i].id);
    ck_assert(etl_writer_finish(w));
    etl_writer_free(w);
    fclose(file);
}

/* "10-30 50-60 80-": what is between the events, in milliseconds. */
static void find(const char *words, char *text, size_t size, struct err *err)
{
    const char *name = path;
    struct event_trace *trace = event_trace_open(&name, 1, err);
    time_ranges ranges = {0};
    size_t n = 0;

    text[0] = '\0';
    ck_assert_msg(trace, "%s", err->message);
    events_between(trace, path, words, &ranges, err);
    event_trace_close(trace);
    for (size_t i = 0; i < ranges.len; i++) {
        const struct time_range *r = &ranges.data[i];

        n += (size_t)snprintf(text + n, size - n, "%s%d-", i ? " " : "",
                              (int)(r->from / MS));
        if (r->to != TIME_MAX)
            n += (size_t)snprintf(text + n, size - n, "%d",
                                  (int)(r->to / MS));
    }
    vec_release(&ranges);
}

TEST(what_marks_nothing_is_refused)
{
    static const struct {
        const char *words;
        enum err_code code;
        const char *message;
    } cases[] = {
        {"GC/Nothing", ERR_NOT_FOUND, "no event is called \"GC/Nothing\""},
        {"GC/Start,GC/Nothing", ERR_NOT_FOUND, "no event is called \"GC/Nothing\""},
        {"GC/Start,", ERR_USAGE, "FROM,TO"},
        {"re:(", ERR_USAGE, "parenthesis"},
        {"EventTrace", ERR_NOT_FOUND, "occurs only once"},
    };
    char text[200];

    write_log();
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct err err = {0};

        find(cases[i].words, text, sizeof(text), &err);
        ck_assert_int_eq(err.code, cases[i].code);
        ck_assert_msg(strstr(err.message, cases[i].message), "%s",
                      err.message);
    }
    unlink(path);
}
