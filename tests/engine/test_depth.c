/* Stacks deeper than any recorder writes, from a trace and a database. */
#include "engine/input/recording.h"
#include "engine/store/store.h"
#include "tests/support/opened.h"
#include "tests/support/profile_check.h"
#include "tests/support/nettrace_writer.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

static uint32_t depth_of(const struct profile *p, uint32_t stack)
{
    uint32_t depth = 0;

    for (; stack; stack = p->stacks.data[stack].parent)
        depth++;
    return depth;
}

/* Through a database. */
static struct profile *written(struct profile *p)
{
    char path[TEMP_PATH];
    struct err err = {0};

    temp_file(path, "", 0);
    ck_assert_msg(!store_write(p, path, &err), "%s", err.message);
    profile_free(p);
    p = store_read(path, true, &err);
    unlink(path);
    ck_assert_msg(p, "%s", err.message);
    return p;
}

static struct profile *open_stream(struct nettrace_writer *w)
{
    char path[TEMP_PATH];
    struct profile *p;

    nettrace_end(w);
    temp_file(path, w->out.data, w->out.len);
    p = opened_profile(path, &(struct read_options){.threads = 1});
    unlink(path);
    nettrace_writer_free(w);
    return p;
}

static struct nettrace_writer *sampler(void)
{
    struct nettrace_writer *w = nettrace_writer_new(4, true);

    nettrace_kind(w, 1, "Microsoft-DotNETCore-SampleProfiler", 0, "", 0);
    nettrace_kind(w, 2, "Microsoft-Windows-DotNETRuntime", 143, "", 2);
    return w;
}

static void put_sample(struct nettrace_writer *w, uint32_t sequence,
                       uint64_t time, uint32_t stack)
{
    static const uint32_t managed = 2;

    nettrace_event(w, &(struct nettrace_event){.kind = 1,
                                               .thread = 7,
                                               .capture_thread = 7,
                                               .sequence = sequence,
                                               .time = time,
                                               .stack = stack,
                                               .payload = &managed,
                                               .size = sizeof(managed)});
}

/* Two of three stacks are deep and differ only at their roots; one of these was
 * written twice. */
TEST(innermost_are_kept)
{
    enum { DEPTH = STACK_PART_DEEPEST + 744 };
    static uint64_t frames[DEPTH];
    struct nettrace_writer *w = sampler();
    struct profile *p;
    uint32_t leaf;

    for (uint64_t i = 0; i < DEPTH; i++)
        frames[i] = 0x1000 + 16 * i;
    nettrace_stack(w, 1, frames, DEPTH);
    nettrace_stack(w, 2, frames, DEPTH);
    frames[DEPTH - 1]++;
    nettrace_stack(w, 3, frames, DEPTH);
    nettrace_stack(w, 4, frames, STACK_PART_DEEPEST);
    for (uint32_t i = 0; i < 4; i++)
        put_sample(w, i + 1, 105 + i, i + 1);
    p = open_stream(w);
    ck_assert_uint_eq(p->samples.len, 4);
    ck_assert_uint_eq(p->quality.cut_stacks, 2);
    ck_assert_int_eq(stack_end_of(p->samples.flags[0]), STACK_END_DEPTH);
    leaf = p->samples.stack[0];
    ck_assert_uint_eq(depth_of(p, leaf), STACK_PART_DEEPEST);
    ck_assert_uint_eq(p->stacks.len, 1 + STACK_PART_DEEPEST);
    ck_assert_uint_eq(p->locations.data[p->stacks.data[leaf].location].address,
                      0x1000);
    ck_assert(
        warns(p, "deeper than 8192 frames, truncated to their leaf frames: 2"));
    p = written(p);
    ck_assert_uint_eq(p->quality.cut_stacks, 2);
    profile_free(p);
}

/* A whole stack anew for each of them would be two million. */
TEST(methods_that_change_at_the_root)
{
    enum { CHANGES = 8000, DEPTH = 8000 };
    struct nettrace_writer *w = sampler();
    uint64_t frames[DEPTH];
    uint32_t sequence = 1;
    struct profile *p;

    for (size_t i = 0; i < DEPTH; i++)
        frames[i] = i + 1 < DEPTH ? 0x500000 : 0x1008;
    nettrace_stack(w, 1, frames, DEPTH);
    for (unsigned i = 0; i < CHANGES; i++) {
        unsigned number = sequence++;
        byte_vec body = {0};
        char name[32];

        snprintf(name, sizeof(name), "m%u", i);
        put_method(&body, 0x1000, 0x100, 1, "N", name, "v");
        nettrace_event(w, &(struct nettrace_event){.kind = 2,
                                                   .thread = 7,
                                                   .capture_thread = 7,
                                                   .sequence = number,
                                                   .time = 100 + i * 10,
                                                   .payload = body.data,
                                                   .size = body.len});
        vec_release(&body);
        put_sample(w, sequence++, 105 + i * 10, 1);
    }
    p = open_stream(w);
    ck_assert_uint_eq(p->samples.len, CHANGES);
    ck_assert_uint_lt(p->stacks.len, 300000 + 4 * (CHANGES + DEPTH));
    ck_assert(warns(p, "replaced under too many stacks"));
    profile_free(p);
}

static struct profile *chain(uint32_t depth)
{
    struct profile *p = profile_new();
    uint32_t stack = 0, location;

    *vec_add(&p->processes) = (struct process){.pid = 1};
    *vec_add(&p->threads) = (struct thread){.process = 0};
    location = profile_location(p, &(struct location){.address = 0x1000,
                                                      .module = NO_ID,
                                                      .method = NO_ID});
    for (uint32_t i = 0; i < depth; i++) {
        stack = profile_stack(p, stack, location);
        profile_sample(p, &(struct sample){.time = i,
                                           .stack = stack,
                                           .weight = 1,
                                           .flags = SAMPLE_HAS_STACK});
    }
    profile_finish(p);
    return p;
}

/* Their frames are not out of proportion. */
TEST(deep_stacks_stay)
{
    struct profile *p = written(chain(4000));

    for (size_t i = 0; i < p->samples.len; i++)
        ck_assert_uint_eq(depth_of(p, p->samples.stack[i]), i + 1);
    ck_assert_uint_eq(p->quality.warnings.len, 0);
    profile_free(p);
}

/* A sample at each of so many nodes is: two hundred million frames. */
TEST(databases_begin_anew)
{
    enum { USUAL = 512, NODES = 20000 };
    struct profile *p = written(chain(NODES));

    ck_assert_uint_eq(p->samples.len, NODES);
    for (size_t i = 0; i < p->samples.len; i++) {
        ck_assert_uint_eq(depth_of(p, p->samples.stack[i]), i % USUAL + 1);
        ck_assert_uint_eq(stack_end_of(p->samples.flags[i]) ==
                              STACK_END_DEPTH,
                          i >= USUAL);
    }
    ck_assert(
        warns(p, "deeper than 512 frames, truncated to their leaf frames, "
                 "because all stacks together have too many frames: 39"));
    ck_assert_uint_eq(p->quality.cut_stacks, 39);
    p = written(p);
    ck_assert_uint_eq(p->quality.cut_stacks, 39);
    profile_free(p);
}
