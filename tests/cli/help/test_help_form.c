/*
 * What is generated from the table of options: the files that are installed
 * are what the table says, and the shells complete by them.
 */
#include "cli/help/help.h"

#include "cli/command.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"

/* The whole file; to be freed. */
static char *contents(FILE *file)
{
    struct out *out = out_memory();
    char block[4096], *text;
    size_t n;

    ck_assert_ptr_nonnull(file);
    while ((n = fread(block, 1, sizeof(block), file)))
        out_bytes(out, block, n);
    text = strdup(out_text(out, NULL));
    out_close(out, NULL);
    return text;
}

static char *file_contents(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = contents(file);

    fclose(file);
    return text;
}

static const struct {
    void (*write)(struct out *out);
    const char *path;
} files[] = {
    {complete_bash, "cli/completion/topfn.bash"},
    {complete_zsh, "cli/completion/_topfn"},
    {complete_fish, "cli/completion/topfn.fish"},
};

TEST(completion_is_what_the_table_says)
{
    for (size_t i = 0; i < COUNT(files); i++) {
        char *text = file_contents(files[i].path);
        struct out *out = out_memory();

        files[i].write(out);
        ck_assert_msg(!strcmp(out_text(out, NULL), text),
                      "%s: make generated writes it anew", files[i].path);
        out_close(out, NULL);
        free(text);
    }
}

/* All pages, one behind the other; to be freed. */
static char *all_pages(void)
{
    FILE *pipe = popen("cat man/*.[157]", "r");
    char *text = contents(pipe);

    pclose(pipe);
    return text;
}

static size_t times(const char *text, const char *part)
{
    size_t n = 0;

    for (; (text = strstr(text, part)); text += strlen(part))
        n++;
    return n;
}

TEST(the_manual_has_the_options_of_the_table)
{
    static const char end[] = ".\\\" end of options\n";
    char *pages = all_pages();
    struct out *out = out_memory();
    size_t parts = 0;
    const char *at;

    manual_options(out);
    for (at = out_text(out, NULL); *at; parts++) {
        const char *next = strstr(at, end) + strlen(end);
        char *part = strndup(at, (size_t)(next - at));

        ck_assert_msg(times(pages, part) == 1,
                      "man: make generated writes it anew: %s", part);
        free(part);
        at = next;
    }
    ck_assert_uint_ge(parts, 20);
    ck_assert_uint_eq(times(pages, end), parts);
    out_close(out, NULL);
    free(pages);
}

TEST(every_option_is_of_some_command)
{
    for (const struct option *o = option_table; o->name; o++) {
        bool is_taken = o->use & USE_ALWAYS;
        struct command c;

        for (size_t i = 0; command_get(i, &c); i++)
            is_taken |= c.takes & o->use;
        ck_assert_msg(is_taken, "--%s", o->name);
        ck_assert_msg(o->type || o->set, "--%s is read nowhere",
                      o->name);
        ck_assert_msg(o->argument || !option_word(o, 0), "--%s", o->name);
    }
}

/* A shell reads lines as its arguments. For each it prints what may stand at
 * the end of it, one a line, perhaps with a description behind a tab, and
 * then END. One zsh, whose start takes a second, completes all of them. */
#define END "end-of-list\n"
static const struct {
    const char *name, *script;
} shells[] = {
    {"bash", "source cli/completion/topfn.bash\n"
             "compopt() { printf '%s\\n' cli tests; }\n"
             "for line in \"$@\"; do\n"
             "    COMPREPLY=() COMP_WORDS=($line)\n"
             "    [[ $line != *' ' ]] || COMP_WORDS+=('')\n"
             "    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
             "    _topfn\n"
             "    printf '%s\\n' \"${COMPREPLY[@]}\" end-of-list\n"
             "done\n"},
    {"zsh", "zmodload zsh/zpty\n"
            "found=$(mktemp)\n"
            "zpty -b shell zsh -f -i\n"
            "zpty -w shell \"found=$found\"\n"
            "zpty -w shell 'fpath=(cli/completion $fpath)'\n"
            "zpty -w shell 'autoload -U compinit; compinit -u -D'\n"
            "zpty -w shell 'compadd() {\n"
            "    local -a hits\n"
            "    builtin compadd -O hits \"$@\"\n"
            "    print -l -- $hits >>$found\n"
            "    builtin compadd \"$@\"\n"
            "}'\n"
            "zpty -w shell 'listed() { print -- end-of-list >>$found; }'\n"
            "zpty -w shell 'zle -N listed; bindkey \"^T\" listed'\n"
            "zpty -w shell 'bindkey \"^I\" complete-word; unsetopt autolist'\n"
            "for ((n = 1; n <= $#; n++)); do\n"
            "    zpty -w -n shell \"$argv[n]\"$'\\t\\x14'\n"
            "    for ((i = 0; i < 400; i++)); do\n"
            "        while zpty -r -t shell seen; do :; done\n"
            "        (($(grep -c end-of-list $found) < n)) || break\n"
            "        sleep 0.05\n"
            "    done\n"
            "    zpty -w -n shell $'\\x15'\n"
            "done\n"
            "zpty -d shell\n"
            "cat $found; rm -f $found\n"},
    {"fish", "source cli/completion/topfn.fish\n"
             "for line in $argv; complete -C $line; echo end-of-list; end\n"},
};

static const struct {
    const char *line, *offered, *not_offered;
} lines[] = {
    {"topfn ", "annotate", "--by"},
    {"topfn ", "cli", "module"},
    {"topfn an", "annotate", "diff"},
    {"topfn --so", "--sort", "--depth"},
    {"topfn tree --", "--bottom-up", "--sort"},
    {"topfn gate x.etl --", "--max-regression", "--depth"},
    {"topfn top --by ", "module", "exclusive"},
    {"topfn x.etl --sort ", "inclusive", "module"},
    {"topfn diff --normalize ", "wall", "managed"},
    {"topfn symbols --format ", "json", "top"},
    {"topfn top --names f", "full", "short"},
    {"topfn help ", "merge", "cli"},
    {"topfn help f", "filters", "json"},
    {"topfn top --group k", "kernel", "runtime"},
    {"topfn top --event al", "allocation", "cpu"},
    {"topfn top testdata/etl/orders.etl --focus ", "Shop.Orders.PriceList.Lookup",
     "cli"},
    {"topfn tree testdata/etl/orders.etl --module n", "ntdll.dll", "cli"},
    {"topfn help --as ", "fish", "merge"},
    {"topfn tree --columns ", "inlined", "when"},
    {"topfn diff --columns v", "verdict", "waits"},
    {"topfn top ", "cli", "merge"},
    {"topfn top -o ", "tests", "--by"},
};

static bool has_line(const char *text, const char *end, const char *line)
{
    size_t n = strlen(line);

    for (; text < end; text += strcspn(text, "\n") + 1)
        if (!strncmp(text, line, n) && strchr("\n\t/=", text[n]))
            return true;
    return false;
}

/* What a shell offers for all lines; to be freed. */
static char *offers(size_t shell)
{
    char path[PATH_MAX], search[2 * PATH_MAX];
    struct out *command = out_memory();
    FILE *pipe;
    char *text;

    out_fmt(command, "%s -c \"$SCRIPT\" %s", shells[shell].name,
            strcmp(shells[shell].name, "fish") ? "sh" : "");
    for (size_t i = 0; i < COUNT(lines); i++)
        out_fmt(command, " '%s'", lines[i].line);
    setenv("SCRIPT", shells[shell].script, 1);
    program_find(path);
    snprintf(search, sizeof(search), "%.*s:%s",
             (int)(strrchr(path, '/') - path), path, getenv("PATH"));
    setenv("PATH", search, 1);
    pipe = popen(out_text(command, NULL), "r");
    text = contents(pipe);
    pclose(pipe);
    out_close(command, NULL);
    return text;
}

static void check_shell(size_t shell)
{
    char *text = offers(shell), *at = text;

    for (size_t i = 0; i < COUNT(lines); i++) {
        char *end = strstr(at, END);

        ck_assert_msg(end != NULL, "%s: nothing for \"%s\"",
                      shells[shell].name, lines[i].line);
        ck_assert_msg(has_line(at, end, lines[i].offered),
                      "%s: \"%s\" does not offer %s but:\n%.*s",
                      shells[shell].name, lines[i].line, lines[i].offered,
                      (int)(end - at), at);
        ck_assert_msg(!has_line(at, end, lines[i].not_offered),
                      "%s: \"%s\" offers %s:\n%.*s", shells[shell].name,
                      lines[i].line, lines[i].not_offered, (int)(end - at),
                      at);
        at = end + strlen(END);
    }
    free(text);
}

TEST(shells_offer_what_may_stand_there)
{
    char there[64];

    for (size_t s = 0; s < COUNT(shells); s++) {
        snprintf(there, sizeof(there), "command -v %s >/dev/null",
                 shells[s].name);
        if (system(there))
            printf("skipped: 1, there is no %s\n", shells[s].name);
        else
            check_shell(s);
    }
}
