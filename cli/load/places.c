#include "cli/load/places.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/terminal/terminal.h"
#include "engine/base/out.h"
#include "engine/base/path.h"
#include "engine/base/text.h"
#include "engine/base/text_line.h"
#include "symbols/find/bundle.h"
#include "symbols/find/online/online.h"

/* One for the whole run: a server that failed is not asked again. */
static struct {
    struct online *online; /* NULL: nobody has been asked */
    struct bar bar;
    struct progress progress;
} servers;

static void say_server(const struct online_server *s)
{
    struct out *out = out_memory();
    char *url;

    out_count(out, s->files, "file");
    out_str(out, ", found ");
    out_grouped(out, s->found);
    if (s->failure)
        out_fmt(out, " (%s)", s->failure);
    if (s->refused) {
        out_str(out, "; not asked for ");
        out_count(out, s->refused, "more file");
    }
    url = url_without_login(s->url);
    say_warning("%s: asked for %s", url, out_text(out, NULL));
    free(url);
    out_close(out, NULL);
}

void symbol_servers_end(void)
{
    struct online_server s;
    size_t n;

    if (!servers.online)
        return;
    /* Says what --online did. */
    n = 0;
    for (; online_server(servers.online, n, &s); n++)
        say_server(&s);
    if (online_lacks_debuginfod(servers.online))
        say_warning("no debuginfod server to ask for ELF files: set "
                    "DEBUGINFOD_URLS");
    else if (!n)
        say_warning(
            "--online: no server was asked: no missing file is known by "
            "its build ID");
    online_free(servers.online);
    servers.online = NULL;
}

/* $VARIABLE/NAME, for free(); NULL: the variable is not set. */
static char *folder_in(const char *variable, const char *name)
{
    const char *folder = getenv(variable);

    return folder && *folder ? path_join(folder, name) : NULL;
}

static bool add_cache(struct places *places, const char *variable,
                      const char *name)
{
    char *path = folder_in(variable, name);
    bool is_set = path != NULL;

    if (is_set)
        places_add_cache(places, path);
    free(path);
    return is_set;
}

/* The folders in which debuginfod's own client keeps files. */
static void add_caches(struct places *places)
{
    if (add_cache(places, "DEBUGINFOD_CACHE_PATH", ""))
        return;
    if (!add_cache(places, "XDG_CACHE_HOME", "debuginfod_client"))
        add_cache(places, "HOME", ".cache/debuginfod_client");
    add_cache(places, "HOME", ".debuginfod_client_cache");
}

char *perf_folder(void)
{
    return folder_in("HOME", ".debug");
}

/* A plain path; not "srv*" and its kin, nor an address. */
static bool is_path(const char *part)
{
    return *part && !strchr(part, '*') && !strstr(part, "://");
}

/* Names what is missing or changed in a folder that --bundle wrote. */
static void check_bundle(const char *folder, bool contents)
{
    struct out *complaints = out_memory();
    const char *at, *end;
    size_t n;

    bundle_check(folder, contents, complaints);
    at = out_text(complaints, &n);
    end = at + n;
    while (at < end) {
        struct text_line l = line_next(&at, end);

        say_warning("warning: %.*s", (int)(l.end - l.at), l.at);
    }
    out_close(complaints, NULL);
}

static void check_paths(const char *paths, bool contents)
{
    while (*paths) {
        size_t n = strcspn(paths, ";");
        char *part = text_copy(paths, n);

        if (is_path(part) && access(part, F_OK))
            say_warning("warning: --symbols %s: no such file or folder", part);
        else if (is_path(part))
            check_bundle(part, contents);
        free(part);
        paths += n + (paths[n] == ';');
    }
}

void symbol_places_check(const struct options *o, bool contents)
{
    for (size_t i = 0; i < o->symbols.len; i++)
        check_paths(o->symbols.data[i], contents);
}

void symbol_places(struct places *places, const struct options *o)
{
    const char *path = getenv("_NT_SYMBOL_PATH");
    const char *urls = getenv("DEBUGINFOD_URLS");
    char *folder;
    char *store;

    for (size_t i = 0; i < o->symbols.len; i++)
        places_add(places, o->symbols.data[i]);
    if (path)
        places_add(places, path);
    if (urls)
        places_add_debuginfod(places, urls);
    if (!places_has_server(places, SERVER_SYMSRV))
        places_add(places, ONLINE_MICROSOFT);
    /* The folder in which topfn keeps what servers send. */
    store = folder_in("XDG_CACHE_HOME", "topfn/symbols");
    if (!store)
        store = folder_in("HOME", ".cache/topfn/symbols");
    if (store)
        places_set_store(places, store);
    free(store);
    add_caches(places);
    folder = perf_folder();
    if (folder)
        places_set_perf_cache(places, folder);
    free(folder);
    if (o->online) {
        struct online_limits limits = ONLINE_LIMITS;

        if (!servers.online)
            servers.online = online_new(&limits, "topfn/" TOPFN_VERSION);
        servers.progress = bar_start(&servers.bar);
        online_watch(servers.online, &servers.progress);
        places->online = servers.online;
    }
}

void symbol_places_of_trace(struct places *places, const struct recording *r,
                            const struct options *o)
{
    const struct profile *p = r->profile;

    for (size_t i = 0; i < p->trace.files.len; i++)
        places_add_beside(places,
                          strings_get(p->strings, p->trace.files.data[i]));
    places->inside = inside_new(r->containers.data, r->containers.len);
    symbol_places(places, o);
}

void symbol_places_release(struct places *places)
{
    if (places->online)
        bar_end(&servers.bar);
    places_release(places);
}

void source_places(struct source_places *s, const struct recording *r,
                   const struct options *o, const char *const *files,
                   size_t count)
{
    *s = (struct source_places){.missed = NULL};
    for (size_t i = 0; i < o->source_maps.len; i++)
        sources_map(&s->sources, o->source_maps.data[i]);
    for (size_t i = 0; i < o->sources.len; i++)
        sources_add(&s->sources, o->sources.data[i]);
    symbol_places_of_trace(&s->places, r, o);
    for (size_t i = 0; i < count; i++)
        places_add_beside(&s->places, files[i]);
}

struct textfile *source_places_find(void *s, const char *path)
{
    struct source_places *places = s;
    struct textfile *found = sources_find(&places->sources, path);

    if (!found && !places->missed)
        places->missed = path;
    return found;
}

void source_places_say(const struct source_places *s)
{
    if (s->sources.refused)
        say_warning("source not opened: %s: --source DIR allows what is below "
                    "DIR",
                    s->sources.refused);
    else if (s->missed)
        say_hint("source not found: %s: add its folder with --source DIR, or "
                 "say where it is with --source-map FROM=TO",
                 s->missed);
}

void source_places_release(struct source_places *s)
{
    sources_release(&s->sources);
    symbol_places_release(&s->places);
}
