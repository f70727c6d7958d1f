/*
 * Names of code that no C compiler made: V8's and Java's in perf maps, Go's,
 * Swift's as its demangler prints them.
 *
 *     LazyCompile:~handle /srv/app.js:10:3     V8: kind, tier, name, place
 *     JS:*handle /srv/app.js:10:3
 *     Lorg/shop/Order;::total                  Java
 *     org/shop/Order:.total
 *     slices.Sort[go.shape.int]                Go
 *     closure #1 (Swift.Int) -> Swift.Int in Shop.main() -> ()
 */
#include "engine/model/label_impl.h"

/* ---- V8 ---- */

static bool is_tier(char c)
{
    return c == '~' || c == '*' || c == '^' || c == '+' || c == '=';
}

/* Cuts "LazyCompile:" off. */
static bool cut_v8_kind(struct span *name)
{
    static const char *const kinds[] = {
        "LazyCompile:", "Function:", "JS:", "Script:", "Eval:", "Module:"};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (span_starts(*name, kinds[i])) {
            name->at += strlen(kinds[i]);
            return span_len(*name);
        }
    return false;
}

static void add_v8(struct label_text *t, struct span name)
{
    const char *blank;

    if (!(t->parts & LABEL_DETAIL) && span_len(name) > 1 && is_tier(*name.at))
        name.at++;
    blank = span_find_char(name, ' ');
    if (blank == name.at) { /* of a function without a name */
        label_add_text(t, "(anonymous)");
    } else if (blank && !t->parts) {
        name.end = blank;
    }
    label_add(t, name);
}

static bool label_v8(struct label_text *t, const struct label_source *source)
{
    struct span name =
        span_of(source->name, source->name + strlen(source->name));

    if (cut_v8_kind(&name)) {
        add_v8(t, name);
        return true;
    }
    if (source->kind != CODE_SCRIPT)
        return false;
    if (is_tier(*name.at) && is_word(name.at[1]) && !(t->parts & LABEL_DETAIL))
        name.at++;
    label_add(t, name);
    return true;
}

/* ---- Java ---- */

static void add_java_class(struct label_text *t, struct span class)
{
    for (const char *at = class.at; at < class.end; at++)
        if (*at == '/')
            label_add_text(t, ".");
        else
            label_add(t, span_of(at, at + 1));
}

static bool label_java(struct label_text *t, struct span name)
{
    struct span class = name;
    const char *end = span_find(name, ";::"), *method;

    if (end && *name.at == 'L') {
        class.at++;
        method = end + 3;
    } else {
        end = span_find(name, ":.");
        method = end ? end + 2 : NULL;
    }
    if (!end || end == class.at || method == name.end)
        return false;
    class.end = end;
    if (!span_find_char(class, '/') || span_find_char(class, ' '))
        return false;
    add_java_class(t, class);
    label_add_text(t, ".");
    label_add(t, span_of(method, name.end));
    return true;
}

/* ---- Go ---- */

/* "%2e" is how the linker writes a dot of a package's path. */
static const char *add_escaped(struct label_text *t, const char *at,
                               const char *end)
{
    if (span_starts(span_of(at, end), "%2e")) {
        label_add_text(t, ".");
        return at + 3;
    }
    label_add(t, span_of(at, at + 1));
    return at + 1;
}

/* Shapes are what code for several types is compiled for. */
static bool label_go(struct label_text *t, struct span name)
{
    bool shapes = span_find(name, "go.shape.") != NULL;
    bool escaped = span_find(name, "%2e") != NULL;

    if ((!shapes && !escaped) || t->parts & LABEL_DETAIL)
        return false;
    for (const char *at = name.at; at < name.end;) {
        if (span_starts(span_of(at, name.end), "go.shape."))
            at += strlen("go.shape.");
        else
            at = add_escaped(t, at, name.end);
    }
    return t->text.len;
}

bool label_script(struct label_text *t, const struct label_source *source)
{
    struct span name =
        span_of(source->name, source->name + strlen(source->name));

    return label_v8(t, source) || label_java(t, name) || label_go(t, name);
}

/* ---- Swift ---- */

/* A demangled name says what it returns, or is one of these. */
static bool is_swift(struct span name)
{
    return span_find(name, ") -> ") || span_find(name, ".getter : ") ||
           span_find(name, ".setter : ") || span_find(name, ".modify : ") ||
           span_starts(name, "closure #") ||
           span_starts(name, "implicit closure #");
}

static struct span cut_word(struct span name, const char *word)
{
    if (span_starts(name, word))
        name.at += strlen(word);
    return name;
}

/* "closure #1 (Int) -> Int in F" is F's; where F begins. Types nest no " in "
 * of their own. */
static struct span add_nothing_of_closure(struct span name, struct span *number)
{
    struct span inner = cut_word(cut_word(name, "implicit "), "closure #");
    const char *in = span_find(inner, " in ");

    if (inner.at == name.at || !in || !is_digit(*inner.at))
        return name;
    number->at = number->end = inner.at;
    while (number->end < in && is_digit(*number->end))
        number->end++;
    return span_of(in + 4, name.end);
}

/* Parameters, " -> ..." and " : ..." end a name. */
static struct span swift_name(struct span name, struct span *parameters)
{
    const char *at = name.at;

    while (at < name.end) {
        struct span rest = span_of(at, name.end);

        if (at > name.at && *at == '(' && at[-1] != '.' && at[-1] != ' ') {
            const char *close = closing_bracket(rest);

            *parameters = span_of(at, close ? close + 1 : name.end);
            break;
        }
        if (at > name.at && span_starts(rest, " : "))
            break;
        if ((*at == '<' || *at == '(') && closing_bracket(rest))
            at = closing_bracket(rest);
        at++;
    }
    return span_of(name.at, at);
}

bool label_swift(struct label_text *t, struct span name)
{
    struct span number = {name.at, name.at}, parameters = number, outer;

    if (!is_swift(name))
        return false;
    outer = add_nothing_of_closure(name, &number);
    outer = cut_word(cut_word(outer, "specialized "), "static ");
    if (span_starts(outer, "closure #") ||
        span_starts(outer, "implicit closure #")) {
        label_add(t, name); /* in another one: as it is */
        return true;
    }
    label_add(t, swift_name(outer, &parameters));
    if (t->parts & LABEL_PARAMETERS)
        label_add_types(t, parameters);
    if (span_len(number)) {
        label_add_text(t, " closure ");
        label_add(t, number);
    }
    return true;
}
