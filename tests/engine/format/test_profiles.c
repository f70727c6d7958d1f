/* Profiles of other tools: what is odd in them, and what is hostile. */
#include "engine/analysis/rank.h"
#include "engine/base/out.h"
#include "engine/input/formats.h"
#include "engine/input/recording.h"
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

static const struct {
    const char *format, *text, *rows;
} texts[] = {
    {"collapsed", "a;b 1\r\n# note\n\na;b 2\na 3\n", "a 3 6;b 3 3;"},
    {"collapsed", "a;b 1.5\na;;b 1\nno count\n", "b 25 25;a 0 25;"},
    /* Weights of more than 32 bits. */
    {"collapsed", "a;b 5000000000\na 999\na 1\n",
     "b 5000000000 5000000000;a 1000 5000001000;"},
    {"collapsed", "a;b 99999999999999999999999999\na;b 1\n", "b 1 1;a 0 1;"},
    {"collapsed", "app.dll!run;operator!=;a_[i] 1\n;b 2\n",
     "b 2 2;a 1 1;operator!= 0 1;run 0 1;"},
    {"speedscope",
     SPEEDSCOPE "{\"type\":\"sampled\",\"unit\":\"none\",\"samples\":[[0,1],"
                "[0,7],[1]],\"weights\":[2,1,-4]}]}",
     "b 2 2;a 1 3;"},
    /* Closed out of order, and never. */
    {"speedscope",
     SPEEDSCOPE "{\"type\":\"evented\",\"unit\":\"none\",\"events\":["
                "{\"type\":\"O\",\"frame\":0,\"at\":0},"
                "{\"type\":\"O\",\"frame\":1,\"at\":2},"
                "{\"type\":\"C\",\"frame\":0,\"at\":5},"
                "{\"type\":\"O\",\"frame\":1,\"at\":6},"
                "{\"type\":\"O\",\"frame\":0,\"at\":7}]}]}",
     "b 4 4;a 2 5;"},
    /* A node that is its own ancestor, a child that is nowhere. */
    {"cpuprofile",
     "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"a\"},"
     "\"children\":[2,9]},{\"id\":2,\"callFrame\":{\"functionName\":\"b\"},"
     "\"children\":[1]}],\"samples\":[2,1,5],\"timeDeltas\":[0,1,1]}",
     "a 1 2;b 1 1;"},
    {"cpuprofile",
     "{\"head\":{\"functionName\":\"(root)\",\"id\":1,\"hitCount\":0,"
     "\"children\":[{\"functionName\":\"a\",\"id\":2,\"hitCount\":7,"
     "\"children\":[]}]},\"startTime\":1,\"endTime\":2}",
     "a 7 7;"},
    /* The root at the end, where nothing was hit, ends the sample before. */
    {"cpuprofile",
     "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"},"
     "\"hitCount\":0,\"children\":[2]},{\"id\":2,\"callFrame\":"
     "{\"functionName\":\"a\"},\"hitCount\":2}],"
     "\"samples\":[2,2,1],\"timeDeltas\":[0,1,1]}",
     "a 2 2;"},
    {"cpuprofile",
     "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"},"
     "\"hitCount\":0,\"children\":[2]},{\"id\":2,\"callFrame\":"
     "{\"functionName\":\"a\"},\"hitCount\":2}],"
     "\"samples\":[2,1],\"timeDeltas\":[0,2]}",
     "a 2 2;"},
    /* Cut off, after a sample and in the middle of one. */
    {"speedscope",
     SPEEDSCOPE "{\"type\":\"evented\",\"unit\":\"none\",\"events\":["
                "{\"type\":\"O\",\"frame\":0,\"at\":0},"
                "{\"type\":\"C\",\"frame\":0,\"at\":5},"
                "{\"type\":\"O\",\"frame\":1,\"at\":6},{\"type\":\"C",
     "a 5 5;"},
    {"cpuprofile",
     "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"a\"}},"
     "{\"id\":2,\"callFrame\":{\"functionName\":\"b\"}}],"
     "\"samples\":[2,1,1,2",
     "a 2 2;b 1 1;"},
    {"firefox",
     "{\"meta\":{\"preprocessedProfileVersion\":48},\"libs\":[],\"threads\":["
     "{\"samples\":{\"stack\":[0]},\"stackTable\":{\"frame\":[0],"
     "\"prefix\":[null]},"
     "\"frameTable\":{\"func\":[0]},\"funcTable\":{\"name\":[0]},"
     "\"stringArray\":[\"a\"]},{\"samples\":{\"stack\":[0,0",
     "a 1 1;"},
    /* A stack on top of itself; one that is nowhere; none. */
    {"firefox",
     "{\"meta\":{\"preprocessedProfileVersion\":48,\"interval\":1},\"libs\":[],"
     "\"threads\":[{\"name\":\"t\",\"tid\":1,\"pid\":\"1\","
     "\"samples\":{\"stack\":[0,1,8],\"time\":[0,1,2],\"length\":3},"
     "\"stackTable\":{\"frame\":[0,1],\"prefix\":[0,0]},"
     "\"frameTable\":{\"func\":[0,1],\"line\":[null,3]},"
     "\"funcTable\":{\"name\":[0,1],\"resource\":[-1,-1]},"
     "\"stringArray\":[\"a\",\"b\"]}]}",
     "a 1 2;b 1 1;"},
    /* Gecko: what a frame is called, and behind it where it is. */
    {"firefox",
     "{\"meta\":{\"version\":13,\"stackwalk\":1,\"interval\":1},\"libs\":[],"
     "\"threads\":[{\"name\":\"t\",\"tid\":1,\"pid\":1,"
     "\"samples\":{\"schema\":{\"stack\":0,\"time\":1},"
     "\"data\":[[6,0],[5,1],[6,2]]},"
     "\"stackTable\":{\"schema\":{\"prefix\":0,\"frame\":1},"
     "\"data\":[[null,0],[0,1],[1,2],[2,3],[3,4],[4,5],[5,6]]},"
     "\"frameTable\":{\"schema\":{\"location\":0},"
     "\"data\":[[0],[1],[2],[3],[4],[5],[6]]},"
     "\"stringTable\":[\"http://a.org/s.js:1\",\"go (http://a.org/s.js:5:2)\","
     "\"go (l.js -> s.js:7)\",\"f(int) (in libx.so)\",\"h (x)\","
     "\"x::y:3\",\"(root)\"]}]}",
     "(root) 2 2;x::y:3 1 3;f(int) 0 3;go 0 3;h (x) 0 3;"
     "http://a.org/s.js 0 3;"},
    /* Tables that threads share, and times between samples. */
    {"firefox",
     "{\"meta\":{\"preprocessedProfileVersion\":58,\"interval\":1},\"libs\":[],"
     "\"shared\":{\"stackTable\":{\"frame\":[0],\"prefix\":[null]},"
     "\"frameTable\":{\"func\":[0]},\"funcTable\":{\"name\":[0],"
     "\"source\":[0]},\"sources\":{\"filename\":[1]},"
     "\"stringArray\":[\"a\",\"a.c\"]},\"threads\":["
     "{\"samples\":{\"stack\":[0],\"timeDeltas\":[5],\"weight\":[4],"
     "\"weightType\":\"samples\"}},{\"samples\":{\"stack\":[0,0]}}]}",
     "a 6 6;"},
};

TEST_LOOP(reads_what_it_can, COUNT(texts))
{
    struct err err = {0};
    struct profile *p = read_bytes(texts[_i].text, strlen(texts[_i].text),
                                   texts[_i].format, &err);

    ck_assert_msg(p != NULL, "%s", err.message);
    assert_rows(p, texts[_i].rows);
    profile_free(p);
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
