#include "engine/attribution/jit_name.h"

#include "tests/support/suite.h"

static const struct {
    const char *text;
    const char *module; /* NULL: not such a name */
    const char *method;
    unsigned tier;
} rows[] = {
    {"void [App] N.T::Run()[QuickJitted]", "App", "N.T.Run()", 3},
    {"instance !1[] [System.Linq] L.R`2[System.Int32]::ToArray()[Optimized]",
     "System.Linq", "L.R`2[System.Int32].ToArray()", 2},
    {"class [System.Runtime]System.Type [App] N.T::Get(int32[])", "App",
     "N.T.Get(int32[])", 0},
    {"void [Two Words] dynamicClass::Spin(int32)[OptimizedTier1OSR]",
     "Two Words", "dynamicClass.Spin(int32)", 5},
    {"void [App] N.T::.ctor()[NewTier]", "App", "N.T..ctor()", 0},
    {"void [App] N.T /* MT: 0x7fd5 */::Run(class A /* MT: 0x1 */)[Optimized]",
     "App", "N.T.Run(class A)", 2},
    {"int32 [App] N.T::N.I<System.Int32>.op(int32)", "App",
     "N.T.N.I<System.Int32>.op(int32)", 0},
    {"JS:*fib /srv/app.js:1:13", "", "fib /srv/app.js:1:13", 0},
    {"JS:^ /srv/app.js:1:1", "", "(anonymous) /srv/app.js:1:1", 0},
    {"LazyCompile:~a b.js:1", "", "a b.js:1", 0},
    {"JS:+f", "", "f", 0},
    {"JS:f", NULL, NULL, 0}, /* as short as a name is not */
    {"JS:ff", "", "ff", 0},
    {"Eval:~f x", "", "f x", 0},
    {"Script:~ x.js:1", "", "(anonymous) x.js:1", 0},
    {"void [A] N.T::F()[MinOptJitted]", "A", "N.T.F()", 1},
    {"[A] N.T::F()", "A", "N.T.F()", 0},
    {"void[] [A] N.T::F()[InstrumentedTierOptimized]", "A", "N.T.F()", 7},
    {"void [A] N.T::F()[Optimised]", "A", "N.T.F()", 0},
    {"void [A] N.T::F()[Optim]", "A", "N.T.F()", 0},
    {"void [A] N.T::F()[Tier]x", "A", "N.T.F()[Tier]x", 0},
    {"void [A] N.T::Of(int32[]", "A", "N.T.Of(int32[]", 0},
    {"void [A] N::T::F(X::Y)", "A", "N::T.F(X::Y)", 0},
    {"void [A] N.T::F /* MT: 0x1 */", "A", "N.T.F", 0},
    {"void [A] N.T::F/* MT: 0x1 */()", "A", "N.T.F()", 0},
    {"void [A] N.T::F( /* MT: 0x1", "A", "N.T.F(", 0},
    {"void [A] /* MT: 0x1 */N.T::F()", "A", "N.T.F()", 0},
    {"void [A] N.T::F(]", "A", "N.T.F(]", 0},
    {"void [A] N.T::F)]", "A", "N.T.F)]", 0},
    {"void [A] N.T::F()[]", "A", "N.T.F()", 0},
    {"void [A] ::F()", "A", ".F()", 0},
    {"Function:~f", "", "f", 0},
    {"void [] [A] N.T::F()", "A", "N.T.F()", 0},
    {"void [A]", NULL, NULL, 0},
    {"void [A] F()", NULL, NULL, 0},
    {"void x[A] N.T::F()", NULL, NULL, 0},
    {"void [A]N.T::F() [B] M.T::G()", "B", "M.T.G()", 0},
    {"void [A N.T::F()", NULL, NULL, 0},
    {"stub ReportStubBlock<MethodCallThunk>", NULL, NULL, 0},
    {"<one::two as three>::four", NULL, NULL, 0},
    {"memcpy", NULL, NULL, 0},
    {"void [App] ", NULL, NULL, 0},
    {"[", NULL, NULL, 0},
    {"", NULL, NULL, 0},
};

enum { ROWS = COUNT(rows) };

TEST_LOOP(parses, ROWS)
{
    struct jit_name name;
    bool is = jit_name_parse(&name, rows[_i].text, strlen(rows[_i].text));

    ck_assert_msg(is == (rows[_i].module != NULL), "%s", rows[_i].text);
    if (!is)
        return;
    ck_assert_uint_eq(name.module_len, strlen(rows[_i].module));
    if (name.module_len)
        ck_assert_mem_eq(name.module, rows[_i].module, name.module_len);
    *vec_add(&name.method) = '\0';
    ck_assert_str_eq(name.method.data, rows[_i].method);
    ck_assert_uint_eq(name.tier, rows[_i].tier);
    jit_name_release(&name);
}
