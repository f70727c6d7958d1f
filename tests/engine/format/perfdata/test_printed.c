/* Lines of perf script: heads of samples, and frames. */
#include "engine/format/perfdata/printed.h"

#include "tests/support/cells.h"
#include "tests/support/suite.h"

#define CELLS_FILE "tests/engine/format/perfdata/printed.cells"

static struct bytes bytes_of(const char *text)
{
    return (struct bytes){(const uint8_t *)text, strlen(text)};
}

static bool matches(struct bytes b, const char *text)
{
    return b.len == strlen(text) && (!b.len || !memcmp(b.data, text, b.len));
}

/* ---- heads ---- */

static void check_head(const struct cells *row)
{
    struct printed_head head;

    cells_expect(row, 1,
                 printed_head(bytes_of(row->cell[0]), &head) ? "is" : "-");
    if (!strcmp(row->cell[1], "-"))
        return;
    cells_expect_that(row, matches(head.name, row->cell[2]));
    cells_expect_number(row, 3, head.pid);
    cells_expect_number(row, 4, head.tid);
    cells_expect_that(row, !head.has_tid ||
                               head.has_pid == (head.pid != head.tid) ||
                               head.pid == UINT32_MAX);
    cells_expect_that(row, head.has_time == (head.time > 0));
    cells_expect_number(row, 5, head.cpu);
    cells_expect_number(row, 6, head.time);
    cells_expect_number(row, 7, head.period);
    cells_expect_that(row, matches(head.event, row->cell[8]));
    cells_expect_that(row, matches(head.rest, row->cell[9]));
}

TEST(heads_of_samples)
{
    cells_each(CELLS_FILE, "heads", check_head);
}

/* ---- frames ---- */

static void check_frame(const struct cells *row)
{
    struct printed_frame frame;

    cells_expect(row, 1,
                 printed_frame(bytes_of(row->cell[0]), &frame) ? "is" : "-");
    if (!strcmp(row->cell[1], "-"))
        return;
    cells_expect_number(row, 2, frame.address);
    cells_expect_that(row, matches(frame.symbol, row->cell[3]));
    cells_expect_that(row, matches(frame.file, row->cell[4]));
    cells_expect(row, 5, frame.inlined ? "inlined" : "");
}

TEST(frames_of_stacks)
{
    cells_each(CELLS_FILE, "frames", check_frame);
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
