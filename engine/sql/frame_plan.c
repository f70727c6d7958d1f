#include "engine/sql/frame_plan.h"

#include <string.h>

#include "engine/base/out.h"
#include "engine/sql/constraint.h"
#include "engine/sql/frame_scan.h"

bool frame_is_subject(enum frame_column_id column)
{
    return column == FRAME_SAMPLE || column == FRAME_STACK;
}

static bool is_taken(const struct frame_table *t, sqlite3_index_info *info,
                     int i)
{
    int column = info->aConstraint[i].iColumn, op = info->aConstraint[i].op;

    if (column < 0 || !info->aConstraint[i].usable || !constraint_operator(op))
        return false;
    if (frame_is_subject(t->columns[column]))
        return true;
    return t->columns[column] >= FRAME_FUNCTION &&
           op == SQLITE_INDEX_CONSTRAINT_EQ &&
           !sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY");
}

static void take(const struct frame_table *t, sqlite3_index_info *info, int i,
                 int argument, struct out *plan)
{
    enum frame_column_id column = t->columns[info->aConstraint[i].iColumn];
    bool is_one = info->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_EQ;

    info->aConstraintUsage[i].argvIndex = argument;
    out_fmt(plan, "%s%s%s", argument > 1 ? " " : "", frame_columns[column].name,
            constraint_operator(info->aConstraint[i].op));
    if (frame_is_subject(column)) {
        info->estimatedCost /= is_one ? 1e6 : 4;
        info->estimatedRows /= is_one ? 1000000 : 4;
    } else {
        info->estimatedCost /= 10;
        info->estimatedRows /= 100;
    }
}

static enum frame_column_id column_at(const struct frame_table *t, int column)
{
    return column < 0 ? FRAME_COLUMNS : t->columns[column];
}

/* Rows come by subject, then by depth. */
static bool is_order(const struct frame_table *t,
                     const sqlite3_index_info *info)
{
    for (int i = 0; i < info->nOrderBy; i++) {
        enum frame_column_id column = column_at(t, info->aOrderBy[i].iColumn);

        if (info->aOrderBy[i].desc || i > 1 ||
            (i ? column != FRAME_DEPTH : !frame_is_subject(column)))
            return false;
    }
    return info->nOrderBy > 0;
}

static bool is_of_function(enum frame_column_id column)
{
    return column >= FRAME_FUNCTION && column < FRAME_COLUMNS;
}

/* Nothing is asked for but what all rows of a function have in common. */
static bool orders_functions(const struct frame_table *t,
                             const sqlite3_index_info *info)
{
    for (int i = 0; i < info->nOrderBy; i++)
        if (!is_of_function(column_at(t, info->aOrderBy[i].iColumn)))
            return false;
    for (int i = 0; i < t->width; i++)
        if (info->colUsed >> i & 1 && !is_of_function(t->columns[i]))
            return false;
    return info->nOrderBy > 0;
}

/* How rows come, and what of ORDER BY and GROUP BY that does. */
static int order(const struct frame_table *t, sqlite3_index_info *info,
                 struct out *plan)
{
    if (!orders_functions(t, info)) {
        info->orderByConsumed = is_order(t, info);
        return 0;
    }
    for (int i = 0; i < info->nOrderBy; i++)
        out_fmt(plan, "%s%c%s", i || *out_text(plan, NULL) ? " " : "",
                info->aOrderBy[i].desc ? '-' : '+',
                frame_columns[column_at(t, info->aOrderBy[i].iColumn)].name);
    info->orderByConsumed = 1;
    info->estimatedCost /= 2;
    return FRAMES_GROUPED |
           (sqlite3_vtab_distinct(info) == 2 ? FRAMES_DISTINCT : 0);
}

int frame_plan(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const struct frame_table *t = (const struct frame_table *)base;
    struct out *plan = out_memory();
    int arguments = 0;

    info->estimatedCost = 1e7;
    info->estimatedRows = 10000000;
    for (int i = 0; i < info->nConstraint; i++)
        if (is_taken(t, info, i))
            take(t, info, i, ++arguments, plan);
    info->idxNum = order(t, info, plan);
    info->idxStr = sqlite3_mprintf("%s", out_text(plan, NULL));
    info->needToFreeIdxStr = 1;
    out_close(plan, NULL);
    return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

static enum frame_column_id column_named(const char *name, size_t n)
{
    int i = 0;

    while (i < FRAME_COLUMNS && (strncmp(frame_columns[i].name, name, n) != 0 ||
                                 frame_columns[i].name[n]))
        i++;
    return (enum frame_column_id)i;
}

bool frame_plan_next(const char **plan, struct frame_term *term)
{
    const char *name = *plan;
    size_t n;

    if (!*name)
        return false;
    *term = (struct frame_term){.descending = *name == '-'};
    name += *name == '-' || *name == '+';
    n = strcspn(name, "=<> ");
    term->column = column_named(name, n);
    if (name[n] && name[n] != ' ')
        term->op = name + n;
    name += strcspn(name, " ");
    *plan = name + (*name == ' ');
    return true;
}
