#include "report/report.h"

#include "tests/support/json_check.h"
#include "tests/support/profile_builder.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

/* What needs no more than a profile. */
static const struct report *const alone[] = {&top_report, &tree_report,
                                             &folded_report, &info_report};

enum { ALONE = COUNT(alone) };

/* What a report prints; to be freed. */
static char *printed(const struct profile *p, const struct report *report,
                     const struct report_options *options)
{
    struct selection *sel = selection_new(p, &options->filter);
    struct subject subject = {.options = options, .p = p, .sel = sel};
    struct out *out = out_memory();
    char *text;

    report->write[options->format](&subject, out);
    text = strdup(out_text(out, NULL));
    out_close(out, NULL);
    selection_free(sel);
    return text;
}

/* An image or a page is a format of its own. */
static bool is_drawn(const struct report *r)
{
    return r == &page_report || r == &flame_report || r == &export_report;
}

TEST(every_report_has_every_format)
{
    for (size_t i = 0; reports[i]; i++) {
        ck_assert_ptr_eq(report_find(reports[i]->name), reports[i]);
        for (int format = 0; format < FORMATS; format++)
            ck_assert_msg(reports[i]->write[format] || is_drawn(reports[i]),
                          "%s as %s", reports[i]->name, format_name(format));
    }
    ck_assert_ptr_null(report_find("nonsense"));
}

/* A file can name things as it likes. */
static struct profile *hostile_profile(void)
{
    struct builder *b = builder_new("a\x1b]0;owned\x07.etl");
    struct profile *p = builder_profile(b);
    uint32_t t = builder_thread(b, 1, "\"},{\n\x1b[31m\\", 1);

    builder_samples(b, t, 2, "m\"\\\x01.dll!f\x1b[2J|,\"\n;x!\xc2\x9b" "1m");
    profile_count_event(p, "E\"\x1b", 3);
    profile_skip(p, "a\x1b.etl", 1, 2, "\"bad\"\n");
    profile_warn(p, "%s", "odd \"\x1b thing");
    return builder_finish(b);
}

static bool has_controls(const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if ((c < ' ' && c != '\n') || c == 0x7F ||
            (c == 0xC2 && (unsigned char)text[1] < 0xA0))
            return true;
    }
    return false;
}

TEST(names_cannot_break_out)
{
    struct profile *p = hostile_profile();

    for (size_t i = 0; i < ALONE; i++) {
        /* Labels are for one report, which the others are kept from. */
        for (int by = 0; by < RANK_LABEL; by++) {
            struct report_options options = {.by = (enum rank_by)by};
            char *text = printed(p, alone[i], &options);

            ck_assert(!has_controls(text));
            free(text);
            options.format = FORMAT_JSON;
            text = printed(p, alone[i], &options);
            ck_assert(is_json(text));
            free(text);
        }
    }
    profile_free(p);
}

TEST(json_is_json_whatever_is_asked)
{
    for (uint32_t seed = 0; seed < 8; seed++) {
        struct profile *p = random_profile(seed);
        struct report_options options = {.format = FORMAT_JSON,
                                         .filter = random_filter(seed),
                                         .bottom_up = seed % 2 == 1};

        for (size_t i = 0; i < ALONE; i++) {
            char *text = printed(p, alone[i], &options);

            ck_assert(is_json(text));
            free(text);
        }
        profile_free(p);
    }
}

TEST(no_samples_is_an_empty_report)
{
    struct profile *p = builder_finish(builder_new("empty.etl"));

    for (size_t i = 0; i < ALONE; i++) {
        for (int format = FORMAT_TEXT; format <= FORMAT_MARKDOWN; format++) {
            struct report_options options = {.format = (enum format)format};

            free(printed(p, alone[i], &options));
        }
    }
    profile_free(p);
}
