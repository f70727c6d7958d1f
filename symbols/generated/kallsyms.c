#include "symbols/generated/kallsyms.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/bisect.h"
#include "engine/base/keysort.h"
#include "engine/base/reader.h"
#include "engine/base/vec.h"
#include "engine/observations/perf_map_rows.h"

/* The last function of all is taken to be no longer than this. */
enum { LAST_SIZE = 4096 };

/* A row: there are a hundred thousand, of which few are asked for. */
struct symbol {
    uint64_t start;
    uint32_t at;  /* of its name in the text */
    uint8_t rank; /* of several at one address the least */
};

struct kallsyms {
    struct bytes text;
    VEC(struct symbol) symbols;
    struct arena names; /* that were asked for */
    uint64_t moved;
};

/* ---- rows ---- */

static struct bytes until(struct bytes *line, uint8_t end)
{
    const uint8_t *at = memchr(line->data, end, line->len);
    size_t n = at ? (size_t)(at - line->data) : line->len;
    struct bytes word = {line->data, n};

    n += at != NULL;
    line->data += n;
    line->len -= n;
    return word;
}

static bool hexadecimal(struct bytes word, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < word.len; i++) {
        int digit = perf_map_hex_digit(word.data[i]);

        if (digit < 0)
            return false;
        *value = *value << 4 | (uint64_t)digit;
    }
    return word.len && word.len <= 16;
}

/* Functions alone; the linker's names for sections and the like begin with
 * a mark. Global names before weak and local ones, plain before others. */
static bool is_function(struct bytes type, struct bytes name, uint8_t *rank)
{
    if (type.len != 1 || !memchr("tTwW", *type.data, 4) || !name.len ||
        *name.data == '$')
        return false;
    *rank = (uint8_t)((*type.data == 't' ? 2 : *type.data == 'T' ? 0 : 1) +
                      (*name.data == '_' ? 4 : 0));
    return true;
}

static void take_row(struct kallsyms *k, struct bytes line, uint64_t base)
{
    struct bytes address = until(&line, ' '), type = until(&line, ' ');
    struct symbol s = {.at = (uint32_t)(line.data - k->text.data)};
    struct bytes name = until(&line, '\t');

    if (!is_function(type, name, &s.rank) || !hexadecimal(address, &s.start) ||
        !s.start)
        return;
    if (base && name.len == 5 && !memcmp(name.data, "_text", 5))
        k->moved = base - s.start;
    *vec_add(&k->symbols) = s;
}

/* ---- order ---- */

/* Of several at one address the best comes last; of equals the later row. */
static bool is_before(const struct symbol *a, const struct symbol *b)
{
    return a->rank != b->rank ? a->rank > b->rank : a->at < b->at;
}

static int compare(const void *x, const void *y)
{
    return is_before(x, y) ? -1 : is_before(y, x);
}

/* The kernel's own rows are in order already. */
static bool are_by_address(const struct kallsyms *k)
{
    for (size_t i = 1; i < k->symbols.len; i++)
        if (k->symbols.data[i - 1].start > k->symbols.data[i].start)
            return false;
    return true;
}

static void sort_by_address(struct kallsyms *k)
{
    size_t n = k->symbols.len;
    struct keyed *keys = mem_new(n, sizeof(*keys));
    struct symbol *sorted = mem_new(n, sizeof(*sorted));

    for (size_t i = 0; i < n; i++)
        keys[i] = (struct keyed){k->symbols.data[i].start, (uint32_t)i};
    keysort(keys, n);
    for (size_t i = 0; i < n; i++)
        sorted[i] = k->symbols.data[keys[i].value];
    memcpy(k->symbols.data, sorted, n * sizeof(*sorted));
    free(sorted);
    free(keys);
}

static void sort_symbols(struct kallsyms *k)
{
    struct symbol *list = k->symbols.data;
    size_t n = k->symbols.len;

    if (!are_by_address(k))
        sort_by_address(k);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && list[to].start == list[from].start;)
            to++;
        if (to - from > 1)
            qsort(list + from, to - from, sizeof(*list), compare);
    }
}

struct kallsyms *kallsyms_open(const uint8_t *data, size_t size, uint64_t base)
{
    struct bytes text = {data, size < UINT32_MAX ? size : UINT32_MAX};
    struct kallsyms *k = mem_new(1, sizeof(*k));

    k->text = text;
    while (text.len)
        take_row(k, until(&text, '\n'), base);
    if (!k->symbols.len) {
        kallsyms_free(k);
        return NULL;
    }
    sort_symbols(k);
    return k;
}

void kallsyms_free(struct kallsyms *k)
{
    if (!k)
        return;
    vec_release(&k->symbols);
    arena_release(&k->names);
    free(k);
}

/* "[ext4]" behind a name is its driver. */
static bool is_of_driver(struct bytes rest, const char *driver)
{
    size_t n = driver ? strlen(driver) : 0;

    if (!driver)
        return rest.len < 3 || *rest.data != '[';
    return rest.len == n + 2 && *rest.data == '[' &&
           !memcmp(rest.data + 1, driver, n);
}

const char *kallsyms_find(struct kallsyms *k, uint64_t address,
                          const char *driver)
{
    const struct symbol *list = k->symbols.data, *s;
    struct bytes line, name;
    size_t i;

    address -= k->moved;
    BISECT(i, k->symbols.len, list[i].start <= address);
    if (!i || (driver && k->moved))
        return NULL;
    s = &list[i - 1];
    line = (struct bytes){k->text.data + s->at, k->text.len - s->at};
    line = until(&line, '\n');
    name = until(&line, '\t');
    if (!is_of_driver(line, driver) ||
        (i == k->symbols.len && address - s->start >= LAST_SIZE))
        return NULL;
    return arena_strndup(&k->names, (const char *)name.data, name.len);
}
