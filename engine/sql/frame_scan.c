#include "engine/sql/frame_scan.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/sql/frame_groups.h"
#include "engine/sql/frame_plan.h"

enum { LOOK_EVERY = 1 << 16 /* frames, at the clock */ };

/* ---- conditions ---- */

struct frame_rows {
    sqlite3_vtab_cursor base;
    struct frame_row row;
    uint64_t subject, end; /* the row's, and behind the last */
    uint32_t rest;         /* of the stack, from the row's location on */
    bool *wanted;          /* functions; NULL: all */
    uint64_t number;       /* of the row */
    uint64_t walked;       /* frames, since the clock was looked at */
    bool grouped;          /* the plan is: rows come from these */
    struct frame_groups groups;
};

static struct frame_table *table_of(const struct frame_rows *r)
{
    return (struct frame_table *)r->base.pVtab;
}

static const struct profile *profile_of(const struct frame_rows *r)
{
    return table_of(r)->place->texts.p;
}

/* SQLite looks again at what a number that is no integer lets through. */
static void limit_subject(struct frame_rows *r, const char *op, bool from_one,
                          sqlite3_value *value)
{
    int64_t n = sqlite3_value_int64(value);

    if (sqlite3_value_numeric_type(value) != SQLITE_INTEGER)
        return;
    if (from_one)
        n = n > 0 ? n - 1 : -1;
    if (*op != '<' && (n < 0 ? 0 : (uint64_t)n) > r->subject)
        r->subject = (uint64_t)n;
    if (*op != '>' && (n < 0 ? 0 : (uint64_t)n + 1) < r->end)
        r->end = n < 0 ? 0 : (uint64_t)n + 1;
}

static bool may_equal(const struct frame_value *v, sqlite3_value *value)
{
    int type = sqlite3_value_type(value);

    if (v->type == SQLITE_NULL)
        return false;
    if (type != v->type)
        return true; /* SQLite knows */
    if (type == SQLITE_INTEGER)
        return v->number == sqlite3_value_int64(value);
    return (size_t)sqlite3_value_bytes(value) == v->len &&
           !memcmp(sqlite3_value_text(value), v->text, v->len);
}

static void limit_functions(struct frame_rows *r, enum frame_column_id column,
                            sqlite3_value *value)
{
    struct frame_texts *texts = &table_of(r)->place->texts;
    uint32_t count = (uint32_t)texts->p->functions.len;
    bool is_first = !r->wanted;

    if (is_first)
        r->wanted = mem_new(count ? count : 1, sizeof(*r->wanted));
    for (uint32_t i = 0; i < count; i++) {
        struct frame_value v;

        if (!is_first && !r->wanted[i])
            continue;
        frame_function_value(texts, column, i, &v);
        r->wanted[i] = may_equal(&v, value);
    }
}

/* The terms of an order go to `order`, which has room for all columns; the
 * result is how many. */
static size_t take_plan(struct frame_rows *r, const char *plan,
                        sqlite3_value **values, struct frame_term *order)
{
    struct frame_term term;
    size_t orders = 0;

    while (frame_plan_next(&plan, &term)) {
        if (!term.op)
            order[orders++] = term;
        else if (frame_is_subject(term.column))
            limit_subject(r, term.op, term.column == FRAME_SAMPLE, *values++);
        else
            limit_functions(r, term.column, *values++);
    }
    return orders;
}

/* ---- the walk ---- */

/* Which stacks samples have, looked for once. */
static void find_used(struct frame_place *place)
{
    const struct profile *p = place->texts.p;

    if (place->used)
        return;
    place->used = mem_new(p->stacks.len + 1, sizeof(*place->used));
    for (size_t i = 0; i < p->samples.len; i++)
        place->used[p->samples.stack[i]] = true;
}

/* The stack of a subject; 0: it has none, or does not count. */
static uint32_t stack_of(const struct frame_rows *r, uint64_t subject)
{
    const struct profile *p = profile_of(r);

    if (!table_of(r)->of_samples)
        return table_of(r)->place->used[subject] ? (uint32_t)subject : 0;
    return p->samples.flags[subject] & SAMPLE_IDLE ? 0
                                                   : p->samples.stack[subject];
}

/* At the first frame of a stack's innermost location. */
static void enter(struct frame_rows *r, uint32_t stack)
{
    const struct profile *p = profile_of(r);

    r->rest = stack;
    if (!stack)
        return;
    r->row.location = p->stacks.data[stack].location;
    r->row.frame = p->frame_start.data[r->row.location];
}

static bool at_end(const struct frame_rows *r)
{
    return r->subject >= r->end;
}

/* The first row of the next subject from `subject` on that has a stack. */
static void begin_subject(struct frame_rows *r)
{
    for (; !at_end(r); r->subject++) {
        uint32_t stack = stack_of(r, r->subject);

        r->walked++;
        if (!stack)
            continue;
        r->row = (struct frame_row){.sample = r->subject, .stack = stack};
        enter(r, stack);
        return;
    }
}

static void step(struct frame_rows *r)
{
    const struct profile *p = profile_of(r);

    r->walked++;
    r->row.frame++;
    r->row.depth++;
    if (r->row.frame < p->frame_start.data[r->row.location + 1])
        return;
    enter(r, p->stacks.data[r->rest].parent);
    if (r->rest)
        return;
    r->subject++;
    begin_subject(r);
}

/* Now and then; ends the walk. */
static bool is_over(struct frame_rows *r)
{
    const struct frame_table *t = table_of(r);

    if (r->walked < LOOK_EVERY)
        return false;
    r->walked = 0;
    return t->is_over(t->context);
}

/* From the frame at hand on, the first that is wanted. */
static int find(struct frame_rows *r)
{
    const struct frame *frames = profile_of(r)->frames.data;

    while (r->wanted && !at_end(r) &&
           !r->wanted[frames[r->row.frame].function]) {
        step(r);
        if (is_over(r))
            return SQLITE_INTERRUPT;
    }
    return SQLITE_OK;
}

/* All frames are walked before the first row. */
static int group(struct frame_rows *r, const struct frame_term *order,
                 size_t orders, bool distinct)
{
    const struct frame *frames = profile_of(r)->frames.data;
    uint32_t function;

    frame_groups_init(&r->groups, &table_of(r)->place->texts);
    for (; !at_end(r); step(r)) {
        function = frames[r->row.frame].function;
        if (!r->wanted || r->wanted[function])
            frame_groups_count(&r->groups, function);
        if (is_over(r))
            return SQLITE_INTERRUPT;
    }
    frame_groups_sort(&r->groups, order, orders, distinct);
    return SQLITE_OK;
}

/* ---- a cursor ---- */

int frame_scan_open(sqlite3_vtab *base, sqlite3_vtab_cursor **made)
{
    struct frame_rows *r = mem_new(1, sizeof(*r));

    (void)base;
    *made = &r->base;
    return SQLITE_OK;
}

int frame_scan_close(sqlite3_vtab_cursor *base)
{
    struct frame_rows *r = (struct frame_rows *)base;

    free(r->wanted);
    frame_groups_release(&r->groups);
    free(r);
    return SQLITE_OK;
}

int frame_scan_filter(sqlite3_vtab_cursor *base, int flags, const char *plan,
                      int argc, sqlite3_value **argv)
{
    struct frame_rows *r = (struct frame_rows *)base;
    struct frame_table *t = table_of(r);
    const struct profile *p = t->place->texts.p;
    struct frame_term order[FRAME_COLUMNS];
    size_t orders;

    (void)argc;
    free(r->wanted);
    r->wanted = NULL;
    r->number = r->subject = r->end = 0;
    if (!p)
        return SQLITE_ERROR;
    if (!t->of_samples)
        find_used(t->place);
    r->end = t->of_samples ? p->samples.len : p->stacks.len;
    orders = take_plan(r, plan, argv, order);
    begin_subject(r);
    r->grouped = flags & FRAMES_GROUPED;
    return r->grouped ? group(r, order, orders, flags & FRAMES_DISTINCT)
                      : find(r);
}

int frame_scan_next(sqlite3_vtab_cursor *base)
{
    struct frame_rows *r = (struct frame_rows *)base;

    r->number++;
    if (!r->grouped) {
        step(r);
        return find(r);
    }
    frame_groups_next(&r->groups);
    return SQLITE_OK;
}

int frame_scan_eof(sqlite3_vtab_cursor *base)
{
    const struct frame_rows *r = (const struct frame_rows *)base;

    return r->grouped ? !frame_groups_more(&r->groups) : at_end(r);
}

int frame_scan_column(sqlite3_vtab_cursor *base, sqlite3_context *context,
                      int i)
{
    struct frame_rows *r = (struct frame_rows *)base;
    struct frame_table *t = table_of(r);
    struct frame_value v;

    if (r->grouped)
        frame_function_value(&t->place->texts, t->columns[i],
                             frame_groups_function(&r->groups), &v);
    else
        frame_value(&t->place->texts, t->columns[i], &r->row, &v);
    switch (v.type) {
    case SQLITE_INTEGER:
        sqlite3_result_int64(context, v.number);
        break;
    case SQLITE_FLOAT:
        sqlite3_result_double(context, v.real);
        break;
    case SQLITE_TEXT:
        sqlite3_result_text64(context, v.text, v.len, SQLITE_STATIC,
                              SQLITE_UTF8);
        break;
    default:
        sqlite3_result_null(context);
    }
    return SQLITE_OK;
}

int frame_scan_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
    *id = (sqlite3_int64)((const struct frame_rows *)base)->number;
    return SQLITE_OK;
}
