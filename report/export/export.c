#include "report/export/export.h"

#include <string.h>

#include "engine/base/text.h"

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
