/* Layouts of samples, and what stacks are made of. */
#include "tests/support/perfdata_read.h"
#include "tests/support/suite.h"

static void one_sample(struct perfdata_writer *w, const struct blob *read,
                       const struct blob *more)
{
    static const uint64_t chain[] = {PERFDATA_KERNEL, KERNEL_BASE + 0x10,
                                     PERFDATA_USER, 0x401010, 0x401020};

    perfdata_event(w, 1, 0, 1000, "cpu-clock");
    perfdata_kernel(w, KERNEL_BASE, 0x1000000);
    perfdata_mmap(w, 0, 40, 0x400000, 0x4000, 0, "/srv/shop/shop");
    perfdata_sample(w, &(struct perfdata_sample){.time = 10,
                                                 .ip = KERNEL_BASE + 0x10,
                                                 .pid = 40,
                                                 .tid = 40,
                                                 .mode = 1,
                                                 .chain = chain,
                                                 .chain_count = 5,
                                                 .read = read,
                                                 .more = more});
}

#define PLAIN "[kernel.kallsyms]!+0x10 < shop!+0x1010 < shop!+0x1020"

/* Counters that were read stand before the chain: alone and in groups. */
TEST(counters)
{
    for (unsigned format = 0; format < 32; format++) {
        size_t times = (format & 1) + (format >> 1 & 1);
        size_t each = 1 + (format >> 2 & 1) + (format >> 4 & 1);
        struct perfdata_writer w;
        struct blob read = {0};
        struct profile *p;

        perfdata_begin(&w, format % 2 ? PERFDATA_BIG : 0);
        w.more_fields = 1 << 4;
        w.read_format = format;
        if (format & 8) {
            perfdata_put(&w, &read, 3, 8);
            blob_zero(&read, times * 8);
        }
        for (int i = 0; i < (format & 8 ? 3 : 1); i++) {
            perfdata_put(&w, &read, 7, 8);
            blob_zero(&read, (each - 1) * 8);
        }
        if (!(format & 8))
            blob_zero(&read, times * 8);
        one_sample(&w, &read, NULL);
        p = read_written(&w);
        ck_assert_uint_eq(p->samples.len, 1);
        ck_assert_uint_eq(p->samples.period[0], 7);
        assert_stack(p, 0, PLAIN);
        profile_free(p);
        vec_release(&read);
    }
}

/* The latest first: of three calls, from where and where to. */
static void put_branches(const struct perfdata_writer *w, struct blob *more)
{
    static const uint64_t branches[][2] = {
        {0x401300, 0x401200}, {0x401400, 0x401280}, {0x401500, 0x401380}};

    perfdata_put(w, more, 3, 8);
    perfdata_put(w, more, 0, 8); /* HW_INDEX */
    for (unsigned i = 0; i < 3; i++) {
        perfdata_put(w, more, branches[i][0], 8);
        perfdata_put(w, more, branches[i][1], 8);
        perfdata_put(w, more, 0, 8);
    }
    blob_zero(more, (size_t)3 * 8); /* COUNTERS */
}

/* Branches kept as calls stand for the callers of the user part, whatever the
 * kernel walked; the innermost is where user code stopped. */
static const struct {
    uint16_t mode;
    uint64_t ip;
    uint64_t chain[5];
    size_t chain_count;
    const char *stack, *roles;
} calls[] = {
    {1,
     KERNEL_BASE + 0x10,
     {PERFDATA_KERNEL, KERNEL_BASE + 0x10, PERFDATA_USER, 0x401010, 0x401020},
     5,
     "[kernel.kallsyms]!+0x10 < shop!+0x1010 < "
     "shop!+0x1300 < shop!+0x1400 < shop!+0x1500",
     "....."},
    {1,
     KERNEL_BASE + 0x10,
     {PERFDATA_KERNEL, KERNEL_BASE + 0x10},
     2,
     "[kernel.kallsyms]!+0x10 < shop!+0x1200 < "
     "shop!+0x1300 < shop!+0x1400 < shop!+0x1500",
     "....."},
    {2,
     0x401234,
     {PERFDATA_USER, 0x401234, 0x401301},
     3,
     "shop!+0x1234 < shop!+0x1300 < shop!+0x1400 < shop!+0x1500",
     "...."},
    {2,
     0x401234,
     {0},
     0,
     "shop!+0x1234 < shop!+0x1300 < shop!+0x1400 < shop!+0x1500",
     "...."},
};

enum { CALLS = COUNT(calls) };

TEST_LOOP(branches_as_calls, 2 * CALLS)
{
    unsigned row = (unsigned)_i / 2;
    struct perfdata_writer w;
    struct blob more = {0};
    struct profile *p;

    perfdata_begin(&w, _i % 2 ? PERFDATA_BIG : 0);
    w.more_fields = 1 << 11;
    w.branch_type = 1 << 11 | 1 << 17 | 1 << 19;
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_kernel(&w, KERNEL_BASE, 0x1000000);
    perfdata_mmap(&w, 0, 40, 0x400000, 0x4000, 0, "/srv/shop/shop");
    put_branches(&w, &more);
    perfdata_sample(
        &w, &(struct perfdata_sample){.time = 10,
                                      .ip = calls[row].ip,
                                      .pid = 40,
                                      .tid = 40,
                                      .mode = calls[row].mode,
                                      .chain = calls[row].chain,
                                      .chain_count = calls[row].chain_count,
                                      .more = &more});
    p = read_written(&w);
    assert_stack(p, 0, calls[row].stack);
    assert_roles(p, 0, calls[row].roles);
    profile_free(p);
    vec_release(&more);
}

/* ---- limits ---- */

/* Of a chain of kernel and user addresses, and of calls. */
static const struct {
    unsigned kernel, user, calls;
    uint16_t max_stack;
    enum stack_end end;
} limits[] = {
    {2, 9, 0, 0, STACK_END_UNKNOWN},   {2, 125, 0, 0, STACK_END_DEPTH},
    {0, 127, 0, 0, STACK_END_DEPTH},   {127, 0, 0, 0, STACK_END_DEPTH},
    {2, 124, 0, 0, STACK_END_UNKNOWN}, {2, 126, 0, 0, STACK_END_UNKNOWN},
    {2, 9, 0, 11, STACK_END_DEPTH},    {2, 8, 0, 11, STACK_END_UNKNOWN},
    {2, 125, 0, 200, STACK_END_UNKNOWN},
    {2, 9, 8, 0, STACK_END_DEPTH},     {2, 9, 9, 0, STACK_END_UNKNOWN},
    {0, 127, 9, 0, STACK_END_UNKNOWN}, {2, 9, 32, 0, STACK_END_DEPTH},
};

enum { LIMITS = COUNT(limits) };

TEST_LOOP(limits_of_chains, 2 * LIMITS)
{
    unsigned row = (unsigned)_i / 2;
    uint64_t chain[200];
    size_t n = 0;
    struct perfdata_writer w;
    struct blob more = {0};
    struct profile *p;

    perfdata_begin(&w, _i % 2 ? PERFDATA_BIG : 0);
    w.max_stack = limits[row].max_stack;
    w.more_fields = 1 << 11;
    w.branch_type = 1 << 11;
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    if (limits[row].kernel)
        chain[n++] = PERFDATA_KERNEL;
    for (unsigned i = 0; i < limits[row].kernel; i++)
        chain[n++] = KERNEL_BASE + i;
    if (limits[row].user)
        chain[n++] = PERFDATA_USER;
    for (unsigned i = 0; i < limits[row].user; i++)
        chain[n++] = 0x401000 + i;
    perfdata_put(&w, &more, limits[row].calls, 8);
    for (unsigned i = 0; i < limits[row].calls; i++) {
        perfdata_put(&w, &more, 0x401000 + i, 8);
        perfdata_put(&w, &more, 0x402000 + i, 8);
        perfdata_put(&w, &more, 0, 8);
    }
    perfdata_sample(&w, &(struct perfdata_sample){.time = 10,
                                                  .ip = 0x401000,
                                                  .pid = 40,
                                                  .tid = 40,
                                                  .mode = 2,
                                                  .chain = chain,
                                                  .chain_count = n,
                                                  .more = &more});
    p = read_written(&w);
    ck_assert_msg(stack_end_of(p->samples.flags[0]) == limits[row].end,
                  "%u: %s", row,
                  stack_end_word(stack_end_of(p->samples.flags[0])));
    profile_free(p);
    vec_release(&more);
}

/* ---- walked stacks ---- */

/* Rules of a program that subtracts 16 from its stack pointer everywhere; at
 * 0x1700 signal handlers return to it. */
static void *open_rules(void *state, const struct profile *p, uint32_t module)
{
    (void)p;
    (void)module;
    return state;
}

static bool find_rules(void *opened, uint64_t address, struct frame_row *row)
{
    (void)opened;
    if (address < 0x1000 || address >= 0x2000)
        return false;
    *row = (struct frame_row){
        .base = 7,
        .return_register = 16,
        .signal = address >= 0x16FF && address < 0x1710,
    };
    row->frame = (struct frame_rule){.kind = RULE_REGISTER, .offset = 24};
    row->rules[16] = (struct frame_rule){.kind = RULE_SAVED, .offset = -8};
    return true;
}

static void close_rules(void *opened)
{
    (void)opened;
}

static struct profile *walk(const struct perfdata_writer *w)
{
    static int state;
    struct frame_rules_source rules = {.state = &state,
                                       .open = open_rules,
                                       .find = find_rules,
                                       .close = close_rules};
    struct read_options options = {.threads = 1, .frames = &rules};
    struct entry e = {.name = "a.data",
                      .inner = "inner",
                      .data = w->file.data,
                      .size = w->file.len};
    struct err err = {0};
    struct profile *p = profile_new();

    ck_assert_msg(!recording_read(&perfdata_format, &e, 1, &options, p, &err),
                  "%s", err.message);
    profile_finish(p);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    return p;
}

/* A recording of one sample at 0x401000 whose stack is copied from `sp`. */
static struct profile *walk_memory(unsigned how, uint64_t sp,
                                   uint64_t frame_pointer,
                                   const uint64_t *words, size_t count)
{
    static const uint64_t user[] = {PERFDATA_USER};
    struct perfdata_writer w;
    struct blob more = {0};
    struct profile *p;

    perfdata_begin(&w, how);
    w.more_fields = 1 << 12 | 1 << 13;
    w.user_registers = 1 << 6 | 1 << 7 | 1 << 8; /* bp, sp, ip */
    perfdata_put(&w, &more, 2, 8);
    perfdata_put(&w, &more, frame_pointer, 8);
    perfdata_put(&w, &more, sp, 8);
    perfdata_put(&w, &more, 0x401000, 8);
    perfdata_put(&w, &more, count * 8, 8);
    for (size_t i = 0; i < count; i++)
        perfdata_put(&w, &more, words[i], 8);
    perfdata_put(&w, &more, count * 8, 8);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_mmap(&w, 0, 40, 0x400000, 0x4000, 0, "/srv/shop/shop");
    perfdata_mmap(&w, 0, 40, 0x7F1000000000, 0x10000, 0, "//anon");
    perfdata_sample(&w, &(struct perfdata_sample){.time = 10,
                                                  .ip = 0x401000,
                                                  .pid = 40,
                                                  .tid = 40,
                                                  .mode = 2,
                                                  .chain = user,
                                                  .chain_count = 1,
                                                  .more = &more});
    perfdata_end(&w);
    p = walk(&w);
    perfdata_free(&w);
    vec_release(&more);
    return p;
}

/* From a call in the program to one more, to the frame pointers of generated
 * code, to a caller of that; the copy ends there. */
TEST_LOOP(walked_stack, 2)
{
    const uint64_t sp = 0x7FFF0000,
                   words[] = {
                       0, 0,         0x401111,       /* sp: frame of 0x401000 */
                       0, 0,         0x7F1000000123, /* of 0x401111 */
                       0, sp + 0x60, 0x7F1000000456, 0, 0,
                       0, 0,         0x401222,       0, 0, /* sp + 0x60 */
                   };
    struct profile *p = walk_memory(_i ? PERFDATA_PACKED : 0, sp, sp + 0x38,
                                    words, sizeof(words) / 8);

    assert_stack(p, 0,
                 "shop!+0x1000 < shop!+0x1111 < "
                 "[anon]!+0x7f1000000123 < [anon]!+0x7f1000000456 < "
                 "shop!+0x1222");
    assert_roles(p, 0, ".cccc");
    ck_assert_uint_eq(p->quality.warnings.len, 1); /* the copy was too short */
    profile_free(p);
}

/* The handler returns to the first byte of the trampoline, where nothing was
 * called; what the signal interrupted had just begun. */
TEST(walked_signal)
{
    const uint64_t sp = 0x7FFF0000,
                   words[] = {
                       0, 0, 0x401111,
                       0, 0, 0x401700, /* the handler's: 0x401111 */
                       0, 0, 0x401222, /* the trampoline's */
                       0, 0, 0x401333,
                       0, 0, 0,
                   };
    struct profile *p = walk_memory(0, sp, 0, words, sizeof(words) / 8);

    assert_stack(p, 0,
                 "shop!+0x1000 < shop!+0x1111 < shop!+0x1700 < "
                 "shop!+0x1222 < shop!+0x1333");
    assert_roles(p, 0, ".c..c");
    profile_free(p);
}
