/* Trees of mappings against tables of every address, through forks. */
#include "engine/format/perfdata/mapping_tree.h"

#include "engine/model/profile.h"
#include "tests/support/suite.h"

enum { ADDRESSES = 600, PROCESSES = 5, MAPPINGS = 4000 };

struct space {
    uint32_t root, owner;
    uint32_t mapped[ADDRESSES];
};

static void check(const struct pd_mapping_tree *t, const struct space *p)
{
    for (uint64_t i = 0; i < ADDRESSES; i++)
        ck_assert_uint_eq(pd_mapping_tree_find(t, p->root, i), p->mapped[i]);
}

TEST(mappings_hide_each_other)
{
    static struct space all[PROCESSES];
    struct pd_mapping_tree t = {.most = SIZE_MAX};
    uint32_t seed = 1;

    for (unsigned k = 0; k < PROCESSES; k++) {
        all[k].root = NO_ID;
        all[k].owner = ++t.owners;
        memset(all[k].mapped, 0xFF, sizeof(all[k].mapped));
    }
    for (uint32_t n = 0; n < MAPPINGS; n++) {
        struct space *p;
        uint64_t base, size;

        seed = seed * 1664525 + 1013904223;
        p = &all[(seed >> 8) % PROCESSES];
        base = (seed >> 12) % ADDRESSES;
        size = (seed >> 4) % 40;
        if (size > ADDRESSES - base)
            size = ADDRESSES - base;
        p->root = pd_mapping_tree_set(&t, p->root, p->owner, base, size, n);
        for (uint64_t i = 0; i < size; i++)
            p->mapped[base + i] = n;
        if (n % 16 == 0) { /* another process becomes its child */
            struct space *child = &all[(seed >> 20) % PROCESSES];

            *child = *p;
            child->owner = ++t.owners;
            p->owner = ++t.owners;
        }
        if (n % 50 == 0)
            for (unsigned k = 0; k < PROCESSES; k++)
                check(&t, &all[k]);
    }
    pd_mapping_tree_release(&t);
}

/* To the last address there is, and not round to the first. */
TEST(the_end_of_memory)
{
    struct pd_mapping_tree t = {.most = 3};
    uint32_t root = pd_mapping_tree_set(&t, NO_ID, 0, UINT64_MAX - 9, 100, 7);

    ck_assert_uint_eq(pd_mapping_tree_find(&t, root, UINT64_MAX), 7);
    ck_assert_uint_eq(pd_mapping_tree_find(&t, root, 0), NO_ID);
    root = pd_mapping_tree_set(&t, root, 0, UINT64_MAX, 1, 8);
    ck_assert_uint_eq(pd_mapping_tree_find(&t, root, UINT64_MAX), 8);
    ck_assert_uint_eq(pd_mapping_tree_find(&t, root, UINT64_MAX - 1), 7);
    root = pd_mapping_tree_set(&t, root, 0, 0, UINT64_MAX, 9);
    ck_assert(t.full);
    ck_assert_uint_eq(pd_mapping_tree_find(&t, root, 0), NO_ID);
    pd_mapping_tree_release(&t);
}
