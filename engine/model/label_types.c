/*
 * Types by their own names, as signatures spell them (ECMA-335 and the
 * runtime's events, "value class System.Nullable`1<int32>[]"; C++ is near
 * enough): a pass over the words.
 */
#include "engine/model/label_impl.h"

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

const char *type_keyword(struct span word)
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

struct span type_own_name(struct span word)
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
