/* Which names are decorated, and by whom. */
#include "symbols/names/demangle.h"

#include "tests/support/suite.h"

static const struct {
    const char *name, *full, *brief;
} rows[] = {
    {"_Z1fi", "f(int)", "f"},
    {"__Z1fi", "f(int)", "f"}, /* 32-bit PE */
    {"___Z1fi", "___Z1fi", "___Z1fi"},
    {"Z1fi", "Z1fi", "Z1fi"},
    {"_RNvC1a1b", "a::b", "a::b"},
    {"__RNvC1a1b", "a::b", "a::b"},
    {"_D1a1bFiZv", "_D1a1bFiZv", "_D1a1bFiZv"}, /* D is not read */
    {"?f@@YAXH@Z", "f(int)", "f"},
    {"?f", "?f", "?f"}, /* not understood */
    {"_Zx", "_Zx", "_Zx"},
    {"_f(int)", "_f(int)", "_f(int)"}, /* readable as it is */
    {"f<int>(int)", "f<int>(int)", "f<int>(int)"},
    {"_", "_", "_"},
    {"__", "__", "__"},
    {"", "", ""},
};

TEST(readable)
{
    struct arena arena = {0};

    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *name = rows[i].name;

        ck_assert_str_eq(symbol_readable(name, DEMANGLE_FULL, &arena),
                         rows[i].full);
        ck_assert_str_eq(symbol_readable(name, DEMANGLE_SHORT, &arena),
                         rows[i].brief);
        ck_assert_ptr_eq(symbol_readable(name, DEMANGLE_NONE, &arena), name);
    }
    ck_assert_ptr_null(symbol_readable(NULL, DEMANGLE_FULL, &arena));
    arena_release(&arena);
}
