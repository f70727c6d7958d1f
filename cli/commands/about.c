#include "cli/commands/about.h"

#include <stdlib.h>

#include "cli/load/hints.h"
#include "cli/load/load.h"
#include "cli/terminal/output.h"
#include "cli/terminal/say.h"

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

/* Who meant one of several can choose. */
static void say_several(const struct ranking *chosen, const char *name)
{
    const struct rank_row *rows = chosen->rows;
    size_t n = chosen->total, i;

    if (n < 2)
        return;
    say_warning(
        "\"%s\" matches %zu functions; exclusive, inclusive samples:", name, n);
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

static void list_rows(struct about *about)
{
    const struct ranking *r = about->chosen;

    about->rows = mem_new(r->len, sizeof(*about->rows));
    for (size_t i = 0; i < r->len; i++)
        about->rows[i] = &r->rows[i];
}

bool about_load(struct about *about, const struct command *command,
                const struct options *o, const char *const *arguments,
                size_t count, enum status *status)
{
    *about = (struct about){.p = NULL};
    *status = STATUS_USAGE;
    if (count < 2) {
        say("topfn %s needs a function and a file", command->name);
        return false;
    }
    if (output_is_input(o->output, arguments + 1, count - 1))
        return false;
    about->recording =
        load_recording(o, arguments + 1, count - 1, LOAD_BUSY, NULL, status);
    if (!about->recording)
        return false;
    about->p = about->recording->profile;
    load_for_people(about->recording->profile, o);
    about->sel = selection_new(about->p, &o->report.filter);
    about->chosen =
        match_labels(about->p, about->sel, arguments[0], most_rows(o));
    if (about->chosen) {
        say_several(about->chosen, arguments[0]);
        list_rows(about);
        return true;
    }
    explain_empty(about->p, about->sel);
    say_unknown_function(about->p, about->sel, arguments[0]);
    about_release(about);
    *status = STATUS_USAGE;
    return false;
}

void about_release(struct about *about)
{
    free(about->rows);
    ranking_free(about->chosen);
    selection_free(about->sel);
    recording_close(about->recording);
}

struct subject about_subject(const struct about *about, const struct options *o,
                             struct source_places *places)
{
    return (struct subject){
        .options = &o->report,
        .p = about->p,
        .sel = about->sel,
        .functions = about->rows,
        .function_count = about->chosen->total,
        .sources = {source_places_find, places},
    };
}
