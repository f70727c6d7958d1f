/*
 * Types:
 *
 *   X void  D char  C E signed, unsigned  F G short  H I int  J K long
 *   M float  N double  O long double  _J _K __int64  _N bool  _W wchar_t ...
 *   P Q R S pointers (Q const, R volatile, S both), A B references, $$Q $$R
 *   to rvalues; then marks (E 64-bit, F unaligned, I restricted), then A B C
 *   D for what is pointed at (B const, C volatile, D both), Q R S T for
 *   members of the class that follows; P6 and P8 to functions, of a class
 *   U struct, V class, T union, W4 enumeration, and a name
 *   Y number of dimensions, dimensions, element: array
 *   ?A ?B ?C ?D a qualified value, ?<auto>@@ and the like a word for a type
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "symbols/names/undecorate_impl.h"

/*
 * Arguments of functions and templates:
 *
 *   X             (void)
 *   types @       a list; 0 to 9 are types of more than one letter that came
 *                 before
 *   types Z       a list that goes on with ...
 *   behind it     Z, or _E for noexcept
 *   function      calling convention, type of the result (@ none), arguments
 *   template      also $0 number, $1 ?symbol, $E ?symbol, $$Y template;
 *                 $$V $$Z $$$V $S are empty lists; $M type stands before
 *                 one without its $ whose type was left to the compiler
 */

static const struct type_text no_type = {NULL, ""};

static struct type_text fail(struct decorated *d)
{
    undecorate_fail(d);
    return no_type;
}

/* One argument. Types of more than one letter can be referred to. */
static struct type_text argument(struct decorated *d)
{
    const char *start = d->at;
    struct type_text type;
    unsigned i;

    if (isdigit((unsigned char)*start)) {
        i = (unsigned)(*d->at++ - '0');
        return i < d->refs.type_count ? d->refs.types[i] : fail(d);
    }
    type = undecorate_type(d);
    if (!d->failed && d->at - start > 1 && d->refs.type_count < BACK_REFERENCES)
        d->refs.types[d->refs.type_count++] = type;
    return type;
}

/* "(int, char)" up to and with its end; also the throw specification. */
static const char *arguments(struct decorated *d)
{
    const char *text = "(";
    struct type_text type;

    if (undecorate_eat(d, 'X')) {
        text = "(void)";
    } else {
        while (!d->failed && *d->at != '@' && *d->at != 'Z') {
            type = argument(d);
            if (d->failed)
                return NULL;
            text = undecorate_join(d, text, text[1] ? ", " : "", type.left,
                                   type.right);
        }
        if (d->failed)
            return NULL;
        if (!undecorate_eat(d, '@')) {
            d->at++;
            text = undecorate_join(d, text, text[1] ? ", " : "", "...");
        }
        text = text ? undecorate_join(d, text, ")") : NULL;
    }
    if (!strncmp(d->at, "_E", 2))
        d->at += 2; /* noexcept */
    else if (!undecorate_eat(d, 'Z'))
        undecorate_fail(d);
    return text;
}

const char *undecorate_function(struct decorated *d, struct type_text *result)
{
    *result = (struct type_text){"", ""};
    if (!isupper((unsigned char)*d->at))
        return undecorate_fail(d);
    d->at++; /* calling convention */
    if (!undecorate_eat(d, '@'))
        *result = undecorate_type(d);
    return d->failed ? NULL : arguments(d);
}

/* "$0" and a number, "$1" and a symbol; NULL for no argument at all. */
static const char *constant(struct decorated *d)
{
    char number[32];

    switch (*d->at ? *d->at++ : 0) {
    case '0':
        snprintf(number, sizeof(number), "%lld", undecorate_number(d));
        return undecorate_join(d, number);
    case '1':
        if (!undecorate_eat(d, '?'))
            return undecorate_fail(d);
        return undecorate_join(d, "&", undecorate_inner(d).name);
    case 'E':
        if (!undecorate_eat(d, '?'))
            return undecorate_fail(d);
        return undecorate_inner(d).name;
    case 'S':
        return NULL; /* an empty list */
    default:
        return undecorate_fail(d);
    }
}

/* Marks of empty lists, which stand for nothing. */
static bool skip_empty(struct decorated *d)
{
    static const char *const marks[] = {"$$$V", "$$V", "$$Z", "$S"};

    for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
        size_t n = strlen(marks[i]);

        if (!strncmp(d->at, marks[i], n)) {
            d->at += n;
            return true;
        }
    }
    return false;
}

static const char *template_argument(struct decorated *d)
{
    struct type_text type;

    if (!strncmp(d->at, "$$Y", 3)) {
        d->at += 3;
        return undecorate_qualified(d);
    }
    if (*d->at == '$' && d->at[1] != '$') {
        d->at++;
        if (undecorate_eat(d, 'M'))
            undecorate_type(d);
        return constant(d);
    }
    type = argument(d);
    return d->failed ? NULL : undecorate_join(d, type.left, type.right);
}

const char *undecorate_template_arguments(struct decorated *d)
{
    const char *text = "", *one;

    if (++d->depth > UNDECORATE_DEPTH)
        undecorate_fail(d);
    while (!d->failed && !undecorate_eat(d, '@')) {
        if (skip_empty(d))
            continue;
        one = template_argument(d);
        if (d->failed || !one)
            text = undecorate_fail(d);
        else
            text = undecorate_join(d, text, *text ? ", " : "", one);
    }
    d->depth--;
    return text;
}

static struct type_text plain(const char *text)
{
    return (struct type_text){text, ""};
}

static const char *basic_name(char c)
{
    static const char *const names[] = {
        ['C'] = "signed char",    ['D'] = "char",
        ['E'] = "unsigned char",  ['F'] = "short",
        ['G'] = "unsigned short", ['H'] = "int",
        ['I'] = "unsigned int",   ['J'] = "long",
        ['K'] = "unsigned long",  ['M'] = "float",
        ['N'] = "double",         ['O'] = "long double",
        ['X'] = "void",
    };
    size_t i = (unsigned char)c;

    return i < sizeof(names) / sizeof(*names) ? names[i] : NULL;
}

/* Types whose letter follows an underscore. */
static const char *extended_name(char c)
{
    static const char *const names[] = {
        ['D'] = "__int8",         ['E'] = "unsigned __int8",
        ['F'] = "__int16",        ['G'] = "unsigned __int16",
        ['H'] = "__int32",        ['I'] = "unsigned __int32",
        ['J'] = "__int64",        ['K'] = "unsigned __int64",
        ['L'] = "__int128",       ['M'] = "unsigned __int128",
        ['N'] = "bool",           ['P'] = "auto",
        ['Q'] = "char8_t",        ['S'] = "char16_t",
        ['T'] = "decltype(auto)", ['U'] = "char32_t",
        ['W'] = "wchar_t",
    };
    size_t i = (unsigned char)c;

    return i < sizeof(names) / sizeof(*names) ? names[i] : NULL;
}

void undecorate_skip_marks(struct decorated *d)
{
    while (*d->at && strchr("EFGHI", *d->at))
        d->at++;
}

/* By the letter behind `first`. */
static const char *qualifiers_from(struct decorated *d, char first)
{
    static const char *const names[] = {"", " const", " volatile",
                                        " const volatile"};
    char c = *d->at;

    if (c < first || c > first + 3)
        return undecorate_fail(d);
    d->at++;
    return names[c - first];
}

const char *undecorate_qualifiers(struct decorated *d)
{
    return qualifiers_from(d, 'A');
}

static struct type_text named(struct decorated *d)
{
    const char *name = undecorate_qualified(d);

    return name ? plain(name) : fail(d);
}

/* A function type as what a pointer to it is written around. `mark` is
 * "(*" or "(app::Class::*". */
static struct type_text function(struct decorated *d, const char *mark,
                                 bool is_member)
{
    const char *qualifiers = "", *arguments;
    struct type_text result, type;

    if (is_member) {
        undecorate_skip_marks(d);
        qualifiers = undecorate_qualifiers(d);
    }
    arguments = undecorate_function(d, &result);
    if (d->failed)
        return no_type;
    type.left = undecorate_join(d, result.left, " ", mark);
    type.right = undecorate_join(d, *mark ? ")" : "", arguments, qualifiers,
                                 result.right);
    return d->failed ? no_type : type;
}

static struct type_text member_function(struct decorated *d)
{
    const char *class = undecorate_qualified(d);

    if (d->failed)
        return no_type;
    class = undecorate_join(d, "(", class, "::*");
    return d->failed ? no_type : function(d, class, true);
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && !strcmp(text + n - m, end);
}

static struct type_text point_at(struct decorated *d, struct type_text to,
                                 const char *qualifiers, const char *mark)
{
    bool is_array = to.right && *to.right == '[';
    struct type_text type;

    if (d->failed || !to.left)
        return no_type;
    if (ends_with(to.left, qualifiers))
        qualifiers = ""; /* said by what is pointed at itself */
    type.left =
        undecorate_join(d, to.left, qualifiers, is_array ? " (" : " ", mark);
    type.right = undecorate_join(d, is_array ? ")" : "", to.right);
    return d->failed ? no_type : type;
}

/* `mark` is "*", "* const", "&" or "&&". */
static struct type_text pointer(struct decorated *d, const char *mark)
{
    const char *qualifiers, *class;

    if (undecorate_eat(d, '6')) {
        mark = undecorate_join(d, "(", mark);
        return mark ? function(d, mark, false) : no_type;
    }
    if (undecorate_eat(d, '8'))
        return member_function(d);
    undecorate_skip_marks(d);
    if (*d->at >= 'Q' && *d->at <= 'T') {
        qualifiers = qualifiers_from(d, 'Q');
        class = undecorate_qualified(d);
        mark = undecorate_join(d, class ? class : "", "::", mark);
    } else {
        qualifiers = undecorate_qualifiers(d);
    }
    if (d->failed)
        return no_type;
    return point_at(d, undecorate_type(d), qualifiers, mark);
}

static struct type_text array(struct decorated *d)
{
    long long dimensions = undecorate_number(d);
    const char *text = "";
    struct type_text type;
    char number[32];

    if (dimensions < 1 || dimensions > 32)
        return fail(d);
    while (dimensions-- && !d->failed) {
        snprintf(number, sizeof(number), "[%lld]", undecorate_number(d));
        text = undecorate_join(d, text, number);
    }
    type = undecorate_type(d);
    if (d->failed)
        return no_type;
    type.right = undecorate_join(d, text, type.right);
    return type;
}

static struct type_text qualified_value(struct decorated *d)
{
    const char *qualifiers = undecorate_qualifiers(d);
    struct type_text type = undecorate_type(d);

    if (d->failed)
        return no_type;
    type.left = undecorate_join(d, type.left, qualifiers);
    return d->failed ? no_type : type;
}

/* Types whose letter follows "$$". */
static struct type_text extended_type(struct decorated *d)
{
    switch (*d->at ? *d->at++ : 0) {
    case 'Q':
        return pointer(d, "&&");
    case 'R':
        return pointer(d, "&& volatile");
    case 'T':
        return plain("std::nullptr_t");
    case 'B':
        return undecorate_type(d);
    case 'C':
        return qualified_value(d);
    case 'A':
        if (undecorate_eat(d, '6'))
            return function(d, "", false);
        if (!strncmp(d->at, "8@@", 3)) {
            d->at += 3;
            return function(d, "", true);
        }
        return fail(d);
    default:
        return fail(d);
    }
}

static struct type_text compound_type(struct decorated *d, char c)
{
    switch (c) {
    case 'A':
        return pointer(d, "&");
    case 'B':
        return pointer(d, "& volatile");
    case 'P':
        return pointer(d, "*");
    case 'Q':
        return pointer(d, "* const");
    case 'R':
        return pointer(d, "* volatile");
    case 'S':
        return pointer(d, "* const volatile");
    case 'T':
    case 'U':
    case 'V':
        return named(d);
    case 'W':
        return isdigit((unsigned char)*d->at) && d->at++ ? named(d) : fail(d);
    case 'Y':
        return array(d);
    case '?':
        return *d->at == '<' || isdigit((unsigned char)*d->at)
                   ? named(d)
                   : qualified_value(d);
    case '$':
        return undecorate_eat(d, '$') ? extended_type(d) : fail(d);
    default:
        return fail(d);
    }
}

struct type_text undecorate_type(struct decorated *d)
{
    struct type_text type;
    const char *name;
    char c = *d->at;

    if (d->failed || !c || d->depth >= UNDECORATE_DEPTH)
        return fail(d);
    d->at++;
    if (c == '_')
        name = *d->at ? extended_name(*d->at++) : NULL;
    else
        name = basic_name(c);
    if (name)
        return plain(name);
    d->depth++;
    type = compound_type(d, c);
    d->depth--;
    return type;
}
