/* Profiles of other tools: what is odd in them, and what is hostile. */
#include "engine/analysis/rank.h"
#include "engine/base/out.h"
#include "engine/input/formats.h"
#include "engine/input/recording.h"
#include "tests/support/cells.h"
#include "tests/support/profile_check.h"
#include "tests/support/suite.h"

static struct profile *read_bytes(const void *bytes, size_t size,
                                  const char *format, struct err *err)
{
    const struct trace_format *f = trace_format_of(bytes, size);
    struct read_options options = {.threads = 1};
    struct entry entry = {
        .name = "a", .inner = "", .data = bytes, .size = size};
    struct profile *p = profile_new();

    ck_assert_ptr_nonnull(f);
    ck_assert_str_eq(f->name, format);
    if (recording_read(f, &entry, 1, &options, p, err)) {
        profile_free(p);
        return NULL;
    }
    profile_finish(p);
    ck_assert_ptr_null(profile_check(p));
    return p;
}

/* "name exclusive inclusive;..." of all functions. */
static void assert_rows(const struct profile *p, const char *expected)
{
    struct selection *sel = selection_new(p, NULL);
    struct ranking *r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);
    struct out *out = out_memory();

    for (size_t i = 0; i < r->len; i++)
        out_fmt(out, "%s %llu %llu;", r->rows[i].name,
                (unsigned long long)r->rows[i].exclusive,
                (unsigned long long)r->rows[i].inclusive);
    ck_assert_str_eq(out_text(out, NULL), expected);
    out_close(out, NULL);
    ranking_free(r);
    selection_free(sel);
}

#define SPEEDSCOPE                                                             \
    "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","     \
    "\"shared\":{\"frames\":[{\"name\":\"a\"},{\"name\":\"b\"}]},"             \
    "\"profiles\":["

static void check_text(const struct cells *row)
{
    struct err err = {0};
    struct profile *p =
        read_bytes(row->cell[1], row->len[1], row->cell[0], &err);

    ck_assert_msg(p != NULL, "%s", err.message);
    assert_rows(p, row->cell[2]);
    profile_free(p);
}

TEST(reads_what_it_can)
{
    cells_each("tests/engine/format/profiles.cells", "texts", check_text);
}

/* Far more frames than a stack may have: memory grows with the file. */
TEST(deep_stacks_are_cut)
{
    enum { DEPTH = 20000 };
    struct out *out = out_memory();
    struct err err = {0};
    struct profile *p;
    const char *text;
    size_t n;

    for (unsigned i = 0; i < DEPTH; i++)
        out_fmt(out, "%sf%u", i ? ";" : "", i % 7);
    out_str(out, " 1\n");
    text = out_text(out, &n);
    p = read_bytes(text, n, "collapsed", &err);
    ck_assert_ptr_nonnull(p);
    ck_assert_uint_le(p->stacks.len, 2 * DEPTH + 1);
    n = 0;
    for (uint32_t s = p->samples.stack[0]; s; s = p->stacks.data[s].parent)
        n++;
    ck_assert_uint_le(n, STACK_DEEPEST);
    ck_assert_uint_gt(n, STACK_DEEPEST / 2 - 1);
    ck_assert_uint_eq(p->quality.warnings.len, 1);
    profile_free(p);
    out_close(out, NULL);
}

/* What is damaged is said; where nothing is left, it is refused. */
TEST(damage_is_said)
{
    static const char whole[] =
        SPEEDSCOPE "{\"type\":\"evented\",\"unit\":\"none\",\"events\":["
                   "{\"type\":\"O\",\"frame\":0,\"at\":0},"
                   "{\"type\":\"C\",\"frame\":0,\"at\":5}]}]}";
    size_t n = strlen(whole), read = 0;

    for (size_t i = 100; i <= n; i++) {
        struct err err = {0};
        struct profile *p = read_bytes(whole, i, "speedscope", &err);

        if (!p) {
            ck_assert_int_eq(err.code, ERR_CORRUPT);
            continue;
        }
        ck_assert_uint_eq(p->samples.len, 1);
        ck_assert((p->quality.skipped.len > 0) == (i < n));
        read++;
        profile_free(p);
    }
    ck_assert_uint_gt(read, 4);
}

TEST(nothing_but_negative_values)
{
    static const char folded[] = "a;b -5\na -2\n";
    static const char scope[] =
        SPEEDSCOPE "{\"type\":\"sampled\",\"unit\":\"bytes\",\"samples\":"
                   "[[0]],\"weights\":[-4]}]}";
    struct err err = {0};

    ck_assert_ptr_null(read_bytes(folded, strlen(folded), "collapsed", &err));
    ck_assert_int_eq(err.code, ERR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.message, "all of its values are negative "
                                              "(2)"));
    err = (struct err){0};
    ck_assert_ptr_null(read_bytes(scope, strlen(scope), "speedscope", &err));
    ck_assert_int_eq(err.code, ERR_UNSUPPORTED);
}

/* Brackets in brackets, and values that cost far more than their text. */
TEST(json_is_bounded)
{
    static const char begin[] = "{\"nodes\":[{\"callFrame\":{\"a\":";
    enum { SIZE = 8 << 20 };
    char *text = mem_new(SIZE, 1);
    struct err err = {0};

    memset(text, '[', SIZE);
    memcpy(text, begin, sizeof(begin) - 1);
    ck_assert_ptr_null(read_bytes(text, SIZE, "cpuprofile", &err));
    ck_assert_int_eq(err.code, ERR_CORRUPT);
    free(text);
}
