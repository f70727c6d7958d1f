#include <stdlib.h>

#include "cli/command.h"
#include "cli/commands/compare.h"
#include "cli/commands/with_source.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "report/diff/diff.h"
#include "report/table/columns.h"

/* Reports about what changed: diff, and others with --diff. */

/* Enough to look into; images are read and taken apart. */
enum { FUNCTIONS_MOST = 1000, ANNOTATED_MOST = 100 };

void with_source_find(struct with_source *w, struct subject *s,
                      const struct recording *r, const struct options *o,
                      const char *const *files, size_t count)
{
    size_t n;

    *w = (struct with_source){
        .ranking = ranking_new(s->p, s->sel, RANK_FUNCTION, SORT_EXCLUSIVE)};
    source_places(&w->places, r, o, files, count);
    w->places.places.wants_code = true;
    w->annotator = annotator_new(s->p, s->sel, &w->places.places, o);
    n = w->ranking->len < FUNCTIONS_MOST ? w->ranking->len : FUNCTIONS_MOST;
    w->annotated = mem_new(n, sizeof(*w->annotated));
    for (size_t i = 0; i < n; i++) {
        const struct rank_row *row = &w->ranking->rows[i];

        if (i < ANNOTATED_MOST && row->exclusive)
            w->annotated[i] = annotator_function(w->annotator, row);
    }
    w->count = n;
    s->functions = w->ranking->rows;
    s->function_count = n;
    s->annotated = w->annotated;
    s->sources = (struct source_finder){source_places_find, &w->places};
}

static const struct recording *recording_of(const struct compared *c,
                                            const struct profile *p)
{
    size_t i = 0;

    while (c->recordings[i]->profile != p)
        i++;
    return c->recordings[i];
}

void with_source_release(struct with_source *w)
{
    source_places_say(&w->places);
    for (size_t i = 0; i < w->count; i++)
        annotated_release(&w->annotated[i]);
    free(w->annotated);
    annotator_free(w->annotator);
    ranking_free(w->ranking);
    source_places_release(&w->places);
}

/* With sources and instructions of both, where a page is to have them. */
static enum status write_sides(const struct report *report,
                               const struct subject *subject,
                               const struct compared *c,
                               const struct options *o,
                               const char *const *files, size_t count)
{
    struct subject sides[2] = {*subject, *subject}, both = *subject;
    struct with_source with[2];
    enum status status;

    if (!o->report.with_source)
        return print_report(report, subject, o);
    /* The same for two sides, BEFORE first: of each its first run. */
    for (size_t i = c->count; i-- > 0;) {
        bool after = c->inputs[i].after;

        sides[after].p = c->inputs[i].p;
        sides[after].sel = c->inputs[i].sel;
    }
    for (size_t k = 0; k < 2; k++)
        with_source_find(&with[k], &sides[k], recording_of(c, sides[k].p), o,
                         files, count);
    both.sides = sides;
    status = print_report(report, &both, o);
    for (size_t k = 0; k < 2; k++)
        with_source_release(&with[k]);
    return status;
}

enum status run_on_sides(const struct command *command, const struct options *o,
                         const char *const *files, size_t count)
{
    const struct report *report =
        o->diff.both ? command->report->two_sides : command->report;
    struct subject subject = {.options = &o->report};
    enum status status, written;
    struct diff *d = NULL;
    struct compared c;

    if (!report_is_possible(report, o))
        return STATUS_USAGE;
    if (o->explain && !o->explain_is_number) {
        say("--explain: not a valid number: \"%s\"", o->explain);
        return STATUS_USAGE;
    }
    if (o->report.by != RANK_FUNCTION &&
        (o->diff.options.paths || !diff_groups_can(o->report.by))) {
        say("diff has no --by %s%s", rank_title(o->report.by, o->report.field),
            o->diff.options.paths ? " of call paths" : "");
        return STATUS_USAGE;
    }
    if (!compare_load(&c, o, files, count, &status))
        return status;
    /* A page or a flame graph has the values as frames. */
    c.options.by = report->takes & TAKES_DIFF ? o->report.by : RANK_FUNCTION;
    c.options.field = o->report.field;
    c.options.modules = o->report.by == RANK_FUNCTION && !o->diff.options.paths;
    subject.inputs = c.inputs;
    subject.input_count = c.count;
    if (report->about == ABOUT_CHANGES)
        subject.diff = d = diff_new(c.inputs, c.count, &c.options);
    written = write_sides(report, &subject, &c, o, files, count);
    diff_free(d);
    compare_release(&c);
    return written ? written : status;
}

/* Reports about whether AFTER keeps within limits: gate. */

static enum status status_of(enum gate_outcome outcome)
{
    if (outcome == GATE_PASS)
        return STATUS_OK;
    return outcome == GATE_FAIL ? STATUS_GATE_FAILED : STATUS_GATE_INCONCLUSIVE;
}

static enum status judge(const struct command *command,
                         const struct compared *c, const struct options *o)
{
    struct diff *d = diff_new(c->inputs, c->count, &c->options);
    struct gate *gate = gate_new(d, &o->diff.rules);
    struct subject subject = {.options = &o->report,
                              .inputs = c->inputs,
                              .input_count = c->count,
                              .diff = d,
                              .gate = gate};
    enum status status = print_report(command->report, &subject, o);

    if (!status && o->diff.junit)
        status = print_to(o->diff.junit, gate_junit, &subject);
    if (!status && o->diff.sarif)
        status = print_to(o->diff.sarif, gate_sarif, &subject);
    if (!status)
        status = status_of(gate->outcome);
    gate_free(gate);
    diff_free(d);
    return status;
}

static enum status check_rules(const struct options *o)
{
    const struct gate_rules *rules = &o->diff.rules;

    if (rules->has_max || rules->has_total || rules->limits.len ||
        rules->required.len)
        return STATUS_OK;
    say("gate needs a limit: --max-regression 5%%, --max-regression GLOB=5%%, "
        "--max-total 5%% or --require GLOB");
    return STATUS_USAGE;
}

/* A limit of 5 % of a function that has 0.3 % of the samples is noise. */
static const double gate_relevant = 0.5;

enum status run_on_limits(const struct command *command,
                          const struct options *o, const char *const *files,
                          size_t count)
{
    enum status status = check_rules(o), judged;
    struct compared c;

    if (!status && compare_load(&c, o, files, count, &status)) {
        if (!o->diff.has_relevant)
            c.options.relevant = gate_relevant;
        judged = judge(command, &c, o);
        compare_release(&c);
        status = status ? status : judged;
    }
    return status;
}
