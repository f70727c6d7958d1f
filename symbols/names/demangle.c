#include "symbols/names/demangle.h"

#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>
#include <libiberty/libiberty.h>

#include "engine/base/mem.h"
#include "symbols/names/demangle_bound.h"
#include "symbols/names/undecorate.h"

/* Names of 1 KiB are common in template libraries, 4 KiB very rare. */
enum { MOST_IN = 4096 };

/* libiberty's own xmalloc prints and exits when memory runs out. Its D
 * demangler calls these two in its place. */
void *xmalloc(size_t n)
{
    return mem_resize(NULL, n ? n : 1, 1);
}

void *xrealloc(void *old, size_t n)
{
    return mem_resize(old, n ? n : 1, 1);
}

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

    if (!demangle_bound_cpp(name))
        return give_up();
    tree = cplus_demangle_v3_components(name, options, &memory);
    if (tree)
        done =
            demangle_bound_tree(tree) ? print(tree, options, out) : give_up();
    free(memory);
    return done;
}

/* Its memory is libiberty's. */
static bool run_d(const char *name, struct output *out)
{
    char *text;
    size_t n;

    if (!demangle_bound_d(name))
        return give_up();
    text = dlang_demangle(name, 0);
    n = text ? strlen(text) : 0;
    if (n < out->most) {
        memcpy(out->text, text ? text : "", n);
        out->len = n;
    }
    free(text);
    return n < out->most ? n > 0 : give_up();
}

/* A symbol of 32-bit PE has one underscore more. */
static const char *start_of(const char *name)
{
    return name[0] == '_' && name[1] == '_' &&
                   (name[2] == 'Z' || name[2] == 'R')
               ? name + 1
               : name;
}

/* A name that comes to nothing is none. */
static bool decode(const char *name, enum demangle_style style,
                   struct output *out)
{
    int options = style == DEMANGLE_FULL ? DMGL_PARAMS : 0;

    options |= DMGL_ANSI;
    name = start_of(name);
    if (name[0] != '_')
        return false;
    if (name[1] == 'R' || name[1] == 'Z') {
        if (run_rust(name, options, out) && out->len)
            return true;
        return name[1] == 'Z' && run_cpp(name, options, out) && out->len;
    }
    return name[1] == 'D' && run_d(name, out);
}

/* "_Zfoo@plt" in two parts. */
static const char *decoded(const char *name, size_t n,
                           enum demangle_style style, struct arena *arena)
{
    size_t tail = strlen(name + n), most = demangle_bound_text(n);
    struct output out = {.text = mem_new(most + tail, 1), .most = most};
    char plain[MOST_IN + 1];
    const char *text = NULL;

    memcpy(plain, name, n);
    plain[n] = '\0';
    if (decode(plain, style, &out)) {
        memcpy(out.text + out.len, name + n, tail);
        text = arena_strndup(arena, out.text, out.len + tail);
    }
    free(out.text);
    return text;
}

/* ---- shortening ---- */

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
           (c >= 'a' && c <= 'z') || c == '_' || c == '$' || c & 0x80;
}

static bool starts(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* Of the sign at `at`: the longest, but a template's argument may follow. */
static size_t sign_length(const char *at)
{
    static const char *const signs[] = {
        "<<=", ">>=", "<=>", "->*", "<<", ">>", "<=", ">=", "==",
        "!=",  "&&",  "||",  "++",  "--", "+=", "-=", "*=", "/=",
        "%=",  "^=",  "&=",  "|=",  "->", "()", "[]"};

    for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
        if (starts(at, signs[i]))
            return strlen(signs[i]);
    return *at && strchr("<>=-!&|+*/%^~,", *at) ? 1 : 0;
}

/* The word and the sign behind it, of an operator's name; 0 for others. */
static size_t operator_length(const char *text, const char *at)
{
    static const char word[] = "operator";
    size_t n = strlen(word);

    if (!starts(at, word) || (at > text && is_word(at[-1])))
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
        return !starts(at, "<impl");
    return is_word(at[-1]) || strchr(")]}>=-!&|+*/%^~,", at[-1]);
}

/* Parameters follow a name and end it, but for what follows in a nested
 * name, as in "f(int)::g". "(anonymous namespace)" begins one. What follows
 * "operator void (*)" is part of that. */
static bool is_parameters(const char *text, const char *at)
{
    return *at == '(' && at > text && (at - text < 2 || at[-2] != '*') &&
           (is_word(at[-1]) || strchr(">)]}=-!&|+*/%^~,", at[-1]));
}

/* Of a name that is readable already; itself if there is nothing to drop. */
static const char *shortened(const char *name, struct arena *arena)
{
    char *text, *to;
    const char *at = name;

    if (!strpbrk(name, "<([") ||
        strlen(name) >= demangle_bound_text(MOST_IN) + MOST_IN)
        return name;
    text = to = arena_alloc(arena, strlen(name) + 1, 1, 1);
    while (*at && !starts(at, " [clone")) {
        size_t n = operator_length(name, at);

        if (n) {
            memcpy(to, at, n);
            to += n;
            at += n;
            if (starts(at, " <")) /* "operator< <int>" */
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
                     struct arena *arena)
{
    size_t n = strcspn(name, "@");
    const char *text = NULL;

    if (style == DEMANGLE_NONE)
        return name;
    if (n > MOST_IN || strlen(name + n) > MOST_IN)
        give_up();
    else if (name[0] == '_')
        text = decoded(name, n, style, arena);
    if (!text)
        text = name;
    return style == DEMANGLE_SHORT ? shortened(text, arena) : text;
}

static bool is_mangled(const char *name)
{
    if (name[0] == '_' && name[1] == '_')
        name++; /* 32-bit PE */
    return name[0] == '_' &&
           (name[1] == 'Z' || name[1] == 'R' || name[1] == 'D');
}

const char *symbol_readable(const char *name, enum demangle_style style,
                            struct arena *arena)
{
    const char *text = NULL;

    if (style == DEMANGLE_NONE || !name)
        return name;
    if (*name == '?')
        text = undecorate(arena, name, style == DEMANGLE_FULL);
    else if (is_mangled(name))
        text = demangle(name, style, arena);
    return text ? text : name;
}
