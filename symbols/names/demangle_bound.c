#include "symbols/names/demangle_bound.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "engine/base/map.h"
#include "engine/base/mem.h"
#include "engine/base/vec.h"

enum {
    MOST_STEPS = 1 << 22,  /* of parsing, some 10 ms */
    MOST_PACK = 1 << 12,   /* components under one pack expansion */
    MOST_SEARCH = 1 << 20, /* all pack expansions together */
    MOST_SIZE = 1 << 30,   /* what is more is counted as that */
    MOST_SCOPES = 1 << 16, /* of 16 bytes, on the stack */
    TEXT_RATIO = 64,       /* substitutions make real names 10 times longer */
    TEXT_MOST = 64 << 10,
};

size_t demangle_bound_text(size_t n)
{
    size_t most = 1024 + TEXT_RATIO * n;

    return most < TEXT_MOST ? most : TEXT_MOST;
}

/* n * 2^doublings, at most. */
static bool affordable(size_t n, size_t doublings)
{
    return doublings < 22 && n <= (size_t)MOST_STEPS >> doublings;
}

/* "T_I", "T0_I": arguments of a template parameter. Behind "cv" they are
 * read once to see what follows, and once more. */
static size_t count_parameter_arguments(const char *name)
{
    size_t n = 0;

    for (const char *at = name; (at = strchr(at, 'T')) != NULL; at++) {
        const char *end =
            at + 1 + strspn(at + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");

        n += *end == '_' && end[1] == 'I';
    }
    return n;
}

bool demangle_bound_cpp(const char *name)
{
    return !strstr(name, "cv") ||
           affordable(strlen(name), count_parameter_arguments(name));
}

/* ---- the tree of a C++ name ---- */

typedef struct demangle_component component;

struct children {
    component *child[2];
};

static struct children children_of(const component *c)
{
    switch (c->type) {
    case DEMANGLE_COMPONENT_NAME:
    case DEMANGLE_COMPONENT_TEMPLATE_PARAM:
    case DEMANGLE_COMPONENT_FUNCTION_PARAM:
    case DEMANGLE_COMPONENT_SUB_STD:
    case DEMANGLE_COMPONENT_BUILTIN_TYPE:
    case DEMANGLE_COMPONENT_EXTENDED_BUILTIN_TYPE:
    case DEMANGLE_COMPONENT_OPERATOR:
    case DEMANGLE_COMPONENT_CHARACTER:
    case DEMANGLE_COMPONENT_NUMBER:
    case DEMANGLE_COMPONENT_UNNAMED_TYPE:
        return (struct children){{NULL, NULL}};
    case DEMANGLE_COMPONENT_CTOR:
        return (struct children){{c->u.s_ctor.name, NULL}};
    case DEMANGLE_COMPONENT_DTOR:
        return (struct children){{c->u.s_dtor.name, NULL}};
    case DEMANGLE_COMPONENT_EXTENDED_OPERATOR:
        return (struct children){{c->u.s_extended_operator.name, NULL}};
    case DEMANGLE_COMPONENT_FIXED_TYPE:
        return (struct children){{c->u.s_fixed.length, NULL}};
    case DEMANGLE_COMPONENT_LAMBDA:
    case DEMANGLE_COMPONENT_DEFAULT_ARG:
        return (struct children){{c->u.s_unary_num.sub, NULL}};
    default:
        return (struct children){{c->u.s_binary.left, c->u.s_binary.right}};
    }
}

/* `sizes` has what each comes to when what it shares with others is counted
 * with each. */
struct measure {
    struct map sizes;
    uint64_t search; /* sizes under pack expansions, together */
    uint64_t templates, references;
    bool refused;
};

static uint64_t size_of(const struct measure *m, const component *c)
{
    return c ? map_get(&m->sizes, (uintptr_t)c, 0) : 0;
}

static bool is_parameter(const component *c)
{
    return c && c->type == DEMANGLE_COMPONENT_TEMPLATE_PARAM;
}

static void measure(struct measure *m, const component *c)
{
    struct children of = children_of(c);
    uint64_t size = 1 + size_of(m, of.child[0]) + size_of(m, of.child[1]);

    if (size > MOST_SIZE)
        size = MOST_SIZE;
    map_set(&m->sizes, (uintptr_t)c, 0, (uint32_t)size);
    switch (c->type) {
    case DEMANGLE_COMPONENT_PACK_EXPANSION:
        m->search += size;
        m->refused |= size > MOST_PACK;
        break;
    case DEMANGLE_COMPONENT_TEMPLATE:
        m->templates++;
        break;
    case DEMANGLE_COMPONENT_REFERENCE:
    case DEMANGLE_COMPONENT_RVALUE_REFERENCE:
        m->references += is_parameter(of.child[0]);
        break;
    default:
        break;
    }
}

struct walk {
    struct map met;
    uint32_t count;
    VEC(component *) path; /* what is being visited, outermost first */
};

/* Whether it is new, and so must be visited first. */
static bool enter(struct walk *w, component *c)
{
    if (!c || map_add(&w->met, (uintptr_t)c, 0, w->count) != w->count)
        return false;
    w->count++;
    *vec_add(&w->path) = c;
    return true;
}

/* libiberty keeps, on its stack, the templates around each reference to a
 * parameter, and counts every component up to twice. */
bool demangle_bound_tree(struct demangle_component *tree)
{
    struct measure m = {.refused = false};
    struct walk w;

    /* Measures each component once, its children before it: a substitution
     * names a component that is there already, so the tree shares them. */
    w = (struct walk){.count = 0};
    enter(&w, tree);
    while (w.path.len) {
        component *c = w.path.data[w.path.len - 1];
        struct children of = children_of(c);

        if (enter(&w, of.child[0]) || enter(&w, of.child[1]))
            continue;
        w.path.len--;
        measure(&m, c);
    }
    map_release(&w.met);
    vec_release(&w.path);
    map_release(&m.sizes);
    return !m.refused && m.search <= MOST_SEARCH &&
           4 * m.templates * m.references <= MOST_SCOPES;
}

/* ---- D ---- */

/* Past the number and the identifier at `at`; `at` if there is none. */
static const char *past_identifier(const char *at)
{
    const char *end;
    size_t n = 0;

    for (end = at; *end >= '0' && *end <= '9' && n < 100000; end++)
        n = 10 * n + (size_t)(*end - '0');
    return n && n <= strlen(end) ? end + n : at;
}

/* Where the reference behind the 'Q' at `at` points; NULL for nowhere. The
 * distance has base 26, its last digit in lower case. */
static const char *referred(const char *name, const char *at)
{
    size_t distance = 0;
    const char *digit = at + 1;

    for (; *digit >= 'A' && *digit <= 'Z' && distance < 100000; digit++)
        distance = 26 * distance + (size_t)(*digit - 'A');
    if (*digit < 'a' || *digit > 'z')
        return NULL;
    distance = 26 * distance + (size_t)(*digit - 'a');
    return distance && distance <= (size_t)(at - name) ? at - distance : NULL;
}

/* A function's type behind a name is read as part of it, and once more as
 * what follows if the name ends within. The letters of calling conventions
 * are counted but where a name certainly stands. */
static size_t count_functions(const char *name)
{
    const char *at = name + 2, *end;
    size_t n = 0;

    while ((end = past_identifier(at)) != at)
        at = end;
    for (; *at; at++) {
        if (!strncmp(at, "__T", 3) && past_identifier(at + 3) != at + 3)
            at = past_identifier(at + 3) - 1;
        else
            n += strchr("FUWVRY", *at) != NULL;
    }
    return n;
}

/* What all characters come to when each reference to a type is replaced by
 * the text from there to here; one to an identifier costs its length. */
static size_t expanded(const char *name)
{
    size_t len = strlen(name), total = 0;
    size_t *sums = mem_new(len + 1, sizeof(*sums)); /* of all before */

    for (size_t i = 0; i < len; i++) {
        const char *to = name[i] == 'Q' ? referred(name, name + i) : NULL;

        sums[i] = total;
        if (to && *to >= '0' && *to <= '9')
            total += (size_t)(past_identifier(to) - to);
        else if (to)
            total += total - sums[to - name];
        if (++total > MOST_STEPS)
            break;
    }
    free(sums);
    return total;
}

bool demangle_bound_d(const char *name)
{
    return affordable(expanded(name), count_functions(name));
}
