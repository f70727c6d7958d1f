#include "engine/sql/virtual_table.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/base/text.h"
#include "engine/sql/query_impl.h"
#include "engine/store/sql.h"

struct registration {
    const struct virtual_kind *kind;
    struct query *q;
};

/* ---- tables ---- */

static int free_table(sqlite3_vtab *base)
{
    struct virtual_table *table = (struct virtual_table *)base;

    if (table->kind->release)
        table->kind->release(table);
    free(table);
    return SQLITE_OK;
}

/* argv: module, schema, table. */
static int create_table(sqlite3 *db, void *aux, int argc,
                        const char *const *argv, sqlite3_vtab **made,
                        char **message)
{
    const struct registration *r = aux;
    struct virtual_table *table = mem_new(1, r->kind->table_size);
    struct out *columns = out_memory();
    const char *why = "not a trace";
    int result = SQLITE_ERROR;

    (void)argc;
    table->kind = r->kind;
    table->q = r->q;
    table->place = query_place(r->q, argv[1]);
    out_str(columns, "CREATE TABLE x(");
    if (table->place)
        why = r->kind->declare(table, argv[0], argv[2], columns);
    out_char(columns, ')');
    if (why)
        *message = sqlite3_mprintf("%s", why);
    else
        result = sqlite3_declare_vtab(db, out_text(columns, NULL));
    if (result)
        free_table(&table->base);
    else
        *made = &table->base;
    out_close(columns, NULL);
    return result;
}

/* Not the function of xCreate: SQLite would make a table by the name of the
 * module. */
static int connect_table(sqlite3 *db, void *aux, int argc,
                         const char *const *argv, sqlite3_vtab **made,
                         char **message)
{
    return create_table(db, aux, argc, argv, made, message);
}

/* ---- plans ---- */

static const char *operator_text(int op)
{
    switch (op) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
        return "=";
    case SQLITE_INDEX_CONSTRAINT_GE:
        return ">=";
    case SQLITE_INDEX_CONSTRAINT_GT:
        return ">";
    case SQLITE_INDEX_CONSTRAINT_LE:
        return "<=";
    case SQLITE_INDEX_CONSTRAINT_LT:
        return "<";
    default:
        return NULL;
    }
}

static enum virtual_push taken(const struct virtual_table *t,
                               sqlite3_index_info *info, int i)
{
    int column = info->aConstraint[i].iColumn, op = info->aConstraint[i].op;
    enum virtual_push push =
        column < 0 || !t->kind->push ? PUSH_NOTHING : t->kind->push(t, column);
    const char *collation;

    if (!info->aConstraint[i].usable || !operator_text(op) ||
        (push != PUSH_RANGE && op != SQLITE_INDEX_CONSTRAINT_EQ))
        return PUSH_NOTHING;
    if (push != PUSH_TEXT && push != PUSH_NOCASE)
        return push;
    collation = sqlite3_vtab_collation(info, i);
    return ascii_same(collation, "BINARY") ||
                   (push == PUSH_NOCASE && ascii_same(collation, "NOCASE"))
               ? push
               : PUSH_NOTHING;
}

/* "time>=?", or "pid=(?)" where the value is a list. */
static void take(const struct virtual_table *t, sqlite3_index_info *info, int i,
                 enum virtual_push push, int argument, struct out *plan)
{
    int op = info->aConstraint[i].op;
    bool is_list = t->kind->takes_lists && sqlite3_vtab_in(info, i, -1);
    double cost = 10, rows = 100;

    if (is_list)
        sqlite3_vtab_in(info, i, 1);
    info->aConstraintUsage[i].argvIndex = argument;
    out_fmt(plan, "%s%s%s%s", argument > 1 ? " " : "",
            t->kind->name(t, info->aConstraint[i].iColumn), operator_text(op),
            is_list ? "(?)" : "?");
    if (push == PUSH_RANGE)
        cost = rows = op == SQLITE_INDEX_CONSTRAINT_EQ ? 1e6 : 4;
    info->estimatedCost /= cost;
    info->estimatedRows = (sqlite3_int64)((double)info->estimatedRows / rows);
}

/*
 * A statement may ask for nothing but columns of groups, ordered or grouped by
 * up to three of them. Then the walk counts rows by group and gives them in
 * order, and SQLite does not sort: events of a .NET build are counted by name
 * in 0.6 s of CPU time instead of 1.8 s, and the frames of 3.3 M samples by
 * label in no memory instead of more than 1 GiB, which --max-memory refuses.
 * The plan's number holds the columns, each plus 1, behind the flags.
 */
enum { DESCENDING = 1 << 6, ORDER_BITS = 7, MOST_ORDERS = 3 };

static int group_order(const struct virtual_table *t, sqlite3_index_info *info)
{
    unsigned order = 0;

    if (!t->kind->is_of_group || !info->nOrderBy ||
        info->nOrderBy > MOST_ORDERS)
        return 0;
    for (int i = 0; i < 64; i++)
        if (info->colUsed >> i & 1 && (i > 62 || !t->kind->is_of_group(t, i)))
            return 0;
    for (int i = info->nOrderBy; i--;) {
        int column = info->aOrderBy[i].iColumn;

        if (column < 0 || column >= DESCENDING - 1 ||
            !t->kind->is_of_group(t, column))
            return 0;
        order = order << ORDER_BITS | (unsigned)(column + 1) |
                (info->aOrderBy[i].desc ? DESCENDING : 0);
    }
    info->orderByConsumed = 1;
    info->estimatedCost /= 2;
    return (int)(order * VIRTUAL_FLAGS);
}

static int plan_walk(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const struct virtual_table *t = (const struct virtual_table *)base;
    struct out *plan = out_memory();
    int arguments = 0;

    info->estimatedCost = 1e8;
    info->estimatedRows = 10000000;
    for (int i = 0; i < info->nConstraint; i++) {
        enum virtual_push push = taken(t, info, i);

        if (push)
            take(t, info, i, push, ++arguments, plan);
    }
    info->idxNum = t->kind->order(t, info);
    if (!info->orderByConsumed)
        info->idxNum |= group_order(t, info);
    info->idxStr = sqlite3_mprintf("%s", out_text(plan, NULL));
    info->needToFreeIdxStr = 1;
    out_close(plan, NULL);
    return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

/* ---- walks ---- */

static const struct virtual_kind *kind_of(const sqlite3_vtab_cursor *base)
{
    return ((const struct virtual_table *)base->pVtab)->kind;
}

int virtual_events_failed(struct virtual_table *table)
{
    sqlite3_free(table->base.zErrMsg);
    table->base.zErrMsg = sqlite3_mprintf("%s", table->q->trace_err.message);
    return SQLITE_ERROR;
}

struct virtual_value virtual_made(struct out *text, struct arena *row)
{
    struct virtual_value v = {.type = SQLITE_TEXT, .brief = true};

    out_text(text, &v.len);
    v.text = out_close_to(text, row);
    return v;
}

static const char *text_of(const struct virtual_value *v)
{
    return v->text ? v->text : v->own;
}

/* As SQL orders: NULL first, texts by their bytes; a column has one type. */
static int compare_values(const struct virtual_value *x,
                          const struct virtual_value *y)
{
    size_t n = x->len < y->len ? x->len : y->len;
    int result;

    if (x->type == SQLITE_NULL || y->type == SQLITE_NULL)
        return (x->type != SQLITE_NULL) - (y->type != SQLITE_NULL);
    if (x->type == SQLITE_INTEGER)
        return (x->number > y->number) - (x->number < y->number);
    result = n ? memcmp(text_of(x), text_of(y), n) : 0;
    return result ? result : (x->len > y->len) - (x->len < y->len);
}

struct ordering {
    const struct virtual_table *table;
    int columns;
};

static int compare_groups(const void *left, const void *right, void *context)
{
    const struct virtual_group *a = left, *b = right;
    const struct ordering *o = context;

    for (int rest = o->columns; rest; rest >>= ORDER_BITS) {
        int column = rest % DESCENDING - 1, result;
        struct virtual_value x =
            o->table->kind->group_value(o->table, a->number, column);
        struct virtual_value y =
            o->table->kind->group_value(o->table, b->number, column);

        result = compare_values(&x, &y);
        if (result)
            return rest & DESCENDING ? -result : result;
    }
    return (a->number > b->number) - (a->number < b->number);
}

/* From the first row on. */
static int count_groups(struct virtual_cursor *c, int columns)
{
    struct ordering ordering = {(struct virtual_table *)c->base.pVtab, columns};
    const struct virtual_kind *kind = ordering.table->kind;
    int result = SQLITE_OK;
    size_t kept = 0;

    for (; !c->at_end && !result; result = kind->next(c)) {
        uint32_t number = kind->group(c);

        for (uint32_t i = (uint32_t)c->groups.len; i <= number; i++)
            *vec_add(&c->groups) = (struct virtual_group){i, 0};
        c->groups.data[number].rows++;
    }
    for (size_t i = 0; i < c->groups.len; i++)
        if (c->groups.data[i].rows)
            c->groups.data[kept++] = c->groups.data[i];
    c->groups.len = kept;
    if (kept)
        qsort_r(c->groups.data, kept, sizeof(*c->groups.data), compare_groups,
                &ordering);
    c->group = 0;
    c->at_end = !kept;
    return result;
}

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **made)
{
    struct virtual_cursor *c =
        mem_new(1, ((const struct virtual_table *)base)->kind->cursor_size);

    *made = &c->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
    struct virtual_cursor *c = (struct virtual_cursor *)base;

    if (kind_of(base)->end)
        kind_of(base)->end(c);
    vec_release(&c->groups);
    free(c);
    return SQLITE_OK;
}

static int column_named(const struct virtual_table *t, const char *name,
                        size_t n)
{
    int i = 0;

    while (strncmp(t->kind->name(t, i), name, n) || t->kind->name(t, i)[n])
        i++;
    return i;
}

/* `plan` is what plan_walk wrote. */
static int filter_rows(sqlite3_vtab_cursor *base, int flags, const char *plan,
                       int argc, sqlite3_value **argv)
{
    const struct virtual_table *t = (const struct virtual_table *)base->pVtab;
    struct virtual_cursor *c = (struct virtual_cursor *)base;
    VEC(struct virtual_condition) conditions = {0};
    int result;

    for (int i = 0; i < argc; i++) {
        size_t name = strcspn(plan, "=<>"), n = strcspn(plan, " ");

        *vec_add(&conditions) = (struct virtual_condition){
            .column = column_named(t, plan, name),
            .op = plan[name],
            .is_list = plan[n - 1] == ')',
            .value = argv[i],
        };
        plan += n + (plan[n] == ' ');
    }
    if (t->kind->end)
        t->kind->end(c);
    c->at_end = false;
    c->groups.len = 0;
    c->grouped = flags >= VIRTUAL_FLAGS;
    result = t->kind->begin(c, flags % VIRTUAL_FLAGS, conditions.data,
                            conditions.len);
    vec_release(&conditions);
    return result || !c->grouped ? result
                                 : count_groups(c, flags / VIRTUAL_FLAGS);
}

static int next_row(sqlite3_vtab_cursor *base)
{
    struct virtual_cursor *c = (struct virtual_cursor *)base;

    if (!c->grouped)
        return kind_of(base)->next(c);
    if (!--c->groups.data[c->group].rows)
        c->at_end = ++c->group == c->groups.len;
    return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *base)
{
    return ((const struct virtual_cursor *)base)->at_end;
}

static int give_value(sqlite3_vtab_cursor *base, sqlite3_context *context,
                      int column)
{
    struct virtual_cursor *c = (struct virtual_cursor *)base;
    const struct virtual_table *t = (const struct virtual_table *)base->pVtab;
    struct virtual_value v =
        c->grouped
            ? t->kind->group_value(t, c->groups.data[c->group].number, column)
            : t->kind->value(c, column);

    if (v.type == SQLITE_INTEGER)
        sqlite3_result_int64(context, v.number);
    else if (v.type == SQLITE_FLOAT)
        sqlite3_result_double(context, v.real);
    else if (v.type == SQLITE_TEXT)
        sqlite3_result_text64(
            context, text_of(&v), v.len,
            v.brief || !v.text ? SQLITE_TRANSIENT : SQLITE_STATIC, SQLITE_UTF8);
    else if (v.type == SQLITE_BLOB)
        sqlite3_result_blob64(context, v.text, v.len, SQLITE_TRANSIENT);
    return SQLITE_OK;
}

static int give_id(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
    const struct virtual_cursor *c = (const struct virtual_cursor *)base;

    *id = c->grouped ? 0 : kind_of(base)->id(c);
    return SQLITE_OK;
}

static const sqlite3_module methods = {
    .iVersion = 2,
    .xCreate = create_table,
    .xConnect = connect_table,
    .xBestIndex = plan_walk,
    .xDisconnect = free_table,
    .xDestroy = free_table,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = filter_rows,
    .xNext = next_row,
    .xEof = is_at_end,
    .xColumn = give_value,
    .xRowid = give_id,
};

void virtual_tables_add(struct query *q, const char *module,
                        const struct virtual_kind *kind)
{
    struct registration *r = mem_new(1, sizeof(*r));

    *r = (struct registration){kind, q};
    store_sql_memory(
        sqlite3_create_module_v2(q->db, module, &methods, r, free));
}
