/* What a log of many samples of one time costs, in samples looked at. */
#include "engine/format/etl/etl.h"
#include "tests/support/suite.h"

enum { SAMPLES = 20000, EQUAL_TIME = 1000, LATER = 2000 };

struct world {
    struct profile *p;
    struct etl_file file;
    struct etl_recording recording;
    struct etl_correlator *c;
};

static void open_world(struct world *w)
{
    *w = (struct world){.p = profile_new()};
    w->p->trace.pointer_size = 8;
    w->file = (struct etl_file){.frequency = 1000000000};
    w->recording = (struct etl_recording){
        .files = &w->file,
        .file_count = 1,
        .seen = observations_new(w->p),
    };
    w->c = etl_correlator_new(&w->recording);
}

static void take_sample(struct world *w, uint64_t time, uint32_t tid)
{
    etl_correlate(
        w->c,
        &(struct etl_fact){
            .kind = ETL_SAMPLE, .time = time, .value = 0x1000, .tid = tid},
        1, true);
}

/* A late user part of the sample of that time. */
static void take_part(struct world *w, uint64_t time, uint32_t tid)
{
    static const uint8_t frames[8] = {0, 0x10};
    etl_correlate(w->c,
                  &(struct etl_fact){.kind = ETL_PART,
                                     .time = LATER + 1,
                                     .value = time,
                                     .bytes = frames,
                                     .tid = tid,
                                     .pid = 100,
                                     .count = 1,
                                     .wide = true,
                                     .user = true},
                  1, true);
}

static void close_world(struct world *w)
{
    observations_free(w->recording.seen);
    profile_free(w->p);
}

/* Threads have one sample at the same time and one later; then a part comes
 * for each, and for a thread that had none. */
TEST(equal_times)
{
    struct world w;

    open_world(&w);
    for (uint32_t i = 0; i < SAMPLES; i++)
        take_sample(&w, EQUAL_TIME, 4 + i);
    take_sample(&w, LATER, 1);
    for (uint32_t i = 0; i < SAMPLES; i++)
        take_sample(&w, LATER, 4 + i);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        take_part(&w, EQUAL_TIME, 4 + i);
        take_part(&w, EQUAL_TIME, 1);
    }
    etl_correlator_finish(w.c);
    for (uint32_t i = 0; i < SAMPLES; i++)
        ck_assert_uint_ne(w.recording.seen->samples.stack[i], 0);
    close_world(&w);
}
