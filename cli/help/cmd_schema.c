#include "cli/command.h"
#include "cli/terminal/say.h"
#include "report/schemas.h"

/* schema: the JSON Schema of a report, or which there are. */

static void list_names(struct out *out)
{
    const char *name;

    for (size_t i = 0; (name = schema_name(i)); i++)
        out_fmt(out, "%s\n", name);
}

static enum status run(const struct command *command, const struct options *o,
                       const char *const *names, size_t count)
{
    struct out *out = out_stream(stdout);
    enum status status = STATUS_OK;
    struct err err = {0};

    (void)command;
    (void)o;
    if (!count)
        list_names(out);
    for (size_t i = 0; i < count; i++)
        if (!schema_write(names[i], out)) {
            say("no report \"%s\" has JSON; topfn schema lists them", names[i]);
            status = STATUS_USAGE;
        }
    if (out_close(out, &err))
        return status;
    say("%s", err.message);
    return STATUS_CANNOT_WRITE;
}

const struct command schema_command = {
    .name = "schema",
    .arguments = "[REPORT...]",
    .help = "the JSON Schema of a report, or which there are",
    .run = run,
    .stands_alone = true,
};
