/*
 * Every option with every command, from the two tables of the program: one that
 * the command does not take is refused by its name; one that it takes changes
 * what comes out. option_cases.txt lists the command lines.
 */
#include <unistd.h>

#include "cli/command.h"
#include "tests/support/msf_writer.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

enum { LINE = 1024, ROW = 400 };

#define TABLE "tests/cli/options/option_cases.txt"

/* A row, of a kind, by its parts; NULL: it has none of that name. */
struct row {
    char text[ROW];
    const char *kind, *name, *value, *command, *input, *line, *same, *refused;
    const char *trace, *function, *other, *needs;
    bool used;
};

/* All that came of a line. */
struct outcome {
    char line[LINE];
    struct program_run run;
    uint8_t *file; /* NULL: none was written */
    size_t size;
};

static char folder[TEMP_FOLDER];
static VEC(struct row *) rows;
static bool brief; /* as tests/run knows it: with one command each, and nothing
                      that is refused */
/* What lines without an option came to: many options share them. */
static VEC(struct outcome) plain;
/* All that is wrong is told at once. */
static struct out *wrong;
static unsigned wrongs;

#define WRONG(...) (wrongs++, out_fmt(wrong, __VA_ARGS__))

/* ---- lines ---- */

/* Whether words between blanks have it. */
static bool has_word(const char *words, const char *word)
{
    size_t n = strlen(word);

    for (; *words; words += strspn(words, " ")) {
        size_t length = strcspn(words, " ");

        if (length == n && !strncmp(words, word, n))
            return true;
        words += length;
    }
    return false;
}

/* The first row of that kind and name that is for the command, which may be
 * NULL. */
static struct row *row_of(const char *kind, const char *name,
                          const char *command)
{
    for (size_t i = 0; i < rows.len; i++) {
        struct row *r = rows.data[i];

        if (!strcmp(r->kind, kind) && !strcmp(r->name, name) &&
            (!command || !r->command || has_word(r->command, command)))
            return r;
    }
    return NULL;
}

static const char **part_of(struct row *r, const char *text)
{
    const struct {
        const char *name;
        const char **part;
    } parts[] = {{"for", &r->command},     {"input", &r->input},
                 {"line", &r->line},       {"same", &r->same},
                 {"refused", &r->refused}, {"trace", &r->trace},
                 {"function", &r->function}, {"other", &r->other},
                 {"needs", &r->needs}};

    for (size_t i = 0; i < COUNT(parts); i++)
        if (!strcmp(parts[i].name, text))
            return parts[i].part;
    ck_abort_msg(TABLE ": \"%s\" is no part of a row", text);
    return NULL;
}

static char *cut(char *text, const char *separator)
{
    char *end = strstr(text, separator);

    if (!end)
        return NULL;
    *end = '\0';
    return end + strlen(separator);
}

static void read_row(const char *line)
{
    struct row *r = *vec_add(&rows) = mem_new(1, sizeof(*r));
    char *text = r->text, *next, *name;

    snprintf(text, ROW, "%.*s", (int)strcspn(line, "\n"), line);
    next = cut(text, " | ");
    r->kind = text;
    name = cut(text, " ");
    ck_assert_msg(name, TABLE ": %s", line);
    r->name = name;
    r->value = cut(name, " ");
    while ((text = next) != NULL) {
        next = cut(text, " | ");
        name = cut(text, " ");
        *part_of(r, text) = name;
    }
}

static void read_rows(void)
{
    FILE *file = fopen(TABLE, "r");
    char line[ROW];

    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof(line), file))
        if (*line != '#' && *line != '\n')
            read_row(line);
    fclose(file);
}

static const char *meaning(char letter, const struct row *input)
{
    switch (letter) {
    case 't':
        return input->trace;
    case 'f':
        return input->function;
    case 'o':
        return input->other;
    case 'T':
        return folder;
    }
    return NULL;
}

/* Globs are for the program, not for the shell. */
static void expand(struct out *line, const char *text,
                   const struct row *input, const char *option)
{
    for (; *text; text++) {
        const char *word =
            *text == '%' && text[1] ? meaning(text[1], input) : NULL;

        if (*text == '@') {
            expand(line, option, input, "");
        } else if (word) {
            expand(line, word, input, "");
            text++;
        } else {
            if (strchr("*;`$<>", *text))
                out_char(line, '\\');
            out_char(line, *text);
        }
    }
}

static void expand_word(struct out *line, const char *text,
                        const struct row *input)
{
    out_char(line, ' ');
    expand(line, text, input, "");
}

/* True if a line needs the option that is tried, or an option with the same
 * beginning that does the same. */
static bool is_needed(const char *needs, const char *name)
{
    size_t n = strcspn(needs, " ");

    return n > 2 && !strncmp(needs + 2, name, n - 2);
}

/* The row that is run, without the option where that is "". */
static void make_line(char line[LINE], const struct row *command,
                      const struct row *row, const char *option)
{
    const struct row *input =
        row_of("input", row->input ? row->input : command->input, NULL);
    const char *own = command->line ? command->line : "";
    const char *rest = row->line ? row->line : own;
    struct out *out = out_memory();

    out_str(out, command->name);
    if (!strncmp(rest, "%l", 2)) {
        expand_word(out, own, input);
        rest += 2;
    }
    out_char(out, ' ');
    expand(out, rest, input, option);
    if (!strchr(rest, '@'))
        expand_word(out, option, input);
    if (command->needs && !is_needed(command->needs, row->name))
        expand_word(out, command->needs, input);
    snprintf(line, LINE, "%s", out_text(out, NULL));
    out_close(out, NULL);
}

/* ---- runs ---- */

static void enter_testdata(void)
{
    if (chdir("testdata"))
        abort();
}

static void run_line(struct outcome *o, const char *line)
{
    char path[TEMP_FOLDER + 8];

    snprintf(path, sizeof(path), "%s/out", folder);
    snprintf(o->line, sizeof(o->line), "%s", line);
    program_run(&o->run, line, enter_testdata);
    o->file = read_whole_file(path, &o->size);
    (void)remove(path);
}

static const struct outcome *run_plain(const char *line)
{
    for (size_t i = 0; i < plain.len; i++)
        if (!strcmp(plain.data[i].line, line))
            return &plain.data[i];
    run_line(vec_add(&plain), line);
    return &plain.data[plain.len - 1];
}

static void release(struct outcome *o)
{
    program_release(&o->run);
    free(o->file);
}

static bool same_outcome(const struct outcome *a, const struct outcome *b)
{
    return a->run.status == b->run.status && !strcmp(a->run.out, b->run.out) &&
           !strcmp(a->run.err, b->run.err) && !a->file == !b->file &&
           (!a->file ||
            (a->size == b->size && !memcmp(a->file, b->file, a->size)));
}

/* ---- pairs ---- */

/* Status and message of what is not taken. */
static void expect_refusal(const struct outcome *o, const char *part)
{
    if (o->run.status != STATUS_USAGE || !strstr(o->run.err, part))
        WRONG("topfn %s: should be refused with status %d and \"%s\"; "
              "status %d: %s\n",
              o->line, STATUS_USAGE, part, o->run.status, o->run.err);
}

static void expect_effect(const struct outcome *with,
                          const struct row *command,
                          const struct row *row)
{
    char line[LINE];
    const struct outcome *without;
    bool same;

    make_line(line, command, row, "");
    without = run_plain(line);
    same = same_outcome(with, without);
    if (with->run.status == STATUS_USAGE || with->run.status >= STATUS_BUG)
        WRONG("topfn %s: status %d: %s\n", with->line, with->run.status,
              with->run.err);
    else if (same && !row->same)
        WRONG("topfn %s: as without --%s; give option_cases.txt an .input or "
              ".line for it, or say why in .same\n",
              with->line, row->name);
    else if (!same && row->same)
        WRONG("topfn %s: differs from without --%s, although \"%s\"\n",
              with->line, row->name, row->same);
}

static void try_taken(const struct row *command,
                      const struct option *option)
{
    struct row *row = row_of("option", option->name, command->name);
    char line[LINE], text[LINE];
    struct outcome with = { 0 };
    bool again;

    if (!row) {
        WRONG("topfn %s --%s: no row in option_cases.txt says what "
              "it does\n",
              command->name, option->name);
        return;
    }
    again = row->used;
    row->used = true;
    if (again && brief)
        return;
    snprintf(text, sizeof(text), "--%s%s%s", row->name, row->value ? " " : "",
             row->value ? row->value : "");
    make_line(line, command, row, text);
    run_line(&with, line);
    if (row->refused)
        expect_refusal(&with, row->refused);
    else
        expect_effect(&with, command, row);
    release(&with);
}

/* Nothing is read before it is refused: no file need be there. */
static void try_not_taken(const struct command *command,
                          const struct option *option)
{
    struct row row = {.name = command->name, .input = "orders"};
    struct row *first = row_of("option", option->name, NULL);
    struct row *own = row_of("option", option->name, command->name);
    struct row any = {.name = option->name, .line = "@ nowhere"};
    const char *value = first ? first->value : NULL;
    struct outcome o = { 0 };
    char line[LINE], text[LINE];

    if (own)
        own->used = true;
    if (brief)
        return;
    snprintf(text, sizeof(text), "--%s%s%s", option->name, value ? " " : "",
             value ? value : "");
    make_line(line, &row, &any, text);
    run_line(&o, line);
    snprintf(text, sizeof(text), "--%s", option->name);
    expect_refusal(&o, own && own->refused ? own->refused : text);
    release(&o);
}

static void try_command(const struct command *command)
{
    const struct row *row = row_of("command", command->name, NULL);

    if (!row) {
        WRONG("topfn %s: no row of a command in option_cases.txt\n",
              command->name);
        return;
    }
    for (const struct option *o = option_table; o->name; o++) {
        if (o->use & (command->takes | USE_ALWAYS))
            try_taken(row, o);
        else
            try_not_taken(command, o);
    }
}

/* ---- all of them ---- */

static void begin(void)
{
    const char *asked = getenv("BRIEF");

    brief = asked && !strcmp(asked, "1");
    temp_folder(folder);
    wrong = out_memory();
    read_rows();
}

static void end(void)
{
    for (size_t i = 0; i < plain.len; i++)
        release(&plain.data[i]);
    vec_release(&plain);
    for (size_t i = 0; i < rows.len; i++)
        free(rows.data[i]);
    vec_release(&rows);
    temp_folder_remove(folder);
    fputs(out_text(wrong, NULL), stdout);
    fflush(stdout);
    out_close(wrong, NULL);
    ck_assert_uint_eq(wrongs, 0);
}

TEST(every_option_with_every_command)
{
    struct command command;

    begin();
    for (size_t i = 0; command_get(i, &command); i++)
        try_command(&command);
    for (size_t i = 0; i < rows.len; i++)
        if (!strcmp(rows.data[i]->kind, "option") && !rows.data[i]->used)
            WRONG("option_cases.txt: the row of --%s for %s is for nothing\n",
                  rows.data[i]->name,
                  rows.data[i]->command ? rows.data[i]->command : "all");
    end();
}
