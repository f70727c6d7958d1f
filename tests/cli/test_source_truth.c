/*
 * Source lines, inlined frames and instructions of a real recording of a
 * program whose image and source are at hand (perfdata/ledger, in
 * linux-cpu.nettrace), against addr2line.
 */
#include <unistd.h>

#include "cli/commands/annotation.h"
#include "engine/analysis/match.h"
#include "engine/analysis/source_lines.h"
#include "engine/input/recording.h"
#include "symbols/naming.h"
#include "tests/support/suite.h"

struct traced {
    struct profile *p;
    struct selection *sel;
    struct ranking *functions;
    struct places places;
    char image[900];
};

/* With names from the image, or with those that the trace carries. */
static bool subject_open(struct traced *s, bool with_image)
{
    struct naming_options options = {
        .places = &s->places, .style = DEMANGLE_SHORT, .threads = 1};
    char trace[900], place[800];
    const char *path = trace;

    *s = (struct traced){.p = NULL};
    snprintf(trace, sizeof(trace), "%s/nettrace/linux-cpu.nettrace",
             traces_folder());
    snprintf(place, sizeof(place), "%s/perfdata", traces_folder());
    snprintf(s->image, sizeof(s->image), "%s/ledger", place);
    if (access(trace, R_OK) || access(s->image, R_OK)) {
        suite_skip(1, "linux-cpu.nettrace with perfdata/ledger");
        return false;
    }
    s->p = recording_take(
        recording_open(&path, 1, &(struct read_options){0}, NULL));
    ck_assert_ptr_nonnull(s->p);
    places_add(&s->places, place);
    if (with_image)
        name_profile(s->p, &options, NULL);
    profile_finish(s->p);
    s->sel = selection_new(s->p, NULL);
    s->functions =
        ranking_new(s->p, s->sel, RANK_FUNCTION, SORT_EXCLUSIVE);
    return true;
}

static void subject_close(struct traced *s)
{
    ranking_free(s->functions);
    selection_free(s->sel);
    places_release(&s->places);
    profile_free(s->p);
}

static const struct rank_row *row_named(const struct traced *s,
                                        const char *name)
{
    const struct rank_row *row = NULL;

    for (size_t i = 0; i < s->functions->len; i++) {
        if (!match_rule(1, name, s->functions->rows[i].name))
            continue;
        if (row)
            return NULL;
        row = &s->functions->rows[i];
    }
    return row;
}

/* Samples of one function at one line, by exclusive count. */
static uint64_t at_line(const struct traced *s, const char *name, uint32_t line)
{
    const struct rank_row *row = row_named(s, name);
    struct function_lines lines;
    uint64_t samples = 0;

    source_lines_count(s->p, s->sel, &row->id, 1, &lines);
    for (size_t i = 0; i < lines.counts.len; i++)
        if (lines.counts.data[i].line == line)
            samples += lines.counts.data[i].exclusive;
    source_lines_release(&lines, 1);
    return samples;
}

/* What the trace takes for one function is that and two inlined into it, of
 * which one does nothing itself: its only instructions call the other. */
TEST(an_image_adds_inlined_functions_and_lines)
{
    static const char *const names[] = {"hash_block", "mix_twice", "mix"};
    static const uint32_t lines[] = {22, 17, 16};
    struct traced plain, s;
    uint64_t samples = 0;

    if (!subject_open(&plain, false) || !subject_open(&s, true))
        return;
    ck_assert_ptr_null(row_named(&plain, "mix"));
    for (size_t i = 0; i < 3; i++) {
        const struct rank_row *row = row_named(&s, names[i]);

        ck_assert_ptr_nonnull(row);
        ck_assert_int_eq(row->exclusive > 0, i != 1);
        ck_assert_uint_eq(row->inlined_exclusive, i ? row->exclusive : 0);
        ck_assert_uint_eq(at_line(&s, names[i], lines[i]), row->exclusive);
        samples += row->exclusive;
    }
    ck_assert_uint_eq(
        samples, row_named(&plain, "hash_block.constprop.0")->exclusive);
    subject_close(&plain);
    subject_close(&s);
}

/* ---- every address, by addr2line ---- */

struct asked {
    const struct profile *p;
    VEC(uint32_t) locations; /* in the image, where no call returns to */
};

static bool is_in_ledger(const struct profile *p, const struct location *l)
{
    return l->module != NO_ID &&
           !strcmp(strings_get(p->strings, p->modules.data[l->module].name),
                   "ledger");
}

static struct asked list_locations(const struct profile *p)
{
    struct asked asked = {.p = p};

    for (uint32_t i = 0; i < p->locations.len; i++)
        if (!p->locations.data[i].caller &&
            is_in_ledger(p, &p->locations.data[i]))
            *vec_add(&asked.locations) = i;
    return asked;
}

/* As addr2line -p writes it: "0x...: mix at a.c:16", " (inlined by) ...". */
static void print_location(const struct profile *p, uint32_t location,
                           struct out *out)
{
    uint32_t end = p->frame_start.data[location + 1];
    uint32_t first = p->frame_start.data[location];

    out_fmt(out, "0x%016llx: ",
            (unsigned long long)p->locations.data[location].address);
    for (uint32_t i = first; i < end; i++) {
        const struct frame *f = &p->frames.data[i];
        uint32_t name = p->functions.data[f->function].name;

        out_fmt(out, "%s%s at ", i > first ? " (inlined by) " : "",
                strings_get(p->strings, name));
        if (f->line)
            out_fmt(out, "%s:%u\n", strings_get(p->strings, f->file),
                    f->line);
        else
            out_str(out, "??:?\n");
    }
}

static FILE *ask_addr2line(const struct asked *asked, const char *image)
{
    struct out *command = out_memory();
    FILE *pipe;

    out_fmt(command, "addr2line -a -f -i -p -e '%s'", image);
    for (size_t i = 0; i < asked->locations.len; i++)
        out_fmt(command, " 0x%llx",
                (unsigned long long)asked->p->locations
                    .data[asked->locations.data[i]]
                    .address);
    pipe = popen(out_text(command, NULL), "r");
    out_close(command, NULL);
    ck_assert_ptr_nonnull(pipe);
    return pipe;
}

static void read_answers(FILE *pipe, struct out *out)
{
    char line[1000];

    while (fgets(line, sizeof(line), pipe)) {
        char *note = strstr(line, " (discriminator");

        line[note ? (size_t)(note - line) : strcspn(line, "\n")] = '\0';
        out_fmt(out, "%s\n", line);
    }
    ck_assert_int_eq(pclose(pipe), 0);
}

TEST(frames_of_every_address_are_those_of_addr2line)
{
    struct out *found = out_memory(), *expected = out_memory();
    struct asked asked;
    struct traced s;

    if (subject_open(&s, true)) {
        asked = list_locations(s.p);
        ck_assert_uint_gt(asked.locations.len, 30);
        for (size_t i = 0; i < asked.locations.len; i++)
            print_location(s.p, asked.locations.data[i], found);
        read_answers(ask_addr2line(&asked, s.image), expected);
        ck_assert_str_eq(out_text(found, NULL), out_text(expected, NULL));
        vec_release(&asked.locations);
        subject_close(&s);
    }
    out_close(found, NULL);
    out_close(expected, NULL);
}

/* ---- instructions ---- */

/* Samples in the image at addresses of a part. */
static uint64_t samples_in(const struct traced *s,
                           const struct annotated_part *part)
{
    uint64_t samples = 0;

    for (size_t i = 1; i < s->p->stacks.len; i++) {
        const struct location *l =
            &s->p->locations.data[s->p->stacks.data[i].location];

        if (is_in_ledger(s->p, l) && l->address >= part->start &&
            l->address < part->end)
            samples += s->sel->stack_counts[i];
    }
    return samples;
}

static void check_part(const struct traced *s,
                       const struct annotated_part *part)
{
    uint64_t sum = 0, at = part->start;

    ck_assert_msg(!part->problem, "%s", part->problem);
    for (size_t i = 0; i < part->instructions.len; i++) {
        ck_assert_uint_eq(part->instructions.data[i].address, at);
        at += part->instructions.data[i].bytes.len;
        sum += part->instructions.data[i].samples;
    }
    ck_assert_uint_eq(at, part->end);
    ck_assert_uint_eq(sum, part->samples);
    ck_assert_uint_eq(sum, samples_in(s, part));
}

TEST(every_sample_is_at_an_instruction)
{
    struct options options = {.names = DEMANGLE_SHORT};
    struct annotator *a;
    struct traced s;

    if (!subject_open(&s, true))
        return;
    a = annotator_new(s.p, s.sel, &s.places, &options);
    for (size_t i = 0; i < s.functions->len; i++) {
        const struct rank_row *row = &s.functions->rows[i];
        struct annotated f;

        if (strcmp(row->module, "ledger") != 0)
            continue;
        f = annotator_function(a, row);
        ck_assert_uint_gt(f.parts.len, 0);
        for (size_t k = 0; k < f.parts.len; k++)
            check_part(&s, &f.parts.data[k]);
        annotated_release(&f);
    }
    annotator_free(a);
    subject_close(&s);
}
