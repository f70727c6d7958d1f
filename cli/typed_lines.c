#include "cli/typed_lines.h"

#include <errno.h>
#include <histedit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/mem.h"

enum { KEPT = 1000 /* lines */ };

struct typed_lines {
    EditLine *editor; /* NULL: lines come as they are */
    History *history;
    const char *prompt;
    char *line;
    size_t room;
};

static const char *prompt_of(EditLine *editor)
{
    struct typed_lines *t = NULL;

    el_get(editor, EL_CLIENTDATA, &t);
    return t->prompt;
}

/* What a dumb terminal cannot show stays with plain lines. */
static void open_editor(struct typed_lines *t)
{
    HistEvent event;

    t->editor = el_init("topfn", stdin, stdout, stderr);
    t->history = history_init();
    if (!t->editor || !t->history)
        return;
    history(t->history, &event, H_SETSIZE, KEPT);
    history(t->history, &event, H_SETUNIQUE, 1);
    el_set(t->editor, EL_CLIENTDATA, t);
    el_set(t->editor, EL_PROMPT, prompt_of);
    el_set(t->editor, EL_EDITOR, "emacs");
    el_set(t->editor, EL_HIST, history, t->history);
}

struct typed_lines *typed_lines_open(void)
{
    struct typed_lines *t = mem_new(1, sizeof(*t));
    const char *kind = getenv("TERM");

    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && kind && *kind &&
        strcmp(kind, "dumb") != 0)
        open_editor(t);
    return t;
}

void typed_lines_close(struct typed_lines *t)
{
    if (t->editor)
        el_end(t->editor);
    if (t->history)
        history_end(t->history);
    free(t->line);
    free(t);
}

static char *copied(struct typed_lines *t, const char *line, size_t n)
{
    free(t->line);
    t->line = mem_new(n + 1, 1);
    memcpy(t->line, line, n);
    return t->line;
}

static char *edited(struct typed_lines *t)
{
    HistEvent event;
    int n = 0;
    const char *line = el_gets(t->editor, &n);

    if (!line || n <= 0)
        return NULL;
    if (line[strspn(line, " \t\r\n")])
        history(t->history, &event, H_ENTER, line);
    return copied(t, line, (size_t)n);
}

char *typed_lines_next(struct typed_lines *t, const char *prompt)
{
    t->prompt = prompt;
    errno = 0;
    if (t->editor && t->history)
        return edited(t);
    fputs(prompt, stdout);
    fflush(stdout);
    return getline(&t->line, &t->room, stdin) > 0 ? t->line : NULL;
}
