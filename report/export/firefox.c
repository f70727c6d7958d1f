#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/model/profile.h"
#include "report/export/export.h"
#include "report/export/firefox_thread.h"

/*
 * firefox - the processed format of the Firefox Profiler, version 48
 * (preprocessedProfileVersion; its changes are listed beside its sources).
 *
 * Tables of columns. Every thread has its own (firefox_thread.h). Weights are
 * samples, or milliseconds where the trace counts time.
 */

enum {
    GECKO_VERSION = 27,
    PROCESSED_VERSION = 48,
    MICROSECONDS = 3, /* decimals of milliseconds */
};

/* In the order of enum code_kind. */
static void write_categories(struct json *j)
{
    static const char *const rows[CODE_KINDS][2] = {
        [CODE_UNKNOWN] = {"Other", "grey"},
        [CODE_NATIVE] = {"Native", "blue"},
        [CODE_MANAGED] = {"Managed", "green"},
        [CODE_SCRIPT] = {"Script", "yellow"},
        [CODE_KERNEL] = {"Kernel", "orange"},
    };

    json_array(j, "categories");
    for (size_t i = 0; i < CODE_KINDS; i++) {
        json_object(j, NULL);
        json_text(j, "name", rows[i][0]);
        json_text(j, "color", rows[i][1]);
        json_array(j, "subcategories");
        json_text(j, NULL, "Other");
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

static void write_meta(const struct profile *p, struct json *j)
{
    const struct trace_info *t = &p->trace;

    json_object(j, "meta");
    json_real(j, "interval",
              t->interval_ns > 0 ? (double)t->interval_ns / 1e6 : 1, 6);
    json_real(j, "startTime", (double)t->start_unix_ns / 1e6, MICROSECONDS);
    json_u64(j, "processType", 0);
    json_text(j, "product",
              t->files.len ? strings_get(p->strings, t->files.data[0])
                           : "topfn");
    json_text(j, "importedFrom", "topfn");
    json_maybe(j, "oscpu", strings_get(p->strings, t->os));
    json_u64(j, "stackwalk", 1);
    json_u64(j, "version", GECKO_VERSION);
    json_u64(j, "preprocessedProfileVersion", PROCESSED_VERSION);
    json_bool(j, "symbolicated", true);
    json_bool(j, "sourceCodeIsNotOnSearchfox", true);
    write_categories(j);
    json_array(j, "markerSchema");
    json_end(j);
    json_end(j);
}

/* A GUID as numbers of 4, 2 and 2 bytes and 8 bytes, then the age. */
static void breakpad_id(const struct identity *id, char text[64])
{
    static const uint8_t order[16] = {3, 2, 1,  0,  5,  4,  7,  6,
                                      8, 9, 10, 11, 12, 13, 14, 15};
    const uint8_t *from = id->pdb_name ? id->guid : id->build_id;
    uint8_t guid[16];

    *text = '\0';
    if (!id->pdb_name && id->build_id_size < sizeof(guid))
        return;
    for (size_t i = 0; i < sizeof(guid); i++)
        guid[i] = from[order[i]];
    for (size_t i = 0; i < sizeof(guid); i++)
        snprintf(text + 2 * i, 3, "%02X", guid[i]);
    snprintf(text + 32, 16, "%X", id->pdb_name ? (unsigned)id->age : 0u);
}

static void write_lib(const struct profile *p, const struct module *m,
                      struct json *j)
{
    const char *name = strings_get(p->strings, m->name);
    const char *path = strings_get(p->strings, m->path);
    const char *pdb = strings_get(p->strings, m->identity.pdb_name);
    char text[80];

    json_line(j, 1);
    json_object(j, NULL);
    json_text(j, "arch", "");
    json_text(j, "name", name);
    json_text(j, "path", path);
    json_text(j, "debugName", *pdb ? pdb : name);
    json_text(j, "debugPath", *pdb ? pdb : path);
    breakpad_id(&m->identity, text);
    json_text(j, "breakpadId", text);
    code_id_text(&m->identity, text);
    json_maybe(j, "codeId", text);
    json_end(j);
}

/* By name of a module, a string: its place + 1; 0: none. To be freed. */
static uint32_t *write_libs(const struct profile *p, struct json *j)
{
    uint32_t *lib_of = mem_new(strings_count(p->strings), sizeof(*lib_of));
    uint32_t libs = 0;

    json_array(j, "libs");
    for (size_t i = 0; i < p->modules.len; i++) {
        const struct module *m = &p->modules.data[i];

        if (!m->name || lib_of[m->name])
            continue;
        lib_of[m->name] = ++libs;
        write_lib(p, m, j);
    }
    json_end(j);
    return lib_of;
}

static void write(const struct subject *s, struct out *out)
{
    struct json json = json_to(out);
    struct firefox_threads threads;
    uint32_t *lib_of;

    json_object(&json, NULL);
    write_meta(s->p, &json);
    lib_of = write_libs(s->p, &json);
    firefox_threads_init(&threads, s, lib_of, &json);
    json_array(&json, "threads");
    for (uint32_t i = 0; i < s->p->threads.len; i++)
        if (s->sel->thread_counts[i])
            firefox_thread(&threads, i);
    json_end(&json);
    json_end(&json);
    out_char(out, '\n');
    firefox_threads_release(&threads);
    free(lib_of);
}

const struct export_kind firefox_export = {
    .name = "firefox",
    .help = "the Firefox Profiler (profiler.firefox.com)",
    .endings = {".profile.json"},
    .times = true,
    .few_units = true,
    .write = write,
};
