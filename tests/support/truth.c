#include "tests/support/truth.h"

#include <jansson.h>
#include <string.h>
#include <strings.h>

#include "engine/base/out.h"
#include "engine/analysis/rank.h"

struct comparison {
    const struct profile *p;
    struct selection *sel;
    json_t *truth;
    struct out *out; /* differences */
    unsigned count;
};

enum { MOST_DIFFERENCES = 20 };

static void differ(struct comparison *c, const char *what, const char *name,
                   json_int_t wanted, json_int_t got)
{
    if (wanted == got || c->count++ >= MOST_DIFFERENCES)
        return;
    out_fmt(c->out, "%s %s: expected %" JSON_INTEGER_FORMAT, what, name,
            wanted);
    out_fmt(c->out, ", got %" JSON_INTEGER_FORMAT "\n", got);
}

static json_int_t integer(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));

    return value ? value : "";
}

/* A number of the truth, where it states one. */
static void compare_total(struct comparison *c, const json_t *in,
                          const char *key, uint64_t got)
{
    if (json_is_integer(json_object_get(in, key)))
        differ(c, "total", key, integer(in, key), (json_int_t)got);
}

static void compare_totals(struct comparison *c)
{
    static const char *const classes[] = {
        [STACK_FULL] = "full",
        [STACK_USER] = "user_only",
        [STACK_KERNEL] = "kernel_only",
        [STACK_NONE] = "none",
    };
    const json_t *stacks = json_object_get(c->truth, "stacks");
    const json_t *duration = json_object_get(c->truth, "duration_ms");

    compare_total(c, c->truth, "samples_nonidle", c->sel->samples);
    compare_total(c, c->truth, "samples_idle", c->sel->idle);
    compare_total(c, c->truth, "lost_events", c->p->quality.lost_events);
    compare_total(c, c->truth, "lost_buffers", c->p->quality.lost_buffers);
    compare_total(c, c->truth, "events", c->p->trace.events);
    compare_total(c, json_object_get(c->truth, "records"), "events",
                  c->p->trace.events);
    for (size_t i = 0; i < 4; i++)
        compare_total(c, stacks, classes[i], c->sel->by_class[i]);
    if (json_is_number(duration))
        differ(c, "total", "duration in 100 ns",
               (json_int_t)(json_number_value(duration) * 1e4 + 0.5),
               (c->p->trace.duration_ns + 50) / 100);
}

/* A pid or tid; -1 is what the truth calls nobody's. */
static uint32_t number(const json_t *object, const char *key)
{
    return (uint32_t)integer(object, key);
}

typedef bool row_matches(const struct comparison *c,
                         const struct rank_row *row, const json_t *expected);

static bool same_process(const struct comparison *c,
                         const struct rank_row *row, const json_t *expected)
{
    const struct process *p = &c->p->processes.data[row->id];
    const char *name = text(expected, "name"); /* "": nobody knows */

    return p->pid == number(expected, "pid") &&
           (!*name || !strcmp(strings_get(c->p->strings, p->name), name));
}

static bool same_thread(const struct comparison *c,
                        const struct rank_row *row, const json_t *expected)
{
    const struct thread *t = &c->p->threads.data[row->id];

    return t->tid == number(expected, "tid") &&
           c->p->processes.data[t->process].pid == number(expected, "pid");
}

static bool same_module(const struct comparison *c, const struct rank_row *row,
                        const json_t *expected)
{
    (void)c;
    return !strcasecmp(row->name, text(expected, "module"));
}

static bool same_frame(const struct comparison *c, const struct rank_row *row,
                       const json_t *expected)
{
    (void)c;
    return !strcasecmp(row->name, text(expected, "frame"));
}

static bool is_nettrace(const struct comparison *c)
{
    return !strcmp(strings_get(c->p->strings, c->p->trace.format),
                   "nettrace");
}

/* All code without a name is one row there. */
static const char unnamed[] = "?!?";

/* For nettrace the truth says "module!name", "?" for an unknown module. */
static bool same_method(const struct comparison *c, const struct rank_row *row,
                        const json_t *expected)
{
    const char *name = text(expected, "name");
    const char *module = row->module;
    size_t n;

    if (!is_nettrace(c))
        return !strcmp(row->name, name);
    if (row->cause != CAUSE_NONE)
        return !strcmp(name, unnamed);
    if (!strcmp(module, "[unknown]"))
        module = "?";
    n = strlen(module);
    return !strncmp(name, module, n) && name[n] == '!' &&
           !strcmp(name + n + 1, row->name);
}

struct table {
    const char *key;   /* array of the truth */
    const char *label; /* member that names a row, for messages */
    enum rank_by by;
    row_matches *matches;
    bool complete; /* the truth has every row that has samples */
};

static const struct table tables[] = {
    {"processes", "name", RANK_PROCESS, same_process, true},
    {"threads", "tid", RANK_THREAD, same_thread, true},
    {"by_module", "module", RANK_MODULE, same_module, true},
    {"by_method", "name", RANK_FUNCTION, same_method, false},
    {"by_frame", "frame", RANK_ADDRESS, same_frame, false},
};

/* Rows of one name are added up: the truth does not tell modules apart. */
static void compare_row(struct comparison *c, const struct table *table,
                        const struct ranking *ranking, const json_t *expected)
{
    const char *name = text(expected, table->label);
    const char *samples = json_object_get(expected, "samples") ? "samples"
                                                               : "exclusive";
    uint64_t exclusive = 0, inclusive = 0;

    for (size_t i = 0; i < ranking->len; i++) {
        if (!table->matches(c, &ranking->rows[i], expected))
            continue;
        exclusive += ranking->rows[i].exclusive;
        inclusive += ranking->rows[i].inclusive;
    }
    differ(c, table->key, name, integer(expected, samples),
           (json_int_t)exclusive);
    /* Of rows that are one there, samples in several count once. */
    if (json_object_get(expected, "inclusive") && strcmp(name, unnamed) != 0)
        differ(c, table->key, name, integer(expected, "inclusive"),
               (json_int_t)inclusive);
}

static void compare_table(struct comparison *c, const struct table *table)
{
    const json_t *rows = json_object_get(c->truth, table->key);
    struct ranking *ranking;
    uint64_t total = 0;

    if (!json_is_array(rows))
        return;
    ranking = ranking_new(c->p, c->sel, table->by, SORT_EXCLUSIVE);
    for (size_t i = 0; i < json_array_size(rows); i++)
        compare_row(c, table, ranking, json_array_get(rows, i));
    for (size_t i = 0; i < ranking->len; i++)
        total += ranking->rows[i].exclusive;
    differ(c, table->key, "sum", (json_int_t)c->sel->samples,
           (json_int_t)total);
    if (table->complete)
        differ(c, table->key, "rows", (json_int_t)json_array_size(rows),
               (json_int_t)ranking->len);
    ranking_free(ranking);
}

char *truth_differs(const struct profile *p, const char *json_path)
{
    struct comparison c = {.p = p};
    json_error_t error;
    char *result = NULL;

    c.truth = json_load_file(json_path, 0, &error);
    c.out = out_memory();
    if (!c.truth)
        out_fmt(c.out, "%s: %s", json_path, error.text);
    c.sel = selection_new(p, NULL);
    if (c.truth) {
        compare_totals(&c);
        for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
            compare_table(&c, &tables[i]);
    }
    if (c.count || !c.truth)
        result = strdup(out_text(c.out, NULL));
    selection_free(c.sel);
    json_decref(c.truth);
    out_close(c.out, NULL);
    return result;
}
