/*
 * A real debuginfod on the loopback, and a program built on the spot whose
 * debug information only it has.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/path.h"
#include "symbols/naming.h"
#include "tests/support/online_world.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

enum { PATIENCE_MS = 20000, PAUSE_MS = 100 };

struct world {
    char folder[TEMP_FOLDER]; /* served/, stripped/, store/ */
    char url[40];
    pid_t server;
    struct identity app;
    unsigned long address; /* of its function `hash_block`; in the file, too */
    bool by_file_offset;   /* the trace has offsets in the file */
};

static bool shell(const char *format, const char *folder)
{
    char command[1000];

    snprintf(command, sizeof(command), format, folder);
    return system(command) == 0;
}

static unsigned long find_address(const char *folder)
{
    char command[200];
    unsigned long address = 0;
    FILE *nm;

    snprintf(command, sizeof(command),
             "nm %s/served/app | grep -w hash_block", folder);
    nm = popen(command, "r");
    ck_assert_ptr_nonnull(nm);
    ck_assert_int_eq(fscanf(nm, "%lx", &address), 1);
    pclose(nm);
    return address;
}

/* The stripped copy stands for what a production machine has. */
static bool build(struct world *w)
{
    static const char script[] =
        "cd %s && mkdir served stripped &&"
        " echo 'int hash_block(int n) { return n * 31; }"
        " int main(int n, char **v) { return v && hash_block(n); }' >p.c &&"
        " cc -g -O0 -Wl,--build-id p.c -o served/app &&"
        " strip -s -o stripped/app served/app";
    struct debug_input *app;
    char path[100];

    if (!shell(script, w->folder))
        return false;
    snprintf(path, sizeof(path), "%s/served/app", w->folder);
    app = debug_input_open(NULL, path);
    ck_assert_ptr_nonnull(app);
    w->app = app->file->identity;
    debug_input_close(app);
    w->address = find_address(w->folder);
    return true;
}

static void start_server(struct world *w)
{
    unsigned port = http_free_port();
    char option[20], served[100], database[100];

    snprintf(w->url, sizeof(w->url), "http://127.0.0.1:%u", port);
    snprintf(option, sizeof(option), "-p%u", port);
    snprintf(served, sizeof(served), "%s/served", w->folder);
    snprintf(database, sizeof(database), "-d%s/database", w->folder);
    unsetenv("DEBUGINFOD_URLS");
    w->server = fork();
    if (!w->server) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* should the test die */
        if (!freopen("/dev/null", "w", stdout) ||
            !freopen("/dev/null", "w", stderr))
            _exit(126);
        execlp("debuginfod", "debuginfod", "-F", "-c1", option, database,
               served, (char *)NULL);
        _exit(127);
    }
    ck_assert_int_gt(w->server, 0);
}

/* False: what is needed is not there. */
static bool start(struct world *w)
{
    memset(w, 0, sizeof(*w));
    if (!shell("command -v debuginfod >%s", "/dev/null"))
        return false;
    temp_folder(w->folder);
    unsetenv("http_proxy");
    unsetenv("all_proxy");
    if (!build(w)) {
        temp_folder_remove(w->folder);
        return false;
    }
    start_server(w);
    return true;
}

static void stop(struct world *w)
{
    kill(w->server, SIGKILL);
    waitpid(w->server, NULL, 0);
    temp_folder_remove(w->folder);
}

static const char *given_name(const struct profile *p)
{
    uint32_t function = p->given.len ? p->given.data[0].function : NO_ID;

    return function == NO_ID
               ? ""
               : strings_get(p->strings, p->functions.data[function].name);
}

/* True if a sample in the function of an image at `path` gets its name.
 * `online` NULL: only the store is searched. */
static bool is_named(const struct world *w, struct online *online,
                     const char *path)
{
    struct places places = {.online = online};
    struct naming_options options = {
        .places = &places, .style = DEMANGLE_SHORT, .threads = 0};
    struct builder *b = builder_new("app.nettrace");
    struct profile *p = builder_profile(b);
    char store[100], stack[40];
    struct module *m;
    bool named;

    snprintf(store, sizeof(store), "%s/store", w->folder);
    snprintf(stack, sizeof(stack), "app!+0x%lx", w->address + 4);
    builder_samples(b, builder_thread(b, 1, "app", 1), 1, stack);
    m = &p->modules.data[0];
    m->path = strings_add(p->strings, path, strlen(path));
    m->identity = w->app;
    m->by_file_offset = w->by_file_offset;
    places_add_debuginfod(&places, w->url);
    places_set_store(&places, store);
    name_profile(p, &options, NULL);
    named = !strcmp(given_name(p), "hash_block");
    profile_free(builder_finish(b));
    places_release(&places);
    return named;
}

/* It takes a moment to listen, another to see its files, and another yet to
 * know of each that it is both an image and debug information. */
static bool is_named_soon(const struct world *w, const char *path, size_t files)
{
    struct online_limits limits = ONLINE_LIMITS;
    struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000};
    char store[100];
    bool named = false;

    snprintf(store, sizeof(store), "%s/store", w->folder);
    for (int ms = 0; ms < PATIENCE_MS && !named; ms += PAUSE_MS) {
        struct online *online = online_new(&limits, "topfn/test");

        if (ms)
            nanosleep(&pause, NULL);
        named = is_named(w, online, path) && temp_folder_files(store) >= files;
        online_free(online);
    }
    return named;
}

static void debuginfo_address(const struct identity *id, char *path,
                              size_t room)
{
    char hex[BUILD_ID_TEXT];

    build_id_text(id->build_id, id->build_id_size, hex);
    snprintf(path, room, "/buildid/%s/debuginfo", hex);
}

static void skip(const char *name)
{
    char why[100];

    snprintf(why, sizeof(why), "%s: no debuginfod or no compiler", name);
    suite_skip(1, why);
}

TEST(what_is_stripped_is_asked_for)
{
    char path[100], store[100];
    struct world w;
    bool named;
    size_t kept;

    if (!start(&w)) {
        skip("what_is_stripped_is_asked_for");
        return;
    }
    snprintf(path, sizeof(path), "%s/stripped/app", w.folder);
    snprintf(store, sizeof(store), "%s/store", w.folder);
    named = is_named_soon(&w, path, 1);
    kept = temp_folder_files(store);
    stop(&w);
    ck_assert(named);
    ck_assert_uint_eq(kept, 1);
}

/* Which needs the program headers of the image. */
TEST(the_image_tells_offsets)
{
    char store[100];
    struct world w;
    bool named;
    size_t kept;

    if (!start(&w)) {
        skip("the_image_tells_offsets");
        return;
    }
    w.by_file_offset = true;
    snprintf(store, sizeof(store), "%s/store", w.folder);
    named = is_named_soon(&w, "app", 2) && is_named(&w, NULL, "app");
    kept = temp_folder_files(store);
    stop(&w);
    ck_assert(named);
    ck_assert_uint_eq(kept, 2);
}

/* The file has the right build-id, and nothing that the image has not. */
TEST(what_is_of_no_use_is_not_kept)
{
    char path[200];
    struct debug_input *stripped;
    struct online_world o;
    struct world w = {.url = ""};
    struct wanted wanted = {.kind = WANTED_ELF_DWARF, .name = "app"};
    struct found found;

    temp_folder(w.folder);
    if (!build(&w)) {
        temp_folder_remove(w.folder);
        skip("what_is_of_no_use_is_not_kept");
        return;
    }
    snprintf(path, sizeof(path), "%s/stripped/app", w.folder);
    stripped = debug_input_open(NULL, path);
    online_world_start(&o);
    wanted.identity = w.app;
    debuginfo_address(&w.app, path, sizeof(path));
    http_server_add(o.server, &(struct http_page){.path = path,
                                                  .body = stripped->data,
                                                  .size = stripped->size});
    places_add_debuginfod(&o.places, http_server_url(o.server));
    found = online_world_ask(&o, &wanted);
    ck_assert_uint_eq(found.probes.len, 1);
    ck_assert_int_eq(found.probes.data[0].cause, FIND_UNUSED);
    ck_assert_str_eq(found.probes.data[0].reason, "has no lines");
    ck_assert_uint_eq(temp_folder_files(o.store), 0);
    found_release(&found);
    online_world_stop(&o);
    debug_input_close(stripped);
    temp_folder_remove(w.folder);
}
