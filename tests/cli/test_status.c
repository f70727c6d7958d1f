/* What the exit status says: every kind of error, reading and writing. */
#include "cli/terminal/terminal.h"

#include "tests/support/program.h"
#include "tests/support/suite.h"

static const struct {
    enum err_code code;
    int input, output;
} rows[] = {
    {ERR_NONE, 0, 0},         {ERR_IO, 66, 74},     {ERR_TRUNCATED, 65, 74},
    {ERR_CORRUPT, 65, 74},    {ERR_UNSUPPORTED, 65, 74},
    {ERR_LIMIT, 65, 74},      {ERR_NOT_FOUND, 66, 73},
    {ERR_DATABASE, 65, 74},   {ERR_USAGE, 64, 64},
};

TEST(kinds_of_errors)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        ck_assert_int_eq(status_of_input(rows[i].code), rows[i].input);
        ck_assert_int_eq(status_of_output(rows[i].code), rows[i].output);
    }
    ck_assert_int_eq(STATUS_BUG, 70);
    ck_assert_int_eq(STATUS_NO_MEMORY, 71);
}

#define TRACE "testdata/etl/orders.etl"

static const struct {
    const char *line;
    int status;
    const char *part; /* of the message */
} lines[] = {
    {"top " TRACE " -o /proc/nowhere/x", 73, "/proc/nowhere/x"},
    {"import " TRACE " -o /proc/nowhere/x", 73, "/proc/nowhere/x"},
    {"merge " TRACE " " TRACE " -o /proc/nowhere/x", 73, "/proc/nowhere/x"},
    {"merge " TRACE " testdata/nettrace/waiting.nettrace -o /proc/nowhere/x",
     64, "cannot be added up"},
    {"merge " TRACE " testdata/nowhere.etl -o /proc/nowhere/x", 66,
     "testdata/nowhere.etl"},
    {"top " TRACE " >/dev/full", 74, "No space left"},
    {"folded " TRACE " >/dev/full", 74, "No space left"},
    {"help >/dev/full", 74, "No space left"},
    {"help --as zsh >/dev/full", 74, "No space left"},
    {"gate " TRACE " " TRACE " --max-regression 5% --junit /proc/nowhere/x", 73,
     "/proc/nowhere/x"},
    {"query " TRACE " @- <LICENSE", 64, "near \"MIT\": syntax error"},
    {"query " TRACE " 'SELECT ?'", 64, "--param 1=VALUE"},
    {"query " TRACE " 'SELECT 1' --attach main=" TRACE, 64,
     "is already the name"},
    {"query " TRACE " 'SELECT 1' --attach b=" TRACE " --attach B=" TRACE, 64,
     "\"B\" is already the name"},
};

TEST_LOOP(of_the_program, COUNT(lines))
{
    struct program_run run;

    program_run(&run, lines[_i].line, NULL);
    ck_assert_msg(run.status == lines[_i].status &&
                      strstr(run.err, lines[_i].part),
                  "%s: %d: %s", lines[_i].line, run.status, run.err);
    program_release(&run);
}
