/*
 * Profiles of V8: Node, Chrome's DevTools (.cpuprofile). The format has no
 * version; profiles of Chrome 65 and of Node 10 and 20 were read.
 *
 * A tree of calls, each node with how often it was hit, and which node was
 * hit when: `samples`, and microseconds from one to the next. V8 tells of
 * nodes in a list, in which they name their children; before 2017 in a tree,
 * and of times since the clock's zero.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/attribution/named_code.h"
#include "engine/base/json_peek.h"
#include "engine/base/json_read.h"
#include "engine/format/named.h"

enum { UNKNOWN, WAITING, KNOWN };

struct node {
    struct json_value object;
    uint64_t id;
    uint32_t parent;         /* NO_ID: none */
    uint32_t samples, given; /* in the list, and given their part of hits */
    uint8_t state;
    bool root, idle;
    bool rooted; /* it is under the root */
    struct named_stack stack;
};

struct file {
    struct profile *p;
    const char *name;
    struct named_code code;
    VEC(struct node) nodes;
    VEC(uint32_t) path;
    struct map ids;
    uint32_t thread;
};

/* ---- nodes ---- */

/* The object that has the name: of newer files one of its own. */
static struct json_value call_frame(struct json_value node)
{
    struct json_value frame = json_member(node, "callFrame");

    return json_is_there(frame) ? frame : node;
}

static uint32_t add_call_node(struct file *f, struct json_value object,
                              uint32_t parent)
{
    uint32_t id = mem_next_id(f->nodes.len);
    const char *name = json_get_text(call_frame(object), "functionName");

    *vec_add(&f->nodes) = (struct node){
        .object = object,
        .id = json_get_number(object, "id", UINT64_MAX),
        .parent = parent,
        .root = !strcmp(name, "(root)"),
        .idle = !strcmp(name, "(idle)"),
    };
    map_add(&f->ids, f->nodes.data[id].id, 0, id);
    return id;
}

/* The list of those to go on with is that of the nodes. */
static void add_tree(struct file *f, struct json_value head)
{
    add_call_node(f, head, NO_ID);
    for (uint32_t i = 0; i < f->nodes.len; i++) {
        struct json_value children =
            json_member(f->nodes.data[i].object, "children");

        for (size_t c = 0; c < json_length(children); c++)
            add_call_node(f, json_element(children, c), i);
    }
}

/* A node belongs to the first that names it. */
static void add_list(struct file *f, struct json_value nodes)
{
    for (size_t i = 0; i < json_length(nodes); i++)
        add_call_node(f, json_element(nodes, i), NO_ID);
    for (uint32_t i = 0; i < f->nodes.len; i++) {
        struct json_value object = f->nodes.data[i].object;
        struct json_value children = json_member(object, "children");
        uint64_t parent = json_get_number(object, "parent", UINT64_MAX);

        for (size_t c = 0; c < json_length(children); c++) {
            uint32_t child =
                map_get(&f->ids, json_number_at(children, c, UINT64_MAX), 0);

            if (child != MAP_NONE && f->nodes.data[child].parent == NO_ID)
                f->nodes.data[child].parent = i;
        }
        if (parent != UINT64_MAX && f->nodes.data[i].parent == NO_ID)
            f->nodes.data[i].parent = map_get(&f->ids, parent, 0);
    }
}

/* ---- stacks ---- */

/* In scripts of V8 lines count from 0; what has none is native. */
static struct named_frame frame_of(struct file *f, struct json_value node)
{
    struct json_value from = call_frame(node);
    const char *name = json_get_text(from, "functionName");
    const char *url = json_get_text(from, "url");
    struct json_value line = json_member(from, "lineNumber");
    struct named_frame frame;

    if (!*name)
        name = "(anonymous)";
    frame = named_frame_of(&f->code, name, strlen(name));
    frame.file = strings_add(f->p->strings, url, strlen(url));
    if (json_number_of(line) >= 0 && *url) {
        frame.kind = CODE_SCRIPT;
        if (!frame.module)
            frame.module = frame.file;
    }
    return frame;
}

static void know_node(struct file *f, uint32_t id)
{
    struct node *node = &f->nodes.data[id];
    struct named_frame frame;

    if (node->parent != NO_ID) {
        node->stack = f->nodes.data[node->parent].stack;
        node->rooted = f->nodes.data[node->parent].rooted;
    }
    node->rooted |= node->root;
    node->state = KNOWN;
    if (node->root)
        return;
    frame = frame_of(f, node->object);
    node->stack =
        named_push(&f->code, node->stack, named_location(&f->code, &frame));
}

/* From the innermost ancestor whose stack is known; a node that is its own
 * ancestor has none. */
static struct named_stack node_stack(struct file *f, uint32_t id)
{
    uint32_t at = id;

    f->path.len = 0;
    while (at != NO_ID && f->nodes.data[at].state == UNKNOWN) {
        f->nodes.data[at].state = WAITING;
        *vec_add(&f->path) = at;
        at = f->nodes.data[at].parent;
    }
    if (at != NO_ID && f->nodes.data[at].state == WAITING) {
        f->nodes.data[f->path.data[f->path.len - 1]].parent = NO_ID;
        f->p->quality.malformed++;
    }
    while (f->path.len)
        know_node(f, f->path.data[--f->path.len]);
    return f->nodes.data[id].stack;
}

/* ---- samples ---- */

/* V8 keeps only a limited number of leaf frames of a stack, and puts them under
 * the root. */
static void put_hit(struct file *f, uint32_t id, int64_t time, uint64_t weight)
{
    enum { V8_KEEPS = 255 };
    struct named_stack stack = node_stack(f, id);
    const struct node *node = &f->nodes.data[id];
    enum stack_end end = node->rooted ? STACK_END_ROOT : STACK_END_UNKNOWN;

    if (stack.turned || stack.frames >= V8_KEEPS)
        end = STACK_END_DEPTH;
    named_sample(&f->code, &(struct named_sample){.time = time,
                                                  .thread = f->thread,
                                                  .stack = stack.whole,
                                                  .weight = weight,
                                                  .idle = node->idle,
                                                  .end = (uint8_t)end});
}

/* Microseconds of a value that adds up to a time; 0 of others. */
static double microseconds(struct json_value value)
{
    double us = json_number_of(value);

    return fabs(us) < 1e15 ? us : 0;
}

/* V8 writes a difference below zero where a sample was taken before the one
 * that stands before it: the clock goes back. */
static int64_t time_of(struct json_value root, size_t i, double *clock)
{
    struct json_value times = json_member(root, "timestamps");

    if (json_is_array(times))
        *clock = microseconds(json_element(times, i)) -
                 microseconds(json_element(times, 0));
    else
        *clock +=
            microseconds(json_element(json_member(root, "timeDeltas"), i));
    return fabs(*clock) < 1e15 ? llround(*clock * 1e3) : 0;
}

static int by_size(const void *x, const void *y)
{
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;

    return (a > b) - (a < b);
}

/* The middle one of the differences. */
static int64_t interval_of(const struct samples *s)
{
    size_t n = s->len ? s->len - 1 : 0;
    int64_t *deltas = mem_new(n, sizeof(*deltas)), middle = 0;

    for (size_t i = 0; i < n; i++)
        deltas[i] = s->time[i + 1] - s->time[i];
    if (n) {
        qsort(deltas, n, sizeof(*deltas), by_size);
        middle = deltas[n / 2];
    }
    free(deltas);
    return middle;
}

static uint64_t hits_of(const struct node *node)
{
    return json_get_number(node->object, "hitCount", 0);
}

/* The hits of all nodes; UINT64_MAX: more than anybody counts. */
static uint64_t all_hits(const struct file *f)
{
    uint64_t hits = 0;

    for (size_t i = 0; i < f->nodes.len; i++) {
        if (hits_of(&f->nodes.data[i]) >= UINT32_MAX)
            return UINT64_MAX;
        hits += hits_of(&f->nodes.data[i]);
    }
    return hits;
}

/* The last one may only say where the one before ends: it is at the root,
 * which was not hit, and the others are hits enough. */
static size_t sample_count(const struct file *f, struct json_value root)
{
    struct json_value samples = json_member(root, "samples");
    size_t n = json_length(samples);
    uint32_t last =
        n ? map_get(&f->ids, json_number_at(samples, n - 1, UINT64_MAX), 0)
          : MAP_NONE;

    return last != MAP_NONE && f->nodes.data[last].root &&
                   !hits_of(&f->nodes.data[last]) && all_hits(f) >= n - 1
               ? n - 1
               : n;
}

static uint32_t node_of(const struct file *f, struct json_value samples,
                        size_t i)
{
    return map_get(&f->ids, json_number_at(samples, i, UINT64_MAX), 0);
}

/* V8 counts what its own nodes are hit by also before the first sample. */
static bool is_of_recorder(const struct node *node)
{
    const char *name = json_get_text(call_frame(node->object), "functionName");

    return node->root || node->idle || !strcmp(name, "(program)") ||
           !strcmp(name, "(garbage collector)");
}

/* Recorders keep a limited number of samples, and go on counting hits: then
 * each sample stands for its part of the node's hits. */
static uint64_t weight_of(struct node *node)
{
    uint64_t hits = hits_of(node);

    if (hits <= node->samples || is_of_recorder(node))
        return 1;
    return hits / node->samples + (node->given++ < hits % node->samples);
}

static void read_node_samples(struct file *f, struct json_value root, size_t n)
{
    struct json_value samples = json_member(root, "samples");
    int64_t last = 0;
    double clock = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t node = node_of(f, samples, i);

        if (node != MAP_NONE)
            f->nodes.data[node].samples++;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t node = node_of(f, samples, i);
        int64_t time = time_of(root, i, &clock);

        last = time > last ? time : last;
        if (node == MAP_NONE)
            f->p->quality.malformed++;
        else
            put_hit(f, node, time, weight_of(&f->nodes.data[node]));
    }
    for (uint32_t i = 0; i < f->nodes.len; i++)
        if (!f->nodes.data[i].samples && !is_of_recorder(&f->nodes.data[i]))
            put_hit(f, i, last, hits_of(&f->nodes.data[i]));
    named_begin_with_first(&f->code, &last);
    if (last > f->p->trace.duration_ns)
        f->p->trace.duration_ns = last;
}

/* V8 lists sampled nodes: if none has hits, the samples are stored in another
 * way. */
static bool is_understood(const struct file *f)
{
    size_t i = 0;

    while (i < f->nodes.len && is_of_recorder(&f->nodes.data[i]))
        i++;
    return f->code.samples || (f->nodes.len && i == f->nodes.len);
}

/* A recorder that was told to keep no samples has the hits of nodes alone. */
static enum err_code read_cpuprofile_root(void *file, struct json_value root,
                                          struct err *err)
{
    struct file *f = file;
    double length =
        json_get_real(root, "endTime") - json_get_real(root, "startTime");
    struct json_value head = json_member(root, "head");
    bool times = json_length(json_member(root, "timeDeltas")) ||
                 json_length(json_member(root, "timestamps"));
    size_t samples;

    if (json_is_object(head))
        add_tree(f, head);
    else
        add_list(f, json_member(root, "nodes"));
    if (json_is_object(head) && length < 1e6)
        length *= 1e6; /* seconds then */
    if (length > 0 && length < 1e15)
        f->p->trace.duration_ns = (int64_t)(length * 1e3);
    samples = sample_count(f, root);
    times &= samples > 0;
    if (samples)
        read_node_samples(f, root, samples);
    else
        for (uint32_t i = 0; i < f->nodes.len; i++)
            put_hit(f, i, 0, hits_of(&f->nodes.data[i]));
    profile_count_event(f->p, "sample", f->code.samples);
    f->p->trace.adds_up = true; /* hits */
    named_code_end(&f->code,
                   times ? "processes, threads, addresses, losses"
                         : "processes, threads, times, addresses, losses");
    if (times)
        f->p->trace.interval_ns = interval_of(&f->p->samples);
    return is_understood(f) || err->code
               ? ERR_NONE
               : err_set(err, ERR_CORRUPT,
                         "%s: V8 CPU profile with neither samples nor hit "
                         "counts (nodes: %zu)",
                         f->name, f->nodes.len);
}

static enum err_code cpuprofile_read(const struct entry *entries, size_t count,
                                     const struct read_options *options,
                                     struct observations *seen, struct err *err)
{
    struct file f = {.p = seen->profile,
                     .name = entries->name,
                     .code = named_code_from(seen->profile, entries)};
    enum err_code code;

    (void)count;
    (void)options;
    profile_set_metric(f.p, METRIC_CPU_SAMPLES);
    f.thread = named_thread(&f.code, named_process(&f.code, NO_PID, 0), 0, 0);
    code = named_read_json(&f.code, entries,
                           (struct bytes){entries->data, entries->size},
                           read_cpuprofile_root, &f, err);
    vec_release(&f.nodes);
    vec_release(&f.path);
    map_release(&f.ids);
    return code;
}

/* The head of a heap profile has nodes of the same kind, whose size it tells
 * instead of their hits. */
static enum format_probe cpuprofile_probe(const uint8_t *data, size_t size)
{
    if (json_peek_is(data, size, "nodes[].callFrame", '{') ||
        (json_peek(data, size, "head.functionName") &&
         !json_peek(data, size, "head.selfSize")))
        return PROBE_YES;
    return json_peek_is(data, size, "samples", '[') &&
                   json_peek_is(data, size, "timeDeltas", '[')
               ? PROBE_MAYBE
               : PROBE_NO;
}

const struct trace_format cpuprofile_format = {
    .name = "cpuprofile",
    .summary = "V8 CPU profile",
    .named = true,
    .alone = true,
    .probe = cpuprofile_probe,
    .read = cpuprofile_read,
};
