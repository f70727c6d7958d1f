#include "report/report.h"

#include <string.h>

const struct report *const reports[] = {
#define ROW(name) &name##_report,
    REPORTS(ROW)
#undef ROW
        NULL,
};

const struct report *report_find(const char *name)
{
    for (size_t i = 0; reports[i]; i++)
        if (!strcmp(reports[i]->name, name))
            return reports[i];
    return NULL;
}

size_t subject_functions_shown(const struct subject *s)
{
    size_t most = s->options->rows;

    return most && most < s->function_count ? most : s->function_count;
}
