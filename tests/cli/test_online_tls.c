/*
 * From https:// nobody is led back to http://: a server of `openssl s_server`,
 * whose certificate is made here, leads to another one. libcurl trusts the
 * system's authorities alone, so the program is given a libcurl that passes
 * all on to the real one and has it trust that certificate as well.
 */
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <arpa/inet.h>
#include <dlfcn.h>
#include <unistd.h>

#include "tests/support/debug_input.h"
#include "tests/support/http_server.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

#define TRACE "testdata/etl/mixer.etl"
#define KEY "864200C9238CE0B84C4C44205044422E1"
#define STORED "/mixer.pdb/" KEY "/mixer.pdb"

enum { CAINFO = 10065, URL = 10002 }; /* of CURLoption */

static const char shim[] =
    "#include <dlfcn.h>\n"
    "#include <stdarg.h>\n"
    "#include <stdlib.h>\n"
    "static void *real(const char *name) {\n"
    "    static void *library;\n"
    "    if (!library) library = dlopen(getenv(\"REAL_CURL\"), RTLD_NOW);\n"
    "    return dlsym(library, name);\n"
    "}\n"
    "#define PASS(result, name, parameters, arguments) result name parameters\\\n"
    "    { return ((result (*) parameters)real(#name)) arguments; }\n"
    "PASS(int, curl_global_init, (long flags), (flags))\n"
    "PASS(void *, curl_easy_init, (void), ())\n"
    "PASS(void, curl_easy_cleanup, (void *c), (c))\n"
    "PASS(void, curl_easy_reset, (void *c), (c))\n"
    "PASS(int, curl_easy_getinfo, (void *c, int i, void *to), (c, i, to))\n"
    "PASS(int, curl_easy_perform, (void *c), (c))\n"
    "PASS(const char *, curl_easy_strerror, (int code), (code))\n"
    "PASS(void *, curl_version_info, (int v), (v))\n"
    /* For uploads, which no symbol server gets. */
    "void curl_mime_init(void) {}\nvoid curl_mime_free(void) {}\n"
    "void curl_mime_addpart(void) {}\nvoid curl_mime_name(void) {}\n"
    "void curl_mime_filename(void) {}\nvoid curl_mime_data(void) {}\n"
    "typedef int set(void *, int, ...);\n"
    "int curl_easy_setopt(void *c, int option, ...) {\n"
    "    va_list list;\n"
    "    void *value;\n"
    "    va_start(list, option);\n"
    "    value = va_arg(list, void *);\n"
    "    va_end(list);\n"
    "    if (option == 10002)\n"
    "        ((set *)real(\"curl_easy_setopt\"))(c, 10065,\n"
    "                                          getenv(\"TEST_CA\"));\n"
    "    return ((set *)real(\"curl_easy_setopt\"))(c, option, value);\n"
    "}\n";

struct world {
    char folder[TEMP_FOLDER];
    struct http_server *plain; /* http:// */
    struct debug_input *pdb;
    unsigned port; /* of https:// */
    pid_t server;
};

static void write_file(const struct world *w, const char *name,
                       const char *head, const void *body, size_t size)
{
    char path[300];
    FILE *f;

    snprintf(path, sizeof(path), "%s%s", w->folder, name);
    f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    fputs(head, f);
    fwrite(body, 1, size, f);
    ck_assert(!fclose(f));
}

static bool shell(const struct world *w, const char *command)
{
    char text[600];

    snprintf(text, sizeof(text), "cd %s && (%s) >log 2>&1", w->folder,
             command);
    return !system(text);
}

/* Where the real one is. */
static bool find_curl(void)
{
    void *library = dlopen("libcurl.so.4", RTLD_NOW);
    void *function = library ? dlsym(library, "curl_easy_init") : NULL;
    Dl_info info;

    return function && dladdr(function, &info) &&
           !setenv("REAL_CURL", info.dli_fname, 1);
}

/* False: a tool is not there. */
static bool prepare(const struct world *w)
{
    write_file(w, "/shim.c", shim, "", 0);
    return find_curl() && shell(w, "mkdir -p mixer.pdb/" KEY " lib") &&
           shell(w, "cc -shared -fPIC -o lib/libcurl.so.4 shim.c -ldl") &&
           shell(w, "openssl req -x509 -nodes -newkey ec -pkeyopt "
                    "ec_paramgen_curve:prime256v1 -keyout key.pem -out "
                    "cert.pem -days 2 -subj /CN=127.0.0.1 -addext "
                    "subjectAltName=IP:127.0.0.1");
}

static bool answers(unsigned port)
{
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port)};
    int s = socket(AF_INET, SOCK_STREAM, 0);
    bool connected;

    inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
    connected = !connect(s, (struct sockaddr *)&to, sizeof(to));
    close(s);
    return connected;
}

/* Files are whole answers, their heads included. */
static bool serve(struct world *w)
{
    char address[40];

    w->port = http_free_port();
    snprintf(address, sizeof(address), "127.0.0.1:%u", w->port);
    w->server = fork();
    if (!w->server) {
        if (!chdir(w->folder) && freopen("log", "w", stdout) &&
            freopen("log", "w", stderr))
            execlp("openssl", "openssl", "s_server", "-accept", address,
                   "-cert", "cert.pem", "-key", "key.pem", "-HTTP", "-quiet",
                   (char *)NULL);
        _exit(127);
    }
    while (!answers(w->port)) {
        if (waitpid(w->server, NULL, WNOHANG) == w->server)
            return false;
        usleep(10000);
    }
    return true;
}

static void lead_to(const struct world *w, const char *base)
{
    char head[300];

    snprintf(head, sizeof(head),
             "HTTP/1.0 302 Found\r\nLocation: %s%s\r\n"
             "Content-Length: 0\r\n\r\n",
             base, base == http_server_url(w->plain) ? STORED : "/real");
    write_file(w, STORED, head, "", 0);
}

static bool start(struct world *w)
{
    char head[200], ca[200], library[200];

    *w = (struct world){.server = 0};
    temp_folder(w->folder);
    w->pdb = debug_input_open(NULL, "testdata/pdb/mixer.pdb");
    w->plain = http_server_start();
    http_server_add(w->plain, &(struct http_page){.path = STORED,
                                                  .body = w->pdb->data,
                                                  .size = w->pdb->size});
    snprintf(head, sizeof(head),
             "HTTP/1.0 200 OK\r\nContent-Length: %zu\r\n\r\n", w->pdb->size);
    write_file(w, "/real", head, w->pdb->data, w->pdb->size);
    snprintf(ca, sizeof(ca), "%s/cert.pem", w->folder);
    setenv("TEST_CA", ca, 1);
    if (!prepare(w) || !serve(w)) {
        suite_skip(1, "TLS: no openssl, compiler or libcurl");
        return false;
    }
    snprintf(library, sizeof(library), "%s/lib", w->folder);
    setenv("LD_LIBRARY_PATH", library, 1);
    return true;
}

static void stop(struct world *w)
{
    unsetenv("LD_LIBRARY_PATH");
    if (w->server > 0) {
        kill(w->server, SIGTERM);
        waitpid(w->server, NULL, 0);
    }
    http_server_stop(w->plain);
    debug_input_close(w->pdb);
    temp_folder_remove(w->folder);
}

/* What became of asking the server of https://, whose store is empty. */
static char *ask(const struct world *w)
{
    struct program_run run;
    char cache[100], line[300];

    snprintf(cache, sizeof(cache), "%s/cache", w->folder);
    ck_assert(shell(w, "rm -rf cache"));
    setenv("XDG_CACHE_HOME", cache, 1);
    unsetenv("_NT_SYMBOL_PATH");
    unsetenv("DEBUGINFOD_URLS");
    unsetenv("https_proxy");
    unsetenv("all_proxy");
    snprintf(line, sizeof(line),
             "symbols " TRACE " --online --explain mixer.exe --symbols "
             "srv*https://127.0.0.1:%u", w->port);
    program_run(&run, line, NULL);
    ck_assert_msg(!run.status, "%s", run.err);
    free(run.err);
    return run.out;
}

TEST(https_never_falls_back)
{
    struct world w;
    char base[60], *text;

    if (!start(&w)) {
        stop(&w);
        return;
    }
    snprintf(base, sizeof(base), "https://127.0.0.1:%u", w.port);
    lead_to(&w, base);
    text = ask(&w);
    ck_assert_msg(strstr(text, STORED ": matches\n") != NULL, "%s", text);
    free(text);
    lead_to(&w, http_server_url(w.plain));
    text = ask(&w);
    ck_assert_msg(strstr(text, "redirected from https to http") != NULL, "%s",
                  text);
    ck_assert_ptr_null(strstr(text, STORED ": matches\n"));
    ck_assert_uint_eq(http_server_requests(w.plain), 0);
    free(text);
    stop(&w);
}
