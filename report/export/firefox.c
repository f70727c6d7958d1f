#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/json.h"
#include "engine/model/profile.h"
#include "engine/model/waits.h"
#include "report/export/export.h"
#include "report/export/frames.h"
#include "report/report.h"
#include "report/table/table.h"

/*
 * firefox - the processed format of the Firefox Profiler, version 48
 * (preprocessedProfileVersion; its changes are listed beside its sources).
 *
 * Tables of columns. Every thread has its own (firefox_thread.h). Weights are
 * samples, or milliseconds where the trace counts time.
 */

/* The profile's frames, functions or strings that a thread uses. */
struct firefox_numbers {
    VEC(uint32_t) list; /* ids of the profile */
    uint32_t *of;       /* by id, + 1; 0: none yet */
};

/* A row of a thread's stack table. */
struct firefox_row {
    uint32_t prefix; /* + 1; 0: none */
    uint32_t frame, kind;
};

struct firefox_threads {
    const struct profile *p;
    const uint32_t *lib_of; /* by name of the module, a string: + 1; 0: none */
    struct json *json;
    struct thread_samples samples;
    struct firefox_numbers frames, functions, resources; /* strings */
    VEC(struct firefox_row) rows;
    VEC(uint32_t) path;      /* stacks without a row yet, innermost first */
    uint32_t *of_stack;      /* by stack: its row + 1; 0: none yet */
    VEC(uint32_t) stacks;    /* that have one */
    struct strings *strings; /* of a thread */
    struct arena scratch;
};

/* RESOURCE_LIBRARY: what a resource is; times are milliseconds. */
enum {
    RESOURCE_LIBRARY = 1,
    NANOSECONDS = 6, /* decimals of milliseconds */
};

static uint32_t number(struct firefox_numbers *n, uint32_t id)
{
    if (!n->of[id]) {
        *vec_add(&n->list) = id;
        n->of[id] = (uint32_t)n->list.len;
    }
    return n->of[id] - 1;
}

static void forget(struct firefox_numbers *n)
{
    for (size_t i = 0; i < n->list.len; i++)
        n->of[n->list.data[i]] = 0;
    n->list.len = 0;
}

static void numbers_release(struct firefox_numbers *n)
{
    vec_release(&n->list);
    free(n->of);
}

/* Rows for a stack and, first, for those that it is on top of. */
static uint32_t row_of(struct firefox_threads *w, uint32_t stack)
{
    const struct stack *stacks = w->p->stacks.data;
    uint32_t prefix = 0;

    w->path.len = 0;
    for (; stack && !w->of_stack[stack]; stack = stacks[stack].parent)
        *vec_add(&w->path) = stack;
    prefix = w->of_stack[stack];
    while (w->path.len) {
        uint32_t location;

        stack = w->path.data[--w->path.len];
        location = stacks[stack].location;
        for (uint32_t f = w->p->frame_start.data[location + 1];
             f-- > w->p->frame_start.data[location];) {
            *vec_add(&w->rows) =
                (struct firefox_row){prefix, number(&w->frames, f),
                                     w->p->locations.data[location].kind};
            prefix = mem_next_id(w->rows.len);
        }
        w->of_stack[stack] = prefix;
        *vec_add(&w->stacks) = stack;
    }
    return prefix - 1;
}

/* A column of a table whose value at `i` is written by `put`. */
#define COLUMN(w, name, count, value)                                          \
    do {                                                                       \
        json_array((w)->json, name);                                           \
        for (size_t i = 0; i < (count); i++)                                   \
            value;                                                             \
        json_end((w)->json);                                                   \
    } while (0)

static void nothing_but(struct firefox_threads *w, const char *name, size_t n,
                        void (*put)(struct json *json, const char *key))
{
    COLUMN(w, name, n, put(w->json, NULL));
}

static void number_or_null(struct json *j, uint32_t value)
{
    if (value)
        json_u64(j, NULL, value);
    else
        json_null(j, NULL);
}

/* Samples that stand for CPU time: its graph shows where a thread ran. */
static bool has_cpu_time(const struct profile *p)
{
    return !measures_wall_clock(p) && sample_nanoseconds(p, 1);
}

static void write_samples(struct firefox_threads *w, uint32_t thread)
{
    const struct samples *s = &w->p->samples;
    const size_t *order = w->samples.order + w->samples.start[thread];
    size_t n = w->samples.start[thread + 1] - w->samples.start[thread];
    bool in_time = profile_counts_time(w->p);
    struct json *j = w->json;

    json_object(j, "samples");
    COLUMN(w, "stack", n, json_u64(j, NULL, row_of(w, s->stack[order[i]])));
    COLUMN(w, "time", n,
           json_real(j, NULL, (double)s->time[order[i]] / 1e6, 6));
    if (in_time)
        COLUMN(w, "weight", n,
               json_decimal(
                   j, NULL,
                   profile_nanoseconds(w->p, sample_weight(w->p, order[i])),
                   NANOSECONDS));
    else
        COLUMN(w, "weight", n,
               json_weight(j, NULL, w->p, sample_weight(w->p, order[i])));
    if (has_cpu_time(w->p))
        COLUMN(
            w, "threadCPUDelta", n,
            json_u64(j, NULL,
                     sample_nanoseconds(w->p, sample_weight(w->p, order[i]))));
    json_text(j, "weightType",
              in_time                      ? "tracing-ms"
              : profile_counts_bytes(w->p) ? "bytes"
                                           : "samples");
    json_u64(j, "length", n);
    json_end(j);
}

/* Writes a table without rows; NULL ends the list of columns. */
static void empty_table(struct json *j, const char *key,
                        const char *const *columns)
{
    json_object(j, key);
    for (; *columns; columns++) {
        json_array(j, *columns);
        json_end(j);
    }
    json_u64(j, "length", 0);
    json_end(j);
}

static void zero(struct json *j, const char *key)
{
    json_u64(j, key, 0);
}

static void minus_one(struct json *j, const char *key)
{
    json_i64(j, key, -1);
}

static void is_false(struct json *j, const char *key)
{
    json_bool(j, key, false);
}

static void write_stack_table(struct firefox_threads *w)
{
    const struct firefox_row *rows = w->rows.data;
    struct json *j = w->json;
    size_t n = w->rows.len;

    json_object(j, "stackTable");
    COLUMN(w, "frame", n, json_u64(j, NULL, rows[i].frame));
    COLUMN(w, "prefix", n,
           rows[i].prefix ? json_u64(j, NULL, rows[i].prefix - 1)
                          : json_null(j, NULL));
    COLUMN(w, "category", n, json_u64(j, NULL, rows[i].kind));
    nothing_but(w, "subcategory", n, zero);
    json_u64(j, "length", n);
    json_end(j);
}

/* The depth to which a frame is inlined into its location's function. */
static uint64_t inline_depth(const struct profile *p, uint32_t frame)
{
    uint64_t depth = 0;

    while (p->frames.data[frame + depth].inlined)
        depth++;
    return depth;
}

static void write_frame_table(struct firefox_threads *w)
{
    const struct frame *all = w->p->frames.data;
    const uint32_t *frames = w->frames.list.data;
    size_t n = w->frames.list.len;
    struct json *j = w->json;

    json_object(j, "frameTable");
    nothing_but(w, "address", n, minus_one);
    COLUMN(w, "inlineDepth", n,
           json_u64(j, NULL, inline_depth(w->p, frames[i])));
    COLUMN(
        w, "category", n,
        json_u64(j, NULL, w->p->functions.data[all[frames[i]].function].kind));
    nothing_but(w, "subcategory", n, zero);
    COLUMN(w, "func", n,
           json_u64(j, NULL, number(&w->functions, all[frames[i]].function)));
    nothing_but(w, "nativeSymbol", n, json_null);
    nothing_but(w, "innerWindowID", n, zero);
    nothing_but(w, "implementation", n, json_null);
    COLUMN(w, "line", n, number_or_null(j, all[frames[i]].line));
    nothing_but(w, "column", n, json_null);
    json_u64(j, "length", n);
    json_end(j);
}

static uint64_t text_id(struct firefox_threads *w, const char *text)
{
    /* The strings of a thread; its table has the empty text, too. */
    return strings_add(w->strings, text, strlen(text));
}

static uint64_t function_name_id(struct firefox_threads *w, uint32_t function)
{
    uint64_t id =
        text_id(w, frame_function(w->p, function, false, &w->scratch));

    arena_reset(&w->scratch);
    return id;
}

/* The file of the function's first frame in the thread. */
static void write_file_names(struct firefox_threads *w)
{
    size_t n = w->functions.list.len;
    uint32_t *files = mem_new(n, sizeof(*files));

    for (size_t i = 0; i < w->frames.list.len; i++) {
        const struct frame *f = &w->p->frames.data[w->frames.list.data[i]];
        uint32_t *file = &files[number(&w->functions, f->function)];

        if (!*file)
            *file = f->file;
    }
    COLUMN(w, "fileName", n,
           files[i] ? json_u64(w->json, NULL,
                               text_id(w, strings_get(w->p->strings, files[i])))
                    : json_null(w->json, NULL));
    free(files);
}

static void write_func_table(struct firefox_threads *w)
{
    const uint32_t *functions = w->functions.list.data;
    const struct function *all = w->p->functions.data;
    size_t n = w->functions.list.len;
    struct json *j = w->json;

    json_object(j, "funcTable");
    COLUMN(w, "name", n, json_u64(j, NULL, function_name_id(w, functions[i])));
    nothing_but(w, "isJS", n, is_false);
    nothing_but(w, "relevantForJS", n, is_false);
    COLUMN(
        w, "resource", n,
        all[functions[i]].module
            ? json_u64(j, NULL, number(&w->resources, all[functions[i]].module))
            : json_i64(j, NULL, -1));
    write_file_names(w);
    nothing_but(w, "lineNumber", n, json_null);
    nothing_but(w, "columnNumber", n, json_null);
    json_u64(j, "length", n);
    json_end(j);
}

static void write_resource_table(struct firefox_threads *w)
{
    const uint32_t *names = w->resources.list.data;
    size_t n = w->resources.list.len;
    struct json *j = w->json;

    json_object(j, "resourceTable");
    json_array(j, "lib");
    for (size_t i = 0; i < n; i++) {
        uint32_t lib = w->lib_of[names[i]];

        if (lib)
            json_u64(j, NULL, lib - 1);
        else
            json_null(j, NULL);
    }
    json_end(j);
    COLUMN(w, "name", n,
           json_u64(j, NULL, text_id(w, strings_get(w->p->strings, names[i]))));
    nothing_but(w, "host", n, json_null);
    COLUMN(w, "type", n, json_u64(j, NULL, RESOURCE_LIBRARY));
    json_u64(j, "length", n);
    json_end(j);
}

/* ---- a thread ---- */

static void write_identity(struct firefox_threads *w, uint32_t thread)
{
    const struct thread *t = &w->p->threads.data[thread];
    const struct process *process = &w->p->processes.data[t->process];
    const char *name = strings_get(w->p->strings, t->name);
    struct json *j = w->json;
    char pid[24], title[24];

    /* A pid can be used twice: two lives are two processes there. */
    snprintf(pid, sizeof(pid), process->pid == NO_PID ? "unknown" : "%u",
             (unsigned)process->pid);
    json_text(j, "processType", "default");
    json_text(j, "processName", strings_get(w->p->strings, process->name));
    json_u64(j, "processStartupTime", 0);
    json_null(j, "processShutdownTime");
    json_u64(j, "registerTime", 0);
    json_null(j, "unregisterTime");
    json_array(j, "pausedRanges");
    json_end(j);
    snprintf(title, sizeof(title), "thread %u", (unsigned)t->tid);
    json_text(j, "name", *name ? name : title);
    json_bool(j, "isMainThread", t->tid == process->pid);
    json_text(j, "pid", pid);
    if (is_thread_id(process->pid, t->tid))
        json_u64(j, "tid", t->tid);
    else
        json_text(j, "tid", "unknown");
}

/* A thread's object, in the array that is open. */
static void firefox_thread(struct firefox_threads *w, uint32_t thread)
{
    static const char *const markers[] = {
        "data", "name", "startTime", "endTime", "phase", "category", NULL};
    static const char *const symbols[] = {"libIndex", "address", "name",
                                          "functionSize", NULL};
    struct json *j = w->json;

    w->strings = strings_new();
    json_line(j, 1);
    json_object(j, NULL);
    write_identity(w, thread);
    write_samples(w, thread);
    empty_table(j, "markers", markers);
    write_stack_table(w);
    write_frame_table(w);
    write_func_table(w);
    write_resource_table(w);
    empty_table(j, "nativeSymbols", symbols);
    COLUMN(w, "stringArray", strings_count(w->strings),
           json_text(w->json, NULL, strings_get(w->strings, (uint32_t)i)));
    json_end(j);
    for (size_t i = 0; i < w->stacks.len; i++)
        w->of_stack[w->stacks.data[i]] = 0;
    w->stacks.len = w->rows.len = 0;
    forget(&w->frames);
    forget(&w->functions);
    forget(&w->resources);
    strings_free(w->strings);
}

/* The arguments must outlive it. */
static void firefox_threads_init(struct firefox_threads *w,
                                 const struct subject *s,
                                 const uint32_t *lib_of, struct json *json)
{
    const struct profile *p = s->p;

    *w = (struct firefox_threads){
        .p = p,
        .lib_of = lib_of,
        .json = json,
        .samples = thread_samples_new(p, s->sel),
    };
    w->frames.of = mem_new(p->frames.len, sizeof(uint32_t));
    w->functions.of = mem_new(p->functions.len, sizeof(uint32_t));
    w->resources.of = mem_new(strings_count(p->strings), sizeof(uint32_t));
    w->of_stack = mem_new(p->stacks.len, sizeof(uint32_t));
}

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
    json_text(j, "product", t->files.len ? profile_file(p) : "topfn");
    json_text(j, "importedFrom", "topfn");
    json_maybe(j, "oscpu", strings_get(p->strings, t->os));
    json_u64(j, "stackwalk", 1);
    json_u64(j, "version", GECKO_VERSION);
    json_u64(j, "preprocessedProfileVersion", PROCESSED_VERSION);
    json_bool(j, "symbolicated", true);
    json_bool(j, "sourceCodeIsNotOnSearchfox", true);
    if (has_cpu_time(p)) {
        json_object(j, "sampleUnits");
        json_text(j, "time", "ms");
        json_text(j, "eventDelay", "ms");
        json_text(j, "threadCPUDelta", "ns");
        json_end(j);
    }
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
    thread_samples_release(&threads.samples);
    numbers_release(&threads.frames);
    numbers_release(&threads.functions);
    numbers_release(&threads.resources);
    vec_release(&threads.rows);
    vec_release(&threads.path);
    vec_release(&threads.stacks);
    free(threads.of_stack);
    arena_release(&threads.scratch);
    free(lib_of);
}

const struct export_kind firefox_export = {
    .name = "firefox",
    .help = "the Firefox Profiler (profiler.firefox.com)",
    .endings = {".profile.json"},
    .times = true,
    .sample_bytes = 30,
    .few_units = true,
    .write = write,
};
