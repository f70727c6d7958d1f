#include "cli/commands/renames.h"

#include <string.h>

#include "cli/terminal/say.h"
#include "engine/model/labels.h"

static const char *full_name_in(const struct profile *p, const char *name,
                                struct arena *arena)
{
    struct arena scratch = {0};
    const char *label, *full = NULL;

    for (uint32_t i = 0; i < p->functions.len && !full; i++) {
        full = function_name(p, i, &scratch);
        label = function_label(p, i, &scratch);
        if (strcmp(full, name) && strcmp(label, name))
            full = NULL;
    }
    if (full)
        full = arena_strndup(arena, full, strlen(full));
    arena_release(&scratch);
    return full;
}

/* In one of the runs of a side. */
static const char *full_name(struct compared *c, const char *name, bool after)
{
    for (size_t i = 0; i < c->count; i++) {
        const char *full =
            c->inputs[i].after == after
                ? full_name_in(c->inputs[i].p, name, &c->texts)
                : NULL;

        if (full)
            return full;
    }
    say("--rename: no function of %s is called \"%s\"",
        after ? "AFTER" : "BEFORE", name);
    return name;
}

void renames_in_full(struct compared *c, const struct options *o)
{
    size_t n = o->diff.renames.len;
    struct diff_rename *full = mem_new(n, sizeof(*full));

    for (size_t i = 0; i < n; i++) {
        full[i].from = full_name(c, o->diff.renames.data[i].from, false);
        full[i].to = full_name(c, o->diff.renames.data[i].to, true);
    }
    c->renames = full;
    c->options.renames = full;
    c->options.rename_count = n;
}
