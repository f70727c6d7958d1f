/* `topfn mcp` without a client: messages.txt, and calls that take long. */
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/out.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

#define CALL(id, tool, arguments)                                              \
    "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"method\":\"tools/call\","           \
    "\"params\":{\"name\":\"" tool "\",\"arguments\":{" arguments "}}}\n"
#define CANCEL(id)                                                             \
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","             \
    "\"params\":{\"requestId\":" #id "}}\n"
/* A statement that takes until its time limit, a minute. */
#define ENDLESS                                                                \
    "\"file\":\"etl/orders.etl\",\"sql\":\"WITH RECURSIVE n(i) AS (SELECT 1 "  \
    "UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n\""

static char folder[TEMP_FOLDER];

static void begin(void)
{
    temp_folder(folder);
}

static void end(void)
{
    temp_folder_remove(folder);
}

SUITE_FIXTURE(begin, end)

/* What the server answers until its input ends. */
static void serve(struct program_run *run, const char *served,
                  const char *messages)
{
    char arguments[2 * TEMP_FOLDER + 200];

    temp_folder_put(folder, "messages", messages, strlen(messages));
    snprintf(arguments, sizeof(arguments), "mcp %s <%s/messages", served,
             folder);
    program_run(run, arguments, NULL);
    ck_assert_int_eq(run->status, 0);
    ck_assert_str_eq(run->err, "");
}

TEST(messages_are_answered)
{
    FILE *file = fopen("tests/cli/mcp/messages.txt", "r");
    struct program_run run = {.out = NULL};
    char line[2000], asked[2000] = "";
    unsigned parts = 0;

    ck_assert_ptr_nonnull(file);
    while (program_script_line(file, line, sizeof(line))) {
        if (*line == '>') {
            if (run.out)
                program_release(&run);
            snprintf(asked, sizeof(asked), "%s\n", line + 2);
            serve(&run, "testdata", asked);
            continue;
        }
        parts++;
        if (!strcmp(line, "nothing"))
            ck_assert_msg(!*run.out, "%s%s", asked, run.out);
        else
            ck_assert_msg(strstr(run.out, line) != NULL, "%s%s\n%.600s", asked,
                          line, run.out);
    }
    ck_assert_uint_gt(parts, 60);
    program_release(&run);
    fclose(file);
}

TEST(a_message_may_have_a_mebibyte)
{
    enum { SIZE = (1 << 20) + 100 };
    char *text = calloc(1, SIZE + 60);
    struct program_run run;

    ck_assert_ptr_nonnull(text);
    memset(text, ' ', SIZE);
    strcpy(text + SIZE,
           "\n{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}\n");
    serve(&run, "testdata", text);
    ck_assert_ptr_nonnull(strstr(run.out, "longer than 1 MiB"));
    ck_assert_ptr_nonnull(strstr(run.out, "\"id\":9,\"result\":{}"));
    program_release(&run);
    free(text);
}

/* A link that leads out of the folder is no way out; one inside it is fine. */
TEST(links_are_followed_before_a_path_is_judged)
{
    char path[TEMP_FOLDER + 20], here[PATH_MAX];
    struct program_run run;

    ck_assert_ptr_nonnull(getcwd(here, PATH_MAX - 20));
    strcat(here, "/testdata/etl");
    snprintf(path, sizeof(path), "%s/served/out", folder);
    temp_folder_put(folder, "served/a.txt", "main;work 5\n", 12);
    ck_assert_int_eq(symlink(here, path), 0);
    snprintf(path, sizeof(path), "%s/served/in", folder);
    ck_assert_int_eq(symlink("a.txt", path), 0);
    snprintf(path, sizeof(path), "%s/served", folder);
    serve(&run, path,
          CALL(1, "top", "\"file\":\"out/orders.etl\"")
              CALL(2, "top", "\"file\":\"in\""));
    ck_assert_ptr_nonnull(strstr(run.out, "no file \\\"out/orders.etl\\\""));
    ck_assert_ptr_nonnull(strstr(run.out, "\"exclusive\":5,"));
    program_release(&run);
    serve(&run, path, CALL(1, "recordings", ""));
    ck_assert_ptr_nonnull(strstr(run.out, "\"total_rows\":1"));
    program_release(&run);
}

/* Some of 1,000 rows with names of 300 characters fit into 64 KiB. */
TEST(rows_are_left_out_of_a_long_answer)
{
    struct out *text = out_memory();
    struct program_run run;
    char served[TEMP_FOLDER + 20];
    const char *bytes;
    size_t n;

    for (int i = 0; i < 1000; i++)
        out_fmt(text, "main;f%0300d 5\n", i);
    bytes = out_text(text, &n);
    temp_folder_put(folder, "served/a.txt", bytes, n);
    out_close(text, NULL);
    snprintf(served, sizeof(served), "%s/served", folder);
    serve(&run, served, CALL(1, "top", "\"file\":\"a.txt\",\"limit\":1000"));
    ck_assert_ptr_nonnull(strstr(run.out, "\"62 of 1001 rows are shown."));
    ck_assert_ptr_nonnull(strstr(run.out, "More would exceed 64 KiB"));
    ck_assert_uint_lt(strlen(run.out), 3 * 64 << 10);
    program_release(&run);
}

TEST(a_cancelled_call_ends_without_an_answer)
{
    struct program_run run;

    serve(&run, "testdata",
          CALL(1, "query", ENDLESS) CANCEL(2) CANCEL("\"1\"") CANCEL(1)
              CALL(3, "events", "\"file\":\"etl/orders.etl\""));
    ck_assert_ptr_null(strstr(run.out, "\"id\":1,"));
    ck_assert_ptr_nonnull(strstr(run.out, "\"id\":3,\"result\""));
    program_release(&run);
}

TEST(four_calls_run_at_a_time)
{
    struct program_run run;

    serve(&run, "testdata",
          CALL(1, "query", ENDLESS) CALL(2, "query", ENDLESS)
              CALL(3, "query", ENDLESS) CALL(4, "query", ENDLESS)
                  CALL(5, "query", ENDLESS) CANCEL(1) CANCEL(2) CANCEL(3)
                      CANCEL(4));
    ck_assert_ptr_nonnull(strstr(run.out, "\"id\":5,\"result\""));
    ck_assert_ptr_nonnull(strstr(run.out, "other calls are running"));
    ck_assert_ptr_null(strstr(run.out, "\"id\":4,"));
    program_release(&run);
}

/* ---- a client that waits for answers ---- */

struct client {
    pid_t server;
    FILE *in, *out;
    char answer[8000];
};

static void start_server(struct client *c, const char *served)
{
    char path[PATH_MAX];
    int in[2], out[2];

    program_find(path);
    ck_assert_int_eq(pipe(in) | pipe(out), 0);
    c->server = fork();
    if (!c->server) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[1]);
        close(out[0]);
        execl(path, path, "mcp", served, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    c->in = fdopen(in[1], "w");
    c->out = fdopen(out[0], "r");
}

static void send_call(struct client *c, const char *message)
{
    fputs(message, c->in);
    fflush(c->in);
}

static void get_answer(struct client *c)
{
    ck_assert_ptr_nonnull(fgets(c->answer, sizeof(c->answer), c->out));
}

static void end_server(struct client *c)
{
    int status = -1;

    fclose(c->in);
    ck_assert_int_eq(waitpid(c->server, &status, 0), c->server);
    ck_assert_int_eq(status, 0);
    fclose(c->out);
}

static void ask_top(struct client *c, const char *stacks)
{
    temp_folder_put(folder, "served/a.txt", stacks, strlen(stacks));
    send_call(c, CALL(1, "top", "\"file\":\"a.txt\""));
    get_answer(c);
}

/* The profile that was kept is that of the file before. */
TEST(a_file_that_changed_is_read_again)
{
    char served[TEMP_FOLDER + 20];
    struct client c;

    temp_folder_put(folder, "served/a.txt", "", 0);
    snprintf(served, sizeof(served), "%s/served", folder);
    start_server(&c, served);
    ask_top(&c, "main;work 5\n");
    ck_assert_ptr_nonnull(strstr(c.answer, "\"exclusive\":5,"));
    ask_top(&c, "main;work 71\n");
    ck_assert_ptr_nonnull(strstr(c.answer, "\"exclusive\":71,"));
    end_server(&c);
}

/* A process that this one started; 0: none by now. */
static int child_of(int process)
{
    char path[80];
    FILE *file;
    int child = 0;

    snprintf(path, sizeof(path), "/proc/%d/task/%d/children", process, process);
    file = fopen(path, "r");
    if (file && fscanf(file, "%d", &child) != 1)
        child = 0;
    if (file)
        fclose(file);
    return child;
}

/* As the system tells: 2 is a filter of system calls; -1: not told. */
static int seccomp_of(int process)
{
    char path[80], line[200];
    FILE *file;
    int mode = -1;

    snprintf(path, sizeof(path), "/proc/%d/status", process);
    file = fopen(path, "r");
    while (file && mode < 0 && fgets(line, sizeof(line), file))
        (void)sscanf(line, "Seccomp: %d", &mode);
    if (file)
        fclose(file);
    return mode;
}

/* Waits until a call runs in a process of its own. 0: the system does not
 * tell. */
static int reader_of(const struct client *c, int *worker)
{
    int reader = 0;

    *worker = 0;
    for (int i = 0; i < 500 && !reader; i++) {
        usleep(10000);
        *worker = child_of(c->server);
        reader = *worker ? child_of(*worker) : 0;
    }
    return reader;
}

/* A process that nobody waited for yet has no command line. */
static bool is_running(int process)
{
    char path[80];
    FILE *file;
    bool runs;

    snprintf(path, sizeof(path), "/proc/%d/cmdline", process);
    file = fopen(path, "r");
    runs = file && fgetc(file) != EOF;
    if (file)
        fclose(file);
    return runs;
}

TEST(a_server_that_is_killed_leaves_no_process)
{
    struct client c;
    int worker, reader;

    start_server(&c, "testdata");
    send_call(&c, CALL(1, "query", ENDLESS));
    reader = reader_of(&c, &worker);
    kill(c.server, SIGKILL);
    ck_assert_int_eq(waitpid(c.server, NULL, 0), c.server);
    for (int i = 0; i < 500 && reader && is_running(reader); i++)
        usleep(10000);
    ck_assert(!reader || (!is_running(reader) && !is_running(worker)));
    fclose(c.in);
    fclose(c.out);
}

/* The worker and the process of its call; a crash of both costs the answer. */
TEST(recordings_are_read_in_a_sandbox)
{
    int worker, reader, own = seccomp_of(getpid());
    struct client c;

    start_server(&c, "testdata");
    send_call(&c, CALL(1, "query", ENDLESS));
    reader = reader_of(&c, &worker);
    if (!reader || own)
        printf("skipped: 1, the system does not tell which process is in a "
               "sandbox\n");
    else
        ck_assert_msg(seccomp_of(worker) == 2 && seccomp_of(reader) == 2,
                      "worker %d, reader %d", seccomp_of(worker),
                      seccomp_of(reader));
    if (worker) {
        kill(-worker, SIGKILL);
        get_answer(&c);
        ck_assert_ptr_nonnull(
            strstr(c.answer, "the process for the call has ended"));
        send_call(&c, CALL(2, "events", "\"file\":\"etl/orders.etl\""));
        get_answer(&c);
        ck_assert_ptr_nonnull(strstr(c.answer, "\"isError\":false"));
    } else {
        send_call(&c, CANCEL(1));
    }
    end_server(&c);
}
