#include "engine/base/json_mend.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/vec.h"

struct mending {
    const char *data;
    size_t size;
    VEC(char) open; /* what closes the brackets that are open */
    /* Where the text may end, and how many brackets are open there: those
     * below them are the same until then. */
    size_t end, depth;
};

/* Behind the quote that ends the text which begins at `at`. */
static size_t past_text(const struct mending *m, size_t at)
{
    while (at < m->size && m->data[at] != '"')
        at += m->data[at] == '\\' ? 2 : 1;
    return at + 1;
}

static void may_end(struct mending *m, size_t at)
{
    m->end = at;
    m->depth = m->open.len;
}

static void find_end(struct mending *m)
{
    for (size_t at = 0; at < m->size; at++) {
        char c = m->data[at];

        if (c == '"') {
            at = past_text(m, at + 1) - 1;
        } else if (c == '{' || c == '[') {
            *vec_add(&m->open) = c == '{' ? '}' : ']';
            may_end(m, at + 1);
        } else if (c == ',' && m->open.len) {
            may_end(m, at);
        } else if (c == '}' || c == ']') {
            if (!m->open.len || m->open.data[--m->open.len] != c)
                return;
            may_end(m, at + 1);
        }
    }
}

char *json_mend(const char *data, size_t size, size_t *n, size_t *used)
{
    struct mending m = {.data = data, .size = size};
    char *text = NULL;

    find_end(&m);
    if (m.end) {
        text = mem_new(m.end + m.depth, 1);
        memcpy(text, data, m.end);
        for (size_t i = 0; i < m.depth; i++)
            text[m.end + i] = m.open.data[m.depth - 1 - i];
    }
    *n = m.end + m.depth;
    *used = m.end;
    vec_release(&m.open);
    return text;
}
