/*
 * Profiles of gperftools (tcmalloc's pprof), of CPU samples and of the heap,
 * and the heap profiles that Go prints as text. format.md tells their bytes;
 * newer ones are files of profile.proto (format/pprof).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/attribution/named_code.h"
#include "engine/base/bisect.h"
#include "engine/base/text_line.h"
#include "engine/format/named.h"
#include "engine/model/profile.h"

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

struct mapped {
    uint64_t start, end, offset;
    uint32_t module;
};

/* How a CPU profile's words are stored. */
struct words {
    const uint8_t *data;
    size_t count;   /* whole words */
    unsigned width; /* 4 or 8 bytes */
    bool big;
};

struct gperftools {
    struct profile *p;
    struct named_code code;
    VEC(struct mapped) mapped;     /* by start */
    struct map locations;          /* (address) */
    VEC(uint32_t) stack;           /* locations, innermost first */
    VEC(struct named_frame) names; /* of an address, innermost first */
    uint64_t named_address;
    uint32_t thread;
    uint64_t samples;
};

/* ---- what was mapped, in the text behind the samples ---- */

/* A line of /proc/PID/maps: "START-END PERMISSIONS OFFSET DEVICE INODE PATH".
 * Code alone is kept. */
static void read_mapping(struct gperftools *f, struct text_line l)
{
    struct mapped m;
    struct text_line permissions;

    line_skip_blanks(&l);
    if (!line_hex(&l, &m.start) || !line_take(&l, "-") ||
        !line_hex(&l, &m.end) || m.end <= m.start)
        return;
    permissions = line_word(&l);
    line_skip_blanks(&l);
    if (!memchr(permissions.at, 'x',
                (size_t)(permissions.end - permissions.at)) ||
        !line_hex(&l, &m.offset))
        return;
    line_word(&l); /* device and inode */
    line_word(&l);
    line_skip_blanks(&l);
    if (l.at == l.end)
        return;
    m.module = named_module(
        &f->code, strings_add(f->p->strings, l.at, (size_t)(l.end - l.at)));
    f->p->modules.data[m.module].by_file_offset = *l.at == '/';
    *vec_add(&f->mapped) = m;
}

static int by_start(const void *x, const void *y)
{
    const struct mapped *a = x, *b = y;

    return (a->start > b->start) - (a->start < b->start);
}

static void read_mappings(struct gperftools *f, const char *at, const char *end)
{
    uint32_t name = 0;

    while (at < end)
        read_mapping(f, line_next(&at, end));
    if (f->mapped.len) /* the program is mapped first */
        name = f->p->modules.data[f->mapped.data[0].module].name;
    vec_sort(&f->mapped, by_start);
    f->thread =
        named_thread(&f->code, named_process(&f->code, NO_PID, name), 0, 0);
}

/* ---- samples ---- */

static uint32_t location_of(struct gperftools *f, uint64_t address)
{
    uint32_t fresh = mem_next_id(f->p->locations.len);
    uint32_t id = map_add(&f->locations, address, 0, fresh);
    const struct mapped *m;
    size_t i;

    if (id != fresh)
        return id;
    BISECT(i, f->mapped.len, f->mapped.data[i].start <= address);
    m = i && address < f->mapped.data[i - 1].end ? &f->mapped.data[i - 1]
                                                 : NULL;
    return named_location_at(&f->code, m ? m->module : NO_ID,
                             m ? address - m->start + m->offset : address, NULL,
                             0);
}

static void put_sample(struct gperftools *f, uint64_t weight)
{
    struct named_stack stack =
        named_stack_of(&f->code, f->stack.data, f->stack.len);

    named_sample(&f->code, &(struct named_sample){.thread = f->thread,
                                                  .stack = stack.whole,
                                                  .weight = weight});
    f->samples++;
}

/* ---- CPU profiles: words of the machine ---- */

static uint64_t word_at(const struct words *w, size_t i)
{
    const uint8_t *at = w->data + i * w->width;
    uint64_t value = 0;

    for (unsigned k = 0; k < w->width; k++)
        value = value << 8 | at[w->big ? k : w->width - 1 - k];
    return value;
}

/* The head: 0, how many words follow, version 0, the period, 0. False: this is
 * no CPU profile, in none of the four forms that words have. */
static bool find_words(const uint8_t *data, size_t size, struct words *found)
{
    static const struct words forms[] = {{.width = 8},
                                         {.width = 8, .big = true},
                                         {.width = 4},
                                         {.width = 4, .big = true}};
    enum { HEAD = 5, LONGEST_PERIOD = 100000000 };

    for (size_t i = 0; i < COUNT(forms); i++) {
        struct words w = forms[i];

        w.data = data;
        w.count = size / w.width;
        if (w.count < HEAD || word_at(&w, 0) || word_at(&w, 1) < 3 ||
            word_at(&w, 1) > w.count - 2 || word_at(&w, 2) || !word_at(&w, 3) ||
            word_at(&w, 3) > LONGEST_PERIOD || word_at(&w, 4))
            continue;
        *found = w;
        return true;
    }
    return false;
}

/* A record: its count, how many addresses, the addresses from the innermost
 * on. All but that are where a call returns to. The handler may have met the
 * innermost frame twice. */
static void read_cpu_record(struct gperftools *f, const struct words *w,
                            size_t at)
{
    uint64_t count = word_at(w, at);
    size_t depth = (size_t)word_at(w, at + 1);

    f->stack.len = 0;
    for (size_t i = 0; i < depth; i++) {
        uint64_t address = word_at(w, at + 2 + i);

        if (i == 1 && address == word_at(w, at + 2))
            continue;
        *vec_add(&f->stack) = location_of(f, address - (i && address));
    }
    put_sample(f, count);
}

/* The word behind the record at `at`; 0: it is none. */
static size_t behind_record(const struct words *w, size_t at)
{
    if (w->count - at < 3 || word_at(w, at + 1) > w->count - at - 2)
        return 0;
    return at + 2 + (size_t)word_at(w, at + 1);
}

/* The last record has the count 0, one address, and that is 0. */
static bool is_last_record(const struct words *w, size_t at)
{
    return !word_at(w, at) && word_at(w, at + 1) == 1 && !word_at(w, at + 2);
}

static void read_cpu_profile(struct gperftools *f, const struct entry *e,
                             const struct words *w)
{
    size_t first = 2 + (size_t)word_at(w, 1), at = first, next;
    bool last = false;

    while (!last && at < w->count && (next = behind_record(w, at))) {
        last = is_last_record(w, at);
        at = next;
    }
    if (!last)
        profile_skip(f->p, e->name, at * w->width, e->size - at * w->width,
                     "the end of the samples is missing");
    read_mappings(f, (const char *)e->data + at * w->width,
                  (const char *)e->data + (last ? e->size : at * w->width));
    profile_set_metric(f->p, METRIC_CPU_SAMPLES);
    f->p->trace.interval_ns = (int64_t)(word_at(w, 3) * 1000);
    f->p->trace.adds_up = true;
    for (size_t i = first; i < at && !f->code.full; i = behind_record(w, i))
        if (!is_last_record(w, i))
            read_cpu_record(f, w, i);
}

/* ---- heap profiles: text ---- */

enum heap_value { INUSE_SPACE, INUSE_OBJECTS, ALLOC_SPACE, ALLOC_OBJECTS };

static const char *const heap_values[] = {"inuse_space", "inuse_objects",
                                          "alloc_space", "alloc_objects"};

/* "OBJECTS: BYTES [OBJECTS: BYTES] @", of what is in use and of all that was
 * allocated. */
static bool take_amounts(struct text_line *l, uint64_t n[4])
{
    static const char *const before[] = {"", ":", "[", ":"};
    static const enum heap_value order[] = {INUSE_OBJECTS, INUSE_SPACE,
                                            ALLOC_OBJECTS, ALLOC_SPACE};

    for (size_t i = 0; i < 4; i++) {
        line_skip_blanks(l);
        if (!line_take(l, before[i]))
            return false;
        line_skip_blanks(l);
        if (!line_number(l, &n[order[i]]))
            return false;
    }
    line_skip_blanks(l);
    if (!line_take(l, "]"))
        return false;
    line_skip_blanks(l);
    return line_take(l, "@");
}

/* The first line, up to the kind of profile and the bytes between two samples:
 * "heap_v2/524288". Go writes twice of these behind "heap". 0: all allocations
 * are counted. False: it is no heap profile that is known. */
static bool take_heap_head(struct text_line l, uint64_t n[4], uint64_t *rate)
{
    bool go;

    *rate = 0;
    if (!line_take(&l, "heap profile:") || !take_amounts(&l, n))
        return false;
    line_skip_blanks(&l);
    if (line_take(&l, "heapprofile"))
        return l.at == l.end;
    if (!line_take(&l, "heapz_v2") && !line_take(&l, "heap_v2") &&
        !line_take(&l, "heap"))
        return false;
    go = l.at[-1] == 'p';
    if (!line_take(&l, "/") || !line_number(&l, rate))
        return false;
    if (go)
        *rate /= 2;
    return l.at == l.end;
}

/* An allocation of a size is met with a probability that grows with it: what
 * was met stands for this many times as much. */
static double scale_of(uint64_t objects, uint64_t bytes, uint64_t rate)
{
    if (rate <= 1 || !objects || !bytes)
        return 1;
    return 1 / (1 - exp(-((double)bytes / (double)objects) / (double)rate));
}

static uint64_t scaled(const uint64_t n[4], enum heap_value value,
                       uint64_t rate)
{
    bool all = value == ALLOC_SPACE || value == ALLOC_OBJECTS;
    double amount =
        (double)n[value] * scale_of(n[all ? ALLOC_OBJECTS : INUSE_OBJECTS],
                                    n[all ? ALLOC_SPACE : INUSE_SPACE], rate);

    return amount < 9e18 ? (uint64_t)amount : 0;
}

/* The lines so far name one address, which gets a location of its own. */
static void finish_names(struct gperftools *f)
{
    if (f->names.len && map_get(&f->locations, f->named_address, 0) == MAP_NONE)
        map_set(
            &f->locations, f->named_address, 0,
            named_location_at(&f->code, NO_ID, 0, f->names.data, f->names.len));
    f->names.len = 0;
}

/* Takes "0x47a9bb main.get+0x3b /srv/a.go:12", as Go names the address of a
 * call. Where several lines name one, each is inlined into the next. */
static void read_name(struct gperftools *f, struct text_line l)
{
    enum { MOST_INLINED = 64 };
    struct text_line name, place;
    struct named_frame frame = {0};
    const char *colon, *plus;
    uint64_t address, line = 0;

    line_skip_blanks(&l);
    if (!line_number(&l, &address))
        return;
    name = line_word(&l);
    place = line_word(&l);
    plus = memrchr(name.at, '+', (size_t)(name.end - name.at));
    colon = memrchr(place.at, ':', (size_t)(place.end - place.at));
    if (!plus || !colon)
        return;
    l = (struct text_line){colon + 1, place.end};
    line_number(&l, &line);
    frame.name = strings_add(f->p->strings, name.at, (size_t)(plus - name.at));
    frame.file =
        strings_add(f->p->strings, place.at, (size_t)(colon - place.at));
    frame.line = line < UINT32_MAX ? (uint32_t)line : 0;
    if (address != f->named_address)
        finish_names(f);
    f->named_address = address;
    if (f->names.len < MOST_INLINED)
        *vec_add(&f->names) = frame;
}

/* Behind the amounts the addresses that calls return to, innermost first. */
static void read_heap_record(struct gperftools *f, struct text_line l,
                             uint64_t weight)
{
    uint64_t address;

    f->stack.len = 0;
    for (line_skip_blanks(&l); line_number(&l, &address); line_skip_blanks(&l))
        *vec_add(&f->stack) = location_of(f, address - (address > 0));
    if (l.at < l.end)
        f->p->quality.malformed++;
    put_sample(f, weight);
}

static void read_heap_records(struct gperftools *f, const struct entry *e,
                              enum heap_value value)
{
    const char *start = (const char *)e->data, *end = start + e->size;
    const char *maps = memmem(start, e->size, "\nMAPPED_LIBRARIES:", 18);
    const char *at = start, *stop = maps ? maps : end;
    uint64_t n[4], rate = 0;

    read_mappings(f, maps ? maps + 1 : end, end);
    take_heap_head(line_next(&at, stop), n, &rate);
    profile_number(f->p, "bytes between samples", rate, "%llu",
                   (unsigned long long)rate);
    if (rate > 1)
        profile_warn(f->p,
                     "allocations were sampled, one in %llu bytes: amounts are "
                     "scaled up to estimate all",
                     (unsigned long long)rate);
    for (const char *names = at; names < stop;) { /* they stand behind */
        struct text_line l = line_next(&names, stop);

        if (line_take(&l, "#"))
            read_name(f, l);
        else
            finish_names(f);
    }
    finish_names(f);
    while (at < stop && !f->code.full) {
        const char *line = at;
        struct text_line l = line_next(&at, stop);

        if (l.at == l.end || *l.at == '#')
            continue;
        if (take_amounts(&l, n))
            read_heap_record(f, l, scaled(n, value, rate));
        else
            profile_skip(f->p, e->name, (uint64_t)(line - start),
                         (uint64_t)(at - line), "not an allocation");
    }
}

static enum err_code read_heap_profile(struct gperftools *f,
                                       const struct entry *e, const char *event,
                                       struct err *err)
{
    size_t value = INUSE_SPACE;
    struct out *others = out_memory();

    if (event)
        for (value = 0; value < COUNT(heap_values); value++)
            if (!strcmp(event, heap_values[value]))
                break;
    for (size_t i = 0; i < COUNT(heap_values); i++)
        if (i != value)
            out_also(others, heap_values[i], 0);
    if (value < COUNT(heap_values)) {
        profile_set_metric_word(f->p, heap_values[value]);
        profile_set_unit(
            f->p,
            value == INUSE_SPACE || value == ALLOC_SPACE ? "bytes" : "objects",
            0);
        profile_also_recorded(f->p, others);
        read_heap_records(f, e, (enum heap_value)value);
    }
    out_close(others, NULL);
    if (value < COUNT(heap_values))
        return ERR_NONE;
    return err_set(err, ERR_USAGE,
                   "%s: no value \"%s\"; there are inuse_space, inuse_objects, "
                   "alloc_space and alloc_objects",
                   e->name, event);
}

/* ---- the file ---- */

static enum err_code gperftools_read(const struct entry *e, size_t count,
                                     const struct read_options *options,
                                     struct observations *seen, struct err *err)
{
    struct gperftools f = {.p = seen->profile,
                           .code = named_code_from(seen->profile, e)};
    struct words w;
    enum err_code code = ERR_NONE;

    (void)count;
    if (!find_words(e->data, e->size, &w))
        code = read_heap_profile(&f, e, options->event, err);
    else if (options->event && strcmp(options->event, "samples") != 0)
        code = err_set(err, ERR_USAGE, "%s: has CPU samples alone, no \"%s\"",
                       e->name, options->event);
    else
        read_cpu_profile(&f, e, &w);
    profile_count_event(f.p, "sample", f.samples);
    named_code_end(&f.code, "threads, times, losses");
    vec_release(&f.mapped);
    vec_release(&f.stack);
    vec_release(&f.names);
    map_release(&f.locations);
    return code;
}

static enum format_probe gperftools_probe(const uint8_t *data, size_t size)
{
    const char *at = (const char *)data;
    struct words w;
    uint64_t n[4], rate;

    if (size > 13 && !memcmp(at, "heap profile:", 13))
        return take_heap_head(line_next(&at, at + size), n, &rate) ? PROBE_YES
                                                                   : PROBE_NO;
    return find_words(data, size, &w) ? PROBE_MAYBE : PROBE_NO;
}

const struct trace_format gperftools_format = {
    .name = "gperftools",
    .summary = "CPU or heap profile of gperftools",
    .named = true,
    .chooses_events = true,
    .alone = true,
    .probe = gperftools_probe,
    .read = gperftools_read,
};
