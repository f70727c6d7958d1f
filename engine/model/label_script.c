/*
 * Names of code that no C compiler made: V8's and Java's in perf maps, Go's.
 *
 *     LazyCompile:~handle /srv/app.js:10:3     V8: kind, tier, name, place
 *     JS:*handle /srv/app.js:10:3
 *     Lorg/shop/Order;::total                  Java
 *     org/shop/Order:.total
 *     slices.Sort[go.shape.int]                Go
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

static bool label_v8(struct label_text *t, const struct label_source *source)
{
    struct span name =
        span_of(source->name, source->name + strlen(source->name));

    if (cut_v8_kind(&name)) {
        const char *blank;

        if (!(t->parts & LABEL_DETAIL) && span_len(name) > 1 &&
            is_tier(*name.at))
            name.at++;
        blank = span_find_char(name, ' ');
        if (blank == name.at) { /* of a function without a name */
            label_add_text(t, "(anonymous)");
        } else if (blank && !t->parts) {
            name.end = blank;
        }
        label_add(t, name);
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
