/* Samples and waits of a recording, its totals, and the traces beside it. */
#include <strings.h>

#include "engine/format/vsp/vsp.h"
#include "engine/input/recording.h"
#include "tests/support/suite.h"
#include "tests/support/vsp_writer.h"

enum {
    SAMPLING = 168,
    COLLECTION = 164,
    WALKS = 208,
    BROKEN = 212,
};

static struct vsp_writer w;
static char name[300];

static void begin(unsigned width)
{
    vsp_begin(&w, width);
    vsp_block(&w, 1);
    vsp_process(&w, 100, 10, "C:\\work\\a.exe");
    vsp_thread(&w, 110, 10, 11);
    vsp_block(&w, 4);
    snprintf(name, sizeof(name), "a.vsp");
}

static struct profile *end_of(const char *event)
{
    struct read_options options = {.threads = 1, .event = event};
    struct entry e = {
        .name = name, .inner = "", .data = w.b.data, .size = w.b.len};
    struct profile *p = profile_new();

    ck_assert(!recording_read(&vsp_format, &e, 1, &options, p, NULL));
    profile_finish(p);
    free(w.b.data);
    return p;
}

static struct profile *end(void)
{
    return end_of(NULL);
}

static uint64_t address_of(const struct profile *p, size_t sample)
{
    uint32_t stack = p->samples.stack[sample];

    return stack ? p->locations.data[p->stacks.data[stack].location].address
                 : 0;
}

static const char *warning(const struct profile *p, size_t i)
{
    return i < p->quality.warnings.len
               ? strings_get(p->strings, p->quality.warnings.data[i])
               : "";
}

TEST(other_samplings)
{
    static const uint64_t frame = 0x401010;
    struct profile *p;

    begin(4);
    vsp_sample(&w, 200, 11, &frame, 1, false);
    vsp_end(&w);
    blob_set(&w.b, SAMPLING, 3, 4);
    p = end();
    ck_assert_str_eq(profile_metric_word(p), "event-samples");
    profile_free(p);
}

/* Nanoseconds of a wait, 1 at least. */
TEST(waits)
{
    static const struct {
        uint64_t start, end;
        uint64_t weight;
    } rows[] = {
        {200, 200, 1},
        {300, 301, 1000},
        {400, 402, 2000},
        {500, 400, 1},
        {600, 4294967894, 4294967294000},
        {700, 4294967995, 4294967295000},
    };
    static const uint64_t frame = 0x401010;
    struct profile *p;
    size_t at;

    begin(8);
    for (size_t i = 0; i < 6; i++) {
        at = w.b.len;
        vsp_wait(&w, rows[i].start, rows[i].end, 11, &frame, i ? 1 : 0);
        if (!i)
            blob_set(&w.b, at + 52, 0x403030, 8);
    }
    vsp_end(&w);
    blob_set(&w.b, COLLECTION, 1, 4);
    p = end();
    ck_assert_uint_eq(p->samples.len, 6);
    ck_assert_uint_eq(address_of(p, 0), 0x403030);
    for (size_t i = 0; i < 6; i++) {
        ck_assert_int_eq(p->samples.time[i],
                         ((int64_t)rows[i].start - 100) * 1000);
        ck_assert_uint_eq(p->samples.weight[i], rows[i].weight);
    }
    ck_assert_uint_eq(p->quality.warnings.len, 0);
    profile_free(p);
}

/* Long waits are cut into pieces, and the end of a wait within another one ends
 * both. */
TEST(waits_are_blocked_time)
{
    static const uint64_t frame = 0x401010;
    struct profile *p;
    uint64_t sum = 0;

    begin(8);
    vsp_wait(&w, 300, 303, 11, &frame, 1);
    vsp_wait(&w, 310, 320, 11, &frame, 1);
    vsp_wait(&w, 312, 314, 11, &frame, 1);
    vsp_wait(&w, 330, 325, 11, &frame, 1);
    vsp_end(&w);
    blob_set(&w.b, COLLECTION, 1, 4);
    p = end_of("blocked");
    ck_assert_str_eq(profile_metric_word(p), "blocked-time");
    for (size_t i = 0; i < p->samples.len; i++)
        sum += p->samples.weight[i];
    ck_assert_uint_eq(sum, 7000);
    ck_assert_int_eq(p->samples.time[0], 200000);
    ck_assert_uint_eq(address_of(p, 0), frame);
    profile_free(p);
}

/* Records that the header does not promise are left out. */
TEST(waits_among_samples)
{
    static const uint64_t frame = 0x401010;
    struct profile *p;

    begin(8);
    vsp_sample(&w, 200, 11, &frame, 1, false);
    vsp_wait(&w, 300, 400, 11, &frame, 1);
    vsp_end(&w);
    blob_set(&w.b, WALKS, 2, 4);
    p = end();
    ck_assert_uint_eq(p->samples.len, 1);
    ck_assert_uint_eq(p->quality.warnings.len, 0);
    profile_free(p);
}

TEST(totals_that_differ)
{
    static const uint64_t frame = 0x401010;
    struct profile *p;

    begin(4);
    vsp_sample(&w, 200, 11, &frame, 1, true);
    vsp_sample(&w, 300, 11, &frame, 1, false);
    vsp_end(&w);
    blob_set(&w.b, WALKS, 3, 4);
    blob_set(&w.b, BROKEN, 2, 4);
    p = end();
    ck_assert_uint_eq(p->quality.warnings.len, 2);
    ck_assert_str_eq(warning(p, 0),
                     "a.vsp: the header counts 3 stacks, the file has 2");
    ck_assert_str_eq(warning(p, 1), "a.vsp: the header counts 2 broken "
                                    "stacks, the file has 1");
    profile_free(p);
}
