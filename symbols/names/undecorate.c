/*
 * Names:
 *
 *   ?name@scope@scope@@ type      each part one of
 *     name@                       an identifier
 *     0 to 9                      a part that came before
 *     ?$name@ arguments @         a template
 *     ?A0x12345678@               an anonymous namespace
 *     ?1??symbol@                 number 2 within a function
 *   and the first also
 *     ?0 ?1 ?2 ... ?_0 ...        constructor, destructor, operators, what
 *                                 the compiler makes
 *
 * Type: 0 to 9 data (the name is enough), letters for functions: A to X of
 * classes, by access and kind; Y and Z global; $0 to $5 thunks.
 *
 * Numbers: ? negative; 0 to 9 mean 1 to 10; A to P are hexadecimal digits up
 * to an @.
 */
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "symbols/names/undecorate_impl.h"

/* Names of operators and of what compilers make, and those of C. */

/* The name behind a '?' in front, and behind "?_"; NULL
 * for none. */
static const char *undecorate_operator(char c)
{
    static const char *const names[] = {
        ['2'] = "operator new", ['3'] = "operator delete", ['4'] = "operator=",
        ['5'] = "operator>>",   ['6'] = "operator<<",      ['7'] = "operator!",
        ['8'] = "operator==",   ['9'] = "operator!=",      ['A'] = "operator[]",
        ['C'] = "operator->",   ['D'] = "operator*",       ['E'] = "operator++",
        ['F'] = "operator--",   ['G'] = "operator-",       ['H'] = "operator+",
        ['I'] = "operator&",    ['J'] = "operator->*",     ['K'] = "operator/",
        ['L'] = "operator%",    ['M'] = "operator<",       ['N'] = "operator<=",
        ['O'] = "operator>",    ['P'] = "operator>=",      ['Q'] = "operator,",
        ['R'] = "operator()",   ['S'] = "operator~",       ['T'] = "operator^",
        ['U'] = "operator|",    ['V'] = "operator&&",      ['W'] = "operator||",
        ['X'] = "operator*=",   ['Y'] = "operator+=",      ['Z'] = "operator-=",
    };
    size_t i = (unsigned char)c;

    return i < sizeof(names) / sizeof(*names) ? names[i] : NULL;
}

static const char *undecorate_special(char c)
{
    static const char *const names[] = {
        ['0'] = "operator/=",
        ['1'] = "operator%=",
        ['2'] = "operator>>=",
        ['3'] = "operator<<=",
        ['4'] = "operator&=",
        ['5'] = "operator|=",
        ['6'] = "operator^=",
        ['7'] = "`vftable'",
        ['8'] = "`vbtable'",
        ['9'] = "`vcall'",
        ['A'] = "`typeof'",
        ['B'] = "`local static guard'",
        ['D'] = "`vbase destructor'",
        ['E'] = "`vector deleting destructor'",
        ['F'] = "`default constructor closure'",
        ['G'] = "`scalar deleting destructor'",
        ['H'] = "`vector constructor iterator'",
        ['I'] = "`vector destructor iterator'",
        ['J'] = "`vector vbase constructor iterator'",
        ['K'] = "`virtual displacement map'",
        ['L'] = "`eh vector constructor iterator'",
        ['M'] = "`eh vector destructor iterator'",
        ['N'] = "`eh vector vbase constructor iterator'",
        ['O'] = "`copy constructor closure'",
        ['S'] = "`local vftable'",
        ['T'] = "`local vftable constructor closure'",
        ['U'] = "operator new[]",
        ['V'] = "operator delete[]",
    };
    size_t i = (unsigned char)c;

    return i < sizeof(names) / sizeof(*names) ? names[i] : NULL;
}

/* Digits behind the last '@', which is not the first character. */
static const char *size_suffix(const char *name)
{
    const char *at = strrchr(name, '@');

    if (!at || at == name || !at[1] || at[1 + strspn(at + 1, "0123456789")])
        return NULL;
    return at;
}

char *undecorate_c(struct arena *arena, const char *name)
{
    const char *end = size_suffix(name);
    const char *start = name;

    if (*name == '_' || (*name == '@' && end))
        start++;
    if (end && end > start && end[-1] == '@')
        end--;
    if (!end)
        end = name + strlen(name);
    if (end <= start)
        return NULL;
    return arena_strndup(arena, start, (size_t)(end - start));
}

const char *undecorate_fail(struct decorated *d)
{
    d->failed = true;
    return NULL;
}

const char *undecorate_join_list(struct decorated *d, const char *const *parts)
{
    size_t total = 0;
    char *text, *to;

    for (size_t i = 0; parts[i]; i++)
        total += strlen(parts[i]);
    if (d->failed || total > UNDECORATE_TEXT || total > d->budget)
        return undecorate_fail(d);
    d->budget -= total;
    text = to = arena_new(d->arena, char, total + 1);
    for (size_t i = 0; parts[i]; i++)
        to = stpcpy(to, parts[i]);
    return text;
}

long long undecorate_number(struct decorated *d)
{
    bool negative = undecorate_eat(d, '?');
    unsigned long long value = 0;

    if (isdigit((unsigned char)*d->at)) {
        value = (unsigned long long)(*d->at++ - '0') + 1;
    } else {
        while (*d->at >= 'A' && *d->at <= 'P')
            value = value << 4 | (unsigned long long)(*d->at++ - 'A');
        if (!undecorate_eat(d, '@'))
            undecorate_fail(d);
    }
    return (long long)(negative ? 0 - value : value);
}

/* Makes `text` the next of the parts that digits refer to. */
static void remember(struct decorated *d, const char *key, const char *text)
{
    struct references *refs = &d->refs;

    if (d->failed || refs->name_count == BACK_REFERENCES)
        return;
    for (unsigned i = 0; i < refs->name_count; i++)
        if (!strcmp(refs->keys[i], key))
            return;
    refs->keys[refs->name_count] = key;
    refs->names[refs->name_count++] = text;
}

/* Up to an '@', which is taken. */
static const char *identifier(struct decorated *d)
{
    size_t n = strcspn(d->at, "@");
    char *text;

    if (!n || !d->at[n] || n > d->budget)
        return undecorate_fail(d);
    d->budget -= n;
    text = arena_strndup(d->arena, d->at, n);
    d->at += n + 1;
    return text;
}

static const char *plain_part(struct decorated *d)
{
    const char *name = identifier(d);

    if (name)
        remember(d, name, name);
    return name;
}

/* ?__E and ?__F: a variable, plain or as a symbol of its own. */
static const char *initializer_name(struct decorated *d, const char *what)
{
    const char *variable;

    if (!undecorate_eat(d, '?')) {
        variable = identifier(d);
    } else {
        variable = undecorate_inner(d).name;
        if (!undecorate_eat(d, '@'))
            undecorate_fail(d);
    }
    return undecorate_join(d, what, variable ? variable : "", "''");
}

static const char *double_special_name(struct decorated *d)
{
    switch (*d->at++) {
    case 'E':
        return initializer_name(d, "`dynamic initializer for '");
    case 'F':
        return initializer_name(d, "`dynamic atexit destructor for '");
    case 'L':
        return "operator co_await";
    case 'M':
        return "operator<=>";
    case 'K': {
        const char *suffix = identifier(d);

        return undecorate_join(d, "operator \"\"", suffix ? suffix : "");
    }
    default:
        d->at--;
        return undecorate_fail(d);
    }
}

/* The parts that a special name needs from its surroundings. */
#define CONSTRUCTOR "\1"
#define DESTRUCTOR  "\2"
#define CONVERSION  "\3"

static const char *special(struct decorated *d)
{
    const char *name = NULL;
    char c = *d->at;

    if (!c)
        return undecorate_fail(d);
    d->at++;
    switch (c) {
    case '0':
        return CONSTRUCTOR;
    case '1':
        return DESTRUCTOR;
    case 'B':
        return CONVERSION;
    case '_':
        if (undecorate_eat(d, '_'))
            return double_special_name(d);
        if (*d->at)
            name = undecorate_special(*d->at++);
        break;
    default:
        name = undecorate_operator(c);
        break;
    }
    return name ? name : undecorate_fail(d);
}

static const char *reference(struct decorated *d)
{
    unsigned i = (unsigned)(*d->at++ - '0');

    return i < d->refs.name_count ? d->refs.names[i] : undecorate_fail(d);
}

/* After "?$". The whole is one part for the digits outside, unless it is the
 * name of a function. The name of an operator is none for those inside. */
static const char *template_name(struct decorated *d, bool is_function)
{
    struct references outer = d->refs;
    const char *name, *arguments;

    d->refs = (struct references){.name_count = 0};
    name = undecorate_eat(d, '?') ? special(d) : plain_part(d);
    arguments = undecorate_template_arguments(d);
    d->refs = outer;
    if (d->failed)
        return NULL;
    name = undecorate_join(d, name, "<", arguments, ">");
    if (name && !is_function)
        remember(d, name, name);
    return name;
}

static struct symbol_text undecorate_symbol(struct decorated *d);

/* After '?': a number, '?', and the symbol that the scope is in. */
static const char *local_scope(struct decorated *d)
{
    long long number = undecorate_number(d);
    const char *name;
    char text[24];

    if (!undecorate_eat(d, '?'))
        return undecorate_fail(d);
    if (undecorate_eat(d, '?')) {
        name = undecorate_symbol(d).name;
    } else {
        name = identifier(d);
        d->at -= !d->failed; /* its end is that of the whole */
    }
    snprintf(text, sizeof(text), "%lld", number);
    return undecorate_join(d, "`", name ? name : "", "'::`", text, "'");
}

static const char *anonymous(struct decorated *d)
{
    static const char text[] = "`anonymous namespace'";
    const char *start = d->at;
    size_t n = strcspn(start, "@");

    if (!start[n])
        return undecorate_fail(d);
    d->at += n + 1;
    remember(d, arena_strndup(d->arena, start, n), text);
    return text;
}

static const char *scope_part(struct decorated *d)
{
    if (isdigit((unsigned char)*d->at))
        return reference(d);
    if (!undecorate_eat(d, '?'))
        return plain_part(d);
    if (undecorate_eat(d, '$'))
        return template_name(d, false);
    if (*d->at == 'A' && (d->at[1] == '0' || d->at[1] == '@'))
        return anonymous(d);
    return local_scope(d);
}

static const char *first_part(struct decorated *d, bool is_function)
{
    if (isdigit((unsigned char)*d->at))
        return reference(d);
    if (!undecorate_eat(d, '?'))
        return plain_part(d);
    return undecorate_eat(d, '$') ? template_name(d, is_function) : special(d);
}

/* Puts the name together from the inside out. */
static const char *qualify(struct decorated *d, const char *first)
{
    const char *name = first, *scope, *class = NULL;

    while (!d->failed && !undecorate_eat(d, '@')) {
        scope = scope_part(d);
        if (!scope)
            return NULL;
        if (!class)
            class = scope;
        if (*name == *CONSTRUCTOR)
            name = undecorate_join(d, class, name + 1);
        else if (*name == *DESTRUCTOR)
            name = undecorate_join(d, "~", class, name + 1);
        if (name)
            name = undecorate_join(d, scope, "::", name);
    }
    if (d->failed || *name == *CONSTRUCTOR || *name == *DESTRUCTOR)
        return undecorate_fail(d);
    return name;
}

static const char *qualified(struct decorated *d, bool is_function)
{
    const char *name = NULL;

    if (++d->depth > UNDECORATE_DEPTH)
        undecorate_fail(d);
    else
        name = first_part(d, is_function);
    name = name ? qualify(d, name) : undecorate_fail(d);
    d->depth--;
    return name;
}

const char *undecorate_qualified(struct decorated *d)
{
    return qualified(d, false);
}

/* Arguments of a function, and what qualifies its object. */
static const char *function_type(struct decorated *d, char kind,
                                 struct type_text *result)
{
    const char *qualifiers = "", *arguments;

    /* Thunks have numbers before the rest. */
    if (kind == 'G' || kind == 'H' || kind == 'O' || kind == 'P' ||
        kind == 'W' || kind == 'X')
        undecorate_number(d);
    if (kind >= '0' && kind <= '5') {
        undecorate_number(d);
        undecorate_number(d);
    }
    if (!(strchr("CDKLSTYZ", kind) != NULL)) {
        undecorate_skip_marks(d);
        qualifiers = undecorate_qualifiers(d);
    }
    arguments = undecorate_function(d, result);
    if (d->failed)
        return NULL;
    return undecorate_join(d, arguments, qualifiers);
}

/* An operator is named after the type it converts to, which comes last. */
static const char *name_conversion(struct decorated *d, const char *name,
                                   struct type_text result)
{
    const char *mark = d->failed || !name ? NULL : strchr(name, *CONVERSION);

    if (!mark)
        return name;
    return undecorate_join(d,
                           arena_strndup(d->arena, name, (size_t)(mark - name)),
                           "operator ", result.left, result.right, mark + 1);
}

/* The kind of a function; NUL for data, of which what follows does not matter,
 * and at the end. */
static char function_kind(struct decorated *d)
{
    char kind = *d->at;

    if (d->failed || !kind)
        return '\0';
    d->at++;
    if (kind == '$' && *d->at >= '0' && *d->at <= '5')
        return *d->at++;
    if (kind == '$' && !strncmp(d->at, "$J0", 3) && d->at[3]) {
        d->at += 4;
        return d->at[-1];
    }
    if (!isupper((unsigned char)kind))
        return '\0';
    return kind;
}

/* undecorate.c. The '?' that a symbol begins with is already taken. */
static struct symbol_text undecorate_symbol(struct decorated *d)
{
    struct symbol_text s = {qualified(d, true), ""};
    struct type_text result = {"", ""};
    char kind = function_kind(d);

    if (kind) {
        s.arguments = function_type(d, kind, &result);
        s.name = name_conversion(d, s.name, result);
    } else if (s.name && strchr(s.name, *CONVERSION)) {
        undecorate_fail(d); /* a conversion to nothing */
    }
    return s;
}

struct symbol_text undecorate_inner(struct decorated *d)
{
    struct symbol_text s = undecorate_symbol(d);

    if (d->failed || d->at[-1] < '0' || d->at[-1] > '5')
        return s;
    undecorate_type(d);
    undecorate_skip_marks(d);
    undecorate_qualifiers(d);
    return s;
}

char *undecorate(struct arena *arena, const char *name, bool arguments,
                 struct budget *cost)
{
    uint64_t most = (uint64_t)16 * UNDECORATE_TEXT, share;
    struct decorated d = {.at = name, .arena = arena};
    struct symbol_text s;
    const char *text = NULL;
    size_t given;

    if (!undecorate_eat(&d, '?') || !strncmp(d.at, "?@", 2))
        return NULL;
    if (!strncmp(d.at, "?_C@", 4))
        return arena_strndup(arena, "`string'", 8);
    share = cost ? PARTS * (cost->usual + cost->left) : most;
    d.budget = given = (size_t)(most < share ? most : share);
    s = undecorate_symbol(&d);
    if (!d.failed)
        text = undecorate_join(&d, s.name, arguments ? s.arguments : "");
    if (cost) {
        cost->cut |= share < most && !text;
        (void)budget_take(cost, (given - d.budget) / PARTS);
    }
    return text ? arena_strndup(arena, text, strlen(text)) : NULL;
}
