/*
 * The program and a symbol server on the loopback: names appear with
 * --online, stay without it, and without it no socket is made.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/debug_input.h"
#include "tests/support/http_server.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

/* ---- a guard under which making a socket is deadly ---- */

/* It needs no privileges, cannot be taken off, and lasts through exec. */
static bool install(void)
{
    static struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socketpair, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof(code) / sizeof(*code), code};

    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
           !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* False where the kernel has no such filters. */
static bool no_sockets_possible(void)
{
    pid_t child = fork();
    int status = 1;

    if (!child)
        _exit(!install());
    return child > 0 && waitpid(child, &status, 0) == child && !status;
}

static void no_sockets(void)
{
    if (!install())
        abort();
}

/* ---- tests ---- */

#define TRACE "testdata/etl/mixer.etl"
#define STORED "/mixer.pdb/864200C9238CE0B84C4C44205044422E1/mixer.pdb"

struct world {
    struct http_server *server;
    struct debug_input *pdb;
    char home[TEMP_FOLDER];
};

/* The user has a server in both variables, and an empty cache. */
static void start(struct world *w)
{
    w->server = http_server_start();
    w->pdb = debug_input_open(NULL, "testdata/pdb/mixer.pdb");
    ck_assert_ptr_nonnull(w->pdb);
    http_server_add(w->server, &(struct http_page){.path = STORED,
                                                   .body = w->pdb->data,
                                                   .size = w->pdb->size});
    temp_folder(w->home);
    unsetenv("http_proxy");
    unsetenv("all_proxy");
    setenv("XDG_CACHE_HOME", w->home, 1);
    setenv("_NT_SYMBOL_PATH", http_server_url(w->server), 1);
    setenv("DEBUGINFOD_URLS", http_server_url(w->server), 1);
}

static void stop(struct world *w)
{
    http_server_stop(w->server);
    debug_input_close(w->pdb);
    temp_folder_remove(w->home);
}

/* To be freed. */
static char *output_of(const char *arguments, void (*before)(void))
{
    struct program_run run;

    program_run(&run, arguments, before);
    ck_assert_msg(!run.status, "%s: %d: %s", arguments, run.status, run.err);
    /* Whoever asks servers is told what they gave. */
    ck_assert_msg(strstr(arguments, "--online")
                      ? strstr(run.err, ": asked for ") != NULL
                      : !*run.err,
                  "%s", run.err);
    free(run.err);
    return run.out;
}

TEST(names_come_and_stay)
{
    static const char *const commands[] = {
        "top " TRACE, "tree " TRACE " --bottom-up",
        "symbols " TRACE, "symbols " TRACE " --format json"};

    for (size_t i = 0; i < COUNT(commands); i++) {
        struct world w;
        char line[200], *first, *second;
        size_t asked;

        start(&w);
        snprintf(line, sizeof(line), "%s --online", commands[i]);
        first = output_of(line, NULL);
        asked = http_server_requests(w.server);
        if (i < 2)
            ck_assert_ptr_nonnull(strstr(first, "mixer::mix"));
        second = output_of(commands[i], NULL);
        if (i < 3)
            ck_assert_str_eq(first, second);
        ck_assert_uint_eq(http_server_requests(w.server), asked);
        ck_assert_uint_eq(temp_folder_files(w.home), 1);
        free(first);
        free(second);
        stop(&w);
    }
}

TEST(a_chain_keeps_in_its_store)
{
    struct world w;
    char store[TEMP_FOLDER], line[300], *text;

    start(&w);
    temp_folder(store);
    snprintf(line, sizeof(line),
             "folded " TRACE " --online --symbols 'srv*%s*%s'", store,
             http_server_url(w.server));
    text = output_of(line, NULL);
    ck_assert_ptr_nonnull(strstr(text, "mixer::mix"));
    free(text);
    ck_assert_uint_eq(temp_folder_files(w.home), 0);
    ck_assert_uint_eq(temp_folder_files(store), 1);
    snprintf(line, sizeof(line), "folded " TRACE " --symbols %s", store);
    text = output_of(line, NULL);
    ck_assert_ptr_nonnull(strstr(text, "mixer::mix"));
    free(text);
    temp_folder_remove(store);
    stop(&w);
}

/* The image has no PDB beside it. */
TEST(resolve_asks_too)
{
    struct world w;
    char line[300], *text;

    start(&w);
    snprintf(line, sizeof(line),
             "resolve - 1030 --online <testdata/pdb/mixer.exe");
    text = output_of(line, NULL);
    ck_assert_ptr_nonnull(strstr(text, "mixer::mix"));
    free(text);
    ck_assert_uint_eq(temp_folder_files(w.home), 1);
    stop(&w);
}

/* Of a module whose PDB is portable: its key in a store has no age. */
TEST(lines_of_managed_code_come_too)
{
    static const char command[] =
        "top testdata/nettrace/lines.nettrace --by line";
    struct debug_input *pdb = debug_input_open(NULL, "testdata/pdb/Orders.pdb");
    char line[200], *first, *second;
    struct world w;

    start(&w);
    http_server_add(
        w.server,
        &(struct http_page){
            .path = "/Orders.pdb/0125DE0D03020504060708090A0B0C0DFFFFFFFF"
                    "/Orders.pdb",
            .body = pdb->data,
            .size = pdb->size});
    snprintf(line, sizeof(line), "%s --online", command);
    first = output_of(line, NULL);
    ck_assert_ptr_nonnull(strstr(first, ".cs:"));
    second = output_of(command, NULL);
    ck_assert_str_eq(first, second);
    free(first);
    free(second);
    stop(&w);
    debug_input_close(pdb);
}

/* Names need the PDB alone, instructions the image as well. */
TEST(annotate_asks_for_the_image)
{
    static const char command[] =
        "annotate mixer::rounds testdata/etl/rounds.etl";
    struct debug_input *exe = debug_input_open(NULL, "testdata/pdb/mixer.exe");
    char line[200], *first, *second;
    struct world w;

    start(&w);
    http_server_add(w.server,
                    &(struct http_page){
                        .path = "/mixer.exe/3CA564B75000/mixer.exe",
                        .body = exe->data,
                        .size = exe->size});
    snprintf(line, sizeof(line), "%s --online", command);
    first = output_of(line, NULL);
    second = output_of(command, NULL);
    ck_assert_str_eq(first, second);
    ck_assert_uint_eq(temp_folder_files(w.home), 2);
    free(first);
    free(second);
    stop(&w);
    debug_input_close(exe);
}

TEST(every_probe_is_told)
{
    struct world w;
    char expected[200], *text;

    start(&w);
    text = output_of("symbols " TRACE " --explain mixer.exe", NULL);
    snprintf(expected, sizeof(expected),
             "probed  %s" STORED ": not asked: no --online\n",
             http_server_url(w.server));
    ck_assert_msg(strstr(text, expected) != NULL, "%s", text);
    free(text);
    text = output_of("symbols " TRACE " --online --explain mixer.exe", NULL);
    snprintf(expected, sizeof(expected), "probed  %s" STORED ": matches\n",
             http_server_url(w.server));
    ck_assert_msg(strstr(text, expected) != NULL, "%s", text);
    free(text);
    stop(&w);
}

/* What is said beside the report. */
static void assert_told(const char *arguments, const char *told)
{
    struct program_run run;

    program_run(&run, arguments, NULL);
    ck_assert_msg(!run.status, "%s: %d: %s", arguments, run.status, run.err);
    ck_assert_msg(*told ? strstr(run.err, told) != NULL : !*run.err,
                  "%s: %s", arguments, run.err);
    program_release(&run);
}

TEST(servers_are_accounted_for)
{
    struct world w;
    char told[200];

    start(&w);
    snprintf(told, sizeof(told), "topfn: %s: asked for ",
             http_server_url(w.server));
    assert_told("top " TRACE " --online", told);
    assert_told("top " TRACE " --online --quiet", "");
    unsetenv("DEBUGINFOD_URLS");
    assert_told("top testdata/perfdata/pipe.data --online",
                "set DEBUGINFOD_URLS");
    assert_told("top testdata/collapsed/rounds.txt --online",
                "no missing file is known by its build ID");
    setenv("_NT_SYMBOL_PATH", "srv*http://no-such-host.invalid/symbols", 1);
    assert_told("top testdata/etl/rounds.etl --online",
                "topfn: http://no-such-host.invalid/symbols: asked for 1 "
                "file, found 0 (");
    stop(&w);
}

/* Neither reports nor messages nor a database have the user and password of a
 * server, with and without its answer. */
TEST(no_login_is_printed)
{
    static const char *const commands[] = {
        "top " TRACE,
        "info " TRACE " --format json",
        "symbols " TRACE,
        "symbols " TRACE " --format json",
        "symbols " TRACE " --explain mixer.exe",
        "query " TRACE " 'SELECT * FROM modules'",
    };
    char with_login[200], line[600], path[TEMP_FOLDER + 20];
    struct program_run run;

    for (size_t i = 0; i < 4 * COUNT(commands); i++) {
        struct world w;

        start(&w);
        snprintf(with_login, sizeof(with_login), "http://joe:secret@%s%s",
                 http_server_url(w.server) + strlen("http://"),
                 i & 1 ? "" : "/not/here");
        setenv("_NT_SYMBOL_PATH", i & 1 ? "" : with_login, 1);
        setenv("DEBUGINFOD_URLS", with_login, 1);
        snprintf(line, sizeof(line), "%s --symbols srv*%s*%s%s",
                 commands[i / 4], w.home, with_login,
                 i & 2 ? " --online" : "");
        program_run(&run, line, NULL);
        ck_assert_msg(!run.status, "%s: %s", line, run.err);
        ck_assert_msg(!strstr(run.out, "secret") && !strstr(run.out, "joe") &&
                          !strstr(run.err, "secret") && !strstr(run.err, "joe"),
                      "%s: %s%s", line, run.out, run.err);
        program_release(&run);
        snprintf(path, sizeof(path), "%s/a.topfn", w.home);
        snprintf(line, sizeof(line),
                 "import " TRACE " --symbols %s --online -o %s && "
                 "! grep -q secret %s",
                 with_login, path, path);
        program_run(&run, line, NULL);
        ck_assert_msg(!run.status, "%s: %s", line, run.err);
        program_release(&run);
        stop(&w);
    }
}

TEST(offline_no_socket_is_made)
{
    static const char *const commands[] = {
        "top " TRACE,
        "symbols " TRACE " --explain mixer.exe",
        "resolve testdata/pdb/mixer-public.exe 1030",
        "diff " TRACE " testdata/nettrace/v6-plain.nettrace --force",
        "top testdata/nettrace/v6-plain.nettrace",
    };
    struct program_run run;
    struct world w;

    if (!no_sockets_possible()) {
        suite_skip(1, "offline_no_socket_is_made: no seccomp filters");
        return;
    }
    start(&w);
    for (size_t i = 0; i < COUNT(commands); i++) {
        program_run(&run, commands[i], no_sockets);
        ck_assert_msg(!run.status, "%s: %d", commands[i], run.status);
        program_release(&run);
    }
    ck_assert_uint_eq(http_server_requests(w.server), 0);
    /* The guard would have told. */
    program_run(&run, "top " TRACE " --online", no_sockets);
    ck_assert_int_eq(run.status, 128 + SIGSYS);
    program_release(&run);
    stop(&w);
}
