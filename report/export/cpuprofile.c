#include <stdlib.h>
#include <string.h>

#include "report/export/export.h"
#include "report/export/frames.h"

/*
 * cpuprofile - what V8's profiler writes, for Chrome's DevTools, VS Code and
 * others: a tree of calls, and which of its nodes was sampled when. It knows
 * one thread: samples of all are in it, in order of time.
 *
 * hitCount of the nodes adds up to the samples, whatever times they weigh. The
 * format says how long after the sample before one was taken; here, how long it
 * stands for, so that times add up to the trace's where the interval is known.
 * Behind the last one the root stands in the list, for tools that give a sample
 * the time until the next.
 *
 * Samples of V8 itself keep the time until the next: its sampler is often late,
 * and tools show times.
 */

/* DevTools takes a start of 0 for none, and shows nothing then. */
enum { START_US = 1000000 };

struct node {
    uint32_t frame;                                 /* in the list */
    uint32_t first_child, last_child, next_sibling; /* 0: none */
    uint64_t count;
};

struct writing {
    const struct subject *s;
    struct json json;
    struct frame_list list;
    VEC(struct node) nodes; /* the first is the root */
    struct map ids;         /* (parent, frame) -> node */
    uint32_t *of_stack;     /* node by stack */
    bool until_next; /* a sample lasts until the next one of the recording */
};

static uint32_t child_of(struct writing *w, uint32_t parent, uint32_t frame)
{
    uint32_t fresh = mem_next_id(w->nodes.len);
    uint32_t id = map_add(&w->ids, parent, frame, fresh);
    uint32_t last;

    if (id != fresh)
        return id;
    *vec_add(&w->nodes) = (struct node){.frame = frame};
    last = w->nodes.data[parent].last_child;
    if (last)
        w->nodes.data[last].next_sibling = id;
    else
        w->nodes.data[parent].first_child = id;
    w->nodes.data[parent].last_child = id;
    return id;
}

static void write_call_frame(struct writing *w, uint32_t frame)
{
    struct json *j = &w->json;
    const char *name = "(root)", *file = NULL;

    if (frame != NO_ID) {
        name = frame_list_name(&w->list, frame);
        file = frame_list_file(&w->list, frame);
    }
    json_object(j, "callFrame");
    json_text(j, "functionName", name);
    json_text(j, "scriptId", "0");
    json_text(j, "url", file ? file : "");
    json_i64(j, "lineNumber", -1);
    json_i64(j, "columnNumber", -1);
    json_end(j);
}

static void write_node(struct writing *w, uint32_t id)
{
    const struct node *node = &w->nodes.data[id];
    struct json *j = &w->json;

    json_line(j, 1);
    json_object(j, NULL);
    json_u64(j, "id", (uint64_t)id + 1);
    write_call_frame(w, node->frame);
    json_u64(j, "hitCount", node->count);
    json_array(j, "children");
    for (uint32_t c = node->first_child; c; c = w->nodes.data[c].next_sibling)
        json_u64(j, NULL, (uint64_t)c + 1);
    json_end(j);
    json_end(j);
}

/* 0: the interval is not known. The last sample lasts for an interval. */
static uint64_t nanoseconds_of(const struct writing *w, size_t i)
{
    const struct samples *s = &w->s->p->samples;

    if (!w->until_next || i + 1 == s->len)
        return sample_nanoseconds(w->s->p, sample_weight(w->s->p, i));
    return (uint64_t)(s->time[i + 1] - s->time[i]);
}

/* In microseconds from `start` on; samples of an unknown interval are one
 * each. */
static void json_microseconds(struct json *j, const char *key, uint64_t start,
                              uint64_t ns, uint64_t weight)
{
    if (ns)
        json_decimal(j, key, start * 1000 + ns, 3);
    else
        json_u64(j, key, start + weight);
}

static void write_samples(struct writing *w)
{
    const struct profile *p = w->s->p;
    struct json *j = &w->json;
    uint64_t weight = 0, ns = 0, all = 0;

    for (size_t i = 0; i < p->samples.len; i++)
        if (selection_has(p, w->s->sel, i))
            all += nanoseconds_of(w, i);
    json_u64(j, "startTime", START_US);
    json_microseconds(j, "endTime", START_US, all, w->s->sel->samples);
    json_line(j, 0);
    json_array(j, "samples");
    for (size_t i = 0; i < p->samples.len; i++)
        if (selection_has(p, w->s->sel, i))
            json_u64(j, NULL, (uint64_t)w->of_stack[p->samples.stack[i]] + 1);
    if (w->nodes.len > 1)
        json_u64(j, NULL, 1);
    json_end(j);
    json_line(j, 0);
    json_array(j, "timeDeltas");
    for (size_t i = 0; i < p->samples.len; i++) {
        if (!selection_has(p, w->s->sel, i))
            continue;
        json_microseconds(j, NULL, 0, ns, weight);
        weight = w->until_next ? 0 : sample_weight(p, i);
        ns = nanoseconds_of(w, i);
    }
    if (w->nodes.len > 1)
        json_microseconds(j, NULL, 0, ns, weight);
    json_end(j);
}

static void write(const struct subject *s, struct out *out)
{
    struct writing w = {.s = s, .json = json_to(out), .list = frame_list_of(s)};
    const struct profile *p = w.s->p;
    uint64_t *inclusive = stacks_inclusive(p, w.s->sel->stack_counts);

    w.until_next = !strcmp(strings_get(p->strings, p->trace.format),
                           "cpuprofile") &&
                   sample_nanoseconds(p, 1);
    /* Parents have smaller ids. */
    w.of_stack = mem_new(p->stacks.len, sizeof(*w.of_stack));
    *vec_add(&w.nodes) = (struct node){.frame = NO_ID};
    for (size_t i = 1; i < p->stacks.len; i++) {
        uint32_t location = p->stacks.data[i].location;
        uint32_t first = p->frame_start.data[location];
        uint32_t node = w.of_stack[p->stacks.data[i].parent];

        if (!inclusive[i])
            continue;
        for (uint32_t f = p->frame_start.data[location + 1]; f-- > first;)
            node = child_of(&w, node, frame_list_id(&w.list, location, f));
        w.of_stack[i] = node;
        if (profile_counts_samples(p))
            w.nodes.data[node].count += w.s->sel->stack_counts[i];
    }
    for (size_t i = 0; i < p->samples.len && !profile_counts_samples(p); i++)
        if (selection_has(p, w.s->sel, i))
            w.nodes.data[w.of_stack[p->samples.stack[i]]].count++;
    free(inclusive);
    json_object(&w.json, NULL);
    json_array(&w.json, "nodes");
    for (uint32_t i = 0; i < w.nodes.len; i++)
        write_node(&w, i);
    json_end(&w.json);
    write_samples(&w);
    json_end(&w.json);
    out_char(out, '\n');
    frame_list_release(&w.list);
    vec_release(&w.nodes);
    map_release(&w.ids);
    free(w.of_stack);
}

const struct export_kind cpuprofile_export = {
    .name = "cpuprofile",
    .help = "Chrome's DevTools, VS Code: all threads as one",
    .endings = {".cpuprofile"},
    .times = true,
    .whole = true,
    .styles = true,
    .sample_bytes = 14,
    .write = write,
};
