/* Recorded names and what people call them: testdata/labels.tsv. */
#include "engine/model/label.h"

#include <string.h>

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
    const char *label = label_of(&arena, &source, 0);

    ck_assert_msg(!strcmp(label, r->label), "%s is %s, not %s", r->name, label,
                  r->label);
    arena_release(&arena);
}

START_TEST(labels_of_recorded_names)
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
END_TEST

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
};

START_TEST(parts_come_back)
{
    struct arena arena = {0};

    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        struct label_source source = {parts[i].name, NULL, parts[i].kind};

        ck_assert_str_eq(label_of(&arena, &source, parts[i].parts),
                         parts[i].label);
    }
    arena_release(&arena);
}
END_TEST

int main(void)
{
    return suite_run("label", labels_of_recorded_names, parts_come_back);
}
