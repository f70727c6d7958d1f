/* What locations are: given frames, made up ones, and how names change. */
#include <stdlib.h>
#include <string.h>

#include "engine/model/naming.h"
#include "engine/model/profile.h"
#include "engine/model/unnamed.h"

static uint32_t code_area(struct profile *p, const struct location *l)
{
    const char *name = profile_code_area(p, l);

    return strings_add(p->strings, name, strlen(name));
}

/* Whether nothing but its address tells what a location is. */
static bool is_unnamed(const struct location *l)
{
    return l->method == NO_ID && l->cause != CAUSE_HYPERCALL &&
           l->cause != CAUSE_NO_STACK;
}

struct function profile_plain_function(struct profile *p, uint32_t location)
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

/* The same by id; NO_ID: unnamed_fold_all makes one. Many a location is of one
 * method, which is asked for once. */
static uint32_t made_up_function(struct profile *p, uint32_t location)
{
    const struct location *l = &p->locations.data[location];
    uint32_t *of_method = p->function_ids.of_method;
    struct function f;
    uint32_t id;

    if (l->method != NO_ID && of_method[l->method])
        return of_method[l->method] - 1;
    if (p->folds_unnamed && is_unnamed(l))
        return NO_ID;
    f = profile_plain_function(p, location);
    if (!f.name && p->folds_unnamed)
        return NO_ID;
    id = profile_function(p, &f);
    if (l->method != NO_ID)
        of_method[l->method] = id + 1;
    return id;
}

/* The frames of a location, as given or made up. */
static void add_frames(struct profile *p, uint32_t location)
{
    uint32_t n;
    const struct frame *given = profile_given(p, location, &n);

    for (uint32_t i = 0; i < n; i++)
        *vec_add(&p->frames) = given[i];
    if (!n)
        *vec_add(&p->frames) =
            (struct frame){.function = made_up_function(p, location)};
}

enum { AHEAD = 8 }; /* locations */

/* Most that are looked up are code of images, which comes soon. */
static void fetch_soon(const struct profile *p, size_t location)
{
    const struct location *l;

    if (location + AHEAD >= p->locations.len)
        return;
    l = &p->locations.data[location + AHEAD];
    if (l->method == NO_ID && l->module != NO_ID)
        profile_function_soon(
            p, &(struct function){.address = l->address,
                                  .module = p->modules.data[l->module].name});
}

static void add_all_frames(struct profile *p)
{
    p->function_ids.of_method = mem_new(p->methods.len, sizeof(uint32_t));
    vec_reserve(&p->frames, p->locations.len);
    if (!p->given_of.len && !p->folds_unnamed)
        profile_expect_functions(p, p->locations.len + 1);
    for (uint32_t i = 0; i < p->locations.len; i++) {
        *vec_add(&p->frame_start) = mem_next_id(p->frames.len);
        if (!p->folds_unnamed)
            fetch_soon(p, i);
        add_frames(p, i);
    }
}

/* Whether the frames that were given are those of all locations, in their
 * order: as where a format has names for all. */
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
    if (p->folds_unnamed)
        unnamed_fold_all(p);
    vec_release(&p->given);
    vec_release(&p->given_of);
    function_index_release(&p->function_ids);
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
    function_index_release(&p->function_ids);
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

/* What profile_finish would make up once more: unnamed code, and code of
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
