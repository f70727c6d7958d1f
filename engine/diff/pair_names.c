#include "engine/base/text.h"
#include "engine/diff/pair.h"

#include <stdbool.h>
#include <string.h>

#include "engine/model/profile.h"

const char *diff_rule_name(enum diff_rule rule)
{
    static const char *const names[DIFF_RULES] = {
        [DIFF_EXACT] = "exact",
        [DIFF_RENAME] = "renamed by --rename",
        [DIFF_ADDRESS] = "address in the same build",
        [DIFF_SPELLING] = "spelling of arguments",
        [DIFF_SUFFIX] = "compiler suffix",
        [DIFF_TIER] = "JIT tier",
        [DIFF_MODULE] = "other module",
        [DIFF_HASH] = "hash suffix",
        [DIFF_LAMBDA] = "lambda number",
        [DIFF_TEMPLATE] = "template arguments",
        [DIFF_POSITION] = "call-tree position",
        [DIFF_SIMILAR] = "callers, callees, size and place",
        [DIFF_NAMELESS] = "name missing on one side",
    };

    return names[rule];
}

static bool is_word(char c)
{
    return is_digit(c) || c == '_' || c == '.' || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

/* The spellings of .NET method signatures by the runtime's events and by its
 * symbol readers (ECMA-335 II.7.1; C# names of the same types). */
static const struct {
    const char *long_form, *short_form;
} spellings[] = {
    {"value class ", "valuetype "},
    {"class System.String", "string"},
    {"class System.Object", "object"},
    {"valuetype System.Boolean", "bool"},
    {"valuetype System.Int32", "int32"},
    {"valuetype System.Int64", "int64"},
    {"unsigned int8", "uint8"},
    {"unsigned int16", "uint16"},
    {"unsigned int32", "uint32"},
    {"unsigned int64", "uint64"},
};

/* Replaces whole words only: System.StringBuilder is not a string. */
static void respell(char *text, const char *from, const char *to)
{
    size_t n = strlen(from), m = strlen(to);
    char *at = text;

    while ((at = strstr(at, from))) {
        bool starts = at == text || !is_word(at[-1]);
        bool ends = from[n - 1] == ' ' || !is_word(at[n]);

        if (!starts || !ends) {
            at++;
            continue;
        }
        memcpy(at, to, m); /* never longer than `from` */
        memmove(at + m, at + n, strlen(at + n) + 1);
        at += m;
    }
}

static void clean_spelling(char *text)
{
    size_t n = sizeof(spellings) / sizeof(*spellings);

    for (size_t i = 0; i < n; i++)
        respell(text, spellings[i].long_form, spellings[i].short_form);
}

/* Length of ".isra.0", ".cold", ".llvm.123" at `text`; 0: none there. */
static size_t suffix_at(const char *text)
{
    static const char *const words[] = {
        ".isra", ".part",     ".cold", ".constprop",
        ".llvm", ".lto_priv", ".hot",  ".unlikely",
    };

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        size_t n = strlen(words[i]);

        if (strncmp(text, words[i], n))
            continue;
        while (text[n] == '.' && is_digit(text[n + 1]))
            n += 1 + strspn(text + n + 1, "0123456789");
        if (!is_word(text[n]) || text[n] == '.')
            return n;
    }
    return 0;
}

static void cut(char *at, size_t n)
{
    memmove(at, at + n, strlen(at + n) + 1);
}

/* GCC and Clang add these to the symbol, and demanglers then print
 * " [clone .cold]" or " (.cold)". */
static void clean_suffix(char *text)
{
    char *at = strstr(text, " [clone ");

    if (at)
        *at = '\0';
    for (at = text + (*text != '\0'); (at = strchr(at, '.'));) {
        size_t n = suffix_at(at);

        if (!n) {
            at++;
            continue;
        }
        cut(at, n);
        if (at - text > 2 && !strncmp(at - 2, " ()", 3)) {
            at -= 2;
            cut(at, 3);
        }
    }
}

/* Takes off the tier with which perf maps of .NET end names. */
static void clean_tier(char *text)
{
    static const char *const tiers[] = {
        "Tier0",    "Tier1",         "OptimizedTier1", "OptimizedTier1OSR",
        "PreJIT",   "ReadyToRun",    "Optimized",      "MinOptJitted",
        "Unknown",  "Instrumented",  "QuickJitted",    "InstrumentedTier",
        "OSR",      "Tier0Instrumented",
    };
    size_t n = strlen(text);
    char *open = strrchr(text, '[');

    if (!open || !n || text[n - 1] != ']')
        return;
    for (size_t i = 0; i < sizeof(tiers) / sizeof(*tiers); i++) {
        size_t length = strlen(tiers[i]);

        if ((size_t)(text + n - 1 - open - 1) == length &&
            !memcmp(open + 1, tiers[i], length)) {
            *open = '\0';
            for (n = strlen(text); n && text[n - 1] == ' '; n--)
                text[n - 1] = '\0';
            return;
        }
    }
}

/* Rust's legacy mangling ends in the hash of the crate and types. */
static void clean_hash(char *text)
{
    size_t n = strlen(text);
    char *at = n > 19 ? text + n - 19 : NULL;

    if (at && !strncmp(at, "::h", 3) &&
        strspn(at + 3, "0123456789abcdef") == 16)
        *at = '\0';
}

/* Texts before the numbers that a compiler counts closures with:
 * C# (<Main>b__3_1, <>c__DisplayClass7_0, <Run>g__Step|4_0, <Run>d__5), Go
 * (main.run.func2), C++ ({lambda(int)#2}, $_3, '<lambda_7>'), Java, JS. */
static const char *const counted[] = {
    "b__",  "c__DisplayClass", "d__",     "|",      ".func", "#", "$_",
    "{{closure}}", "<lambda_", "lambda$", "lambda_", "Lambda$", "CS$",
};

static void clean_lambda(char *text)
{
    for (size_t i = 0; i < sizeof(counted) / sizeof(*counted); i++) {
        size_t n = strlen(counted[i]);
        char *at = text;

        while ((at = strstr(at, counted[i]))) {
            at += n;
            if (is_digit(*at))
                cut(at, strspn(at, "0123456789_"));
        }
    }
}

/* True if a '<' at `at` opens arguments: not of an operator, nor the name
 * that C# gives to generated code (<Main>b__0). */
static bool opens(const char *text, const char *at)
{
    size_t n = (size_t)(at - text);

    if (!n || strchr(" .:+/<|&(,", at[-1]))
        return false;
    return n < 8 || strncmp(at - 8, "operator", 8) != 0;
}

/* The matching '>', or NULL; "->" closes nothing. */
static char *closing(char *at)
{
    int depth = 0;

    for (; *at; at++) {
        if (*at == '<')
            depth++;
        else if (*at == '>' && at[-1] != '-' && --depth == 0)
            return at;
    }
    return NULL;
}

/* Also [[...]] and `1, as .NET writes generic arguments and their count. */
static void clean_template(char *text)
{
    for (char *at = text; (at = strchr(at, '<')); at++) {
        char *end = opens(text, at) ? closing(at) : NULL;

        if (end)
            cut(at + 1, (size_t)(end - at - 1));
    }
    for (char *at = text; (at = strchr(at, '[')); at++) {
        char *end = strchr(at, ']');

        if (at > text && end && end > at + 1 && strspn(at + 1, ",") == 0 &&
            is_word(at[-1]))
            cut(at + 1, (size_t)(end - at - 1));
    }
}

char *diff_clean(const char *name, enum diff_rule rule, struct arena *arena)
{
    static void (*const clean[DIFF_RULES])(char *) = {
        [DIFF_SPELLING] = clean_spelling, [DIFF_SUFFIX] = clean_suffix,
        [DIFF_TIER] = clean_tier,         [DIFF_HASH] = clean_hash,
        [DIFF_LAMBDA] = clean_lambda,     [DIFF_TEMPLATE] = clean_template,
    };
    char *text = arena_strndup(arena, name, strlen(name));

    for (int i = 0; i <= (int)rule; i++)
        if (clean[i])
            clean[i](text);
    return text;
}

/* Pairing by cleaned names, rule by rule. */

struct candidate {
    uint32_t key, module, name;
    const char *text;   /* as it was, for the order within a group */
    const char *module_text;
    bool before, after;
};

struct matching {
    struct diff_pairs *pairs;
    const char **cleaned; /* by name, as far as the rules have come */
    struct arena arena;
    VEC(struct candidate) list;
};

/* By these a compiler or runtime makes several pieces of one function: they
 * belong to it on whichever side they are. */
static bool makes_pieces(enum diff_rule rule)
{
    return rule == DIFF_SUFFIX || rule == DIFF_TIER;
}

static int by_key(const void *x, const void *y)
{
    const struct candidate *a = x, *b = y;
    int order;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->module != b->module)
        return a->module < b->module ? -1 : 1;
    order = strcmp(a->text, b->text);
    return order ? order : strcmp(a->module_text, b->module_text);
}

static void add_candidate(struct matching *m, uint32_t name,
                          enum diff_rule rule)
{
    const struct diff_name *n = &m->pairs->names.data[name];

    *vec_add(&m->list) = (struct candidate){
        .key = strings_add(m->pairs->keys, m->cleaned[name],
                           strlen(m->cleaned[name])),
        .module = rule == DIFF_MODULE ? 0 : n->module_key,
        .name = name,
        .text = n->name,
        .module_text = n->module,
        .before = n->seen[0],
        .after = n->seen[1],
    };
}

static void collect(struct matching *m, enum diff_rule rule)
{
    struct diff_pairs *pairs = m->pairs;

    m->list.len = 0;
    for (uint32_t i = 0; i < pairs->names.len; i++) {
        const struct diff_name *n = &pairs->names.data[i];

        if (n->unnamed || n->unit != i)
            continue;
        if (!makes_pieces(rule) && !diff_pairs_one_sided(pairs, i))
            continue;
        if (!m->cleaned[i])
            m->cleaned[i] = strings_get(pairs->keys, n->key);
        m->cleaned[i] = diff_clean(m->cleaned[i], rule, &m->arena);
        add_candidate(m, i, rule);
    }
    if (m->list.len)
        qsort(m->list.data, m->list.len, sizeof(*m->list.data), by_key);
}

/* In order of names, as many on either side. */
static void join_in_order(struct matching *m, const struct candidate *group,
                          size_t n, enum diff_rule rule)
{
    size_t b = 0, a = 0;

    for (;; b++, a++) {
        while (b < n && group[b].after)
            b++;
        while (a < n && group[a].before)
            a++;
        if (b >= n || a >= n)
            return;
        diff_pairs_join(m->pairs, group[b].name, group[a].name, rule);
    }
}

static void join_group(struct matching *m, const struct candidate *group,
                       size_t n, enum diff_rule rule)
{
    size_t before = 0, after = 0;

    for (size_t i = 0; i < n; i++) {
        before += group[i].before && !group[i].after;
        after += !group[i].before && group[i].after;
    }
    if (before + after == 0 || n < 2)
        return;
    if (!makes_pieces(rule) && (!before || !after))
        return;
    if (!makes_pieces(rule) && before == after) {
        join_in_order(m, group, n, rule);
        return;
    }
    for (size_t i = 1; i < n; i++)
        diff_pairs_join(m->pairs, group[0].name, group[i].name, rule);
}

static bool any_one_sided(const struct diff_pairs *pairs)
{
    for (uint32_t i = 0; i < pairs->names.len; i++)
        if (!pairs->names.data[i].unnamed && diff_pairs_one_sided(pairs, i))
            return true;
    return false;
}

static void match(struct matching *m, enum diff_rule rule)
{
    const struct candidate *list;
    size_t end;

    collect(m, rule);
    list = m->list.data;
    for (size_t i = 0; i < m->list.len; i = end) {
        for (end = i + 1; end < m->list.len; end++)
            if (list[end].key != list[i].key ||
                list[end].module != list[i].module)
                break;
        join_group(m, list + i, end - i, rule);
    }
}

void diff_pairs_by_name(struct diff_pairs *pairs)
{
    struct matching m = {.pairs = pairs};

    m.cleaned = mem_new(pairs->names.len, sizeof(*m.cleaned));
    for (int rule = DIFF_SPELLING; rule < DIFF_POSITION; rule++)
        if (any_one_sided(pairs))
            match(&m, (enum diff_rule)rule);
    free(m.cleaned);
    arena_release(&m.arena);
    vec_release(&m.list);
}
