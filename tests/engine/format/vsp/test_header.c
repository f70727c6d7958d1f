/* The header of a recording: where each of its fields is. */
#include "engine/format/vsp/vsp.h"
#include "tests/support/blob.h"
#include "tests/support/suite.h"

enum { DATE = 88, FLAGS = 156, COLLECTION = 164, SAMPLING = 168, MHZ = 2268 };

static struct blob b;
static struct vsp_file file;
static struct profile *p;

/* 4 bytes each, where nothing else is said. */
static const struct {
    size_t at;
    uint32_t value;
} numbers[] = {
    {0, 0x454B494D},
    {4, VSP_LEAST_HEADER},
    {8, 43},
    {84, 7},
    {16, 50727},
    {104, 4001},
    {108, 4002},
    {112, 4003},
    {116, 4004},
    {120, 4005},
    {124, 4006},
    {140, 4007},
    {144, 4008},
    {148, 4009},
    {152, 4010},
    {156, 0x60},
    {164, 4},
    {168, 1},
    {172, 5000},
    {180, 1},
    {184, 501},
    {188, 502},
    {192, 503},
    {196, 504},
    {200, 505},
    {204, 506},
    {208, 507},
    {212, 508},
    {216, 509},
    {524, 2},
    {2192, 0x11},
    {2196, 1},
    {2200, 601},
    {2204, 0x22},
    {2208, 2},
    {2212, 602},
    {2216, 603},
    {2252, 12},
    {2256, 3},
    {2260, 9},
    {2264, 0xF6F2},
    {2268, 2500},
    {2276, 6},
    {2280, 1},
    {2284, 7601},
    {2548, 604},
    {14848, 605},
};

static const struct {
    size_t at;
    const char *text;
} texts[] = {
    {544, "Misses  "},        {624, "Hits"},
    {704, "not counted"},     {2220, "BUILD7"},
    {2292, "Service Pack 1"}, {18696, "C:\\a.krn.ctl"},
    {19216, "C:\\a.app.ctl"},
};

static void put_text(size_t at, const char *text)
{
    for (; *text; text++, at += 2)
        blob_set(&b, at, (uint8_t)*text, 2);
}

static void put_date(const uint16_t date[8])
{
    for (size_t i = 0; i < 8; i++)
        blob_set(&b, DATE + 2 * i, date[i], 2);
}

static void begin(void)
{
    b = (struct blob){0};
    blob_zero(&b, VSP_LEAST_HEADER);
    for (size_t i = 0; i < COUNT(numbers); i++)
        blob_set(&b, numbers[i].at, numbers[i].value, 4);
    for (size_t i = 0; i < COUNT(texts); i++)
        put_text(texts[i].at, texts[i].text);
    put_date((const uint16_t[]){2012, 6, 5, 15, 13, 14, 15, 16});
    blob_set(&b, 12, 12, 2);
    blob_set(&b, 14, 34, 2);
    memcpy(b.data + 20, "12.0.1 x86", 10);
    p = profile_new();
}

static enum err_code read_header(struct err *err)
{
    file = (struct vsp_file){.name = "a.vsp", .data = b.data, .size = b.len};
    return vsp_header_read(&file, p, err);
}

static void end(void)
{
    profile_free(p);
    free(b.data);
}

static const char *fact(const char *name)
{
    for (size_t i = 0; i < p->trace.facts.len; i++)
        if (!strcmp(strings_get(p->strings, p->trace.facts.data[i].name), name))
            return strings_get(p->strings, p->trace.facts.data[i].value);
    return "";
}

TEST(nothing_to_be_careful_about)
{
    begin();
    for (size_t at = 184; at < 220; at += 4)
        blob_set(&b, at, 0, 4);
    ck_assert_int_eq(read_header(NULL), ERR_NONE);
    for (size_t i = 0; i < p->trace.facts.len; i++)
        ck_assert(!p->trace.facts.data[i].caveat);
    end();
}

TEST(no_clock_rate)
{
    begin();
    blob_set(&b, MHZ, 0, 4);
    ck_assert_int_eq(read_header(NULL), ERR_NONE);
    ck_assert_uint_eq(file.header.mhz, 1000);
    ck_assert_int_eq(p->trace.interval_ns, 0);
    ck_assert_uint_eq(p->quality.warnings.len, 1);
    ck_assert_str_eq(
        strings_get(p->strings, p->quality.warnings.data[0]),
        "the header states no clock rate: times are in thousands of cycles");
    end();
}

static const struct {
    uint16_t date[8];
    int64_t ns;
} dates[] = {
    {{1970, 1, 4, 1, 0, 0, 0, 1}, 1000000},
    {{2000, 2, 2, 29, 12, 30, 15, 999}, 951827415999000000},
    {{2000, 3, 3, 1, 0, 0, 0, 0}, 951868800000000000},
    {{1999, 12, 5, 31, 23, 59, 60, 0}, 946684800000000000},
    {{2100, 3, 1, 1, 0, 0, 0, 0}, 4107542400000000000},
    {{2012, 12, 1, 31, 0, 0, 0, 0}, 1356912000000000000},
    {{2250, 1, 3, 1, 0, 0, 0, 0}, 8835955200000000000},
    {{1969, 12, 3, 31, 0, 0, 0, 0}, 0},
    {{2251, 1, 3, 1, 0, 0, 0, 0}, 0},
    {{2025, 0, 0, 1, 0, 0, 0, 0}, 0},
    {{2025, 13, 0, 1, 0, 0, 0, 0}, 0},
    {{2025, 1, 0, 0, 0, 0, 0, 0}, 0},
    {{2025, 1, 0, 32, 0, 0, 0, 0}, 0},
    {{2025, 1, 0, 1, 24, 0, 0, 0}, 0},
    {{2025, 1, 0, 1, 0, 60, 0, 0}, 0},
    {{2025, 1, 0, 1, 0, 0, 61, 0}, 0},
    {{2025, 1, 0, 1, 0, 0, 0, 1000}, 0},
};

TEST_LOOP(dates_of_recordings, COUNT(dates))
{
    begin();
    put_date(dates[_i].date);
    ck_assert_int_eq(read_header(NULL), ERR_NONE);
    ck_assert_int_eq(p->trace.start_unix_ns, dates[_i].ns);
    end();
}

static const struct {
    uint32_t size;
    enum err_code code;
} sizes[] = {
    {VSP_LEAST_HEADER, ERR_NONE},        {VSP_LEAST_HEADER - 4, ERR_CORRUPT},
    {VSP_LEAST_HEADER + 2, ERR_CORRUPT}, {VSP_LEAST_HEADER + 4, ERR_NONE},
    {VSP_LARGEST_HEADER, ERR_NONE},      {VSP_LARGEST_HEADER + 4, ERR_CORRUPT},
};

TEST_LOOP(sizes_of_headers, COUNT(sizes))
{
    struct err err = {0};

    begin();
    blob_set(&b, 4, sizes[_i].size, 4);
    ck_assert_int_eq(read_header(&err), sizes[_i].code);
    ck_assert_uint_eq(file.header.size, sizes[_i].size);
    if (sizes[_i].code)
        ck_assert_ptr_nonnull(
            strstr(err.message, "a.vsp: offset 0x4: invalid header size"));
    b.len--;
    err = (struct err){0};
    ck_assert_int_eq(read_header(&err), ERR_TRUNCATED);
    end();
}

/* Of a file version that is not known the header is read, and that is said. */
TEST(another_file_version)
{
    begin();
    blob_set(&b, 8, 44, 4);
    ck_assert_int_eq(read_header(NULL), ERR_NONE);
    ck_assert_uint_eq(p->quality.warnings.len, 1);
    ck_assert_str_eq(strings_get(p->strings, p->quality.warnings.data[0]),
                     "unknown file version 44; topfn knows version 43: compare "
                     "the result with Visual Studio");
    end();
}

/* A version of 64 characters has no end of its own. */
TEST(the_longest_version)
{
    begin();
    memset(b.data + 20, 'v', 64);
    ck_assert_int_eq(read_header(NULL), ERR_NONE);
    ck_assert_uint_eq(strlen(fact("profiler version")), 64);
    end();
}

TEST(texts_of_fields)
{
    static const uint8_t field[] = {'a', 0, 0, 'b', 'c', 0, 0, 0, 'd', 0};

    ck_assert_uint_eq(vsp_text(field, 10).len, 6);
    ck_assert_uint_eq(vsp_text(field, 6).len, 6);
    ck_assert_uint_eq(vsp_text(field, 5).len, 4);
    ck_assert_uint_eq(vsp_text(field, 2).len, 2);
    ck_assert_uint_eq(vsp_text(field, 1).len, 0);
    ck_assert_uint_eq(vsp_text(field + 6, 4).len, 0);
}
