/* What is answered to lines that are typed at the prompt of query. */
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli/sql/sql.h"
#include "engine/sql/query.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

#define FIRST  "topfn> "
#define SECOND "   ..> "
#define HELP                                                                   \
    "topfn: statements end with a semicolon; .schema shows every table, "      \
    "@FILE runs a file, .quit ends\n"

static const struct {
    const char *typed, *out, *err;
} sessions[] = {
    {"", FIRST "\n", ""},
    {"SELECT 6*7 AS n;\n", FIRST " n\n42\n" FIRST "\n", ""},
    {"SELECT 1 AS n; SELECT 'b' AS n;\n", FIRST "n\n1\n\nn\nb\n" FIRST "\n",
     ""},
    /* A statement goes on until it is whole, over empty lines, too. */
    {"SELECT 'a\n\nb;'\n AS n\n;\n",
     FIRST SECOND SECOND SECOND SECOND "n\na\\x0a\\x0ab;\n" FIRST "\n", ""},
    {"SELECT 5\r\nAS n;\r\n", FIRST SECOND "n\n5\n" FIRST "\n", ""},
    {"SELECT 5 AS n;", FIRST "n\n5\n" FIRST "\n", ""},
    {"SELECT\nquit\n;\nSELECT 1 AS n;\n",
     FIRST SECOND SECOND FIRST "n\n1\n" FIRST "\n",
     "topfn: no such column: quit\n"},
    {"SELECT 1 AS n\n", FIRST SECOND "\n", ""}, /* never ended */
    {"\n  \t\n\n", FIRST FIRST FIRST FIRST "\n", ""},
    /* What is no SQL. */
    {"help\n.help\n.nonsense\n", FIRST FIRST FIRST FIRST "\n", HELP HELP HELP},
    {"help;\nhelp ; \nhelper\n;\n", FIRST FIRST FIRST SECOND FIRST "\n",
     HELP HELP "topfn: near \"helper\": syntax error\n"},
    {"quit\nSELECT 1;\n", FIRST, ""},
    {"exit\nSELECT 1;\n", FIRST, ""},
    {".quit\nSELECT 1;\n", FIRST, ""},
    {".exit;\nSELECT 1;\n", FIRST, ""},
    {"quit ;\nSELECT 1;\n", FIRST, ""},
    {"schema;\n", FIRST FIRST "\n", "topfn: near \"schema\": syntax error\n"},
    {"quitter;\n", FIRST FIRST "\n", "topfn: near \"quitter\": syntax error\n"},
    {"@/nowhere.sql\n", FIRST FIRST "\n",
     "topfn: /nowhere.sql: No such file or directory\n"},
};

static const struct options usual = {.report = {.rows = 0}, .quiet = true};

/* A stream of the program that goes into a file instead. */
struct kept {
    int stream, usual;
    FILE *file;
};

static struct kept keep(int stream)
{
    struct kept k = {stream, dup(stream), tmpfile()};

    ck_assert_ptr_nonnull(k.file);
    ck_assert_int_eq(dup2(fileno(k.file), stream), stream);
    return k;
}

/* To be freed. */
static char *kept_text(struct kept *k)
{
    off_t n = lseek(fileno(k->file), 0, SEEK_END);
    char *text = calloc((size_t)n + 1, 1);

    ck_assert_ptr_nonnull(text);
    ck_assert_int_eq(pread(fileno(k->file), text, (size_t)n, 0), n);
    dup2(k->usual, k->stream);
    close(k->usual);
    fclose(k->file);
    return text;
}

struct session {
    char *out, *err;
};

/* What is answered when this is typed. */
static struct session type(const char *typed)
{
    struct query_limits limits = {0, 0};
    struct session session;
    struct err failed = {0};
    struct query *q = query_new(NULL, &limits, &failed);
    struct kept out, err;
    char path[TEMP_PATH];

    ck_assert_ptr_nonnull(q);
    temp_file(path, typed, strlen(typed));
    ck_assert_ptr_nonnull(freopen(path, "r", stdin));
    unlink(path);
    fflush(NULL);
    out = keep(STDOUT_FILENO);
    err = keep(STDERR_FILENO);
    ck_assert_int_eq(sql_prompt(q, &usual), STATUS_OK);
    fflush(NULL);
    session.out = kept_text(&out);
    session.err = kept_text(&err);
    query_free(q);
    return session;
}

static void assert_answers(const char *typed, const char *out, const char *err)
{
    struct session s = type(typed);

    ck_assert_str_eq(s.out, out);
    ck_assert_str_eq(s.err, err);
    free(s.out);
    free(s.err);
}

TEST(lines_are_answered)
{
    for (size_t i = 0; i < COUNT(sessions); i++)
        assert_answers(sessions[i].typed, sessions[i].out, sessions[i].err);
}

TEST(files_and_tables)
{
    static const char text[] = "SELECT 7 * 9\nAS n; SELECT 8 AS m";
    char path[TEMP_PATH], typed[TEMP_PATH + 2];

    temp_file(path, text, strlen(text));
    snprintf(typed, sizeof(typed), "@%s\n", path);
    assert_answers(typed, FIRST " n\n63\n\nm\n8\n" FIRST "\n", "");
    unlink(path);
    for (size_t i = 0; i < 2; i++) {
        struct session s = type(i ? ".schema ; \n" : ".schema\n");

        ck_assert_ptr_nonnull(strstr(s.out, FIRST "top_functions · view · "));
        ck_assert_str_eq(s.err, "");
        free(s.out);
        free(s.err);
    }
}

static void press_interrupt(int number)
{
    (void)number;
    raise(SIGINT);
}

/* Ctrl-C ends a statement that would never end, and the prompt goes on; after
 * it, and after the prompt, the next one is what it usually is. */
TEST(a_statement_can_be_stopped)
{
    const struct itimerval soon = {.it_value = {.tv_usec = 100000}};
    struct sigaction now;

    signal(SIGVTALRM, press_interrupt);
    setitimer(ITIMER_VIRTUAL, &soon, NULL); /* while it computes */
    assert_answers("WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
                   "FROM c) SELECT max(i) FROM c;\nSELECT 2 AS n;\n",
                   FIRST FIRST "n\n2\n" FIRST "\n",
                   "topfn: the statement was stopped\n");
    sigaction(SIGINT, NULL, &now);
    ck_assert(now.sa_flags & (int)SA_RESETHAND);
    raise(SIGINT); /* nothing runs */
    sigaction(SIGINT, NULL, &now);
    ck_assert(now.sa_handler == SIG_DFL);
}
