#include "symbols/pointer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/ascii.h"
#include "engine/base/mem.h"
#include "engine/container/container.h"
#include "symbols/folder.h"

/* Longer than any path that can be opened. */
enum { LONGEST = 4096 };

/* The first line, without blanks and zeros at its end. */
static char *first_line(const char *path)
{
    struct container *c = container_open(path, NULL);
    const struct entry *e = c && c->count ? &c->entries[0] : NULL;
    size_t size = e ? e->size : 0, n = 0;
    char *line;

    size = size < LONGEST ? size : LONGEST;
    while (n < size && e->data[n] != '\n' && e->data[n] != '\r' && e->data[n])
        n++;
    while (n && e->data[n - 1] == ' ')
        n--;
    line = text_copy(e ? e->data : NULL, n);
    container_close(c);
    return line;
}

static char *say_why(const char *what, const char *text)
{
    size_t room = strlen(what) + strlen(text) + 1;
    char *why = mem_new(room, 1);

    snprintf(why, room, "%s%s", what, text);
    return why;
}

char *pointer_read(const char *path, char **why)
{
    char *line = first_line(path), *target = NULL;
    const char *text = line;

    *why = NULL;
    if (ascii_same_n(text, "MSG:", 4)) {
        *why = say_why("not there: ", text + 4 + strspn(text + 4, " "));
    } else {
        if (ascii_same_n(text, "PATH:", 5))
            text += 5;
        if (*text == '/')
            target = text_copy(text, strlen(text));
        else
            *why = say_why("points to what is no path of this system: ", text);
    }
    free(line);
    return target;
}
