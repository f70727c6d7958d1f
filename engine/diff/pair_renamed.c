#include <math.h>
#include <string.h>

#include "engine/diff/pair.h"

/*
 * Pairing of a function that is gone with a new one under another name.
 *
 * Both must be of one module, or of modules that one side each lacks. Each of these speaks for it: the same caller, the
 * same callee, the same place (source lines or neighbouring addresses), about
 * the same samples, names that begin or end alike. Three are enough to compare
 * the two as one function, two to say that it may have been renamed; and no
 * other function may fit as well. Another caller, or three times the samples,
 * speaks against it whatever else fits.
 *
 * Functions that call each other are renamed together: those paired in one
 * round are known neighbours in the next.
 */
enum { ROUNDS = 4, SURE = 3, PERHAPS = 2 };

/* Rarer functions have too few samples for their callers to mean anything. */
enum { SAMPLES_LEAST = 10, SHAPES_MOST = 500 };

/* Lines of a function move when something above it is edited. */
enum { LINES_NEAR = 30 };

static const double alike = 2.0 / 3, unlike = 1.0 / 3;

/* A function that is on one side only, and what is around it. Neighbours are
 * units; NO_ID: none that both sides know. */
struct shape {
    uint32_t unit;
    uint32_t caller, callee;
    uint32_t below, above; /* in address order */
    bool has_address;
    const char *file; /* without its folders; NULL: unknown */
    uint32_t line;    /* the lowest sampled */
    double share;     /* of its side's samples */
};

struct call {
    uint32_t unit, neighbour;
    uint64_t weight;
};

enum { CALLERS, CALLEES, WAYS };

struct renaming {
    struct diff_pairs *pairs;
    const struct diff_input *inputs;
    uint32_t *unit;     /* by name */
    uint32_t *shape_of; /* by unit; NO_ID: it is not looked for */
    VEC(struct shape) shapes[2];
    VEC(struct call) calls[WAYS];
    struct map call_ids[WAYS];
    double total[2];
};

static bool is_wanted(const struct renaming *r, uint32_t name)
{
    const struct diff_name *n = &r->pairs->names.data[name];

    return n->unit == name && !n->unnamed && !n->half_named &&
           n->seen[0] != n->seen[1] && n->weight >= SAMPLES_LEAST;
}

static struct shape *shape_at(struct renaming *r, uint32_t unit)
{
    uint32_t id = r->shape_of[unit];
    bool after = r->pairs->names.data[unit].seen[1];

    return id == NO_ID ? NULL : &r->shapes[after].data[id];
}

static int by_share(const void *x, const void *y)
{
    const struct shape *a = x, *b = y;

    if (a->share != b->share)
        return a->share > b->share ? -1 : 1;
    return (a->unit > b->unit) - (a->unit < b->unit);
}

/* False: a side has none. */
static bool begin_round(struct renaming *r)
{
    const struct diff_name *names = r->pairs->names.data;

    for (int side = 0; side < 2; side++)
        r->shapes[side].len = 0;
    for (uint32_t i = 0; i < r->pairs->names.len; i++) {
        bool after = names[i].seen[1];

        r->unit[i] = diff_pairs_unit(r->pairs, i);
        r->shape_of[i] = NO_ID;
        if (is_wanted(r, i))
            *vec_add(&r->shapes[after]) = (struct shape){
                .unit = i,
                .caller = NO_ID,
                .callee = NO_ID,
                .below = NO_ID,
                .above = NO_ID,
                .share = (double)names[i].weight / r->total[after]};
    }
    for (int side = 0; side < 2; side++) {
        struct shape *list = r->shapes[side].data;
        size_t n = r->shapes[side].len;

        if (!n)
            return false;
        qsort(list, n, sizeof(*list), by_share);
        r->shapes[side].len = n < SHAPES_MOST ? n : SHAPES_MOST;
        for (uint32_t i = 0; i < r->shapes[side].len; i++)
            r->shape_of[list[i].unit] = i;
    }
    return true;
}

/* ---- what is around a function ---- */

static uint32_t unit_of_frame(const struct renaming *r, size_t input,
                              uint32_t frame)
{
    const struct profile *p = r->inputs[input].p;
    uint32_t name = r->pairs->unit_of[input][p->frames.data[frame].function];

    return name == NO_ID ? NO_ID : r->unit[name];
}

/* Adds a call beside a function that is looked for. Its neighbour must be known
 * to both sides. */
static void add_call(struct renaming *r, int way, uint32_t unit,
                     uint32_t neighbour, uint64_t samples)
{
    const struct diff_name *names = r->pairs->names.data;
    uint32_t fresh = (uint32_t)r->calls[way].len, id;

    if (unit == NO_ID || neighbour == NO_ID || unit == neighbour ||
        r->shape_of[unit] == NO_ID || !names[neighbour].seen[0] ||
        !names[neighbour].seen[1])
        return;
    id = map_add(&r->call_ids[way], unit, neighbour, fresh);
    if (id == fresh)
        *vec_add(&r->calls[way]) = (struct call){unit, neighbour, 0};
    r->calls[way].data[id].weight += samples;
}

static void add_stacks(struct renaming *r, size_t input)
{
    const struct profile *p = r->inputs[input].p;
    const uint32_t *start = p->frame_start.data;

    for (uint32_t i = 1; i < p->stacks.len; i++) {
        const struct stack *s = &p->stacks.data[i];
        uint64_t samples = r->pairs->samples[input][i];
        uint32_t inner = NO_ID;

        for (uint32_t f = start[s->location];
             samples && f < start[s->location + 1]; f++) {
            uint32_t outer = unit_of_frame(r, input, f);

            add_call(r, CALLERS, inner, outer, samples);
            add_call(r, CALLEES, outer, inner, samples);
            inner = outer;
        }
        if (samples && s->parent) {
            uint32_t outer = unit_of_frame(
                r, input, start[p->stacks.data[s->parent].location]);

            add_call(r, CALLERS, inner, outer, samples);
            add_call(r, CALLEES, outer, inner, samples);
        }
    }
}

static bool weighs_more(const struct renaming *r, const struct call *a,
                        const struct call *b)
{
    const struct diff_name *names = r->pairs->names.data;
    int order;

    if (a->weight != b->weight)
        return a->weight > b->weight;
    order = strcmp(names[a->neighbour].name, names[b->neighbour].name);
    return order ? order < 0
                 : strcmp(names[a->neighbour].module,
                          names[b->neighbour].module) < 0;
}

/* A tenth of the function's samples: an interrupt is no callee. */
static bool is_heavy(const struct renaming *r, const struct call *call)
{
    return 10 * call->weight >= r->pairs->names.data[call->unit].weight;
}

/* The neighbour of each that most samples go through. */
static void choose_neighbours(struct renaming *r, int way)
{
    const struct call *calls = r->calls[way].data;
    uint32_t *best = mem_new(r->pairs->names.len, sizeof(*best));

    for (uint32_t i = 0; i < r->calls[way].len; i++) {
        uint32_t unit = calls[i].unit;

        if (is_heavy(r, &calls[i]) &&
            (!best[unit] || weighs_more(r, &calls[i], &calls[best[unit] - 1])))
            best[unit] = i + 1;
    }
    for (uint32_t i = 0; i < r->pairs->names.len; i++) {
        struct shape *shape = best[i] ? shape_at(r, i) : NULL;

        if (shape && way == CALLERS)
            shape->caller = calls[best[i] - 1].neighbour;
        else if (shape)
            shape->callee = calls[best[i] - 1].neighbour;
    }
    free(best);
    r->calls[way].len = 0;
    map_release(&r->call_ids[way]);
    r->call_ids[way] = (struct map){0};
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *back = strrchr(path, '\\');

    slash = back > slash ? back : slash;
    return slash ? slash + 1 : path;
}

static void add_lines(struct renaming *r, size_t input)
{
    const struct profile *p = r->inputs[input].p;

    for (uint32_t i = 0; i < p->frames.len; i++) {
        const struct frame *frame = &p->frames.data[i];
        uint32_t unit = unit_of_frame(r, input, i);
        struct shape *shape = unit == NO_ID ? NULL : shape_at(r, unit);

        if (!shape || !frame->line || !frame->file)
            continue;
        if (!shape->file || frame->line < shape->line)
            shape->line = frame->line;
        if (!shape->file)
            shape->file = base_of(strings_get(p->strings, frame->file));
    }
}

struct start {
    uint64_t address;
    uint32_t module, unit;
};

static int by_start(const void *x, const void *y)
{
    const struct start *a = x, *b = y;

    if (a->module != b->module)
        return a->module < b->module ? -1 : 1;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return (a->unit > b->unit) - (a->unit < b->unit);
}

/* The nearest function before or behind that both sides know. */
static uint32_t nearest(const struct renaming *r, const struct start *list,
                        size_t n, size_t at, int step)
{
    const struct diff_name *names = r->pairs->names.data;

    for (size_t i = at + (size_t)step; i < n; i += (size_t)step) {
        const struct diff_name *name = &names[list[i].unit];

        if (list[i].module != list[at].module)
            break;
        if (name->seen[0] && name->seen[1])
            return list[i].unit;
    }
    return NO_ID;
}

static void add_addresses(struct renaming *r, size_t input)
{
    const struct profile *p = r->inputs[input].p;
    VEC(struct start) list = {0};

    for (uint32_t i = 0; i < p->functions.len; i++) {
        const struct function *f = &p->functions.data[i];
        uint32_t name = r->pairs->unit_of[input][i];

        if (name != NO_ID && f->address)
            *vec_add(&list) =
                (struct start){f->address, f->module, r->unit[name]};
    }
    if (list.len)
        qsort(list.data, list.len, sizeof(*list.data), by_start);
    for (size_t i = 0; i < list.len; i++) {
        struct shape *shape = shape_at(r, list.data[i].unit);

        if (!shape || shape->has_address)
            continue;
        shape->has_address = true;
        shape->below = nearest(r, list.data, list.len, i, -1);
        shape->above = nearest(r, list.data, list.len, i, 1);
    }
    vec_release(&list);
}

/* ---- how well two of them fit ---- */

/* 1: the same; -1: others; 0: not known of both. */
static int compare_units(uint32_t a, uint32_t b)
{
    if (a == NO_ID || b == NO_ID)
        return 0;
    return a == b ? 1 : -1;
}

static int compare_places(const struct shape *a, const struct shape *b)
{
    bool neighbours = a->has_address && b->has_address &&
                      a->below == b->below && a->above == b->above &&
                      (a->below != NO_ID || a->above != NO_ID);

    if (a->file && b->file && strcmp(a->file, b->file) != 0)
        return -1;
    if (a->file && b->file && a->line <= b->line + LINES_NEAR &&
        b->line <= a->line + LINES_NEAR)
        return 1;
    return neighbours ? 1 : 0;
}

/* At least half of the longer one is the same at an end. */
static bool names_alike(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b), first = 0, last = 0;
    size_t less = n < m ? n : m, more = n < m ? m : n;

    while (first < less && a[first] == b[first])
        first++;
    while (last < less && a[n - 1 - last] == b[m - 1 - last])
        last++;
    return 2 * first >= more || 2 * last >= more;
}

static double ratio_of(const struct shape *a, const struct shape *b)
{
    return fmin(a->share, b->share) / fmax(a->share, b->share);
}

/* Rates how well two functions fit each other; below 0: they cannot be one. */
static int fit(const struct renaming *r, const struct shape *before,
               const struct shape *after)
{
    const struct diff_name *a = &r->pairs->names.data[before->unit];
    const struct diff_name *b = &r->pairs->names.data[after->unit];
    double ratio = ratio_of(before, after);
    int callers = compare_units(before->caller, after->caller);

    if ((a->module_key != b->module_key && !diff_is_other_module(a, b)) ||
        ratio < unlike || callers < 0)
        return -1;
    return callers + compare_units(before->callee, after->callee) +
           compare_places(before, after) + (ratio >= alike) +
           names_alike(a->name, b->name);
}

/* The one that fits best, and how well. */
struct match {
    uint32_t other; /* in the other side's shapes; NO_ID: none */
    int fit;
    double ratio; /* of their samples, at most 1 */
    bool alone;      /* no other fits as well */
};

static void consider(struct match *match, uint32_t other, int fit,
                     double ratio)
{
    if (fit < match->fit || (fit == match->fit && ratio <= match->ratio)) {
        match->alone &= fit < match->fit;
        return;
    }
    *match = (struct match){other, fit, ratio, fit > match->fit};
}

static struct match *matches_new(size_t n)
{
    struct match *list = mem_new(n, sizeof(*list));

    for (size_t i = 0; i < n; i++)
        list[i] = (struct match){NO_ID, 0, 0, true};
    return list;
}

/* Joins those that are surely one function, and marks those that may be. True
 * if any was joined. */
static bool match_shapes(struct renaming *r)
{
    const struct shape *before = r->shapes[0].data;
    const struct shape *after = r->shapes[1].data;
    struct match *of_before = matches_new(r->shapes[0].len);
    struct match *of_after = matches_new(r->shapes[1].len);
    struct diff_name *names = r->pairs->names.data;
    bool joined = false;

    for (uint32_t i = 0; i < r->shapes[0].len; i++) {
        for (uint32_t j = 0; j < r->shapes[1].len; j++) {
            int n = fit(r, &before[i], &after[j]);
            double ratio = ratio_of(&before[i], &after[j]);

            if (n < PERHAPS)
                continue;
            consider(&of_before[i], j, n, ratio);
            consider(&of_after[j], i, n, ratio);
        }
    }
    for (uint32_t i = 0; i < r->shapes[0].len; i++) {
        uint32_t j = of_before[i].other;

        if (j == NO_ID || of_after[j].other != i)
            continue;
        if (of_before[i].fit >= SURE && of_before[i].alone &&
            of_after[j].alone) {
            diff_pairs_join(r->pairs, before[i].unit, after[j].unit,
                            DIFF_SIMILAR);
            joined = true;
        } else {
            names[before[i].unit].perhaps = after[j].unit;
            names[after[j].unit].perhaps = before[i].unit;
        }
    }
    free(of_before);
    free(of_after);
    return joined;
}

static void forget_guesses(struct diff_pairs *pairs)
{
    for (size_t i = 0; i < pairs->names.len; i++)
        pairs->names.data[i].perhaps = NO_ID;
}

void diff_pairs_by_likeness(struct diff_pairs *pairs,
                            const struct diff_input *inputs)
{
    struct renaming r = {.pairs = pairs, .inputs = inputs};
    bool joined = true;

    r.unit = mem_new(pairs->names.len, sizeof(*r.unit));
    r.shape_of = mem_new(pairs->names.len, sizeof(*r.shape_of));
    for (size_t i = 0; i < pairs->input_count; i++)
        r.total[inputs[i].after] += (double)inputs[i].sel->samples;
    forget_guesses(pairs);
    for (int round = 0; round < ROUNDS && joined && begin_round(&r); round++) {
        forget_guesses(pairs);
        for (size_t i = 0; i < pairs->input_count; i++) {
            add_stacks(&r, i);
            add_lines(&r, i);
            add_addresses(&r, i);
        }
        for (int way = 0; way < WAYS; way++)
            choose_neighbours(&r, way);
        joined = match_shapes(&r);
    }
    for (int way = 0; way < WAYS; way++)
        vec_release(&r.calls[way]);
    for (int side = 0; side < 2; side++)
        vec_release(&r.shapes[side]);
    free(r.unit);
    free(r.shape_of);
}
