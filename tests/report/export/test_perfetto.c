#include "engine/base/wire.h"
#include "report/export/export.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

/*
 * Traces are taken apart by the numbers that perfetto's own files name:
 * trace.proto, trace_packet.proto, interned_data.proto, profile_common.proto,
 * process_tree.proto and profile_packet.proto (PerfSample).
 */

enum { NAMES = 64, STACKS = 64, DEEPEST = 8, THREADS = 8, SAMPLES = 64 };

struct text {
    char bytes[64];
};

struct decoded {
    struct text functions[NAMES]; /* by iid */
    struct text sources[NAMES];
    uint64_t function_of[NAMES], line_of[NAMES], source_of[NAMES]; /* frames */
    uint64_t frames[STACKS][DEEPEST]; /* of callstacks, outermost first */
    uint64_t tids[THREADS], tgids[THREADS];
    uint64_t sample_stack[SAMPLES], sample_tid[SAMPLES], sample_time[SAMPLES];
    size_t threads, samples;
    bool has_state; /* a packet that begins the interned data came first */
};

static struct text text_of(const struct wire_field *f)
{
    struct reader r = f->message;
    struct text t = {""};

    for (size_t i = 0; reader_left(&r) && i + 1 < sizeof(t.bytes); i++)
        t.bytes[i] = (char)reader_u8(&r);
    return t;
}

static void read_string(struct reader r, struct text *texts)
{
    struct wire_field f;
    uint64_t iid = 0;

    while (wire_next(&r, &f)) {
        if (f.number == 1)
            iid = f.value;
        else if (f.number == 2 && iid < NAMES)
            texts[iid] = text_of(&f);
    }
    ck_assert_uint_lt(iid, NAMES);
}

static void read_frame(struct reader r, struct decoded *d)
{
    uint64_t numbers[7] = {0};
    struct wire_field f;

    while (wire_next(&r, &f))
        if (f.number < 7)
            numbers[f.number] = f.value;
    ck_assert_uint_gt(numbers[1], 0);
    ck_assert_uint_lt(numbers[1], NAMES);
    d->function_of[numbers[1]] = numbers[2];
    d->source_of[numbers[1]] = numbers[5];
    d->line_of[numbers[1]] = numbers[6];
}

static void read_callstack(struct reader r, struct decoded *d)
{
    struct wire_field f;
    uint64_t iid = 0, frame;
    size_t n = 0;

    while (wire_next(&r, &f)) {
        if (f.number == 1)
            iid = f.value;
        while (f.number == 2 && n < DEEPEST && wire_number(&f, &frame))
            d->frames[iid][n++] = frame;
    }
    ck_assert_uint_lt(iid, STACKS);
}

static void read_interned(struct reader r, struct decoded *d)
{
    struct wire_field f;

    while (wire_next(&r, &f)) {
        switch (f.number) {
        case 5:
            read_string(f.message, d->functions);
            break;
        case 6:
            read_frame(f.message, d);
            break;
        case 7:
            read_callstack(f.message, d);
            break;
        case 18:
            read_string(f.message, d->sources);
            break;
        default:
            break;
        }
    }
}

static void read_process_tree(struct reader r, struct decoded *d)
{
    struct wire_field f, part;

    while (wire_next(&r, &f)) {
        if (f.number != 2)
            continue;
        while (wire_next(&f.message, &part)) {
            if (part.number == 1)
                d->tids[d->threads] = part.value;
            else if (part.number == 3)
                d->tgids[d->threads] = part.value;
        }
        ck_assert_uint_lt(++d->threads, THREADS);
    }
}

static void read_sample(struct reader r, uint64_t time, struct decoded *d)
{
    struct wire_field f;

    ck_assert_uint_lt(d->samples, SAMPLES);
    while (wire_next(&r, &f)) {
        if (f.number == 3)
            d->sample_tid[d->samples] = f.value;
        else if (f.number == 4)
            d->sample_stack[d->samples] = f.value;
    }
    d->sample_time[d->samples++] = time;
}

static void read_packet(struct reader r, struct decoded *d)
{
    struct wire_field f;
    uint64_t time = 0;

    while (wire_next(&r, &f)) {
        if (f.number == 2)
            read_process_tree(f.message, d);
        else if (f.number == 8)
            time = f.value;
        else if (f.number == 12)
            read_interned(f.message, d);
        else if (f.number == 13)
            d->has_state |= f.value & 1;
        else if (f.number == 66)
            read_sample(f.message, time, d);
    }
}

static void decode(struct out *out, struct decoded *d)
{
    size_t size;
    const char *text = out_text(out, &size);
    struct reader r = reader_of("a.perfetto", text, size, 0, NULL);
    struct wire_field f;

    while (wire_next(&r, &f)) {
        ck_assert_uint_eq(f.number, 1); /* Trace.packet */
        read_packet(f.message, d);
    }
    ck_assert(d->has_state);
}

static const char *frame_name(const struct decoded *d, uint64_t frame)
{
    return d->functions[d->function_of[frame]].bytes;
}

TEST(samples_of_threads_with_their_stacks)
{
    static const char *const wanted[] = {"main", "big", "tiny"};
    struct builder *b = builder_new("app.etl");
    uint32_t one = builder_thread(b, 7, "p", 8);
    uint32_t two = builder_thread(b, 7, "p", 9);
    struct report_options options = REPORT_DEFAULTS;
    struct decoded *d = mem_new(1, sizeof(*d));
    struct out *out = out_memory();
    size_t of_one = 0, deep = 0;
    struct subject subject = {.options = &options};
    struct profile *p;
    struct selection *sel;

    builder_samples(b, one, 3, "m!main;m!tiny@t.h:3<m!big@b.c:9");
    builder_samples(b, two, 2, "m!main");
    subject.p = p = builder_finish(b);
    subject.sel = sel = selection_new(p, NULL);
    perfetto_export.write(&subject, out);
    decode(out, d);
    ck_assert_uint_eq(d->threads, 2);
    ck_assert_uint_eq(d->samples, 5);
    for (size_t i = 0; i < d->samples; i++) {
        const uint64_t *frames = d->frames[d->sample_stack[i]];

        ck_assert(!i || d->sample_time[i] >= d->sample_time[i - 1]);
        ck_assert_str_eq(frame_name(d, frames[0]), "main");
        of_one += d->sample_tid[i] == 8;
        deep += frames[2] != 0;
        for (size_t k = 0; frames[2] && k < 3; k++)
            ck_assert_str_eq(frame_name(d, frames[k]), wanted[k]);
        if (frames[2]) {
            ck_assert_uint_eq(d->line_of[frames[1]], 9);
            ck_assert_str_eq(d->sources[d->source_of[frames[2]]].bytes, "t.h");
        }
    }
    ck_assert_uint_eq(of_one, 3);
    ck_assert_uint_eq(deep, 3);
    for (size_t i = 0; i < d->threads; i++)
        ck_assert_uint_eq(d->tgids[i], 7);
    out_close(out, NULL);
    selection_free(sel);
    profile_free(p);
    free(d);
}
