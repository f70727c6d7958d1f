#include "engine/model/label_impl.h"

/*
 * Types by their own names, as signatures spell them (ECMA-335 and the
 * runtime's events, "value class System.Nullable`1<int32>[]"; C++ is near
 * enough): a pass over the words.
 */

static bool same_path(struct span s, const char *path)
{
    size_t n = strlen(path);

    if (span_len(s) != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (s.at[i] != path[i] && !(s.at[i] == '-' && path[i] == '.'))
            return false;
    return true;
}

/* The C# keyword of a type of ECMA-335 or of the namespace System. */
static const char *type_keyword(struct span word)
{
    static const struct {
        const char *type, *keyword;
    } table[] = {
        {"System.Boolean", "bool"},
        {"System.Byte", "byte"},
        {"System.SByte", "sbyte"},
        {"System.Char", "char"},
        {"System.Int16", "short"},
        {"System.UInt16", "ushort"},
        {"System.Int32", "int"},
        {"System.UInt32", "uint"},
        {"System.Int64", "long"},
        {"System.UInt64", "ulong"},
        {"System.IntPtr", "nint"},
        {"System.UIntPtr", "nuint"},
        {"System.Single", "float"},
        {"System.Double", "double"},
        {"System.String", "string"},
        {"System.Object", "object"},
        {"System.Decimal", "decimal"},
        {"System.Void", "void"},
        {"int8", "sbyte"},
        {"uint8", "byte"},
        {"int16", "short"},
        {"uint16", "ushort"},
        {"int32", "int"},
        {"uint32", "uint"},
        {"int64", "long"},
        {"uint64", "ulong"},
        {"float32", "float"},
        {"float64", "double"},
        {"wchar", "char"},
    };

    for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
        if (same_path(word, table[i].type))
            return table[i].keyword;
    return NULL;
}

/* Behind the namespace: "System.Text.Rune" and "std::string" are the last of
 * the words that dots, or colons, join. */
static struct span type_own_name(struct span word)
{
    for (const char *at = word.end; at-- > word.at;)
        if (*at == '.' || *at == ':' || *at == '-')
            return at + 1 < word.end ? span_of(at + 1, word.end) : word;
    return word;
}

/* "Rune", "Dictionary" of "Dictionary`2", "A.B" of "A+B" or "A/B". */
static void add_plain_name(struct label_text *t, struct span name)
{
    for (const char *at = name.at; at < name.end; at++) {
        if (*at == '+' || *at == '/')
            label_add_text(t, ".");
        else if (*at == '`')
            while (at + 1 < name.end && is_digit(at[1]))
                at++;
        else
            label_add(t, span_of(at, at + 1));
    }
}

/* !0 and !!0 are arguments of the type and of the method. */
static bool add_type_argument(struct label_text *t, struct span word)
{
    if (!span_starts(word, "!"))
        return false;
    word.at++;
    if (span_starts(word, "!")) {
        label_add_text(t, "M");
        word.at++;
    } else {
        label_add_text(t, "T");
    }
    label_add(t, word);
    return true;
}

static void add_word(struct label_text *t, struct span word)
{
    const char *keyword = type_keyword(word), *nested;
    struct span outer = word;

    if (t->managed && span_is(word, "int"))
        keyword = "nint";
    if (t->managed && keyword) {
        label_add_text(t, keyword);
        return;
    }
    if (add_type_argument(t, word))
        return;
    nested = span_find_char(word, '+');
    if (!nested)
        nested = span_find_char(word, '/');
    outer.end = nested ? nested : word.end;
    add_plain_name(t, span_of(type_own_name(outer).at, word.end));
}

static bool ends_word(char c)
{
    return strchr(",<>[]()&* ", c) != NULL;
}

static struct span next_word(const char *at, const char *end)
{
    struct span word = {at, at};

    while (word.end < end && !ends_word(*word.end))
        word.end++;
    return word;
}

/* Words that say no more than the next one. */
static bool is_marker(struct span word)
{
    return span_is(word, "class") || span_is(word, "value") ||
           span_is(word, "valuetype") || span_is(word, "native");
}

/* "unsigned int8" is one type. */
static bool add_unsigned(struct label_text *t, struct span *word,
                         const char *end)
{
    struct span next;

    if (!t->managed || !span_is(*word, "unsigned") || word->end == end ||
        *word->end != ' ')
        return false;
    next = next_word(word->end + 1, end);
    if (span_is(next, "int8")) {
        label_add_text(t, "byte");
    } else {
        label_add_text(t, span_is(next, "int") ? "nu" : "u");
        label_add_text(t, span_is(next, "int")     ? "int"
                          : span_is(next, "int16") ? "short"
                          : span_is(next, "int64") ? "long"
                                                   : "int");
    }
    *word = next;
    return true;
}

static const char *add_marked_word(struct label_text *t, const char *at,
                                   const char *end)
{
    struct span word = next_word(at, end);

    while (t->managed && is_marker(word) && word.end + 1 < end &&
           *word.end == ' ')
        word = next_word(word.end + 1, end);
    if (!add_unsigned(t, &word, end))
        add_word(t, word);
    return word.end;
}

/* "[System.Runtime]" in front of a type, or a method table's address, which
 * differs from run to run; where the next word starts. */
static const char *skip_scope(struct label_text *t, const char *at,
                              const char *start, const char *end)
{
    const char *close = at + 1;

    if (*at == '[' && (at == start || strchr("(,< ", at[-1]))) {
        while (close < end && (is_word(*close) || strchr(".- ", *close)))
            close++;
        return close > at + 1 && close < end && *close == ']' ? close + 1 : at;
    }
    if (span_starts(span_of(at, end), "pMT: ")) {
        label_add_text(t, "?");
        return next_word(at + 5, end).end;
    }
    return at;
}

/* A space says something between two words only. */
static bool is_needed(struct span types, const char *at)
{
    return *at != ' ' || (at > types.at && !ends_word(at[-1]) &&
                          at + 1 < types.end && !ends_word(at[1]));
}

void label_add_types(struct label_text *t, struct span types)
{
    const char *at = types.at;

    while (at < types.end) {
        const char *next = skip_scope(t, at, types.at, types.end);

        if (next == at && !ends_word(*at))
            next = add_marked_word(t, at, types.end);
        if (next == at && is_needed(types, at))
            label_add(t, span_of(at, at + 1));
        at = next == at ? at + 1 : next;
    }
}

/*
 * Types by their own names, as reflection spells them: all arguments follow
 * the last of nested types, "A`1+B`1[X,Y]" is A<X>.B<Y>. They are taken apart
 * level by level.
 */

/* Types nest no deeper in names that people can read. */
enum { DEEPEST = 12 };

struct type_parts type_parts_of(struct span type)
{
    struct type_parts p = {.names = type, .suffix = {type.end, type.end}};
    const char *at = type.at, *close;

    while (at < type.end &&
           (*at != '[' || at + 1 == type.end || strchr("],*", at[1])))
        at++;
    p.names.end = at;
    p.arguments = span_of(at, at);
    if (at == type.end) { /* only ranks of arrays, pointers, references */
        while (p.names.end > type.at && strchr("[],*&", p.names.end[-1]))
            p.names.end--;
        p.suffix.at = p.names.end;
        return p;
    }
    close = closing_bracket(span_of(at, type.end));
    if (!close) {
        p.names.end = type.end;
        return p;
    }
    p.arguments = span_of(at + 1, close);
    p.suffix.at = close + 1;
    return p;
}

/* Cuts off what comes before the first `separator` outside brackets. */
static struct span cut_part(struct span *rest, char separator)
{
    struct span part = {rest->at, rest->at};
    unsigned depth = 0;

    for (; part.end < rest->end; part.end++) {
        if (!depth && *part.end == separator)
            break;
        if (*part.end == '<' || *part.end == '[')
            depth++;
        else if (depth && (*part.end == '>' || *part.end == ']'))
            depth--;
    }
    rest->at = part.end < rest->end ? part.end + 1 : part.end;
    return part;
}

struct span type_next_name(struct type_parts *p)
{
    return cut_part(&p->names, '+');
}

unsigned type_cut_arity(struct span *name)
{
    const char *at = name->end;
    unsigned arity = 0, power = 1;

    while (at > name->at && is_digit(at[-1]) && power < 1000) {
        arity += power * (unsigned)(*--at - '0');
        power *= 10;
    }
    if (at == name->at || at == name->end || at[-1] != '`')
        return 0;
    name->end = at - 1;
    return arity;
}

struct span type_take(struct type_parts *p, unsigned count)
{
    struct span taken = {p->arguments.at, p->arguments.at};

    while (count-- && p->arguments.at < p->arguments.end)
        taken.end = cut_part(&p->arguments, ',').end;
    return taken;
}

static void add_type(struct label_text *t, struct span type, unsigned depth);

static void add_list(struct label_text *t, struct span list, unsigned depth)
{
    while (span_len(list)) {
        add_type(t, cut_part(&list, ','), depth + 1);
        if (span_len(list))
            label_add_text(t, ",");
    }
}

static void add_arguments(struct label_text *t, struct span list,
                          unsigned depth)
{
    if (!span_len(list))
        return;
    label_add_text(t, "<");
    add_list(t, list, depth);
    label_add_text(t, ">");
}

void label_add_arguments(struct label_text *t, struct span arguments)
{
    add_arguments(t, arguments, 0);
}

/* The function in "<Run>d__5" and "<<Run>b__0>d". */
static struct span written_in(struct span name)
{
    for (unsigned i = 0; i < DEEPEST && span_starts(name, "<"); i++) {
        const char *close = closing_bracket(name);

        if (!close || close == name.at + 1)
            break;
        name = span_of(name.at + 1, close);
    }
    return name;
}

/* "int?" and "(int,string)". */
static bool add_special(struct label_text *t, struct type_parts *p,
                        unsigned depth)
{
    bool tuple = span_starts(p->names, "System.ValueTuple`");

    if (!span_len(p->arguments) ||
        (!tuple && !span_is(p->names, "System.Nullable`1")))
        return false;
    label_add_text(t, tuple ? "(" : "");
    add_list(t, p->arguments, depth);
    label_add_text(t, tuple ? ")" : "?");
    label_add(t, p->suffix);
    return true;
}

static void add_type(struct label_text *t, struct span type, unsigned depth)
{
    struct type_parts p = type_parts_of(type);
    const char *keyword = type_keyword(p.names);
    bool first = true;

    if (depth > DEEPEST) {
        label_add(t, type);
        return;
    }
    if (add_special(t, &p, depth))
        return;
    if (keyword) {
        label_add_text(t, keyword);
        p.names.at = p.names.end;
    }
    while (span_len(p.names)) {
        struct span name = type_next_name(&p);
        unsigned arity = type_cut_arity(&name);

        if (!first && span_starts(name, "<>c"))
            continue;
        if (!first)
            label_add_text(t, ".");
        label_add(t, first ? type_own_name(name) : written_in(name));
        add_arguments(t, type_take(&p, arity), depth);
        first = false;
    }
    add_arguments(t, p.arguments, depth);
    label_add(t, p.suffix);
}
