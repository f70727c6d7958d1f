/* Headers of recordings: of what size they are, and where they say that the
 * rest is. */
#include "engine/base/reader.h"
#include "tests/support/perfdata_read.h"
#include "tests/support/suite.h"

/* Offsets. */
enum {
    SIZE = 8,
    ROW = 16,
    EVENTS = 24,
    RECORDS = 40,
    HEADER = 104,
    SAMPLES = 3,
    FIRST = 1000,
    LAST = 5000,
};

static struct perfdata_writer w;

static void sample_at(uint64_t time)
{
    perfdata_sample(
        &w, &(struct perfdata_sample){
                .time = time, .ip = 0x401000, .pid = 40, .tid = 40, .mode = 2});
}

static void make(bool timed)
{
    perfdata_begin(&w, 0);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_comm(&w, FIRST, 40, 40, "app", true);
    for (unsigned i = 0; i < SAMPLES; i++)
        sample_at(timed ? FIRST + i : 0);
    perfdata_comm(&w, LAST, 40, 40, "app", false);
    perfdata_end(&w);
}

static bool skipped(const struct profile *p, const char *why)
{
    for (size_t i = 0; i < p->quality.skipped.len; i++)
        if (!strcmp(strings_get(p->strings, p->quality.skipped.data[i].reason),
                    why))
            return true;
    return false;
}

static bool warned(const struct profile *p, const char *part)
{
    for (size_t i = 0; i < p->quality.warnings.len; i++)
        if (strstr(strings_get(p->strings, p->quality.warnings.data[i]), part))
            return true;
    return false;
}

/* ---- versions ---- */

/* Headers of 2009 and 2010: the first had no features, and only their size
 * shows their byte order. */
TEST(first_version)
{
    enum { OLDEST = 72 };
    struct profile *p;

    for (unsigned i = 0; i < 4; i++) {
        perfdata_begin(&w, i % 2 ? PERFDATA_BIG : 0);
        perfdata_event(&w, 1, 0, 1000, "cpu-clock");
        sample_at(FIRST);
        perfdata_end(&w);
        memcpy(w.file.data, "PERFFILE", 8);
        if (i >= 2)
            blob_set(&w.file, i % 2 ? SIZE + 7 : SIZE, OLDEST, 1);
        p = read_event(&w, NULL);
        ck_assert_uint_eq(p->samples.len, 1);
        ck_assert(!p->trace.machine == (i >= 2));
        profile_free(p);
        perfdata_free(&w);
    }
}

TEST(next_version)
{
    struct err err = {0};

    make(true);
    w.file.data[7] = '3';
    ck_assert_ptr_null(try_read(w.file.data, w.file.len, NULL, &err));
    ck_assert_str_eq(
        err.message,
        "a.data: offset 0x0: unknown version '3' of perf.data; topfn reads "
        "version 2, and the PERFFILE format from before 2010");
    perfdata_free(&w);
}

/* What moves the fields of a sample is refused by its bit. */
TEST(unknown_bits)
{
    static const struct {
        uint64_t fields, read, branches;
        const char *bit; /* NULL: it is read */
    } rows[] = {
        {1 << 24, 0, 0, NULL},
        {1 << 25, 0, 0, "(bit 25 of sample_type)"},
        {UINT64_C(1) << 63 | 1 << 26, 0, 0, "(bit 26 of sample_type)"},
        {0, 1 << 5, 1 << 20, NULL}, /* neither is in a sample */
        {1 << 4, 1 << 5, 0, "(bit 5 of read_format)"},
        {1 << 11, 0, 1 << 20, "(bit 20 of branch_sample_type)"},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct err err = {0};
        struct profile *p;

        perfdata_begin(&w, 0);
        w.more_fields = rows[i].fields;
        w.read_format = rows[i].read;
        w.branch_type = rows[i].branches;
        perfdata_event(&w, 1, 0, 1000, "cpu-clock");
        sample_at(FIRST);
        perfdata_end(&w);
        p = try_read(w.file.data, w.file.len, NULL, &err);
        ck_assert_msg(!p == !!rows[i].bit, "%s", err.message);
        ck_assert(p || strstr(err.message, rows[i].bit));
        profile_free(p);
        perfdata_free(&w);
    }
}

/* What is longer than we know, or beside all that we know, is said. */
TEST(newer_descriptions)
{
    struct blob nothing = {0};
    struct profile *p;

    perfdata_begin(&w, 0);
    w.attributes = 152;
    w.features[0] = (struct perfdata_feature){33, &nothing};
    w.features[1] = (struct perfdata_feature){34, &nothing};
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    sample_at(FIRST);
    perfdata_end(&w);
    p = read_event(&w, NULL);
    ck_assert(warned(
        p, "event descriptions have 152 bytes, and topfn knows 144 of them"));
    ck_assert_str_eq(
        strings_get(p->strings,
                    p->trace.facts.data[p->trace.facts.len - 1].value),
        "34");
    profile_free(p);
    perfdata_free(&w);
}

/* A file of which nothing can be read is refused. */
TEST_LOOP(unknown_records_alone, 2)
{
    struct err err = {0};

    perfdata_begin(&w, _i ? PERFDATA_BIG : 0);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    for (int i = 0; i < 3; i++) {
        perfdata_put(&w, &w.records, 222, 4);
        perfdata_put(&w, &w.records, _i ? 16 : 16 << 16, 4);
        perfdata_put(&w, &w.records, 1, 8);
    }
    perfdata_end(&w);
    ck_assert_ptr_null(try_read(w.file.data, w.file.len, NULL, &err));
    ck_assert_str_eq(err.message, "a.data: all record types are unknown: a "
                                  "newer recorder wrote the file");
    perfdata_free(&w);
}

TEST(unknown_packing)
{
    static const uint8_t method[] = {1, 0, 0, 0, 2, 0, 0, 0};
    struct blob body = {0};
    struct err err = {0};

    perfdata_begin(&w, PERFDATA_PACKED);
    blob_bytes(&body, method, sizeof(method));
    w.features[0] = (struct perfdata_feature){27, &body};
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    sample_at(FIRST);
    perfdata_end(&w);
    ck_assert_ptr_null(try_read(w.file.data, w.file.len, NULL, &err));
    ck_assert_msg(strstr(err.message, "unknown compression method 2"), "%s", err.message);
    perfdata_free(&w);
    vec_release(&body);
}

/* Of a big-endian machine of 32 bits: the words of its features are small. */
TEST(features_of_a_32_bit_machine)
{
    enum { FEATURES = 72, WORD = 4 };
    uint8_t first[WORD];
    struct profile *p;

    perfdata_begin(&w, PERFDATA_BIG);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    sample_at(FIRST);
    perfdata_end(&w);
    memcpy(first, w.file.data + FEATURES + WORD, WORD);
    memset(w.file.data + FEATURES + WORD, 0, WORD);
    memcpy(w.file.data + FEATURES, first, WORD);
    p = read_event(&w, NULL);
    ck_assert_str_eq(strings_get(p->strings, p->trace.machine), "shop");
    ck_assert_uint_eq(p->samples.len, 1);
    profile_free(p);
    perfdata_free(&w);
}

/* ---- sizes ---- */

TEST(sizes_of_headers)
{
    static const struct {
        uint64_t size;
        size_t samples; /* 0: it is refused */
    } rows[] = {{HEADER, SAMPLES}, {HEADER + 8, SAMPLES}, {HEADER - 1, 0}};
    struct err err = {0};
    struct profile *p;

    make(true);
    for (size_t i = 0; i < 3; i++) {
        blob_set(&w.file, SIZE, rows[i].size, 8);
        p = try_read(w.file.data, w.file.len, NULL, &err);
        ck_assert(!p == !rows[i].samples);
        if (p)
            ck_assert_uint_eq(p->samples.len, rows[i].samples);
        profile_free(p);
    }
    ck_assert_str_eq(err.message, "a.data: offset 0x8: invalid header size 103");
    ck_assert_ptr_null(try_read(w.file.data, w.file.len, NULL, NULL));
    perfdata_free(&w);
}

TEST(cut_in_the_header)
{
    struct err err = {0};

    make(true);
    ck_assert_ptr_null(try_read(w.file.data, HEADER - 1, NULL, &err));
    ck_assert_str_eq(err.message, "a.data: offset 0x67: header truncated");
    err = (struct err){0};
    ck_assert_ptr_null(try_read(w.file.data, HEADER, NULL, &err));
    ck_assert_ptr_null(strstr(err.message, "header truncated"));
    perfdata_free(&w);
}

/* ---- the table of events ---- */

/* Rows are at least 64 bytes of a description and the place of its ids. */
static const struct {
    uint64_t row, size;
    const char *cut;
    size_t samples;
} tables[] = {
    {152, 152, NULL, SAMPLES},
    {80, 80, NULL, SAMPLES},
    {79, 152, "the table of events is truncated", 0},
    {0, 152, "the table of events is truncated", 0},
    {152, 151, NULL, 0},
    {152, 1 << 20, "the table of events is truncated", SAMPLES},
};

TEST_LOOP(tables_of_events, COUNT(tables))
{
    struct err err = {0};
    struct profile *p;

    make(true);
    blob_set(&w.file, ROW, tables[_i].row, 8);
    blob_set(&w.file, EVENTS + 8, tables[_i].size, 8);
    p = try_read(w.file.data, w.file.len, NULL, &err);
    ck_assert(!p == !tables[_i].samples);
    if (p)
        ck_assert_uint_eq(p->trace.event_counts.data[0].count, SAMPLES);
    if (p && tables[_i].cut)
        ck_assert(skipped(p, tables[_i].cut));
    else if (p)
        ck_assert_uint_eq(p->quality.skipped_ranges, 0);
    else if (tables[_i].cut)
        ck_assert_ptr_nonnull(strstr(err.message, tables[_i].cut));
    else
        ck_assert_str_eq(err.message,
                         "a.data: the recording describes no event");
    profile_free(p);
    perfdata_free(&w);
}

/* ---- where the records are ---- */

TEST(places_of_records)
{
    struct err err = {0};
    struct profile *p;
    uint64_t size;

    make(true);
    size = load_u64(w.file.data + RECORDS + 8);
    p = read_event(&w, NULL);
    ck_assert_uint_eq(p->samples.len, SAMPLES);
    ck_assert_uint_eq(p->quality.skipped_ranges, 0);
    ck_assert(!warned(p, "killed"));
    profile_free(p);
    blob_set(&w.file, RECORDS + 8, 0, 8);
    p = read_event(&w, NULL);
    ck_assert_uint_eq(p->samples.len, SAMPLES);
    ck_assert(warned(p, "a.data: the recorder was killed"));
    profile_free(p);
    blob_set(&w.file, RECORDS + 8, w.file.len, 8);
    p = read_event(&w, NULL);
    ck_assert_uint_eq(p->samples.len, SAMPLES);
    ck_assert(skipped(p, "the file is truncated"));
    profile_free(p);
    blob_set(&w.file, RECORDS + 8, size, 8);
    blob_set(&w.file, RECORDS, w.file.len + 1, 8);
    ck_assert_ptr_null(try_read(w.file.data, w.file.len, NULL, &err));
    ck_assert_msg(
        strstr(err.message, "the file is truncated; no sample could be read"),
        "%s", err.message);
    perfdata_free(&w);
}
