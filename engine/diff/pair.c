#include "engine/diff/pair.h"

#include <string.h>

#include "engine/base/hex.h"
#include "engine/base/out.h"
#include "engine/model/labels.h"

/* Sizes of a side, to order the sides without regard to which is first. */
struct extent {
    uint64_t samples, stacks, functions;
};

static struct extent extent_of(const struct diff_input *inputs, size_t n,
                               bool after)
{
    struct extent e = {0, 0, 0};

    for (size_t i = 0; i < n; i++) {
        if (inputs[i].after != after)
            continue;
        e.samples += inputs[i].sel->samples;
        e.stacks += inputs[i].p->stacks.len;
        e.functions += inputs[i].p->functions.len;
    }
    return e;
}

static bool is_smaller(const struct extent *a, const struct extent *b)
{
    if (a->samples != b->samples)
        return a->samples < b->samples;
    if (a->stacks != b->stacks)
        return a->stacks < b->stacks;
    return a->functions < b->functions;
}

size_t *diff_inputs_order(const struct diff_input *inputs, size_t n)
{
    struct extent before = extent_of(inputs, n, false);
    struct extent after = extent_of(inputs, n, true);
    bool side = is_smaller(&after, &before);
    size_t *order = mem_new(n, sizeof(*order)), at = 0;

    for (int i = 0; i < 2; i++, side = !side)
        for (size_t j = 0; j < n; j++)
            if (inputs[j].after == side)
                order[at++] = j;
    return order;
}

struct pairing {
    struct diff_pairs *pairs;
    struct map ids;    /* (key, module key), or (address, build) to name */
    struct map builds; /* (module, input) to a string: module and identity */
    struct map modules; /* (name, input) to the first module of that name */
    uint32_t input;
    const struct diff_rename *renames;
    size_t rename_count;
};

uint32_t diff_pairs_unit(const struct diff_pairs *pairs, uint32_t name)
{
    while (pairs->names.data[name].unit != name)
        name = pairs->names.data[name].unit;
    return name;
}

bool diff_pairs_one_sided(const struct diff_pairs *pairs, uint32_t name)
{
    const struct diff_name *n = &pairs->names.data[name];

    return n->unit == name && n->seen[0] != n->seen[1];
}

/* The name that stands for both: AFTER's, then the one met most. */
static bool stands_before(const struct diff_name *a, const struct diff_name *b)
{
    int order;

    if (a->unnamed != b->unnamed)
        return b->unnamed;
    if (a->seen[1] != b->seen[1])
        return a->seen[1];
    if (a->weight != b->weight)
        return a->weight > b->weight;
    order = strcmp(a->name, b->name);
    return order ? order < 0 : strcmp(a->module, b->module) < 0;
}

void diff_pairs_join(struct diff_pairs *pairs, uint32_t a, uint32_t b,
                     enum diff_rule rule)
{
    struct diff_name *first, *second;

    a = diff_pairs_unit(pairs, a);
    b = diff_pairs_unit(pairs, b);
    if (a == b)
        return;
    first = &pairs->names.data[a];
    second = &pairs->names.data[b];
    if (!stands_before(first, second)) {
        second = first;
        first = &pairs->names.data[b];
    }
    second->unit = first->unit;
    second->rule = (uint8_t)rule;
    first->rule = first->rule > rule ? first->rule : (uint8_t)rule;
    first->seen[0] |= second->seen[0];
    first->seen[1] |= second->seen[1];
}

static uint32_t add_key(struct strings *keys, const char *text)
{
    return strings_add(keys, text, strlen(text));
}

/* The identity of a build of an image; nothing when unknown. */
static void print_identity(const struct identity *id, struct out *out)
{
    char text[HEX_SIZE(sizeof(id->build_id))] = "";

    if (id->build_id_size)
        hex_text(id->build_id, id->build_id_size, text);
    else if (id->timestamp || id->image_size)
        snprintf(text, sizeof(text), "%x-%x", id->timestamp, id->image_size);
    else if (id->age)
        hex_text(id->guid, sizeof(id->guid), text);
    out_str(out, text);
}

/* An address means something in its own build only. */
static uint32_t build_of(struct pairing *g, const struct profile *p,
                         uint32_t module)
{
    uint32_t known = map_get(&g->builds, module, g->input), build;
    uint32_t first = map_get(&g->modules, module, g->input);
    struct out *text;

    if (known != MAP_NONE)
        return known;
    text = out_memory();
    out_fmt(text, "%s\n", strings_get(p->strings, module));
    if (module && first != MAP_NONE)
        print_identity(&p->modules.data[first].identity, text);
    build = add_key(g->pairs->keys, out_text(text, NULL));
    out_close(text, NULL);
    map_set(&g->builds, module, g->input, build);
    return build;
}

static void list_modules(struct pairing *g, const struct profile *p)
{
    for (uint32_t i = 0; i < p->modules.len; i++) {
        map_add(&g->modules, p->modules.data[i].name, g->input, i);
        g->pairs->steps++;
    }
}

static const char *renamed(const struct pairing *g, const char *name,
                           bool after, enum diff_rule *rule)
{
    for (size_t i = 0; !after && i < g->rename_count; i++) {
        if (!strcmp(g->renames[i].from, name)) {
            *rule = DIFF_RENAME;
            return g->renames[i].to;
        }
    }
    return name;
}

static uint32_t name_of(struct pairing *g, const struct diff_input *input,
                        uint32_t function)
{
    const struct function *f = &input->p->functions.data[function];
    struct diff_pairs *pairs = g->pairs;
    uint32_t fresh = (uint32_t)pairs->names.len, id;
    enum diff_rule rule = DIFF_EXACT;
    struct diff_name n = {.unit = fresh,
                          .unnamed = !f->name || f->cause != CAUSE_NONE};

    n.name = function_name(input->p, function, &pairs->arena);
    n.label = function_label(input->p, function, &pairs->arena);
    n.module = function_module(input->p, function);
    n.module_key = strings_fold(pairs->keys, add_key(pairs->keys, n.module));
    if (f->name) {
        n.key = add_key(pairs->keys, renamed(g, n.name, input->after, &rule));
        id = map_add(&g->ids, (uint64_t)n.key << 32 | n.module_key,
                     rule == DIFF_RENAME ? NO_ID - 1 : NO_ID, fresh);
    } else {
        id = map_add(&g->ids, f->address, build_of(g, input->p, f->module),
                     fresh);
    }
    n.rule = (uint8_t)rule;
    if (id == fresh)
        *vec_add(&pairs->names) = n;
    return id;
}

static void add_location(struct pairing *g, const struct diff_input *input,
                         uint32_t *unit_of, size_t location, uint64_t samples)
{
    const struct profile *p = input->p;
    uint32_t end = p->frame_start.data[location + 1];

    for (uint32_t i = p->frame_start.data[location]; i < end; i++) {
        uint32_t function = p->frames.data[i].function;
        struct diff_name *n;

        if (unit_of[function] == NO_ID)
            unit_of[function] = name_of(g, input, function);
        n = &g->pairs->names.data[unit_of[function]];
        n->weight += samples;
        n->seen[input->after] = true;
    }
}

static void add_input(struct pairing *g, const struct diff_input *input,
                      uint32_t *unit_of)
{
    const struct profile *p = input->p;
    const uint64_t *inclusive = g->pairs->samples[g->input];
    uint64_t *samples = mem_new(p->locations.len, sizeof(*samples));

    list_modules(g, p);
    memset(unit_of, 0xFF, p->functions.len * sizeof(*unit_of));
    for (size_t i = 1; i < p->stacks.len; i++)
        samples[p->stacks.data[i].location] += inclusive[i];
    for (size_t i = 0; i < p->locations.len; i++)
        if (samples[i])
            add_location(g, input, unit_of, i, samples[i]);
    free(samples);
}

/* (key, 0) and (key, 1) to the first two names of AFTER with that key. */
static struct map names_after(struct diff_pairs *pairs)
{
    struct map first = {0};

    for (uint32_t i = 0; i < pairs->names.len; i++) {
        const struct diff_name *n = &pairs->names.data[i];

        pairs->steps++;
        if (!n->unnamed && n->seen[1] && map_add(&first, n->key, 0, i) != i)
            map_add(&first, n->key, 1, i);
    }
    return first;
}

/* Keeps a name given with --rename separate, so that it can be listed. A joined
 * function stays marked as seen on the same sides as before. */
static void join_renamed(struct pairing *g)
{
    struct diff_pairs *pairs = g->pairs;
    struct map after = {0};

    if (!g->rename_count)
        return;
    after = names_after(pairs);
    for (uint32_t i = 0; i < pairs->names.len; i++) {
        const struct diff_name *n = &pairs->names.data[i];
        uint32_t other;

        if (n->rule != DIFF_RENAME || n->unit != i)
            continue;
        pairs->steps++;
        other = map_get(&after, n->key, 0);
        if (other == i)
            other = map_get(&after, n->key, 1);
        if (other != MAP_NONE)
            diff_pairs_join(pairs, i, other, DIFF_RENAME);
    }
    map_release(&after);
}

static bool is_known_build(const struct pairing *g, uint32_t build)
{
    const char *identity = strrchr(strings_get(g->pairs->keys, build), '\n');

    return identity[1] != '\0';
}

/* Code that one side has a name for, and the other an address in a build
 * known to be the same. The innermost frame is what the address counts for. */
static void join_addresses(struct pairing *g, const struct diff_input *input)
{
    const struct profile *p = input->p;
    const uint32_t *unit_of = g->pairs->unit_of[g->input];

    for (size_t i = 0; i < p->locations.len; i++) {
        const struct location *l = &p->locations.data[i];
        uint32_t function = p->frames.data[p->frame_start.data[i]].function;
        uint32_t build, other;

        if (l->module == NO_ID || unit_of[function] == NO_ID ||
            !p->functions.data[function].name)
            continue;
        build = build_of(g, p, p->modules.data[l->module].name);
        other = map_get(&g->ids, l->address, build);
        if (other != MAP_NONE && is_known_build(g, build))
            diff_pairs_join(g->pairs, unit_of[function], other,
                            DIFF_ADDRESS);
    }
}

/* One bit of what a module has: names, or code without, on a side. */
static uint32_t module_has(bool unnamed, int side)
{
    return UINT32_C(1) << (2 * unnamed + side);
}

static bool is_half_named(uint32_t has, int side)
{
    return has & module_has(false, side) && !(has & module_has(false, !side)) &&
           has & module_has(true, !side);
}

/* Tells of each name what its module has on either side. */
static void mark_modules(struct diff_pairs *pairs)
{
    struct map modules = {0};

    for (size_t i = 0; i < pairs->names.len; i++) {
        const struct diff_name *n = &pairs->names.data[i];
        uint32_t has = map_add(&modules, n->module_key, 0, 0);

        for (int side = 0; side < 2; side++)
            if (n->seen[side])
                has |= module_has(n->unnamed, side);
        map_set(&modules, n->module_key, 0, has);
    }
    for (size_t i = 0; i < pairs->names.len; i++) {
        struct diff_name *n = &pairs->names.data[i];
        uint32_t has = map_get(&modules, n->module_key, 0);

        n->half_named = is_half_named(has, 0) || is_half_named(has, 1);
        for (int side = 0; side < 2; side++)
            n->in_module[side] = (has & (module_has(false, side) |
                                         module_has(true, side))) != 0;
    }
    map_release(&modules);
}

struct summing {
    const struct diff_input *inputs;
    uint64_t **samples;
};

/* Two inputs can be of one profile. */
static bool is_new_profile(const struct diff_input *inputs, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (inputs[j].p == inputs[i].p)
            return false;
    return true;
}

static void prepare_input(void *context, size_t i, unsigned worker)
{
    const struct summing *s = context;

    (void)worker;
    s->samples[i] =
        stacks_inclusive(s->inputs[i].p, s->inputs[i].sel->stack_counts);
    if (is_new_profile(s->inputs, i))
        labels_make(s->inputs[i].p);
}

/* Work on one input alone runs for all of them in parallel. */
static void prepare_inputs(struct diff_pairs *pairs,
                           const struct diff_input *inputs, size_t n)
{
    struct summing s = {inputs, mem_new(n, sizeof(*pairs->samples))};

    threads_run(pairs->pool, n, prepare_input, &s);
    pairs->samples = s.samples;
}

static void forget_sums(struct diff_pairs *pairs)
{
    for (size_t i = 0; i < pairs->input_count; i++)
        free(pairs->samples[i]);
    free(pairs->samples);
    pairs->samples = NULL;
}

static void add_inputs(struct pairing *g, const struct diff_input *inputs,
                       size_t n)
{
    uint32_t **unit_of = g->pairs->unit_of;
    size_t *order = diff_inputs_order(inputs, n);

    for (size_t i = 0; i < n; i++) {
        size_t at = order[i];

        unit_of[at] = mem_new(inputs[at].p->functions.len, sizeof(**unit_of));
        g->input = (uint32_t)at;
        add_input(g, &inputs[at], unit_of[at]);
    }
    mark_modules(g->pairs);
    for (size_t i = 0; i < n; i++) {
        g->input = (uint32_t)order[i];
        join_addresses(g, &inputs[order[i]]);
    }
    free(order);
}

static bool differ(const struct diff_name *a, const struct diff_name *b)
{
    return a->unit != b->unit && strcmp(a->name, b->name) != 0;
}

/* Labels tell the functions of one profile apart, but not those of one side
 * from those of the other: there, names are shown. */
static void part_labels(struct diff_pairs *pairs)
{
    struct diff_name *names = pairs->names.data;
    bool *shared = mem_new(pairs->names.len, sizeof(*shared));
    struct strings *labels = strings_new();
    struct map ids = {0};

    for (uint32_t i = 0; i < pairs->names.len; i++) {
        uint32_t label = add_key(labels, names[i].label);
        uint32_t other = map_add(&ids, label, names[i].module_key, i);

        if (differ(&names[i], &names[other]))
            shared[i] = shared[other] = true;
    }
    for (uint32_t i = 0; i < pairs->names.len; i++)
        if (shared[i])
            names[i].label = names[i].name;
    map_release(&ids);
    strings_free(labels);
    free(shared);
}

struct diff_pairs *diff_pairs_new(const struct diff_input *inputs, size_t n,
                                  const struct diff_rename *renames,
                                  size_t rename_count, unsigned threads)
{
    struct diff_pairs *pairs = mem_new(1, sizeof(*pairs));
    struct pairing g = {
        .pairs = pairs, .renames = renames, .rename_count = rename_count};

    pairs->keys = strings_new();
    pairs->unit_of = mem_new(n, sizeof(*pairs->unit_of));
    pairs->input_count = n;
    pairs->pool = threads_new(threads);
    prepare_inputs(pairs, inputs, n);
    add_inputs(&g, inputs, n);
    join_renamed(&g);
    diff_pairs_by_name(pairs);
    diff_pairs_by_place(pairs, inputs);
    diff_pairs_by_likeness(pairs, inputs);
    forget_sums(pairs);
    for (uint32_t i = 0; i < pairs->names.len; i++)
        pairs->names.data[i].unit = diff_pairs_unit(pairs, i);
    part_labels(pairs);
    for (size_t i = 0; i < n; i++)
        for (size_t f = 0; f < inputs[i].p->functions.len; f++)
            if (pairs->unit_of[i][f] != NO_ID)
                pairs->unit_of[i][f] =
                    pairs->names.data[pairs->unit_of[i][f]].unit;
    map_release(&g.ids);
    map_release(&g.builds);
    map_release(&g.modules);
    return pairs;
}

void diff_pairs_free(struct diff_pairs *pairs)
{
    if (!pairs)
        return;
    for (size_t i = 0; i < pairs->input_count; i++)
        free(pairs->unit_of[i]);
    free(pairs->unit_of);
    threads_free(pairs->pool);
    vec_release(&pairs->names);
    arena_release(&pairs->arena);
    strings_free(pairs->keys);
    free(pairs);
}
