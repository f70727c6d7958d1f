/* Recorded names and what people call them: testdata/labels.tsv. */
#include "engine/model/labels.h"

#include "tests/support/cells.h"
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

static void check_parts(const struct cells *row)
{
    struct arena arena = {0};
    struct label_source source = {row->cell[2], NULL, kind_of(row->cell[0])};
    unsigned parts = 0;

    if (strstr(row->cell[1], "parameters"))
        parts |= LABEL_PARAMETERS;
    if (strstr(row->cell[1], "detail"))
        parts |= LABEL_DETAIL;
    cells_expect(row, 3, label_from_name(&arena, &source, parts));
    arena_release(&arena);
}

TEST(parts_come_back)
{
    cells_each("tests/engine/model/label.cells", "parts", check_parts);
}
