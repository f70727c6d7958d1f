#include "cli/about.h"
#include "cli/annotation.h"
#include "cli/output.h"
#include "cli/say.h"
#include "cli/source_places.h"

/* annotate: instructions of a function with their samples. */

static enum status print(const struct annotation *annotation,
                         const struct options *o)
{
    struct err err = {0};
    struct output *output = output_open(o->output, &err);

    if (output) {
        annotate_report(annotation, output_out(output));
        output_close(output, &err);
    }
    if (err.code)
        say("%s", err.message);
    return status_of_output(err.code);
}

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

static enum status annotate(const struct about *about,
                            struct source_places *sources,
                            const struct options *o)
{
    size_t total = about->chosen.rows.len, most = o->report.rows;
    size_t count = most && most < total ? most : total;
    struct annotated *functions = mem_new(count, sizeof(*functions));
    struct annotation annotation = {about->p, about->sel, &o->report,
                                    functions, count, total,
                                    source_places_find, sources};
    struct annotator *a =
        annotator_new(about->p, about->sel, &sources->places, o);
    enum status status = STATUS_NO_INPUT;

    for (size_t i = 0; i < count; i++)
        functions[i] = annotator_function(a, about->chosen.rows.data[i]);
    if (has_code(functions, count))
        status = print(&annotation, o);
    else
        say_problems(functions, count);
    for (size_t i = 0; i < count; i++)
        annotated_release(&functions[i]);
    free(functions);
    annotator_free(a);
    return status;
}

enum status cmd_annotate(const struct command *command,
                         const struct options *o,
                         const char *const *arguments, size_t count)
{
    struct source_places sources;
    enum status status, written;
    struct about about;

    if (!about_load(&about, command, o, arguments, count, &status))
        return status;
    source_places(&sources, about.p, o, arguments + 1, count - 1);
    sources.places.wants_code = true;
    written = annotate(&about, &sources, o);
    source_places_release(&sources);
    about_release(&about);
    return written ? written : status;
}
