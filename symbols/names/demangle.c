#include "symbols/names/demangle.h"

#include <libiberty/demangle.h>
#include <libiberty/libiberty.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/map.h"
#include "engine/base/mem.h"
#include "engine/base/text.h"
#include "engine/base/vec.h"

/*
 * Decides whether a mangled name can be read at a bounded cost.
 *
 * libiberty counts no steps, and some names cost 2^n: a C++ conversion whose
 * arguments are read twice, a search for packs through types that name each
 * other. The cost of a name is worked out beforehand,
 * from its text and from its parsed tree, so that the answer depends on the
 * name alone.
 */

enum {
    MOST_STEPS = 1 << 22,  /* of parsing, some 10 ms */
    MOST_PACK = 1 << 12,   /* components under one pack expansion */
    MOST_SEARCH = 1 << 20, /* all pack expansions together */
    MOST_SIZE = 1 << 30,   /* what is more is counted as that */
    MOST_SCOPES = 1 << 16, /* of 16 bytes, on the stack */
    STEPS = 4,             /* as long as one character of text takes */
    USUAL = 1024,          /* text of a name that no budget is needed for */
    TEXT_RATIO = 64,       /* substitutions make real names 10 times longer */
    TEXT_MOST = 64 << 10,
};

size_t demangle_bound_text(size_t n)
{
    size_t most = 1024 + TEXT_RATIO * n;

    return most < TEXT_MOST ? most : TEXT_MOST;
}

/* NULL: there is no budget. */
static bool take_cost(struct budget *cost, size_t n)
{
    return !cost || budget_take(cost, n);
}

/* n * 2^doublings, at most. */
static bool affordable(size_t n, size_t doublings)
{
    return doublings < 22 && n <= (size_t)MOST_STEPS >> doublings;
}

/* "T_I", "T0_I": arguments of a template parameter. After "cv" they are read
 * once to see what follows, and once more. */
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

static bool demangle_bound_cpp(const char *name, struct budget *cost)
{
    size_t n = strlen(name), doublings;

    if (!strstr(name, "cv"))
        return true;
    doublings = count_parameter_arguments(name);
    return affordable(n, doublings) &&
           take_cost(cost, (n << doublings) / STEPS);
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

/* Tells whether it is new, and so must be visited first. */
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
static bool demangle_bound_tree(struct demangle_component *tree,
                                struct budget *cost)
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
           take_cost(cost, (size_t)m.search / STEPS) &&
           4 * m.templates * m.references <= MOST_SCOPES;
}

/* Names of 1 KiB are common in template libraries, 4 KiB very rare. */
enum { MOST_IN = 4096 };

static atomic_bool gave_up;

bool demangle_gave_up(void)
{
    return atomic_exchange(&gave_up, false);
}

static bool give_up(void)
{
    atomic_store(&gave_up, true);
    return false;
}

/* libiberty does not let a callback stop it, and holds nothing but stack
 * while it calls: jumping out is the only bound on its output, and safe. */
struct output {
    char *text;
    size_t len, most;
    struct budget *cost;
    jmp_buf full;
};

static void take(const char *text, size_t n, void *context)
{
    struct output *out = context;

    if (n >= out->most - out->len)
        longjmp(out->full, 1);
    if (n) /* else `text` may be NULL */
        memcpy(out->text + out->len, text, n);
    out->len += n;
}

static bool run_rust(const char *name, int options, struct output *out)
{
    out->len = 0;
    if (setjmp(out->full))
        return give_up();
    return rust_demangle_callback(name, options, take, out);
}

static bool print(struct demangle_component *tree, int options,
                  struct output *out)
{
    out->len = 0;
    if (setjmp(out->full))
        return give_up();
    return cplus_demangle_print_callback(options, tree, take, out);
}

/* Parses first, because the tree shows what printing would cost. */
static bool run_cpp(const char *name, int options, struct output *out)
{
    struct demangle_component *tree;
    void *memory = NULL;
    bool done = false;

    if (!demangle_bound_cpp(name, out->cost))
        return give_up();
    tree = cplus_demangle_v3_components(name, options, &memory);
    if (tree)
        done = demangle_bound_tree(tree, out->cost) ? print(tree, options, out)
                                                    : give_up();
    free(memory);
    return done;
}

/* A name that comes to nothing is none. */
static bool decode(const char *name, enum demangle_style style,
                   struct output *out)
{
    int options = style == DEMANGLE_FULL ? DMGL_PARAMS : 0;

    options |= DMGL_ANSI;
    /* A symbol of 32-bit PE has one underscore more. */
    name =
        name[0] == '_' && name[1] == '_' && (name[2] == 'Z' || name[2] == 'R')
            ? name + 1
            : name;
    if (name[0] != '_' || (name[1] != 'R' && name[1] != 'Z'))
        return false;
    if (run_rust(name, options, out) && out->len)
        return true;
    return name[1] == 'Z' && run_cpp(name, options, out) && out->len;
}

/* ---- shortening ---- */

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
           (c >= 'a' && c <= 'z') || c == '_' || c == '$' || c & 0x80;
}

/* Length of the longest sign at `at`; a template's argument may follow. */
static size_t sign_length(const char *at)
{
    static const char *const signs[] = {
        "<<=", ">>=", "<=>", "->*", "<<", ">>", "<=", ">=", "==",
        "!=",  "&&",  "||",  "++",  "--", "+=", "-=", "*=", "/=",
        "%=",  "^=",  "&=",  "|=",  "->", "()", "[]"};

    for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
        if (text_starts(at, signs[i]))
            return strlen(signs[i]);
    return *at && strchr("<>=-!&|+*/%^~,", *at) ? 1 : 0;
}

/* The word and the sign behind it, of an operator's name; 0 for others. */
static size_t operator_length(const char *text, const char *at)
{
    static const char word[] = "operator";
    size_t n = strlen(word);

    if (!text_starts(at, word) || (at > text && is_word(at[-1])))
        return 0;
    return n + sign_length(at + n);
}

/* Past the bracket that closes the one at `at`; the end if none does. */
static const char *past_brackets(const char *text, const char *at)
{
    unsigned depth = 0;

    while (*at) {
        size_t skip = operator_length(text, at);

        if (skip) {
            at += skip;
            continue;
        }
        if (*at == '<' || *at == '(')
            depth++;
        else if (*at == ')' || (*at == '>' && at[-1] != '-'))
            depth--;
        at++;
        if (!depth)
            break;
    }
    return at;
}

/* Template arguments follow a name; "<impl" and "<T as" begin one. */
static bool is_arguments(const char *text, const char *at)
{
    if (*at != '<' || at == text)
        return false;
    if (at[-1] == ':')
        return !text_starts(at, "<impl");
    return is_word(at[-1]) || strchr(")]}>=-!&|+*/%^~,", at[-1]);
}

/* Parameters follow a name and end it, but for what follows in a nested name,
 * as in "f(int)::g". "(anonymous namespace)" begins one. The text after
 * "operator void (*)" is part of that name. */
static bool is_parameters(const char *text, const char *at)
{
    return *at == '(' && at > text && (at - text < 2 || at[-2] != '*') &&
           (is_word(at[-1]) || strchr(">)]}=-!&|+*/%^~,", at[-1]));
}

/* Shortens a name that is readable already; returns it if nothing is dropped.
 */
static const char *shortened(const char *name, struct arena *arena)
{
    char *text, *to;
    const char *at = name;

    if (!strpbrk(name, "<([") ||
        strlen(name) >= demangle_bound_text(MOST_IN) + MOST_IN)
        return name;
    text = to = arena_alloc(arena, strlen(name) + 1, 1, 1);
    while (*at && !text_starts(at, " [clone")) {
        size_t n = operator_length(name, at);

        if (n) {
            memcpy(to, at, n);
            to += n;
            at += n;
            if (text_starts(at, " <")) /* "operator< <int>" */
                at = past_brackets(name, at + 1);
            if (n > strlen("operator") && *at == '(')
                at = past_brackets(name, at);
        } else if (is_arguments(name, at) || is_parameters(name, at)) {
            if (at[-1] == ':' && to - text > 2)
                to -= 2; /* Rust's "::<" */
            at = past_brackets(name, at);
        } else {
            *to++ = *at++;
        }
    }
    *to = '\0';
    return text[0] ? text : name;
}

const char *demangle(const char *name, enum demangle_style style,
                     struct arena *arena, struct budget *cost)
{
    size_t n = strcspn(name, "@");
    const char *text = NULL;

    if (style == DEMANGLE_NONE)
        return name;
    if (n > MOST_IN || strlen(name + n) > MOST_IN)
        give_up();
    else if (name[0] == '_') {
        /* "_Zfoo@plt" in two parts. */
        size_t tail = strlen(name + n), most = demangle_bound_text(n);
        struct output out = {.cost = cost};
        char plain[MOST_IN + 1];

        if (cost && cost->usual + cost->left < most)
            most = (size_t)(cost->usual + cost->left);
        out.most = most;
        out.text = mem_new(most + tail, 1);
        memcpy(plain, name, n);
        plain[n] = '\0';
        if (decode(plain, style, &out)) {
            memcpy(out.text + out.len, name + n, tail);
            text = arena_strndup(arena, out.text, out.len + tail);
        }
        (void)take_cost(cost, out.len);
        free(out.text);
    }
    if (!text)
        text = name;
    return style == DEMANGLE_SHORT ? shortened(text, arena) : text;
}

static bool is_mangled(const char *name)
{
    if (name[0] == '_' && name[1] == '_')
        name++; /* 32-bit PE */
    return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

const char *symbol_readable(const char *name, enum demangle_style style,
                            struct arena *arena, struct budget *cost)
{
    const char *text = NULL;

    if (style == DEMANGLE_NONE || !name)
        return name;
    budget_question(cost, USUAL);
    if (*name == '?') {
        text = undecorate(arena, name, style == DEMANGLE_FULL, cost);
        if (cost->cut)
            give_up();
    } else if (is_mangled(name))
        text = demangle(name, style, arena, cost);
    return text ? text : name;
}
