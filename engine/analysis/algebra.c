#include "engine/analysis/algebra.h"

#include <string.h>

#include "engine/analysis/aggregate.h"
#include "engine/analysis/algebra_impl.h"
#include "engine/model/labels.h"

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

/* ---- patterns ---- */

static void note(struct algebra_notes *notes, bool slow, const char *option,
                 const char *text)
{
    struct algebra_note note = {.option = option, .text = text};

    if (slow)
        *vec_add(&notes->slow) = note;
    else
        *vec_add(&notes->unmet) = note;
}

void name_pattern_end(struct name_pattern *n, const char *option,
                      const char *text, struct algebra_notes *notes)
{
    if (notes && !n->met)
        note(notes, false, option, text);
    if (notes && pattern_gave_up(n->pattern))
        note(notes, true, option, text);
    pattern_free(n->pattern);
}

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

enum code_tier location_tier(const struct profile *p, const struct location *l)
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

static bool refuses_leaf(const struct keeping *k, uint32_t location)
{
    const struct profile *p = k->p;

    if (k->leaves && !k->leaves[profile_innermost(p, location)])
        return true;
    return !is_code(p, k->filter, &p->locations.data[location]);
}

static void look_at_locations(struct keeping *k, struct algebra_notes *notes)
{
    size_t n = k->p->locations.len;
    struct module_words any = module_words_new(&k->filter->modules);

    k->of_location = mem_new(n, sizeof(*k->of_location));
    k->leaf_refused = mem_new(n, sizeof(*k->leaf_refused));
    for (uint32_t i = 0; i < n; i++) {
        k->of_location[i] = look_at(k, i, &any);
        k->leaf_refused[i] = refuses_leaf(k, i);
    }
    module_words_end(&any, "module", notes);
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

static bool *stacks_kept(const struct profile *p, const struct filter *f,
                         struct algebra_notes *notes)
{
    struct keeping k = {.p = p, .filter = f};
    bool *kept;

    if (!f->focus.len && !f->ignore.len && !f->leaves.len && !f->modules.len &&
        !f->kinds && !f->tiers)
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

/* By stack of before, the stack of now; NO_ID: dropped. */
struct applying {
    struct profile *p;
    const struct filter *filter;
    struct algebra_notes *notes;
    uint32_t *now;
    size_t before;
    uint64_t *counts; /* by stack of before, what the rest of the filter
                         leaves; NULL where nobody asks */
    uint64_t samples; /* their sum */
    uint32_t folded;  /* the function; NO_ID: not made yet */
};

/* ---- steps that change stacks ---- */

static void rewrite(struct applying *a, const struct rewrite *how)
{
    uint32_t *places = stacks_rewrite(a->p, how);

    for (size_t i = 0; i < a->before; i++)
        if (a->now[i] != NO_ID)
            a->now[i] = places[a->now[i]];
    free(places);
}

static void group(struct applying *a)
{
    struct groups groups;
    struct rewrite how = {.kind = REWRITE_GROUP};

    if (!a->filter->groups.len)
        return;
    groups = groups_find(a->p, a->filter, a->notes);
    labels_forget(a->p->labels);
    how.group = groups.group;
    how.becomes = groups.becomes;
    rewrite(a, &how);
    groups_release(&groups);
}

/* The function that stands for what is left of a stack: "[folded]". */
static uint32_t add_folded(struct profile *p)
{
    uint32_t id = mem_next_id(p->functions.len);

    *vec_add(&p->functions) =
        (struct function){.name = strings_add(p->strings, "[folded]", 8),
                          .module = strings_add(p->strings, "[several]", 9)};
    labels_forget(p->labels);
    return id;
}

/* By function, for stacks_rewrite. */
static uint32_t *chosen(struct applying *a, const struct words *words,
                        const char *option)
{
    uint64_t *meant = functions_meant(a->p, words, option, a->notes);
    uint32_t *chosen = mem_new(a->p->functions.len, sizeof(*chosen));

    for (size_t i = 0; i < a->p->functions.len; i++)
        chosen[i] = meant[i] != 0;
    free(meant);
    return chosen;
}

/* An outermost frame that is folded becomes "[folded]". Frees `chosen`. */
static void fold(struct applying *a, uint32_t *chosen)
{
    struct rewrite how = {.kind = REWRITE_LEAVE_OUT, .group = chosen};

    if (a->folded == NO_ID)
        a->folded = add_folded(a->p);
    how.nothing = a->folded;
    rewrite(a, &how);
    free(chosen);
}

static void cut(struct applying *a, enum rewrite_kind kind,
                const struct words *words, const char *option)
{
    struct rewrite how = {.kind = kind};
    uint32_t *group;

    if (!words->len)
        return;
    how.group = group = chosen(a, words, option);
    rewrite(a, &how);
    free(group);
}

/* ---- functions on few samples ---- */

static void count_samples(struct applying *a)
{
    struct selection *sel = selection_new(a->p, a->filter);

    a->counts = sel->stack_counts;
    a->samples = sel->samples;
    sel->stack_counts = NULL;
    selection_free(sel);
}

static uint32_t *rare_functions(struct applying *a)
{
    struct aggregate functions = {0};
    uint32_t *rare = mem_new(a->p->functions.len, sizeof(*rare));
    struct selection now = {.samples = a->samples};

    now.stack_counts = mem_new(a->p->stacks.len, sizeof(uint64_t));
    for (size_t i = 1; i < a->before; i++)
        now.stack_counts[a->now[i]] += a->counts[i];
    aggregate_count(&functions, a->p, &now, RANK_FUNCTION);
    free(now.stack_counts);
    for (size_t i = 0; i < functions.first.len; i++) {
        uint32_t frame = functions.first.data[i].frame;
        double share = (double)functions.inclusive[i] * 10000;

        rare[a->p->frames.data[frame].function] =
            share < (double)a->samples * a->filter->fold_percent;
    }
    aggregate_release(&functions);
    return rare;
}

/* ---- steps that drop ---- */

static void keep(struct applying *a)
{
    bool *kept = stacks_kept(a->p, a->filter, a->notes);

    for (size_t i = 1; i < a->before && kept; i++)
        if (!kept[a->now[i]])
            a->now[i] = NO_ID;
    free(kept);
}

static void count_dropped(struct profile *p, size_t i)
{
    uint64_t weight = sample_weight(p, i);

    if (p->samples.flags[i] & SAMPLE_IDLE)
        p->left_out.idle += weight;
    else
        p->left_out.samples += weight;
}

static void place_samples(struct applying *a)
{
    struct samples *s = &a->p->samples;
    uint32_t *kept = mem_new(s->len, sizeof(*kept));
    size_t n = 0;

    for (size_t i = 0; i < s->len; i++) {
        s->stack[i] = a->now[s->stack[i]];
        if (s->stack[i] == NO_ID)
            count_dropped(a->p, i);
        else
            kept[n++] = (uint32_t)i;
    }
    if (n < s->len)
        samples_reorder(s, kept, n);
    free(kept);
}

/* Samples have their stacks of before until all is done. */
void algebra_apply(struct profile *p, const struct filter *f,
                   struct algebra_notes *notes)
{
    struct applying a = {.p = p, .filter = f, .notes = notes, .folded = NO_ID};

    if (!filter_asks_stacks(f))
        return;
    a.before = p->stacks.len;
    if (!p->stacks_before)
        p->stacks_before = a.before;
    a.now = mem_new(a.before, sizeof(*a.now));
    for (uint32_t i = 0; i < a.before; i++)
        a.now[i] = i;
    if (f->fold_percent)
        count_samples(&a);
    group(&a);
    if (f->folds.len)
        fold(&a, chosen(&a, &f->folds, "fold"));
    if (f->fold_percent)
        fold(&a, rare_functions(&a));
    keep(&a);
    cut(&a, REWRITE_FROM, &f->show_from, "show-from");
    cut(&a, REWRITE_TO, &f->to_any, "show-to");
    place_samples(&a);
    free(a.counts);
    free(a.now);
}

void algebra_notes_release(struct algebra_notes *notes)
{
    vec_release(&notes->unmet);
    vec_release(&notes->parts);
    vec_release(&notes->slow);
}

bool *functions_there(const struct profile *p)
{
    bool *there = mem_new(p->functions.len, sizeof(*there));

    for (size_t i = 1; i < p->stacks.len; i++) {
        uint32_t location = p->stacks.data[i].location;
        uint32_t end = p->frame_start.data[location + 1];

        for (uint32_t f = p->frame_start.data[location]; f < end; f++)
            there[p->frames.data[f].function] = true;
    }
    return there;
}

/* Adds the functions that meet rule `rule` of pattern I; returns how many. */
static size_t mean(uint64_t *meant, const uint8_t *rules, size_t functions,
                   enum match_rule rule, size_t i)
{
    size_t count = 0;

    for (size_t f = 0; f < functions; f++) {
        if (rules[f] != rule)
            continue;
        meant[f] |= (uint64_t)1 << (i < 63 ? i : 63);
        count++;
    }
    return count;
}

uint64_t *functions_meant(const struct profile *p, const struct words *words,
                          const char *option, struct algebra_notes *notes)
{
    uint64_t *meant = mem_new(p->functions.len, sizeof(*meant));
    uint8_t *rules = mem_new(p->functions.len, sizeof(*rules));
    bool *there = functions_there(p);
    struct function_texts texts = {.p = p};

    for (size_t i = 0; i < words->len; i++) {
        struct name_pattern pattern = name_pattern_new(words->data[i]);
        enum match_rule first = MATCH_RULES;
        size_t count;

        for (uint32_t f = 0; f < p->functions.len; f++) {
            rules[f] = MATCH_NONE;
            if (!there[f])
                continue;
            function_texts_set(&texts, f);
            rules[f] = (uint8_t)function_texts_rule(&texts, &pattern);
            if (rules[f] && rules[f] < first)
                first = rules[f];
        }
        count = mean(meant, rules, p->functions.len, first, i);
        pattern.met = first < MATCH_RULES;
        if (notes && first == MATCH_PART)
            *vec_add(&notes->parts) =
                (struct algebra_note){option, words->data[i], count};
        name_pattern_end(&pattern, option, words->data[i], notes);
    }
    function_texts_release(&texts);
    free(rules);
    free(there);
    return meant;
}
