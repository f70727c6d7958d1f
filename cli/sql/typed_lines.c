#include "cli/sql/typed_lines.h"

#include <errno.h>
#include <histedit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/library.h"
#include "engine/base/mem.h"

#define LIBRARY "libedit.so.2"

enum { KEPT = 1000 /* lines */ };

/* Loaded when there is somebody to type. */
struct editing {
    EditLine *(*init)(const char *program, FILE *in, FILE *out, FILE *messages);
    void (*end)(EditLine *editor);
    int (*set)(EditLine *editor, int what, ...);
    int (*get)(EditLine *editor, int what, ...);
    const char *(*gets)(EditLine *editor, int *n);
    int (*history)(History *history, HistEvent *event, int what, ...);
    History *(*history_init)(void);
    void (*history_end)(History *history);
};

struct typed_lines {
    EditLine *editor; /* NULL: lines come as they are */
    History *history;
    const char *prompt;
    char *line;
    size_t room;
};

static bool load(struct editing *api)
{
    void *library = library_load(LIBRARY);

    return library_find(library, "el_init", &api->init) &&
           library_find(library, "el_end", &api->end) &&
           library_find(library, "el_set", &api->set) &&
           library_find(library, "el_get", &api->get) &&
           library_find(library, "el_gets", &api->gets) &&
           library_find(library, "history", &api->history) &&
           library_find(library, "history_init", &api->history_init) &&
           library_find(library, "history_end", &api->history_end);
}

static struct editing api; /* one prompt at a time */

static const char *prompt_of(EditLine *editor)
{
    struct typed_lines *t = NULL;

    api.get(editor, EL_CLIENTDATA, &t);
    return t->prompt;
}

/* What a dumb terminal cannot show stays with plain lines. */
static void open_editor(struct typed_lines *t)
{
    HistEvent event;

    if (!load(&api))
        return;
    t->editor = api.init("topfn", stdin, stdout, stderr);
    t->history = api.history_init();
    if (!t->editor || !t->history)
        return;
    api.history(t->history, &event, H_SETSIZE, KEPT);
    api.history(t->history, &event, H_SETUNIQUE, 1);
    api.set(t->editor, EL_CLIENTDATA, t);
    api.set(t->editor, EL_PROMPT, prompt_of);
    api.set(t->editor, EL_EDITOR, "emacs");
    api.set(t->editor, EL_HIST, api.history, t->history);
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
        api.end(t->editor);
    if (t->history)
        api.history_end(t->history);
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
    const char *line = api.gets(t->editor, &n);

    if (!line || n <= 0)
        return NULL;
    if (line[strspn(line, " \t\r\n")])
        api.history(t->history, &event, H_ENTER, line);
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
