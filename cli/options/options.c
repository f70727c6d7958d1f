#include "cli/options/options.h"

#include <stdio.h>
#include <string.h>

#include "cli/options/values.h"
#include "engine/base/text.h"
#include "report/table/columns.h"

void diff_settings_release(struct diff_settings *s)
{
    vec_release(&s->marks);
    vec_release(&s->renames);
    gate_rules_release(&s->rules);
    arena_release(&s->arena);
}

bool diff_has(const struct diff_settings *s, enum diff_part part)
{
    for (size_t i = 0; i < s->marks.len; i++)
        if (s->marks.data[i].part == part)
            return true;
    return false;
}

/* The limits of a statement of SQL. */
static const int64_t default_max_time = 60000000000;
static const uint64_t default_max_memory = (uint64_t)1 << 30;

const struct option *option_find(const char *name, size_t n)
{
    for (const struct option *o = option_table; o->name; o++)
        if (strlen(o->name) == n && !memcmp(o->name, name, n))
            return o;
    return NULL;
}

static const struct option *find_letter(char letter)
{
    for (const struct option *o = option_table; o->name; o++)
        if (letter && o->letter == letter)
            return o;
    return NULL;
}

static const char *word_at(const void *option, size_t i)
{
    return option_word(option, (int)i);
}

static const char *offer_at(const void *option, size_t i)
{
    return ((const struct option *)option)->offers[i];
}

/* Says what the option takes: its words, else what its line of help says. */
static enum err_code refuse_value(const struct option *opt, const char *value,
                                  struct err *err)
{
    struct out *words = out_memory();
    const char *word, *nearest = text_nearest(value, word_at, opt);

    for (int i = 0; (word = option_word(opt, i)); i++)
        out_fmt(words, "%s%s", i ? ", " : "", word);
    if (!nearest && opt->offers)
        nearest = text_nearest(value, offer_at, opt);
    err_set(err, ERR_USAGE, "--%s: %s%s%s \"%s\"%s%s%s (%s)", opt->name,
            *out_text(words, NULL) ? "unknown value" : "not a valid ",
            *out_text(words, NULL) ? "" : opt->argument,
            *out_text(words, NULL) ? "" : ":", value,
            nearest ? "; did you mean " : "", nearest ? nearest : "",
            nearest ? "?" : "",
            *out_text(words, NULL) ? out_text(words, NULL) : opt->help);
    out_close(words, NULL);
    return ERR_USAGE;
}

/* Options of other tools, and those that topfn had once. */
static const struct {
    const char *name, *use;
} known_elsewhere[] = {
    {"pid", "--process N"},           {"tid", "--thread N"},
    {"comm", "--process NAME"},       {"dso", "--module NAME"},
    {"leaf-module", "--leaf 'M!*'"},  {"fold-percent", "--fold P%"},
    {"hide", "--fold FUNCTION"},      {"unnamed", "--by address"},
    {"demangle", "--names HOW"},      {"jit", "--symbols DIR"},
    {"no-pager", "TOPFN_PAGER=cat"},  {"inverted", "--bottom-up"},
    {"follow-paths", "the log as another file"},
};

static const char *option_name(const void *context, size_t i)
{
    (void)context;
    return option_table[i].name;
}

static enum err_code refuse_option(const char *given, struct err *err)
{
    const char *nearest = NULL;
    char word[40];

    if (given[1] == '-') {
        snprintf(word, sizeof(word), "%.*s", (int)strcspn(given + 2, "="),
                 given + 2);
        for (size_t i = 0;
             i < sizeof(known_elsewhere) / sizeof(*known_elsewhere); i++)
            if (!strcmp(known_elsewhere[i].name, word))
                return err_set(err, ERR_USAGE, "unknown option --%s; use %s",
                               word, known_elsewhere[i].use);
        nearest = text_nearest(word, option_name, NULL);
    }
    if (nearest)
        return err_set(err, ERR_USAGE, "unknown option %s (did you mean --%s?)",
                       given, nearest);
    return err_set(err, ERR_USAGE, "unknown option %s", given);
}

/* `value`: what was attached to the option, or NULL. Consumes the next
 * argument where the option needs one. */
static enum err_code take_option(struct options *o, const struct option *opt,
                                 const char *value, int *at, int argc,
                                 char *const argv[], struct err *err)
{
    const char *given = argv[*at];

    if (!opt)
        return refuse_option(given, err);
    if (!opt->argument && value)
        return err_set(err, ERR_USAGE, "--%s takes no value", opt->name);
    if (opt->argument && !value) {
        if (*at + 1 >= argc)
            return err_set(err, ERR_USAGE, "%s needs a value: %s", given,
                           opt->argument);
        value = argv[++*at];
    }
    *vec_add(&o->given) = opt;
    return option_set(opt, o, value) ? ERR_NONE : refuse_value(opt, value, err);
}

static enum err_code take_long(struct options *o, int *at, int argc,
                               char *const argv[], struct err *err)
{
    const char *name = argv[*at] + 2;
    const char *equals = strchr(name, '=');
    size_t n = equals ? (size_t)(equals - name) : strlen(name);

    return take_option(o, option_find(name, n), equals ? equals + 1 : NULL, at,
                       argc, argv, err);
}

/* -n 3, -n3; letters without a value may not be put together. */
static enum err_code take_short(struct options *o, int *at, int argc,
                                char *const argv[], struct err *err)
{
    const char *text = argv[*at];

    return take_option(o, find_letter(text[1]), text[2] ? text + 2 : NULL, at,
                       argc, argv, err);
}

static enum err_code take_all(struct options *o, int argc, char *const argv[],
                              struct err *err)
{
    bool ended = false;

    for (int i = 0; i < argc; i++) {
        const char *text = argv[i];
        enum err_code code = ERR_NONE;

        if (ended || text[0] != '-' || !text[1]) {
            if (!o->arguments.len)
                o->command_allowed = !ended;
            *vec_add(&o->arguments) = text;
        } else if (!strcmp(text, "--")) {
            ended = true;
        } else if (text[1] == '-') {
            code = take_long(o, &i, argc, argv, err);
        } else {
            code = take_short(o, &i, argc, argv, err);
        }
        if (code)
            return code;
    }
    return ERR_NONE;
}

enum err_code options_parse(struct options *o, int argc, char *const argv[],
                            struct err *err)
{
    *o = (struct options){.report = REPORT_DEFAULTS,
                          .diff = DIFF_SETTINGS_DEFAULTS,
                          .names = DEMANGLE_SHORT,
                          .slice_ns = 10000000000,
                          .max_time = default_max_time,
                          .max_memory = default_max_memory};
    if (take_all(o, argc, argv, err))
        return err->code;
    if (o->report.field && !o->event)
        return refuse_value(option_find("by", 2), o->report.field, err);
    o->report.limited = options_given(o, "limit");
    /* Columns that are shown need their counts. */
    if (o->report.columns && o->report.format != FORMAT_JSON)
        columns_need(o->report.by, o->report.columns, &o->report.cumulative,
                     &o->report.when);
    return ERR_NONE;
}

void options_release(struct options *o)
{
    filter_release(&o->report.filter);
    vec_release(&o->symbols);
    vec_release(&o->labels);
    vec_release(&o->providers);
    vec_release(&o->source_maps);
    vec_release(&o->sources);
    vec_release(&o->attached);
    vec_release(&o->parameters);
    vec_release(&o->arguments);
    vec_release(&o->given);
    diff_settings_release(&o->diff);
}

bool options_given(const struct options *o, const char *name)
{
    for (size_t i = 0; i < o->given.len; i++)
        if (!strcmp(o->given.data[i]->name, name))
            return true;
    return false;
}

const struct option *options_misplaced(const struct options *o, uint64_t takes)
{
    for (size_t i = 0; i < o->given.len; i++)
        if (!(o->given.data[i]->use & (takes | USE_ALWAYS)))
            return o->given.data[i];
    return NULL;
}

const struct option_group option_groups[] = {
    {"Which samples", USE_FILTER},
    {"Which frames", USE_FRAMES},
    {"Functions", USE_INLINES},
    {"Debug files", USE_SYMBOLS},
    {"Form of output", USE_FORMAT | USE_LAYOUT},
    {"Output file", USE_OUTPUT},
    {"Reading", USE_LOAD},
    {"Fleets", USE_FLEET},
    {"Every command", USE_ALWAYS},
    {NULL, 0},
};

const struct option_group *option_group_of(const struct option *option,
                                           uint64_t takes)
{
    for (const struct option_group *g = option_groups; g->title; g++)
        if (option->use & g->use & (takes | USE_ALWAYS))
            return g;
    return NULL;
}

static void print_option(const struct option *opt, struct out *out)
{
    enum { NAME_WIDTH = 24 };
    char text[60];
    size_t width;

    snprintf(text, sizeof(text), "%c%c%s --%s%s%s", opt->letter ? '-' : ' ',
             opt->letter ? opt->letter : ' ', opt->letter ? "," : " ",
             opt->name, opt->argument ? " " : "",
             opt->argument ? opt->argument : "");
    width = strlen(text);
    out_str(out, "  ");
    out_cell(out, text, width < NAME_WIDTH ? NAME_WIDTH : width, true);
    if (width >= NAME_WIDTH)
        out_fmt(out, "\n%*s", NAME_WIDTH + 2, "");
    out_str(out, opt->help);
    out_char(out, '\n');
}

static void print_group(const struct option_group *group, uint64_t takes,
                        bool titled, struct out *out)
{
    for (const struct option *opt = option_table; opt->name; opt++) {
        if (!(opt->use & (takes | USE_ALWAYS)) ||
            option_group_of(opt, takes) != group)
            continue;
        if (titled)
            out_fmt(out, "\n%s\n", group->title);
        titled = false;
        print_option(opt, out);
    }
}

void options_help(uint64_t takes, struct out *out)
{
    print_group(NULL, takes, false, out);
    for (const struct option_group *g = option_groups; g->title; g++)
        print_group(g, takes, takes != 0, out);
}
