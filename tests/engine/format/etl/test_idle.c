/* Samples of the idle thread, kept or only counted. */
#include "engine/input/recording.h"
#include "tests/support/etl_events.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

#define K(n) (0xFFFFF80000001000u + (n))
#define U(n) (0x401000u + (n))

enum { PID = 3120, TID = 3124, IN_DPC = 1, MS = 1000000 };

static char path[TEMP_PATH];

static struct etl_at at(struct etl_writer *w, unsigned ms)
{
    return (struct etl_at){.tick = etl_tick(w, (int64_t)ms * MS)};
}

/* Nothing to do, a deferred call with its stack behind the next idle sample,
 * and a thread at work. */
static void write_log(void)
{
    const uint64_t frames[] = {K(1), K(2)};
    struct etl_options options = {.cpus = 1};
    FILE *file;
    struct etl_writer *w;

    temp_file(path, "", 0);
    file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    w = etl_writer_new(&options, file);
    etl_sampled_profile(w, at(w, 1), K(9), 0, 0);
    etl_sampled_profile(w, at(w, 2), K(1), 0, IN_DPC);
    etl_sampled_profile(w, at(w, 3), K(9), 0, 0);
    etl_stack(w, at(w, 4), etl_tick(w, 2 * MS), 0, 0, frames, 2);
    etl_sampled_profile(w, at(w, 5), U(1), TID, 0);
    ck_assert(etl_writer_finish(w));
    etl_writer_free(w);
    fclose(file);
}

static struct profile *read_log(bool without_idle, unsigned threads)
{
    struct read_options options = {.threads = threads,
                                   .without_idle = without_idle};
    const char *name = path;
    struct err err = {0};
    struct profile *p =
        recording_take(recording_open(&name, 1, &options, &err));

    ck_assert_msg(p != NULL, "%s", err.message);
    return p;
}

static unsigned depth_of(const struct profile *p, size_t sample)
{
    uint32_t stack = p->samples.stack[sample];
    unsigned depth = 0;

    for (; stack; stack = p->stacks.data[stack].parent)
        depth++;
    return depth;
}

TEST(kept)
{
    struct profile *p;

    write_log();
    p = read_log(false, 1);
    ck_assert_uint_eq(p->samples.len, 4);
    ck_assert_uint_eq(p->trace.idle_not_kept, 0);
    ck_assert_uint_eq(p->samples.flags[0],
                      SAMPLE_IDLE | stack_end_flags(STACK_END_NO_STACK));
    ck_assert_uint_eq(p->samples.flags[1],
                      SAMPLE_DPC | SAMPLE_KERNEL_PART | SAMPLE_HAS_STACK);
    ck_assert_uint_eq(depth_of(p, 1), 2);
    profile_free(p);
    unlink(path);
}
