/* Recordings that are cut off or damaged. */
#include "tests/support/crash.h"
#include "tests/support/perfdata_read.h"
#include "tests/support/suite.h"

/* Sanitizers are slow, and see with fewer tries what others do not. */
static unsigned sparse(unsigned step)
{
    return crash_sanitized() ? 4 * step : step;
}

/* Cut at every length: an error that names the file, or what is left. */
TEST_LOOP(cut_anywhere, FORMS)
{
    struct perfdata_writer w;
    size_t last = 0;

    perfdata_shop(&w, form(_i));
    for (size_t n = 0; n < w.file.len; n += n < 1000 ? 1 : sparse(7)) {
        struct err err = {0};
        uint8_t *bytes = mem_new(n + 1, 1);
        struct profile *p;

        memcpy(bytes, w.file.data, n);
        p = n >= 16 ? try_read(bytes, n, NULL, &err) : NULL;
        ck_assert(p || n < 16 || strstr(err.message, "a.data"));
        if (p) {
            ck_assert_uint_ge(p->samples.len, last);
            last = p->samples.len;
        }
        profile_free(p);
        free(bytes);
    }
    ck_assert_uint_ge(last, 150);
    perfdata_free(&w);
}

/* 60 % of a file has about 60 % of its samples, and it is said. In a small
 * pipe what comes before them counts, too. */
TEST_LOOP(cut_to_sixty_percent, FORMS)
{
    struct perfdata_writer w;
    struct err err = {0};
    struct profile *p;

    perfdata_shop(&w, form(_i));
    p = try_read(w.file.data, w.file.len * 6 / 10, NULL, &err);
    ck_assert_msg(p, "%s", err.message);
    ck_assert_uint_gt(p->samples.len, 153 * 40 / 100);
    ck_assert_uint_lt(p->samples.len, 153 * 70 / 100);
    ck_assert_uint_gt(p->quality.skipped_ranges, 0);
    profile_free(p);
    perfdata_free(&w);
}

/* The part of a packed record that is there has records of its own. */
TEST(cut_in_packed_record)
{
    enum { SAMPLES = 20000 };
    struct perfdata_writer w;
    struct err err = {0};
    struct profile *p;
    uint64_t state = 1;

    perfdata_begin(&w, PERFDATA_PACKED);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    w.packed_chunk = 500000;
    for (uint64_t i = 0; i < SAMPLES; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        perfdata_sample(
            &w, &(struct perfdata_sample){.time = 10 + i,
                                          .ip = 0x401000 + (state >> 40) % 64,
                                          .pid = 40,
                                          .tid = 40,
                                          .mode = 2});
    }
    perfdata_end(&w);
    p = try_read(w.file.data, w.file.len * 6 / 10, NULL, &err);
    ck_assert_msg(p, "%s", err.message);
    ck_assert_uint_gt(p->samples.len, SAMPLES * 50 / 100);
    ck_assert_uint_lt(p->samples.len, SAMPLES * 65 / 100);
    ck_assert_uint_gt(p->quality.skipped_ranges, 0);
    profile_free(p);
    perfdata_free(&w);
}

TEST_LOOP(changed_bytes, FORMS)
{
    struct perfdata_writer w;
    uint64_t state = 0x9E3779B97F4A7C15u;
    unsigned changes = 3000 / sparse(1);

    perfdata_shop(&w, form(_i));
    for (unsigned i = 0; i < changes; i++) {
        struct err err = {0};
        uint8_t old;
        size_t at;

        state = state * 6364136223846793005u + 1442695040888963407u;
        at = 16 + (size_t)((state >> 20) % (w.file.len - 16));
        old = w.file.data[at];
        w.file.data[at] ^= (uint8_t)(1u << (state >> 60) % 8);
        profile_free(try_read(w.file.data, w.file.len, NULL, &err));
        w.file.data[at] = old;
    }
    perfdata_free(&w);
}

/* Records go on behind what is none. */
TEST(garbage_inside)
{
    struct perfdata_writer w;
    struct profile *p;

    perfdata_shop(&w, 0);
    memset(w.file.data + 4096, 0xA5, 1024);
    p = read_event(&w, NULL);
    ck_assert_uint_gt(p->samples.len, 135);
    ck_assert_uint_eq(p->quality.skipped_ranges, 1);
    ck_assert_uint_lt(p->quality.skipped_bytes, 1024 + 200);
    profile_free(p);
    perfdata_free(&w);
}
