#include "cli/commands/addresses.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal/say.h"

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static bool parse(const char *text, uint64_t *value)
{
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        text += 2;
    *value = 0;
    if (!*text || strlen(text) > 16)
        return false;
    for (; *text; text++) {
        if (digit(*text) < 0)
            return false;
        *value = *value << 4 | (uint64_t)digit(*text);
    }
    return true;
}

static char *trim(char *line)
{
    size_t n;

    while (isspace((unsigned char)*line))
        line++;
    n = strlen(line);
    while (n && isspace((unsigned char)line[n - 1]))
        n--;
    line[n] = '\0';
    return line;
}

static void read_lines(struct addresses *a)
{
    char *line = NULL, *text;
    size_t room = 0, number = 0;
    uint64_t value;

    while (getline(&line, &room, stdin) >= 0) {
        number++;
        text = trim(line);
        if (parse(text, &value)) {
            *vec_add(&a->list) = value;
        } else if (*text) {
            a->unreadable++;
            say_warning("standard input: line %zu: not an address: %.40s",
                        number, text);
        }
    }
    free(line);
}

enum status addresses_read(struct addresses *a, const char *const *arguments,
                           size_t count)
{
    uint64_t value;

    for (size_t i = 0; i < count; i++) {
        if (!parse(arguments[i], &value)) {
            say("not an address: %s", arguments[i]);
            return STATUS_USAGE;
        }
        *vec_add(&a->list) = value;
    }
    if (!count)
        read_lines(a);
    return STATUS_OK;
}

void addresses_release(struct addresses *a)
{
    vec_release(&a->list);
}

struct indexed {
    uint64_t address;
    uint32_t index;
};

static int compare(const void *a, const void *b)
{
    const struct indexed *x = a, *y = b;

    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

uint32_t *addresses_sorted(const struct addresses *a)
{
    struct indexed *sorted = mem_new(a->list.len, sizeof(*sorted));
    uint32_t *order = mem_new(a->list.len, sizeof(*order));

    for (size_t i = 0; i < a->list.len; i++)
        sorted[i] = (struct indexed){a->list.data[i], mem_next_id(i)};
    if (a->list.len)
        qsort(sorted, a->list.len, sizeof(*sorted), compare);
    for (size_t i = 0; i < a->list.len; i++)
        order[i] = sorted[i].index;
    free(sorted);
    return order;
}
