#include "engine/attribution/jit_name.h"

#include <string.h>

#include "engine/model/code.h"

static const char *find(const char *text, const char *end, const char *what)
{
    return end > text ? memmem(text, (size_t)(end - text), what, strlen(what))
                      : NULL;
}

/* The module: the first thing in brackets with a space on either side.
 * Brackets of types have none behind ("class [System.Runtime]System.Type")
 * or none before ("int32[] "). */
static const char *find_module(const char *text, const char *end,
                               const char **close)
{
    const char *at = text;

    while (at < end) {
        bool begins = *at == '[' && (at == text || at[-1] == ' ');

        if (begins) {
            *close = memchr(at, ']', (size_t)(end - at));
            if (!*close)
                return NULL;
            if (*close > at + 1 && *close + 1 < end && (*close)[1] == ' ')
                return at + 1;
        }
        at++;
    }
    return NULL;
}

/* Cuts "[Tier]" off the end. Tiers are those of method events; precompiled code
 * has none. */
static const char *cut_tier(struct jit_name *name, const char *text,
                            const char *end)
{
    const char *open = end;
    size_t n;

    if (end == text || end[-1] != ']')
        return end;
    while (open > text && *open != '[')
        open--;
    /* Arguments end before it: "Get()[Optimized]", not "Of(int32[]". */
    if (open == text || open[-1] != ')')
        return end;
    n = (size_t)(end - open) - 2;
    for (unsigned i = 1; i < CODE_TIERS && !name->tier; i++)
        if (strlen(code_tier_name(i)) == n &&
            !memcmp(code_tier_name(i), open + 1, n))
            name->tier = (uint8_t)i;
    return open;
}

/* The "::" between class and method: the last before the arguments. */
static const char *find_separator(const char *text, const char *end)
{
    const char *arguments = find(text, end, "("), *at = text, *found = NULL;

    if (arguments)
        end = arguments;
    while ((at = find(at, end, "::")) != NULL) {
        found = at;
        at += 2;
    }
    return found;
}

/* Appends without comments of addresses and the space before them. */
static void append(struct jit_name *name, const char *text, const char *end)
{
    while (text < end) {
        const char *comment = find(text, end, "/* MT: 0x"), *close;
        const char *stop = comment ? comment : end;

        if (comment && comment > text && comment[-1] == ' ')
            stop--;
        vec_reserve(&name->method, (size_t)(stop - text));
        if (stop > text)
            memcpy(name->method.data + name->method.len, text,
                   (size_t)(stop - text));
        name->method.len += (size_t)(stop - text);
        if (!comment)
            return;
        close = find(comment, end, "*/");
        text = close ? close + 2 : end;
    }
}

const char *jit_name_of_script(const char *text, size_t n)
{
    static const char *const kinds[] = {
        "JS:", "LazyCompile:", "Function:", "Eval:", "Script:",
    };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        size_t length = strlen(kinds[i]);

        if (n <= length + 1 || memcmp(text, kinds[i], length) != 0)
            continue;
        text += length;
        return strchr("~^+*", *text) ? text + 1 : text;
    }
    return NULL;
}

bool jit_name_parse(struct jit_name *name, const char *text, size_t n)
{
    static const char nameless[] = "(anonymous)";
    const char *end = text + n, *close = NULL, *separator, *script;

    *name = (struct jit_name){0};
    script = jit_name_of_script(text, n);
    if (script) {
        if (*script == ' ')
            append(name, nameless, nameless + sizeof(nameless) - 1);
        append(name, script, end);
        return true;
    }
    name->module = find_module(text, end, &close);
    if (!name->module)
        return false;
    name->module_len = (size_t)(close - name->module);
    text = close + 2;
    end = cut_tier(name, text, end);
    separator = find_separator(text, end);
    if (!separator)
        return false;
    append(name, text, separator);
    *vec_add(&name->method) = '.';
    append(name, separator + 2, end);
    return true;
}

void jit_name_release(struct jit_name *name)
{
    vec_release(&name->method);
}
