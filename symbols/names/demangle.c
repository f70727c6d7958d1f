#include "symbols/names/demangle.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

/* Names of 1 KiB are common in template libraries, 4 KiB very rare. Text may
 * grow exponentially through substitutions. */
enum { MOST_IN = 4096, MOST_OUT = 64 << 10, MOST_BACK_REFERENCES = 16 };

/* libiberty does not let a callback stop it, and holds nothing but stack
 * while it calls: jumping out is the only bound on its output, and safe. */
struct output {
    char text[MOST_OUT];
    size_t len;
    jmp_buf full;
};

static void take(const char *text, size_t n, void *context)
{
    struct output *out = context;

    if (n >= sizeof(out->text) - out->len)
        longjmp(out->full, 1);
    if (n) /* else `text` may be NULL */
        memcpy(out->text + out->len, text, n);
    out->len += n;
}

/* Without DMGL_NO_RECURSE_LIMIT names over 1,024 characters are refused;
 * our own limit on their length bounds the recursion. */
static bool run(const char *name, int options, bool rust, struct output *out)
{
    options |= DMGL_ANSI | DMGL_NO_RECURSE_LIMIT;
    out->len = 0;
    if (setjmp(out->full))
        return false;
    return rust ? rust_demangle_callback(name, options, take, out)
                : cplus_demangle_v3_callback(name, options, take, out);
}

static size_t count(const char *text, char c)
{
    size_t n = 0;

    for (; *text; text++)
        n += *text == c;
    return n;
}

/* Each back reference may double the text, and memory is libiberty's. */
static bool run_d(const char *name, struct output *out)
{
    char *text;
    size_t n;

    if (count(name, 'Q') > MOST_BACK_REFERENCES)
        return false;
    text = dlang_demangle(name, 0);
    n = text ? strlen(text) : 0;
    if (n && n < sizeof(out->text)) {
        memcpy(out->text, text, n);
        out->len = n;
    }
    free(text);
    return n && n < sizeof(out->text);
}

/* A symbol of 32-bit PE has one underscore more. */
static const char *start_of(const char *name)
{
    return name[0] == '_' && name[1] == '_' &&
                   (name[2] == 'Z' || name[2] == 'R')
               ? name + 1
               : name;
}

static bool decode(const char *name, enum demangle_style style,
                   struct output *out)
{
    int options = style == DEMANGLE_FULL ? DMGL_PARAMS : 0;

    name = start_of(name);
    if (name[0] != '_')
        return false;
    if (name[1] == 'R' || name[1] == 'Z') {
        if (run(name, options, true, out))
            return true;
        return name[1] == 'Z' && run(name, options, false, out);
    }
    return name[1] == 'D' && run_d(name, out);
}

/* "_Zfoo@plt" in two parts. */
static const char *decoded(const char *name, size_t n,
                           enum demangle_style style, struct arena *arena)
{
    struct output *out = malloc(sizeof(*out));
    char plain[MOST_IN + 1];
    const char *text = NULL;
    size_t tail = strlen(name + n);

    if (!out)
        return NULL;
    memcpy(plain, name, n);
    plain[n] = '\0';
    if (decode(plain, style, out) && out->len + tail < sizeof(out->text)) {
        memcpy(out->text + out->len, name + n, tail);
        text = arena_strndup(arena, out->text, out->len + tail);
    }
    free(out);
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

/* The characters of an operator's name after the word: none for others. */
static size_t operator_length(const char *text, const char *at)
{
    if (!starts(at, "operator") || (at > text && is_word(at[-1])) ||
        is_word(at[8]))
        return 0;
    if (starts(at + 8, "()") || starts(at + 8, "[]"))
        return 10;
    return 8 + strspn(at + 8, "<>=-!&|+*/%^~,");
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
 * name, as in "f(int)::g". "(anonymous namespace)" begins one. */
static bool is_parameters(const char *text, const char *at)
{
    return *at == '(' && at > text &&
           (is_word(at[-1]) || strchr(">)]}=-!&|+*/%^~,", at[-1]));
}

/* Of a name that is readable already; itself if there is nothing to drop. */
static const char *shortened(const char *name, struct arena *arena)
{
    char *text, *to;
    const char *at = name;

    if (!strpbrk(name, "<([") || strlen(name) >= MOST_OUT)
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
    if (name[0] == '_' && n <= MOST_IN && strlen(name + n) <= MOST_IN)
        text = decoded(name, n, style, arena);
    if (!text)
        text = name;
    return style == DEMANGLE_SHORT ? shortened(text, arena) : text;
}
