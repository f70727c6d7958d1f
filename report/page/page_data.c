#include <stddef.h>
#include <string.h>

#include "engine/analysis/algebra.h"
#include "engine/base/json.h"
#include "engine/base/keysort.h"
#include "engine/model/labels.h"
#include "engine/model/thread_states.h"
#include "report/export/frames.h"
#include "report/page/page.h"

/* {"labels":[...],"names":[...],"modules":[...],"module":[...],"kinds":[...],
 *  "kind":[...],"nameless":[...],"waits":[...],"mine":[...],"runtime":[...],
 *  "leafKinds":["kernel"],"leafTiers":["tier0"],"states":["","running"],
 *  "processes":["a.exe (7)"],
 *  "threads":[{"name":"main","tid":8,"process":0}]} by function, where a name
 * that is like the label is null. */

/* Few modules, many functions. */
static void json_modules(const struct page_tree *t, struct json *json)
{
    struct strings *names = strings_new();

    json_array(json, "module");
    for (size_t i = 0; i < t->functions.len; i++) {
        const char *name = t->functions.data[i].module;

        json_u64(json, NULL, strings_add(names, name, strlen(name)));
    }
    json_end(json);
    json_array(json, "modules");
    for (uint32_t i = 0; i < strings_count(names); i++)
        json_text(json, NULL, strings_get(names, i));
    json_end(json);
    strings_free(names);
}

/* A flag of each function: 0 or 1. */
static void json_traits(const struct page_tree *t, struct json *json)
{
    static const struct {
        const char *key;
        size_t at;
    } traits[] = {
        {"nameless", offsetof(struct page_function, nameless)},
        {"waits", offsetof(struct page_function, waits)},
        {"mine", offsetof(struct page_function, mine)},
        {"runtime", offsetof(struct page_function, runtime)},
    };

    for (size_t k = 0; k < sizeof(traits) / sizeof(*traits); k++) {
        json_array(json, traits[k].key);
        for (size_t i = 0; i < t->functions.len; i++) {
            const char *function = (const char *)&t->functions.data[i];

            json_u64(json, NULL,
                     *(const bool *)(const void *)(function + traits[k].at));
        }
        json_end(json);
    }
}

static void json_words(struct json *json, const char *key,
                       const char *name_of(int))
{
    const char *name;

    json_array(json, key);
    for (int i = 0; (name = name_of(i)); i++)
        json_text(json, NULL, name);
    json_end(json);
}

static void json_plain(struct json *json, const char *key, const char *text)
{
    struct out *out = out_memory();

    out_plain(out, text);
    json_text(json, key, out_text(out, NULL));
    out_close(out, NULL);
}

static void json_lives(const struct page_data *d, const struct profile *p,
                       struct json *json)
{
    struct arena scratch = {0};
    size_t process = 0;

    json_array(json, "processes");
    for (size_t i = 0; i < d->processes.len; i++)
        json_plain(json, NULL,
                   process_title(p, d->processes.data[i], &scratch));
    json_end(json);
    json_array(json, "threads");
    for (size_t i = 0; i < d->threads.len; i++) {
        const struct thread *t = &p->threads.data[d->threads.data[i]];

        while (d->processes.data[process] != t->process)
            process++;
        json_object(json, NULL);
        json_plain(json, "name", strings_get(p->strings, t->name));
        json_u64(json, "tid", t->tid);
        json_u64(json, "process", process);
        json_end(json);
    }
    json_end(json);
    arena_release(&scratch);
}

void page_names(struct page_data *d, const struct profile *p)
{
    struct out *out = out_memory();
    struct json json = json_to(out);
    const char *text;
    size_t n;

    json_object(&json, NULL);
    json_array(&json, "labels");
    for (size_t i = 0; i < d->tree.functions.len; i++)
        json_text(&json, NULL, d->tree.functions.data[i].label);
    json_end(&json);
    json_array(&json, "names");
    for (size_t i = 0; i < d->tree.functions.len; i++) {
        const struct page_function *f = &d->tree.functions.data[i];

        json_text(&json, NULL, strcmp(f->name, f->label) ? f->name : NULL);
    }
    json_end(&json);
    json_modules(&d->tree, &json);
    json_array(&json, "kinds");
    for (int i = 0; i < CODE_KINDS; i++)
        json_text(&json, NULL, code_kind_name((enum code_kind)i));
    json_end(&json);
    json_array(&json, "kind");
    for (size_t i = 0; i < d->tree.functions.len; i++)
        json_u64(&json, NULL, d->tree.functions.data[i].kind);
    json_end(&json);
    json_traits(&d->tree, &json);
    json_words(&json, "leafKinds", leaf_kind_name);
    json_words(&json, "leafTiers", code_tier_word);
    if (p && samples_have_waits(&p->samples)) {
        json_array(&json, "states");
        for (int i = 0; i < THREAD_STATES; i++)
            json_text(&json, NULL, thread_state_name((enum thread_state)i));
        json_end(&json);
    }
    if (p)
        json_lives(d, p, &json);
    json_end(&json);
    text = out_text(out, &n);
    page_bytes_release(&d->names);
    page_bytes_text(&d->names, text, n);
    page_bytes_pack(&d->names);
    out_close(out, NULL);
}

/* One row for samples of a thread that are alike within a step. */
struct row {
    int64_t step;
    uint32_t node;
    uint16_t code, cpu;
    uint64_t count;
};

typedef VEC(struct row) rows;

static int by_step(const void *x, const void *y)
{
    const struct row *a = x, *b = y;

    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    if (a->code != b->code)
        return a->code < b->code ? -1 : 1;
    return a->cpu - b->cpu;
}

/* They come in order of their steps: only those of one are sorted. */
static void sort_rows(struct row *list, size_t n)
{
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && list[end].step == list[i].step;)
            end++;
        if (end - i > 1)
            qsort(list + i, end - i, sizeof(*list), by_step);
    }
}

/* Like ones become one; those from `first` on. */
static void join(rows *r, size_t first)
{
    size_t to = first;

    sort_rows(r->data + first, r->len - first);
    for (size_t i = first; i < r->len; i++) {
        if (to > first && !by_step(&r->data[to - 1], &r->data[i]))
            r->data[to - 1].count += r->data[i].count;
        else
            r->data[to++] = r->data[i];
    }
    r->len = to;
}

_Static_assert(TIER_WORDS < 1 << (PAGE_STATE_SHIFT - LEAF_KINDS),
               "the state of a thread stands above the tier");

/* Kind and tier of the innermost frame's code, for --kind and --tier, and what
 * the thread does. */
static uint16_t code_of(const struct profile *p, size_t sample)
{
    uint32_t stack = p->samples.stack[sample];
    uint32_t flags = p->samples.flags[sample];
    const struct location *l =
        &p->locations.data[p->stacks.data[stack].location];
    unsigned code = flags & SAMPLE_WAITS ? PAGE_WAITS : 0;

    code |= (unsigned)thread_wait_at(sample_wait(flags)).state
            << PAGE_STATE_SHIFT;
    if (!stack)
        return (uint16_t)(code | (unsigned)TIER_WORDS << LEAF_KINDS);
    return (uint16_t)(code | location_kinds(l) |
                      (unsigned)location_tier(p, l) << LEAF_KINDS);
}

static void write_rows(const rows *r, const size_t *counts, size_t threads,
                       bool has_cpus, struct page_bytes *b)
{
    size_t at = 0;

    for (size_t t = 0; t < threads; t++)
        page_bytes_number(b, counts[t]);
    for (size_t t = 0; t < threads; t++)
        for (size_t i = 0; i < counts[t]; i++, at++)
            page_bytes_number(b, (uint64_t)(r->data[at].step -
                                            (i ? r->data[at - 1].step : 0)));
    at = 0;
    for (size_t t = 0; t < threads; t++)
        for (size_t i = 0; i < counts[t]; i++, at++)
            page_bytes_change(b, (int64_t)r->data[at].node -
                                     (i ? (int64_t)r->data[at - 1].node : 0));
    for (at = 0; at < r->len; at++)
        page_bytes_number(b, r->data[at].count - 1);
    for (at = 0; at < r->len; at++)
        page_bytes_number(b, r->data[at].code);
    for (at = 0; at < r->len && has_cpus; at++)
        page_bytes_number(b, r->data[at].cpu);
}

void page_rows(struct page_data *d, const struct page_side *side, int64_t steps,
               bool has_cpus)
{
    const struct profile *p = side->p;
    size_t *counts = mem_new(d->threads.len, sizeof(*counts));
    struct thread_samples samples = thread_samples_new(p, side->sel);
    rows r = {0};

    d->step = (d->end - d->begin) / steps + 1;
    for (size_t t = 0; t < d->threads.len; t++) {
        uint32_t thread = d->threads.data[t];
        size_t first = r.len;

        for (size_t i = samples.start[thread]; i < samples.start[thread + 1];
             i++) {
            size_t sample = samples.order[i];
            int64_t time = p->samples.time[sample] - d->begin;
            uint32_t node = d->stacks.node_of[p->samples.stack[sample]];

            *vec_add(&r) =
                (struct row){.step = (time > 0 ? time : 0) / d->step,
                             .node = d->tree.place[node],
                             .code = code_of(p, sample),
                             .cpu = has_cpus ? p->samples.cpu[sample] : 0,
                             .count = sample_weight(p, sample)};
        }
        join(&r, first);
        counts[t] = r.len - first;
    }
    d->rows = r.len;
    d->has_cpus = has_cpus;
    page_bytes_release(&d->samples);
    write_rows(&r, counts, d->threads.len, has_cpus, &d->samples);
    vec_release(&r);
    thread_samples_release(&samples);
    free(counts);
}

/* ---- threads ---- */

void page_threads(struct page_data *d, const struct page_side *side)
{
    const struct profile *p = side->p;
    struct keyed *keys = mem_new(p->threads.len, sizeof(*keys));
    size_t n = 0, samples = p->samples.len;
    const struct filter *filter = &side->sel->filter;
    uint32_t process = NO_ID;

    for (uint32_t i = 0; i < p->threads.len; i++)
        if (side->sel->thread_counts[i])
            keys[n++] = (struct keyed){0, i};
    /* Processes in order of their ids, and the threads of each likewise. */
    for (size_t i = 0; i < n; i++)
        keys[i].key = p->threads.data[keys[i].value].tid;
    keysort(keys, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t of = p->threads.data[keys[i].value].process;

        keys[i].key = (uint64_t)p->processes.data[of].pid << 32 | of;
    }
    keysort(keys, n);
    for (size_t i = 0; i < n; i++) {
        uint32_t of = p->threads.data[keys[i].value].process;

        *vec_add(&d->threads) = keys[i].value;
        if (of != process)
            *vec_add(&d->processes) = of;
        process = of;
    }
    d->end = p->trace.duration_ns > 0 ? p->trace.duration_ns : 0;
    if (samples && p->samples.time[samples - 1] > d->end)
        d->end = p->samples.time[samples - 1];
    if (filter->has_time && filter->from > 0)
        d->begin = filter->from < d->end ? filter->from : d->end;
    if (filter->has_time && filter->to < d->end)
        d->end = filter->to > d->begin ? filter->to : d->begin;
    free(keys);
}

/* The number of levels by which times may become coarser: each makes steps four
 * times as long. */
enum {
    STEPS_MOST = 1 << 20, /* parts of the time that samples are told apart by */
    TIME_LEVELS = 8,
    TREE_LOOKS = 8,      /* trees that are made to find the largest that fits */
    TREE_SHARE_MOST = 64 /* a part of the room that trees may shrink to */
};

static void pack_tree(struct page_data *d, size_t sides)
{
    const struct page_node *nodes = d->tree.nodes.data;
    size_t len = d->tree.nodes.len;
    struct page_bytes *b = &d->nodes;

    page_bytes_release(b);
    for (size_t i = 1; i < len; i++)
        page_bytes_number(b, nodes[i].depth);
    for (size_t i = 1; i < len; i++)
        page_bytes_number(b, nodes[i].function);
    for (size_t i = 1; i < len; i++)
        page_bytes_number(b, nodes[i].inlined);
    for (size_t side = 0; side < sides; side++)
        for (size_t i = 1; i < len; i++)
            page_bytes_number(b, nodes[i].count[side]);
    for (size_t side = 0; side < (d->stacks.has_running ? 2 : sides); side++)
        for (size_t i = 0; i < d->tree.functions.len; i++)
            page_bytes_number(b, d->tree.functions.data[i].inclusive[side]);
    page_bytes_pack(b);
}

/* For the blocks as text; the rest of a page is code. */
static size_t room(const struct page_data *d)
{
    size_t most = d->megabytes * 1000000 - 200000;

    return most - (d->wants_source ? (size_t)PAGE_SOURCE_MOST : 0);
}

/* The page that is being fitted into its size, and its sides. */
struct fitting {
    struct page_data *data;
    const struct page_side *sides;
    size_t count;
    size_t functions; /* that have names */
};

static size_t tree_size(const struct fitting *f, size_t most)
{
    struct page_data *d = f->data;

    page_tree_release(&d->tree);
    page_tree_make(&d->tree, &d->stacks, most, f->functions);
    pack_tree(d, f->count < 2 ? 1 : 2);
    return page_bytes_text_size(&d->nodes);
}

/* A third of the room at most: as many functions as have their names there. */
static void fit_names(struct fitting *f)
{
    struct page_data *d = f->data;

    for (f->functions = d->stacks.functions.len;; f->functions /= 2) {
        tree_size(f, 0);
        page_names(d, f->count == 1 ? f->sides->p : NULL);
        if (page_bytes_text_size(&d->names) <= room(d) / 3 || !f->functions)
            return;
    }
}

/* Cuts the tree to at most `bytes` bytes, and at least nine tenths of them.
 * Bytes grow with nodes, so it guesses the number of nodes and corrects itself.
 * A browser opens a million nodes in a second, so nodes that take less than two
 * bytes are limited, too. */
static void fit_tree(const struct fitting *f, size_t bytes)
{
    size_t all = f->data->stacks.nodes.len, fits = 0, most = room(f->data) / 2;
    size_t beyond = most < all ? most : all, size;

    most = beyond++;
    for (int i = 0; i < TREE_LOOKS && fits + 1 < beyond; i++) {
        size = tree_size(f, most);
        *(size <= bytes ? &fits : &beyond) = most;
        if (size <= bytes && size >= bytes / 10 * 9)
            return;
        most = (size_t)((double)most * (double)bytes / (double)size * 0.97);
        if (most <= fits || most >= beyond)
            most = (fits + beyond) / 2;
    }
    tree_size(f, fits);
}

/* Only the samples of one side are there to be fitted. They are packed if they
 * fit: most of the time goes there. */
static bool fit_rows(const struct fitting *f, int64_t steps, bool has_cpus)
{
    struct page_data *d = f->data;
    size_t others =
        page_bytes_text_size(&d->names) + page_bytes_text_size(&d->nodes);

    if (f->count > 1)
        return true;
    page_rows(d, f->sides, steps, has_cpus);
    return others <= room(d) &&
           page_bytes_pack_within(&d->samples, room(d) - others);
}

/* By a level of time. */
static bool fit_time(const struct fitting *f, size_t level)
{
    return fit_rows(f, STEPS_MOST >> 2 * level, false);
}

/* Makes rows with the shortest steps that fit: of levels 1 and up, in leaps
 * that grow, then in the middle of what is left, as a look at a million samples
 * takes a quarter of a second. Returns the number of steps; 0: none fits. */
static int64_t fit_steps(const struct fitting *f)
{
    size_t from = 1, to = TIME_LEVELS - 1, last = 0, leap = 0;
    bool leaps = true, is_made = false;

    while (from < to) {
        last = leaps && from + leap < to ? from + leap : (from + to) / 2;
        leap = leap * 2 + 1;
        is_made = fit_time(f, last);
        if (is_made) {
            to = last;
            leaps = false;
        } else {
            from = last + 1;
        }
    }
    return is_made || fit_time(f, to) ? STEPS_MOST >> 2 * to : 0;
}

/* Processors, too, if there is room. */
static int64_t fit_all_rows(const struct fitting *f)
{
    if ((profile_has_cpus(f->sides->p) && fit_rows(f, STEPS_MOST, true)) ||
        fit_time(f, 0))
        return STEPS_MOST;
    return fit_steps(f);
}

/* Gives the tree what samples leave. */
static void widen_tree(const struct fitting *f, int64_t steps)
{
    struct page_data *d = f->data;
    size_t tree = page_bytes_text_size(&d->nodes);
    size_t used = tree + page_bytes_text_size(&d->names) +
                  page_bytes_text_size(&d->samples);
    bool has_cpus = d->has_cpus;

    if (!d->tree.left_out_samples || used >= room(d) / 8 * 7)
        return;
    /* Rows have larger numbers of nodes then. */
    fit_tree(f, tree + (room(d) - used) / 4 * 3);
    if (fit_rows(f, steps, has_cpus))
        return;
    fit_tree(f, tree);
    if (!fit_rows(f, steps, has_cpus))
        page_bytes_pack(&d->samples);
}

void page_data_make(struct page_data *d, const struct page_side *sides,
                    size_t count)
{
    struct fitting f = {d, sides, count, 0};
    int64_t steps = 0;
    size_t names;

    if (!d->megabytes)
        d->megabytes = PAGE_MOST;
    for (size_t i = 0; i < count; i++) {
        page_stacks_add(&d->stacks, &sides[i]);
        d->sample_count += sides[i].sel->samples;
    }
    page_stacks_finish(&d->stacks);
    if (count == 1)
        page_threads(d, sides);
    fit_names(&f);
    names = page_bytes_text_size(&d->names);
    if (count > 1) {
        fit_tree(&f, room(d) - names);
        return;
    }
    fit_tree(&f, room(d) / 2 - names);
    steps = fit_all_rows(&f);
    for (size_t part = 4; !steps && part <= TREE_SHARE_MOST; part *= 2) {
        fit_tree(&f, room(d) / part);
        steps = fit_steps(&f);
    }
    if (steps)
        widen_tree(&f, steps);
    else
        page_bytes_pack(&d->samples);
}

void page_data_release(struct page_data *d)
{
    page_bytes_release(&d->names);
    page_bytes_release(&d->nodes);
    page_bytes_release(&d->samples);
    page_bytes_release(&d->source);
    vec_release(&d->threads);
    vec_release(&d->processes);
    page_tree_release(&d->tree);
    page_stacks_release(&d->stacks);
}
