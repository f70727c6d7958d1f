/*
 * Names as demanglers print them: C++, Rust, D; and of C and assembly, which
 * have none but copies to tell of ("sort.part.0").
 *
 *     int app::pick<int>(int)                      return type, parameters
 *     app::Pool::grow(int)::{lambda(int)#1}::operator()(int) const
 *     main::$_3::operator()(int) const             Clang's lambdas
 *     foo(int) [clone .part.0]                     a copy made by GCC
 *     app::run::{{closure}}::h0123456789abcdef     Rust, legacy
 *     <app[0123456789abcdef]::Pool>::grow::<i32>   Rust, v0
 */
#include "engine/model/label_impl.h"

enum { HASH = 16 };

static bool is_hash(const char *at, const char *end)
{
    const char *stop = at + HASH;

    if (end - at < HASH)
        return false;
    while (at < stop && (is_digit(*at) || (*at >= 'a' && *at <= 'f')))
        at++;
    return at == stop;
}

/* ---- copies ---- */

static const char *const copies[] = {
    "isra", "part",     "cold",     "hot",        "constprop",
    "llvm", "unlikely", "lto_priv", "localalias", "__uniq"};

/* Length of ".part.0" at `s`, which begins with a dot; 0: it is none. */
static size_t copy_length(struct span s, const char **word)
{
    for (size_t i = 0; i < sizeof(copies) / sizeof(*copies); i++) {
        size_t n = strlen(copies[i]) + 1;

        if (!span_starts(span_of(s.at + 1, s.end), copies[i]))
            continue;
        while (s.at + n + 1 < s.end && s.at[n] == '.' && is_digit(s.at[n + 1]))
            for (n++; s.at + n < s.end && is_digit(s.at[n]);)
                n++;
        *word = copies[i];
        return s.at + n == s.end || !is_word(s.at[n]) ? n : 0;
    }
    return 0;
}

/* The position where the marks of copies begin: ".isra.0.cold", " [clone
 * .isra.0]", " (.cold)". */
static const char *find_copies(struct span name)
{
    const char *clone = span_find(name, " [clone ");
    const char *word;

    if (!clone)
        clone = span_find(name, " (.");
    if (clone)
        return clone;
    for (const char *at = name.at + 1; at < name.end; at++)
        if (*at == '.' && copy_length(span_of(at, name.end), &word))
            return at;
    return name.end;
}

static void add_copies(struct label_text *t, struct span tail)
{
    const char *open = " [";

    for (const char *at = tail.at; at < tail.end;) {
        const char *word;
        size_t n = *at == '.' ? copy_length(span_of(at, tail.end), &word) : 0;

        if (n) {
            label_add_text(t, open);
            if (t->parts & LABEL_DETAIL)
                label_add(t, span_of(at + 1, at + n));
            else
                label_add_text(t, word);
            open = " ";
        }
        at += n ? n : 1;
    }
    if (!open[1])
        label_add_text(t, "]");
}

/* ---- pieces of a name ---- */

/* Length of "operator<<", "operator()", 0: `at` does not begin one. */
static size_t operator_length(struct span name, const char *at)
{
    struct span rest = span_of(at, name.end);
    size_t n = strlen("operator");

    if (*at != 'o' || !span_starts(rest, "operator") ||
        (at > name.at && is_word(at[-1])) || at + n == name.end ||
        is_word(at[n]))
        return 0;
    rest.at += n;
    if (span_starts(rest, "()") || span_starts(rest, "[]"))
        return n + 2;
    while (rest.at < name.end && strchr("<>=-!&|+*/%^~,", *rest.at))
        rest.at++;
    return (size_t)(rest.at - at);
}

/* The position behind the bracket of any kind that closes the one at `at`;
 * operators are no brackets. */
static const char *past_brackets(struct span name, const char *at)
{
    unsigned depth = 0;

    while (at < name.end) {
        size_t skip = operator_length(name, at);

        if (skip) {
            at += skip;
            continue;
        }
        if (strchr("<([{", *at))
            depth++;
        else if (strchr(")]}", *at) ||
                 (*at == '>' && at > name.at && at[-1] != '-' && at[-1] != '='))
            depth--;
        at++;
        if (!depth)
            break;
    }
    return at;
}

/* Parameters follow a name. "(anonymous namespace)" and Go's "(*T)" are names,
 * and follow a colon, a dot or nothing. */
static bool is_parameters(struct span name, const char *at)
{
    return *at == '(' && at > name.at &&
           (is_word(at[-1]) || strchr("<>)]}=-!&|+*/%^~,'\"", at[-1])) &&
           !span_ends(span_of(name.at, at), "decltype");
}

struct outline {
    const char *space; /* the last blank before the name; or NULL */
    bool has_parameters;
};

static bool keeps_words(struct span before)
{
    return span_ends(before, " for") || span_ends(before, " to") ||
           span_ends(before, "operator") || span_ends(before, " in");
}

/* A return type ends at the last blank outside brackets before the first
 * parameters; conversion operators and thunks have blanks of their own. */
static struct outline outline_of(struct span name)
{
    struct outline o = {NULL, false};
    const char *at = name.at;
    bool in_operator = false;

    while (at < name.end) {
        size_t skip = operator_length(name, at);

        if (skip) {
            at += skip;
            in_operator =
                true; /* blanks are its own: "operator unsigned int" */
        } else if (is_parameters(name, at)) {
            o.has_parameters = true;
            return o;
        } else if (strchr("<([{", *at)) {
            at = past_brackets(name, at);
        } else {
            if (*at == ' ' && keeps_words(span_of(name.at, at)))
                return (struct outline){NULL, true};
            if (*at == ' ' && !in_operator)
                o.space = at;
            at++;
        }
    }
    return o;
}

/* ---- lambdas and closures ---- */

/* Each form and where its number begins. */
struct lambda {
    const char *begins, *ends, *word;
};

static const struct lambda lambdas[] = {
    {"{lambda(", "}", " lambda"},    {"$_", "", " lambda"},
    {"<lambda_", ">", " lambda"},    {"'lambda", "'", " lambda"},
    {"{{closure}}", "", " closure"}, {"{closure#", "}", " closure"},
};

static const char *number_end(const char *at, const char *end)
{
    while (at < end && is_digit(*at))
        at++;
    return at;
}

/* Writes the lambda at `at`, which follows "::", and returns where it ends;
 * NULL: there is none. The function that it is called by says nothing. */
static const char *add_lambda(struct label_text *t, struct span name,
                              const char *at)
{
    struct span rest = span_of(at, name.end), number = {at, at};
    const struct lambda *l = lambdas;
    const struct lambda *end = l + sizeof(lambdas) / sizeof(*lambdas);

    while (l < end && !span_starts(rest, l->begins))
        l++;
    if (l == end)
        return NULL;
    if (*l->begins == '{' && l->begins[1] == 'l') {
        const char *past = past_brackets(name, at);

        number.at = past - 1;
        while (is_digit(number.at[-1]))
            number.at--;
        number.end = past - 1;
        at = past;
    } else {
        number.at = at + strlen(l->begins);
        number.end = number_end(number.at, name.end);
        at = number.end;
        while (*l->ends && at < name.end && *at++ != *l->ends)
            ;
    }
    label_add_text(t, l->word);
    if (span_len(number) && *l->begins != '<') { /* that one is a hash */
        label_add_text(t, " ");
        label_add(t, number);
    }
    if (at < name.end && *at == '(' && *l->begins == '\'')
        at = past_brackets(name, at);
    if (span_starts(span_of(at, name.end), "::operator()"))
        at += strlen("::operator()");
    return at;
}

/* ---- writing ---- */

/* Parameters before the last "::" are of functions that hold this one. */
static const char *add_parameters(struct label_text *t, struct span name,
                                  const char *at, const char *colons)
{
    const char *end = past_brackets(name, at);

    if (t->parts & LABEL_PARAMETERS && end > colons)
        label_add_types(t, span_of(at, end));
    return end;
}

static const char *last_colons(struct span name)
{
    for (const char *at = name.end; at - 1 > name.at; at--)
        if (at[-1] == ':' && at[-2] == ':')
            return at;
    return name.at;
}

/* Skips qualifiers after the parameters: " const", " &&", " -> int". */
static const char *skip_qualifiers(struct label_text *t, struct span name,
                                   const char *at)
{
    static const char *const words[] = {" const", " volatile", " noexcept",
                                        " &&", " &"};

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (span_starts(span_of(at, name.end), words[i])) {
            if (t->parts & LABEL_DETAIL)
                label_add_text(t, words[i]);
            at += strlen(words[i]);
            i = (size_t)-1;
        }
    return at;
}

/* "[0123456789abcdef]" tells crates of one name apart. */
static bool is_crate_hash(struct span name, const char *at)
{
    return *at == '[' && name.end - at > HASH + 1 && at[HASH + 1] == ']' &&
           is_hash(at + 1, name.end);
}

/* Template arguments, with blanks and crates' hashes left out; a hash too. */
static const char *add_brackets(struct label_text *t, struct span name,
                                const char *at)
{
    const char *end = past_brackets(name, at);

    while (at < end) {
        if (is_crate_hash(name, at) && !(t->parts & LABEL_DETAIL)) {
            at += HASH + 2;
        } else {
            if (*at != ' ' || at + 1 == end || at[1] != '>')
                label_add(t, span_of(at, at + 1));
            at++;
        }
    }
    return end;
}

static void add_pieces(struct label_text *t, struct span name)
{
    const char *at = name.at, *past, *colons = last_colons(name);

    while (at < name.end) {
        size_t skip = operator_length(name, at);

        if (skip) {
            label_add(t, span_of(at, at + skip));
            at += skip;
        } else if (span_starts(span_of(at, name.end), "::") &&
                   (past = add_lambda(t, name, at + 2)) != NULL) {
            at = past;
        } else if (is_parameters(name, at)) {
            at = skip_qualifiers(t, name, add_parameters(t, name, at, colons));
        } else if (span_starts(span_of(at, name.end), "[abi:cxx11]")) {
            at += strlen("[abi:cxx11]");
        } else if (strchr("<([{", *at)) {
            at = add_brackets(t, name, at);
        } else {
            label_add(t, span_of(at, at + 1));
            at++;
        }
    }
}

static struct span without_hash(struct span name)
{
    const char *at = name.end - HASH - 3;

    if (span_len(name) > HASH + 3 && !memcmp(at, "::h", 3) &&
        is_hash(at + 3, name.end))
        name.end = at;
    return name;
}

/* "<T>::f" is "T::f", but "<T as Trait>::f" stays. */
static bool is_inherent(struct span name, const char *close)
{
    return close && close[-1] == '>' && close + 1 < name.end && *close == ':' &&
           !span_find(span_of(name.at, close), " as ") &&
           !strchr("[(&*", name.at[1]) &&
           !span_starts(span_of(name.at + 1, close), "dyn ");
}

void label_native(struct label_text *t, struct span name)
{
    struct span rest = name, tail;
    const char *close = NULL;

    t->managed = false;
    tail = span_of(find_copies(name), name.end);
    rest.end = tail.at;
    if (!(t->parts & LABEL_DETAIL)) {
        struct outline o;

        rest = without_hash(rest);
        o = outline_of(rest);
        if (o.has_parameters && o.space)
            rest.at = o.space + 1;
        while (rest.at < rest.end && (*rest.at == '*' || *rest.at == '&'))
            rest.at++;
    }
    if (span_starts(rest, "<"))
        close = past_brackets(rest, rest.at);
    if (is_inherent(rest, close)) {
        add_pieces(t, span_of(rest.at + 1, close - 1));
        rest.at = close;
    }
    add_pieces(t, rest);
    if (t->text.len)
        add_copies(t, tail);
}
