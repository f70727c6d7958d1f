#include "engine/model/stacks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/model/profile.h"

void stack_table_init(struct stack_table *t)
{
    *t = (struct stack_table){0};
    *vec_add(t) = (struct stack){.parent = 0, .location = NO_ID};
}

void stack_table_release(struct stack_table *t)
{
    vec_release(t);
    map_release(&t->ids);
}

/*
 * A chain is mostly new from some frame on, and is then added in one go: the
 * child that was added right after its parent is found there, and only the
 * others, where chains part, are in the map.
 */
uint32_t stack_table_add(struct stack_table *t, uint32_t parent,
                         uint32_t location)
{
    uint32_t fresh = mem_next_id(t->len), id = fresh;
    const struct stack *next = &t->data[parent + 1];

    assert(parent < fresh);
    if (parent + 1 < fresh) {
        if (next->parent == parent && next->location == location)
            return parent + 1;
        id = map_add(&t->ids, parent, location, fresh);
    }
    if (id == fresh)
        *vec_add(t) = (struct stack){parent, location};
    return id;
}

/* ---- walking ---- */

/* A parent's id is smaller, so one pass from the end adds up every subtree. */
uint64_t *stacks_inclusive(const struct profile *p, const uint64_t *samples)
{
    uint64_t *inclusive = mem_new(p->stacks.len, sizeof(*inclusive));

    for (size_t i = p->stacks.len; i-- > 1;) {
        inclusive[i] += samples[i];
        inclusive[p->stacks.data[i].parent] += inclusive[i];
    }
    return inclusive;
}

struct stack_links stack_links_new(const struct profile *p,
                                   const uint64_t *inclusive)
{
    size_t n = p->stacks.len;
    struct stack_links links = {mem_new(n, sizeof(uint32_t)),
                                mem_new(n, sizeof(uint32_t))};

    for (uint32_t i = (uint32_t)n; i-- > 1;) {
        uint32_t *first = &links.child[p->stacks.data[i].parent];

        if (!inclusive[i])
            continue;
        links.sibling[i] = *first;
        *first = i;
    }
    return links;
}

void stack_links_release(struct stack_links *links)
{
    free(links->child);
    free(links->sibling);
}

void stacks_walk(const struct profile *p, const uint64_t *inclusive,
                 void (*enter)(void *context, uint32_t stack),
                 void (*leave)(void *context, uint32_t stack), void *context)
{
    struct stack_links links = stack_links_new(p, inclusive);
    uint32_t at = links.child[0];

    while (at) {
        enter(context, at);
        if (links.child[at]) {
            at = links.child[at];
            continue;
        }
        leave(context, at);
        while (!links.sibling[at] && (at = p->stacks.data[at].parent))
            leave(context, at);
        at = links.sibling[at];
    }
    stack_links_release(&links);
}

/* ---- depth ---- */

/* A parent has a smaller id than what is on it. */
static uint32_t *depths_of(const struct profile *p, uint32_t *deepest)
{
    uint32_t *depths = mem_new(p->stacks.len + 1, sizeof(*depths));

    *deepest = 0;
    for (size_t i = 1; i < p->stacks.len; i++) {
        depths[i] = depths[p->stacks.data[i].parent] + 1;
        if (depths[i] > *deepest)
            *deepest = depths[i];
    }
    return depths;
}

static bool is_too_much(const struct profile *p, const uint32_t *depths)
{
    uint64_t most =
        DEEP_FRAMES_FREE + DEEP_FRAMES_PER_STACK * (uint64_t)p->stacks.len;
    bool *met = mem_new(p->stacks.len, sizeof(*met));
    uint64_t sum = 0;

    for (size_t i = 0; i < p->samples.len; i++) {
        uint32_t stack = p->samples.stack[i];

        if (depths[stack] > STACK_USUAL_DEEPEST && !met[stack])
            sum += depths[stack] - STACK_USUAL_DEEPEST;
        met[stack] = true;
    }
    free(met);
    return sum > most;
}

static uint64_t cut_stacks(struct profile *p, uint32_t *depths, uint32_t most)
{
    bool *cut = mem_new(p->stacks.len, sizeof(*cut));
    uint64_t count = 0;

    for (size_t i = 1; i < p->stacks.len; i++) {
        struct stack *s = &p->stacks.data[i];

        cut[i] = cut[s->parent];
        if (depths[s->parent] == most) {
            s->parent = 0;
            cut[i] = true;
            count++;
        }
        depths[i] = depths[s->parent] + 1;
    }
    for (size_t i = 0; i < p->samples.len; i++)
        if (cut[p->samples.stack[i]])
            p->samples.flags[i] =
                stack_end_put(p->samples.flags[i], STACK_END_DEPTH);
    free(cut);
    return count;
}

void profile_bound_stacks(struct profile *p)
{
    uint32_t deepest, *depths = depths_of(p, &deepest);
    bool too_much = deepest > STACK_USUAL_DEEPEST && is_too_much(p, depths);
    uint32_t most = too_much ? STACK_USUAL_DEEPEST : STACK_DEEPEST;
    uint64_t count = deepest > most ? cut_stacks(p, depths, most) : 0;

    free(depths);
    if (!count)
        return;
    p->quality.cut_stacks += count;
    profile_warn(
        p,
        "stacks deeper than %u frames, truncated to their leaf frames%s: %llu",
        most,
        too_much ? ", because all stacks together have too many frames" : "",
        (unsigned long long)count);
}

static const struct {
    const char *word, *phrase;
} end_words[STACK_ENDS] = {
    [STACK_END_UNKNOWN] = {"unknown", "not known"},
    [STACK_END_ROOT] = {"complete", "complete"},
    [STACK_END_NO_UNWIND_DATA] = {"no_unwind_data", "no unwind data"},
    [STACK_END_GENERATED_CODE] = {"generated_code", "generated code"},
    [STACK_END_MACHINE] = {"machine_not_read", "machine not supported"},
    [STACK_END_NO_USER_PART] = {"no_user_part", "user part missing"},
    [STACK_END_DEPTH] = {"depth_limit", "depth limit"},
    [STACK_END_COPY] = {"copied_stack_too_short", "copied stack too short"},
    [STACK_END_LEAF_FRAME] = {"caller_missing", "caller missing"},
    [STACK_END_BROKEN] = {"broken", "broken stack"},
    [STACK_END_NO_STACK] = {"no_stack", "no stack"},
};

const char *stack_end_word(enum stack_end end)
{
    return end_words[end].word;
}

const char *stack_end_phrase(enum stack_end end)
{
    return end_words[end].phrase;
}

/* Routines that nobody calls: the system or the runtime begins a thread with
 * them. A "*" at the end stands for any rest. */
static const char *const root_names[] = {
    /* programs and threads of Unix */
    "_start",
    "start",
    "_start_c",
    "__start_thread",
    "__pthread_start*",
    "__libc_start_main*",
    "__libc_start_call_main",
    "__libc_init",
    "_start_main",
    "_dl_start",
    "_dl_start_user",
    "_dlstart",
    "_dlstart_c",
    "__clone",
    "__clone3",
    "clone",
    "clone3",
    "start_thread",
    "thread_start",
    /* kernels */
    "ret_from_fork*",
    "ret_from_kernel_thread",
    "secondary_startup*",
    "__secondary_switched",
    "x86_64_start_kernel",
    "KiStartSystemThread",
    "KxStartSystemThread",
    "PspSystemThreadStartup",
    "KiIdleLoop",
    /* Windows */
    "RtlUserThreadStart",
    "_RtlUserThreadStart*",
    "__RtlUserThreadStart*",
    "BaseThreadInitThunk",
    "@BaseThreadInitThunk@12",
    "mainCRTStartup",
    "wmainCRTStartup",
    "WinMainCRTStartup",
    "wWinMainCRTStartup",
    "__tmainCRTStartup",
    "__scrt_common_main*",
    /* Go */
    "runtime.goexit*",
    "runtime.main",
    "runtime.mstart*",
    "runtime.rt0_go*",
    "_rt0_*",
    /* roots that profilers make up */
    "(root)",
    "(program)",
};

bool stack_root_is_named(const char *name)
{
    for (size_t i = 0; i < sizeof(root_names) / sizeof(*root_names); i++) {
        size_t n = strcspn(root_names[i], "*");

        if (strncmp(name, root_names[i], n) == 0 &&
            (root_names[i][n] || !name[n]))
            return true;
    }
    return false;
}

/* ---- the outer end of stacks ---- */

struct stack_root *stack_roots_new(const struct profile *p)
{
    struct stack_root *roots = mem_new(p->stacks.len, sizeof(*roots));

    roots[0] = (struct stack_root){NO_ID, NO_ID};
    for (size_t i = 1; i < p->stacks.len; i++) {
        const struct stack *s = &p->stacks.data[i];

        roots[i] = s->parent ? roots[s->parent]
                             : (struct stack_root){s->location, NO_ID};
        if (s->parent && roots[i].callee == NO_ID)
            roots[i].callee = s->location;
    }
    return roots;
}

void stack_ends_put(struct profile *p, const uint8_t *ends)
{
    struct samples *s = &p->samples;

    for (size_t i = 0; i < s->len; i++)
        if (stack_end_of(s->flags[i]) == STACK_END_UNKNOWN)
            s->flags[i] =
                stack_end_put(s->flags[i], (enum stack_end)ends[s->stack[i]]);
}

/* ---- by name ---- */

/* The outermost frame of a location. */
static uint32_t outermost_function(const struct profile *p, uint32_t location)
{
    return p->frames.data[p->frame_start.data[location + 1] - 1].function;
}

/* The C library's own start routine is in no list of its names: it calls main,
 * and nobody calls it. */
static bool is_main_of_library(const struct profile *p,
                               const struct stack_root *root)
{
    static const char *const libraries[] = {"libc.so", "libc-", "libc.musl",
                                            "ld-musl"};
    uint32_t module = p->locations.data[root->location].module;
    const char *name;

    if (module == NO_ID || root->callee == NO_ID ||
        strcmp(strings_get(p->strings,
                           p->functions
                               .data[outermost_function(p, root->callee)]
                               .name),
               "main") != 0)
        return false;
    name = strings_get(p->strings, p->modules.data[module].name);
    for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++)
        if (strncmp(name, libraries[i], strlen(libraries[i])) == 0)
            return true;
    return false;
}

uint8_t *stack_ends_by_name(const struct profile *p)
{
    struct stack_root *roots = stack_roots_new(p);
    size_t count = p->stacks.len;
    uint8_t *ends = mem_new(count, sizeof(*ends));
    bool *known = mem_new(p->functions.len, sizeof(*known));

    for (uint32_t i = 0; i < p->functions.len; i++) {
        /* A script or a managed program may call its own functions so. */
        const struct function *f = &p->functions.data[i];

        known[i] = f->kind != CODE_MANAGED && f->kind != CODE_SCRIPT &&
                   stack_root_is_named(strings_get(p->strings, f->name));
    }
    for (size_t i = 0; i < count; i++)
        if (roots[i].location != NO_ID &&
            (known[outermost_function(p, roots[i].location)] ||
             is_main_of_library(p, &roots[i])))
            ends[i] = STACK_END_ROOT;
    free(known);
    free(roots);
    return ends;
}
