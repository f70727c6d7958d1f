/* What is worked out of a large recording beside finding its names. */
#include "cli/load.h"

#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

enum { STACKS = 1 << 16 };

static char folder[TEMP_FOLDER], path[100];

/* All part from the first one. */
static void write_stacks(void)
{
    FILE *file;

    temp_folder(folder);
    snprintf(path, sizeof(path), "%s/a.folded", folder);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    for (unsigned i = 0; i < STACKS; i++)
        fprintf(file, "main;f%u 1\n", i);
    fclose(file);
}

static const struct {
    const char *threads, *filter;
    enum load_what what;
    bool in_order;
} cases[] = {
    {"--threads=2", "--no-pager", LOAD_RANKED, true},
    {"--threads=8", "--no-pager", LOAD_RANKED, true},
    /* alone, nobody is beside */
    {"--threads=1", "--no-pager", LOAD_RANKED, false},
    {"--threads=2", "--no-pager", LOAD_BUSY, false},
    /* its stacks will be others */
    {"--threads=2", "--focus=f1", LOAD_RANKED, false},
};

START_TEST(stacks_are_put_in_order_when_they_are_walked)
{
    write_stacks();
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char *arguments[] = {(char *)"top", path, (char *)cases[i].threads,
                             (char *)cases[i].filter};
        const char *file = path;
        struct err err = {0};
        struct options o;
        enum status status;
        struct profile *p;

        ck_assert_int_eq(options_parse(&o, 4, arguments, &err), ERR_NONE);
        p = load(&o, &file, 1, cases[i].what, &status);
        ck_assert_ptr_nonnull(p);
        ck_assert_uint_eq(p->stacks.len, STACKS + 2);
        ck_assert_uint_eq(p->functions.len, STACKS + 1);
        ck_assert_msg((p->order->len > 0) == cases[i].in_order, "case %zu", i);
        ck_assert_uint_eq(preorder_of(p)->len, STACKS);
        profile_free(p);
        options_release(&o);
    }
    temp_folder_remove(folder);
}
END_TEST

int main(void)
{
    return suite_run("load", stacks_are_put_in_order_when_they_are_walked);
}
