#include "symbols/generated/kallsyms.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/bisect.h"
#include "engine/base/hex.h"
#include "engine/base/reader.h"
#include "engine/base/vec.h"

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

/* Returns the number of digits that the line begins with. */
static size_t take_address(struct bytes line, uint64_t *value)
{
    enum { DIGITS = 16 };
    size_t n = 0;

    for (*value = 0; n < line.len && n < DIGITS; n++) {
        int digit = hex_digit(line.data[n]);

        if (digit < 0)
            break;
        *value = *value << 4 | (uint64_t)digit;
    }
    return n;
}

/* Functions alone; the linker's names for sections and the like begin with
 * a mark. Global names before weak and local ones, plain before others. */
static bool is_function(uint8_t type, uint8_t begin, uint8_t *rank)
{
    if ((type | 0x20) != 't' && (type | 0x20) != 'w')
        return false;
    *rank = (uint8_t)((type == 't'   ? 2
                       : type == 'T' ? 0
                                     : 1) +
                      (begin == '_' ? 4 : 0));
    return begin != '$' && begin != '\t';
}

static bool is_text(struct bytes name)
{
    return name.len >= 5 && !memcmp(name.data, "_text", 5) &&
           (name.len == 5 || name.data[5] == '\t');
}

/* Address, type and name, a blank between them; "\t[ext4]" of a driver's. */
static void take_row(struct kallsyms *k, struct bytes line, uint64_t base)
{
    enum { BEFORE_NAME = 3 };
    struct symbol s = {0};
    size_t n = take_address(line, &s.start);
    struct bytes name;

    if (!s.start || line.len <= n + BEFORE_NAME || line.data[n] != ' ' ||
        line.data[n + 2] != ' ')
        return;
    name =
        (struct bytes){line.data + n + BEFORE_NAME, line.len - n - BEFORE_NAME};
    if (!is_function(line.data[n + 1], *name.data, &s.rank))
        return;
    if (base && is_text(name))
        k->moved = base - s.start;
    s.at = (uint32_t)(name.data - k->text.data);
    *vec_add(&k->symbols) = s;
}

/* ---- order ---- */

static int compare(const void *x, const void *y)
{
    const struct symbol *a = x, *b = y;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* The kernel's own rows are in order already. */
static void sort_by_address(struct kallsyms *k)
{
    for (size_t i = 1; i < k->symbols.len; i++)
        if (k->symbols.data[i - 1].start > k->symbols.data[i].start) {
            vec_sort(&k->symbols, compare);
            return;
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
    sort_by_address(k);
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

/* The best of those at the address of number `i`, up to it; of equals the
 * later. */
static const struct symbol *best_at(const struct kallsyms *k, size_t i)
{
    enum { MOST = 4096 };
    const struct symbol *list = k->symbols.data, *best = &list[i];

    for (unsigned n = 0; n < MOST && i-- > 0 && list[i].start == best->start;
         n++)
        if (list[i].rank < best->rank)
            best = &list[i];
    return best;
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
    s = best_at(k, i - 1);
    line = (struct bytes){k->text.data + s->at, k->text.len - s->at};
    line = until(&line, '\n');
    name = until(&line, '\t');
    if (!is_of_driver(line, driver) ||
        (i == k->symbols.len && address - s->start >= LAST_SIZE))
        return NULL;
    return arena_strndup(&k->names, (const char *)name.data, name.len);
}
