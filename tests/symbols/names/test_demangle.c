/* Names that compilers make, and what people call them. */
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "symbols/names/demangle.h"
#include "tests/support/suite.h"

struct row {
    const char *name, *full, *brief;
};

static const struct row rows[] = {
    {"main", "main", "main"},
    {"", "", ""},
    {"_", "_", "_"},
    {"_Z3foov", "foo()", "foo"},
    {"__Z3foov", "foo()", "foo"}, /* 32-bit PE */
    {"_Z3foov@plt", "foo()@plt", "foo@plt"},
    {"_Z3foov.constprop.0", "foo() [clone .constprop.0]", "foo"},
    {"_ZNSt6vectorIiSaIiEE9push_backERKi",
     "std::vector<int, std::allocator<int> >::push_back(int const&)",
     "std::vector::push_back"},
    {"_ZN12_GLOBAL__N_14Pool4growEi", "(anonymous namespace)::Pool::grow(int)",
     "(anonymous namespace)::Pool::grow"},
    {"_ZZN3app4Pool4growEiENKUliiE_clEii",
     "app::Pool::grow(int)::{lambda(int, int)#1}::operator()(int, int) const",
     "app::Pool::grow::{lambda#1}::operator()"},
    {"_ZlsRSoRK3Foo", "operator<<(std::ostream&, Foo const&)", "operator<<"},
    {"_ZltIiEbT_S0_", "bool operator< <int>(int, int)", "operator<"},
    {"_ZNK3FooptEv", "Foo::operator->() const", "Foo::operator->"},
    {"_RNvC3foo3bar", "foo::bar", "foo::bar"},
    {"_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>",
     "std::mem::align_of"},
    {"_ZN4core6result19Result$LT$T$C$E$GT$6unwrap17h0123456789abcdefE",
     "core::result::Result<T,E>::unwrap", "core::result::Result::unwrap"},
    {"_D3std5stdio7writelnFAyaZv", "std.stdio.writeln(immutable(char)[])",
     "std.stdio.writeln"},
    {"_Zbroken", "_Zbroken", "_Zbroken"},
    {"std::max<int>", "std::max<int>", "std::max"},
    {"main.func1", "main.func1", "main.func1"}, /* Go */
};

START_TEST(readable)
{
    struct arena arena = {0};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct row *r = &rows[i];

        ck_assert_ptr_eq(demangle(r->name, DEMANGLE_NONE, &arena), r->name);
        ck_assert_str_eq(demangle(r->name, DEMANGLE_FULL, &arena), r->full);
        ck_assert_str_eq(demangle(r->name, DEMANGLE_SHORT, &arena), r->brief);
    }
    arena_release(&arena);
}
END_TEST

/* Each level of a template doubles the text: 2 to the 40th characters. */
START_TEST(explosive)
{
    char name[1000] = "_Z1fI1AIiiE";
    struct arena arena = {0};

    for (unsigned i = 0; i < 40; i++)
        snprintf(name + strlen(name), 20, "S%c_S%c_E1AI", '0' + (char)(i % 10),
                 '0' + (char)(i % 10));
    (void)demangle(name, DEMANGLE_FULL, &arena);
    strcpy(name, "_Z1f1AIiiE");
    for (unsigned i = 0; i < 30; i++)
        strcat(name, i ? "PFvS1_S1_E" : "PFvS0_S0_E");
    (void)demangle(name, DEMANGLE_FULL, &arena);
    arena_release(&arena);
}
END_TEST

/* Longer than libiberty's own limit, and longer than ours. */
START_TEST(long_names)
{
    struct arena arena = {0};
    char *name = mem_new(9000, 1);

    strcpy(name, "_Z1f");
    memset(name + 4, 'P', 3000);
    strcpy(name + 3004, "i");
    ck_assert_str_eq(demangle(name, DEMANGLE_SHORT, &arena), "f");
    memset(name + 4, 'P', 8000);
    strcpy(name + 8004, "i");
    ck_assert_ptr_eq(demangle(name, DEMANGLE_FULL, &arena), name);
    free(name);
    arena_release(&arena);
}
END_TEST

int main(void)
{
    return suite_run("demangle", readable, explosive, long_names);
}
