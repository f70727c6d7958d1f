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
    OPTION_TEXT,       /* not empty */
    OPTION_NUMBER,     /* at most `most` */
    OPTION_HUNDREDTHS, /* of a percent */
    OPTION_WORD,       /* one of its words */
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

static bool read_text(void *target, const char *value)
{
    memcpy(target, &value, sizeof(value));
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
        return read_text(target, value);
    case OPTION_NUMBER:
        return parse_number(value, option->most, &number) &&
               store(target, option->size, number);
    case OPTION_HUNDREDTHS:
        return parse_percent(value, target);
    case OPTION_WORD:
        return read_word(option, target, value);
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

static bool add_pattern(struct words *words, const char *value)
{
    *vec_add(words) = value;
    return is_pattern(value);
}

/* May stand behind a "!". */
static bool add_choice(struct words *words, const char *value)
{
    *vec_add(words) = value;
    return is_pattern(value + (*value == '!'));
}

#define ADDS(how, member)                                                      \
    static bool add_##member(struct options *o, const char *value)             \
    {                                                                          \
        return add_##how(&o->report.filter.member, value);                     \
    }
ADDS(choice, processes)
ADDS(choice, threads)
ADDS(choice, modules)
ADDS(pattern, mine)
ADDS(pattern, ignore)
ADDS(pattern, leaves)
ADDS(pattern, show_from)
ADDS(pattern, to_any)

/* A function as callers takes it. */
static bool set_root(struct options *o, const char *value)
{
    o->report.root = value;
    return is_pattern(value);
}

static bool add_between(struct options *o, const char *value)
{
    *vec_add(&o->report.filter.between) = value;
    return *value && *value != ',';
}

static bool add_focus(struct options *o, const char *value)
{
    struct words *focus = &o->report.filter.focus;

    return focus->len < FOCUS_MOST && add_pattern(focus, value);
}

/* A percentage folds rare functions, anything else is a pattern. */
static bool add_fold(struct options *o, const char *value)
{
    struct filter *f = &o->report.filter;
    size_t n = strlen(value);

    if (n && value[n - 1] == '%')
        return parse_percent(value, &f->fold_percent);
    return add_pattern(&f->folds, value);
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

static bool add_group(struct options *o, const char *value)
{
    *vec_add(&o->report.filter.groups) = value;
    return group_rule_is_valid(value);
}

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

static bool set_over(struct options *o, const char *value)
{
    o->over = value;
    return where_is_key(value);
}

/* KEY=VALUE */
static bool add_label(struct options *o, const char *value)
{
    size_t n = strcspn(value, "=");
    char key[LABEL_KEY_MOST + 1] = "";

    *vec_add(&o->labels) = value;
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

/* Source files may be read below this folder. */
static bool add_source(struct options *o, const char *value)
{
    *vec_add(&o->sources) = value;
    return *value != '\0';
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

static bool add_provider(struct options *o, const char *value)
{
    *vec_add(&o->providers) = value;
    return *value != '\0';
}

static bool add_symbols(struct options *o, const char *value)
{
    *vec_add(&o->symbols) = value;
    return *value != '\0';
}

/* Read again by who uses it; here it is only looked at. */
static bool add_source_map(struct options *o, const char *value)
{
    const char *equals = strchr(value, '=');

    *vec_add(&o->source_maps) = value;
    return equals && equals > value && equals[1];
}

/* NAME=VALUE, neither of them empty but the value of a parameter. */
static bool is_pair(const char *value, bool may_be_empty)
{
    const char *equals = strchr(value, '=');

    return equals && equals > value && (may_be_empty || equals[1]);
}

static bool add_attached(struct options *o, const char *value)
{
    *vec_add(&o->attached) = value;
    return is_pair(value, false);
}

static bool add_parameter(struct options *o, const char *value)
{
    *vec_add(&o->parameters) = value;
    return is_pair(value, true);
}

static bool set_max_time(struct options *o, const char *value)
{
    return parse_time(value, &o->max_time);
}

static bool set_max_output(struct options *o, const char *value)
{
    return parse_size(value, &o->max_output);
}

static bool set_max_memory(struct options *o, const char *value)
{
    return parse_size(value, &o->max_memory);
}

/* Options of diff and gate, which diff_options.c reads. */
#define SETTING(name)                                                          \
    static bool set_##name(struct options *o, const char *value)               \
    {                                                                          \
        return diff_set_##name(&o->diff, value);                               \
    }
SETTING(relevant)
SETTING(rename)
SETTING(max_regression)
SETTING(max_total)
SETTING(min_share)
SETTING(require)

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
