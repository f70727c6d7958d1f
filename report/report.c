#include "report/report.h"

#include <string.h>

const struct report *const reports[] = {
    &top_report, &tree_report, &folded_report, &info_report, NULL,
};

const struct report *report_find(const char *name)
{
    for (size_t i = 0; reports[i]; i++)
        if (!strcmp(reports[i]->name, name))
            return reports[i];
    return NULL;
}
