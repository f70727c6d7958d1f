#include "engine/input/traces.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/out.h"
#include "engine/base/path.h"
#include "engine/base/text.h"
#include "engine/input/foreign.h"
#include "engine/input/formats.h"
#include "engine/store/store.h"

/* More are no recording, and every one is unpacked. */
enum { MOST_TRACES = 4096 };

/* A trace that cannot be unpacked is a warning if there are others. */
static enum err_code load_traces(struct traces *t, struct container *c,
                                 struct err *err)
{
    struct err first = {0};
    size_t traces = 0, loaded = 0;

    for (size_t i = 0; i < c->count; i++) {
        struct entry *e = &c->entries[i];

        if (e->kind != ENTRY_TRACE)
            continue;
        if (++traces > MOST_TRACES)
            return err_set(err, ERR_LIMIT, "%s: more than %d traces", c->path,
                           MOST_TRACES);
        if (container_load(c, i, &first)) {
            e->damage = "cannot be unpacked";
            continue;
        }
        *vec_add(&t->entries) = *e;
        loaded++;
    }
    if (!traces)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s: a %s file with %zu entries, none of them a trace",
                       c->path, c->kind->name, c->count);
    return loaded ? ERR_NONE : err_set(err, first.code, "%s", first.message);
}

/* ---- logs that belong to a recording ---- */

enum companion_place companion_find(const char *wanted, const char *recording,
                                    char **found)
{
    const char *name = path_base_name(wanted);
    char *folder = path_folder(recording);
    enum companion_place place;

    *found = NULL;
    if (!*name || !strcmp(name, ".") || !strcmp(name, "..")) {
        place = COMPANION_ABSENT;
    } else if (name != wanted && !access(wanted, R_OK)) {
        *found = text_dup(wanted);
        place = path_is_below(wanted, ".") || path_is_below(wanted, folder)
                    ? COMPANION_FOUND
                    : COMPANION_OUTSIDE;
    } else {
        *found = folder_find(".", name);
        if (!*found)
            *found = folder_find(folder, name);
        place = *found ? COMPANION_FOUND : COMPANION_ABSENT;
    }
    free(folder);
    return place;
}

static void note(struct traces *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void note(struct traces *t, const char *format, ...)
{
    char text[8192];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    *vec_add(&t->notes) = text_dup(text);
}

/* True if the command line named a log of that name, or the container of the
 * recording holds one. */
static bool is_given(const struct traces *t, const char *wanted)
{
    for (size_t i = 0; i < t->entries.len; i++)
        if (ascii_same(path_base_name(t->entries.data[i].name),
                       path_base_name(wanted)))
            return true;
    return false;
}

static bool are_of(const struct traces *t, size_t from, const char *format)
{
    for (; from < t->entries.len; from++) {
        const struct entry *e = &t->entries.data[from];
        const struct trace_format *f =
            e->size ? trace_format_of(e->data, e->size) : NULL;

        if (!f || strcmp(f->name, format) != 0)
            return false;
    }
    return true;
}

/* A log that cannot be opened, or is none, is left out: the recording is read
 * without. */
static void open_companion(struct traces *t, const char *recording,
                           const struct companion *log, const char *format)
{
    size_t before = t->entries.len;
    struct container *c = NULL;
    struct err err = {0};
    char *path;
    enum companion_place place = companion_find(log->path, recording, &path);

    if (place == COMPANION_FOUND)
        c = container_open_file(path, &err);
    if (c)
        *vec_add(&t->containers) = c;
    if (place == COMPANION_ABSENT) {
        note(t,
             "%s: its %s log \"%s\" was found neither at its path nor beside "
             "the recording",
             recording, log->what, log->path);
    } else if (place == COMPANION_OUTSIDE) {
        note(t,
             "%s: its %s log %s is in another folder and was not opened: give "
             "it on the command line",
             recording, log->what, path);
    } else if (!c || load_traces(t, c, &err)) {
        note(t, "%s: its %s log cannot be read: %s", recording, log->what,
             err.message);
        t->entries.len = before;
    } else if (!are_of(t, before, format)) {
        note(t, "%s: its %s log %s is not a trace of the format %s", recording,
             log->what, path, format);
        t->entries.len = before;
    }
    free(path);
}

enum err_code traces_open(struct traces *t, const char *const *paths,
                          size_t count, struct err *err)
{
    size_t n;

    for (size_t i = 0; i < count; i++) {
        struct container *c = container_open(paths[i], err);

        if (!c)
            return err ? err->code : ERR_IO;
        *vec_add(&t->containers) = c;
        if (load_traces(t, c, err))
            return err ? err->code : ERR_IO;
    }
    n = t->entries.len;
    for (size_t i = 0; i < n; i++) {
        const struct entry e = t->entries.data[i];
        const struct trace_format *format = trace_format_of(e.data, e.size);
        struct companion list[MOST_COMPANIONS];
        size_t logs = format && format->companions
                          ? format->companions(&e, list)
                          : 0;

        for (size_t l = 0; l < logs; l++)
            if (!is_given(t, list[l].path))
                open_companion(t, e.name, &list[l], format->companion_format);
    }
    return ERR_NONE;
}

bool traces_are_database(const struct traces *t)
{
    const struct entry *e = t->entries.len == 1 ? t->entries.data : NULL;

    return e && e->of_file && strcmp(e->name, "-") != 0 &&
           store_probe(e->data, e->size);
}

static void refuse_unknown(const struct entry *e, struct err *err)
{
    const struct foreign *kind = foreign_of(e->data, e->size);

    if (store_probe(e->data, e->size))
        err_set(err, ERR_UNSUPPORTED,
                "%s: a topfn database must be opened alone and from a plain "
                "file; topfn merge joins several",
                e->name);
    else if (!kind)
        err_set(err, ERR_UNSUPPORTED,
                "%s: offset 0x0: not a trace of a known format", e->name);
    else
        err_set(err, ERR_UNSUPPORTED, "%s: not a trace: %s%s%s", e->name,
                kind->name, kind->advice ? "; " : "",
                kind->advice ? kind->advice : "");
}

/* The one format of all entries. */
static const struct trace_format *common_format(const struct traces *t,
                                                struct err *err)
{
    const struct trace_format *common = NULL;

    for (size_t i = 0; i < t->entries.len - t->logs; i++) {
        const struct entry *e = &t->entries.data[i];
        const struct trace_format *format;

        if (!e->size) {
            err_set(err, ERR_TRUNCATED, "%s: the file is empty", e->name);
            return NULL;
        }
        format = trace_format_of(e->data, e->size);
        if (!format) {
            refuse_unknown(e, err);
            return NULL;
        }
        if (common && format != common) {
            err_set(err, ERR_UNSUPPORTED,
                    "%s: is %s, but %s is %s: open them one at a time", e->name,
                    format->name, t->entries.data[0].name, common->name);
            return NULL;
        }
        common = format;
    }
    if (common && common->alone && t->entries.len - t->logs > 1) {
        err_set(err, ERR_UNSUPPORTED,
                "%s: %s files are opened one at a time; topfn merge joins them",
                t->entries.data[1].name, common->name);
        return NULL;
    }
    return common;
}

/* True for a file of a container that is named like a trace and is none. */
static bool is_foreign(const struct entry *e)
{
    return *e->inner && (!e->size || !trace_format_of(e->data, e->size));
}

/* Leaves out files of containers that are no traces, if others are. */
static void drop_foreign(struct traces *t)
{
    size_t kept = 0;

    for (size_t i = 0; i < t->entries.len; i++)
        kept += !is_foreign(&t->entries.data[i]);
    if (!kept)
        return;
    kept = 0;
    for (size_t i = 0; i < t->entries.len; i++)
        if (!is_foreign(&t->entries.data[i]))
            t->entries.data[kept++] = t->entries.data[i];
    t->entries.len = kept;
}

/* If there is one recording that logs may belong to and all else are logs of
 * that format, they are put behind it: they are one recording. */
static void put_logs_behind(struct traces *t)
{
    size_t at = t->entries.len;
    const struct trace_format *main = NULL;
    struct entry recording;

    for (size_t i = 0; i < t->entries.len; i++) {
        const struct entry *e = &t->entries.data[i];
        const struct trace_format *format =
            e->size ? trace_format_of(e->data, e->size) : NULL;

        if (!format || (format->companions && main))
            return;
        if (format->companions) {
            main = format;
            at = i;
        }
    }
    for (size_t i = 0; main && i < t->entries.len; i++) {
        const struct entry *e = &t->entries.data[i];

        if (i != at && strcmp(trace_format_of(e->data, e->size)->name,
                              main->companion_format) != 0)
            return;
    }
    if (!main)
        return;
    recording = t->entries.data[at];
    memmove(t->entries.data + 1, t->entries.data,
            at * sizeof(t->entries.data[0]));
    t->entries.data[0] = recording;
    t->logs = t->entries.len - 1;
}

const struct trace_format *traces_format(struct traces *t, struct err *err)
{
    drop_foreign(t);
    put_logs_behind(t);
    return common_format(t, err);
}

void traces_close_lists(struct traces *t)
{
    vec_release(&t->entries);
    for (size_t i = 0; i < t->notes.len; i++)
        free(t->notes.data[i]);
    vec_release(&t->notes);
}

void traces_close(struct traces *t)
{
    for (size_t i = 0; i < t->containers.len; i++)
        container_close(t->containers.data[i]);
    vec_release(&t->containers);
    traces_close_lists(t);
}
