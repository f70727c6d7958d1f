#include <string.h>
#include <time.h>

#include "cli/help/help.h"
#include "cli/options/options.h"
#include "cli/options/values.h"
#include "engine/analysis/algebra_impl.h"
#include "engine/analysis/timeline.h"
#include "engine/fleet/where.h"
#include "engine/model/code.h"
#include "report/export/export.h"
#include "report/table/columns.h"

/* How the value of an option is read, and the table of all options. */

/* ---- by type ---- */

enum option_type {
    OPTION_OWN, /* by the option's own function */
    OPTION_FLAG,
    OPTION_TEXT,       /* not empty, or as `check` says */
    OPTION_LIST,       /* the same, added to those before it */
    OPTION_NUMBER,     /* at most `most` */
    OPTION_HUNDREDTHS, /* of a percent */
    OPTION_WORD,       /* one of its words */
    OPTION_TIME,
    OPTION_SIZE,
};

/* Numbers and enumerations of any width. */
static bool store(void *target, size_t size, uint64_t value)
{
    uint8_t byte = (uint8_t)value;
    uint32_t word = (uint32_t)value;

    if (size == sizeof(byte))
        memcpy(target, &byte, size);
    else if (size == sizeof(word))
        memcpy(target, &word, size);
    else
        memcpy(target, &value, sizeof(value));
    return true;
}

static bool read_word(const struct option *option, void *target,
                      const char *value)
{
    const char *word;

    for (int i = 0; (word = option_word(option, i)); i++)
        if (!strcmp(word, value))
            return store(target, option->size,
                         option->words ? option->words[i].value : (unsigned)i);
    return false;
}

static bool is_not_empty(const char *value)
{
    return *value != '\0';
}

bool option_set(const struct option *option, struct options *o,
                const char *value)
{
    void *target = (char *)o + option->target;
    uint64_t number;

    switch ((enum option_type)option->type) {
    case OPTION_OWN:
        return option->set(o, value);
    case OPTION_FLAG:
        return *(bool *)target = true;
    case OPTION_TEXT:
        memcpy(target, &value, sizeof(value));
        return (option->check ? option->check : is_not_empty)(value);
    case OPTION_LIST:
        *vec_add((struct words *)target) = value;
        return option->check(value);
    case OPTION_NUMBER:
        return parse_number(value, option->most, &number) &&
               store(target, option->size, number);
    case OPTION_HUNDREDTHS:
        return parse_percent(value, target);
    case OPTION_WORD:
        return read_word(option, target, value);
    case OPTION_TIME:
        return parse_time(value, target);
    case OPTION_SIZE:
        return parse_size(value, target);
    }
    return false;
}

const char *option_word(const struct option *option, int i)
{
    if (option->words)
        return option->words[i].word;
    return option->name_of ? option->name_of(i) : NULL;
}

/* ---- by themselves ---- */

/* ---- patterns ---- */

/* A pattern that may stand behind a "!". */
static bool is_choice(const char *value)
{
    return is_pattern(value + (*value == '!'));
}

static bool is_between(const char *value)
{
    return *value && *value != ',';
}

static bool add_focus(struct options *o, const char *value)
{
    struct words *focus = &o->report.filter.focus;

    *vec_add(focus) = value;
    return focus->len <= FOCUS_MOST && is_pattern(value);
}

/* A percentage folds rare functions, anything else is a pattern. */
static bool add_fold(struct options *o, const char *value)
{
    struct filter *f = &o->report.filter;
    size_t n = strlen(value);

    if (n && value[n - 1] == '%')
        return parse_percent(value, &f->fold_percent);
    *vec_add(&f->folds) = value;
    return is_pattern(value);
}

static const char *export_name(int i)
{
    return export_kinds[i] ? export_kinds[i]->name : NULL;
}

/* True if there is such a format is told once the command is known: others
 * had an option of this name. */
static bool set_export(struct options *o, const char *value)
{
    o->to = value;
    o->report.export = export_kind_find(value);
    return *value;
}

static const char *const event_names[] = {
    "cpu", "thread", "cswitch", "allocation", "exception", "contention", NULL};
static const char *const group_names[] = {"just-my-code", "modules", "kernel",
                                          "runtime", NULL};

/* ---- of code and processors ---- */

static bool add_word(const char *(*name_of)(int), const char *value,
                     uint8_t *set)
{
    for (int i = 0; name_of(i); i++)
        if (!strcmp(name_of(i), value)) {
            *set |= (uint8_t)(1u << i);
            return true;
        }
    return false;
}

/* Another word is a field, if events are chosen (options_parse). */
static bool set_by(struct options *o, const char *value)
{
    const char *name;

    o->report.field = NULL;
    for (int i = 0; (name = rank_by_name(i)); i++) {
        if (!strcmp(name, value)) {
            o->report.by = (enum rank_by)i;
            return true;
        }
    }
    o->report.by = RANK_VALUE;
    o->report.field = value;
    return *value != '\0';
}

static bool add_kind(struct options *o, const char *value)
{
    return add_word(leaf_kind_name, value, &o->report.filter.kinds);
}

static bool add_tier(struct options *o, const char *value)
{
    return add_word(code_tier_word, value, &o->report.filter.tiers);
}

static bool add_cpus(struct options *o, const char *value)
{
    while (*value) {
        uint16_t from, to;

        if (!parse_span(&value, &from, &to))
            return false;
        *vec_add(&o->report.filter.cpus) = (struct cpu_range){from, to};
    }
    return o->report.filter.cpus.len;
}

/* ---- */

static bool set_time(struct options *o, const char *value)
{
    struct filter *f = &o->report.filter;

    f->in_percent = parse_percent_range(value, &f->from, &f->to);
    return f->has_time =
               f->in_percent || parse_time_range(value, &f->from, &f->to);
}

static bool add_mark(struct options *o, enum diff_part part)
{
    *vec_add(&o->diff.marks) = (struct diff_mark){part, o->arguments.len};
    return true;
}

static bool set_before(struct options *o, const char *value)
{
    (void)value;
    return add_mark(o, PART_BEFORE);
}

static bool set_after(struct options *o, const char *value)
{
    (void)value;
    return add_mark(o, PART_AFTER);
}

static bool set_history(struct options *o, const char *value)
{
    (void)value;
    return add_mark(o, PART_HISTORY);
}

/* ---- of fleets ---- */

static bool set_since(struct options *o, const char *value)
{
    return parse_since(value, time(NULL), &o->since);
}

/* KEY=VALUE */
static bool is_label(const char *value)
{
    size_t n = strcspn(value, "=");
    char key[LABEL_KEY_MOST + 1] = "";

    if (!value[n] || n > LABEL_KEY_MOST)
        return false;
    memcpy(key, value, n);
    return where_is_key(key) &&
           (!where_is_known(key) || !strcmp(key, "host"));
}

static bool set_slice(struct options *o, const char *value)
{
    return parse_time(value, &o->slice_ns) && o->slice_ns > 0;
}

/* A number for diff, a module for symbols: the command tells later. */
static bool set_explain(struct options *o, const char *value)
{
    uint64_t n;

    o->explain = value;
    o->explain_is_number = parse_number(value, UINT32_MAX, &n);
    if (o->explain_is_number)
        o->report.explain = (size_t)n;
    return *value != '\0';
}

/* NAME=VALUE, of which the value may be empty. */
static bool is_parameter(const char *value)
{
    const char *equals = strchr(value, '=');

    return equals && equals > value;
}

static bool is_pair(const char *value)
{
    return is_parameter(value) && strchr(value, '=')[1];
}

/* ---- of diff and gate ---- */

static bool percent(const char *value, double *number)
{
    uint32_t hundredths;

    if (!parse_percent(value, &hundredths))
        return false;
    *number = hundredths / 100.0;
    return true;
}

static bool set_relevant(struct options *o, const char *value)
{
    return o->diff.has_relevant = percent(value, &o->diff.options.relevant);
}

/* Split at the first '=' that is not part of an operator's name. */
static bool set_rename(struct options *o, const char *value)
{
    const char *at = value;

    while ((at = strchr(at, '='))) {
        size_t n = (size_t)(at - value);

        if (n && at[1] && at[1] != '=' && !strchr("=!<>", at[-1]) &&
            !(n >= 8 && !strncmp(at - 8, "operator", 8)))
            break;
        at++;
    }
    if (!at)
        return false;
    *vec_add(&o->diff.renames) = (struct diff_rename){
        arena_strndup(&o->diff.arena, value, (size_t)(at - value)), at + 1};
    return true;
}

/* "5%", or "GLOB=5%": operators have a '=' in their names. */
static bool set_max_regression(struct options *o, const char *value)
{
    const char *equals = strrchr(value, '=');
    struct gate_limit *limit;

    if (!equals)
        return o->diff.rules.has_max = percent(value, &o->diff.rules.max);
    limit = vec_add(&o->diff.rules.limits);
    limit->glob =
        arena_strndup(&o->diff.arena, value, (size_t)(equals - value));
    return equals > value && is_pattern(limit->glob) &&
           percent(equals + 1, &limit->max);
}

static bool set_min_share(struct options *o, const char *value)
{
    return percent(value, &o->diff.rules.least_share);
}

static bool set_max_total(struct options *o, const char *value)
{
    return o->diff.rules.has_total = percent(value, &o->diff.rules.max_total);
}

static bool set_require(struct options *o, const char *value)
{
    *vec_add(&o->diff.rules.required) = value;
    return is_pattern(value);
}

static const char *normalize_name(int i)
{
    return i < DIFF_NORMALIZATIONS ? diff_normalize_name((enum diff_normalize)i)
                                   : NULL;
}

/* ---- the table ---- */

#define AT(member)                                                             \
    .target = offsetof(struct options, member),                                \
    .size = sizeof(((struct options *)NULL)->member)
#define FLAG(member) .type = OPTION_FLAG, AT(member)
#define TEXT(member) .type = OPTION_TEXT, AT(member)
#define LIST(member, valid) .type = OPTION_LIST, AT(member), .check = valid
#define TIME(member)        .type = OPTION_TIME, AT(member)
#define SIZE(member)        .type = OPTION_SIZE, AT(member)
#define PATH(member) .type = OPTION_TEXT, AT(member), .names_file = true
#define NUMBER(member, largest)                                                \
    .type = OPTION_NUMBER, AT(member), .most = largest
#define HUNDREDTHS(member) .type = OPTION_HUNDREDTHS, AT(member)
#define NAMES(member, function)                                                \
    .type = OPTION_WORD, AT(member), .name_of = function
#define WORDS(member, ...)                                                     \
    .type = OPTION_WORD, AT(member),                                           \
    .words = (const struct option_word[]){__VA_ARGS__, {NULL, 0}}

#define OPTION(...) {__VA_ARGS__},
#define FIELD(type, member, ...) {__VA_ARGS__},

const struct option option_table[] = {
#include "cli/options/option_list.h"
    {.name = NULL},
};
