#include "cli/commands/about.h"
#include "cli/commands/annotation.h"
#include "cli/terminal/print_report.h"
#include "cli/terminal/say.h"

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

static enum status print(const struct command *command,
                         const struct about *about,
                         struct source_places *places, const struct options *o)
{
    struct subject subject = about_subject(about, o, places);
    size_t count = subject_functions_shown(&subject);
    struct annotated *functions = mem_new(count, sizeof(*functions));
    struct annotator *a =
        annotator_new(about->p, about->sel, &places->places, o);
    enum status status = STATUS_NO_INPUT;

    for (size_t i = 0; i < count; i++)
        functions[i] = annotator_function(a, subject.functions[i]);
    subject.annotated = functions;
    if (has_code(functions, count))
        status = print_report(command->report, &subject, o);
    else
        say_problems(functions, count);
    for (size_t i = 0; i < count; i++)
        annotated_release(&functions[i]);
    free(functions);
    annotator_free(a);
    return status;
}

enum status run_on_code(const struct command *command, const struct options *o,
                        const char *const *arguments, size_t count)
{
    struct source_places places;
    enum status status, written;
    struct about about;

    if (!about_load(&about, command, o, arguments, count, &status))
        return status;
    source_places(&places, about.recording, o, arguments + 1, count - 1);
    places.places.wants_code = true;
    written = print(command, &about, &places, o);
    if (!written)
        source_places_say(&places);
    source_places_release(&places);
    about_release(&about);
    return written ? written : status;
}
