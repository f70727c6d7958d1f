#include "engine/analysis/algebra_keep.h"

#include "engine/analysis/algebra_names.h"
#include "engine/model/code.h"
#include "engine/model/titles.h"

/* What frames of a location, or of a stack, say. */
struct seen {
    uint64_t focus; /* patterns that a frame matches */
    bool ignored, in_module, in_wrong_module;
};

struct keeping {
    const struct profile *p;
    const struct filter *filter;
    uint64_t *focus, *ignore, *leaves; /* by function; NULL: not asked */
    struct seen *of_location;          /* all its frames */
    bool *leaf_refused;                /* by location, its innermost frame */
};

/* ---- modules ---- */

struct module_words {
    const struct words *words;
    struct name_pattern *patterns;
};

static struct module_words module_words_new(const struct words *words)
{
    struct module_words m = {words, mem_new(words->len, sizeof(*m.patterns))};

    for (size_t i = 0; i < words->len; i++)
        m.patterns[i] =
            name_pattern_new(words->data[i] + (*words->data[i] == '!'));
    return m;
}

static void module_words_end(struct module_words *m, const char *option,
                             struct algebra_notes *notes)
{
    for (size_t i = 0; i < m->words->len; i++)
        name_pattern_end(&m->patterns[i], option, m->words->data[i], notes);
    free(m->patterns);
}

/* A location's module by either of its names: its image, and what a report
 * shows beside its functions. */
static bool is_module(const struct profile *p, uint32_t location,
                      struct name_pattern *pattern)
{
    uint32_t start = p->frame_start.data[location];
    uint32_t end = p->frame_start.data[location + 1];
    bool is =
        pattern_match(pattern->pattern, profile_location_module(p, location));

    for (uint32_t f = start; f < end && !is; f++)
        is = pattern_match(pattern->pattern,
                           function_module(p, p->frames.data[f].function));
    pattern->met |= is;
    return is;
}

/* In one of the words, and in one that stands behind a "!". */
static void find_modules(const struct profile *p, uint32_t location,
                         struct module_words *m, bool *in, bool *in_wrong)
{
    for (size_t i = 0; i < m->words->len; i++) {
        bool *which = *m->words->data[i] == '!' ? in_wrong : in;

        *which |= is_module(p, location, &m->patterns[i]);
    }
}

static bool wants_one(const struct words *words)
{
    for (size_t i = 0; i < words->len; i++)
        if (*words->data[i] != '!')
            return true;
    return false;
}

/* ---- code ---- */

const char *leaf_kind_name(int kind)
{
    static const char *const names[LEAF_KINDS] = {
        "kernel", "native", "managed", "script", "jit", "unknown"};

    return kind < LEAF_KINDS ? names[kind] : NULL;
}

unsigned location_kinds(const struct location *l)
{
    static const unsigned of_kind[CODE_KINDS] = {
        [CODE_UNKNOWN] = 1 << LEAF_UNKNOWN, [CODE_NATIVE] = 1 << LEAF_NATIVE,
        [CODE_MANAGED] = 1 << LEAF_MANAGED, [CODE_SCRIPT] = 1 << LEAF_SCRIPT,
        [CODE_KERNEL] = 1 << LEAF_KERNEL,
    };
    bool generated = l->method != NO_ID && l->module == NO_ID;

    return of_kind[l->kind] | (generated ? 1u << LEAF_JIT : 0);
}

enum code_tier location_tier(const struct profile *p,
                             const struct location *l)
{
    if (l->method == NO_ID)
        return TIER_WORDS;
    if (l->module != NO_ID)
        return TIER_PRECOMPILED;
    return code_tier_of(methods_get(&p->methods, l->method).tier);
}

static bool is_code(const struct profile *p, const struct filter *f,
                    const struct location *l)
{
    if (f->kinds && !(f->kinds & location_kinds(l)))
        return false;
    return !f->tiers || f->tiers & 1u << location_tier(p, l);
}

/* ---- locations ---- */

static struct seen look_at(const struct keeping *k, uint32_t location,
                           struct module_words *modules)
{
    const struct profile *p = k->p;
    uint32_t end = p->frame_start.data[location + 1];
    struct seen seen = {0};

    for (uint32_t i = p->frame_start.data[location]; i < end; i++) {
        uint32_t function = p->frames.data[i].function;

        if (k->focus)
            seen.focus |= k->focus[function];
        if (k->ignore)
            seen.ignored |= k->ignore[function] != 0;
    }
    find_modules(p, location, modules, &seen.in_module, &seen.in_wrong_module);
    return seen;
}

static bool refuses_leaf(const struct keeping *k, uint32_t location,
                         struct module_words *modules)
{
    const struct profile *p = k->p;
    bool in = !wants_one(modules->words), in_wrong = false;

    find_modules(p, location, modules, &in, &in_wrong);
    if (!in || in_wrong)
        return true;
    if (k->leaves && !k->leaves[profile_innermost(p, location)])
        return true;
    return !is_code(p, k->filter, &p->locations.data[location]);
}

static void look_at_locations(struct keeping *k, struct algebra_notes *notes)
{
    size_t n = k->p->locations.len;
    struct module_words any = module_words_new(&k->filter->modules);
    struct module_words leaf = module_words_new(&k->filter->leaf_modules);

    k->of_location = mem_new(n, sizeof(*k->of_location));
    k->leaf_refused = mem_new(n, sizeof(*k->leaf_refused));
    for (uint32_t i = 0; i < n; i++) {
        k->of_location[i] = look_at(k, i, &any);
        k->leaf_refused[i] = refuses_leaf(k, i, &leaf);
    }
    module_words_end(&any, "module", notes);
    module_words_end(&leaf, "leaf-module", notes);
}

/* ---- stacks ---- */

static struct seen both(struct seen a, const struct seen *b)
{
    a.focus |= b->focus;
    a.ignored |= b->ignored;
    a.in_module |= b->in_module;
    a.in_wrong_module |= b->in_wrong_module;
    return a;
}

static bool *look_at_stacks(const struct keeping *k)
{
    const struct filter *f = k->filter;
    uint64_t focus =
        f->focus.len < 64 ? ((uint64_t)1 << f->focus.len) - 1 : UINT64_MAX;
    bool any_module = !wants_one(&f->modules);
    size_t n = k->p->stacks.len;
    struct seen *seen = mem_new(n, sizeof(*seen));
    bool *kept = mem_new(n, sizeof(*kept));

    for (size_t i = 1; i < n; i++) {
        const struct stack *s = &k->p->stacks.data[i];

        seen[i] = both(seen[s->parent], &k->of_location[s->location]);
        kept[i] = seen[i].focus == focus && !seen[i].ignored &&
                  (seen[i].in_module || any_module) &&
                  !seen[i].in_wrong_module && !k->leaf_refused[s->location];
    }
    free(seen);
    return kept;
}

static uint64_t *meant(const struct keeping *k, const struct words *words,
                       const char *option, struct algebra_notes *notes)
{
    return words->len ? functions_meant(k->p, words, option, notes) : NULL;
}

bool *stacks_kept(const struct profile *p, const struct filter *f,
                  struct algebra_notes *notes)
{
    struct keeping k = {.p = p, .filter = f};
    bool *kept;

    if (!f->focus.len && !f->ignore.len && !f->leaves.len && !f->modules.len &&
        !f->leaf_modules.len && !f->kinds && !f->tiers)
        return NULL;
    k.focus = meant(&k, &f->focus, "focus", notes);
    k.ignore = meant(&k, &f->ignore, "ignore", notes);
    k.leaves = meant(&k, &f->leaves, "leaf", notes);
    look_at_locations(&k, notes);
    kept = look_at_stacks(&k);
    free(k.focus);
    free(k.ignore);
    free(k.leaves);
    free(k.of_location);
    free(k.leaf_refused);
    return kept;
}
