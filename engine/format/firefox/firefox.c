/*
 * JSON of the Firefox Profiler: processed profiles, as its page and samply save
 * them, and Gecko profiles, as Firefox itself writes them.
 *
 * Processed profiles of versions 48 to 70 and Gecko profiles of versions 9 to
 * 24 were read and compared; of versions up to 80 and 36 the layout is known.
 * Newer ones are read with a warning if their tables have the columns that are
 * needed, and refused if not.
 *
 * A thread has a table of stacks, each a frame (frames.h) on top of another
 * stack, and samples, each of a stack. From version 56 on tables are shared
 * by all threads.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/json_peek.h"
#include "engine/base/json_slabs.h"
#include "engine/format/firefox/frames.h"
#include "engine/format/named.h"
#include "engine/model/profile.h"

/* A row of the table of stacks. */
struct row {
    struct named_stack below, stack; /* without its location and with it */
    uint32_t location;
    bool known;
};

struct file {
    struct profile *p;
    const char *name;
    struct named_code code;
    struct firefox_frames frames;
    struct map processes;            /* by pid, a string, and name */
    struct json_value shared_stacks; /* whose rows these are: */
    struct row *rows;
    VEC(size_t) path;
    bool decided, addresses, times;
    double clock;        /* ms from the first process' zero to this one's */
    const char *missing; /* a column of a thread that was left out; or NULL */
};

static uint32_t firefox_string(struct file *f, const char *text)
{
    return strings_add(f->p->strings, text, strlen(text));
}

/* ---- stacks ---- */

static uint32_t plain_location(struct file *f,
                               const struct firefox_frame *frame)
{
    if (!frame->unnamed)
        return named_location(&f->code, &frame->at);
    f->addresses |= frame->address > 0;
    return named_location_at(&f->code, frame->module, frame->address, NULL, 0);
}

static void know_row(struct file *f, size_t i, const struct row *parent)
{
    struct row *row = &f->rows[i];
    struct column_read of = column_of(&f->frames.tables.stacks, "frame");
    struct firefox_frame frame =
        firefox_frame(&f->frames, column_number(&of, i, UINT64_MAX));
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

/* The row of the stack below; SIZE_MAX for a root. A stack's prefix stands
 * before it, so chains end. Versions from 66 on tell how far before it, and 0
 * of a root. */
static size_t prefix_of(struct file *f, size_t row)
{
    const struct table_read *stacks = &f->frames.tables.stacks;
    uint64_t prefix = table_number(stacks, "prefix", row);
    uint64_t offset = table_number(stacks, "prefixOffset", row);

    if (offset != UINT64_MAX)
        prefix = !offset ? UINT64_MAX : offset <= row ? row - offset : row;
    if (prefix < row)
        return (size_t)prefix;
    f->p->quality.malformed += prefix != UINT64_MAX;
    return SIZE_MAX;
}

static struct named_stack row_stack(struct file *f, uint64_t i)
{
    size_t at = (size_t)i;
    const struct row *parent = NULL;

    f->path.len = 0;
    while (at < f->frames.tables.stacks.len && !f->rows[at].known) {
        *vec_add(&f->path) = at;
        at = prefix_of(f, at);
    }
    if (at < f->frames.tables.stacks.len)
        parent = &f->rows[at];
    while (f->path.len) {
        at = f->path.data[--f->path.len];
        know_row(f, at, parent);
        parent = &f->rows[at];
    }
    return parent ? parent->stack : (struct named_stack){0};
}

/* Rows of a table that all threads share are kept. */
static void begin_rows(struct file *f)
{
    if (f->rows &&
        json_is_same(f->shared_stacks, f->frames.tables.stacks.table))
        return;
    free(f->rows);
    f->rows = mem_new(f->frames.tables.stacks.len, sizeof(*f->rows));
    f->shared_stacks = f->frames.tables.stacks.table;
}

/* ---- samples ---- */

static bool decide_unit(struct file *f, struct json_value samples)
{
    const char *type = json_get_text(samples, "weightType");
    bool is_time = !strcmp(type, "tracing-ms");
    bool is_bytes = !strcmp(type, "bytes");
    struct json_value meta = json_member(f->frames.process, "meta");

    if (f->decided)
        return is_time == profile_counts_time(f->p) &&
               is_bytes == profile_counts_bytes(f->p);
    f->decided = true;
    if (is_time) {
        profile_set_metric(f->p, METRIC_TIME);
        profile_set_unit(f->p, "milliseconds", 0);
    } else if (is_bytes)
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

static uint64_t weight_at(struct file *f, struct json_value value)
{
    double weight = json_is_number(value) ? json_number_of(value) : 1;
    uint64_t whole = json_whole_of(value, UINT64_MAX);

    return whole != UINT64_MAX ? named_decimal(&f->code, whole, 0)
                               : named_weight(&f->code, weight, weight);
}

static bool any_stack(const struct column_read *stack, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (column_number(stack, i, UINT64_MAX) != UINT64_MAX)
            return true;
    return false;
}

/* Names the part that a thread lacks, so that its samples cannot be read; NULL:
 * it lacks none. */
static const char *missing_of(struct file *f, struct json_value samples,
                              const struct table_read *table,
                              const struct column_read *stack)
{
    if (json_length(samples))
        return "samples are lists of stacks, the layout before version 3 of "
               "Gecko profiles";
    if ((table->len || json_get_number(samples, "length", 0)) &&
        !table_has(table, "stack"))
        return "samples have no column \"stack\"";
    return any_stack(stack, table->len) ? firefox_missing_column(&f->frames)
                                        : NULL;
}

static void read_firefox_samples(struct file *f, struct json_value samples,
                                 uint32_t thread)
{
    struct table_read table = table_of(samples, "stack");
    struct column_read stack = column_of(&table, "stack");
    struct column_read time = column_of(&table, "time");
    struct column_read delta = column_of(&table, "timeDeltas");
    struct column_read weight = column_of(&table, "weight");
    const char *missing = missing_of(f, samples, &table, &stack);
    double at = 0;

    if (missing) {
        profile_warn(
            f->p, "thread %s left out: %s",
            strings_get(f->p->strings, f->p->threads.data[thread].name),
            missing);
        f->missing = missing;
        return;
    }
    for (size_t i = 0; i < table.len; i++) {
        uint64_t row = column_number(&stack, i, UINT64_MAX);

        if (json_is_there(column_at(&time, i)))
            at = json_number_of(column_at(&time, i));
        else
            at += json_number_of(column_at(&delta, i));
        if (row != UINT64_MAX && row >= f->frames.tables.stacks.len) {
            f->p->quality.malformed++;
            continue;
        }
        named_sample(
            &f->code,
            &(struct named_sample){
                .time = f->times ? nanoseconds(f->clock + at) : 0,
                .thread = thread,
                .stack = row == UINT64_MAX ? 0 : row_stack(f, row).whole,
                .weight = weight_at(f, column_at(&weight, i))});
    }
}

/* ---- threads ---- */

/* Numbers, or numbers as texts; samply tells lives of one number apart as "7"
 * and "7.1". */
static uint32_t id_of(struct json_value value)
{
    const char *text = json_text_of(value);
    uint64_t n = text ? 0 : json_whole_of(value, NO_PID);

    if (text && (*text < '0' || *text > '9'))
        return NO_PID;
    for (; text && *text >= '0' && *text <= '9' && n <= UINT32_MAX; text++)
        n = n * 10 + (uint64_t)(*text - '0');
    if (text && *text == '.')
        text += 1 + strspn(text + 1, "0123456789");
    return n < NO_PID && (!text || !*text) ? (uint32_t)n : NO_PID;
}

static uint32_t process_of(struct file *f, struct json_value thread)
{
    const char *name = json_get_text(thread, "processName");
    struct json_value number = json_member(thread, "pid");
    const char *life = json_text_of(number);
    uint32_t pid = id_of(number), text = firefox_string(f, name);
    uint32_t fresh = mem_next_id(f->p->processes.len);
    uint64_t key = pid == NO_PID || !life
                       ? pid
                       : (uint64_t)firefox_string(f, life) << 32 | pid;
    uint32_t id = map_add(&f->processes, key, text, fresh);

    return id == fresh ? named_process(&f->code, pid, text) : id;
}

static void read_thread(struct file *f, struct json_value thread)
{
    struct json_value samples = json_member(thread, "samples");
    uint32_t tid = id_of(json_member(thread, "tid"));
    uint32_t id;

    if (!decide_unit(f, samples)) {
        profile_warn(f->p,
                     "thread %s left out: its samples count in another unit",
                     json_get_text(thread, "name"));
        return;
    }
    id = named_thread(&f->code, process_of(f, thread), tid == NO_PID ? 0 : tid,
                      firefox_string(f, json_get_text(thread, "name")));
    firefox_frames_in(&f->frames, thread);
    begin_rows(f);
    read_firefox_samples(f, samples, id);
}

/* A Gecko profile of another process counts from that process' start. */
static void read_process(struct file *f, struct json_value process,
                         double start)
{
    double own = json_get_real(json_member(process, "meta"), "startTime");
    struct json_value threads;

    f->clock =
        own > 0 && start > 0 && fabs(own - start) < 1e12 ? own - start : 0;
    firefox_frames_of(&f->frames, process);
    /* In Gecko profiles other processes are profiles of their own inside. */
    threads = json_member(process, "threads");
    for (size_t i = 0; i < json_length(threads); i++)
        if (json_is_object(json_element(threads, i)))
            read_thread(f, json_element(threads, i));
}

static void read_firefox_root(struct file *f, struct json_value root)
{
    struct json_value meta = json_member(root, "meta");
    struct json_value processes = json_member(root, "processes");
    double interval = json_get_real(meta, "interval");
    double start = json_get_real(meta, "startTime");
    const char *unit = json_get_text(json_member(meta, "sampleUnits"), "time");
    struct trace_info *trace = &f->p->trace;
    int64_t first;

    if (interval > 0 && interval < 1e9)
        trace->interval_ns = nanoseconds(interval);
    if (start > 0 && start < 8e12) /* and a time added to it fits */
        trace->start_unix_ns = (int64_t)(start * 1e6);
    f->times = strcmp(unit, "bytes") != 0;
    read_process(f, root, start);
    for (size_t i = 0; i < json_length(processes); i++)
        read_process(f, json_element(processes, i), start);
    /* Times count from the start of the browser, or of the machine: the
     * recording begins with its first sample. `startTime` is the zero of a
     * browser's times; samply's is when it was recorded, whatever its times
     * count from. */
    first = named_begin_with_first(&f->code, &trace->duration_ns);
    if (trace->start_unix_ns &&
        (json_is_there(json_member(meta, "appBuildID")) ||
         json_is_number(json_member(meta, "profilingStartTime"))))
        trace->start_unix_ns += first;
    profile_count_event(f->p, "sample", f->code.samples);
    if (!f->p->threads.len)
        named_thread(&f->code, named_process(&f->code, NO_PID, 0), 0, 0);
    named_code_end(&f->code, !f->times      ? "times, addresses, losses"
                             : f->addresses ? "losses"
                                            : "addresses, losses");
}

/* ---- the file ---- */

/* The newest versions whose layouts are known. Newer ones have columns that are
 * known, or are refused. */
static const struct layout {
    const char *member, *name;
    uint64_t newest;
} layouts[] = {
    {"preprocessedProfileVersion", "processed profile version", 80},
    {"version", "Gecko profile version", 36},
};

/* NULL: it has no version, as those of before 2016. */
static const struct layout *layout_of(struct json_value root, uint64_t *version)
{
    struct json_value meta = json_member(root, "meta");

    for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++) {
        *version = json_get_number(meta, layouts[i].member, UINT64_MAX);
        if (*version != UINT64_MAX)
            return &layouts[i];
    }
    return NULL;
}

static enum err_code read_firefox_file(void *file, struct json_value root,
                                       struct err *err)
{
    struct file *f = file;
    struct json_value inner = json_member(root, "profile");
    uint64_t version;
    const struct layout *layout;

    if (json_is_object(inner))
        root = inner;
    layout = layout_of(root, &version);
    if (!json_is_array(json_member(root, "threads")))
        return err->code
                   ? err->code
                   : err_set(err, ERR_UNSUPPORTED,
                             "%s: a Firefox profile without threads", f->name);
    read_firefox_root(f, root);
    if (f->missing && !f->p->samples.len)
        return err_set(err, ERR_UNSUPPORTED, "%s: %s %llu: %s", f->name,
                       layout ? layout->name : "Firefox profile version",
                       (unsigned long long)(layout ? version : 0), f->missing);
    if (layout && version > layout->newest)
        profile_warn(f->p,
                     "%s %llu is newer than %llu, the newest version topfn "
                     "knows: compare the result with profiler.firefox.com",
                     layout->name, (unsigned long long)version,
                     (unsigned long long)layout->newest);
    return ERR_NONE;
}

static enum err_code firefox_read(const struct entry *entries, size_t count,
                                  const struct read_options *options,
                                  struct observations *seen, struct err *err)
{
    struct file f = {.p = seen->profile,
                     .name = entries->name,
                     .code = named_code_from(seen->profile, entries)};
    struct bytes text = {entries->data, entries->size};
    enum err_code code;
    char *slabs = NULL;

    (void)count;
    (void)options;
    if (json_slabs_begin(text.data, text.len)) {
        slabs = json_slabs_text(f.name, text.data, text.len, &text.len, err);
        if (!slabs)
            return err ? err->code : ERR_CORRUPT;
        text.data = (const uint8_t *)slabs;
    }
    f.frames.p = f.p;
    f.frames.code = &f.code;
    profile_set_metric(f.p, METRIC_CPU_SAMPLES);
    code = named_read_json(&f.code, entries, text, read_firefox_file, &f, err);
    free(slabs);
    free(f.rows);
    firefox_frames_release(&f.frames);
    vec_release(&f.path);
    map_release(&f.processes);
    return code;
}

/* The version of a processed profile; the threads of a Gecko profile, also
 * within what the DevTools save, whose markers may be longer than what is
 * searched. */
static enum format_probe firefox_probe(const uint8_t *data, size_t size)
{
    if (json_slabs_begin(data, size) ||
        json_peek(data, size, "meta.preprocessedProfileVersion") ||
        json_peek_is(data, size, "profile.threads", '['))
        return PROBE_YES;
    if (json_peek(data, size, "profile.meta.version") ||
        json_peek_is(data, size, "threads[].stackTable", '{') ||
        json_peek_is(data, size, "threads[].samples", '{') ||
        json_peek_is(data, size, "threads[].samples", '[') ||
        (json_peek(data, size, "meta.stackwalk") &&
         json_peek(data, size, "libs")) ||
        (json_peek(data, size, "label") && json_peek(data, size, "duration") &&
         json_peek_is(data, size, "markers", '[')))
        return PROBE_MAYBE;
    return PROBE_NO;
}

const struct trace_format firefox_format = {
    .name = "firefox",
    .summary = "Firefox profile",
    .named = true,
    .alone = true,
    .probe = firefox_probe,
    .read = firefox_read,
};
