/* Recorded names and what people call them: testdata/labels.tsv. */
#include "engine/model/labels.h"

#include "tests/support/suite.h"

struct row {
    char *kind, *name, *signature, *label;
};

static enum code_kind kind_of(const char *name)
{
    for (int k = 0; k < CODE_KINDS; k++)
        if (!strcmp(code_kind_name((enum code_kind)k), name))
            return (enum code_kind)k;
    return CODE_UNKNOWN;
}

static void check_row(const struct row *r)
{
    struct arena arena = {0};
    struct label_source source = {r->name, *r->signature ? r->signature : NULL,
                                  kind_of(r->kind)};
    const char *label = label_from_name(&arena, &source, 0);

    ck_assert_msg(!strcmp(label, r->label), "%s is %s, not %s", r->name, label,
                  r->label);
    arena_release(&arena);
}

TEST(labels_of_recorded_names)
{
    FILE *file = fopen("testdata/labels.tsv", "r");
    char line[2000];
    unsigned rows = 0;

    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof(line), file)) {
        char *at = line;
        struct row r;

        line[strcspn(line, "\n")] = '\0';
        if (*line == '#')
            continue;
        r.kind = strsep(&at, "\t");
        r.name = strsep(&at, "\t");
        r.signature = strsep(&at, "\t");
        r.label = strsep(&at, "\t");
        ck_assert_ptr_nonnull(r.label);
        check_row(&r);
        rows++;
    }
    fclose(file);
    ck_assert_uint_ge(rows, 150);
}

static const struct {
    enum code_kind kind;
    unsigned parts;
    const char *name, *label;
} parts[] = {
    {CODE_MANAGED, LABEL_PARAMETERS,
     "Shop.Sorting`1[System.Int32].Quick(!0[],int32,class System.String)",
     "Shop.Sorting<int>.Quick(T0[],int,string)"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F(int,unsigned int8,unsigned int,value class System.Guid*,"
     "class System.Action`2<!!0,class B.C+D[]>,wchar&)",
     "A.F(nint,byte,nuint,Guid*,Action<M0,C.D[]>,char&)"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "dynamicClass.IL_STUB_PInvoke(pMT: 0x7fd13a1db0c0,int32)",
     "dynamicClass.IL_STUB_PInvoke(?,int)"},
    {CODE_MANAGED, LABEL_DETAIL, "Program.<<Main>$>g__Once|0_0(int32)",
     "Program.Main.Once|0_0"},
    {CODE_NATIVE, LABEL_PARAMETERS,
     "int app::pick<int>(int, std::string const&)",
     "app::pick<int>(int,string const&)"},
    {CODE_NATIVE, LABEL_PARAMETERS | LABEL_DETAIL,
     "int app::pick<int>(int) [clone .part.0]",
     "int app::pick<int>(int) [part.0]"},
    {CODE_NATIVE, LABEL_DETAIL, "r::main::h086b0cfd890a8ea9",
     "r::main::h086b0cfd890a8ea9"},
    {CODE_UNKNOWN, LABEL_PARAMETERS, "LazyCompile:*foo file.js:10",
     "foo file.js:10"},
    {CODE_UNKNOWN, LABEL_PARAMETERS | LABEL_DETAIL,
     "LazyCompile:*foo file.js:10", "*foo file.js:10"},
    {CODE_MANAGED, LABEL_DETAIL, "Shop.Steps.step@33(int32)",
     "Shop.Steps.step@33"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "Shop.Order.Shop.IPricer<Shop.A.B,Shop.C>.Price(class Shop.Order)",
     "Shop.Order.IPricer<B,C>.Price(Order)"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F([System.Runtime]System.Int32,[My-Lib]X.Y,int32)", "A.F(int,Y,int)"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F(class [System.Runtime]System.Action`1<[X]A.B>)", "A.F(Action<B>)"},
    {CODE_MANAGED, LABEL_PARAMETERS, "A.F(int32[],A.B[,],A.B[0...])",
     "A.F(int[],B[,],B[0...])"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F(unsigned int8,unsigned int16,unsigned int32,unsigned "
     "int64,unsigned int)",
     "A.F(byte,ushort,uint,ulong,nuint)"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F(native int,native unsigned int,unsigned)",
     "A.F(nint,nuint,unsigned)"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F(value class X.Y,valuetype X.Z,class X.W,class)", "A.F(Y,Z,W,class)"},
    {CODE_MANAGED, LABEL_PARAMETERS, "A.F(class X.Y)", "A.F(Y)"},
    {CODE_MANAGED, LABEL_PARAMETERS, "A.F(!0,!!1,!)", "A.F(T0,M1,T)"},
    {CODE_MANAGED, LABEL_PARAMETERS, "A.F(A.B+C,A.B/C,A.B+C/D.E)",
     "A.F(B.C,B.C,B.C.D.E)"},
    {CODE_MANAGED, LABEL_PARAMETERS, "A.F(A-B-C)", "A.F(C)"},
    {CODE_MANAGED, LABEL_PARAMETERS, "A.F(System.)", "A.F(System.)"},
    {CODE_MANAGED, LABEL_PARAMETERS, "A.F(X::Y)", "A.F(Y)"},
    {CODE_MANAGED, LABEL_PARAMETERS, "A.F(A.B`12<int32,int64>)",
     "A.F(B<int,long>)"},
    {CODE_MANAGED, LABEL_PARAMETERS, "A.F(System-Int32,System.Int32)",
     "A.F(int,int)"},
    {CODE_MANAGED, LABEL_PARAMETERS, "A.F(pMT: 0x7fd1,int32)", "A.F(?,int)"},
    {CODE_MANAGED, LABEL_PARAMETERS, "A.F(int32 , int64)", "A.F(int,long)"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F(System.Boolean,System.Byte,System.SByte,System.Char,"
     "System.Int16,System.UInt16)",
     "A.F(bool,byte,sbyte,char,short,ushort)"},
    {CODE_MANAGED, LABEL_PARAMETERS, "A.F(bool modopt(X.Y),int8,uint8)",
     "A.F(bool modopt(Y),sbyte,byte)"},
    {CODE_MANAGED, LABEL_PARAMETERS, "A.F(method void *(int32))",
     "A.F(method void*(int))"},
    {CODE_NATIVE, LABEL_DETAIL, "sort.part.12.isra.3", "sort [part.12 isra.3]"},
    {CODE_NATIVE, LABEL_DETAIL, "sort(int) [clone .isra.0] [clone .cold]",
     "sort [isra.0 cold]"},
    {CODE_NATIVE, LABEL_DETAIL, "<app[0123456789abcdef]::Pool>::grow::<i32>",
     "app[0123456789abcdef]::Pool::grow::<i32>"},
    {CODE_NATIVE, LABEL_DETAIL, "app[0123456789abcdef]::run",
     "app[0123456789abcdef]::run"},
    {CODE_NATIVE, LABEL_DETAIL, "A::f() const volatile noexcept &&",
     "A::f const volatile noexcept &&"},
    {CODE_NATIVE, LABEL_PARAMETERS | LABEL_DETAIL, "A::f(int) const &&",
     "A::f(int) const &&"},
    {CODE_NATIVE, LABEL_DETAIL, "A::f[abi:cxx11](int)", "A::f"},
    {CODE_NATIVE, LABEL_PARAMETERS, "a::f(int)::g(char)", "a::f::g(char)"},
    {CODE_NATIVE, LABEL_PARAMETERS, "a::f(int)", "a::f(int)"},
    {CODE_UNKNOWN, LABEL_DETAIL, "JS:*a b.js", "*a b.js"},
    {CODE_UNKNOWN, LABEL_PARAMETERS, "JS:*a b.js", "a b.js"},
    {CODE_SCRIPT, LABEL_DETAIL, "*handle", "*handle"},
    {CODE_NATIVE, LABEL_DETAIL, "slices.Sort[go.shape.int]",
     "slices.Sort[go.shape.int]"},
    {CODE_NATIVE, LABEL_PARAMETERS,
     "closure #1 (Swift.Int) -> Swift.Int in Shop.main(Swift.Int) -> ()",
     "Shop.main(Int) closure 1"},
    {CODE_NATIVE, LABEL_PARAMETERS,
     "Shop.Order.total(of: Swift.Int) -> Swift.Int",
     "Shop.Order.total(of: Int)"},
    {CODE_NATIVE, LABEL_PARAMETERS, "Shop.f((Swift.Int) -> ()) -> ()",
     "Shop.f((Int)->())"},
    {CODE_NATIVE, LABEL_PARAMETERS, "run()::$_3(int)", "run lambda 3(int)"},
    {CODE_NATIVE, LABEL_PARAMETERS, "f(int):g", "f(int):g"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F(Mystem.Int32,SystemXInt32,System-Int-2)",
     "A.F(Int32,SystemXInt32,2)"},
    {CODE_MANAGED, LABEL_PARAMETERS, "A.F(A.B`1+C`2<int32>)", "A.F(B.C<int>)"},
    {CODE_MANAGED, LABEL_PARAMETERS, "A.F(X.B+C.D,X.B/C.D)",
     "A.F(B.C.D,B.C.D)"},
    {CODE_MANAGED, LABEL_PARAMETERS, "A.F([x,int32)", "A.F([x,int)"},
    {CODE_MANAGED, LABEL_PARAMETERS, "A.F([],int32)", "A.F([],int)"},
    {CODE_MANAGED, LABEL_PARAMETERS, "A.F(bool x,int32)", "A.F(bool x,int)"},
    {CODE_NATIVE, LABEL_DETAIL,
     "a.part.0.isra.1",
     "a [part.0 isra.1]"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F(int,unsigned)",
     "A.F(nint,unsigned)"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F(unsigned)",
     "A.F(unsigned)"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F(unsigned int8)",
     "A.F(byte)"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F(unsigned int16,unsigned int64,unsigned int32,unsigned int)",
     "A.F(ushort,ulong,uint,nuint)"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F(class)",
     "A.F(class)"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F(class A.B)",
     "A.F(B)"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F(value class A.B)",
     "A.F(B)"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F(class )",
     "A.F()"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F([System.Runtime]System.Type)",
     "A.F(Type)"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F([System.Runtime)",
     "A.F([Runtime)"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F(x[System.Runtime]System.Type)",
     "A.F(x[Runtime]Type)"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F(<[a.b-c d]System.Int32)",
     "A.F(<int)"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F( int32 )",
     "A.F(int)"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F(int32 x , y)",
     "A.F(int x,y)"},
    {CODE_MANAGED, LABEL_PARAMETERS,
     "A.F(pMT: 0x7f,int32)",
     "A.F(?,int)"},
    {CODE_NATIVE, LABEL_PARAMETERS,
     "implicit closure #12 (Swift.Int) -> () in Shop.run(Swift.Int) -> ()",
     "Shop.run(Int) closure 12"},
    {CODE_NATIVE, LABEL_PARAMETERS,
     "Shop.run(x: Swift.Int) -> ()",
     "Shop.run(x: Int)"},
    {CODE_NATIVE, LABEL_PARAMETERS,
     "Shop.run(x: Swift.Int -> () ) -> ",
     "Shop.run(x: Int ->())"},
    {CODE_NATIVE, LABEL_PARAMETERS,
     "Shop.f((A) -> B",
     "Shop.f((A)->B"},
    {CODE_NATIVE, LABEL_PARAMETERS,
     "Shop.Box<A>.put(A) -> ()",
     "Shop.Box<A>.put(A)"},
    {CODE_NATIVE, LABEL_PARAMETERS,
     "Shop.(Box in _123).put(A) -> ()",
     "Shop.(Box in _123).put(A)"},
    {CODE_NATIVE, LABEL_PARAMETERS,
     "Shop.Box<(A) -> B>.put(A) -> ()",
     "Shop.Box<(A) -> B>.put(A)"},
};

TEST(parts_come_back)
{
    struct arena arena = {0};

    for (size_t i = 0; i < COUNT(parts); i++) {
        struct label_source source = {parts[i].name, NULL, parts[i].kind};

        ck_assert_str_eq(label_from_name(&arena, &source, parts[i].parts),
                         parts[i].label);
    }
    arena_release(&arena);
}
