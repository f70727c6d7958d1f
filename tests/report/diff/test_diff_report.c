#include "report/diff/diff.h"

#include "tests/support/compare_two.h"
#include "tests/support/json_check.h"
#include "tests/support/profile_builder.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

static char *kept(struct out *out)
{
    char *text = strdup(out_text(out, NULL));

    out_close(out, NULL);
    return text;
}

static char *printed(const struct diff *d, const struct report_options *shown)
{
    struct subject subject = {.options = shown, .diff = d};
    struct out *out = out_memory();

    diff_report.write[shown->format](&subject, out);
    return kept(out);
}

/* 1,000 samples: of `work` as many as told, else of `rest`. */
static struct profile *recording(const char *file, unsigned work)
{
    struct builder *b = builder_new(file);
    uint32_t t = builder_thread(b, 10, "app.exe", 11);

    for (unsigned i = 0; i < 1000; i++)
        builder_samples(b, t, 1, i * 7919 % 1000 < work
                                     ? "a.exe!main;a.exe!work"
                                     : "a.exe!main;a.exe!rest");
    return builder_finish(b);
}

/* In 80 columns. "→" and "·" are of several bytes. */
TEST(lines_fit_a_terminal)
{
    struct profile *a = recording("old.etl", 200);
    struct profile *b = recording("new.etl", 400);
    struct report_options shown = {.width = 80, .rows = 30, .all = true};
    struct diff_options o = DIFF_DEFAULTS;

    o.modules = true;
    for (int normalize = 0; normalize < DIFF_NORMALIZATIONS; normalize++) {
        struct comparison *c;
        char *text, *next;

        o.normalize = (enum diff_normalize)normalize;
        c = compare_two(a, b, &o);
        text = printed(c->diff, &shown);
        for (char *line = text; *line; line = next) {
            size_t columns = 0;

            for (next = line; *next && *next != '\n'; next++)
                columns += ((unsigned char)*next & 0xC0) != 0x80;
            next += *next == '\n';
            ck_assert_msg(columns <= 80, "%zu: %s", columns, line);
        }
        free(text);
        comparison_free(c);
    }
    profile_free(a);
    profile_free(b);
}

static struct profile *hostile_profile(const char *stack)
{
    struct builder *b = builder_new("a\x1b]0;owned\x07.etl");
    uint32_t t = builder_thread(b, 1, "\"},{\n\x1b[31m\\", 1);

    builder_samples(b, t, 400, stack);
    builder_samples(b, t, 400, "m!]]>&<f\x01");
    return builder_finish(b);
}

static bool has_controls(const char *text)
{
    for (; *text; text++)
        if (((unsigned char)*text < ' ' && !strchr("\r\n", *text)) ||
            *text == 0x7F)
            return true;
    return false;
}

static char *gate_text(const struct gate *gate, const struct diff *d,
                       report_writer *write)
{
    struct subject subject = {.diff = d, .gate = gate};
    struct out *out = out_memory();

    write(&subject, out);
    return kept(out);
}

TEST(names_cannot_break_out)
{
    struct profile *a = hostile_profile("m\"\\\x01.dll!f\x1b[2J|,\"\n");
    struct profile *b = hostile_profile("m\"\\\x01.dll!g\x1b[2J|,\"\n");
    struct comparison *c = compare_two(a, b, NULL);
    struct gate_rules rules = {.has_max = true, .single = true};
    struct gate *gate = gate_new(c->diff, &rules);
    char *text;

    for (int format = FORMAT_TEXT; format <= FORMAT_MARKDOWN; format++) {
        struct report_options shown = {
            .format = (enum format)format, .explain = 5, .all = true};

        text = printed(c->diff, &shown);
        if (format == FORMAT_JSON)
            ck_assert(is_json(text));
        else if (format == FORMAT_TEXT)
            ck_assert(!has_controls(text));
        free(text);
    }
    text = gate_text(gate, c->diff, gate_sarif);
    ck_assert(is_json(text));
    free(text);
    text = gate_text(gate, c->diff, gate_junit);
    ck_assert(!has_controls(text));
    ck_assert_ptr_null(strstr(text, "]]>"));
    ck_assert_ptr_nonnull(strstr(text, "<failure type="));
    free(text);
    gate_free(gate);
    comparison_free(c);
    profile_free(a);
    profile_free(b);
}

/* Every format, whatever is compared; and the same bytes again. */
TEST(equal_input_gives_equal_bytes)
{
    for (uint32_t seed = 0; seed < 24; seed++) {
        struct profile *a = random_profile(seed);
        struct profile *b = random_profile(seed + 50);
        struct diff_options o = DIFF_DEFAULTS;
        struct report_options shown = {.format = (enum format)(seed % 4),
                                       .width = 90,
                                       .explain = 4,
                                       .all = true};
        char *text[2];

        o.inclusive = seed & 4;
        o.paths = seed & 8;
        for (int i = 0; i < 2; i++) {
            struct comparison *c = compare_two(a, b, &o);

            text[i] = printed(c->diff, &shown);
            comparison_free(c);
        }
        ck_assert_str_eq(text[0], text[1]);
        if (shown.format == FORMAT_JSON)
            ck_assert(is_json(text[0]));
        free(text[0]);
        free(text[1]);
        profile_free(a);
        profile_free(b);
    }
}
