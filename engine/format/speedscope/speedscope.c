/*
 * Files of speedscope.app (file-format-schema.json), from version 0.0.1 on:
 * sampled and evented profiles; each becomes a thread.
 *
 * Frames are shared by all profiles; stacks are lists of their numbers, or
 * events that open and close them. Weights have a unit: a time, or none. A
 * sample of a time without frames is a gap, in which nothing ran.
 *
 * Our own files have "sampleInterval", the nanoseconds that a sample stands for,
 * so that counts of samples come back.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/attribution/named_code.h"
#include "engine/base/json_peek.h"
#include "engine/base/json_read.h"
#include "engine/base/text.h"
#include "engine/base/text_line.h"
#include "engine/format/named.h"
#include "engine/model/profile.h"

/* A node of the tree that an evented profile's stacks are. */
struct open_frame {
    uint32_t frame;
    struct named_stack stack;
};

struct file {
    struct profile *p;
    const char *name;
    struct named_code code;
    uint32_t *locations; /* by frame */
    size_t frame_count;
    uint32_t process;
    const char *unit; /* in which all weights are */
    double ns;        /* nanoseconds in it; 0: it is no time */
    double times;     /* by which a profile's weights are multiplied */
    uint64_t interval; /* of samples that weights stand for, ns; 0: they do not */
    double start;     /* the smallest startValue, where the recording begins */
};

/* Numbers that fit; others are 0. */
static int64_t rounded(double value)
{
    return fabs(value) < 9e18 ? llround(value) : 0;
}

static uint64_t weight_of(struct file *f, double weight, double size)
{
    return named_weight(&f->code, weight * f->times, size * f->times);
}

/* Whole numbers keep all of their bits. */
static uint64_t weight_stated(struct file *f, struct json_value weight)
{
    uint64_t whole = json_whole_of(weight, UINT64_MAX);
    double value = json_number_of(weight);

    return whole != UINT64_MAX && f->times == 1
               ? named_decimal(&f->code, whole, 0)
               : weight_of(f, value, value);
}

/* How many samples make this time. */
static uint64_t samples_of(const struct file *f, double weight, double ns)
{
    double samples = weight * ns / (double)f->interval;

    return samples > 0 && samples < 9e18 ? (uint64_t)llround(samples) : 0;
}

static void put_sample(struct file *f, uint32_t thread, uint32_t stack,
                       int64_t time, uint64_t weight)
{
    named_sample(&f->code, &(struct named_sample){.time = f->ns > 0 ? time : 0,
                                                  .thread = thread,
                                                  .stack = stack,
                                                  .weight = weight});
}

static struct named_stack sample_stack(struct file *f, struct json_value sample)
{
    struct named_stack stack = {0};

    for (size_t i = 0; i < json_length(sample); i++) {
        uint64_t frame = json_number_at(sample, i, f->frame_count);

        if (frame < f->frame_count)
            stack = named_push(&f->code, stack, f->locations[frame]);
        else
            f->p->quality.malformed++;
    }
    return stack;
}

static int64_t read_sampled(struct file *f, struct json_value profile,
                            uint32_t thread, double factor)
{
    struct json_value samples = json_member(profile, "samples");
    struct json_value weights = json_member(profile, "weights");
    double at = json_get_real(profile, "startValue") - f->start;

    for (size_t i = 0; i < json_length(samples); i++) {
        struct json_value sample = json_element(samples, i);
        double weight = json_number_of(json_element(weights, i));

        if (!json_is_number(json_element(weights, i)))
            f->p->quality.malformed++;
        if (f->ns <= 0 || !json_is_array(sample) || json_length(sample))
            put_sample(f, thread, sample_stack(f, sample).whole,
                       rounded(at * factor),
                       f->interval
                           ? samples_of(f, weight, factor)
                           : weight_stated(f, json_element(weights, i)));
        at += weight > 0 ? weight : 0;
    }
    return rounded(at * factor);
}

/* The frames that are open, the innermost last. */
struct open_frames {
    VEC(struct open_frame) list;
    uint32_t *times; /* by frame: how often it is open */
};

/* Closes a frame and, where writers forgot to, those inside of it. One that is
 * not open is not looked for. */
static void close_frame(struct file *f, struct open_frames *open,
                        uint32_t frame)
{
    bool last =
        open->list.len && open->list.data[open->list.len - 1].frame == frame;
    uint32_t closed = NO_ID;

    if (!last)
        f->p->quality.malformed++;
    while (open->times[frame] && closed != frame) {
        closed = open->list.data[--open->list.len].frame;
        open->times[closed]--;
    }
}

static void apply_event(struct file *f, struct open_frames *open,
                        struct json_value event)
{
    uint64_t frame = json_get_number(event, "frame", f->frame_count);
    struct named_stack below = {0};

    if (frame >= f->frame_count) {
        f->p->quality.malformed++;
        return;
    }
    if (!strcmp(json_get_text(event, "type"), "C")) {
        close_frame(f, open, (uint32_t)frame);
        return;
    }
    if (open->list.len)
        below = open->list.data[open->list.len - 1].stack;
    *vec_add(&open->list) = (struct open_frame){
        (uint32_t)frame, named_push(&f->code, below, f->locations[frame])};
    open->times[frame]++;
}

static int64_t read_evented(struct file *f, struct json_value profile,
                            uint32_t thread, double factor)
{
    struct json_value events = json_member(profile, "events");
    double last = json_get_real(profile, "startValue");
    struct open_frames open = {
        .times = mem_new(f->frame_count, sizeof(*open.times))};

    for (size_t i = 0; i < json_length(events); i++) {
        struct json_value event = json_element(events, i);
        double at = json_get_real(event, "at");

        if (open.list.len && at > last)
            put_sample(f, thread, open.list.data[open.list.len - 1].stack.whole,
                       rounded((last - f->start) * factor),
                       weight_of(f, at - last, at));
        if (at > last)
            last = at;
        apply_event(f, &open, event);
    }
    vec_release(&open.list);
    free(open.times);
    return rounded((last - f->start) * factor);
}

/* "main (3645)", "Thread (12)": the number of a thread. Its name has `len`
 * bytes, without that. */
static uint32_t thread_number(const char *name, uint32_t otherwise, size_t *len)
{
    const char *open = strrchr(name, '(');
    struct text_line l = {open, name + strlen(name)};
    uint64_t n;

    *len = strlen(name);
    if (!open || text_starts(open, "(0x") || !line_take(&l, "(") ||
        !line_number(&l, &n) || !line_take(&l, ")") || l.at < l.end ||
        n >= UINT32_MAX)
        return otherwise;
    while (open > name && open[-1] == ' ')
        open--;
    *len = (size_t)(open - name);
    return (uint32_t)n;
}

static bool is_empty(struct json_value profile)
{
    return !json_length(json_member(profile, "samples")) &&
           !json_length(json_member(profile, "events"));
}

/* All weights are in the unit of the profile that the file shows first. One
 * that is empty gives way to the first that is not. */
static void decide_unit(struct file *f, struct json_value root)
{
    struct json_value profiles = json_member(root, "profiles");
    uint64_t shown = json_get_number(root, "activeProfileIndex", 0);
    struct json_value profile = json_element(profiles, shown);

    for (size_t i = 0; i < json_length(profiles) && is_empty(profile); i++)
        profile = json_element(profiles, i);
    f->unit = json_get_text(profile, "unit");
    f->ns = (double)unit_nanoseconds(f->unit);
    if (f->ns <= 0)
        f->interval = 0;
    if (f->interval)
        f->p->trace.interval_ns = (int64_t)f->interval;
    if (f->interval || !*f->unit || !strcmp(f->unit, "none")) {
        profile_set_metric_word(f->p, "samples");
        return;
    }
    if (f->ns > 0)
        profile_set_metric(f->p, METRIC_TIME);
    else
        profile_set_metric_word(f->p, f->unit);
    profile_set_unit(f->p, f->unit, 0);
}

/* Times can be converted. False: the profile counts something else. */
static bool convert_from(struct file *f, const char *unit)
{
    double ns = (double)unit_nanoseconds(unit);

    f->times = f->ns > 0 ? ns / f->ns : 1;
    return ns > 0 ? f->ns > 0 : !strcmp(f->unit, unit);
}

static void read_profile(struct file *f, struct json_value profile, size_t i)
{
    const char *unit = json_get_text(profile, "unit");
    double factor = (double)unit_nanoseconds(unit);
    const char *name = json_get_text(profile, "name");
    size_t len;
    uint32_t tid = thread_number(name, (uint32_t)i + 1, &len), thread;
    const char *type = json_get_text(profile, "type");
    bool evented = !strcmp(type, "evented");
    int64_t length;

    if (!evented && strcmp(type, "sampled") != 0) {
        profile_warn(f->p,
                     "profile %zu is of type \"%.32s\": left out; topfn reads "
                     "only sampled and evented profiles",
                     i, type);
        f->p->quality.malformed++;
        return;
    }
    if (!convert_from(f, unit)) {
        profile_warn(f->p, "profile %zu counts %.32s, not %.32s: left out", i,
                     *unit ? unit : "an unnamed unit",
                     *f->unit ? f->unit : "an unnamed unit");
        return;
    }
    thread = named_thread(&f->code, f->process, tid,
                          strings_add(f->p->strings, name, len));
    if (factor <= 0)
        factor = 1;
    if (!json_is_array(json_member(profile, evented ? "events" : "samples")))
        f->p->quality.malformed++;
    length =
        (evented ? read_evented : read_sampled)(f, profile, thread, factor);
    if (f->ns > 0 && length > f->p->trace.duration_ns)
        f->p->trace.duration_ns = length;
}

/* The address of the schema is all that tells a version of the format. */
static void check_schema(struct profile *p, const char *schema)
{
    static const char known[] = "speedscope.app/file-format-schema.json";
    size_t n = strlen(schema), len = sizeof(known) - 1;

    if (n && (n < len || strcmp(schema + n - len, known) != 0))
        profile_warn(p,
                     "unknown schema \"%.80s\"; topfn knows %s: compare the "
                     "result with speedscope.app",
                     schema, known);
}

static enum err_code read_speedscope_root(void *file, struct json_value root,
                                          struct err *err)
{
    struct file *f = file;
    struct json_value profiles = json_member(root, "profiles");
    struct json_value frames =
        json_member(json_member(root, "shared"), "frames");
    const char *name = json_get_text(root, "name");
    enum err_code code = ERR_NONE;

    f->process = named_process(&f->code, NO_PID,
                               strings_add(f->p->strings, name, strlen(name)));
    if (!json_is_array(profiles) || !json_is_array(frames)) {
        code =
            err_set(err, ERR_CORRUPT, "%s: not a speedscope profile", f->name);
        profiles = (struct json_value){0};
    } else {
        f->frame_count = json_length(frames);
        f->locations = mem_new(f->frame_count, sizeof(*f->locations));
        for (size_t i = 0; i < f->frame_count; i++) {
            struct json_value frame = json_element(frames, i);
            const char *name = json_get_text(frame, "name");
            const char *file = json_get_text(frame, "file");
            uint64_t line = json_get_number(frame, "line", 0);
            struct named_frame at =
                named_frame_of(&f->code, name, strlen(name));

            at.file = strings_add(f->p->strings, file, strlen(file));
            at.line = line < UINT32_MAX ? (uint32_t)line : 0;
            f->locations[i] = named_location(&f->code, &at);
        }
        check_schema(f->p, json_get_text(root, "$schema"));
        f->interval = json_get_number(root, "sampleInterval", INT64_MAX);
        if (f->interval >= INT64_MAX)
            f->interval = 0;
        decide_unit(f, root);
    }
    for (size_t i = 0; i < json_length(profiles); i++) {
        double start = json_get_real(json_element(profiles, i), "startValue");

        f->start = i && f->start < start ? f->start : start;
    }
    for (size_t i = 0; i < json_length(profiles) && i < UINT32_MAX; i++)
        read_profile(f, json_element(profiles, i), i);
    if (!code)
        profile_count_event(f->p, "profile", json_length(profiles));
    f->p->trace.adds_up = profile_counts_samples(f->p) && !f->code.decimals;
    named_code_end(&f->code, f->ns > 0 ? "processes, addresses, losses"
                                       : "processes, times, addresses, losses");
    return code;
}

static enum err_code speedscope_read(const struct entry *entries, size_t count,
                                     const struct read_options *options,
                                     struct observations *seen, struct err *err)
{
    struct file f = {.p = seen->profile,
                     .name = entries->name,
                     .code = named_code_from(seen->profile, entries)};
    enum err_code code;

    (void)count;
    (void)options;
    code = named_read_json(&f.code, entries,
                           (struct bytes){entries->data, entries->size},
                           read_speedscope_root, &f, err);
    free(f.locations);
    return code;
}

/* Writers put the schema's address into it; versions before 0.1 have none. */
static enum format_probe speedscope_probe(const uint8_t *data, size_t size)
{
    if (json_peek_holds(data, size, "$schema", "speedscope.app/file-format") ||
        (json_peek_is(data, size, "shared.frames", '[') &&
         json_peek_is(data, size, "profiles", '[')))
        return PROBE_YES;
    return json_peek_holds(data, size, "exporter", "speedscope") ? PROBE_MAYBE
                                                                 : PROBE_NO;
}

const struct trace_format speedscope_format = {
    .name = "speedscope",
    .summary = "speedscope file",
    .named = true,
    .alone = true,
    .probe = speedscope_probe,
    .read = speedscope_read,
};
