#include "symbols/find/pointer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/base/mem.h"
#include "symbols/find/folder.h"

/* Longer than any path that can be opened. */
enum { LONGEST = 4096 };

/* Without blanks at its end. */
static char *first_line(const uint8_t *text, size_t size)
{
    size_t n = 0;

    size = size < LONGEST ? size : LONGEST;
    while (n < size && text[n] != '\n' && text[n] != '\r' && text[n])
        n++;
    while (n && text[n - 1] == ' ')
        n--;
    return text_copy(text, n);
}

static char *say_why(const char *what, const char *text)
{
    size_t room = strlen(what) + strlen(text) + 1;
    char *why = mem_new(room, 1);

    snprintf(why, room, "%s%s", what, text);
    return why;
}

char *pointer_read(const uint8_t *data, size_t size, char **why)
{
    char *line = first_line(data, size), *target = NULL;
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
