/* What is asked for in vain, and what a person is told of it: refusals.txt. */
#include <stdbool.h>

#include "tests/support/program.h"
#include "tests/support/suite.h"

TEST(every_mistake_is_named)
{
    FILE *file = fopen("tests/cli/refusals.txt", "r");
    char asked[400], told[400];
    unsigned cases = 0;

    ck_assert_ptr_nonnull(file);
    for (; program_script_line(file, asked, sizeof(asked)); cases++) {
        struct program_run run;
        char *line = strstr(asked, " topfn ");

        ck_assert_msg(line && program_script_line(file, told, sizeof(told)),
                      "%s", asked);
        program_run(&run, line + strlen(" topfn "), NULL);
        run.err[strcspn(run.err, "\n")] = '\0';
        ck_assert_msg(!strcmp(run.err, told + strspn(told, " ")), "%s: %s",
                      asked, run.err);
        ck_assert_msg(run.status == atoi(asked), "%s: status %d", asked,
                      run.status);
        program_release(&run);
    }
    ck_assert_uint_gt(cases, 100);
    fclose(file);
}
