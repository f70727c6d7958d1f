/*
 * From observations to a profile: every sample gets its thread and its stack.
 *
 * Samples are gone through twice in order of time. The first pass finds their
 * threads; afterwards every process is known, so that what lay in the memory
 * of each can be worked out. The second pass locates their call chains and
 * puts them into the tree of stacks (chain_stacks.h). Work is done per distinct
 * thing: an address of a process is located once, and so is a chain.
 *
 * Locations, methods, strings and stacks are numbered in the order in which
 * samples need them.
 */
#include <stdlib.h>
#include <strings.h>

#include "engine/attribution/chain_stacks.h"
#include "engine/attribution/clr.h"
#include "engine/attribution/wakers.h"

/* Frames of stacks whose code was replaced are believed up to half the frames
 * of all call chains: chains share their roots, and few have code that is
 * compiled anew, mostly once or twice. */
enum { CHANGES_FREE = 1 << 18 };

static size_t most_changes(const struct observations *seen)
{
    size_t frames = 0;

    for (size_t i = 0; i < seen->callchains.list.len; i++)
        frames += seen->callchains.list.data[i].count;
    return CHANGES_FREE + frames / 2;
}

/* The thread that a key meant last. */
struct known_thread {
    uint32_t thread;
    int64_t since, until; /* holds for since <= time < until; never yet
                             while both are 0 */
};

/* Threads take the place of the samples' thread keys. Threads that nobody
 * described are made up, and so are their processes. */
static void find_threads(struct observations *seen, struct lifetimes *lives)
{
    struct samples *s = &seen->samples;
    struct known_thread *list = mem_new(seen->thread_keys.len, sizeof(*list));

    for (size_t i = 0; i < s->len; i++) {
        struct known_thread *known = &list[s->thread[i]];
        const struct thread_key *key = &seen->thread_keys.data[s->thread[i]];

        if (s->time[i] < known->since || s->time[i] >= known->until) {
            known->since = s->time[i];
            known->thread = lifetimes_thread(lives, key->tid, key->pid,
                                             s->time[i], &known->until);
        }
        s->thread[i] = known->thread;
    }
    free(list);
}

static void leave_out_rest(struct profile *p, struct samples *s, size_t i)
{
    profile_warn(p,
                 "more stacks than a file of this size may have: the last %zu "
                 "samples are left out",
                 s->len - i);
    s->len = i;
}

/* Stacks take the place of the samples' outer chains. An address that stands
 * in for a part is the process's, and so is a kernel part with frames of user
 * mode. The flags of a sample say which parts it has. A part of as many frames
 * as the recorder writes, or as are kept, has lost others. */
static void find_stacks(struct observations *seen, struct chain_stacks *chains,
                        const uint32_t *memory)
{
    static const struct location none = {
        .module = NO_ID, .method = NO_ID, .cause = CAUSE_NO_STACK};
    struct samples *s = &seen->samples;
    struct profile *p = seen->profile;
    const struct callchain *list = seen->callchains.list.data;
    uint32_t deepest = STACK_PART_DEEPEST;
    uint64_t most = seen->most_cost ? profile_cost(p) + seen->most_cost : 0;
    size_t met = 0; /* stacks */

    if (seen->deepest && seen->deepest < deepest)
        deepest = seen->deepest;
    for (size_t i = 0; i < s->len; i++) {
        uint32_t process = memory[s->thread[i]], stack = 0;

        if (most && p->stacks.len != met && profile_cost(p) > most) {
            leave_out_rest(p, s, i);
            return;
        }
        met = p->stacks.len;
        if (list[s->stack[i]].count >= deepest ||
            list[s->inner[i]].count >= deepest)
            s->flags[i] = stack_end_put(s->flags[i], STACK_END_DEPTH);
        if (s->stack[i])
            s->flags[i] |= SAMPLE_USER_PART | SAMPLE_HAS_STACK;
        if (s->inner[i] && !s->leaf[i])
            s->flags[i] |= SAMPLE_KERNEL_PART | SAMPLE_HAS_STACK;
        if (s->stack[i])
            stack =
                chain_stacks_at(chains, 0, process, s->stack[i], s->time[i]);
        if (s->inner[i]) {
            if (!s->leaf[i] && chain_stacks_is_kernel(chains, s->inner[i]))
                process = NO_ID;
            stack = chain_stacks_at(chains, stack, process, s->inner[i],
                                    s->time[i]);
        }
        s->stack[i] =
            stack ? stack : profile_stack(p, 0, profile_location(p, &none));
    }
}

/* The columns become the profile's, so that memory holds millions of samples
 * once. */
static void give_samples(struct samples *s, struct profile *p)
{
    free(s->inner);
    free(s->leaf);
    s->inner = NULL;
    s->leaf = NULL;
    profile_take_samples(p, s);
    *s = (struct samples){0};
}

/* Events were in order; their times are not known. */
static void forget_times(struct profile *p)
{
    for (size_t i = 0; i < p->processes.len; i++) {
        p->processes.data[i].start = TIME_MIN;
        p->processes.data[i].end = TIME_MAX;
    }
    for (size_t i = 0; i < p->threads.len; i++) {
        p->threads.data[i].start = TIME_MIN;
        p->threads.data[i].end = TIME_MAX;
    }
    for (size_t i = 0; i < p->mappings.len; i++) {
        p->mappings.data[i].from = TIME_MIN;
        p->mappings.data[i].to = TIME_MAX;
    }
    for (size_t i = 0; i < p->methods.code.len; i++) {
        p->methods.code.data[i].from = TIME_MIN;
        p->methods.code.data[i].to = TIME_MAX;
    }
    for (size_t i = 0; i < p->samples.len; i++)
        p->samples.time[i] = 0;
}

/* A chain of the greatest length was cut, so its stacks are truncated. */
static void note_cut(struct observations *seen, struct profile *p)
{
    const struct callchains *runs = &seen->callchains;
    struct samples *s = &seen->samples;

    if (!runs->cut)
        return;
    p->quality.cut_stacks += runs->cut;
    profile_warn(
        p, "stacks deeper than %u frames, truncated to their leaf frames: %llu",
        STACK_PART_DEEPEST, (unsigned long long)runs->cut);
    for (size_t i = 0; i < s->len; i++) {
        uint32_t run = s->stack[i] ? s->stack[i] : s->inner[i];

        if (runs->list.data[run].count == STACK_PART_DEEPEST)
            s->flags[i] = stack_end_put(s->flags[i], STACK_END_DEPTH);
    }
}

/* ---- roots of stacks ---- */

/* Every thread of Windows begins in ntdll, if it has a user part, and in the
 * kernel's image, if it has none. */
enum module_role { ROLE_OTHER, ROLE_NTDLL, ROLE_KERNEL };

static uint8_t *module_roles(const struct profile *p)
{
    static const struct {
        const char *name;
        enum module_role role;
    } known[] = {
        {"ntdll.dll", ROLE_NTDLL},     {"ntoskrnl.exe", ROLE_KERNEL},
        {"ntkrnlmp.exe", ROLE_KERNEL}, {"ntkrnlpa.exe", ROLE_KERNEL},
        {"ntkrpamp.exe", ROLE_KERNEL},
    };
    uint8_t *roles = mem_new(p->modules.len, sizeof(*roles));

    for (size_t i = 0; i < p->modules.len; i++)
        for (size_t k = 0; k < sizeof(known) / sizeof(*known); k++)
            if (strcasecmp(strings_get(p->strings, p->modules.data[i].name),
                           known[k].name) == 0)
                roles[i] = (uint8_t)known[k].role;
    return roles;
}

/* A frame that called nothing is a leaf rather than a start. */
static enum stack_end end_at(const struct profile *p, const uint8_t *roles,
                             const struct stack_root *root)
{
    const struct location *l = &p->locations.data[root->location];
    const struct location *callee =
        root->callee == NO_ID ? NULL : &p->locations.data[root->callee];

    if (l->module == NO_ID)
        return l->method == NO_ID ? STACK_END_UNKNOWN
                                  : STACK_END_GENERATED_CODE;
    if (!callee || (callee->kind == CODE_KERNEL) != (l->kind == CODE_KERNEL))
        return STACK_END_UNKNOWN;
    return roles[l->module] ==
                   (l->kind == CODE_KERNEL ? ROLE_KERNEL : ROLE_NTDLL)
               ? STACK_END_ROOT
               : STACK_END_UNKNOWN;
}

/* Notes which stacks reached their root, as far as the modules tell in which
 * they end: names prove more roots later (symbols/stack_ends.h). */
static void find_stack_ends(struct profile *p)
{
    struct samples *s = &p->samples;
    struct stack_root *roots = stack_roots_new(p);
    uint8_t *roles = module_roles(p);
    uint8_t *ends = mem_new(p->stacks.len, sizeof(*ends));
    /* By process; the kernel's own processes have none. */
    bool *with_user = mem_new(p->processes.len, sizeof(*with_user));

    for (size_t i = 0; i < s->len; i++)
        if (s->flags[i] & SAMPLE_USER_PART)
            with_user[p->threads.data[s->thread[i]].process] = true;
    for (size_t i = 0; i < s->len; i++) {
        enum stack_class class = stack_class(s->flags[i]);

        if (stack_end_of(s->flags[i]) != STACK_END_UNKNOWN)
            continue;
        if (class == STACK_NONE)
            s->flags[i] = stack_end_put(s->flags[i], STACK_END_NO_STACK);
        else if (class == STACK_KERNEL &&
                 with_user[p->threads.data[s->thread[i]].process])
            s->flags[i] = stack_end_put(s->flags[i], STACK_END_NO_USER_PART);
    }
    for (size_t i = 0; i < p->stacks.len; i++)
        if (roots[i].location != NO_ID)
            ends[i] = (uint8_t)end_at(p, roles, &roots[i]);
    stack_ends_put(p, ends);
    free(roots);
    free(roles);
    free(with_user);
    free(ends);
}

/* ---- all of it ---- */

/* A trace may have a process and a thread for each of its samples. */
static void forget_threads(struct observations *seen, struct lifetimes *lives)
{
    lifetimes_forget_threads(lives);
    vec_release(&seen->thread_keys);
    vec_release(&seen->processes);
    vec_release(&seen->threads);
}

void attribute(struct observations *seen)
{
    struct profile *p = seen->profile;
    struct lifetimes lives;
    struct address_spaces spaces;
    struct locator locator;
    struct chain_stacks chains;
    uint32_t *memory; /* by thread, the process whose memory it has */
    uint64_t kept;

    map_release(&seen->callchains.ids); /* no more chains or threads come */
    map_release(&seen->thread_key_ids);
    profile_fit_weights(p, seen->samples.weight, &seen->samples.len);
    note_cut(seen, p);
    lifetimes_build(&lives, seen);
    find_threads(seen, &lives);
    forget_threads(seen, &lives);
    address_spaces_init(&spaces, seen, &lives);
    address_spaces_build(&spaces);
    locator_init(&locator, &spaces);
    chain_stacks_init(&chains, &locator, most_changes(seen));
    memory = mem_new(p->threads.len, sizeof(*memory));
    for (size_t i = 0; i < p->threads.len; i++)
        memory[i] = lifetimes_memory(&lives, p->threads.data[i].process);
    find_stacks(seen, &chains, memory);
    kept = chains.kept;
    chain_stacks_release(&chains);
    free(memory);
    callchains_release(&seen->callchains); /* as much as stacks take */
    wakers_join(seen);
    map_release(&p->stacks.ids); /* no more stacks come */
    give_samples(&seen->samples, p);
    find_stack_ends(p);
    trace_names_add(&locator.names);
    match_il_maps(seen, locator.names.method_ids);
    clr_collections_state(seen, &lives);
    clr_jit_state(seen);
    locator_release(&locator);
    address_spaces_release(&spaces);
    lifetimes_release(&lives);
    if (seen->untimed)
        forget_times(p);
    if (kept)
        profile_warn(p,
                     "generated code was replaced under too many stacks: %llu "
                     "samples may have the names of earlier code",
                     (unsigned long long)kept);
}
