/* Names of operators and of what compilers make, and those of C. */
#include <stddef.h>
#include <string.h>

#include "symbols/names/undecorate_impl.h"

const char *undecorate_operator(char c)
{
    static const char *const names[] = {
        ['2'] = "operator new", ['3'] = "operator delete",
        ['4'] = "operator=",    ['5'] = "operator>>",
        ['6'] = "operator<<",   ['7'] = "operator!",
        ['8'] = "operator==",   ['9'] = "operator!=",
        ['A'] = "operator[]",   ['C'] = "operator->",
        ['D'] = "operator*",    ['E'] = "operator++",
        ['F'] = "operator--",   ['G'] = "operator-",
        ['H'] = "operator+",    ['I'] = "operator&",
        ['J'] = "operator->*",  ['K'] = "operator/",
        ['L'] = "operator%",    ['M'] = "operator<",
        ['N'] = "operator<=",   ['O'] = "operator>",
        ['P'] = "operator>=",   ['Q'] = "operator,",
        ['R'] = "operator()",   ['S'] = "operator~",
        ['T'] = "operator^",    ['U'] = "operator|",
        ['V'] = "operator&&",   ['W'] = "operator||",
        ['X'] = "operator*=",   ['Y'] = "operator+=",
        ['Z'] = "operator-=",
    };
    size_t i = (unsigned char)c;

    return i < sizeof(names) / sizeof(*names) ? names[i] : NULL;
}

const char *undecorate_special(char c)
{
    static const char *const names[] = {
        ['0'] = "operator/=",
        ['1'] = "operator%=",
        ['2'] = "operator>>=",
        ['3'] = "operator<<=",
        ['4'] = "operator&=",
        ['5'] = "operator|=",
        ['6'] = "operator^=",
        ['7'] = "`vftable'",
        ['8'] = "`vbtable'",
        ['9'] = "`vcall'",
        ['A'] = "`typeof'",
        ['B'] = "`local static guard'",
        ['D'] = "`vbase destructor'",
        ['E'] = "`vector deleting destructor'",
        ['F'] = "`default constructor closure'",
        ['G'] = "`scalar deleting destructor'",
        ['H'] = "`vector constructor iterator'",
        ['I'] = "`vector destructor iterator'",
        ['J'] = "`vector vbase constructor iterator'",
        ['K'] = "`virtual displacement map'",
        ['L'] = "`eh vector constructor iterator'",
        ['M'] = "`eh vector destructor iterator'",
        ['N'] = "`eh vector vbase constructor iterator'",
        ['O'] = "`copy constructor closure'",
        ['S'] = "`local vftable'",
        ['T'] = "`local vftable constructor closure'",
        ['U'] = "operator new[]",
        ['V'] = "operator delete[]",
    };
    size_t i = (unsigned char)c;

    return i < sizeof(names) / sizeof(*names) ? names[i] : NULL;
}

/* Digits behind the last '@', which is not the first character. */
static const char *size_suffix(const char *name)
{
    const char *at = strrchr(name, '@');

    if (!at || at == name || !at[1] ||
        at[1 + strspn(at + 1, "0123456789")])
        return NULL;
    return at;
}

char *undecorate_c(struct arena *arena, const char *name)
{
    const char *end = size_suffix(name);
    const char *start = name;

    if (*name == '_' || (*name == '@' && end))
        start++;
    if (end && end > start && end[-1] == '@')
        end--;
    if (!end)
        end = name + strlen(name);
    if (end <= start)
        return NULL;
    return arena_strndup(arena, start, (size_t)(end - start));
}
