/*
 * undecorate_impl - a decorated name being read; between undecorate*.c only.
 *
 * Functions return NULL (or leave `left` NULL) after a failure, which is
 * sticky. They call each other as types and names nest, down to DEPTH_MAX.
 */
#ifndef TOPFN_UNDECORATE_IMPL_H
#define TOPFN_UNDECORATE_IMPL_H

#include <stddef.h>

#include "symbols/names/demangle.h"

enum {
    UNDECORATE_DEPTH = 128,
    UNDECORATE_TEXT = 64 * 1024, /* of one part; all together 16 times it */
    BACK_REFERENCES = 10,
    PARTS = 8, /* bytes of parts that cost as much as a byte of a name */
};

/* Text around a declarator: "int (*" and ")(char)". */
struct type_text {
    const char *left, *right;
};

/* The names that digits refer to. Templates have tables of their own. */
struct references {
    const char *keys[BACK_REFERENCES]; /* what makes names distinct */
    const char *names[BACK_REFERENCES];
    struct type_text types[BACK_REFERENCES];
    unsigned name_count, type_count;
};

struct decorated {
    const char *at;
    struct arena *arena;
    struct references refs;
    unsigned depth;
    size_t budget; /* bytes of text that may still be made */
    bool failed;
};

/* The text of a symbol. */
struct symbol_text {
    const char *name;      /* qualified */
    const char *arguments; /* "(int) const"; "" for what has none */
};

/* The parts one after the other, up to the first that is NULL. */
const char *undecorate_join_list(struct decorated *d, const char *const *parts);
#define undecorate_join(d, ...)                                                \
    undecorate_join_list(d, (const char *const[]){__VA_ARGS__, NULL})
const char *undecorate_fail(struct decorated *d);

static inline bool undecorate_eat(struct decorated *d, char c)
{
    if (*d->at != c)
        return false;
    d->at++;
    return true;
}

/* The same within another symbol, where the type of data must be passed. */
struct symbol_text undecorate_inner(struct decorated *d);
const char *undecorate_qualified(struct decorated *d);
long long undecorate_number(struct decorated *d);

/* undecorate_types.c. */
struct type_text undecorate_type(struct decorated *d);
/* " const" and the like, of the letter that comes next. */
const char *undecorate_qualifiers(struct decorated *d);
/* The marks of 64-bit, unaligned and restricted pointers. */
void undecorate_skip_marks(struct decorated *d);

/* Convention, return type and arguments. `result` gets the return type. */
const char *undecorate_function(struct decorated *d, struct type_text *result);
const char *undecorate_template_arguments(struct decorated *d);

#endif
