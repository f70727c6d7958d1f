/* Recordings of perf made by the writer, whose answers are known. */
#include <string.h>

#include "engine/format/perfdata/perfdata.h"
#include "engine/recording.h"
#include "tests/support/perfdata_writer.h"
#include "tests/support/profile_check.h"
#include "tests/support/suite.h"

#define KERNEL 0xFFFFFFFF81000000u

static const unsigned forms[] = {
    0,
    PERFDATA_BIG,
    PERFDATA_PIPE,
    PERFDATA_PACKED,
    PERFDATA_BIG | PERFDATA_PIPE,
    PERFDATA_BIG | PERFDATA_PACKED,
    PERFDATA_PIPE | PERFDATA_PACKED,
    PERFDATA_BIG | PERFDATA_PIPE | PERFDATA_PACKED,
    PERFDATA_KILLED,
};

enum { FORMS = sizeof(forms) / sizeof(forms[0]) };

/* ---- reading ---- */

static struct profile *try_read(const uint8_t *data, size_t size,
                                const char *event, struct err *err)
{
    struct read_options options = {
        .threads = 1, .event = event, .jit_folder = "testdata/perfdata"};
    struct entry e = {
        .name = "a.data", .inner = "", .data = data, .size = size};
    struct profile *p = profile_new();

    if (recording_read(&perfdata_format, &e, 1, &options, p, err)) {
        profile_free(p);
        return NULL;
    }
    profile_finish(p);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    return p;
}

static struct profile *read_event(const struct perfdata_writer *w,
                                  const char *event)
{
    struct err err = {0};
    struct profile *p = try_read(w->file.data, w->file.len, event, &err);

    ck_assert_msg(p, "%s", err.message);
    return p;
}

static struct profile *read_written(struct perfdata_writer *w)
{
    struct profile *p;

    perfdata_end(w);
    p = read_event(w, NULL);
    perfdata_free(w);
    return p;
}

/* "inner < outer" of a sample. */
static void assert_stack(const struct profile *p, size_t sample,
                         const char *expected)
{
    char text[1000] = "", name[FUNCTION_NAME_SIZE];
    uint32_t stack = p->samples.stack[sample];

    for (; stack; stack = p->stacks.data[stack].parent) {
        uint32_t start = p->frame_start.data[p->stacks.data[stack].location];
        size_t n = strlen(text);

        snprintf(text + n, sizeof(text) - n, "%s%s", n ? " < " : "",
                 profile_function_name(p, p->frames.data[start].function,
                                       name));
    }
    ck_assert_str_eq(text, expected);
}

/* By frame, innermost first: "." stands where it stopped, "c" called. */
static void assert_roles(const struct profile *p, size_t sample,
                         const char *expected)
{
    uint32_t stack = p->samples.stack[sample];
    char text[100];
    size_t n = 0;

    for (; stack && n + 1 < sizeof(text); stack = p->stacks.data[stack].parent)
        text[n++] = p->locations.data[p->stacks.data[stack].location].caller
                        ? 'c'
                        : '.';
    text[n] = 0;
    ck_assert_str_eq(text, expected);
}

static size_t samples_of(const struct profile *p, const char *process)
{
    size_t n = 0;

    for (size_t i = 0; i < p->samples.len; i++) {
        uint32_t id = p->threads.data[p->samples.thread[i]].process;
        uint32_t name = p->processes.data[id].name;

        n += !strcmp(strings_get(p->strings, name), process);
    }
    return n;
}

static uint64_t count_of(const struct profile *p, const char *event)
{
    for (size_t i = 0; i < p->trace.event_counts.len; i++)
        if (!strcmp(strings_get(p->strings,
                                p->trace.event_counts.data[i].name), event))
            return p->trace.event_counts.data[i].count;
    return 0;
}

/* ---- the shop ---- */

static void assert_shop(const struct profile *p, bool whole)
{
    ck_assert_str_eq(profile_metric_word(p), "cpu-samples");
    ck_assert_int_eq(p->trace.interval_ns, 1000000);
    ck_assert_uint_eq(p->samples.len, 153);
    ck_assert_int_eq(p->trace.duration_ns, 62000600);
    ck_assert_uint_eq(p->quality.lost_events, 7);
    ck_assert_uint_eq(p->quality.skipped_ranges, 0);
    ck_assert_uint_eq(p->quality.malformed, 0);
    ck_assert_uint_eq(samples_of(p, "shop"), 148);
    ck_assert_uint_eq(samples_of(p, "cat"), 2);
    if (whole)
        ck_assert_str_eq(strings_get(p->strings, p->trace.machine), "shop");
    ck_assert_uint_eq(count_of(p, "page-faults"), 3);
    ck_assert_uint_eq(count_of(p, "MMAP2"), 4);
    assert_stack(p, 0, "bpf_prog_count < [kernel.kallsyms]!+0x300");
    assert_stack(p, 1, "shop!+0x1234 < shop!+0x1100");
    assert_stack(p, 2, "libcount.so.1!+0x2042 < shop!+0x1200 < shop!+0x1100");
}

START_TEST(every_form)
{
    struct perfdata_writer w;
    struct profile *p;

    perfdata_shop(&w, forms[_i]);
    p = read_event(&w, NULL);
    assert_shop(p, !(forms[_i] & (PERFDATA_PIPE | PERFDATA_KILLED)));
    assert_stack(p, 7, "[kernel.kallsyms]!+0x500 < [kernel.kallsyms]!+0x100 < "
                       "libcount.so.1!+0x2100 < shop!+0x1200");
    ck_assert_uint_eq(stack_class(p->samples.flags[7]), STACK_FULL);
    /* The child has its parent's memory, until it maps another program. */
    assert_stack(p, 151, "shop!+0x1234");
    assert_stack(p, 152, "cat!+0x1234");
    profile_free(p);
    perfdata_free(&w);
}
END_TEST

START_TEST(names_of_threads)
{
    struct perfdata_writer w;
    struct profile *p;
    unsigned found = 0;

    perfdata_shop(&w, 0);
    p = read_event(&w, NULL);
    for (size_t i = 0; i < p->threads.len; i++) {
        const struct thread *t = &p->threads.data[i];
        const char *name = strings_get(p->strings, t->name);

        found += (t->tid == 40 && !strcmp(name, "shop")) ||
                 (t->tid == 41 && !strcmp(name, "worker")) ||
                 (t->tid == 50 && !strcmp(name, "cat"));
    }
    ck_assert_uint_eq(found, 3);
    profile_free(p);
    perfdata_free(&w);
}
END_TEST

START_TEST(chosen_event)
{
    static const struct {
        const char *event, *metric;
        size_t samples;
    } rows[] = {
        {"cpu", "cpu-samples", 153},
        {"cpu-clock", "cpu-samples", 153},
        {"cpu-clock:u", "cpu-samples", 153},
        {"page-faults", "page-faults", 3},
        {"page-fault", "page-faults", 3},
        {"FAULTS", "page-faults", 3},
    };
    struct perfdata_writer w;
    struct err err = {0};

    perfdata_shop(&w, 0);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct profile *p = read_event(&w, rows[i].event);

        ck_assert_uint_eq(p->samples.len, rows[i].samples);
        ck_assert_str_eq(profile_metric_word(p), rows[i].metric);
        profile_free(p);
    }
    ck_assert(!try_read(w.file.data, w.file.len, "clock", &err));
    ck_assert_int_eq(err.code, ERR_NOT_FOUND);
    perfdata_free(&w);
}
END_TEST

/* Equal periods say nothing; a longest one ends the others. */
START_TEST(periods)
{
    static const struct {
        uint64_t period[3], kept;
    } rows[] = {{{1000, 1000, 1000}, 0},
                {{1, 40, 1600}, 1600},
                {{1, 1, UINT64_MAX}, ((uint64_t)1 << 39) - 1}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct perfdata_writer w;
        struct profile *p;

        perfdata_begin(&w, i == 1 ? PERFDATA_BIG : 0);
        perfdata_event(&w, 0, 0, 1000, "cpu_core/cycles/P");
        for (unsigned k = 0; k < 3; k++)
            perfdata_sample(
                &w, &(struct perfdata_sample){.time = 10 + k,
                                              .ip = 0x401000,
                                              .period = rows[i].period[k],
                                              .pid = 40,
                                              .tid = 40,
                                              .mode = 2});
        p = read_written(&w);
        ck_assert_uint_eq(p->samples.len, 3);
        ck_assert(!p->samples.period == !rows[i].kept);
        if (rows[i].kept)
            ck_assert_uint_eq(p->samples.period[2], rows[i].kept);
        ck_assert_str_eq(strings_get(p->strings, p->trace.period_of),
                         rows[i].kept ? "cycles" : "");
        profile_free(p);
    }
}
END_TEST

/* Names of V8 lose the mark of the tier, those of .NET become methods; the
 * later row of a map holds. */
START_TEST(generated_code)
{
    struct perfdata_writer w;
    struct profile *p;

    perfdata_begin(&w, 0);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_mmap(&w, 0, 40, 0x7F1000000000, 0x10000, 0,
                  "/memfd:doublemapper (deleted)");
    for (uint64_t i = 0; i < 3; i++) {
        uint64_t chain[] = {PERFDATA_USER, 0x7F1000000010 + i * 0x100};

        perfdata_sample(&w, &(struct perfdata_sample){.time = 10 + i,
                                                      .ip = chain[1],
                                                      .pid = 40,
                                                      .tid = 40,
                                                      .mode = 2,
                                                      .chain = chain,
                                                      .chain_count = 2});
    }
    p = read_written(&w);
    assert_stack(p, 0, "total /srv/shop/shop.js:3:9");
    assert_stack(p, 1, "Shop.Cart.Sum(int32[])");
    assert_stack(p, 2, "memfd:doublemapper!+0x210");
    profile_free(p);
}
END_TEST

/* What the only sample, taken in a child, has as its stack. */
static void assert_child(struct perfdata_writer *w, const uint64_t *chain,
                         size_t count, const char *stack)
{
    struct profile *p;

    perfdata_sample(w, &(struct perfdata_sample){.time = 40,
                                                 .ip = chain[1],
                                                 .pid = 60,
                                                 .tid = 60,
                                                 .mode = 2,
                                                 .chain = chain,
                                                 .chain_count = count});
    p = read_written(w);
    assert_stack(p, 0, stack);
    profile_free(p);
}

/* A program run in the place of another keeps it in its children, too: what
 * they copy is all of one time. */
START_TEST(fork_after_exec)
{
    static const uint64_t chain[] = {PERFDATA_USER, 0x401234, 0x407010};
    struct perfdata_writer w;

    perfdata_begin(&w, 0);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_mmap(&w, 0, 40, 0x400000, 0x4000, 0, "/usr/bin/driver");
    perfdata_fork(&w, 10, 50, 50, 40, 40);
    perfdata_comm(&w, 20, 50, 50, "linker", true);
    perfdata_mmap(&w, 21, 50, 0x400000, 0x8000, 0, "/usr/bin/linker");
    perfdata_fork(&w, 30, 60, 60, 50, 50);
    assert_child(&w, chain, 3, "linker!+0x1234 < linker!+0x7010");
}
END_TEST

/* What a library was loaded over, a small file that is mapped no more, stays
 * hidden in children. */
START_TEST(fork_after_mapping_over)
{
    static const uint64_t chain[] = {PERFDATA_USER, 0x7F0000002100};
    struct perfdata_writer w;

    perfdata_begin(&w, 0);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_mmap(&w, 10, 40, 0x7F0000002000, 0x1000, 0, "/etc/list");
    perfdata_mmap(&w, 20, 40, 0x7F0000000000, 0x8000, 0, "/lib/count.so");
    perfdata_fork(&w, 30, 60, 60, 40, 40);
    assert_child(&w, chain, 2, "count.so!+0x2100");
}
END_TEST

/* ---- layouts ---- */

static void one_sample(struct perfdata_writer *w, const struct blob *read,
                       const struct blob *more)
{
    static const uint64_t chain[] = {PERFDATA_KERNEL, KERNEL + 0x10,
                                     PERFDATA_USER, 0x401010, 0x401020};

    perfdata_event(w, 1, 0, 1000, "cpu-clock");
    perfdata_kernel(w, KERNEL, 0x1000000);
    perfdata_mmap(w, 0, 40, 0x400000, 0x4000, 0, "/srv/shop/shop");
    perfdata_sample(w, &(struct perfdata_sample){.time = 10,
                                                 .ip = KERNEL + 0x10,
                                                 .pid = 40,
                                                 .tid = 40,
                                                 .mode = 1,
                                                 .chain = chain,
                                                 .chain_count = 5,
                                                 .read = read,
                                                 .more = more});
}

#define PLAIN                                                                  \
    "[kernel.kallsyms]!+0x10 < shop!+0x1010 < shop!+0x1020"

/* Counters that were read stand before the chain: alone and in groups. */
START_TEST(counters)
{
    for (unsigned format = 0; format < 32; format++) {
        unsigned times = (format & 1) + (format >> 1 & 1);
        unsigned each = 1 + (format >> 2 & 1) + (format >> 4 & 1);
        struct perfdata_writer w;
        struct blob read = {0};
        struct profile *p;

        perfdata_begin(&w, format % 2 ? PERFDATA_BIG : 0);
        w.more_fields = 1 << 4;
        w.read_format = format;
        if (format & 8) {
            perfdata_put(&w, &read, 3, 8);
            blob_zero(&read, (times + 3 * each) * 8);
        } else {
            blob_zero(&read, (times + each) * 8);
        }
        one_sample(&w, &read, NULL);
        p = read_written(&w);
        assert_stack(p, 0, PLAIN);
        profile_free(p);
        vec_release(&read);
    }
}
END_TEST

/* Branches kept as calls stand for the user part. */
START_TEST(branches_as_calls)
{
    for (unsigned big = 0; big < 2; big++) {
        const uint64_t branches[][2] = {
            {0x401300, 0x401200}, {0x401400, 0x401280}, {0x401500, 0x401380}};
        struct perfdata_writer w;
        struct blob more = {0};
        struct profile *p;

        perfdata_begin(&w, big ? PERFDATA_BIG : 0);
        w.more_fields = 1 << 11;
        w.branch_type = 1 << 11 | 1 << 17 | 1 << 19;
        perfdata_put(&w, &more, 3, 8);
        perfdata_put(&w, &more, 0, 8); /* HW_INDEX */
        for (unsigned i = 0; i < 3; i++) {
            perfdata_put(&w, &more, branches[i][0], 8);
            perfdata_put(&w, &more, branches[i][1], 8);
            perfdata_put(&w, &more, 0, 8);
        }
        blob_zero(&more, 3 * 8); /* COUNTERS */
        one_sample(&w, NULL, &more);
        p = read_written(&w);
        assert_stack(p, 0, "[kernel.kallsyms]!+0x10 < shop!+0x1200 < "
                           "shop!+0x1300 < shop!+0x1400 < shop!+0x1500");
        assert_roles(p, 0, ".....");
        profile_free(p);
        vec_release(&more);
    }
}
END_TEST

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
START_TEST(walked_stack)
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
END_TEST

/* The handler returns to the first byte of the trampoline, where nothing was
 * called; what the signal interrupted had just begun. */
START_TEST(walked_signal)
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
END_TEST

/* ---- damage ---- */

/* Cut at every length: an error that names the file, or what is left. */
START_TEST(cut_anywhere)
{
    struct perfdata_writer w;
    size_t last = 0;

    perfdata_shop(&w, forms[_i]);
    for (size_t n = 0; n < w.file.len; n += n < 1000 ? 1 : 7) {
        struct err err = {0};
        uint8_t *bytes = mem_new(n + 1, 1);
        struct profile *p;

        memcpy(bytes, w.file.data, n);
        p = n >= 16 ? try_read(bytes, n, NULL, &err) : NULL;
        ck_assert(p || n < 16 || strstr(err.message, "a.data"));
        if (p) {
            ck_assert_uint_ge(p->samples.len, last);
            last = p->samples.len;
        }
        profile_free(p);
        free(bytes);
    }
    ck_assert_uint_ge(last, 150);
    perfdata_free(&w);
}
END_TEST

/* 60 % of a file has about 60 % of its samples, and it is said. In a small
 * pipe what comes before them counts, too. */
START_TEST(cut_to_sixty_percent)
{
    struct perfdata_writer w;
    struct err err = {0};
    struct profile *p;

    perfdata_shop(&w, forms[_i]);
    p = try_read(w.file.data, w.file.len * 6 / 10, NULL, &err);
    ck_assert_msg(p, "%s", err.message);
    ck_assert_uint_gt(p->samples.len, 153 * 40 / 100);
    ck_assert_uint_lt(p->samples.len, 153 * 70 / 100);
    ck_assert_uint_gt(p->quality.skipped_ranges, 0);
    profile_free(p);
    perfdata_free(&w);
}
END_TEST

/* The part of a packed record that is there has records of its own. */
START_TEST(cut_in_packed_record)
{
    enum { SAMPLES = 20000 };
    struct perfdata_writer w;
    struct err err = {0};
    struct profile *p;
    uint64_t state = 1;

    perfdata_begin(&w, PERFDATA_PACKED);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    w.packed_chunk = 500000;
    for (uint64_t i = 0; i < SAMPLES; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        perfdata_sample(&w, &(struct perfdata_sample){
                                .time = 10 + i,
                                .ip = 0x401000 + (state >> 40) % 64,
                                .pid = 40,
                                .tid = 40,
                                .mode = 2});
    }
    perfdata_end(&w);
    p = try_read(w.file.data, w.file.len * 6 / 10, NULL, &err);
    ck_assert_msg(p, "%s", err.message);
    ck_assert_uint_gt(p->samples.len, SAMPLES * 50 / 100);
    ck_assert_uint_lt(p->samples.len, SAMPLES * 65 / 100);
    ck_assert_uint_gt(p->quality.skipped_ranges, 0);
    profile_free(p);
    perfdata_free(&w);
}
END_TEST

START_TEST(changed_bytes)
{
    struct perfdata_writer w;
    uint64_t state = 0x9E3779B97F4A7C15u;

    perfdata_shop(&w, forms[_i]);
    for (unsigned i = 0; i < 3000; i++) {
        struct err err = {0};
        uint8_t old;
        size_t at;

        state = state * 6364136223846793005u + 1442695040888963407u;
        at = 16 + (size_t)((state >> 20) % (w.file.len - 16));
        old = w.file.data[at];
        w.file.data[at] ^= (uint8_t)(1u << (state >> 60) % 8);
        profile_free(try_read(w.file.data, w.file.len, NULL, &err));
        w.file.data[at] = old;
    }
    perfdata_free(&w);
}
END_TEST

/* Records go on behind what is none. */
START_TEST(garbage_inside)
{
    struct perfdata_writer w;
    struct profile *p;

    perfdata_shop(&w, 0);
    memset(w.file.data + 4096, 0xA5, 1024);
    p = read_event(&w, NULL);
    ck_assert_uint_gt(p->samples.len, 135);
    ck_assert_uint_eq(p->quality.skipped_ranges, 1);
    ck_assert_uint_lt(p->quality.skipped_bytes, 1024 + 200);
    profile_free(p);
    perfdata_free(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("perfdata");
    TCase *tcase = tcase_create("perfdata");
    SRunner *runner;
    int failed;

    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, every_form, 0, FORMS);
    tcase_add_test(tcase, names_of_threads);
    tcase_add_test(tcase, chosen_event);
    tcase_add_test(tcase, periods);
    tcase_add_test(tcase, generated_code);
    tcase_add_test(tcase, fork_after_exec);
    tcase_add_test(tcase, fork_after_mapping_over);
    tcase_add_test(tcase, counters);
    tcase_add_test(tcase, branches_as_calls);
    tcase_add_loop_test(tcase, walked_stack, 0, 2);
    tcase_add_test(tcase, walked_signal);
    tcase_add_loop_test(tcase, cut_anywhere, 0, FORMS);
    tcase_add_loop_test(tcase, cut_to_sixty_percent, 0, FORMS);
    tcase_add_test(tcase, cut_in_packed_record);
    tcase_add_loop_test(tcase, changed_bytes, 0, FORMS);
    tcase_add_test(tcase, garbage_inside);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
