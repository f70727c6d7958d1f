#include "engine/groups.h"

#include <assert.h>
#include <string.h>

/*
 * Grouping is decided once per frame of a location; the counting below knows
 * only numbers. Inclusive counts come from one walk over the trie of stacks
 * in depth-first order: a group counts where it first appears on a path, and
 * everything sampled at or below that stack is counted with it.
 */
struct grouping {
    const struct profile *p;
    enum rank_by by;
    struct strings *labels; /* of modules and addresses: compared as text */
    struct map ids;
};

static uint64_t label_key(struct grouping *g, const char *text, bool fold)
{
    uint32_t id = strings_add(g->labels, text, strlen(text));

    return fold ? strings_fold(g->labels, id) : id;
}

/* Frames of equal key are one group. Only names of images are compared
 * without regard to case: Foo() and foo() are different methods. */
static void frame_key(struct grouping *g, uint32_t location,
                      const struct frame *frame, uint64_t *a, uint32_t *b)
{
    const struct location *l = &g->p->locations.data[location];
    char text[FUNCTION_NAME_SIZE];

    *b = 0;
    switch (g->by) {
    case RANK_FILE:
        *a = frame->file;
        break;
    case RANK_LINE:
        *a = frame->file;
        *b = frame->file ? frame->line : 0;
        break;
    case RANK_MODULE:
        *a = label_key(g, profile_location_module(g->p, location), true);
        break;
    case RANK_ADDRESS:
        *a = label_key(g, profile_location_name(g->p, location, text),
                       l->module != NO_ID);
        break;
    case RANK_KIND:
        *a = l->kind;
        break;
    default:
        *a = frame->function;
    }
}

/* Modules and addresses are the same for all frames of a location. */
static bool by_location(enum rank_by by)
{
    return by == RANK_MODULE || by == RANK_ADDRESS;
}

static void group_location(struct grouping *g, struct groups *groups,
                           uint32_t location)
{
    uint32_t start = g->p->frame_start.data[location];
    uint32_t end = g->p->frame_start.data[location + 1];

    for (uint32_t i = start; i < end; i++) {
        uint32_t fresh = (uint32_t)groups->first.len, b;
        uint64_t a;

        if (i > start && by_location(g->by)) {
            groups->of_frame[i] = groups->of_frame[start];
            continue;
        }
        frame_key(g, location, &g->p->frames.data[i], &a, &b);
        groups->of_frame[i] = map_add(&g->ids, a, b, fresh);
        if (groups->of_frame[i] == fresh)
            *vec_add(&groups->first) = (struct group_first){location, i};
    }
}

static void group_frames(const struct profile *p, enum rank_by by,
                         struct groups *groups)
{
    struct grouping g = {.p = p, .by = by, .labels = strings_new()};

    groups->of_frame = mem_new(p->frames.len, sizeof(uint32_t));
    for (size_t i = 0; i < p->locations.len; i++)
        group_location(&g, groups, (uint32_t)i);
    map_release(&g.ids);
    strings_free(g.labels);
}

static void count_exclusive(const struct profile *p,
                            const struct selection *sel,
                            struct groups *groups)
{
    for (size_t i = 1; i < p->stacks.len; i++) {
        uint32_t location = p->stacks.data[i].location;
        uint32_t frame = p->frame_start.data[location];

        groups->exclusive[groups->of_frame[frame]] += sel->stack_counts[i];
    }
}

/* The trie of sampled stacks, to walk from parents to children. */
struct trie {
    const struct profile *p;
    uint64_t *inclusive;
    uint32_t *child, *sibling; /* 0: none */
};

static struct trie trie_new(const struct profile *p,
                            const struct selection *sel)
{
    struct trie trie = {p, selection_inclusive(p, sel), NULL, NULL};

    trie.child = mem_new(p->stacks.len, sizeof(uint32_t));
    trie.sibling = mem_new(p->stacks.len, sizeof(uint32_t));
    for (size_t i = p->stacks.len; i-- > 1;) {
        uint32_t parent = p->stacks.data[i].parent;

        if (!trie.inclusive[i])
            continue;
        trie.sibling[i] = trie.child[parent];
        trie.child[parent] = (uint32_t)i;
    }
    return trie;
}

static void trie_release(struct trie *trie)
{
    free(trie->inclusive);
    free(trie->child);
    free(trie->sibling);
}

static void enter(const struct trie *trie, uint32_t stack,
                  struct groups *groups, uint32_t *on_path)
{
    uint32_t location = trie->p->stacks.data[stack].location;
    uint32_t end = trie->p->frame_start.data[location + 1];

    for (uint32_t i = trie->p->frame_start.data[location]; i < end; i++) {
        uint32_t group = groups->of_frame[i];

        if (on_path[group]++ == 0)
            groups->inclusive[group] += trie->inclusive[stack];
    }
}

static void leave(const struct trie *trie, uint32_t stack,
                  const struct groups *groups, uint32_t *on_path)
{
    uint32_t location = trie->p->stacks.data[stack].location;
    uint32_t end = trie->p->frame_start.data[location + 1];

    for (uint32_t i = trie->p->frame_start.data[location]; i < end; i++)
        on_path[groups->of_frame[i]]--;
}

static void count_inclusive(const struct trie *trie, struct groups *groups)
{
    uint32_t *on_path = mem_new(groups->first.len, sizeof(*on_path));
    uint32_t at = trie->child[0];

    while (at) {
        enter(trie, at, groups, on_path);
        if (trie->child[at]) {
            at = trie->child[at];
            continue;
        }
        leave(trie, at, groups, on_path);
        while (at && !trie->sibling[at]) {
            at = trie->p->stacks.data[at].parent;
            if (at)
                leave(trie, at, groups, on_path);
        }
        at = trie->sibling[at];
    }
    free(on_path);
}

void groups_count(struct groups *groups, const struct profile *p,
                  const struct selection *sel, enum rank_by by)
{
    struct trie trie = trie_new(p, sel);

    assert(by != RANK_PROCESS && by != RANK_THREAD);
    group_frames(p, by, groups);
    groups->exclusive = mem_new(groups->first.len, sizeof(uint64_t));
    groups->inclusive = mem_new(groups->first.len, sizeof(uint64_t));
    count_exclusive(p, sel, groups);
    count_inclusive(&trie, groups);
    trie_release(&trie);
}

void groups_release(struct groups *groups)
{
    free(groups->of_frame);
    free(groups->exclusive);
    free(groups->inclusive);
    vec_release(&groups->first);
}
