#include <string.h>

#include "cli/command.h"
#include "cli/help/help.h"

/* Writes the completion files of bash, zsh and fish. */

static bool takes(const struct command *c, const struct option *o)
{
    return o->use & (c->takes | USE_ALWAYS);
}

static void print_commands(struct out *out, const char *between)
{
    struct command c;

    for (size_t i = 0; command_get(i, &c); i++)
        out_fmt(out, "%s%s", i ? between : "", c.name);
}

/* Those that take an option. */
static void print_takers(struct out *out, const struct option *o,
                         const char *between)
{
    const char *before = "";
    struct command c;

    for (size_t i = 0; command_get(i, &c); i++) {
        if (!takes(&c, o))
            continue;
        out_fmt(out, "%s%s", before, c.name);
        before = between;
    }
}

static void print_words(struct out *out, const struct option *o)
{
    const char *word;

    for (int i = 0; (word = option_word(o, i)); i++)
        out_fmt(out, "%s%s", i ? " " : "", word);
    for (int i = 0; o->offers && o->offers[i]; i++)
        out_fmt(out, "%s%s", i ? " " : "", o->offers[i]);
}

static void print_columns(struct out *out, const struct command *c)
{
    const char *name;

    for (size_t i = 0; (name = command_column(c, i)); i++)
        out_fmt(out, "%s%s", i ? " " : "", name);
}

static bool has_words(const struct option *o)
{
    return option_word(o, 0) || o->offers;
}

/* The column that has the names of the rows. */
static const char *row_name(const struct option *o)
{
    return strcmp(o->rows, "function") ? "name" : "label";
}

static void print_topics(struct out *out)
{
    const char *topic;

    for (size_t i = 0; (topic = topic_name(NULL, i)); i++)
        out_fmt(out, " %s", topic);
}

/* True if the first argument is a function. */
static bool takes_function(const struct command *c)
{
    return !strncmp(c->arguments, "FUNCTION", 8);
}

static void print_function_commands(struct out *out, const char *between)
{
    const char *before = "";
    struct command c;

    for (size_t i = 0; command_get(i, &c); i++) {
        if (!takes_function(&c))
            continue;
        out_fmt(out, "%s%s", before, c.name);
        before = between;
    }
}

/* The shell command that lists the rows of the recording $word; it takes the
 * quotes off quoted names. */
static const char list_rows[] =
    "top \"$word\" --by \"$1\" -n 1000 -q --format csv --columns \"$2\" "
    "2>/dev/null |\n            sed '1d; s/\\r$//; /^\\[/d; s/^\"\\(.*\\)\"$/\\1/'";

/* `text` between single quotes, as all three shells read it, with a backslash
 * before each of `special`. */
static void print_quoted(struct out *out, const char *text, const char *special)
{
    for (; *text; text++) {
        if (*text == '\'')
            out_str(out, "'\\'");
        else if (strchr(special, *text))
            out_char(out, '\\');
        out_char(out, *text);
    }
}

/* ---- bash ---- */

enum { LINE = 70 };

/* The options of a command, in lines that can be read. */
static void bash_options(struct out *out, const struct command *c)
{
    size_t column = 0;

    out_fmt(out, "    %s)\n        options=\"", c->name);
    for (const struct option *o = option_table; o->name; o++) {
        if (!takes(c, o))
            continue;
        if (column + strlen(o->name) > LINE) {
            out_str(out, " \"\n        options+=\"");
            column = 0;
        }
        out_fmt(out, "%s--%s", column ? " " : "", o->name);
        column += strlen(o->name) + 3;
    }
    if (c->takes & TAKES_COLUMNS) {
        out_str(out, "\"\n        columns=\"");
        print_columns(out, c);
    }
    out_str(out, "\"\n        ;;\n");
}

/* The values that an option offers. */
static void bash_values(struct out *out)
{
    for (const struct option *o = option_table; o->name; o++) {
        if (!o->argument)
            continue;
        out_fmt(out, "    --%s", o->name);
        if (o->letter)
            out_fmt(out, " | -%c", o->letter);
        out_str(out, ") ");
        if (o->names_file) {
            out_str(out, "compopt -o default 2>/dev/null; return ;;\n");
        } else if (o->rows) {
            out_fmt(out, "_topfn_rows %s %s; return ;;\n", o->rows,
                    row_name(o));
        } else if (o->offers_columns) {
            out_str(out, "words=$columns ;;\n");
        } else if (has_words(o)) {
            out_str(out, "words=\"");
            print_words(out, o);
            out_str(out, "\" ;;\n");
        } else {
            out_str(out, "return ;;\n");
        }
    }
}

void complete_bash(struct out *out)
{
    struct command c;

    out_str(out,
            "# bash completion for topfn, as topfn help --as bash writes it\n\n"
            "# Functions, modules, ... of the first recording on the line.\n"
            "_topfn_rows() {\n"
            "    local word row\n\n"
            "    for word in \"${COMP_WORDS[@]:1}\"; do\n"
            "        [[ -f $word ]] || continue\n"
            "        while IFS= read -r row; do\n"
            "            [[ $row != \"$cur\"* ]] ||\n"
            "                COMPREPLY+=(\"$(printf %q \"$row\")\")\n"
            "        done < <(\"${COMP_WORDS[0]}\" ");
    out_str(out, list_rows);
    out_str(out,
            ")\n"
            "        return\n"
            "    done\n"
            "}\n\n"
            "_topfn() {\n"
            "    local cur=${COMP_WORDS[COMP_CWORD]}\n"
            "    local prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
            "    local command=top commands options columns words word\n\n"
            "    commands=\"");
    print_commands(out, " ");
    out_str(out, "\"\n"
                 "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
                 "        case \" $commands \" in\n"
                 "        *\" $word \"*) command=$word && break ;;\n"
                 "        esac\n"
                 "    done\n"
                 "    case $command in\n");
    for (size_t i = 0; command_get(i, &c); i++)
        bash_options(out, &c);
    out_str(out, "    esac\n\n"
                 "    COMPREPLY=()\n"
                 "    [[ $cur != = ]] || cur=\n"
                 "    [[ $prev != = ]] || prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
                 "    case $prev in\n");
    bash_values(out);
    out_str(out,
            "    *)\n"
            "        if [[ $cur == -* ]]; then\n"
            "            words=$options\n"
            "        elif [[ $command == help ]]; then\n"
            "            words=\"$commands");
    print_topics(out);
    out_str(out,
            "\"\n"
            "        else\n"
            "            case $command in\n"
            "            ");
    print_function_commands(out, " | ");
    out_str(out,
            ") [[ $COMP_CWORD -ne 2 ]] || _topfn_rows function label ;;\n"
            "            esac\n"
            "            compopt -o default 2>/dev/null\n"
            "            [[ $COMP_CWORD -eq 1 ]] || return\n"
            "            words=$commands\n"
            "        fi\n"
            "        ;;\n"
            "    esac\n"
            "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
            "}\n\n"
            "complete -F _topfn topfn\n");
}

/* ---- zsh ---- */

/* As _arguments wants it: '*--by=[what a row is]:WHAT:(function module)'. The
 * values are the columns of `c`, unless it is NULL. */
static void zsh_spec(struct out *out, const struct option *o, const char *dash,
                     const char *name, const struct command *c)
{
    static const char special[] = "[]:\\";

    out_fmt(out, " '%s%s%s%s[", o->repeats ? "*" : "", dash, name,
            !o->argument ? ""
            : dash[1]    ? "="
                         : "+");
    print_quoted(out, o->help, special);
    out_char(out, ']');
    if (o->argument) {
        out_char(out, ':');
        print_quoted(out, o->argument, special);
        out_char(out, ':');
        if (o->names_file)
            out_str(out, "_files");
        else if (o->rows)
            out_fmt(out, " _topfn_rows %s %s", o->rows, row_name(o));
        else if (c || has_words(o)) {
            out_char(out, '(');
            if (c)
                print_columns(out, c);
            else
                print_words(out, o);
            out_char(out, ')');
        }
    }
    out_char(out, '\'');
}

/* An option whose values are the columns of the command. */
static void zsh_columns(struct out *out, const struct option *o)
{
    const char *before = "";
    struct command c;

    for (size_t i = 0; command_get(i, &c); i++) {
        if (!takes(&c, o))
            continue;
        out_fmt(out, "%s%s)\n        options+=(", before, c.name);
        zsh_spec(out, o, "--", o->name, &c);
        out_str(out, " ) ;;\n    ");
        before = "(";
    }
    out_str(out, "esac\n");
}

void complete_zsh(struct out *out)
{
    struct command c;

    out_str(out, "#compdef topfn\n"
                 "# zsh completion for topfn, as topfn help --as zsh writes "
                 "it\n\n"
                 "_topfn_words() {\n"
                 "    local -a commands\n"
                 "    commands=(\n");
    for (size_t i = 0; command_get(i, &c); i++) {
        out_fmt(out, "        '%s:", c.name);
        print_quoted(out, c.help, ":\\");
        out_str(out, "'\n");
    }
    out_str(out, "    )\n"
                 "    [[ $command != help && CURRENT -gt 2 ]] ||\n"
                 "        _describe command commands\n"
                 "    case $command in\n"
                 "    (help) compadd --");
    print_topics(out);
    out_str(out, " ;;\n    (");
    print_function_commands(out, "|");
    out_str(out, ") ((CURRENT > 3)) || _topfn_rows function label; _files ;;\n"
                 "    (*) _files ;;\n"
                 "    esac\n"
                 "}\n\n"
                 "# Functions, modules, ... of the first recording on the "
                 "line.\n"
                 "_topfn_rows() {\n"
                 "    local word\n\n"
                 "    for word in ${words[2,-1]}; do\n"
                 "        [[ -f $word ]] || continue\n"
                 "        compadd -- ${(f)\"$(${words[1]} ");
    out_str(out, list_rows);
    out_str(out, ")\"}\n"
                 "        return\n"
                 "    done\n"
                 "}\n\n"
                 "_topfn() {\n"
                 "    local command=top word\n"
                 "    local -a options\n\n"
                 "    for word in ${words[2,CURRENT-1]}; do\n"
                 "        case $word in\n"
                 "        (");
    print_commands(out, "|");
    out_str(out, ") command=$word && break ;;\n"
                 "        esac\n"
                 "    done\n");
    for (const struct option *o = option_table; o->name; o++) {
        const char letter[] = {o->letter, '\0'};

        out_str(out, "    case $command in (");
        if (o->offers_columns) {
            zsh_columns(out, o);
            continue;
        }
        print_takers(out, o, "|");
        out_str(out, ")\n        options+=(");
        zsh_spec(out, o, "--", o->name, NULL);
        if (o->letter)
            zsh_spec(out, o, "-", letter, NULL);
        out_str(out, " ) ;;\n    esac\n");
    }
    out_str(out, "    _arguments $options '*:file:_topfn_words'\n"
                 "}\n\n"
                 "_topfn \"$@\"\n");
}

/* ---- fish ---- */

void complete_fish(struct out *out)
{
    struct command c;

    out_str(out, "# fish completion for topfn, as topfn help --as fish writes "
                 "it\n\n"
                 "function __topfn_takes\n"
                 "    set -l command top\n"
                 "    for word in (commandline -opc)[2..-1]\n"
                 "        if contains -- $word ");
    print_commands(out, " ");
    out_str(out, "\n"
                 "            set command $word\n"
                 "            break\n"
                 "        end\n"
                 "    end\n"
                 "    contains -- $command $argv\n"
                 "end\n\n"
                 "function __topfn_is_first\n"
                 "    test (count (commandline -opc)) -eq 1\n"
                 "end\n\n");
    for (size_t i = 0; command_get(i, &c); i++) {
        out_fmt(out, "complete -c topfn -n __topfn_is_first -a %s -d '",
                c.name);
        print_quoted(out, c.help, "\\");
        out_str(out, "'\n");
    }
    out_str(out, "complete -c topfn -n '__topfn_takes help' -f -a '");
    print_commands(out, " ");
    print_topics(out);
    out_str(out, "'\n"
                 "# Functions, modules, ... of the first recording on the "
                 "line.\n"
                 "function __topfn_rows\n"
                 "    for word in (commandline -o)[2..-1]\n"
                 "        test -f \"$word\"; or continue\n"
                 "        topfn top $word --by $argv[1] -n 1000 -q --format csv "
                 "\\\n"
                 "            --columns $argv[2] 2>/dev/null | sed "
                 "'1d; s/\\r$//; /^\\[/d; s/^\"\\(.*\\)\"$/\\1/'\n"
                 "        return\n"
                 "    end\n"
                 "end\n\n"
                 "complete -c topfn -n '__topfn_takes ");
    print_function_commands(out, " ");
    out_str(out, "' -a '(__topfn_rows function label)'\n");
    for (const struct option *o = option_table; o->name; o++) {
        for (size_t i = 0; o->offers_columns && command_get(i, &c); i++) {
            if (!takes(&c, o))
                continue;
            out_fmt(out, "complete -c topfn -n '__topfn_takes %s' -l %s -x -a '",
                    c.name, o->name);
            print_columns(out, &c);
            out_str(out, "'\n");
        }
        out_str(out, "complete -c topfn -n '__topfn_takes ");
        print_takers(out, o, " ");
        out_fmt(out, "' -l %s", o->name);
        if (o->letter)
            out_fmt(out, " -s %c", o->letter);
        if (o->argument)
            out_str(out, o->names_file ? " -r -F" : " -x");
        if (has_words(o)) {
            out_str(out, " -a '");
            print_words(out, o);
            out_char(out, '\'');
        } else if (o->rows) {
            out_fmt(out, " -a '(__topfn_rows %s %s)'", o->rows, row_name(o));
        }
        out_str(out, " -d '");
        print_quoted(out, o->help, "\\");
        out_str(out, "'\n");
    }
}
