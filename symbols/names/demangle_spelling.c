#include "symbols/names/demangle_spelling.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "symbols/names/demangle_marks.h"

enum {
    DIGITS_MOST = 5,
    GROWTH = 7, /* "Dk" becomes fourteen letters, "Q" six and an E at its end */
};

struct spelling {
    const char *start, *at; /* of the name */
    char *to;
    bool literal;   /* of an enumeration; its number is still to come */
    bool lambda;    /* there was one: a number may count it */
    unsigned depth; /* what an E is still to end */
    /* Depth in what is being read, of one of a kind at a time; or 0. */
    unsigned qualified; /* behind "sr" */
    unsigned concept;   /* the name behind "Tk" or "Dk" */
    unsigned built_in;  /* the arguments behind "u" */
    unsigned required;  /* the arguments that end with a requirement */
    const char *behind; /* what is to come behind a concept */
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

/* "A10_", "Ut0_", "fp0_", "UlvE0_", "L1a1E" rather than a name that begins
 * with an underscore or an E. */
static bool is_number(const struct spelling *s)
{
    size_t digits = strspn(s->at, "0123456789");
    char last = before(s, 1), one = before(s, 2);

    if (s->at[digits] == 'E' && s->literal)
        return true;
    if (s->at[digits] != '_')
        return false;
    return last == 'A' || (last == 't' && one == 'U') ||
           (last == 'p' && one == 'f') || (last == 'E' && s->lambda);
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

/* "C1", "D2", "CI1": no number begins there. The tags of a template's go. */
static bool copy_structor(struct spelling *s)
{
    size_t n = starts(s->at, "CI") ? 2 : 1;
    const char *end;

    if (s->at[n] < '0' || s->at[n] > '5')
        return false;
    copy(s, n + 1);
    end = past_tags(s->at);
    if (*end == 'I')
        s->at = end;
    return true;
}

/* "S_", "T0_", "SI_", but not "SERS_" of an operator "aS". */
static bool copy_reference(struct spelling *s)
{
    size_t n = 1 + strspn(s->at + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");

    if (s->at[n] != '_' || n > 3)
        return false;
    copy(s, n + 1);
    return true;
}

/* "sZT_", "sZfp_" */
static bool counts_pack(const struct spelling *s)
{
    return before(s, 1) == 's' && (s->at[1] == 'T' || s->at[1] == 'f');
}

/* What an E ends begins here. */
static bool opens(const struct spelling *s)
{
    return strchr("INJXF", *s->at) != NULL ||
           (*s->at == 'Z' && before(s, 1) != '_' && !counts_pack(s)) ||
           starts(s->at, "Ul") || starts(s->at, "DT") || starts(s->at, "Dt") ||
           (starts(s->at, "cl") && !strchr("EIB", s->at[2])) ||
           starts(s->at, "tl") || starts(s->at, "il") || starts(s->at, "sr");
}

static void copy_other(struct spelling *s)
{
    bool ends = *s->at == 'E' && s->depth;

    if (ends && s->depth == s->required) {
        put(s, "E");
        s->required = 0;
    }
    s->depth += opens(s);
    s->depth -= ends;
    copy(s, 1);
    if (ends && s->depth + 1 == s->concept) {
        put(s, s->behind);
        s->concept = 0;
    }
    if (ends && s->depth + 1 == s->built_in) {
        put(s, "E");
        s->built_in = 0;
    }
    if (!ends || s->depth + 1 != s->qualified)
        return;
    s->qualified = 0;
    s->at += *s->at == 'E';
}

/* A concept's name does not count for references, unlike that of a type: it
 * becomes that of a function. Its arguments are read as all others are. */
static bool put_concept(struct spelling *s, const char *front,
                        const char *behind)
{
    bool nested = s->at[2] == 'N';

    if (s->concept)
        return false;
    s->at += 2;
    put(s, front);
    put(s, "L_Z");
    if (!nested) {
        if (starts(s->at, "St"))
            copy(s, 2);
        if (isdigit((unsigned char)*s->at))
            copy_number(s);
        else if (*s->at == 'S')
            (void)copy_reference(s);
    }
    if (nested || *s->at == 'I') {
        s->concept = s->depth + 1;
        s->behind = behind;
    } else {
        put(s, behind);
    }
    return true;
}

/* "u7__decayIT_E", which counts once: becomes what an expression, its name
 * with arguments, is of type. */
static bool put_built_in(struct spelling *s)
{
    struct parts p = {.count = 0};
    const char *at = s->at + 1;

    if (s->built_in || !add_part(&p, &at) || *at != 'I')
        return false;
    put(s, "DT");
    put_parts(s, &p, BUILT_IN);
    s->built_in = s->depth + 1;
    return true;
}

/* "u9__is_sameT_S_E", a value: becomes a template of that name. */
static bool put_trait(struct spelling *s)
{
    struct parts p = {.count = 0};
    const char *at = s->at + 1, *name = at + strspn(at, "0123456789");

    if ((!starts(name, "__is_") && !starts(name, "__has_")) ||
        !add_part(&p, &at) || *at == 'I')
        return false;
    put_parts(s, &p, "");
    put(s, "I");
    s->depth++;
    return true;
}

/* Among the parts of the name itself, where no type is. */
static bool drop_friend(struct spelling *s)
{
    bool here = s->depth == 1 && starts(s->start, "_ZN");

    s->at += here;
    return here;
}

/* At the end of arguments; as one more of them, since types in it count. */
static bool put_requirement(struct spelling *s)
{
    if (s->required)
        return false;
    s->at++;
    s->required = s->depth;
    put(s, MARK_REST "X");
    return true;
}

/* "TL0__": of the template around. */
static bool put_outer_parameter(struct spelling *s)
{
    size_t digits = s->at[1] == 'L' ? strspn(s->at + 2, "0123456789") : 0;

    if (!digits || s->at[2 + digits] != '_')
        return false;
    s->at += 3 + digits;
    put(s, "T");
    digits = strspn(s->at, "0123456789");
    copy(s, s->at[digits] == '_' ? digits + 1 : 0);
    return true;
}

/* Behind a D it is decltype. */
static bool put_parameter(struct spelling *s)
{
    char kind = s->at[1];

    if (before(s, 1) == 'D' || !kind || !strchr("nyptk", kind))
        return false;
    if (kind == 'k')
        return put_concept(s, MARK, "E");
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
    case 'D':
        if (starts(s->at, "Dk"))
            return put_concept(s, "DTdt", "E4autoE");
        return copy_structor(s);
    case 'C':
        return copy_structor(s);
    case 'F':
        return drop_friend(s);
    case 'u':
        return put_trait(s) || put_built_in(s);
    case 'S':
        return copy_reference(s);
    case 'T':
        return put_outer_parameter(s) || copy_reference(s) || put_parameter(s);
    case 'Q':
        return put_requirement(s);
    default:
        return false;
    }
}

char *demangle_older(const char *name)
{
    char *text = mem_new(GROWTH * strlen(name) + 1, 1);
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
