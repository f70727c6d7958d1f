#include <stdlib.h>

#include "cli/command.h"
#include "cli/commands/annotation.h"
#include "cli/load/hints.h"
#include "cli/load/load.h"
#include "cli/load/places.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "engine/analysis/match.h"
#include "engine/input/recording.h"

/* The functions of a profile that a command is about. The first argument names
 * them, as match.h takes names; files follow. */
struct about {
    struct recording *recording; /* of p, open */
    struct profile *p;
    struct selection *sel;
    struct ranking *chosen; /* not empty: those that may be shown, of `total` */
};

/* Reports about functions that are named: callers, list. */

enum { NEAREST = 3, MATCHES_SAID = 10 };

void say_unknown_function(const struct profile *p, const struct selection *sel,
                          const char *name)
{
    struct ranking *functions =
        ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);
    const char *nearest[NEAREST];
    size_t n = match_nearest(p, functions, name, nearest, NEAREST);

    say("no sampled function is called \"%s\"", name);
    for (size_t i = 0; i < n; i++)
        say("perhaps %s", nearest[i]);
    ranking_free(functions);
}

/* Lists the matches, so that the user can choose one of them, unless the name
 * means one function and is not only a part of its name. */
static void say_several(const struct ranking *chosen, const char *name,
                        enum match_rule rule)
{
    const struct rank_row *rows = chosen->rows;
    size_t n = chosen->total, i;

    if (n < 2 && rule != MATCH_PART)
        return;
    say_warning("\"%s\" %s %zu function%s; exclusive, inclusive samples:", name,
                rule == MATCH_PART ? "is no function, but part of the name of"
                                   : "matches",
                n, n == 1 ? "" : "s");
    for (i = 0; i < n && i < MATCHES_SAID; i++)
        say_warning("%7llu %7llu  %s", (unsigned long long)rows[i].exclusive,
                    (unsigned long long)rows[i].inclusive, rows[i].label);
    if (i < n)
        say_warning("and %zu more", n - i);
}

/* As many as a report shows, and what is said of several. */
static size_t most_rows(const struct options *o)
{
    return o->report.rows && o->report.rows < MATCHES_SAID ? MATCHES_SAID
                                                           : o->report.rows;
}

static void about_release(struct about *about)
{
    ranking_free(about->chosen);
    selection_free(about->sel);
    recording_close(about->recording);
}

/* False, and a status other than 0, when there is nothing to go on with: wrong
 * use, unreadable input, or no such function. A status other than 0 on success
 * is for the end. */
static bool about_load(struct about *about, const struct command *command,
                       const struct options *o, const char *const *arguments,
                       size_t count, enum status *status)
{
    struct options with = *o;
    struct err err = {0};
    struct pattern *pattern;
    enum match_rule rule;

    *about = (struct about){.p = NULL};
    *status = STATUS_USAGE;
    if (count < 2) {
        say("topfn %s needs a function and a file", command->name);
        return false;
    }
    pattern = pattern_new(arguments[0], &err);
    pattern_free(pattern);
    if (!pattern) {
        say("\"%s\": %s", arguments[0], err.message);
        return false;
    }
    if (output_is_input(o->output, arguments + 1, count - 1))
        return false;
    with.default_event = command->report->event;
    about->recording = load_recording(&with, arguments + 1, count - 1,
                                      LOAD_BUSY, NULL, status);
    if (!about->recording)
        return false;
    about->p = about->recording->profile;
    if (command->report->event &&
        about->p->trace.metric.id != METRIC_WAKER_TIME) {
        say("%s: has %s; topfn %s needs --event %s, which is the default, or a "
            "database made with it",
            arguments[1], profile_metric_word(about->p), command->name,
            command->report->event);
        recording_close(about->recording);
        *status = STATUS_USAGE;
        return false;
    }
    load_for_people(about->recording->profile, o);
    about->sel = select_samples(command->report, about->p, o);
    about->chosen =
        match_labels(about->p, about->sel, arguments[0], most_rows(o), &rule);
    if (!about->chosen && selection_leaves_waiting(about->sel)) {
        selection_free(about->sel);
        about->sel = selection_new(about->p, &o->report.filter);
        about->chosen = match_labels(about->p, about->sel, arguments[0],
                                     most_rows(o), &rule);
    }
    if (about->chosen) {
        say_several(about->chosen, arguments[0], rule);
        return true;
    }
    explain_empty(about->p, about->sel);
    say_unknown_function(about->p, about->sel, arguments[0]);
    about_release(about);
    *status = STATUS_USAGE;
    return false;
}

/* Reports about instructions of functions that are named: annotate. */

enum { PROBLEMS_SAID = 8 };

static bool has_code(const struct annotated *functions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < functions[i].parts.len; k++)
            if (!functions[i].parts.data[k].problem)
                return true;
    return false;
}

static void say_problems(const struct annotated *functions, size_t count)
{
    size_t said = 0;

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < functions[i].parts.len; k++)
            if (said++ < PROBLEMS_SAID)
                say("%s: %s", functions[i].function->name,
                    functions[i].parts.data[k].problem);
    if (said > PROBLEMS_SAID)
        say("and %zu more without code", said - PROBLEMS_SAID);
}

static enum status print_code(const struct command *command,
                              const struct about *about,
                              struct subject *subject,
                              struct source_places *places,
                              const struct options *o)
{
    size_t count = subject_functions_shown(subject);
    struct annotated *functions = mem_new(count, sizeof(*functions));
    struct annotator *a =
        annotator_new(about->p, about->sel, &places->places, o);
    enum status status = STATUS_NO_INPUT;

    for (size_t i = 0; i < count; i++)
        functions[i] = annotator_function(a, &subject->functions[i]);
    subject->annotated = functions;
    if (has_code(functions, count))
        status = print_report(command->report, subject, o);
    else
        say_problems(functions, count);
    for (size_t i = 0; i < count; i++)
        annotated_release(&functions[i]);
    free(functions);
    annotator_free(a);
    return status;
}

enum status run_on_functions(const struct command *command,
                             const struct options *o,
                             const char *const *arguments, size_t count)
{
    bool wants_code = command->report->about == ABOUT_CODE;
    enum status status, written;
    struct source_places places;
    struct subject subject;
    struct about about;

    if (!about_load(&about, command, o, arguments, count, &status))
        return status;
    source_places(&places, about.recording, o, arguments + 1, count - 1);
    places.places.wants_code = wants_code;
    subject = (struct subject){
        .options = &o->report,
        .p = about.p,
        .sel = about.sel,
        .functions = about.chosen->rows,
        .function_count = about.chosen->total,
        .sources = {source_places_find, &places},
    };
    written = wants_code ? print_code(command, &about, &subject, &places, o)
                         : print_report(command->report, &subject, o);
    if (!written)
        source_places_say(&places);
    source_places_release(&places);
    about_release(&about);
    return written ? written : status;
}
