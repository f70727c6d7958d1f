/* Text of perf script whose answers are known. */
#include <unistd.h>

#include "engine/analysis/rank.h"
#include "engine/base/out.h"
#include "engine/format/perfdata/perfdata.h"
#include "engine/input/recording.h"
#include "tests/support/opened.h"
#include "tests/support/profile_check.h"
#include "tests/support/profile_text.h"
#include "tests/support/suite.h"

#define KERNEL_FRAMES                                                          \
    "\tffffffff81000510 vfs_read+0x10 ([kernel.kallsyms])\n"                   \
    "\tffffffffc0000010 ext4_read ([ext4])\n"                                  \
    "\tffffffff81000100 do_syscall_64 ([kernel.kallsyms])\n"

static const char shop[] =
    "# ========\n"
    "# hostname : shop\n"
    "# ========\n"
    "#\n"
    "shop 40/40 [001] 12.000100:    1000000 cpu-clock:u: \n"
    "\t             1234 total+0x4 (/srv/shop/shop)\n"
    "\t             1100 main (/srv/shop/shop)\n"
    "\n"
    "shop 40/41 [000] 12.001100:    1000000 cpu-clock:u: \n" KERNEL_FRAMES
    "\t    7f0000000100 read (/lib/libc.so.6)\n"
    "\t             1200 [unknown] (/srv/shop/shop)\n"
    "\n"
    "shop 40/40 [001] 12.001200:          1 page-faults: \n"
    "\t             1300 grow (/srv/shop/shop)\n"
    "\n"
    "a b: [c] 50/50 [001] 12.002100:    1000000 cpu-clock:u: \n"
    "\t             2010 add (inlined)\n"
    "\t             2010 sum(int, int) (/srv/a b/(x)/till (deleted))\n"
    "\t             1100 main (/srv/a b/(x)/till (deleted))\n"
    "\n"
    "   swapper     0/0     [001] 12.002200:    1000000 cpu-clock:u: "
    "ffffffff81000800 idle ([kernel.kallsyms])\n"
    "node 60/60 [000] 12.003100:    1000000 cpu-clock:u: \n"
    "\t    7f1000000100 int32 [Shop] Shop.Cart::Sum(int32[])[Tier1] "
    "(/tmp/perf-60.map)\n"
    "\t    7f1000000200 JS:*total /srv/shop.js:3:9 (/tmp/perf-60.map)\n"
    "\t 6ce258d4c544155 [unknown] ([unknown])\n";

static struct profile *read_text(const char *text, size_t size,
                                 const char *event, struct err *err)
{
    struct read_options options = {.threads = 1, .event = event};
    struct entry e = {.name = "a.perf",
                      .inner = "",
                      .data = (const uint8_t *)text,
                      .size = size};
    struct profile *p = profile_new();

    if (recording_read(&perf_script_format, &e, 1, &options, p, err)) {
        profile_free(p);
        return NULL;
    }
    profile_finish(p);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    return p;
}

static struct profile *read_shop(const char *event)
{
    struct err err = {0};
    struct profile *p = read_text(shop, sizeof(shop) - 1, event, &err);

    ck_assert_msg(p, "%s", err.message);
    return p;
}

/* "module!function < ..." of a sample, innermost first. */
static void assert_stack(const struct profile *p, size_t sample,
                         const char *expected)
{
    char text[1000] = "", name[FUNCTION_NAME_SIZE];
    uint32_t stack = p->samples.stack[sample];

    for (; stack; stack = p->stacks.data[stack].parent) {
        uint32_t location = p->stacks.data[stack].location;
        uint32_t function =
            p->frames.data[p->frame_start.data[location]].function;
        size_t n = strlen(text);

        snprintf(text + n, sizeof(text) - n, "%s%s:%s", n ? " < " : "",
                 profile_location_module(p, location),
                 profile_function_name(p, function, name));
    }
    ck_assert_str_eq(text, expected);
}

TEST(events)
{
    struct err err = {0};
    struct profile *p = read_shop("page-faults");

    ck_assert_uint_eq(p->samples.len, 1);
    ck_assert_str_eq(profile_metric_word(p), "page-faults");
    assert_stack(p, 0, "shop:grow");
    profile_free(p);
    ck_assert(!read_text(shop, sizeof(shop) - 1, "cycles", &err));
    ck_assert_int_eq(err.code, ERR_NOT_FOUND);
}

/* Without stacks, times and events. */
TEST(lines_of_an_address)
{
    static const char text[] =
        "            shop 41      55d0c1a2b234 total (/srv/shop/shop)\n"
        "            shop 41  ffffffff81000010 read ([kernel.kallsyms])\n"
        "              cc 42      55d0c1a2b234 main (/usr/bin/cc)\n";
    struct err err = {0};
    struct profile *p = read_text(text, sizeof(text) - 1, NULL, &err);

    ck_assert_msg(p, "%s", err.message);
    ck_assert_int_eq(
        perf_script_format.probe((const uint8_t *)text, sizeof(text) - 1),
        PROBE_YES);
    ck_assert_uint_eq(p->samples.len, 3);
    ck_assert_uint_eq(p->processes.len, 2);
    assert_stack(p, 0, "shop:total");
    assert_stack(p, 1, "[kernel.kallsyms]:read");
    assert_stack(p, 2, "cc:main");
    for (size_t i = 0; i < 3; i++)
        ck_assert_uint_eq(stack_class(p->samples.flags[i]), STACK_NONE);
    profile_free(p);
}

/* Heads of a name, of an id, and none: a blank stands behind each field. */
static const char *const bare[] = {"shop shop \n", "   41 \n", "\n"};

TEST_LOOP(heads_of_one_field, 3)
{
    enum { SAMPLES = 3 };
    char text[600] = "# a comment\n";
    struct err err = {0};
    struct profile *p;

    for (unsigned i = 0; i < SAMPLES; i++) {
        strcat(text, bare[_i]);
        strcat(text, "\t            1234 total (/srv/shop/shop)\n"
                     "\t    7f1000001100 main (/srv/shop/shop)\n\n");
    }
    ck_assert_int_eq(
        perf_script_format.probe((const uint8_t *)text, strlen(text)),
        PROBE_YES);
    p = read_text(text, strlen(text), NULL, &err);
    ck_assert_msg(p, "%s", err.message);
    ck_assert_uint_eq(p->samples.len, SAMPLES);
    ck_assert_uint_eq(p->threads.len, 1);
    for (unsigned i = 0; i < SAMPLES; i++)
        ck_assert_uint_eq(p->samples.stack[i], 2);
    ck_assert_uint_eq(p->quality.malformed, 0);
    profile_free(p);
}

TEST(what_it_is)
{
    static const char *const others[] = {
        "",
        "\n",
        "main;total 12\n",
        "12.345678: x\n",
        "a 12: b\n",
        "main 12\nidle 5\n",
        "a 12 b: 7\n",
        "a 12\n\tb\n",
        "a 12 cycles:\n\n",
        "cycles:\n",
        "a \n\tb\n",
        "a \n\t1234 total\n",
        "a\n\t            1234 total (/srv/shop/shop)\n",
        "a 1 PERF_RECORD_COMM: b:1/1\n",
        "a 1.000000:\n",
        "# only\n# comments\n",
        "{\"a\": 12.345678: 1}",
        "events: calls\n",
    };

    ck_assert_int_eq(
        perf_script_format.probe((const uint8_t *)shop, sizeof(shop) - 1),
        PROBE_YES);
    for (size_t i = 0; i < COUNT(others); i++)
        ck_assert_msg(perf_script_format.probe((const uint8_t *)others[i],
                                               strlen(others[i])) == PROBE_NO,
                      "%s", others[i]);
}

/* Cut at every length: what is left is read. */
TEST(cut_anywhere)
{
    size_t last = 0;

    for (size_t n = 0; n < sizeof(shop); n++) {
        char *bytes = mem_new(n + 1, 1);
        struct err err = {0};
        struct profile *p;

        memcpy(bytes, shop, n);
        p = perf_script_format.probe((uint8_t *)bytes, n) == PROBE_NO
                ? NULL
                : read_text(bytes, n, NULL, &err);
        ck_assert_msg(p || last <= 1, "%zu: %s", n, err.message);
        if (p) {
            ck_assert_uint_ge(p->samples.len, last);
            last = p->samples.len;
        }
        profile_free(p);
        free(bytes);
    }
    ck_assert_uint_eq(last, 5);
}

/* ---- more than is read ---- */

/* Every sample of the text is read, and the warning has these words. */
static void assert_warned(struct out *text, size_t samples, const char *words)
{
    struct err err = {0};
    size_t n;
    const char *bytes = out_text(text, &n);
    struct profile *p = read_text(bytes, n, NULL, &err);
    const char *warning =
        p->quality.warnings.len
            ? strings_get(p->strings, p->quality.warnings.data[0])
            : "nothing";

    ck_assert_uint_eq(p->samples.len, samples);
    ck_assert_msg(strstr(warning, words) != NULL, "%s", warning);
    profile_free(p);
    out_close(text, NULL);
}

/* A sample of more frames than are kept has the first of them, another one of
 * more files than are told apart has no names for the rest. */
TEST(what_is_left_out_is_said)
{
    static const char head[] = "a 1/1 [000] 1.000001: 1 cycles: \n";
    struct out *text = out_memory();

    out_str(text, head);
    for (unsigned i = 0; i < 262144 + 7; i++)
        out_str(text, "\t1 f (inlined)\n");
    assert_warned(text, 1, " 7 frames left out");
    text = out_memory();
    for (unsigned i = 0; i < (1 << 15) + 3; i++)
        out_fmt(text, "%s\t10 f (/bin/f%u)\n", head, i);
    assert_warned(text, (1 << 15) + 3, " 3 frames have no name");
}

/* ---- the recording itself ---- */

static const char *const pairs[][2] = {
    {"ledger-fp.data", "ledger-fp.script.txt"},
    {"ledger-dwarf.data", "ledger-dwarf.script.txt"},
    {"copyforward.perf.data", "copyforward.perf.script.txt"},
};

enum { PAIRS = COUNT(pairs) };

static struct ranking *rank_modules(const char *path, struct profile **p)
{
    struct read_options options = {.threads = 0};
    struct selection *sel;
    struct ranking *r;

    *p = opened_profile(path, &options);
    sel = selection_new(*p, NULL);
    r = ranking_new(*p, sel, RANK_MODULE, SORT_EXCLUSIVE);
    selection_free(sel);
    return r;
}

static uint64_t count_in(const struct ranking *r, const char *module)
{
    for (size_t i = 0; i < r->len; i++)
        if (!strcmp(r->rows[i].name, module))
            return r->rows[i].exclusive;
    return 0;
}

static void assert_same_modules(const char *data, const char *text)
{
    struct profile *p, *q;
    struct ranking *a = rank_modules(data, &p), *b = rank_modules(text, &q);

    ck_assert_uint_eq(p->samples.len, q->samples.len);
    for (size_t i = 0; i < a->len; i++)
        ck_assert_msg(a->rows[i].exclusive == count_in(b, a->rows[i].name),
                      "%s: %s", data, a->rows[i].name);
    ranking_free(a);
    ranking_free(b);
    profile_free(p);
    profile_free(q);
}

/* What a recording has in each file, its text has. */
TEST_LOOP(as_the_recording, PAIRS)
{
    char *data = traces_path("perfdata", pairs[_i][0], "");
    char *text = traces_path("perfdata", pairs[_i][1], "");

    if (access(data, R_OK) || access(text, R_OK))
        suite_skip(1, pairs[_i][0]);
    else
        assert_same_modules(data, text);
    free(data);
    free(text);
}

/* Of a stack deeper than any is read, what is kept of deep ones. */
TEST(deepest)
{
    static const char head[] = "a 7/7 [000] 1.000000: cycles:\n",
                      frame[] = "\t    1010 f (/bin/a)\n";
    enum { READ = STACK_PART_DEEPEST, KEPT = STACK_PART_DEEPEST };
    size_t frames = 0, n = strlen(head), each = strlen(frame);
    char *text = calloc(n + (READ + 9) * each + 1, 1), *said;

    ck_assert_ptr_nonnull(text);
    memcpy(text, head, n);
    for (size_t i = 0; i < READ + 9; i++, n += each)
        memcpy(text + n, frame, each);
    said = profile_text_of_bytes(&perf_script_format, text, n, NULL);
    for (const char *at = said; (at = strstr(at, "f [a]")); at++)
        frames++;
    ck_assert_uint_eq(frames, KEPT);
    free(said);
    free(text);
}
