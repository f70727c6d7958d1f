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

struct symbol {
    uint64_t start;
    const char *name, *driver; /* driver "": the kernel's own */
    uint8_t rank;              /* of several at one address the least */
};

struct kallsyms {
    VEC(struct symbol) symbols;
    struct arena names;
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
    struct bytes name = until(&line, '\t'), driver = line;
    struct symbol s;

    if (!hexadecimal(address, &s.start) || !s.start ||
        !is_function(type, name, &s.rank))
        return;
    if (base && name.len == 5 && !memcmp(name.data, "_text", 5))
        k->moved = base - s.start;
    if (driver.len > 2 && *driver.data == '[')
        driver = (struct bytes){driver.data + 1, driver.len - 2};
    s.name = arena_strndup(&k->names, (const char *)name.data, name.len);
    s.driver = arena_strndup(&k->names, (const char *)driver.data, driver.len);
    *vec_add(&k->symbols) = s;
}

/* By address; of several at one the best comes last. */
static void sort_symbols(struct kallsyms *k)
{
    size_t n = k->symbols.len;
    struct symbol *sorted = mem_new(n, sizeof(*sorted));
    struct keyed *keys = mem_new(n, sizeof(*keys));

    for (size_t i = 0; i < n; i++)
        keys[i] = (struct keyed){UINT8_MAX - k->symbols.data[i].rank,
                                 (uint32_t)i};
    keysort(keys, n);
    for (size_t i = 0; i < n; i++)
        keys[i].key = k->symbols.data[keys[i].value].start;
    keysort(keys, n);
    for (size_t i = 0; i < n; i++)
        sorted[i] = k->symbols.data[keys[i].value];
    memcpy(k->symbols.data, sorted, n * sizeof(*sorted));
    free(sorted);
    free(keys);
}

struct kallsyms *kallsyms_open(const uint8_t *data, size_t size, uint64_t base)
{
    struct bytes text = {data, size};
    struct kallsyms *k = mem_new(1, sizeof(*k));

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

const char *kallsyms_find(const struct kallsyms *k, uint64_t address,
                          const char *driver)
{
    const struct symbol *list = k->symbols.data;
    const struct symbol *s;
    size_t i;

    address -= k->moved;
    BISECT(i, k->symbols.len, list[i].start <= address);
    if (!i || (driver && k->moved))
        return NULL;
    s = &list[i - 1];
    if (strcmp(s->driver, driver ? driver : "") != 0)
        return NULL;
    if (i == k->symbols.len && address - s->start >= LAST_SIZE)
        return NULL;
    return s->name;
}
