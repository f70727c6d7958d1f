/*
 * Text that `perf script` prints, as people attach it to reports: it has names
 * instead of the files that tell them. Frames get addresses in a memory
 * of our own making. (format.md, section 10)
 */
#include <string.h>

#include "engine/base/text.h"
#include "engine/format/perfdata/perfdata.h"
#include "engine/format/perfdata/printed.h"

/* ---- addresses for frames that were printed ----
 *
 * Every file that frames are in becomes an image in a memory of our own
 * making: 2^48 bytes for each, in which an address is what was printed.
 * Functions that were inlined have no address, and get one in its upper half.
 * Names are symbols of one byte, that which was looked up: the one at the
 * address where a thread was interrupted, the one before it of callers. */

enum {
    PRINTED_FILES = 1 << 15, /* that get memory; no machine maps as many */
    /* In a part of a stack: one more than is kept, so that it counts as cut. */
    PRINTED_FRAMES = STACK_PART_DEEPEST + 1,
};

/* A file, as "(...)" behind a frame names it. */
struct printed_image {
    uint32_t path;    /* string */
    bool kernel;      /* frames in it are of the kernel's space */
    bool jit;         /* a list of generated code */
    uint32_t symbols; /* their set */
    uint32_t module;
    uint64_t first, last; /* addresses, of the kernel's */
};

struct printed_memory {
    struct pd_reading *r;
    struct map image_ids; /* (string, kernel) -> image */
    VEC(struct printed_image) images;
    struct map told;                     /* (image, pid) */
    struct map symbol_ids;               /* (byte of code, set) */
    struct map made_up;                  /* (string, image) -> its number */
    uint32_t pid;                        /* of the sample */
    const struct printed_frame *held_by; /* what was inlined last, ... */
    uint32_t held_in;                    /* ... its image */
    uint64_t frames_elsewhere; /* in files behind the first PRINTED_FILES */
    uint8_t addresses[8 * PRINTED_FRAMES]; /* of a part of a stack */
};

#define FILE_BITS 48
#define MADE_UP   ((uint64_t)1 << 47) /* addresses from here on, of inlined */
#define FILE_MASK (((uint64_t)1 << FILE_BITS) - 1)

/* ---- images ---- */

/* NO_ID: behind the first PRINTED_FILES. */
static uint32_t image_of(struct printed_memory *m, struct bytes file,
                         bool kernel)
{
    struct pd_reading *r = m->r;
    uint32_t path = pd_text(r, file), fresh = mem_next_id(m->images.len);
    struct pd_mapping mapping = {.path = path, .kernel = kernel};
    const char *text = strings_get(r->strings, path);
    struct printed_image image = {
        .path = path,
        .kernel = kernel,
        .jit = text_starts(path_base_name(text), "perf-") ||
               text_starts(text, "[JIT]") || pd_is_generated(text),
        .module = NO_ID,
    };
    uint32_t id = map_get(&m->image_ids, path, kernel);

    if (id != MAP_NONE || fresh == PRINTED_FILES)
        return id;
    map_set(&m->image_ids, path, kernel, fresh);
    image.symbols = observe_symbol_set(r->seen);
    if (!image.jit) {
        image.module = pd_module(r, &mapping);
        /* The printed addresses are those in memory: no file knows them. */
        r->profile->modules.data[image.module].by_file_offset = false;
    }
    *vec_add(&m->images) = image;
    return fresh;
}

/* In every process that has frames in it. */
static void tell_image(struct printed_memory *m, uint32_t id, uint32_t pid)
{
    const struct printed_image *i = &m->images.data[id];
    struct observed_image fact = {
        .time = -1,
        .event = SEEN_AT_START,
        .pid = pid,
        .base = (uint64_t)(id + 1) << FILE_BITS,
        .size = FILE_MASK,
        .module = i->module,
        .symbols = i->symbols,
        .jit = i->jit,
    };

    if (map_get(&m->told, id, pid) != MAP_NONE)
        return;
    map_set(&m->told, id, pid, 0);
    observe_image(m->r->seen, &fact);
}

/* ---- frames ---- */

static bool is_kernel_frame(const struct printed_frame *frame)
{
    return frame->address >= kernel_space_start(8);
}

static void tell_symbol(struct printed_memory *m,
                        const struct printed_image *image, uint64_t code,
                        struct bytes name)
{
    struct observations *seen = m->r->seen;
    struct observed_symbol fact = {
        .set = image->symbols,
        .start = code,
        .size = 1,
        .unplaced = true,
        .name = {name.data, (uint32_t)name.len, false},
    };

    if (!name.len || map_get(&m->symbol_ids, code, fact.set) != MAP_NONE)
        return;
    map_set(&m->symbol_ids, code, fact.set, 0);
    observe_symbol(seen, &fact);
}

/* The address in our memory. `holder` has the file of an inlined frame. Without
 * printed file names, functions of several files may be at one address, so only
 * the kernel's are told apart by it. */
static uint64_t place_frame(struct printed_memory *m,
                            const struct printed_frame *f,
                            const struct printed_frame *holder, bool caller)
{
    static const struct bytes nowhere = {(const uint8_t *)"[unknown]", 9};
    bool kernel = is_kernel_frame(holder);
    struct bytes file = holder->file.len ? holder->file : nowhere;
    uint64_t address = f->address;
    struct printed_image *image;
    uint32_t id;

    if (!holder->file.len && !f->symbol.len)
        return kernel ? address : address & FILE_MASK;
    id = holder == m->held_by ? m->held_in : image_of(m, file, kernel);
    m->held_by = holder;
    m->held_in = id;
    if (id == NO_ID) {
        m->frames_elsewhere++;
        return address & FILE_MASK;
    }
    image = &m->images.data[id];
    if (f->inlined || (!holder->file.len && !kernel)) {
        /* A function that was inlined is its own place in the file. */
        uint32_t name = pd_text(m->r, f->symbol);
        uint32_t fresh = (uint32_t)m->made_up.used;
        uint32_t number = map_add(&m->made_up, name, id, fresh);

        address = MADE_UP | (uint64_t)number << 1 | 1;
    }
    if (kernel && !f->inlined) {
        if (!image->last || address - 1 < image->first)
            image->first = address - 1;
        if (address > image->last)
            image->last = address;
    } else {
        tell_image(m, id, m->pid);
        address = (address & FILE_MASK) | (uint64_t)(id + 1) << FILE_BITS;
    }
    tell_symbol(m, image, address - caller, f->symbol);
    return address;
}

/* The callchain of a part of a stack, `n` frames, innermost first. Files of
 * the process are told as they are met. */
static uint32_t keep_frames(struct printed_memory *m, uint32_t pid,
                            const struct printed_frame *frames, size_t n)
{
    struct pd_reading *r = m->r;
    struct callchain run = {.frames = m->addresses, .width = 8};
    const struct printed_frame *holder = NULL, *end;

    if (!n)
        return 0;
    end = frames + n;
    m->pid = pid;
    m->held_by = NULL;
    for (const struct printed_frame *f = frames;
         f < end && run.count < PRINTED_FRAMES; f++) {
        uint64_t address;

        if (!holder || holder < f)
            holder = f;
        while (holder->inlined && holder + 1 < end)
            holder++;
        address = place_frame(m, f, holder, f > frames);
        store_u64(m->addresses + (size_t)8 * run.count++, address);
    }
    return callchains_add(&r->seen->callchains, &run,
                          callchain_fingerprint(&run), false);
}

/* Once all samples are kept: the kernel itself has all of its addresses, its
 * drivers those that were met. */
static void tell_kernel(struct printed_memory *m)
{
    uint64_t start = kernel_space_start(8);

    for (size_t k = 0; k < m->images.len; k++) {
        const struct printed_image *i = &m->images.data[k];
        bool whole =
            text_starts(strings_get(m->r->strings, i->path), "[kernel.");
        struct observed_image fact = {
            .time = -1,
            .event = SEEN_AT_START,
            .kernel = true,
            .base = whole ? start : i->first,
            .size = whole ? UINT64_MAX - start : i->last - i->first + 1,
            .module = i->module,
            .symbols = i->symbols,
        };

        if (i->kernel && i->last)
            observe_image(m->r->seen, &fact);
    }
}

/* ---- samples ---- */

enum { MOST_LINES = 1 << 18 }; /* of a sample */

struct script {
    struct pd_reading *r;
    struct bytes text;
    struct map event_ids; /* string -> event */
    struct printed_memory memory;
    struct map names;                 /* (tid, pid) -> string */
    VEC(struct printed_frame) frames; /* of the sample, innermost first */
    struct printed_head head;         /* of the sample */
    struct printed_head first;        /* of the text: all have its fields */
    bool begun;                       /* there is a first one */
    bool open;                        /* there is one, and it is wanted */
    bool chain; /* it has lines of frames, not only the address in its head */
    uint64_t lines_left; /* frames beyond MOST_LINES */
    bool varied;         /* periods are not all the same */
    bool without_pids;
    bool simpleperf;   /* it printed the text */
    bool bare;         /* heads of samples have a name or ids at most */
    struct bytes last; /* the line before, of such a text */
};

static struct pd_event *event_of(struct script *s, struct bytes name)
{
    struct pd_reading *r = s->r;
    static const struct bytes unnamed = {(const uint8_t *)"samples", 7};
    uint32_t string = pd_text(r, name.len ? name : unnamed);
    uint32_t fresh = mem_next_id(r->events.len);
    uint32_t id = map_add(&s->event_ids, string, 0, fresh);
    struct pd_event event = {.period = 1, .name = string};

    if (id == fresh) {
        pd_type_by_name(r, &event);
        *vec_add(&r->events) = event;
    }
    return &r->events.data[id];
}

/* Copied texts have blanks in place of tabs, or nothing before their frames;
 * these have files. */
static bool is_frame(struct bytes line, struct printed_frame *frame)
{
    return printed_frame(line, frame) &&
           (*line.data == '\t' || *line.data == ' ' || frame->file.len);
}

/* A frame whose function has words like "12 a:" is no head without a time. */
static bool is_head(struct script *s, struct bytes line,
                    struct printed_head *head)
{
    enum { LONGER_THAN_A_NAME = 0xFFFF };
    struct printed_frame frame;

    if (s->bare) {
        struct bytes last = s->last;

        s->last = line;
        if (!printed_is_column(line) || printed_is_column(last))
            return false;
        *head = printed_bare_head(last);
    } else if (*line.data == '\t' || printed_record(line) ||
               !printed_head(line, head)) {
        return false;
    }
    if (!s->bare && !head->has_time && is_frame(line, &frame) &&
        frame.file.len && frame.address > LONGER_THAN_A_NAME)
        return false;
    if (!s->begun)
        s->first = *head;
    s->begun = true;
    return printed_same_fields(head, &s->first);
}

/* Counts the events of the file, before samples of one kind are taken. A period
 * that changes says nothing. */
static void meet_events(struct script *s)
{
    struct printed_head head;
    struct bytes line;

    for (size_t at = 0; printed_line(s->text, &at, &line);) {
        struct pd_event *e;

        if (!line.len)
            s->last = line;
        if (!line.len || *line.data == '#' || !is_head(s, line, &head))
            continue;
        e = event_of(s, head.event);
        if (!e->count++ && head.period && e->type == PD_SOFTWARE)
            e->period = head.period;
        s->varied |= e->count > 1 && e->period != head.period;
        s->without_pids |= head.has_tid && !head.has_pid;
    }
}

/* The first name of a thread was its own all the time; another one came with
 * a program. */
static void take_name(struct script *s)
{
    const struct printed_head *h = &s->head;
    uint32_t name = pd_text(s->r, h->name);
    uint32_t known = map_get(&s->names, h->tid, h->pid);
    struct pd_happening fact = {
        .time = known == MAP_NONE ? 0 : h->time,
        .kind = known != MAP_NONE && h->pid == h->tid ? PD_EXEC : PD_COMM,
        .pid = h->pid,
        .tid = h->tid,
        .what = name,
    };

    if (known == name || !h->name.len)
        return;
    map_set(&s->names, h->tid, h->pid, name);
    *vec_add(&s->r->happenings) = fact;
}

/* The sample whose last line was read. */
static void close_sample(struct script *s)
{
    const struct printed_head *h = &s->head;
    size_t n = s->frames.len, kernel = 0;
    struct observed_sample kept = {
        .time = (int64_t)h->time,
        .weight = 1,
        .period = h->period < PD_PERIOD_MOST ? h->period : PD_PERIOD_MOST,
        .thread_key = observe_thread_key(s->r->seen, h->tid, h->pid),
        .cpu = h->cpu,
        .flags = !h->pid && !h->tid ? SAMPLE_IDLE : 0,
    };

    while (kernel < n &&
           (!s->chain || is_kernel_frame(&s->frames.data[kernel])))
        kernel++;
    kept.inner = keep_frames(&s->memory, h->pid, s->frames.data, kernel);
    if (n > kernel)
        kept.outer = keep_frames(&s->memory, h->pid, s->frames.data + kernel,
                                 n - kernel);
    if (!n)
        kept.inner = callchains_add_address(&s->r->seen->callchains, 0);
    kept.leaf = n <= 1 && !kept.outer;
    pd_keep_sample(s->r, &kept);
    s->r->periods_differ |= kept.period > 0; /* what is printed is kept */
    s->open = false;
}

static void open_sample(struct script *s, const struct printed_head *head)
{
    struct printed_frame frame;

    s->open = event_of(s, head->event)->chosen;
    s->head = *head;
    s->chain = false;
    s->frames.len = 0;
    if (!s->open)
        return;
    pd_met_time(s->r, head->time);
    take_name(s);
    if (printed_frame(head->rest, &frame))
        *vec_add(&s->frames) = frame;
}

static void take_line(struct script *s, struct bytes line)
{
    struct printed_head head;
    struct printed_frame frame;

    if (is_head(s, line, &head)) {
        if (s->open)
            close_sample(s);
        open_sample(s, &head);
        if (!s->bare)
            return;
    }
    if (is_frame(line, &frame)) {
        s->chain = true;
        if (s->open && s->frames.len < MOST_LINES)
            *vec_add(&s->frames) = frame;
        else
            s->lines_left += s->open;
    } else if (*line.data != '\t' && *line.data != ' ' && !s->bare &&
               !printed_record(line)) {
        s->r->profile->quality.malformed++;
    }
}

static bool is_blank_line(struct bytes line)
{
    return !line.len || *line.data == '\r';
}

static void take_lines(struct script *s)
{
    struct bytes line;

    for (size_t at = 0; printed_line(s->text, &at, &line);) {
        bool blank = is_blank_line(line);

        if (!blank && *line.data != '#')
            take_line(s, line);
        else if (blank && s->open)
            close_sample(s);
        if (blank)
            s->last = line;
    }
    if (s->open)
        close_sample(s);
    tell_kernel(&s->memory);
}

/* Warns of parts that the text lacks or has too many of. */
static void tell_missing(const struct script *s)
{
    struct profile *p = s->r->profile;
    bool timeless = s->begun && !s->first.has_time;
    bool both = s->without_pids && timeless && !s->simpleperf;

    if (both)
        profile_warn(p,
                     "%s: no process ids, so each thread counts as a process, "
                     "and no times; perf script -F +pid,+time prints them",
                     s->r->name);
    if (s->without_pids && !both)
        profile_warn(p,
                     "%s: there are no process ids, so each thread counts as a "
                     "process%s",
                     s->r->name,
                     s->simpleperf ? "" : "; perf script -F +pid prints them");
    if (timeless && !both)
        profile_warn(p,
                     "%s: samples have no times; perf script -F +time prints "
                     "them",
                     s->r->name);
    if (s->begun && !s->first.has_tid)
        profile_warn(p,
                     "%s: samples have no threads; perf script -F "
                     "+comm,+pid,+tid prints them",
                     s->r->name);
    if (s->lines_left)
        profile_warn(
            p, "%s: %llu frames left out of samples with more than %d frames",
            s->r->name, (unsigned long long)s->lines_left, MOST_LINES);
    if (s->memory.frames_elsewhere)
        profile_warn(p,
                     "%s: %llu frames have no names, because their files are "
                     "not among the first %d files",
                     s->r->name, (unsigned long long)s->memory.frames_elsewhere,
                     PRINTED_FILES);
}

/* ---- the format ---- */

/* The first line that is no comment is a sample's. One without a time is so
 * only if a frame comes with it. */
static enum format_probe script_probe(const uint8_t *data, size_t size)
{
    enum { LINES_LOOKED_AT = 200, LONGEST = 4096 };
    struct bytes text = {data, size}, line;
    struct printed_head head = {.has_time = false};
    struct printed_frame frame;
    size_t at = 0;

    if (printed_simpleperf(text) || printed_is_bare(text))
        return PROBE_YES;
    for (unsigned i = 0; i < LINES_LOOKED_AT && printed_line(text, &at, &line);
         i++) {
        if (is_blank_line(line) || *line.data == '#')
            continue;
        if (line.len >= LONGEST ||
            !(printed_record(line) || printed_head(line, &head)))
            return PROBE_NO;
        if (printed_record(line))
            continue;
        if (head.has_time && head.event.len)
            return PROBE_YES;
        return printed_frame(head.rest, &frame) ||
                       (printed_line(text, &at, &line) && line.len &&
                        is_frame(line, &frame) &&
                        (*line.data == '\t' || frame.file.len))
                   ? PROBE_YES
                   : PROBE_NO;
    }
    return PROBE_NO;
}

static void script_release(struct script *s)
{
    map_release(&s->event_ids);
    map_release(&s->memory.image_ids);
    vec_release(&s->memory.images);
    map_release(&s->memory.told);
    map_release(&s->memory.symbol_ids);
    map_release(&s->memory.made_up);
    map_release(&s->names);
    vec_release(&s->frames);
}

static enum err_code script_read(const struct entry *entries, size_t count,
                                 const struct read_options *options,
                                 struct observations *seen, struct err *err)
{
    struct script s = {.text = {entries->data, entries->size}};
    struct err local = {0};
    enum err_code code;

    if (!err)
        err = &local;
    if (count != 1)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s: several texts of perf script have no common clock: "
                       "open them one at a time, or join them with topfn merge",
                       entries[1].name);
    s.r = pd_reading_new(entries, options, seen);
    s.memory.r = s.r;
    s.simpleperf = printed_simpleperf(s.text);
    s.bare = printed_is_bare(s.text);
    if (s.simpleperf)
        s.text = printed_simpleperf_script(&seen->kept, s.text);
    meet_events(&s);
    code = pd_choose(s.r, err);
    if (!code) {
        take_lines(&s);
        for (size_t i = 0; s.varied && i < s.r->events.len; i++)
            s.r->events.data[i].period = 0;
        tell_missing(&s);
    }
    script_release(&s);
    if (!code)
        pd_finish(s.r);
    /* The text does not say how stacks were walked: callers may be missing. */
    seen->profile->frame_pointers = true;
    pd_reading_free(s.r);
    return code;
}

const struct trace_format perf_script_format = {
    .name = "perf-script",
    .summary = "text of perf script or simpleperf",
    .chooses_events = true,
    .has_periods = true,
    .probe = script_probe,
    .read = script_read,
};
