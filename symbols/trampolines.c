#include "symbols/trampolines.h"

#include <stdlib.h>
#include <string.h>

/* The beginnings of the names of entries. */
static const char *const entries[] = {
    /* Windows, in the program */
    "KiUserExceptionDispatch",
    "KiUserApcDispatch",
    /* and in its kernel */
    "KiInterruptDispatch",
    "KiChainedDispatch",
    "KiPageFault",
    "KiGeneralProtectionFault",
    "KiInvalidOpcodeFault",
    "KiDivideErrorFault",
    "KiNpxNotAvailableFault",
    "KiBreakpointTrap",
    "KiDpcInterrupt",
    "KiApcInterrupt",
    "KiIpiInterrupt",
    "KiHvInterrupt",
    "KiNmiInterrupt",
    /* Linux: x64, arm64 */
    "asm_sysvec_",
    "asm_exc_",
    "asm_common_interrupt",
    "asm_spurious_interrupt",
    "el1h_64_",
    "el1t_64_",
};

static bool is_entry(const char *name)
{
    for (size_t i = 0; i < sizeof(entries) / sizeof(*entries); i++)
        if (*name == *entries[i] &&
            !strncmp(name, entries[i], strlen(entries[i])))
            return true;
    return false;
}

/* The function that a location is in, so far: a string, "" unknown. */
static uint32_t name_of(const struct profile *p, uint32_t location)
{
    uint32_t n;
    const struct frame *given = profile_given(p, location, &n);
    uint32_t method = p->locations.data[location].method;

    if (given)
        return p->functions.data[given[n - 1].function].name;
    return method != NO_ID ? p->methods.data[method].full_name : 0;
}

/* Locations in entries; for free(). NULL: there are none. */
static bool *find_entries(const struct profile *p)
{
    bool *is = mem_new(p->locations.len, sizeof(*is)), any = false;

    for (uint32_t i = 0; i < p->locations.len; i++) {
        uint32_t name =
            code_is_native(p->locations.data[i].kind) ? name_of(p, i) : 0;

        is[i] = name && is_entry(strings_get(p->strings, name));
        any |= is[i];
    }
    if (any)
        return is;
    free(is);
    return NULL;
}

enum { BELOW_ENTRY = 1, BELOW_OTHER = 2 };

/* By stack, what lies above its innermost frame; for free(). A name that has
 * both stays as it is. */
static uint8_t *find_interrupted(const struct profile *p, const bool *is_entry)
{
    uint8_t *below = mem_new(p->stacks.len, sizeof(*below));

    for (size_t i = 1; i < p->stacks.len; i++) {
        const struct stack *s = &p->stacks.data[i];

        below[s->parent] |= is_entry[s->location] ? BELOW_ENTRY : BELOW_OTHER;
    }
    for (size_t i = 0; i < p->samples.len; i++)
        below[p->samples.stack[i]] |= BELOW_OTHER;
    return below;
}

static uint32_t exact_of(struct trampolines *t, struct profile *p,
                         uint32_t location)
{
    struct location exact = p->locations.data[location];
    uint32_t fresh = mem_next_id(p->locations.len), id;

    exact.caller = false;
    id = profile_location(p, &exact);
    if (id == fresh)
        *vec_add(&t->apart) = (struct set_apart){location, id};
    return id;
}

static void set_apart(struct trampolines *t, struct profile *p,
                      const bool *is_entry)
{
    uint8_t *below = find_interrupted(p, is_entry);

    for (size_t i = 1; i < p->stacks.len; i++) {
        struct stack *s = &p->stacks.data[i];

        if (below[i] == BELOW_ENTRY && p->locations.data[s->location].caller)
            s->location = exact_of(t, p, s->location);
    }
    free(below);
}

struct trampolines trampolines_apart(struct profile *p)
{
    struct trampolines t = {.first = (uint32_t)p->locations.len};
    bool *is_entry = find_entries(p);

    if (is_entry)
        set_apart(&t, p, is_entry);
    free(is_entry);
    return t;
}

void trampolines_end(struct trampolines *t, struct profile *p)
{
    for (size_t i = 0; i < t->apart.len; i++)
        profile_share_frames(p, t->apart.data[i].exact,
                             t->apart.data[i].caller);
    vec_release(&t->apart);
}
