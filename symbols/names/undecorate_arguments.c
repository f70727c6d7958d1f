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
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "symbols/names/undecorate_impl.h"

static struct type_text failed(struct decorated *d)
{
    undecorate_fail(d);
    return (struct type_text){NULL, ""};
}

/* One argument. Types of more than one letter can be referred to. */
static struct type_text argument(struct decorated *d)
{
    const char *start = d->at;
    struct type_text type;
    unsigned i;

    if (isdigit((unsigned char)*start)) {
        i = (unsigned)(*d->at++ - '0');
        return i < d->refs.type_count ? d->refs.types[i] : failed(d);
    }
    type = undecorate_type(d);
    if (!d->failed && d->at - start > 1 &&
        d->refs.type_count < BACK_REFERENCES)
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
    return d->failed ? NULL
                     : undecorate_join(d, type.left, type.right);
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
