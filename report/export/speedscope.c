#include <string.h>

#include "engine/model/profile.h"
#include "report/export/export.h"
#include "report/export/frames.h"
#include "report/table/table.h"

/*
 * speedscope - the file format of speedscope.app (file-format-schema.json):
 * a list of frames, and a sampled profile for every thread. Samples that
 * follow one another with the same stack are one of their weight. Weights are
 * those of the trace: samples, or a time.
 *
 * Samples that are taken at an interval are as long as that, and what lies
 * between them is a gap: a sample without frames. All threads begin at the
 * start of the recording then.
 */

struct writing {
    const struct subject *s;
    struct json json;
    struct frame_list list;
    struct thread_samples samples;
    VEC(uint32_t) path; /* locations, innermost first */
    struct arena scratch;
    int64_t interval; /* ns, of samples at an interval; 0: they are not */
};

static void write_frames(struct writing *w)
{
    struct json *j = &w->json;
    const struct profile *p = w->s->p;
    uint64_t *inclusive = stacks_inclusive(p, w->s->sel->stack_counts);

    /* Adds the frames on the stacks of selected samples. */
    for (size_t i = 1; i < p->stacks.len; i++) {
        uint32_t location = p->stacks.data[i].location;

        for (uint32_t f = p->frame_start.data[location];
             inclusive[i] && f < p->frame_start.data[location + 1]; f++)
            frame_list_id(&w->list, location, f);
    }
    free(inclusive);
    json_object(j, "shared");
    json_array(j, "frames");
    for (uint32_t i = 0; i < frame_list_len(&w->list); i++) {
        const char *file = frame_list_file(&w->list, i);
        uint32_t line = w->s->p->frames.data[w->list.first.data[i]].line;

        json_line(j, 1);
        json_object(j, NULL);
        json_text(j, "name", frame_list_name(&w->list, i));
        if (file)
            json_text(j, "file", file);
        if (file && line && w->list.style.lines)
            json_u64(j, "line", line);
        json_end(j);
    }
    json_end(j);
    json_end(j);
}

static void write_stack(struct writing *w, uint32_t stack)
{
    const struct profile *p = w->s->p;

    w->path.len = 0;
    for (; stack; stack = p->stacks.data[stack].parent)
        *vec_add(&w->path) = p->stacks.data[stack].location;
    json_array(&w->json, NULL);
    for (size_t i = w->path.len; i-- > 0;) {
        uint32_t location = w->path.data[i];
        uint32_t first = p->frame_start.data[location];

        for (uint32_t f = p->frame_start.data[location + 1]; f-- > first;)
            json_u64(&w->json, NULL, frame_list_id(&w->list, location, f));
    }
    json_end(&w->json);
}

/* Samples that follow one another with one stack and without a gap. */
struct run {
    size_t end;
    int64_t gap; /* ns before it */
    int64_t until; /* the end of its last sample, ns; or of the one before */
    uint64_t weight;
};

static struct run next_run(const struct writing *w, size_t i, size_t end,
                           int64_t until)
{
    const struct profile *p = w->s->p;
    const size_t *order = w->samples.order;
    uint32_t stack = p->samples.stack[order[i]];
    struct run run = {.until = until};

    for (; i < end && p->samples.stack[order[i]] == stack; i++) {
        int64_t gap = p->samples.time[order[i]] - w->interval - run.until;

        if (w->interval && gap > w->interval && run.weight)
            break;
        if (w->interval && gap > w->interval) {
            run.gap = gap;
            run.until += gap;
        }
        run.weight += sample_weight(p, order[i]);
        run.until += w->interval * (int64_t)sample_weight(p, order[i]);
    }
    run.end = i;
    return run;
}

/* The format's word, which for some units of time is another than the input's;
 * of other units it knows bytes alone. */
static const char *unit_of(const struct profile *p)
{
    static const char *const times[] = {"nanoseconds", "microseconds",
                                        "milliseconds", "seconds"};

    for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
        if (unit_nanoseconds(times[i]) == unit_nanoseconds(profile_unit(p)))
            return times[i];
    return profile_counts_bytes(p) ? "bytes" : "none";
}

static void write_gap(struct writing *w, const struct run *run)
{
    if (!run->gap)
        return;
    json_line(&w->json, 2);
    json_array(&w->json, NULL);
    json_end(&w->json);
}

static void write_weight(struct writing *w, const struct run *run)
{
    if (run->gap)
        json_i64(&w->json, NULL, run->gap);
    if (w->interval)
        json_u64(&w->json, NULL, run->weight * (uint64_t)w->interval);
    else
        json_weight(&w->json, NULL, w->s->p, run->weight);
}

/* All threads begin at time 0. */
static void write_thread(struct writing *w, uint32_t thread)
{
    const struct profile *p = w->s->p;
    size_t first = w->samples.start[thread], end = w->samples.start[thread + 1];
    struct json *j = &w->json;
    struct run run = {.until = 0};

    json_line(j, 1);
    json_object(j, NULL);
    json_text(j, "type", "sampled");
    json_text(j, "name", thread_full_title(p, thread, &w->scratch));
    arena_reset(&w->scratch);
    json_text(j, "unit", w->interval ? "nanoseconds" : unit_of(p));
    json_u64(j, "startValue", 0);
    for (size_t i = first; i < end; i = run.end)
        run = next_run(w, i, end, run.until);
    if (w->interval)
        json_i64(j, "endValue", run.until);
    else
        json_weight(j, "endValue", p, w->s->sel->thread_counts[thread]);
    json_array(j, "samples");
    run.until = 0;
    for (size_t i = first; i < end; i = run.end) {
        run = next_run(w, i, end, run.until);
        write_gap(w, &run);
        json_line(j, 2);
        write_stack(w, p->samples.stack[w->samples.order[i]]);
    }
    json_end(j);
    json_array(j, "weights");
    run.until = 0;
    for (size_t i = first; i < end; i = run.end) {
        run = next_run(w, i, end, run.until);
        write_weight(w, &run);
    }
    json_end(j);
    json_end(j);
}

/* The profile that is opened first, among the threads with samples. */
static size_t heaviest_thread(const struct profile *p,
                              const struct selection *sel)
{
    size_t at = 0, heaviest = 0;
    uint64_t most = 0;

    for (size_t i = 0; i < p->threads.len; i++) {
        if (sel->thread_counts[i] > most) {
            most = sel->thread_counts[i];
            heaviest = at;
        }
        at += sel->thread_counts[i] != 0;
    }
    return heaviest;
}

/* Weights of fractions have no interval that they are a number of. */
static int64_t interval_of(const struct profile *p)
{
    const struct trace_info *t = &p->trace;

    return t->interval_ns > 0 && profile_counts_samples(p) &&
                   !t->metric.decimals && !profile_metric(p)->wall_clock &&
                   profile_has_times(p)
               ? t->interval_ns
               : 0;
}

static void write(const struct subject *s, struct out *out)
{
    const struct profile *p = s->p;
    struct writing w = {
        .s = s,
        .json = json_to(out),
        .list = frame_list_of(s),
        .samples = thread_samples_new(p, s->sel),
        .interval = interval_of(p),
    };
    struct json *j = &w.json;

    json_object(j, NULL);
    json_text(j, "$schema",
              "https://www.speedscope.app/file-format-schema.json");
    json_text(j, "exporter", "topfn");
    json_text(j, "name", profile_file(p));
    json_u64(j, "activeProfileIndex", heaviest_thread(p, s->sel));
    if (w.interval)
        json_i64(j, "sampleInterval", w.interval);
    write_frames(&w);
    json_array(j, "profiles");
    for (uint32_t i = 0; i < p->threads.len; i++)
        if (s->sel->thread_counts[i])
            write_thread(&w, i);
    json_end(j);
    json_end(j);
    out_char(out, '\n');
    frame_list_release(&w.list);
    thread_samples_release(&w.samples);
    vec_release(&w.path);
    arena_release(&w.scratch);
}

const struct export_kind speedscope_export = {
    .name = "speedscope",
    .help = "speedscope.app: a profile for every thread, in order of time",
    .endings = {".speedscope.json"},
    .times = true,
    .styles = true,
    .few_units = true,
    .sample_bytes = 2,
    .frame_bytes = 5,
    .write = write,
};
