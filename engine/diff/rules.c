#include <string.h>

#include "engine/diff/pair.h"
#include "engine/model/profile.h"

/* Pairing by cleaned names, rule by rule. */

struct candidate {
    uint32_t key, module, name;
    const char *text;   /* as it was, for the order within a group */
    const char *module_text;
    bool before, after;
};

struct matching {
    struct diff_pairs *pairs;
    const char **cleaned; /* by name, as far as the rules have come */
    struct arena arena;
    VEC(struct candidate) list;
};

/* By these a compiler or runtime makes several pieces of one function: they
 * belong to it on whichever side they are. */
static bool makes_pieces(enum diff_rule rule)
{
    return rule == DIFF_SUFFIX || rule == DIFF_TIER;
}

static int by_key(const void *x, const void *y)
{
    const struct candidate *a = x, *b = y;
    int order;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->module != b->module)
        return a->module < b->module ? -1 : 1;
    order = strcmp(a->text, b->text);
    return order ? order : strcmp(a->module_text, b->module_text);
}

static void add_candidate(struct matching *m, uint32_t name,
                          enum diff_rule rule)
{
    const struct diff_name *n = &m->pairs->names.data[name];

    *vec_add(&m->list) = (struct candidate){
        .key = strings_add(m->pairs->keys, m->cleaned[name],
                           strlen(m->cleaned[name])),
        .module = rule == DIFF_MODULE ? 0 : n->module_key,
        .name = name,
        .text = n->name,
        .module_text = n->module,
        .before = n->seen[0],
        .after = n->seen[1],
    };
}

static void collect(struct matching *m, enum diff_rule rule)
{
    struct diff_pairs *pairs = m->pairs;

    m->list.len = 0;
    for (uint32_t i = 0; i < pairs->names.len; i++) {
        const struct diff_name *n = &pairs->names.data[i];

        if (n->unnamed || n->unit != i)
            continue;
        if (!makes_pieces(rule) && !diff_pairs_one_sided(pairs, i))
            continue;
        if (!m->cleaned[i])
            m->cleaned[i] = strings_get(pairs->keys, n->key);
        m->cleaned[i] = diff_clean(m->cleaned[i], rule, &m->arena);
        add_candidate(m, i, rule);
    }
    if (m->list.len)
        qsort(m->list.data, m->list.len, sizeof(*m->list.data), by_key);
}

/* In order of names, as many on either side. */
static void join_in_order(struct matching *m, const struct candidate *group,
                          size_t n, enum diff_rule rule)
{
    size_t b = 0, a = 0;

    for (;; b++, a++) {
        while (b < n && group[b].after)
            b++;
        while (a < n && group[a].before)
            a++;
        if (b >= n || a >= n)
            return;
        diff_pairs_join(m->pairs, group[b].name, group[a].name, rule);
    }
}

static void join_group(struct matching *m, const struct candidate *group,
                       size_t n, enum diff_rule rule)
{
    size_t before = 0, after = 0;

    for (size_t i = 0; i < n; i++) {
        before += group[i].before && !group[i].after;
        after += !group[i].before && group[i].after;
    }
    if (before + after == 0 || n < 2)
        return;
    if (!makes_pieces(rule) && (!before || !after))
        return;
    if (!makes_pieces(rule) && before == after) {
        join_in_order(m, group, n, rule);
        return;
    }
    for (size_t i = 1; i < n; i++)
        diff_pairs_join(m->pairs, group[0].name, group[i].name, rule);
}

static bool any_one_sided(const struct diff_pairs *pairs)
{
    for (uint32_t i = 0; i < pairs->names.len; i++)
        if (!pairs->names.data[i].unnamed && diff_pairs_one_sided(pairs, i))
            return true;
    return false;
}

static void match(struct matching *m, enum diff_rule rule)
{
    const struct candidate *list;
    size_t end;

    collect(m, rule);
    list = m->list.data;
    for (size_t i = 0; i < m->list.len; i = end) {
        for (end = i + 1; end < m->list.len; end++)
            if (list[end].key != list[i].key ||
                list[end].module != list[i].module)
                break;
        join_group(m, list + i, end - i, rule);
    }
}

void diff_pairs_by_name(struct diff_pairs *pairs)
{
    struct matching m = {.pairs = pairs};

    m.cleaned = mem_new(pairs->names.len, sizeof(*m.cleaned));
    for (int rule = DIFF_SPELLING; rule < DIFF_POSITION; rule++)
        if (any_one_sided(pairs))
            match(&m, (enum diff_rule)rule);
    free(m.cleaned);
    arena_release(&m.arena);
    vec_release(&m.list);
}
