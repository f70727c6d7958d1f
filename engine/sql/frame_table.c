/*
 * frame_of_sample and frame_of_stack as virtual tables of SQLite, which walk
 * the stacks of a profile. Rows and columns are those of the views of a
 * database, by sample and then from the inside out. A condition on the sample
 * or the stack is a range of the walk; one on a function is looked up once for
 * each function.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/sql/query_impl.h"
#include "engine/sql/virtual_table.h"
#include "engine/store/schema.h"
#include "engine/store/sql.h"

enum { LOOK_EVERY = 1 << 16 /* frames, at the clock */ };

static const char of_samples[] = "frame_of_sample";
static const char of_stacks[] = "frame_of_stack";

struct frame_table {
    struct virtual_table base;
    bool of_samples; /* else of stacks */
    enum frame_column_id columns[FRAME_COLUMNS];
};

struct frame_rows {
    struct virtual_cursor base;
    struct frame_at row;
    uint64_t subject, end; /* the row's sample or stack; behind the last */
    uint32_t rest;         /* of the stack, from the row's location on */
    bool *wanted;          /* functions; NULL: all */
    uint64_t number;       /* of the row */
    uint64_t walked;       /* frames, since the clock was looked at */
};

static struct frame_table *frame_table_of(const struct frame_rows *r)
{
    return (struct frame_table *)r->base.base.pVtab;
}

static const struct profile *profile_of(const struct frame_rows *r)
{
    return frame_table_of(r)->base.place->texts.p;
}

bool is_frame_table(const char *name)
{
    return !sqlite3_stricmp(name, of_samples) ||
           !sqlite3_stricmp(name, of_stacks);
}

/* ---- tables ---- */

static enum frame_column_id frame_column_named(const char *name)
{
    int i = 0;

    while (i < FRAME_COLUMNS && strcmp(frame_columns[i].name, name) != 0)
        i++;
    return (enum frame_column_id)i;
}

/* The columns of the view of that name. */
static const char *declare_frame_table(struct virtual_table *base,
                                       const char *module, const char *name,
                                       struct out *columns)
{
    struct frame_table *table = (struct frame_table *)base;
    const struct store_made *view = store_made_find(name);

    (void)module;
    if (!view)
        return "not a profile";
    table->of_samples = !strcmp(name, of_samples);
    for (size_t i = 0; i < view->width; i++) {
        enum frame_column_id column = frame_column_named(view->columns[i].name);

        table->columns[i] = column;
        out_fmt(columns, "%s%s %s", i ? ", " : "", frame_columns[column].name,
                frame_columns[column].type);
    }
    return NULL;
}

/* ---- plans ---- */

static enum frame_column_id frame_column_at(const struct virtual_table *table,
                                            int column)
{
    return column < 0 ? FRAME_COLUMNS
                      : ((const struct frame_table *)table)->columns[column];
}

static bool is_subject(enum frame_column_id column)
{
    return column == FRAME_SAMPLE || column == FRAME_STACK;
}

static enum virtual_push frame_push(const struct virtual_table *table,
                                    int column)
{
    if (is_subject(frame_column_at(table, column)))
        return PUSH_RANGE;
    return frame_column_at(table, column) >= FRAME_FUNCTION ? PUSH_TEXT
                                                            : PUSH_NOTHING;
}

static const char *frame_column_name(const struct virtual_table *table,
                                     int column)
{
    return frame_columns[frame_column_at(table, column)].name;
}

static bool is_of_function(const struct virtual_table *table, int column)
{
    return frame_column_at(table, column) >= FRAME_FUNCTION;
}

static uint32_t function_of(const struct virtual_cursor *cursor)
{
    const struct frame_rows *r = (const struct frame_rows *)cursor;

    return profile_of(r)->frames.data[r->row.frame].function;
}

static struct virtual_value function_value(const struct virtual_table *table,
                                           uint32_t function, int column)
{
    return frame_function_value(&table->place->texts,
                                frame_column_at(table, column), function);
}

/* Rows come by subject, then by depth. */
static int frame_order(const struct virtual_table *table,
                       sqlite3_index_info *info)
{
    info->orderByConsumed = info->nOrderBy > 0;
    for (int i = 0; i < info->nOrderBy; i++) {
        enum frame_column_id column =
            frame_column_at(table, info->aOrderBy[i].iColumn);

        if (info->aOrderBy[i].desc || i > 1 ||
            (i ? column != FRAME_DEPTH : !is_subject(column)))
            info->orderByConsumed = 0;
    }
    return 0;
}

/* ---- conditions ---- */

/* SQLite looks again at what a number that is no integer lets through. */
static void limit_subject(struct frame_rows *r, char op, bool from_one,
                          sqlite3_value *value)
{
    int64_t n = sqlite3_value_int64(value);

    if (sqlite3_value_numeric_type(value) != SQLITE_INTEGER)
        return;
    if (from_one)
        n = n > 0 ? n - 1 : -1;
    if (op != '<' && (n < 0 ? 0 : (uint64_t)n) > r->subject)
        r->subject = (uint64_t)n;
    if (op != '>' && (n < 0 ? 0 : (uint64_t)n + 1) < r->end)
        r->end = n < 0 ? 0 : (uint64_t)n + 1;
}

/* Two values of different types may be equal: SQLite knows. */
static bool may_equal(const struct virtual_value *v, sqlite3_value *value)
{
    int type = sqlite3_value_type(value);

    if (v->type == SQLITE_NULL)
        return false;
    if (type != v->type)
        return true;
    if (type == SQLITE_INTEGER)
        return v->number == sqlite3_value_int64(value);
    return (size_t)sqlite3_value_bytes(value) == v->len &&
           !memcmp(sqlite3_value_text(value), v->text, v->len);
}

static void limit_functions(struct frame_rows *r, enum frame_column_id column,
                            sqlite3_value *value)
{
    struct frame_texts *texts = &frame_table_of(r)->base.place->texts;
    uint32_t count = (uint32_t)texts->p->functions.len;
    bool is_first = !r->wanted;

    if (is_first)
        r->wanted = mem_new(count ? count : 1, sizeof(*r->wanted));
    for (uint32_t i = 0; i < count; i++) {
        struct virtual_value v;

        if (!is_first && !r->wanted[i])
            continue;
        v = frame_function_value(texts, column, i);
        r->wanted[i] = may_equal(&v, value);
    }
}

/* ---- walks ---- */

/* The stacks that samples and events have, looked for once. */
static void find_used(struct place *place)
{
    const struct profile *p = place->texts.p;

    if (place->used)
        return;
    place->used = mem_new(p->stacks.len + 1, sizeof(*place->used));
    for (size_t i = 0; i < p->samples.len; i++)
        place->used[p->samples.stack[i]] = true;
    for (size_t i = 0; i < p->event_stacks.len; i++)
        place->used[p->event_stacks.data[i].stack] = true;
}

/* The stack of a subject; 0: it has none, or does not count. */
static uint32_t stack_of(const struct frame_rows *r, uint64_t subject)
{
    const struct profile *p = profile_of(r);

    if (!frame_table_of(r)->of_samples)
        return frame_table_of(r)->base.place->used[subject] ? (uint32_t)subject
                                                            : 0;
    return p->samples.flags[subject] & SAMPLE_IDLE ? 0
                                                   : p->samples.stack[subject];
}

/* At the first frame of a stack's innermost location. */
static void enter_stack(struct frame_rows *r, uint32_t stack)
{
    const struct profile *p = profile_of(r);

    r->rest = stack;
    if (!stack)
        return;
    r->row.location = p->stacks.data[stack].location;
    r->row.frame = p->frame_start.data[r->row.location];
}

/* The first row of the next subject from `subject` on that has a stack. */
static void begin_subject(struct frame_rows *r)
{
    for (; r->subject < r->end; r->subject++) {
        uint32_t stack = stack_of(r, r->subject);

        r->walked++;
        if (!stack)
            continue;
        r->row = (struct frame_at){.sample = r->subject, .stack = stack};
        enter_stack(r, stack);
        return;
    }
}

static void step_frame(struct frame_rows *r)
{
    const struct profile *p = profile_of(r);

    r->walked++;
    r->row.frame++;
    r->row.depth++;
    if (r->row.frame < p->frame_start.data[r->row.location + 1])
        return;
    enter_stack(r, p->stacks.data[r->rest].parent);
    if (r->rest)
        return;
    r->subject++;
    begin_subject(r);
}

/* From the frame at hand on, the first that is wanted. */
static int find_frame(struct frame_rows *r)
{
    const struct frame *frames = profile_of(r)->frames.data;

    while (r->wanted && r->subject < r->end &&
           !r->wanted[frames[r->row.frame].function]) {
        step_frame(r);
        if (r->walked < LOOK_EVERY)
            continue;
        r->walked = 0;
        if (query_is_over(frame_table_of(r)->base.q))
            return SQLITE_INTERRUPT;
    }
    r->base.at_end = r->subject >= r->end;
    return SQLITE_OK;
}

static void end_frames(struct virtual_cursor *base)
{
    struct frame_rows *r = (struct frame_rows *)base;

    free(r->wanted);
    r->wanted = NULL;
}

static int begin_frames(struct virtual_cursor *base, int flags,
                        const struct virtual_condition *conditions,
                        size_t count)
{
    struct frame_rows *r = (struct frame_rows *)base;
    struct frame_table *t = frame_table_of(r);
    const struct profile *p = t->base.place->texts.p;

    (void)flags;
    if (!p)
        return SQLITE_ERROR;
    if (!t->of_samples)
        find_used(t->base.place);
    r->number = r->subject = 0;
    r->end = t->of_samples ? p->samples.len : p->stacks.len;
    for (size_t i = 0; i < count; i++) {
        const struct virtual_condition *c = &conditions[i];
        enum frame_column_id column = t->columns[c->column];

        if (is_subject(column))
            limit_subject(r, c->op, column == FRAME_SAMPLE, c->value);
        else
            limit_functions(r, column, c->value);
    }
    begin_subject(r);
    return find_frame(r);
}

static int next_frame(struct virtual_cursor *base)
{
    struct frame_rows *r = (struct frame_rows *)base;

    r->number++;
    step_frame(r);
    return find_frame(r);
}

static struct virtual_value frame_row_value(struct virtual_cursor *base,
                                            int column)
{
    struct frame_rows *r = (struct frame_rows *)base;
    struct frame_table *t = frame_table_of(r);

    return frame_value(&t->base.place->texts, t->columns[column], &r->row);
}

static sqlite3_int64 frame_row_id(const struct virtual_cursor *base)
{
    return (sqlite3_int64)((const struct frame_rows *)base)->number;
}

const struct virtual_kind frame_table_kind = {
    .cursor_size = sizeof(struct frame_rows),
    .table_size = sizeof(struct frame_table),
    .declare = declare_frame_table,
    .push = frame_push,
    .name = frame_column_name,
    .is_of_group = is_of_function,
    .group = function_of,
    .group_value = function_value,
    .order = frame_order,
    .begin = begin_frames,
    .next = next_frame,
    .end = end_frames,
    .value = frame_row_value,
    .id = frame_row_id,
};

int frame_tables_add(struct query *q, const struct place *place)
{
    static const char *const names[] = {of_samples, of_stacks};
    int result = SQLITE_OK;

    for (size_t i = 0; i < 2 && !result; i++)
        result = query_run(
            q, store_sql_text("DROP VIEW IF EXISTS %s.%s;"
                              "CREATE VIRTUAL TABLE %s.%s USING topfn_frames",
                              place->name, names[i], place->name, names[i]));
    return result;
}
