/*
 * Reports about functions that were named: callers, list, annotate. Names and
 * source come from strangers and must not break out of any format.
 */
#include "engine/base/textfile.h"
#include "report/profile/annotate.h"
#include "tests/support/json_check.h"
#include "tests/support/profile_builder.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

/* A profile, its functions, and one source for every path. */
struct scene {
    struct profile *p;
    struct selection *sel;
    struct ranking *all;
    struct textfile *source;
    struct report_options options;
};

static struct textfile *find(void *state, const char *path)
{
    (void)path;
    return ((struct scene *)state)->source;
}

static struct textfile *make_source(const char *text)
{
    char path[TEMP_PATH];
    struct textfile *source;

    temp_file(path, text, strlen(text));
    source = textfile_open(path, NULL);
    unlink(path);
    return source;
}

static void scene_open(struct scene *s, struct profile *p, const char *source)
{
    *s = (struct scene){.p = p, .options = {.width = 100, .context = 1}};
    s->sel = selection_new(p, NULL);
    s->all = ranking_new(p, s->sel, RANK_FUNCTION, SORT_EXCLUSIVE);
    if (source)
        s->source = make_source(source);
}

static void scene_close(struct scene *s)
{
    textfile_close(s->source);
    ranking_free(s->all);
    selection_free(s->sel);
    profile_free(s->p);
}

static struct subject subject_of(struct scene *s)
{
    return (struct subject){
        .options = &s->options,
        .p = s->p,
        .sel = s->sel,
        .functions = s->all->rows,
        .function_count = s->all->len,
        .sources = {find, s},
    };
}

static void print_callers(struct scene *s, struct out *out)
{
    struct subject subject = subject_of(s);

    callers_report.write[s->options.format](&subject, out);
}

static void print_list(struct scene *s, struct out *out)
{
    struct subject subject = subject_of(s);

    list_report.write[s->options.format](&subject, out);
}

/* Two instructions of the hottest function, in all others nothing. */
static void fill_part(struct annotated_part *part, const char *name)
{
    static const uint8_t code[] = {0x90, 0xC3};

    part->module = part->image = part->name = name;
    part->start = 0x1000;
    part->end = 0x1002;
    part->samples = 1;
    *vec_add(&part->frames) = (struct annotated_frame){name, name, 2};
    *vec_add(&part->frames) = (struct annotated_frame){name, name, 1};
    for (size_t i = 0; i < 2; i++)
        *vec_add(&part->instructions) = (struct annotated_instruction){
            .address = part->start + i,
            .bytes = {code + i, 1},
            .text = name,
            .samples = i,
            .frame = i,
            .frame_count = 2 - i,
            .is_target = i == 1,
            .has_target = true,
            .target_name = name,
        };
}

static void print_annotated(struct scene *s, struct out *out)
{
    struct annotated *functions =
        mem_new(s->all->len, sizeof(*functions));
    struct subject subject = subject_of(s);
    struct annotated_part part = {.problem = NULL};
    struct annotated_part none = {.module = "m", .problem = "\x1b[31m\""};

    for (size_t i = 0; i < s->all->len; i++)
        functions[i].function = &s->all->rows[i];
    if (s->all->len) {
        fill_part(&part, s->all->rows[0].name);
        *vec_add(&functions[0].parts) = part;
        *vec_add(&functions[0].parts) = none;
    }
    subject.annotated = functions;
    annotate_report.write[s->options.format](&subject, out);
    if (s->all->len)
        vec_release(&functions[0].parts);
    vec_release(&part.frames);
    vec_release(&part.instructions);
    free(functions);
}

static void (*const prints[])(struct scene *, struct out *) = {
    print_callers,
    print_list,
    print_annotated,
};

enum { PRINTS = COUNT(prints) };

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

static void check_all(struct scene *s)
{
    for (size_t i = 0; i < PRINTS; i++) {
        for (int format = FORMAT_TEXT; format <= FORMAT_MARKDOWN; format++) {
            struct out *out = out_memory();

            s->options.format = (enum format)format;
            prints[i](s, out);
            if (format == FORMAT_JSON)
                ck_assert_msg(is_json(out_text(out, NULL)), "%s",
                              out_text(out, NULL));
            if (format == FORMAT_TEXT)
                ck_assert(!has_controls(out_text(out, NULL)));
            out_close(out, NULL);
        }
    }
}

TEST(names_and_source_cannot_break_out)
{
    struct builder *b = builder_new("a\x1b]0;owned\x07.etl");
    uint32_t t = builder_thread(b, 1, "\"},{\n\x1b[31m\\", 1);
    struct scene s;

    builder_samples(b, t, 2,
                    "m\"\\\x01.dll!f\x1b[2J|,\"\n@a\x1b.c:1;x!\xc2\x9b"
                    "1m@b.c:3");
    scene_open(&s, builder_finish(b),
               "one \x1b[31m \"|`\xFF\n\xc2\x9b"
               "1m\ttwo\\\n");
    check_all(&s);
    scene_close(&s);
}

TEST(any_profile_can_be_shown)
{
    for (uint32_t seed = 0; seed < 8; seed++) {
        struct scene s;

        scene_open(&s, random_profile(seed), seed % 2 ? "a\nb\n" : NULL);
        check_all(&s);
        scene_close(&s);
    }
}

TEST(no_samples_is_an_empty_report)
{
    struct scene s;

    scene_open(&s, builder_finish(builder_new("empty.etl")), NULL);
    check_all(&s);
    scene_close(&s);
}
