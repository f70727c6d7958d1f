#include "report/export/export.h"

#include <string.h>

#include "engine/base/text.h"
#include "engine/model/profile.h"

const struct export_kind *const export_kinds[] = {
#define ROW(name) &name##_export,
    EXPORTS(ROW)
#undef ROW
        NULL,
};

const struct export_kind *export_kind_find(const char *name)
{
    for (size_t i = 0; export_kinds[i]; i++)
        if (!strcmp(export_kinds[i]->name, name))
            return export_kinds[i];
    return NULL;
}

uint64_t export_size(const struct export_kind *kind, const struct profile *p,
                     const struct selection *sel)
{
    uint32_t *depth, *last;
    uint64_t bytes = 0;

    if (!kind->sample_bytes)
        return 0;
    depth = mem_new(p->stacks.len, sizeof(*depth));
    last = mem_new(p->threads.len, sizeof(*last));
    for (size_t i = 1; i < p->stacks.len; i++)
        depth[i] = depth[p->stacks.data[i].parent] + 1;
    for (size_t i = 0; i < p->samples.len; i++) {
        uint32_t stack = p->samples.stack[i];

        if (!selection_has(p, sel, i))
            continue;
        bytes += kind->sample_bytes;
        /* A thread's samples with one stack have it once. */
        if (last[p->samples.thread[i]] != stack)
            bytes += (uint64_t)depth[stack] * kind->frame_bytes;
        last[p->samples.thread[i]] = stack;
    }
    free(depth);
    free(last);
    return bytes;
}

static void write_export(const struct subject *s, struct out *out)
{
    s->options->export->write(s, out);
}

const struct export_kind *export_kind_of_file(const char *path)
{
    for (size_t i = 0; path && export_kinds[i]; i++)
        for (size_t k = 0; export_kinds[i]->endings[k]; k++)
            if (text_ends(path, export_kinds[i]->endings[k]))
                return export_kinds[i];
    return NULL;
}

const struct report export_report = {
    .name = "export",
    .help = "the profile in the format of another tool",
    .takes = TAKES_STACKS | TAKES_EXPORT,
    .write = {[FORMAT_TEXT] = write_export},
};
