#include "cli/options/columns_asked.h"

#include "cli/terminal/say.h"
#include "report/table/columns.h"

/* Lines of CSV have columns of their own where the report says so. */
static bool are_ranked(const struct report *report,
                       const struct report_options *o)
{
    return report->ranked_columns &&
           !(report->columns && o->format == FORMAT_CSV);
}

static const char *name_at(const struct report *report,
                           const struct report_options *o, size_t i)
{
    return are_ranked(report, o)
               ? column_name(o->by, i)
               : column_sets_name(report->columns, o->format, i);
}

static bool are_there(const struct report *report,
                      const struct report_options *o, const char **wrong,
                      size_t *n)
{
    return are_ranked(report, o)
               ? columns_are_there(o->by, o->columns, wrong, n)
               : column_sets_have(report->columns, o->format, o->columns, wrong,
                                  n);
}

bool columns_asked(const struct report *report, const struct report_options *o)
{
    struct out *names;
    const char *wrong, *name;
    size_t n;

    if (!o->columns || o->format == FORMAT_JSON ||
        !(report->columns || report->ranked_columns) ||
        are_there(report, o, &wrong, &n))
        return true;
    names = out_memory();
    for (size_t i = 0; (name = name_at(report, o, i)); i++) {
        out_str(names, i ? ", " : "");
        out_str(names, name);
    }
    say("no column is called \"%.*s\"; there are %s", (int)n, wrong,
        out_text(names, NULL));
    out_close(names, NULL);
    return false;
}
