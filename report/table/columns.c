#include "report/table/columns.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "engine/analysis/timeline.h"
#include "engine/model/labels.h"
#include "engine/analysis/trust.h"
#include "engine/model/thread_states.h"
#include "engine/model/waits.h"
#include "report/table/table.h"

static const struct rank_row *row_of(const void *rows, size_t row)
{
    const struct ranked *ranked = rows;

    return &ranked->ranking->rows[row];
}

static uint64_t samples_of(const void *rows)
{
    return ((const struct ranked *)rows)->samples;
}

static struct value weight(const void *rows, uint64_t n)
{
    return value_weight(((const struct ranked *)rows)->p, n);
}

static struct value rank(const void *rows, size_t row)
{
    (void)rows;
    return value_id(row + 1);
}

static struct value exclusive(const void *rows, size_t row)
{
    return weight(rows, row_of(rows, row)->exclusive);
}

static struct value exclusive_percent(const void *rows, size_t row)
{
    return value_percent(row_of(rows, row)->exclusive, samples_of(rows));
}

static struct value bar(const void *rows, size_t row)
{
    return value_bar(row_of(rows, row)->exclusive,
                     ((const struct ranked *)rows)->most);
}

static struct value sum_percent(const void *rows, size_t row)
{
    const struct ranked *ranked = rows;

    return value_percent(ranked->sums[row], ranked->samples);
}

static struct value inclusive(const void *rows, size_t row)
{
    return weight(rows, row_of(rows, row)->inclusive);
}

static struct value inclusive_percent(const void *rows, size_t row)
{
    return value_percent(row_of(rows, row)->inclusive, samples_of(rows));
}

static uint64_t period_of(const void *rows)
{
    return ((const struct ranked *)rows)->period;
}

static struct value exclusive_period(const void *rows, size_t row)
{
    return period_of(rows) ? value_count(row_of(rows, row)->exclusive_period)
                           : value_none();
}

static struct value exclusive_period_percent(const void *rows, size_t row)
{
    return period_of(rows) ? value_percent(row_of(rows, row)->exclusive_period,
                                           period_of(rows))
                           : value_none();
}

static struct value inclusive_period(const void *rows, size_t row)
{
    return period_of(rows) ? value_count(row_of(rows, row)->inclusive_period)
                           : value_none();
}

static struct value inclusive_period_percent(const void *rows, size_t row)
{
    return period_of(rows) ? value_percent(row_of(rows, row)->inclusive_period,
                                           period_of(rows))
                           : value_none();
}

/* CPU time of the samples, as the header has that of all: where the interval is
 * known, or the periods are times. */
static struct value exclusive_ms(const void *rows, size_t row)
{
    const struct ranked *ranked = rows;
    const struct rank_row *r = row_of(rows, row);
    const struct profile *p = ranked->p;
    double ns = (double)r->exclusive * (double)p->trace.interval_ns;

    if (p->trace.metric.id != METRIC_CPU_SAMPLES || !profile_counts_samples(p))
        return value_none();
    if (ranked->period && trust_periods_are_time(p))
        ns = (double)r->exclusive_period;
    return ns > 0 || !r->exclusive ? value_real(ns / 1e6, 2, false)
                                   : value_none();
}

static struct value inlined_exclusive(const void *rows, size_t row)
{
    return weight(rows, row_of(rows, row)->inlined_exclusive);
}

static struct value inlined_inclusive(const void *rows, size_t row)
{
    return weight(rows, row_of(rows, row)->inlined_inclusive);
}

static struct value name(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->name);
}

/* A function that waits or has no name is drawn dim. */
static enum out_style style_of(const struct profile *p,
                               const struct rank_row *r)
{
    if (!*r->module)
        return STYLE_PLAIN;
    if (r->cause != CAUSE_NONE ||
        (measures_wall_clock(p) && only_waits(r->name)))
        return STYLE_DIM;
    if (r->kind == CODE_KERNEL)
        return STYLE_KERNEL;
    return r->kind == CODE_MANAGED ? STYLE_MANAGED : STYLE_PLAIN;
}

/* A function's by its label, a source line's by its path. */
static struct value shown_name(const void *rows, size_t row)
{
    const struct rank_row *r = row_of(rows, row);
    struct value v;

    if (r->file && r->name == r->label && !*r->module)
        return value_path(r->name);
    v = value_name(r->label);
    v.style = style_of(((const struct ranked *)rows)->p, r);
    return v;
}

static struct value label(const void *rows, size_t row)
{
    return value_text(row_of(rows, row)->label);
}

static struct value module(const void *rows, size_t row)
{
    return value_module(row_of(rows, row)->module);
}

static struct value function(const void *rows, size_t row)
{
    return value_maybe(row_of(rows, row)->function);
}

static struct value shown_function(const void *rows, size_t row)
{
    const char *text = row_of(rows, row)->function_label;

    return text ? value_name(text) : value_none();
}

static struct value kind(const void *rows, size_t row)
{
    return value_text(
        code_kind_name((enum code_kind)row_of(rows, row)->kind));
}

static struct value address(const void *rows, size_t row)
{
    const struct rank_row *r = row_of(rows, row);

    return r->has_address ? value_address(r->address) : value_none();
}

/* The runtime's data about a managed function, from its first sampled body. */
static struct method method_of(const void *rows, size_t row)
{
    const struct ranked *ranked = rows;
    uint32_t id = row_of(rows, row)->method;
    struct method none = {.token = 0};

    return id == NO_ID ? none : methods_get(&ranked->p->methods, id);
}

static struct value token(const void *rows, size_t row)
{
    uint32_t n = method_of(rows, row).token;

    return n ? value_address(n) : value_none();
}

static struct value method_id(const void *rows, size_t row)
{
    uint64_t n = method_of(rows, row).method_id;

    return n ? value_address(n) : value_none();
}

static struct value module_id(const void *rows, size_t row)
{
    uint64_t n = method_of(rows, row).module_id;

    return n ? value_address(n) : value_none();
}

static struct value file(const void *rows, size_t row)
{
    return value_maybe(row_of(rows, row)->file);
}

static struct value line(const void *rows, size_t row)
{
    const struct rank_row *r = row_of(rows, row);

    return r->line ? value_id(r->line) : value_none();
}

static struct value pid(const void *rows, size_t row)
{
    uint32_t id = row_of(rows, row)->pid;

    return id == NO_PID ? value_none() : value_id(id);
}

static struct value tid(const void *rows, size_t row)
{
    const struct rank_row *r = row_of(rows, row);

    return is_thread_id(r->pid, r->tid) ? value_id(r->tid) : value_none();
}

static struct value waits(const void *rows, size_t row)
{
    return value_flag(only_waits(row_of(rows, row)->name));
}

static struct value when(const void *rows, size_t row)
{
    const struct over_time *t = ((const struct ranked *)rows)->when;

    struct value v = value_series(t->inclusive + row * t->buckets, t->buckets);

    v.decimals = ((const struct ranked *)rows)->p->trace.metric.decimals;
    if (t->states)
        v.states = t->states + row * THREAD_STATES * t->buckets;
    return v;
}

/* The time of a thread in a state. */
static struct value when_in(const void *rows, size_t row,
                            enum thread_state state)
{
    const struct over_time *t = ((const struct ranked *)rows)->when;

    if (!t || !t->states)
        return value_none();
    return value_series(
        t->states + (row * THREAD_STATES + state) * t->buckets, t->buckets);
}

static struct value when_running(const void *rows, size_t row)
{
    return when_in(rows, row, THREAD_RUNNING);
}

static struct value when_ready(const void *rows, size_t row)
{
    return when_in(rows, row, THREAD_READY);
}

static struct value when_blocked(const void *rows, size_t row)
{
    return when_in(rows, row, THREAD_BLOCKED);
}

static struct value when_unknown(const void *rows, size_t row)
{
    return when_in(rows, row, THREAD_UNKNOWN);
}

static bool is_of_states(const struct column *c)
{
    return c->value == when_running || c->value == when_ready ||
           c->value == when_blocked || c->value == when_unknown;
}

/* "orders.exe (3644)": a name alone does not tell processes apart. */
static struct value life_label(const void *rows, size_t row)
{
    return value_text(((const struct ranked *)rows)->labels[row]);
}

static struct value owner_label(const void *rows, size_t row)
{
    return value_text(((const struct ranked *)rows)->owners[row]);
}

/* A thread's value. */
static struct value process(const void *rows, size_t row)
{
    const struct ranked *ranked = rows;
    uint32_t thread = row_of(rows, row)->id;

    return value_text(
        process_label(ranked->p, ranked->p->threads.data[thread].process));
}

enum {
    FUNCTIONS = 1 << RANK_FUNCTION,
    MODULES = 1 << RANK_MODULE,
    PROCESSES = 1 << RANK_PROCESS,
    THREADS = 1 << RANK_THREAD,
    FILES = 1 << RANK_FILE,
    LINES = 1 << RANK_LINE,
    ADDRESSES = 1 << RANK_ADDRESS,
    KINDS = 1 << RANK_KIND,
    LIVES = PROCESSES | THREADS,
    CODE = (1 << RANK_GROUPINGS) - 1 - LIVES,
    ALL = CODE | LIVES
};

/* In order of the text, module last. TITLE stands for what the rows are. */
#define TITLE "*"

static const struct {
    struct column column;
    int groupings; /* that have it */
} table[] = {
    {{"rank", NULL, false, rank}, ALL},
    {{"exclusive", "exclusive", false, exclusive}, ALL},
    {{"exclusive_percent", "", false, exclusive_percent}, ALL},
    {{NULL, "ms", false, exclusive_ms}, ALL}, /* by --columns only */
    {{"exclusive_period", NULL, false, exclusive_period}, ALL},
    {{"exclusive_period_percent", "period %", false, exclusive_period_percent},
     ALL},
    {{NULL, " ", false, bar}, ALL},
    {{"sum_percent", "sum %", false, sum_percent}, ALL},
    {{"inclusive", "inclusive", false, inclusive}, ALL},
    {{"inclusive_percent", "", false, inclusive_percent}, ALL},
    {{"inclusive_period", NULL, false, inclusive_period}, ALL},
    {{"inclusive_period_percent", "period %", false, inclusive_period_percent},
     ALL},
    {{"inlined_exclusive", NULL, false, inlined_exclusive}, FUNCTIONS},
    {{"inlined_inclusive", NULL, false, inlined_inclusive}, FUNCTIONS},
    {{NULL, "inlined", false, inlined_inclusive}, FUNCTIONS},
    {{NULL, "waits", false, waits}, FUNCTIONS},
    {{"when", "when", false, when}, ALL},
    {{"running", NULL, false, when_running}, THREADS},
    {{"ready", NULL, false, when_ready}, THREADS},
    {{"blocked", NULL, false, when_blocked}, THREADS},
    {{"unknown", NULL, false, when_unknown}, THREADS},
    {{NULL, "module", false, module}, FUNCTIONS | ADDRESSES},
    {{NULL, "process", false, owner_label}, THREADS},
    {{"name", NULL, false, name}, CODE},
    {{"label", NULL, false, label}, FUNCTIONS},
    {{NULL, TITLE, true, shown_name}, CODE},
    {{"name", NULL, false, name}, LIVES},
    {{NULL, TITLE, true, life_label}, LIVES},
    {{"tid", NULL, false, tid}, THREADS},
    {{"pid", NULL, false, pid}, LIVES},
    {{"process", NULL, false, process}, THREADS},
    {{NULL, "function", true, shown_function}, LINES | ADDRESSES},
    {{"function", NULL, false, function}, LINES | ADDRESSES},
    {{"module", NULL, false, module}, FUNCTIONS | ADDRESSES},
    {{"kind", NULL, false, kind}, FUNCTIONS | MODULES | ADDRESSES},
    {{"address", NULL, false, address}, FUNCTIONS | ADDRESSES},
    {{"file", NULL, false, file}, FUNCTIONS | FILES | LINES | ADDRESSES},
    {{"line", NULL, false, line}, FUNCTIONS | LINES | ADDRESSES},
    {{"waits", NULL, false, waits}, FUNCTIONS},
    {{"token", NULL, false, token}, FUNCTIONS},
    {{"method_id", NULL, false, method_id}, FUNCTIONS},
    {{"module_id", NULL, false, module_id}, FUNCTIONS},
};

static bool is_of_runtime(const struct column *c)
{
    return c->value == token || c->value == method_id || c->value == module_id;
}

static bool is_period(const struct column *c)
{
    return c->value == exclusive_period || c->value == inclusive_period ||
           c->value == exclusive_period_percent ||
           c->value == inclusive_period_percent;
}

/* Only time that passes can be waited for. */
static bool is_left_out(size_t i, enum rank_by by,
                        const struct ranked *ranked, size_t shown)
{
    const struct column *c = &table[i].column;

    if (!(table[i].groupings & 1 << by) || c->value == exclusive_ms ||
        (c->value == sum_percent && !ranked->sums) ||
        (c->value == bar && !ranked->most) ||
        (is_period(c) && !ranked->period) ||
        (is_of_runtime(c) && column_is_blank(c, ranked, shown)) ||
        (c->value == when && !ranked->when) ||
        (is_of_states(c) && (!ranked->when || !ranked->when->states)) ||
        (c->value == waits && !measures_wall_clock(ranked->p)))
        return true;
    return !c->key && column_is_blank(c, ranked, shown);
}

size_t columns_of(const struct ranked *ranked, enum rank_by by, size_t shown,
                  struct column columns[COLUMNS_MAX])
{
    size_t n = 0;

    for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
        if (is_left_out(i, by, ranked, shown))
            continue;
        assert(n < COLUMNS_MAX);
        columns[n] = table[i].column;
        if (columns[n].header && !strcmp(columns[n].header, TITLE))
            columns[n].header = rank_title(by, ranked->field);
        n++;
    }
    return n;
}

/* ---- chosen by name ---- */

size_t columns_all(enum rank_by by, struct column columns[COLUMNS_MAX])
{
    size_t n = 0;

    for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
        struct column c = table[i].column;

        if (c.header && !strcmp(c.header, TITLE))
            c.header = rank_title(by, "value");
        if (!c.header || !strcspn(c.header, " "))
            c.header = c.key;
        if (!c.key)
            c.key = c.header;
        if (table[i].groupings & 1 << by && c.key)
            columns[n++] = c;
    }
    return n;
}

void columns_need(enum rank_by by, const char *names, bool *sums, bool *series)
{
    struct column all[COLUMNS_MAX];
    struct column_set set = {all, columns_all(by, all)};

    for (size_t n;; names += n + 1) {
        const struct column *c =
            column_find(&set, FORMAT_TEXT, names, n = strcspn(names, ","));

        *sums |= c && c->value == sum_percent;
        *series |= c && (c->value == when || is_of_states(c));
        if (!names[n])
            break;
    }
}

/* ---- names of lives ---- */

void ranked_label_lives(struct ranked *ranked, enum rank_by by, size_t n,
                        struct arena *scratch)
{
    const struct rank_row *rows = ranked->ranking->rows;

    if (by != RANK_PROCESS && by != RANK_THREAD)
        return;
    ranked->labels = arena_new(scratch, const char *, n);
    ranked->owners = arena_new(scratch, const char *, n);
    for (size_t i = 0; i < n; i++) {
        const struct rank_row *row = &rows[i];
        uint32_t process = row->id;

        if (by == RANK_THREAD)
            process = ranked->p->threads.data[row->id].process;
        ranked->owners[i] = process_title(ranked->p, process, scratch);
        ranked->labels[i] = ranked->owners[i];
        if (by == RANK_THREAD)
            ranked->labels[i] = is_thread_id(row->pid, row->tid)
                                    ? arena_fmt(scratch, "%s (%u)", row->name,
                                                (unsigned)row->tid)
                                    : row->name;
    }
}

const char *rank_by_name(int by)
{
    static const char *const names[RANK_GROUPINGS] = {
        [RANK_FUNCTION] = "function", [RANK_MODULE] = "module",
        [RANK_PROCESS] = "process",   [RANK_THREAD] = "thread",
        [RANK_FILE] = "file",         [RANK_LINE] = "line",
        [RANK_ADDRESS] = "address",   [RANK_KIND] = "kind",
        [RANK_WAIT] = "wait",         [RANK_LABEL] = "label",
        [RANK_VALUE] = NULL,
    };

    return by < RANK_GROUPINGS ? names[by] : NULL;
}

const char *rank_title(enum rank_by by, const char *field)
{
    return by == RANK_VALUE ? field : rank_by_name((int)by);
}
