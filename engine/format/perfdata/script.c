/*
 * What `perf script` prints of a recording, as people attach it to reports:
 * names instead of the files that tell them.
 *
 * Every file that frames are in becomes an image in a memory of our own
 * making: 2^48 bytes for each, in which an address is what was printed.
 * Functions that were inlined have no address, and get one in its upper half.
 * Names are symbols of one byte, that which was looked up: the one at the
 * address where a thread was interrupted, the one before it of callers.
 * (format.md, section 10)
 */
#include "engine/format/perfdata/perfdata.h"

#include "engine/base/text.h"
#include "engine/format/perfdata/printed.h"

#define FILE_BITS  48
#define MADE_UP    ((uint64_t)1 << 47) /* addresses from here on, of inlined */
#define FILE_MASK  (((uint64_t)1 << FILE_BITS) - 1)
#define KERNEL_TOP 0xFFFF000000000000u

enum {
    MOST_FILES = 0xFFF0,
    MOST_FRAMES = 4096,            /* of a part of a stack */
    MOST_LINES = 64 * MOST_FRAMES, /* of a sample */
};

/* What "(...)" behind a frame names. */
struct image {
    uint32_t path; /* string */
    bool kernel;   /* frames in it are of the kernel's space */
    bool jit;      /* a list of generated code */
    uint32_t symbols;      /* their set */
    uint32_t module;
    uint64_t first, last;  /* addresses, of the kernel's */
};

struct script {
    struct pd_reading *r;
    struct bytes text;
    struct map event_ids;  /* string -> event */
    struct map image_ids;  /* (string, kernel) -> image */
    VEC(struct image) images;
    struct map told;       /* (image, pid) */
    struct map symbol_ids; /* (byte of code, set) */
    struct map made_up;    /* (string, image) -> its number */
    struct map names;      /* (tid, pid) -> string */
    VEC(struct printed_frame) frames; /* of the sample, innermost first */
    const struct printed_frame *held_by; /* what was inlined last, ... */
    uint32_t held_in;                    /* ... its image */
    struct printed_head head;         /* of the sample */
    bool open;                        /* there is one, and it is wanted */
    bool varied;                      /* periods are not all the same */
    bool without_pids;
};

/* ---- events ---- */

static struct pd_event *event_of(struct script *s, struct bytes name)
{
    struct pd_reading *r = s->r;
    uint32_t string = pd_text(r, name), fresh = mem_next_id(r->events.len);
    uint32_t id = map_add(&s->event_ids, string, 0, fresh);
    struct pd_event event = {.period = 1, .name = string};

    if (id == fresh) {
        pd_type_by_name(r, &event);
        *vec_add(&r->events) = event;
    }
    return &r->events.data[id];
}

/* What the file has, before samples of one kind are taken. A period that
 * changes says nothing. */
static void meet_events(struct script *s)
{
    struct printed_head head;
    struct bytes line;

    for (size_t at = 0; printed_line(s->text, &at, &line);) {
        struct pd_event *e;

        if (!line.len || *line.data == '#' || *line.data == '\t' ||
            !printed_head(line, &head))
            continue;
        e = event_of(s, head.event);
        if (!e->count++ && head.period && e->type == PD_SOFTWARE)
            e->period = head.period;
        s->varied |= e->count > 1 && e->period != head.period;
        s->without_pids |= !head.has_pid;
    }
}

/* ---- images ---- */

static bool begins_with(const char *text, const char *prefix)
{
    return !strncmp(text, prefix, strlen(prefix));
}

static uint32_t image_of(struct script *s, struct bytes file, bool kernel)
{
    struct pd_reading *r = s->r;
    uint32_t path = pd_text(r, file), fresh = mem_next_id(s->images.len);
    struct pd_mapping mapping = {.path = path, .kernel = kernel};
    const char *text = strings_get(r->strings, path);
    struct image image = {
        .path = path,
        .kernel = kernel,
        .jit = begins_with(path_base_name(text), "perf-") ||
               begins_with(text, "[JIT]") || pd_is_generated(text),
        .module = NO_ID,
    };
    uint32_t id = map_add(&s->image_ids, path, kernel, fresh);

    if (id != fresh)
        return id;
    image.symbols = observe_symbol_set(r->seen);
    if (!image.jit)
        image.module = pd_module(r, &mapping);
    *vec_add(&s->images) = image;
    return id;
}

/* In every process that has frames in it. */
static void tell_image(struct script *s, uint32_t id, uint32_t pid)
{
    const struct image *i = &s->images.data[id];
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

    if (map_get(&s->told, id, pid) != MAP_NONE)
        return;
    map_set(&s->told, id, pid, 0);
    observe_image(s->r->seen, &fact);
}

/* The kernel's are told in the end: the kernel itself has all addresses, its
 * drivers those that were met. */
static void tell_kernel_images(struct script *s)
{
    for (size_t k = 0; k < s->images.len; k++) {
        const struct image *i = &s->images.data[k];
        bool whole = begins_with(strings_get(s->r->strings, i->path),
                                 "[kernel.");
        struct observed_image fact = {
            .time = -1,
            .event = SEEN_AT_START,
            .kernel = true,
            .base = whole ? KERNEL_TOP : i->first,
            .size = whole ? UINT64_MAX - KERNEL_TOP : i->last - i->first + 1,
            .module = i->module,
            .symbols = i->symbols,
        };

        if (i->kernel && i->last)
            observe_image(s->r->seen, &fact);
    }
}

/* ---- frames ---- */

/* A function that was inlined is its own place in the file. */
static uint64_t made_up_address(struct script *s, uint32_t image,
                                struct bytes symbol)
{
    uint32_t name = pd_text(s->r, symbol);
    uint32_t fresh = (uint32_t)s->made_up.used;
    uint32_t number = map_add(&s->made_up, name, image, fresh);

    return MADE_UP | (uint64_t)number << 1 | 1;
}

static void tell_symbol(struct script *s, const struct image *image,
                        uint64_t code, struct bytes name)
{
    struct observations *seen = s->r->seen;
    struct observed_symbol fact = {
        .set = image->symbols,
        .start = code,
        .size = 1,
        .unplaced = true,
        .name = {name.data, (uint32_t)name.len, false},
    };

    if (!name.len || map_get(&s->symbol_ids, code, fact.set) != MAP_NONE)
        return;
    map_set(&s->symbol_ids, code, fact.set, 0);
    observe_symbol(seen, &fact);
}

/* The address in our memory. `holder` has the file of an inlined frame. */
static uint64_t place(struct script *s, const struct printed_frame *f,
                      const struct printed_frame *holder, bool caller)
{
    bool kernel = holder->address >= KERNEL_TOP;
    uint64_t address = f->address;
    struct image *image;
    uint32_t id;

    if (!holder->file.len)
        return kernel ? address : address & FILE_MASK;
    id = holder == s->held_by ? s->held_in : image_of(s, holder->file, kernel);
    s->held_by = holder;
    s->held_in = id;
    if (id >= MOST_FILES)
        return address & FILE_MASK;
    image = &s->images.data[id];
    if (f->inlined)
        address = made_up_address(s, id, f->symbol);
    if (kernel && !f->inlined) {
        if (!image->last || address - 1 < image->first)
            image->first = address - 1;
        if (address > image->last)
            image->last = address;
    } else {
        tell_image(s, id, s->head.pid);
        address = (address & FILE_MASK) | (uint64_t)(id + 1) << FILE_BITS;
    }
    tell_symbol(s, image, address - caller, f->symbol);
    return address;
}

/* Frames of one part of the stack, [from, to). */
static uint32_t keep_part(struct script *s, size_t from, size_t to)
{
    struct pd_reading *r = s->r;
    struct callchain run = {.frames = r->frames, .width = 8};
    const struct printed_frame *holder = NULL;

    for (size_t i = from; i < to && run.count < MOST_FRAMES; i++) {
        const struct printed_frame *f = &s->frames.data[i];
        uint64_t address;

        if (!holder || holder < f)
            holder = f;
        while (holder->inlined && holder + 1 < s->frames.data + to)
            holder++;
        address = place(s, f, holder, i > from);
        for (unsigned k = 0; k < 8; k++)
            r->frames[run.count * 8 + k] = (uint8_t)(address >> 8 * k);
        run.count++;
    }
    if (!run.count)
        return 0;
    return callchains_add(&r->seen->callchains, &run,
                          callchain_fingerprint(&run), false);
}

/* ---- samples ---- */

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

    if (known == name)
        return;
    map_set(&s->names, h->tid, h->pid, name);
    *vec_add(&s->r->happenings) = fact;
}

/* The sample whose last line was read. */
static void close_sample(struct script *s)
{
    const struct printed_head *h = &s->head;
    size_t n = s->frames.len, kernel = 0;
    struct pd_kept kept = {
        .time = h->time,
        .thread_key = observe_thread_key(s->r->seen, h->tid, h->pid),
        .cpu = h->cpu,
        .flags = !h->pid && !h->tid ? SAMPLE_IDLE : 0,
        .period = pd_period(h->period) & PD_PERIOD_MOST,
    };

    while (kernel < n && s->frames.data[kernel].address >= KERNEL_TOP)
        kernel++;
    kept.inner = keep_part(s, 0, kernel);
    kept.outer = keep_part(s, kernel, n);
    if (!n)
        kept.inner = callchains_add_address(&s->r->seen->callchains, 0);
    kept.leaf = n <= 1 && !kept.outer;
    *vec_add(&s->r->samples) = kept;
    s->open = false;
}

static void open_sample(struct script *s, const struct printed_head *head)
{
    struct printed_frame frame;

    s->open = event_of(s, head->event)->chosen;
    s->head = *head;
    s->frames.len = 0;
    s->held_by = NULL;
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

    if (*line.data != '\t' && printed_head(line, &head)) {
        if (s->open)
            close_sample(s);
        open_sample(s, &head);
    } else if (printed_frame(line, &frame)) {
        if (s->open && s->frames.len < MOST_LINES)
            *vec_add(&s->frames) = frame;
    } else if (*line.data != '\t' && *line.data != ' ') {
        s->r->profile->quality.malformed++;
    }
}

static void take_lines(struct script *s)
{
    struct bytes line;

    for (size_t at = 0; printed_line(s->text, &at, &line);) {
        bool blank = !line.len || *line.data == '\r';

        if (!blank && *line.data != '#')
            take_line(s, line);
        else if (blank && s->open)
            close_sample(s);
    }
    if (s->open)
        close_sample(s);
    tell_kernel_images(s);
}

/* ---- the format ---- */

static void release(struct script *s)
{
    map_release(&s->event_ids);
    map_release(&s->image_ids);
    vec_release(&s->images);
    map_release(&s->told);
    map_release(&s->symbol_ids);
    map_release(&s->made_up);
    map_release(&s->names);
    vec_release(&s->frames);
    pd_reading_free(s->r);
}

/* The first line that is no comment is a sample's. */
static enum format_probe script_probe(const uint8_t *data, size_t size)
{
    enum { LINES_LOOKED_AT = 200 };
    struct bytes text = {data, size}, line;
    struct printed_head head;
    size_t at = 0;

    for (unsigned i = 0; i < LINES_LOOKED_AT && printed_line(text, &at, &line);
         i++)
        if (line.len && *line.data != '#' && *line.data != '\r')
            return line.len < 4096 && printed_head(line, &head) ? PROBE_YES
                                                                : PROBE_NO;
    return PROBE_NO;
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
                       "%s: several texts of perf script have no common "
                       "clock: read them one by one, or join them as "
                       "runs: topfn merge",
                       entries[1].name);
    s.r = pd_reading_new(entries, options, seen);
    meet_events(&s);
    code = pd_choose(s.r, err);
    if (!code) {
        take_lines(&s);
        for (size_t i = 0; s.varied && i < s.r->events.len; i++)
            s.r->events.data[i].period = 0;
        if (s.without_pids)
            profile_warn(seen->profile,
                         "%s: threads stand for processes, which are not in "
                         "it; perf script -F +pid prints them", s.r->name);
        pd_finish(s.r);
    }
    release(&s);
    return code;
}

const struct trace_format perf_script_format = {
    .name = "perf-script",
    .summary = "text of perf script",
    .endings = {".perf"},
    .recorders = "perf script",
    .chooses_events = true,
    .has_periods = true,
    .probe = script_probe,
    .read = script_read,
};
