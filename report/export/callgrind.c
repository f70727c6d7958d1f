#include <stdlib.h>
#include <string.h>

#include "engine/model/profile.h"
#include "report/export/export.h"
#include "report/export/frames.h"
#include "report/table/table.h"

/*
 * callgrind - the profile format of Valgrind's callgrind (cl-format), for
 * KCachegrind and callgrind_annotate.
 *
 * Costs by line of source of a function, and calls with the cost of what was
 * called. KCachegrind adds up a function's own cost and its calls,
 * callgrind_annotate the calls of it: both get its inclusive samples. For that
 * "(root)" calls the functions that stacks begin with, and a function that
 * recurs in a stack stands only where it is innermost. No sampler knows how
 * often functions were called; a call counts once, as callgrind_annotate takes
 * the cost of a call without count for the function's own.
 */

struct cost {
    uint32_t function, file, line;
    uint32_t callee; /* NO_ID: the function's own cost */
    uint64_t count;
    const char *name, *module, *path; /* for the order, which is theirs */
    const char *callee_name;          /* "" for its own */
};

struct writing {
    const struct profile *p;
    struct out *out;
    VEC(struct cost) costs;
    struct map own, calls, lines; /* (function), (function, callee) -> id */
    uint32_t pairs;               /* of functions, in `calls` */
    uint32_t *seen;           /* by function: the last stack it counted for */
    VEC(uint32_t) frames;     /* of a stack, innermost first */
    uint32_t *first;          /* by function: a frame of it, + 1 */
    struct frame root;        /* its function is beyond the profile's */
    struct strings *names[3]; /* objects, files, functions: written */
    struct arena scratch;
};

/* The cost of a function, perhaps for a callee, at the place of a frame. */
static struct cost *cost_at(struct writing *w, const struct frame *f,
                            uint32_t pair, uint32_t callee)
{
    uint32_t fresh = mem_next_id(w->costs.len);
    struct map *map = callee == NO_ID ? &w->own : &w->lines;
    uint32_t key = callee == NO_ID ? f->function : pair;
    uint32_t id = map_add(map, (uint64_t)f->file << 32 | f->line, key, fresh);

    if (id == fresh)
        *vec_add(&w->costs) = (struct cost){.function = f->function,
                                            .file = f->file,
                                            .line = f->line,
                                            .callee = callee};
    return &w->costs.data[id];
}

static void list_frames(struct writing *w, uint32_t stack)
{
    const struct profile *p = w->p;

    w->frames.len = 0;
    for (; stack; stack = p->stacks.data[stack].parent) {
        uint32_t location = p->stacks.data[stack].location;

        for (uint32_t f = p->frame_start.data[location];
             f < p->frame_start.data[location + 1]; f++)
            *vec_add(&w->frames) = f;
    }
}

static void add_call(struct writing *w, const struct frame *by,
                     const struct frame *callee, uint64_t count)
{
    uint32_t pair = map_add(&w->calls, by->function, callee->function,
                            mem_next_id(w->pairs));

    w->pairs += pair == w->pairs;
    cost_at(w, by, pair, callee->function)->count += count;
}

/* Keeps the innermost frame of each function in `frames`. */
static void keep_innermost(struct writing *w, uint32_t stack)
{
    size_t kept = 0;

    for (size_t i = 0; i < w->frames.len; i++) {
        uint32_t id = w->frames.data[i];
        uint32_t function = w->p->frames.data[id].function;

        if (!w->first[function])
            w->first[function] = id + 1;
        if (w->seen[function] != stack)
            w->frames.data[kept++] = id;
        w->seen[function] = stack;
    }
    w->frames.len = kept;
}

static void add_stack(struct writing *w, uint32_t stack, uint64_t count)
{
    const struct frame *callee = NULL;

    count = whole_weight(w->p, count);
    list_frames(w, stack);
    keep_innermost(w, stack);
    for (size_t i = 0; i <= w->frames.len; i++) {
        const struct frame *f = i < w->frames.len
                                    ? &w->p->frames.data[w->frames.data[i]]
                                    : &w->root;

        if (callee)
            add_call(w, f, callee, count);
        else
            cost_at(w, f, 0, NO_ID)->count += count;
        callee = f;
    }
}

static const char *name_of(struct writing *w, uint32_t function)
{
    if (function == w->root.function)
        return "(root)";
    return frame_function(w->p, function, false, &w->scratch);
}

static const char *module_of(const struct writing *w, uint32_t function)
{
    return function == w->root.function
               ? ""
               : strings_get(w->p->strings,
                             w->p->functions.data[function].module);
}

/* The file of one of the function's frames. */
static uint32_t file_of(const struct writing *w, uint32_t function)
{
    return function == w->root.function
               ? 0
               : w->p->frames.data[w->first[function] - 1].file;
}

static void add_names(struct writing *w)
{
    const struct profile *p = w->p;

    for (size_t i = 0; i < w->costs.len; i++) {
        struct cost *c = &w->costs.data[i];

        c->name = name_of(w, c->function);
        c->module = module_of(w, c->function);
        c->path = strings_get(p->strings, c->file);
        c->callee_name = c->callee == NO_ID ? "" : name_of(w, c->callee);
    }
}

/* Sorts by name, because ids differ between a trace and its database. A
 * function's own samples come before its calls. */
static int by_function(const void *x, const void *y)
{
    const struct cost *a = x, *b = y;
    int order = strcmp(a->name, b->name);

    if (!order)
        order = strcmp(a->module, b->module);
    if (!order)
        order = strcmp(a->callee_name, b->callee_name);
    if (!order && a->callee != b->callee)
        return a->callee + 1 < b->callee + 1 ? -1 : 1;
    if (!order)
        order = strcmp(a->path, b->path);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

/* ---- lines ---- */

enum name_kind { NAME_OBJECT, NAME_FILE, NAME_FUNCTION };

/* "fn=(1) main", and "fn=(1)" from then on. */
static void put_name(struct writing *w, const char *key, enum name_kind kind,
                     const char *name)
{
    struct strings *names = w->names[kind];
    uint32_t before = strings_count(names), id;

    if (!*name)
        name = "???";
    id = strings_add(names, name, strlen(name));
    out_fmt(w->out, "%s=(%u)", key, (unsigned)id);
    if (id == before) {
        out_char(w->out, ' ');
        out_plain(w->out, name);
    }
    out_char(w->out, '\n');
}

static const char *file_name(const struct writing *w, uint32_t file)
{
    return strings_get(w->p->strings, file);
}

/* A function is known by its object and file, too: those of one frame. */
static void put_function(struct writing *w, bool called, uint32_t function)
{
    put_name(w, called ? "cob" : "ob", NAME_OBJECT, module_of(w, function));
    put_name(w, called ? "cfi" : "fl", NAME_FILE,
             file_name(w, file_of(w, function)));
    put_name(w, called ? "cfn" : "fn", NAME_FUNCTION, name_of(w, function));
}

static void put_costs(struct writing *w)
{
    uint32_t function = NO_ID, file = 0;

    for (size_t i = 0; i < w->costs.len; i++) {
        const struct cost *c = &w->costs.data[i];

        if (c->function != function) {
            out_char(w->out, '\n');
            put_function(w, false, c->function);
            file = file_of(w, c->function);
        }
        if (c->file != file)
            put_name(w, "fi", NAME_FILE, file_name(w, c->file));
        function = c->function;
        file = c->file;
        if (c->callee != NO_ID) {
            put_function(w, true, c->callee);
            out_str(w->out, "calls=1 0\n");
        }
        out_fmt(w->out, "%u %llu\n", (unsigned)c->line,
                (unsigned long long)c->count);
    }
}

static void put_header(struct writing *w, const struct selection *sel)
{
    const struct profile *p = w->p;
    char *event = whole_unit(p);

    out_str(w->out, "# callgrind format\nversion: 1\ncreator: topfn\n"
                    "positions: line\n");
    for (size_t i = 0; i < p->trace.files.len; i++) {
        out_str(w->out, "desc: Trigger: ");
        out_plain(w->out, strings_get(p->strings, p->trace.files.data[i]));
        out_char(w->out, '\n');
    }
    for (char *c = event; *c; c++)
        if ((unsigned char)*c <= ' ')
            *c = '_';
    out_fmt(w->out, "events: %s\nsummary: %llu\n", event,
            (unsigned long long)whole_weight(p, sel->samples));
    free(event);
}

static void write(const struct subject *s, struct out *out)
{
    const struct profile *p = s->p;
    struct writing w = {
        .p = p,
        .out = out,
        .root = {.function = (uint32_t)p->functions.len},
    };

    w.seen = mem_new(p->functions.len, sizeof(*w.seen));
    w.first = mem_new(p->functions.len, sizeof(*w.first));
    for (size_t i = 0; i < 3; i++)
        w.names[i] = strings_new();
    for (uint32_t i = 0; i < p->stacks.len; i++)
        if (s->sel->stack_counts[i])
            add_stack(&w, i, s->sel->stack_counts[i]);
    add_names(&w);
    if (w.costs.len)
        qsort(w.costs.data, w.costs.len, sizeof(*w.costs.data), by_function);
    put_header(&w, s->sel);
    put_costs(&w);
    vec_release(&w.costs);
    free(w.seen);
    vec_release(&w.frames);
    map_release(&w.own);
    map_release(&w.calls);
    map_release(&w.lines);
    for (size_t i = 0; i < 3; i++)
        strings_free(w.names[i]);
    free(w.first);
    arena_release(&w.scratch);
}

const struct export_kind callgrind_export = {
    .name = "callgrind",
    .help = "KCachegrind, callgrind_annotate",
    .endings = {".callgrind"},
    .write = write,
};
