/*
 * Every option with every command, from the two tables of the program: one
 * that the command does not take is refused by its name; one that it takes
 * changes what comes out. What is run is in option_cases.h.
 */
#include <unistd.h>

#include "cli/command.h"
#include "tests/cli/options/option_cases.h"
#include "tests/support/msf_writer.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

enum {
    LINE = 1024,
    CASES = COUNT(cases),
    COMMAND_CASES = COUNT(commands),
    INPUTS = COUNT(inputs),
};

/* All that came of a line. */
struct outcome {
    char line[LINE];
    struct program_run run;
    uint8_t *file; /* NULL: none was written */
    size_t size;
};

static char folder[TEMP_FOLDER];
static bool used[CASES];
static bool brief; /* as tests/run knows it: with one command each, and nothing
                      that is refused */
/* What lines without an option came to: many options share them. */
static VEC(struct outcome) plain;
/* All that is wrong is told at once. */
static struct out *wrong;
static unsigned wrongs;

#define WRONG(...) (wrongs++, out_fmt(wrong, __VA_ARGS__))

/* ---- lines ---- */

static const struct input *input_of(const char *name)
{
    for (size_t i = 0; i < INPUTS; i++)
        if (!strcmp(inputs[i].name, name))
            return &inputs[i];
    ck_abort_msg("option_cases.h has no input \"%s\"", name);
    return NULL;
}

static const char *meaning(char letter, const struct input *input)
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
                   const struct input *input, const char *option)
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
                        const struct input *input)
{
    out_char(line, ' ');
    expand(line, text, input, "");
}

/* Whether what a line needs is the option that is tried, or one that begins
 * like it and does such a thing, too. */
static bool is_needed(const char *needs, const char *name)
{
    size_t n = strcspn(needs, " ");

    return n > 2 && !strncmp(needs + 2, name, n - 2);
}

/* The row that is run, without the option where that is "". */
static void make_line(char line[LINE], const struct command_case *command,
                      const struct option_case *row, const char *option)
{
    const struct input *input =
        input_of(row->input ? row->input : command->input);
    const char *rest = row->line ? row->line : command->line;
    struct out *out = out_memory();

    out_str(out, command->name);
    if (!strncmp(rest, "%l", 2)) {
        expand_word(out, command->line, input);
        rest += 2;
    }
    out_char(out, ' ');
    expand(out, rest, input, option);
    if (!strchr(rest, '@'))
        expand_word(out, option, input);
    if (!is_needed(command->needs, row->name))
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

static const struct command_case *command_case(const char *name)
{
    for (size_t i = 0; i < COMMAND_CASES; i++)
        if (!strcmp(commands[i].name, name))
            return &commands[i];
    return NULL;
}

static bool is_for(const struct option_case *row, const char *option,
                   const char *command)
{
    char word[40];

    snprintf(word, sizeof(word), " %s ", command);
    return !strcmp(row->name, option) &&
           (!row->command || strstr(row->command, word));
}

static const struct option_case *case_of(const char *option,
                                         const char *command)
{
    for (size_t i = 0; i < CASES; i++)
        if (is_for(&cases[i], option, command))
            return &cases[i];
    return NULL;
}

/* Status and message of what is not taken. */
static void expect_refusal(const struct outcome *o, const char *part)
{
    if (o->run.status != STATUS_USAGE || !strstr(o->run.err, part))
        WRONG("topfn %s: should be refused with status %d and \"%s\"; "
              "status %d: %s\n",
              o->line, STATUS_USAGE, part, o->run.status, o->run.err);
}

static void expect_effect(const struct outcome *with,
                          const struct command_case *command,
                          const struct option_case *row)
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
        WRONG("topfn %s: as without --%s; give option_cases.h an .input or "
              ".line for it, or say why in .same\n",
              with->line, row->name);
    else if (!same && row->same)
        WRONG("topfn %s: differs from without --%s, although \"%s\"\n",
              with->line, row->name, row->same);
}

/* Whether its row is used here for the first time. */
static bool use(const struct option_case *row)
{
    bool first = !used[row - cases];

    used[row - cases] = true;
    return first;
}

static void try_taken(const struct command_case *command,
                      const struct option *option)
{
    const struct option_case *row = case_of(option->name, command->name);
    char line[LINE], text[LINE];
    struct outcome with = { 0 };

    if (!row) {
        WRONG("topfn %s --%s: no row in option_cases.h says what "
              "it does\n",
              command->name, option->name);
        return;
    }
    if (!use(row) && brief)
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

static const char *some_value(const char *option)
{
    for (size_t i = 0; i < CASES; i++)
        if (!strcmp(cases[i].name, option))
            return cases[i].value;
    return NULL;
}

/* Nothing is read before it is refused: no file need be there. */
static void try_not_taken(const struct command *command,
                          const struct option *option)
{
    struct command_case row = {
        .name = command->name, .needs = "", .input = "orders"};
    const char *value = some_value(option->name);
    const struct option_case *own = case_of(option->name, command->name);
    struct option_case any = {.name = option->name, .line = "@ nowhere"};
    struct outcome o = { 0 };
    char line[LINE], text[LINE];

    if (own)
        use(own);
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
    const struct command_case *row = command_case(command->name);

    if (!row) {
        WRONG("topfn %s: no row in `commands` of option_cases.h\n",
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
}

static void end(void)
{
    for (size_t i = 0; i < plain.len; i++)
        release(&plain.data[i]);
    vec_release(&plain);
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
    for (size_t i = 0; i < CASES; i++)
        if (!used[i])
            WRONG("option_cases.h: the row of --%s%s is for nothing\n",
                  cases[i].name, cases[i].command ? cases[i].command : "");
    end();
}
