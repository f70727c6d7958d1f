#include "symbols/names/demangle_spelling.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "engine/base/mem.h"
#include "symbols/names/demangle_tree.h"

/* A value of type void, which no name has otherwise. */
#define MARK "LvTnE"

/* In front of what was behind "sr". */
#define QUALIFIED "sr "

enum { DIGITS_MOST = 5 };

struct spelling {
    const char *start, *at; /* of the name */
    char *to;
    bool literal;       /* of an enumeration; its number is still to come */
    bool lambda;        /* there was one: a number may count it */
    unsigned depth;     /* what an E is still to end */
    unsigned qualified; /* depth around the "sr" that is being read */
};

static void copy(struct spelling *s, size_t n)
{
    memcpy(s->to, s->at, n);
    s->to += n;
    s->at += n;
}

static void put(struct spelling *s, const char *text)
{
    s->to = stpcpy(s->to, text);
}

static bool starts(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* Past an identifier with its length in front; NULL if there is none. */
static const char *past_identifier(const char *at)
{
    size_t digits = strspn(at, "0123456789"), n;

    if (!digits || digits > DIGITS_MOST || *at == '0')
        return NULL;
    n = strtoul(at, NULL, 10);
    return memchr(at + digits, '\0', n) ? NULL : at + digits + n;
}

static char before(const struct spelling *s, size_t n)
{
    if ((size_t)(s->at - s->start) < n)
        return '\0';
    return s->at[-(ptrdiff_t)n];
}

/* "S1_", "T0_", "A10_", "Ut0_", "fp0_", "UlvE0_", "Li1E" rather than a name
 * that begins with an underscore or an E. */
static bool is_number(const struct spelling *s)
{
    size_t digits = strspn(s->at, "0123456789");
    char last = before(s, 1), one = before(s, 2);

    if (s->at[digits] == 'E' && s->literal)
        return true;
    if (s->at[digits] != '_')
        return false;
    return last == 'S' || last == 'T' || last == 'A' ||
           (last == 't' && one == 'U') || (last == 'p' && one == 'f') ||
           (last == 'E' && s->lambda);
}

static void copy_number(struct spelling *s)
{
    const char *end = is_number(s) ? NULL : past_identifier(s->at);

    if (end) {
        copy(s, (size_t)(end - s->at));
        return;
    }
    copy(s, strspn(s->at, "0123456789"));
    s->literal = false;
}

/* "Li42E" at once. */
static void copy_literal(struct spelling *s)
{
    size_t n = 1;

    if (islower((unsigned char)s->at[n])) {
        n++;
        n += s->at[n] == 'n';
        n += strspn(s->at + n, "0123456789abcdef");
        n += s->at[n] == 'E';
    } else {
        s->literal = s->at[n] != '_';
        s->depth++;
    }
    copy(s, n);
}

/* Identifiers one after the other. */
struct parts {
    const char *part[16];
    size_t count, length; /* of all, with "::" between */
};

static bool add_part(struct parts *p, const char **at)
{
    const char *end = past_identifier(*at);

    if (!end || p->count == 16)
        return false;
    p->length +=
        (p->count ? 2 : 0) + (size_t)(end - *at) - strspn(*at, "0123456789");
    p->part[p->count++] = *at;
    *at = end;
    return true;
}

static void put_parts(struct spelling *s, const struct parts *p,
                      const char *front)
{
    s->to += sprintf(s->to, "%zu%s", p->length + strlen(front), front);
    for (size_t i = 0; i < p->count; i++) {
        const char *end = past_identifier(p->part[i]);

        if (i)
            put(s, "::");
        s->at = p->part[i] + strspn(p->part[i], "0123456789");
        copy(s, (size_t)(end - s->at));
    }
}

/* "sr3std6rangesE5begin" becomes "18std::ranges::begin";
 * "sr3std7is_sameI...EE5value" becomes "dt" of two names, which is made one
 * in the tree. */
static bool put_qualified(struct spelling *s)
{
    struct parts p = {.count = 0};
    const char *at = s->at + 2;

    while (add_part(&p, &at))
        ;
    if (p.count && *at == 'E' && at++ && add_part(&p, &at)) {
        put_parts(s, &p, "");
        return true;
    }
    if (!p.count || *at != 'I' || s->qualified)
        return false;
    put(s, "dt");
    put_parts(s, &p, QUALIFIED);
    s->qualified = s->depth + 1;
    return true;
}

static const char *past_tags(const char *at)
{
    const char *end;

    while (*at == 'B' && (end = past_identifier(at + 1)) != NULL)
        at = end;
    return at;
}

/* "C1", "D2", "CI1" of a template, and its tags. */
static bool copy_structor(struct spelling *s)
{
    size_t n = starts(s->at, "CI") ? 2 : 1;
    const char *end;

    if (s->at[n] < '0' || s->at[n] > '5' || s->at[n + 1] != 'B')
        return false;
    end = past_tags(s->at + n + 1);
    if (*end != 'I')
        return false;
    copy(s, n + 1);
    s->at = end;
    return true;
}

/* "S_", "T0_", "SI_". */
static bool copy_reference(struct spelling *s)
{
    size_t n = 1 + strspn(s->at + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");

    if (s->at[n] != '_')
        return false;
    copy(s, n + 1);
    return true;
}

/* What an E ends begins here. */
static bool opens(const struct spelling *s)
{
    return strchr("INJXF", *s->at) != NULL ||
           (*s->at == 'Z' && before(s, 1) != '_') || starts(s->at, "Ul") ||
           starts(s->at, "DT") || starts(s->at, "Dt") ||
           (starts(s->at, "cl") && !strchr("EIB", s->at[2])) ||
           starts(s->at, "tl") || starts(s->at, "il") || starts(s->at, "sr");
}

static void copy_other(struct spelling *s)
{
    bool ends = *s->at == 'E' && s->depth;

    s->depth += opens(s);
    s->depth -= ends;
    copy(s, 1);
    if (!ends || s->depth + 1 != s->qualified)
        return;
    s->qualified = 0;
    s->at += *s->at == 'E';
}

/* Behind a D it is decltype. */
static bool put_parameter(struct spelling *s)
{
    char kind = s->at[1];

    if (before(s, 1) == 'D' || !kind || !strchr("nypt", kind))
        return false;
    s->at += 2;
    if (kind == 'n')
        put(s, MARK);
    else if (kind == 't')
        put(s, MARK "J"); /* its E ends that */
    s->depth += kind == 't';
    return true;
}

static bool put_newer(struct spelling *s)
{
    switch (*s->at) {
    case 's':
        return s->at[1] == 'r' && put_qualified(s);
    case 'C':
    case 'D':
        return copy_structor(s);
    case 'S':
        return copy_reference(s);
    case 'T':
        return copy_reference(s) || put_parameter(s);
    default:
        return false;
    }
}

char *demangle_older(const char *name)
{
    /* The mark is the most that is put for a letter or two. */
    char *text = mem_new(4 * strlen(name) + 16, 1);
    struct spelling s = {.start = name, .at = name, .to = text};

    while (*s.at && *s.at != '.' && (*s.at != 'Q' || s.depth)) {
        s.lambda |= starts(s.at, "Ul");
        if (isdigit((unsigned char)*s.at))
            copy_number(&s);
        else if (*s.at == 'L')
            copy_literal(&s);
        else if (!put_newer(&s))
            copy_other(&s);
    }
    /* What a template requires ends the name. */
    put(&s, s.at + (*s.at == 'Q' ? strcspn(s.at, ".") : 0));
    return text;
}

/* ---- in the tree ---- */

static bool is_mark(const struct demangle_component *c)
{
    const struct demangle_component *value;

    if (!c || c->type != DEMANGLE_COMPONENT_LITERAL)
        return false;
    value = c->u.s_binary.right;
    return value && value->type == DEMANGLE_COMPONENT_NAME &&
           value->u.s_name.len == 2 && !memcmp(value->u.s_name.s, "Tn", 2);
}

static bool is_qualified_name(const struct demangle_component *c)
{
    return c && c->type == DEMANGLE_COMPONENT_NAME &&
           c->u.s_name.len > (int)strlen(QUALIFIED) &&
           starts(c->u.s_name.s, QUALIFIED);
}

/* "sr std::is_same<...>.value" loses its mark and gets its "::". */
static void qualify(struct demangle_component *c)
{
    struct demangle_component *both = c->u.s_binary.right, *left, *name;

    if (!both || both->type != DEMANGLE_COMPONENT_BINARY_ARGS)
        return;
    left = both->u.s_binary.left;
    if (!left || left->type != DEMANGLE_COMPONENT_TEMPLATE)
        return;
    name = left->u.s_binary.left;
    if (!is_qualified_name(name))
        return;
    name->u.s_name.s += strlen(QUALIFIED);
    name->u.s_name.len -= (int)strlen(QUALIFIED);
    c->type = DEMANGLE_COMPONENT_QUAL_NAME;
    c->u.s_binary.left = left;
    c->u.s_binary.right = both->u.s_binary.right;
}

/* The mark and the argument behind it make way for the one that follows. */
static void drop(void *context, struct demangle_component *c)
{
    struct demangle_component *next;
    bool *good = context;

    if (c->type == DEMANGLE_COMPONENT_BINARY)
        qualify(c);
    if (c->type != DEMANGLE_COMPONENT_TEMPLATE_ARGLIST ||
        !is_mark(c->u.s_binary.left))
        return;
    next = c->u.s_binary.right;
    next = next ? next->u.s_binary.right : NULL;
    if (next)
        *c = *next;
    else
        *good = false;
}

bool demangle_drop_parameters(struct demangle_component *tree)
{
    bool good = true;

    demangle_tree_walk(tree, drop, &good);
    return good;
}
