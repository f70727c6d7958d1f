#include <ctype.h>
#include <string.h>

#include "cli/help_form.h"
#include "cli/options.h"

/* The options part of the man page, by what the options are about. */

/* An option stands in the first of these that it belongs to. */
static const struct {
    const char *title;
    unsigned use;
} sections[] = {
    {"of top", TAKES_RANK},
    {"of tree", TAKES_TREE},
    {"of functions", TAKES_FUNCTIONS | TAKES_SOURCES | TAKES_CONTEXT},
    {"of diff and gate", TAKES_DIFF | TAKES_FOLDED},
    {"of gate", TAKES_GATE},
    {"which samples", USE_FILTER | USE_INLINES},
    {"of names", USE_SYMBOLS},
    {"output", USE_WRITING},
    {"other", ~0u},
};

enum { SECTIONS = sizeof(sections) / sizeof(*sections) };

static size_t section_of(const struct option *option)
{
    size_t i = 0;

    while (!(option->use & sections[i].use))
        i++;
    return i;
}

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

/* `literal`, <variable>; every sentence begins a line, where a dot would
 * begin a request. */
static void paragraph(struct out *out, const char *text)
{
    char font = 0;

    if (*text == '.')
        out_str(out, "\\&");
    for (; *text; text++) {
        if (*text == '`' || *text == '<') {
            font = *text == font ? 0 : *text;
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

void manual_options(struct out *out)
{
    for (size_t i = 0; i < SECTIONS; i++) {
        out_fmt(out, ".\\\" options: %s\n", sections[i].title);
        for (const struct option *o = option_table; o->name; o++)
            if (section_of(o) == i)
                entry(out, o);
        out_str(out, ".\\\" end of options\n");
    }
}
