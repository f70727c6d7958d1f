#include "engine/attribution/trace_symbols.h"

#include <string.h>

static unsigned leading_underscores(const struct text_slice *name)
{
    unsigned n = 0;

    while (n < name->len && name->data[n] == '_')
        n++;
    return n;
}

static bool has_version(const struct text_slice *name)
{
    return name->len && memchr(name->data, '@', name->len);
}

/* The rule for aliases, as far as names alone can tell:
 * symbols/elf/format.md, section 3. Negative when `a` is plainer. */
static int compare_names(const struct text_slice *a, const struct text_slice *b)
{
    unsigned x = leading_underscores(a), y = leading_underscores(b);
    size_t n = a->len < b->len ? a->len : b->len;

    if (x != y)
        return x < y ? -1 : 1;
    if (has_version(a) != has_version(b))
        return has_version(b) ? -1 : 1;
    if (a->len != b->len)
        return a->len < b->len ? -1 : 1;
    return n ? memcmp(a->data, b->data, n) : 0;
}

/* Of equal ranges the plainest name first. */
static int compare_symbols(const void *a, const void *b)
{
    const struct observed_symbol *x = *(const struct observed_symbol *const *)a;
    const struct observed_symbol *y = *(const struct observed_symbol *const *)b;
    int order;

    if (x->set != y->set)
        return x->set < y->set ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    order = compare_names(&x->name, &y->name);
    return order ? order : (x > y) - (x < y);
}

static bool same_range(const struct observed_symbol *a,
                       const struct observed_symbol *b)
{
    return a->set == b->set && a->start == b->start && a->size == b->size;
}

static int compare_ranges(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    uint64_t m = x->end - x->start, n = y->end - y->start;

    if (m != n)
        return m > n ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/* rangemap takes the later addition of equals where beginnings are known,
 * and the later one of equal ends where they are not. */
void prefer_small_ranges(struct rangemap *map)
{
    if (map->ranges.len)
        qsort(map->ranges.data, map->ranges.len, sizeof(*map->ranges.data),
              compare_ranges);
}

struct rangemap *trace_symbols_new(const struct observations *seen)
{
    struct rangemap *sets =
        mem_new((size_t)seen->symbol_sets + 1, sizeof(*sets));
    size_t n = seen->symbols.len;
    const struct observed_symbol **order = mem_new(n, sizeof(*order));

    for (size_t i = 0; i < n; i++)
        order[i] = &seen->symbols.data[i];
    if (n)
        qsort(order, n, sizeof(*order), compare_symbols);
    for (size_t i = 0; i < n; i++) {
        struct range range = {
            .start = order[i]->start,
            .end = order[i]->start + order[i]->size,
            .from = TIME_MIN,
            .to = TIME_MAX,
            .began = true,
            .value = (uint32_t)(order[i] - seen->symbols.data),
        };

        if (!i || !same_range(order[i - 1], order[i]))
            rangemap_add(&sets[order[i]->set], &range);
    }
    free(order);
    for (uint32_t i = 0; i <= seen->symbol_sets; i++) {
        prefer_small_ranges(&sets[i]);
        rangemap_build(&sets[i]);
    }
    return sets;
}

void trace_symbols_free(struct rangemap *sets, const struct observations *seen)
{
    for (uint32_t i = 0; sets && i <= seen->symbol_sets; i++)
        rangemap_release(&sets[i]);
    free(sets);
}
