#include "engine/format/firefox/firefox.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/format/firefox/tables.h"
#include "engine/observations/named_code.h"

/*
 * A thread has a table of stacks, each a frame on top of another stack, of
 * frames and, in processed profiles, of functions and of where these are from.
 * From version 56 on tables are shared by all threads. In Gecko profiles a
 * frame has its name and nothing else.
 */

enum { LOOKED_AT = 256 * 1024 };

struct thread_tables {
    struct json_value strings;
    struct table_read stacks, frames, functions, resources, sources;
};

/* A row of the table of stacks. */
struct row {
    struct named_stack below, stack; /* without its location and with it */
    uint32_t location;
    bool known;
};

/* A text of a table, gone through once: all rows may name a long one. */
struct known_text {
    struct named_frame frame; /* that is called so */
    uint32_t text;
    bool is_number; /* "0x1a2b", which stands for a name nobody looked for */
    bool known;
};

struct file {
    struct profile *p;
    struct named_code code;
    struct json_value root, libs, categories;
    struct map processes; /* by pid, a string, and name */
    struct thread_tables t;
    struct json_value shared_stacks; /* whose rows these are: */
    struct row *rows;
    struct json_value shared_strings; /* whose texts these are: */
    struct known_text *texts;
    VEC(size_t) path;
    uint32_t *libraries; /* modules, by lib; NO_ID: not yet */
    bool decided, addresses;
    enum named_unit unit;
    double factor;
};

/* ---- tables ---- */

static struct json_value either(struct json_value a, struct json_value b,
                                const char *key)
{
    struct json_value own = json_member(a, key);

    return json_is_there(own) ? own : json_member(b, key);
}

static void open_tables(struct file *f, struct json_value thread)
{
    struct json_value shared = json_member(f->root, "shared");
    struct thread_tables *t = &f->t;

    t->strings = either(thread, shared, "stringTable");
    if (!json_is_array(t->strings))
        t->strings = either(thread, shared, "stringArray");
    t->stacks = table_of(either(thread, shared, "stackTable"), "frame");
    t->frames = table_of(either(thread, shared, "frameTable"), "func");
    t->functions = table_of(either(thread, shared, "funcTable"), "name");
    t->resources = table_of(either(thread, shared, "resourceTable"), "name");
    t->sources = table_of(either(thread, shared, "sources"), "filename");
}

static uint32_t string(struct file *f, const char *text)
{
    return strings_add(f->p->strings, text, strlen(text));
}

static bool is_number(const char *name)
{
    return name[0] == '0' && name[1] == 'x' &&
           !name[2 + strspn(name + 2, "0123456789abcdefABCDEF")];
}

static uint64_t number_of(const struct table_read *table, const char *column,
                          uint64_t row)
{
    struct column_read c = column_of(table, column);

    return column_number(&c, (size_t)row, UINT64_MAX);
}

/* Of a table that all threads share they are kept. */
static void begin_texts(struct file *f)
{
    if (f->texts && json_is_same(f->shared_strings, f->t.strings))
        return;
    free(f->texts);
    f->texts = mem_new(json_length(f->t.strings), sizeof(*f->texts));
    f->shared_strings = f->t.strings;
}

/* The text that a column's number stands for; an empty one if there is none. */
static struct known_text text_of(struct file *f, const struct table_read *table,
                                 const char *column, uint64_t row)
{
    static const struct known_text none = {.text = 0};
    uint64_t i = number_of(table, column, row);
    struct known_text *known;
    const char *text;

    if (i >= json_length(f->t.strings))
        return none;
    known = &f->texts[i];
    if (known->known)
        return *known;
    text = json_text_of(json_element(f->t.strings, (size_t)i));
    text = text ? text : "";
    *known = (struct known_text){
        .frame = named_frame_of(&f->code, text, strlen(text)),
        .text = string(f, text),
        .is_number = is_number(text),
        .known = true,
    };
    return *known;
}

/* ---- libraries ---- */

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* How many bytes the text is, at most `most`; what follows them is left. */
static size_t read_hex(const char *text, uint8_t *bytes, size_t most)
{
    size_t n = 0;

    while (n < most && digit(text[2 * n]) >= 0 && digit(text[2 * n + 1]) >= 0) {
        bytes[n] = (uint8_t)(digit(text[2 * n]) << 4 | digit(text[2 * n + 1]));
        n++;
    }
    return n;
}

/* Numbers of 4, 2 and 2 bytes and 8 bytes, as a PDB stores them. */
static bool set_guid(struct identity *id, const char *breakpad)
{
    static const uint8_t order[16] = {3, 2, 1,  0,  5,  4,  7,  6,
                                      8, 9, 10, 11, 12, 13, 14, 15};
    uint8_t guid[16];

    if (read_hex(breakpad, guid, sizeof(guid)) != sizeof(guid))
        return false;
    for (size_t i = 0; i < sizeof(guid); i++)
        id->guid[i] = guid[order[i]];
    for (breakpad += 2 * sizeof(guid); digit(*breakpad) >= 0; breakpad++)
        id->age = id->age << 4 | (uint32_t)digit(*breakpad);
    return true;
}

static void set_identity(struct file *f, struct module *m,
                         struct json_value lib)
{
    const char *code = json_get_text(lib, "codeId");
    const char *pdb = json_get_text(lib, "debugName");
    size_t n = strlen(pdb);
    struct identity *id = &m->identity;

    if (n > 4 && !strcmp(pdb + n - 4, ".pdb")) {
        if (set_guid(id, json_get_text(lib, "breakpadId")))
            id->pdb_name = string(f, pdb);
    } else if (strlen(code) >= 32) {
        id->build_id_size =
            (uint8_t)read_hex(code, id->build_id, sizeof(id->build_id));
    }
}

/* The module of a library; NO_ID: there is none of that number. */
static uint32_t library(struct file *f, uint64_t i)
{
    struct json_value lib = json_element(f->libs, (size_t)i);
    const char *path = json_get_text(lib, "path");

    if (!json_is_there(lib))
        return NO_ID;
    if (f->libraries[i] == NO_ID) {
        f->libraries[i] = named_module(
            &f->code, string(f, *path ? path : json_get_text(lib, "name")));
        set_identity(f, &f->p->modules.data[f->libraries[i]], lib);
    }
    return f->libraries[i];
}

/* ---- frames ---- */

static uint8_t kind_of(const struct file *f, uint64_t category)
{
    static const struct {
        const char *name;
        uint8_t kind;
    } kinds[] = {{"JavaScript", CODE_SCRIPT}, {"Script", CODE_SCRIPT},
                 {"Kernel", CODE_KERNEL},     {"Managed", CODE_MANAGED},
                 {"Native", CODE_NATIVE},     {"User", CODE_NATIVE}};
    const char *name =
        json_get_text(json_element(f->categories, (size_t)category), "name");

    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (!strcmp(kinds[i].name, name))
            return kinds[i].kind;
    return CODE_UNKNOWN;
}

struct read_frame {
    struct named_frame at;
    uint32_t module; /* NO_ID unknown */
    uint64_t address;
    bool unnamed, inlined;
};

static void read_function(struct file *f, uint64_t function,
                          struct read_frame *frame)
{
    const struct thread_tables *t = &f->t;
    struct known_text name = text_of(f, &t->functions, "name", function);
    uint64_t resource = number_of(&t->functions, "resource", function);
    uint64_t source = number_of(&t->functions, "source", function);

    frame->at = name.frame;
    frame->at.file =
        source == UINT64_MAX
            ? text_of(f, &t->functions, "fileName", function).text
            : text_of(f, &t->sources, "filename", source).text;
    frame->unnamed = name.is_number;
    if (resource == UINT64_MAX)
        return;
    frame->module =
        library(f, number_of(&t->resources, "lib", resource));
    frame->at.module = text_of(f, &t->resources, "name", resource).text;
    if (frame->module != NO_ID &&
        (!frame->at.module ||
         f->p->modules.data[frame->module].name == frame->at.module))
        frame->at.module = f->p->modules.data[frame->module].path;
}

static struct read_frame read_frame(struct file *f, uint64_t row)
{
    const struct thread_tables *t = &f->t;
    struct read_frame frame = {.module = NO_ID};
    uint64_t function = number_of(&t->frames, "func", row);
    uint64_t line = number_of(&t->frames, "line", row);
    uint64_t address = number_of(&t->frames, "address", row);
    uint64_t depth = number_of(&t->frames, "inlineDepth", row);
    struct known_text name;

    if (function != UINT64_MAX) {
        read_function(f, function, &frame);
    } else {
        name = text_of(f, &t->frames, "location", row);
        frame.at = name.frame;
        frame.unnamed = name.is_number;
    }
    frame.at.kind = kind_of(f, number_of(&t->frames, "category", row));
    frame.at.line = line < UINT32_MAX ? (uint32_t)line : 0;
    frame.address = address == UINT64_MAX ? 0 : address;
    frame.inlined = depth != UINT64_MAX && depth > 0;
    return frame;
}

/* ---- stacks ---- */

static uint32_t plain_location(struct file *f, const struct read_frame *frame)
{
    if (!frame->unnamed)
        return named_location(&f->code, &frame->at);
    f->addresses |= frame->address > 0;
    return named_location_at(&f->code, frame->module, frame->address, NULL, 0);
}

static void know(struct file *f, size_t i, const struct row *parent)
{
    struct row *row = &f->rows[i];
    struct read_frame frame =
        read_frame(f, number_of(&f->t.stacks, "frame", i));
    uint32_t joined = NO_ID;

    if (parent)
        row->below = parent->stack;
    if (parent && frame.inlined)
        joined = named_location_on(&f->code, parent->location, &frame.at);
    if (joined != NO_ID)
        row->below = parent->below;
    row->location = joined == NO_ID ? plain_location(f, &frame) : joined;
    row->stack = named_push(&f->code, row->below, row->location);
    row->known = true;
}

/* A stack's prefix stands before it, so chains end. */
static struct named_stack stack_of(struct file *f, uint64_t i)
{
    struct column_read prefix = column_of(&f->t.stacks, "prefix");
    size_t at = (size_t)i;
    const struct row *parent = NULL;

    f->path.len = 0;
    while (at < f->t.stacks.len && !f->rows[at].known) {
        uint64_t next = column_number(&prefix, at, UINT64_MAX);

        *vec_add(&f->path) = at;
        if (next != UINT64_MAX && next >= at) {
            f->p->quality.malformed++;
            next = UINT64_MAX;
        }
        at = next == UINT64_MAX ? SIZE_MAX : (size_t)next;
    }
    if (at < f->t.stacks.len)
        parent = &f->rows[at];
    while (f->path.len) {
        at = f->path.data[--f->path.len];
        know(f, at, parent);
        parent = &f->rows[at];
    }
    return parent ? parent->stack : (struct named_stack){0};
}

/* Of a table that all threads share they are kept. */
static void begin_rows(struct file *f)
{
    if (f->rows && json_is_same(f->shared_stacks, f->t.stacks.table))
        return;
    free(f->rows);
    f->rows = mem_new(f->t.stacks.len, sizeof(*f->rows));
    f->shared_stacks = f->t.stacks.table;
}

/* ---- samples ---- */

static bool decide_unit(struct file *f, struct json_value samples)
{
    const char *type = json_get_text(samples, "weightType");
    bool is_time = !strcmp(type, "tracing-ms");
    struct json_value meta = json_member(f->root, "meta");

    if (f->decided)
        return is_time == (f->unit == NAMED_NANOSECONDS);
    f->decided = true;
    f->unit = is_time ? NAMED_NANOSECONDS : NAMED_COUNTS;
    f->factor = is_time ? 1e6 : 1;
    if (is_time)
        profile_set_metric(f->p, METRIC_TIME);
    else if (!strcmp(type, "bytes"))
        profile_set_metric_word(f->p, "bytes");
    else if (!strcmp(json_get_text(meta, "product"), "Firefox"))
        profile_set_metric(f->p, METRIC_THREAD_SAMPLES);
    else
        profile_set_metric(f->p, METRIC_CPU_SAMPLES);
    return true;
}

static int64_t nanoseconds(double ms)
{
    return fabs(ms) < 1e12 ? llround(ms * 1e6) : 0;
}

static uint64_t weight_at(const struct file *f, struct json_value value)
{
    double weight = json_is_number(value) ? json_number_of(value) : 1;

    weight *= f->factor;
    return weight > 0 && weight < 9e18 ? (uint64_t)llround(weight) : 0;
}

static void read_samples(struct file *f, struct json_value samples,
                         uint32_t thread)
{
    struct table_read table = table_of(samples, "stack");
    struct column_read stack = column_of(&table, "stack");
    struct column_read time = column_of(&table, "time");
    struct column_read delta = column_of(&table, "timeDeltas");
    struct column_read weight = column_of(&table, "weight");
    double at = 0;

    for (size_t i = 0; i < table.len; i++) {
        uint64_t row = column_number(&stack, i, UINT64_MAX);

        if (json_is_there(column_at(&time, i)))
            at = json_number_of(column_at(&time, i));
        else
            at += json_number_of(column_at(&delta, i));
        if (row != UINT64_MAX && row >= f->t.stacks.len) {
            f->p->quality.malformed++;
            continue;
        }
        named_sample(&f->code,
                     &(struct named_sample){
                         .time = nanoseconds(at),
                         .thread = thread,
                         .stack = row == UINT64_MAX ? 0
                                                    : stack_of(f, row).whole,
                         .weight = weight_at(f, column_at(&weight, i))});
        if (nanoseconds(at) > f->p->trace.duration_ns)
            f->p->trace.duration_ns = nanoseconds(at);
    }
}

/* ---- threads ---- */

/* Numbers, or numbers as texts. */
static uint32_t id_of(struct json_value value)
{
    const char *text = json_text_of(value);
    uint64_t n = text ? 0 : json_whole_of(value, NO_PID);

    if (text && !*text)
        return NO_PID;
    for (; text && *text && n <= UINT32_MAX; text++) {
        if (*text < '0' || *text > '9')
            return NO_PID;
        n = n * 10 + (uint64_t)(*text - '0');
    }
    return n < NO_PID ? (uint32_t)n : NO_PID;
}

static uint32_t process_of(struct file *f, struct json_value thread)
{
    const char *name = json_get_text(thread, "processName");
    uint32_t pid = id_of(json_member(thread, "pid"));
    uint32_t fresh = mem_next_id(f->p->processes.len);
    uint32_t text = string(f, name);
    uint32_t id = map_add(&f->processes, pid, text, fresh);

    return id == fresh ? named_process(&f->code, pid, text) : id;
}

static void read_thread(struct file *f, struct json_value thread)
{
    struct json_value samples = json_member(thread, "samples");
    uint32_t tid = id_of(json_member(thread, "tid"));
    uint32_t id;

    open_tables(f, thread);
    if (!decide_unit(f, samples)) {
        profile_warn(f->p, "thread %s counts in another unit: left out",
                     json_get_text(thread, "name"));
        return;
    }
    id = named_thread(&f->code, process_of(f, thread), tid == NO_PID ? 0 : tid,
                      string(f, json_get_text(thread, "name")));
    begin_texts(f);
    begin_rows(f);
    read_samples(f, samples, id);
}

/* Of Gecko profiles other processes are profiles of their own inside. */
static void read_threads(struct file *f, struct json_value root)
{
    struct json_value threads = json_member(root, "threads");

    for (size_t i = 0; i < json_length(threads); i++)
        if (json_is_object(json_element(threads, i)))
            read_thread(f, json_element(threads, i));
}

static void begin_libraries(struct file *f, struct json_value root)
{
    size_t n;

    f->root = root;
    f->libs = json_member(root, "libs");
    f->categories = json_member(json_member(root, "meta"), "categories");
    n = json_length(f->libs);
    free(f->libraries);
    f->libraries = mem_new(n, sizeof(*f->libraries));
    for (size_t i = 0; i < n; i++)
        f->libraries[i] = NO_ID;
}

static void read_root(struct file *f, struct json_value root)
{
    struct json_value meta = json_member(root, "meta");
    struct json_value processes = json_member(root, "processes");
    double interval = json_get_real(meta, "interval");
    double start = json_get_real(meta, "startTime");

    if (interval > 0 && interval < 1e9)
        f->p->trace.interval_ns = nanoseconds(interval);
    if (start > 0 && start < 9e12)
        f->p->trace.start_unix_ns = (int64_t)(start * 1e6);
    begin_libraries(f, root);
    read_threads(f, root);
    for (size_t i = 0; i < json_length(processes); i++) {
        begin_libraries(f, json_element(processes, i));
        read_threads(f, f->root);
    }
    profile_count_event(f->p, "sample", f->code.samples.len);
    if (!f->p->threads.len)
        named_thread(&f->code, named_process(&f->code, NO_PID, 0), 0, 0);
    named_code_end(&f->code, f->unit,
                   f->addresses ? "losses" : "addresses, losses");
}

static enum err_code firefox_read(const struct entry *entries, size_t count,
                                  const struct read_options *options,
                                  struct observations *seen, struct err *err)
{
    struct file f = {.p = seen->profile, .code = named_code_of(seen->profile)};
    struct json_value inner;
    struct err own = {0};
    struct json_text *json;
    size_t whole;

    (void)count;
    (void)options;
    err = err ? err : &own;
    json = json_read(entries->name, entries->data, entries->size, &whole, err);
    if (!json)
        return err->code;
    inner = json_member(json_root(json), "profile");
    profile_set_metric(f.p, METRIC_CPU_SAMPLES);
    read_root(&f, json_is_object(inner) ? inner : json_root(json));
    json_close(json);
    free(f.rows);
    free(f.texts);
    free(f.libraries);
    vec_release(&f.path);
    map_release(&f.processes);
    return named_code_damage(&f.code, entries->name, whole, entries->size, err);
}

/* The version of either layout, or the tables themselves. */
static enum format_probe firefox_probe(const uint8_t *data, size_t size)
{
    size_t n = size < LOOKED_AT ? size : LOOKED_AT;

    if (!json_begins(data, n))
        return PROBE_NO;
    if (memmem(data, n, "rocessedProfileVersion\"", 23))
        return PROBE_YES;
    if (memmem(data, n, "\"stackwalk\"", 11) ||
        memmem(data, n, "\"stackTable\"", 12))
        return PROBE_MAYBE;
    return memmem(data, n, "\"threads\"", 9) && memmem(data, n, "\"libs\"", 6)
               ? PROBE_MAYBE
               : PROBE_NO;
}

const struct trace_format firefox_format = {
    .name = "firefox",
    .summary = "Firefox profile",
    .endings = {".profile.json"},
    .recorders = "Firefox, samply",
    .named = true,
    .alone = true,
    .probe = firefox_probe,
    .read = firefox_read,
};
