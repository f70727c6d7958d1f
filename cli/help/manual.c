#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/help/help.h"
#include "engine/sql/describe.h"

/* The parts of the manual pages that are made: options, and what can be asked
 * by SQL. */

/* A minus is typed as it stands; in prose a hyphen is one. */
static void literal(struct out *out, char c)
{
    if (c == '-')
        out_str(out, "\\-");
    else if (c == '\\')
        out_str(out, "\\e");
    else if (c == '~')
        out_str(out, "\\(ti");
    else
        out_char(out, c);
}

static bool ends_sentence(const char *text)
{
    return strchr(".:", text[0]) && text[1] == ' ' &&
           isupper((unsigned char)text[2]);
}

/* A "<" that is none of the marks: "<, <= and >". */
static bool is_less_than(const char *text)
{
    return *text == '<' && strchr(" ,=", text[1]) != NULL;
}

/* `literal`, <variable>; every sentence begins a line, where a dot would
 * begin a request. */
static void paragraph(struct out *out, const char *text)
{
    char font = 0;

    if (*text == '.')
        out_str(out, "\\&");
    for (; *text; text++) {
        if (*text == '`' ||
            (*text == '<' && font != '`' && !is_less_than(text))) {
            font = (char)(*text == font ? 0 : *text);
            out_str(out, !font ? "\\fR" : font == '<' ? "\\fI" : "\\fB");
        } else if (*text == '>' && font == '<') {
            out_str(out, "\\fR");
            font = 0;
        } else if (!font && ends_sentence(text)) {
            out_char(out, *text++);
            out_char(out, '\n');
        } else {
            literal(out, *text);
        }
    }
}

static void bold(struct out *out, const char *dashes, const char *name,
                 size_t n)
{
    out_str(out, "\\fB");
    for (; *dashes; dashes++)
        literal(out, *dashes);
    for (size_t i = 0; i < n; i++)
        literal(out, name[i]);
    out_str(out, "\\fR");
}

static void value(struct out *out, const struct option *option)
{
    const char *word;

    if (!option->argument)
        return;
    out_char(out, ' ');
    if (!option_word(option, 0))
        out_fmt(out, "\\fI%s\\fR", option->argument);
    for (int i = 0; (word = option_word(option, i)); i++) {
        out_str(out, i ? " | " : "");
        bold(out, "", word, strlen(word));
    }
}

static void entry(struct out *out, const struct option *option)
{
    out_str(out, ".TP\n");
    if (option->letter) {
        bold(out, "-", &option->letter, 1);
        out_str(out, ", ");
    }
    bold(out, "--", option->name, strlen(option->name));
    value(out, option);
    out_char(out, '\n');
    if (option->manual) {
        paragraph(out, option->manual);
    } else {
        out_char(out, (char)toupper((unsigned char)option->help[0]));
        paragraph(out, option->help + 1);
        out_char(out, '.');
    }
    out_char(out, '\n');
}

static void begin(struct out *out, const char *title)
{
    out_fmt(out, ".\\\" options: %s\n", title);
}

static void end(struct out *out)
{
    out_str(out, ".\\\" end of options\n");
}

/* Refers to the sections of topfn(1) with a command's other options. */
static void refer(struct out *out, uint64_t takes)
{
    const char *before = "";

    out_str(out, ".PP\nAlso those that\n.BR topfn (1)\nhas under\n");
    for (size_t i = 0; option_groups[i].title; i++) {
        if ((takes | USE_ALWAYS) & option_groups[i].use) {
            out_fmt(out, "%s\\(lq%s\\(rq", before, option_groups[i].title);
            before = ",\n";
        }
    }
    out_str(out, ".\n");
}

/* "exclusive (samples taken in it)," */
static void column(struct out *out, const struct described *d, bool last)
{
    bold(out, "", d->column, strlen(d->column));
    out_str(out, " (");
    paragraph(out, d->about);
    out_str(out, last ? ").\n" : "),\n");
}

/* Those of a kind: view, events, table. */
static void tables_of(struct out *out, const char *title, const char *kind)
{
    size_t count;
    struct described *rows = query_describe(&count);

    begin(out, title);
    for (size_t i = 0; i < count; i++) {
        const struct described *d = &rows[i];

        if (strcmp(d->kind, kind) != 0)
            continue;
        if (d->column) {
            column(out, d, i + 1 == count || !d[1].column);
            continue;
        }
        out_str(out, ".TP\n");
        bold(out, "", d->table, strlen(d->table));
        out_char(out, '\n');
        out_char(out, (char)toupper((unsigned char)d->about[0]));
        paragraph(out, d->about + 1);
        out_str(out, i + 1 < count && d[1].column ? ":\n" : ".\n");
    }
    end(out);
    free(rows);
}

void manual_options(struct out *out)
{
    struct command command;

    tables_of(out, "views of SQL", "view");
    tables_of(out, "events of SQL", "events");
    tables_of(out, "tables of SQL", "table");

    for (size_t i = 0; command_get(i, &command); i++) {
        begin(out, command.name);
        for (const struct option *o = option_table; o->name; o++)
            if (o->use & command.takes && !option_group_of(o, UINT64_MAX))
                entry(out, o);
        refer(out, command.takes);
        end(out);
    }
    for (size_t i = 0; option_groups[i].title; i++) {
        begin(out, option_groups[i].title);
        for (const struct option *o = option_table; o->name; o++)
            if (o->use & option_groups[i].use)
                entry(out, o);
        end(out);
    }
}
