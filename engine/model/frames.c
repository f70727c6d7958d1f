#include "engine/model/frames.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/model/profile.h"

uint32_t profile_function(struct profile *p, const struct function *f)
{
    uint32_t fresh = mem_next_id(p->functions.len);
    uint64_t key = f->name ? (uint64_t)f->name << 32 | f->module : f->address;
    uint32_t id =
        map_add(&p->function_ids, key, f->name ? NO_ID : f->module, fresh);

    if (id == fresh)
        *vec_add(&p->functions) = *f;
    return id;
}

static void give(struct profile *p, uint32_t location, struct given_frames g)
{
    while (p->given_of.len <= location)
        *vec_add(&p->given_of) = (struct given_frames){0, 0};
    p->given_of.data[location] = g;
}

void profile_set_frames(struct profile *p, uint32_t location,
                        const struct frame *frames, size_t n)
{
    assert(n && location < p->locations.len && !p->frame_start.len);
    if (profile_has_frames(p, location))
        return;
    give(p, location,
         (struct given_frames){mem_next_id(p->given.len), mem_next_id(n)});
    for (size_t i = 0; i < n; i++)
        *vec_add(&p->given) = frames[i];
    p->locations.data[location].cause = CAUSE_NONE;
}

bool profile_has_frames(const struct profile *p, uint32_t location)
{
    return location < p->given_of.len && p->given_of.data[location].count;
}

const struct frame *profile_given(const struct profile *p, uint32_t location,
                                  uint32_t *n)
{
    bool has = profile_has_frames(p, location);

    *n = has ? p->given_of.data[location].count : 0;
    return has ? &p->given.data[p->given_of.data[location].start] : NULL;
}

void profile_share_frames(struct profile *p, uint32_t location, uint32_t other)
{
    if (profile_has_frames(p, other) && !profile_has_frames(p, location))
        give(p, location, p->given_of.data[other]);
}

static uint32_t intern(struct profile *p, const char *text)
{
    return strings_add(p->strings, text, strlen(text));
}

uint32_t profile_managed_module(struct profile *p, const char *text)
{
    uint32_t name = intern(p, text), id = mem_next_id(p->modules.len);
    struct module m = {
        .path = name, .name = name, .area = name, .managed = true};

    for (uint32_t i = 0; i < id; i++)
        if (p->modules.data[i].managed && p->modules.data[i].name == name)
            return i;
    *vec_add(&p->modules) = m;
    return id;
}

void profile_set_method(struct profile *p, uint32_t location, uint32_t method)
{
    struct location *l = &p->locations.data[location];

    if (l->module == NO_ID)
        l->address -= methods_get(&p->methods, method).start;
    l->method = method;
    l->kind = CODE_MANAGED;
    l->cause = CAUSE_NONE;
}

void profile_set_kind(struct profile *p, uint32_t location, enum code_kind kind)
{
    p->locations.data[location].kind = (uint8_t)kind;
}

void profile_set_method_name(struct profile *p, uint32_t method,
                             const char *full_name)
{
    methods_set_name(&p->methods, method, intern(p, full_name));
}

static bool wants_symbols(uint8_t cause)
{
    return cause == CAUSE_NO_SYMBOLS || cause == CAUSE_MISMATCH ||
           cause == CAUSE_BROKEN || cause == CAUSE_OUTSIDE;
}

void profile_set_cause(struct profile *p, uint32_t location,
                       enum name_cause cause)
{
    struct location *l = &p->locations.data[location];

    if (cause != CAUSE_NO_SYMBOLS && wants_symbols(l->cause))
        l->cause = (uint8_t)cause;
}

void profile_set_symbols(struct profile *p, uint32_t module, const char *origin)
{
    struct module *m = &p->modules.data[module];

    if (!m->symbols)
        m->symbols = intern(p, origin);
}

/* ---- profile_finish ---- */

static uint32_t code_area(struct profile *p, const struct location *l)
{
    const char *name = profile_code_area(p, l);

    return strings_add(p->strings, name, strlen(name));
}

/* True if nothing but the address of a location is known. */
static bool is_unnamed(const struct location *l)
{
    return l->method == NO_ID && l->cause != CAUSE_HYPERCALL &&
           l->cause != CAUSE_NO_STACK;
}

/* The function a location is when nobody named it better. */
static struct function profile_plain_function(struct profile *p,
                                              uint32_t location)
{
    const struct location *l = &p->locations.data[location];
    struct function f = {.kind = l->kind, .cause = l->cause};

    if (l->method != NO_ID) {
        const struct method m = methods_get(&p->methods, l->method);

        f.name = m.full_name;
        f.module = m.module != NO_ID ? p->modules.data[m.module].name
                                     : code_area(p, l);
        f.cause = CAUSE_NONE;
        return f;
    }
    if (!is_unnamed(l)) {
        const char *name =
            l->cause == CAUSE_HYPERCALL ? "[hypercall page]" : "[no stack]";

        f.name = strings_add(p->strings, name, strlen(name));
        f.module = code_area(p, l);
        if (l->cause == CAUSE_HYPERCALL)
            f.cause = CAUSE_NONE;
        return f;
    }
    f.address = l->address;
    if (l->module != NO_ID)
        f.module = p->modules.data[l->module].name;
    return f;
}

void profile_set_line(struct profile *p, uint32_t location, uint32_t file,
                      uint32_t line)
{
    struct function f = profile_plain_function(p, location);
    struct frame frame = {
        .function = profile_function(p, &f), .file = file, .line = line};

    profile_set_frames(p, location, &frame, 1);
}

/* The same by id. A method is asked for once: `of_method` has its function + 1,
 * or 0. */
static uint32_t made_up_function(struct profile *p, uint32_t location,
                                 uint32_t *of_method)
{
    const struct location *l = &p->locations.data[location];
    struct function f;
    uint32_t id;

    if (l->method != NO_ID && of_method[l->method])
        return of_method[l->method] - 1;
    f = profile_plain_function(p, location);
    id = profile_function(p, &f);
    if (l->method != NO_ID)
        of_method[l->method] = id + 1;
    return id;
}

/* The frames of every location, as given or made up. */
static void add_all_frames(struct profile *p)
{
    uint32_t *of_method = NULL, n;

    if (p->methods.len)
        of_method = mem_new(p->methods.len, sizeof(*of_method));
    vec_reserve(&p->frames, p->locations.len);
    for (uint32_t i = 0; i < p->locations.len; i++) {
        const struct frame *given = profile_given(p, i, &n);

        *vec_add(&p->frame_start) = mem_next_id(p->frames.len);
        for (uint32_t k = 0; k < n; k++)
            *vec_add(&p->frames) = given[k];
        if (!n)
            *vec_add(&p->frames) = (struct frame){
                .function = made_up_function(p, i, of_method)};
    }
    free(of_method);
}

/* True if the given frames are those of all locations in their order, as in
 * formats that name all of their code. */
static bool is_all_given(const struct profile *p)
{
    uint32_t next = 0;

    if (p->given_of.len < p->locations.len)
        return false;
    for (size_t i = 0; i < p->locations.len; i++) {
        const struct given_frames *g = &p->given_of.data[i];

        if (!g->count || g->start != next)
            return false;
        next += g->count;
    }
    return next == p->given.len;
}

/* Then they stay where they are. */
static void keep_given(struct profile *p)
{
    p->frames.data = p->given.data;
    p->frames.len = p->given.len;
    p->frames.cap = p->given.cap;
    p->given.data = NULL;
    for (size_t i = 0; i < p->locations.len; i++)
        *vec_add(&p->frame_start) = p->given_of.data[i].start;
}

void profile_finish(struct profile *p)
{
    if (p->frame_start.len)
        return;
    map_release(&p->location_ids);
    map_release(&p->stacks.ids);
    vec_reserve(&p->frame_start, p->locations.len + 1);
    if (!p->frames.len && is_all_given(p))
        keep_given(p);
    else
        add_all_frames(p);
    *vec_add(&p->frame_start) = mem_next_id(p->frames.len);
    vec_release(&p->given);
    vec_release(&p->given_of);
    map_release(&p->function_ids);
    il_maps_release(&p->il_maps);
    saved_names_release(&p->saved);
}

/* ---- once more ---- */

/* Functions that are added once more. */
struct again {
    struct profile *p;
    struct function *old;
    uint32_t *ids; /* by old id; NO_ID: not yet */
};

/* Takes the profile's functions. */
static struct again begin_again(struct profile *p)
{
    struct again a = {.p = p, .old = p->functions.data};
    size_t n = p->functions.len;

    a.ids = mem_new(n, sizeof(*a.ids));
    memset(a.ids, 0xFF, n * sizeof(*a.ids));
    p->functions.data = NULL;
    p->functions.len = p->functions.cap = 0;
    map_release(&p->function_ids);
    labels_forget(p->labels);
    return a;
}

static void end_again(struct again *a)
{
    free(a->old);
    free(a->ids);
}

static uint32_t add_again(struct again *a, uint32_t id)
{
    if (a->ids[id] == NO_ID)
        a->ids[id] = profile_function(a->p, &a->old[id]);
    return a->ids[id];
}

/* Code that profile_finish would name again: unnamed code, and code of
 * methods of which no more is known. */
static bool is_plain(struct profile *p, uint32_t location,
                     const struct function *function,
                     const struct frame *frames, uint32_t n)
{
    struct function plain;

    if (n != 1 || frames->file || frames->line)
        return false;
    plain = profile_plain_function(p, location);
    return function->name == plain.name && function->module == plain.module;
}

void profile_set_start(struct profile *p, uint32_t function, uint64_t start)
{
    struct function *f = &p->functions.data[function];

    if (start && (!f->address || start < f->address))
        f->address = start;
}

void profile_rename_functions(struct profile *p,
                              uint32_t (*rename)(void *context, uint32_t name),
                              void *context)
{
    bool renamed = false;
    struct again a;

    for (size_t i = 0; i < p->functions.len; i++) {
        uint32_t *name = &p->functions.data[i].name, before = *name;

        *name = before ? rename(context, before) : 0;
        renamed |= *name != before;
    }
    if (!renamed)
        return;
    a = begin_again(p);
    for (size_t i = 0; i < p->given.len; i++)
        p->given.data[i].function = add_again(&a, p->given.data[i].function);
    end_again(&a);
}

static void give_again(struct again *a, uint32_t location, struct frame *frames,
                       uint32_t n)
{
    if (is_plain(a->p, location, &a->old[frames[0].function], frames, n))
        return;
    for (uint32_t i = 0; i < n; i++)
        frames[i].function = add_again(a, frames[i].function);
    profile_set_frames(a->p, location, frames, n);
}

void profile_reopen(struct profile *p)
{
    struct frame *frames = p->frames.data;
    uint32_t *start = p->frame_start.data;
    struct again a;

    if (!start)
        return;
    p->frames.data = NULL;
    p->frames.len = p->frames.cap = 0;
    p->frame_start.data = NULL;
    p->frame_start.len = p->frame_start.cap = 0;
    a = begin_again(p);
    for (uint32_t i = 0; i < p->locations.len; i++)
        give_again(&a, i, frames + start[i], start[i + 1] - start[i]);
    end_again(&a);
    free(frames);
    free(start);
}

bool inlines_any(const struct profile *p)
{
    for (size_t i = 0; i < p->frames.len; i++)
        if (p->frames.data[i].inlined)
            return true;
    return false;
}

/* In place: what is written never overtakes what is read. */
void inlines_fold_some(struct profile *p, const bool *folds)
{
    uint32_t at = 0, start = 0;

    for (uint32_t i = 0; i < p->locations.len; i++) {
        uint32_t end = p->frame_start.data[i + 1];

        if (!folds || folds[i])
            start = end - 1;
        p->frame_start.data[i] = at;
        while (start < end)
            p->frames.data[at++] = p->frames.data[start++];
        p->frames.data[at - 1].inlined = false;
    }
    p->frames.len = at;
    p->frame_start.data[p->locations.len] = at;
}

void inlines_fold(struct profile *p)
{
    inlines_fold_some(p, NULL);
}

/* The function that stands for unnamed code of a module, by the module's name
 * as it was met and in lower case; added if new. */
static uint32_t fold_of(struct profile *p, struct map *folds,
                        const struct function *unnamed)
{
    uint32_t fresh = mem_next_id(p->functions.len);
    uint32_t id = map_get(folds, unnamed->module, 0);
    const char *name = unnamed->module ? NAME_NO_SYMBOLS : NAME_UNKNOWN;
    struct function fold = *unnamed;

    /* A sample without an address says least about why code has no name. */
    if (id != MAP_NONE && p->functions.data[id].cause == CAUSE_NO_STACK)
        p->functions.data[id].cause = unnamed->cause;
    if (id != MAP_NONE)
        return id;
    id = map_add(folds, strings_fold(p->strings, unnamed->module), 0, fresh);
    map_set(folds, unnamed->module, 0, id);
    if (id != fresh)
        return id;
    fold.name = strings_add(p->strings, name, strlen(name));
    fold.address = 0;
    *vec_add(&p->functions) = fold;
    return id;
}

static void fold_functions(struct profile *p)
{
    size_t n = p->functions.len;
    uint32_t *ids = mem_new(n, sizeof(*ids));
    struct map folds = {0};

    for (uint32_t i = 0; i < n; i++) {
        struct function f = p->functions.data[i];

        ids[i] = f.name ? i : fold_of(p, &folds, &f);
    }
    for (size_t i = 0; i < p->frames.len; i++)
        p->frames.data[i].function = ids[p->frames.data[i].function];
    labels_forget(p->labels);
    map_release(&folds);
    free(ids);
}

void unnamed_fold(struct profile *p)
{
    for (size_t i = 0; i < p->functions.len; i++) {
        if (!p->functions.data[i].name) {
            fold_functions(p);
            return;
        }
    }
}
