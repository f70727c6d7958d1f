#include "engine/attribution/stack_ends.h"

#include <stdlib.h>
#include <strings.h>

#include "engine/model/profile.h"

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

static uint8_t *ends_of_stacks(const struct profile *p)
{
    struct stack_root *roots = stack_roots_new(p);
    size_t count = p->stacks.len;
    uint8_t *roles = module_roles(p), *ends = mem_new(count, sizeof(*ends));

    for (size_t i = 0; i < count; i++)
        if (roots[i].location != NO_ID)
            ends[i] = (uint8_t)end_at(p, roles, &roots[i]);
    free(roles);
    free(roots);
    return ends;
}

/* By process: whether any of its samples has frames of user mode. The kernel's
 * own processes have none. */
static bool *processes_with_user_part(const struct profile *p)
{
    bool *with = mem_new(p->processes.len, sizeof(*with));

    for (size_t i = 0; i < p->samples.len; i++)
        if (p->samples.flags[i] & SAMPLE_USER_PART)
            with[p->threads.data[p->samples.thread[i]].process] = true;
    return with;
}

void stack_ends_attribute(struct profile *p)
{
    struct samples *s = &p->samples;
    uint8_t *ends = ends_of_stacks(p);
    bool *with_user = processes_with_user_part(p);

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
    stack_ends_put(p, ends);
    free(with_user);
    free(ends);
}
