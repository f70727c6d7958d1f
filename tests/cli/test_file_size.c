/* A file that may not grow as it should: what was written of it goes again. */
#include <signal.h>
#include <sys/resource.h>

#include "tests/support/program.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

/* In bytes: less than either command writes. */
enum { MOST = 4096 };

/* As a shell's `ulimit -f` has it: a longer write is a signal, too. */
static void limit_files(void)
{
    struct rlimit most = {MOST, MOST};

    signal(SIGXFSZ, SIG_DFL);
    setrlimit(RLIMIT_FSIZE, &most);
}

static void check_too_large(const char *arguments)
{
    struct program_run run;
    char folder[TEMP_FOLDER], line[300];

    temp_folder(folder);
    snprintf(line, sizeof(line), "%s -o %s/out", arguments, folder);
    program_run(&run, line, limit_files);
    ck_assert_msg(run.status == 74, "%s: %d: %s", line, run.status, run.err);
    ck_assert_ptr_nonnull(strstr(run.err, "topfn: "));
    ck_assert_uint_eq(temp_folder_files(folder), 0);
    program_release(&run);
    temp_folder_remove(folder);
}

TEST(nothing_is_left_of_a_file_too_large)
{
    check_too_large("import testdata/etl/mixer.etl");
    check_too_large("tree testdata/etl/orders.etl --format json");
}
