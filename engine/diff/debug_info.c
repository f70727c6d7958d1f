#include "engine/diff/debug_info.h"

#include <string.h>

/* Bits of a function in one recording, then in all. */
enum { WITH_LINES = 1, WITHOUT_LINES = 2, BOTH = 3 };

struct levelling {
    struct strings *keys;
    struct map functions; /* (name, module) to bits, in all recordings */
    struct map modules;   /* to how many recordings have it */
    struct map uneven;    /* module to 0, or to 1 once it was written */
    size_t recordings;
};

static uint32_t key_of(struct levelling *l, const struct profile *p,
                       uint32_t string, bool folded)
{
    const char *text = strings_get(p->strings, string);
    uint32_t key = strings_add(l->keys, text, strlen(text));

    return folded ? strings_fold(l->keys, key) : key;
}

/* The frame that all others of the location are inlined into. */
static const struct frame *outermost(const struct profile *p, size_t location)
{
    return &p->frames.data[p->frame_start.data[location + 1] - 1];
}

static bool has_inlined(const struct profile *p, size_t location)
{
    return p->frame_start.data[location + 1] - p->frame_start.data[location] >
           1;
}

/* By function: one line that is known is enough. */
static uint8_t *bits_of_functions(const struct profile *p)
{
    uint8_t *bits = mem_new(p->functions.len, sizeof(*bits));

    for (size_t i = 0; i < p->locations.len; i++) {
        const struct frame *frame = outermost(p, i);
        const struct function *f = &p->functions.data[frame->function];

        if (!f->name || f->cause != CAUSE_NONE || !f->module)
            continue;
        if (frame->line)
            bits[frame->function] = WITH_LINES;
        else if (!bits[frame->function])
            bits[frame->function] = WITHOUT_LINES;
    }
    return bits;
}

static void count_modules(struct levelling *l, const struct profile *p)
{
    struct map seen = {0};

    for (size_t i = 0; i < p->functions.len; i++) {
        uint32_t module = key_of(l, p, p->functions.data[i].module, true);
        uint32_t n = map_get(&l->modules, module, 0);

        if (map_add(&seen, module, 0, (uint32_t)i) == i)
            map_set(&l->modules, module, 0, n == MAP_NONE ? 1 : n + 1);
    }
    map_release(&seen);
}

/* A module that a recording lacks may have another name there: its functions
 * are known by their names alone. */
static uint32_t key_of_module(const struct levelling *l, uint32_t module)
{
    return map_get(&l->modules, module, 0) < l->recordings ? 0 : module;
}

/* The first time to learn its bits from all recordings, the second to mark the
 * modules. */
static void add_functions(struct levelling *l, const struct profile *p,
                          bool marking)
{
    uint8_t *bits = bits_of_functions(p);

    for (size_t i = 0; i < p->functions.len; i++) {
        const struct function *f = &p->functions.data[i];
        uint32_t name, module, scope, known;

        if (!bits[i])
            continue;
        name = key_of(l, p, f->name, false);
        module = key_of(l, p, f->module, true);
        scope = key_of_module(l, module);
        known = map_add(&l->functions, name, scope, bits[i]) | bits[i];
        if (!marking)
            map_set(&l->functions, name, scope, known);
        else if (known == BOTH)
            map_add(&l->uneven, module, 0, 0);
    }
    free(bits);
}

static void fold_profile(struct levelling *l, struct profile *p,
                         struct out *modules)
{
    bool *folds = mem_new(p->locations.len, sizeof(*folds));

    for (size_t i = 0; i < p->locations.len; i++) {
        uint32_t module =
            p->functions.data[outermost(p, i)->function].module, key, written;

        if (!has_inlined(p, i) || !module)
            continue;
        key = key_of(l, p, module, true);
        written = map_get(&l->uneven, key, 0);
        folds[i] = written != MAP_NONE;
        if (written != 0)
            continue;
        out_fmt(modules, "%s%s", out_text(modules, NULL)[0] ? ", " : "",
                strings_get(p->strings, module));
        map_set(&l->uneven, key, 0, 1);
    }
    inlines_fold_some(p, folds);
    free(folds);
}

void diff_debug_info_level(struct profile *const *profiles, size_t n,
                           struct out *modules)
{
    struct levelling l = {.keys = strings_new(), .recordings = n};

    for (size_t i = 0; i < n; i++)
        count_modules(&l, profiles[i]);
    for (size_t i = 0; i < 2 * n; i++)
        add_functions(&l, profiles[i % n], i >= n);
    for (size_t i = 0; i < n && l.uneven.used; i++)
        fold_profile(&l, profiles[i], modules);
    map_release(&l.functions);
    map_release(&l.modules);
    map_release(&l.uneven);
    strings_free(l.keys);
}
