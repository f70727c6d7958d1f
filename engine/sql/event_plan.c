#include "engine/sql/event_plan.h"

#include <math.h>
#include <string.h>

#include "engine/base/out.h"
#include "engine/base/text.h"
#include "engine/sql/constraint.h"
#include "engine/sql/event_columns.h"

/* What a condition on a column becomes. */
enum pushed { PUSHED_NOT, PUSHED_TIME, PUSHED_NUMBER, PUSHED_TEXT };

static enum pushed pushed_of(int column)
{
    switch (column) {
    case EVENT_TIME:
        return PUSHED_TIME;
    case EVENT_PID:
    case EVENT_TID:
    case EVENT_PROCESS_ID:
    case EVENT_THREAD_ID:
        return PUSHED_NUMBER;
    case EVENT_PROVIDER:
    case EVENT_PROVIDER_NAME:
    case EVENT_PROVIDER_GUID:
    case EVENT_EVENT:
    case EVENT_NAME:
        return PUSHED_TEXT;
    default:
        return PUSHED_NOT;
    }
}

/* ---- the plan ---- */

/* Texts are compared by the reader without case, and as they are: a superset
 * of these two ways. */
static bool is_taken(sqlite3_index_info *info, int i)
{
    int column = info->aConstraint[i].iColumn, op = info->aConstraint[i].op;
    enum pushed pushed = pushed_of(column);
    const char *collation;

    if (!info->aConstraint[i].usable || !constraint_operator(op) ||
        pushed == PUSHED_NOT)
        return false;
    if (pushed == PUSHED_TIME)
        return true;
    if (op != SQLITE_INDEX_CONSTRAINT_EQ)
        return false;
    collation = sqlite3_vtab_collation(info, i);
    return pushed == PUSHED_NUMBER || ascii_same(collation, "BINARY") ||
           ascii_same(collation, "NOCASE");
}

/* "time>=?", or "pid=(?)" where the value is a list. */
static void take(sqlite3_index_info *info, int i, int argument,
                 struct out *plan)
{
    bool is_list = sqlite3_vtab_in(info, i, -1);

    if (is_list)
        sqlite3_vtab_in(info, i, 1);
    info->aConstraintUsage[i].argvIndex = argument;
    out_fmt(plan, "%s%s%s%s", argument > 1 ? " " : "",
            event_columns[info->aConstraint[i].iColumn].name,
            constraint_operator(info->aConstraint[i].op), is_list ? "(?)" : "?");
    info->estimatedCost /= 10;
    info->estimatedRows /= 10;
}

static bool uses(const sqlite3_index_info *info, int column)
{
    return info->colUsed >> (column < 63 ? column : 63) & 1;
}

static bool uses_kinds_alone(const sqlite3_index_info *info)
{
    for (int i = 0; i < EVENT_COLUMNS; i++)
        if (uses(info, i) && !event_columns[i].of_kind)
            return false;
    return !(info->colUsed >> EVENT_COLUMNS);
}

static bool orders_kinds(const sqlite3_index_info *info)
{
    for (int i = 0; i < info->nOrderBy; i++) {
        int column = info->aOrderBy[i].iColumn;

        if (column < 0 || column >= EVENT_COLUMNS ||
            !event_columns[column].of_kind)
            return false;
    }
    return info->nOrderBy && info->nOrderBy <= 8 && uses_kinds_alone(info);
}

/* How rows come, and what of ORDER BY and GROUP BY that does. */
static int order(sqlite3_index_info *info, struct out *plan)
{
    int flags = uses(info, EVENT_NUMBER) ? PLAN_ORDERED | PLAN_NUMBERED : 0;

    if (orders_kinds(info)) {
        for (int i = 0; i < info->nOrderBy; i++)
            out_fmt(plan, "%s%c%s", i || *out_text(plan, NULL) ? " " : "",
                    info->aOrderBy[i].desc ? '-' : '+',
                    event_columns[info->aOrderBy[i].iColumn].name);
        info->orderByConsumed = 1;
        info->estimatedCost /= 2;
        return PLAN_GROUPED |
               (sqlite3_vtab_distinct(info) == 2 ? PLAN_DISTINCT : 0);
    }
    if (info->nOrderBy == 1 && info->aOrderBy[0].iColumn == EVENT_TIME &&
        !info->aOrderBy[0].desc) {
        info->orderByConsumed = 1;
        return flags | PLAN_ORDERED;
    }
    /* Who looks at times expects them in order. */
    if (!info->nOrderBy && (uses(info, EVENT_TIME) ||
                            uses(info, EVENT_TIMESTAMP)))
        flags |= PLAN_ORDERED;
    return flags;
}

int event_plan(sqlite3_index_info *info)
{
    struct out *plan = out_memory();
    int arguments = 0;

    info->estimatedCost = 1e8;
    info->estimatedRows = 10000000;
    for (int i = 0; i < info->nConstraint; i++)
        if (is_taken(info, i))
            take(info, i, ++arguments, plan);
    info->idxNum = order(info, plan);
    if (uses(info, EVENT_PID) || uses(info, EVENT_PROCESS_ID) ||
        uses(info, EVENT_PROCESS_NAME) || uses(info, EVENT_IMAGE_NAME))
        info->idxNum |= PLAN_SUBJECTS;
    info->idxStr = sqlite3_mprintf("%s", out_text(plan, NULL));
    info->needToFreeIdxStr = 1;
    out_close(plan, NULL);
    return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

/* ---- the filter ---- */

static int column_of(const char *name, size_t n)
{
    for (int i = 0; i < EVENT_COLUMNS; i++)
        if (strlen(event_columns[i].name) == n &&
            !memcmp(event_columns[i].name, name, n))
            return i;
    return -1;
}

enum { SLACK_NS = 1000 }; /* what seconds as a double may be off */

/* What lies beyond the range of times is at its end. */
static int64_t nanoseconds(double seconds, double slack)
{
    double ns = seconds * 1e9 + slack;

    if (!(ns > -9e18))
        return INT64_MIN;
    return ns < 9e18 ? (int64_t)floor(ns) : INT64_MAX;
}

static void limit_time(struct event_filter *f, char op, sqlite3_value *value)
{
    struct event_options *o = &f->options;
    int type = sqlite3_value_type(value);
    double at = sqlite3_value_double(value);

    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
        return;
    if (op != '<' && nanoseconds(at, -SLACK_NS) > o->from)
        o->from = nanoseconds(at, -SLACK_NS);
    if (op != '>' && nanoseconds(at, SLACK_NS) < o->to)
        o->to = nanoseconds(at, SLACK_NS);
    o->timed = true;
}

static void add_number(struct event_filter *f, int column, sqlite3_value *value)
{
    int64_t number = sqlite3_value_int64(value);
    bool is_process = column == EVENT_PID || column == EVENT_PROCESS_ID;

    int type = sqlite3_value_numeric_type(value);

    if ((type != SQLITE_INTEGER && type != SQLITE_FLOAT) || number < 0 ||
        number > UINT32_MAX)
        number = EVENT_UNKNOWN; /* which no event is found by */
    if (is_process)
        *vec_add(&f->pids) = (uint32_t)number;
    else
        *vec_add(&f->tids) = (uint32_t)number;
}

static void add_text(struct event_filter *f, int column, sqlite3_value *value)
{
    const char *text = (const char *)sqlite3_value_text(value);
    char *copy = text_copy(text ? text : "", text ? strlen(text) : 0);
    bool is_event = column == EVENT_EVENT || column == EVENT_NAME;

    *vec_add(&f->texts) = copy;
    if (!*copy) /* the reader knows no such name: all go through */
        *(is_event ? &f->any_event : &f->any_provider) = true;
    else if (is_event)
        *vec_add(&f->events) = copy;
    else
        *vec_add(&f->providers) = copy;
}

static bool is_full(const struct event_filter *f, int column)
{
    switch (column) {
    case EVENT_PID:
    case EVENT_PROCESS_ID:
        return f->pids.len;
    case EVENT_TID:
    case EVENT_THREAD_ID:
        return f->tids.len;
    case EVENT_EVENT:
    case EVENT_NAME:
        return f->events.len || f->any_event;
    default:
        return f->providers.len || f->any_provider;
    }
}

static void add(struct event_filter *f, int column, sqlite3_value *value)
{
    if (pushed_of(column) == PUSHED_NUMBER)
        add_number(f, column, value);
    else
        add_text(f, column, value);
}

/* Of two conditions on one thing the first is the reader's. */
static void add_all(struct event_filter *f, int column, bool is_list,
                    sqlite3_value *values)
{
    sqlite3_value *value;

    if (is_full(f, column))
        return;
    if (!is_list) {
        add(f, column, values);
        return;
    }
    for (int result = sqlite3_vtab_in_first(values, &value);
         !result && value; result = sqlite3_vtab_in_next(values, &value))
        add(f, column, value);
}

static void add_order(struct event_filter *f, const char *name, size_t n)
{
    f->order[f->orders++] = (struct event_order){
        (uint8_t)column_of(name + 1, n - 1), *name == '-'};
}

void event_filter_init(struct event_filter *f, int flags, const char *plan,
                       sqlite3_value **values)
{
    *f = (struct event_filter){.orders = 0};
    f->options.from = INT64_MIN;
    f->options.to = INT64_MAX;
    f->options.unordered = !(flags & PLAN_ORDERED);
    f->options.numbered = flags & PLAN_NUMBERED;
    f->options.no_subjects = !(flags & PLAN_SUBJECTS);
    for (size_t n; *plan; plan += n + (plan[n] == ' ')) {
        size_t name = strcspn(plan, "=<> ");
        int column = column_of(plan, name);

        n = strcspn(plan, " ");
        if (strchr("+-", *plan))
            add_order(f, plan, n);
        else if (column == EVENT_TIME)
            limit_time(f, plan[name], *values++);
        else
            add_all(f, column, plan[n - 1] == ')', *values++);
    }
    f->options.providers.list = f->providers.data;
    f->options.providers.count = f->any_provider ? 0 : f->providers.len;
    f->options.events.list = f->events.data;
    f->options.events.count = f->any_event ? 0 : f->events.len;
    f->options.pids.list = f->pids.data;
    f->options.pids.count = f->pids.len;
    f->options.tids.list = f->tids.data;
    f->options.tids.count = f->tids.len;
}

void event_filter_release(struct event_filter *f)
{
    for (size_t i = 0; i < f->texts.len; i++)
        free(f->texts.data[i]);
    vec_release(&f->texts);
    vec_release(&f->providers);
    vec_release(&f->events);
    vec_release(&f->pids);
    vec_release(&f->tids);
}
