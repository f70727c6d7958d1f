/* What a page holds, number by number, and what goes where it is too much. */
#include "report/page/page.h"

#include <zlib.h>

#include "report/report.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

/* The numbers of a packed block, as "1 2 300 ". */
static void numbers_of(const struct page_bytes *b, char *text, size_t room)
{
    uint8_t bytes[4000];
    uLong size = sizeof(bytes);
    size_t n = 0;

    *text = '\0';
    ck_assert_int_eq(
        uncompress(bytes, &size, b->bytes.data, (uLong)b->bytes.len), Z_OK);
    for (uLong i = 0; i < size; i++) {
        uint64_t value = bytes[i] & 0x7F;

        for (unsigned shift = 7; bytes[i] & 0x80; shift += 7)
            value |= (uint64_t)(bytes[++i] & 0x7F) << shift;
        n += (size_t)snprintf(text + n, room - n, "%llu ",
                              (unsigned long long)value);
    }
}

static void assert_numbers(const struct page_bytes *b, const char *wanted)
{
    char text[4000];

    numbers_of(b, text, sizeof(text));
    ck_assert_str_eq(text, wanted);
}

static void put(struct profile *p, uint32_t thread, int64_t time,
                uint32_t stack, uint16_t cpu)
{
    struct sample s = {.time = time,
                       .thread = thread,
                       .stack = stack,
                       .cpu = cpu,
                       .weight = 1,
                       .flags = stack ? SAMPLE_HAS_STACK : 0};

    profile_sample(p, &s);
}

/* Two processes whose ids and names are in different orders, three threads
 * of which one has no samples, and stacks of every kind. */
static struct profile *small_profile(void)
{
    struct builder *b = builder_new("app.etl");
    uint32_t late = builder_thread(b, 20, "a.exe", 21);
    uint32_t second = builder_thread(b, 10, "b.exe", 13);
    uint32_t first = builder_thread(b, 10, "b.exe", 12);
    struct profile *p;

    builder_thread(b, 10, "b.exe", 14);
    builder_samples(b, late, 1, "m!b");
    builder_samples(b, late, 1, "m!b;[kernel]k!c");
    builder_samples(b, late, 1, "m!a;[jit]!d");
    p = builder_finish(b);
    profile_reopen(p);
    put(p, second, 10000000, 1, 3);
    put(p, first, 20000000, 2, 1);
    put(p, first, 20000001, 2, 1);
    put(p, first, 20000002, 2, 0);
    put(p, first, 39999999, 1, 1);
    put(p, late, 40000000, 0, 2);
    profile_finish(p);
    p->trace.duration_ns = 1000000;
    return p;
}

static void take(struct page_data *d, const struct profile *p,
                 const struct selection *sel, struct page_side *side)
{
    *d = (struct page_data){.rows = 0};
    *side = (struct page_side){.p = p, .sel = sel};
    page_stacks_add(&d->stacks, side);
    page_stacks_finish(&d->stacks);
    page_threads(d, side);
    page_tree_make(&d->tree, &d->stacks, 100, 100);
}

TEST(samples_that_are_alike_within_a_step)
{
    struct profile *p = small_profile();
    struct selection *sel = selection_new(p, NULL);
    struct page_side side;
    struct page_data d;

    take(&d, p, sel, &side);
    ck_assert_uint_eq(d.threads.len, 3);
    ck_assert_uint_eq(p->threads.data[d.threads.data[0]].tid, 12);
    ck_assert_uint_eq(p->threads.data[d.threads.data[1]].tid, 13);
    ck_assert_uint_eq(p->threads.data[d.threads.data[2]].tid, 21);
    ck_assert_uint_eq(d.processes.len, 2);
    ck_assert_int_eq(d.end, 40000000); /* the last sample is behind the end */
    page_rows(&d, &side, 4, true);
    page_bytes_pack(&d.samples);
    ck_assert_int_eq(d.step, 10000001);
    ck_assert_uint_eq(d.rows, 8);
    ck_assert(d.has_cpus);
    assert_numbers(&d.samples, "3 1 4 "           /* rows of each thread */
                               "1 1 1 0 0 0 0 3 " /* changes of the step */
                               "8 0 1 6 4 2 2 7 " /* and of the node */
                               "1 0 0 0 0 0 0 0 " /* samples less 1 */
                               "449 449 450 450 20 450 449 448 " /* code */
                               "1 0 1 3 0 0 0 2 ");
    page_rows(&d, &side, 4, false);
    page_bytes_pack(&d.samples);
    ck_assert_uint_eq(d.rows, 8);
    ck_assert(!d.has_cpus);
    assert_numbers(&d.samples, "3 1 4 1 1 1 0 0 0 0 3 8 0 1 6 4 2 2 7 "
                               "1 0 0 0 0 0 0 0 "
                               "449 449 450 450 20 450 449 448 ");
    page_rows(&d, &side, 1, true);
    page_bytes_pack(&d.samples);
    ck_assert_int_eq(d.step, 40000001);
    assert_numbers(&d.samples, "3 1 4 0 0 0 0 0 0 0 0 6 2 0 6 0 4 2 2 "
                               "0 0 1 0 0 0 0 0 "
                               "450 449 449 450 448 20 450 449 "
                               "1 0 1 3 2 0 0 0 ");
    page_data_release(&d);
    selection_free(sel);
    profile_free(p);
}

/* Functions of one label by module, by name and by kind; what is inlined
 * comes behind what is not. */
TEST(functions_of_one_label)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 1, "p", 2);
    struct selection *sel;
    struct page_side side;
    struct page_data d;
    struct profile *p;

    builder_samples(b, t, 1, "n!f(int)");
    builder_samples(b, t, 2, "m!f(long)");
    builder_samples(b, t, 3, "m!f(int)");
    builder_samples(b, t, 5, "m!f(int)<m!g");
    builder_samples(b, t, 6, "m!g;m!f(int)");
    p = builder_finish(b);
    sel = selection_new(p, NULL);
    take(&d, p, sel, &side);
    page_names(&d, NULL);
    ck_assert_uint_eq(d.tree.functions.len, 5);
    ck_assert_str_eq(d.tree.functions.data[0].name, "f(int)");
    ck_assert_str_eq(d.tree.functions.data[0].module, "m");
    ck_assert_str_eq(d.tree.functions.data[1].module, "n");
    ck_assert_str_eq(d.tree.functions.data[2].name, "f(long)");
    ck_assert_str_eq(d.tree.functions.data[3].label, "g");
    ck_assert_str_eq(d.tree.functions.data[4].label, "[other]");
    for (size_t i = 1; i < d.tree.nodes.len; i++)
        ck_assert_uint_eq(d.tree.nodes.data[i].count[0],
                          ((const uint64_t[]){3, 1, 2, 0, 6, 5})[i - 1]);
    ck_assert(!d.tree.nodes.data[5].inlined && d.tree.nodes.data[6].inlined);
    page_data_release(&d);
    selection_free(sel);
    profile_free(p);
}

/* Those with fewest samples go, and of those with as many the deepest. Their
 * samples stay in their function, below the nearest caller that stays. */
TEST(nodes_that_go)
{
    static const struct {
        size_t most, functions, nodes, left_out;
        uint64_t samples;
        const char *shape; /* label:depth:count */
    } rows[] = {
        {9, 9, 9, 0, 0, "a:1:10 b:2:4 c:3:1 d:3:2 e:2:3 f:1:5 g:2:1 h:3:1 "},
        {5, 9, 9, 0, 0, "a:1:10 b:2:4 c:3:1 d:3:2 e:2:3 f:1:5 g:2:1 h:3:1 "},
        {4, 9, 9, 0, 1, "a:1:10 b:2:4 c:3:1 d:3:2 e:2:3 f:1:5 g:2:1 h:2:1 "},
        {2, 9, 9, 0, 4, "a:1:10 b:2:4 c:2:1 d:2:2 e:2:3 f:1:5 g:2:1 h:2:1 "},
        {1, 9, 9, 0, 5, "a:1:10 b:2:4 c:2:1 d:2:2 e:2:3 f:1:5 g:1:1 h:1:1 "},
        {0, 9, 9, 0, 12, "a:1:10 b:1:4 c:1:1 d:1:2 e:1:3 f:1:5 g:1:1 h:1:1 "},
        {9, 2, 8, 1, 13,
         "a:1:10 b:2:4 [other]:3:3 [other]:2:3 [other]:1:5 [other]:2:1 "
         "[other]:3:1 "},
        {0, 2, 4, 5, 17, "a:1:10 b:1:4 [other]:1:13 "},
    };
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 1, "p", 2);
    struct selection *sel;
    struct profile *p;

    builder_samples(b, t, 10, "m!a");
    builder_samples(b, t, 4, "m!a;m!b");
    builder_samples(b, t, 1, "m!a;m!b;m!c");
    builder_samples(b, t, 2, "m!a;m!b;m!d");
    builder_samples(b, t, 3, "m!a;m!e");
    builder_samples(b, t, 5, "m!f");
    builder_samples(b, t, 1, "m!f;m!g");
    builder_samples(b, t, 1, "m!f;m!g;m!h");
    p = builder_finish(b);
    sel = selection_new(p, NULL);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct page_stacks stacks = {.node_of = NULL};
        struct page_side side = {.p = p, .sel = sel};
        struct page_tree tree = {.left_out = 0};
        char shape[400] = "";
        size_t n = 0;

        page_stacks_add(&stacks, &side);
        page_stacks_finish(&stacks);
        page_tree_make(&tree, &stacks, rows[i].most, rows[i].functions);
        for (size_t k = 1; k < tree.nodes.len; k++) {
            const struct page_node *node = &tree.nodes.data[k];

            n += (size_t)snprintf(shape + n, sizeof(shape) - n, "%s:%u:%u ",
                                  tree.functions.data[node->function].label,
                                  (unsigned)node->depth,
                                  (unsigned)node->count[0]);
        }
        ck_assert_str_eq(shape, rows[i].shape);
        ck_assert_uint_eq(tree.nodes.len, rows[i].nodes);
        ck_assert_uint_eq(tree.left_out, rows[i].left_out);
        ck_assert_uint_eq(tree.left_out_samples, rows[i].samples);
        page_tree_release(&tree);
        ck_assert_uint_eq(tree.left_out + tree.left_out_samples, 0);
        page_stacks_release(&stacks);
    }
    selection_free(sel);
    profile_free(p);
}

static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Samples that no two of are alike, so that nothing packs them. */
static struct profile *dense_profile(uint32_t samples)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 1, "p", 2), state = 3;
    struct profile *p;
    char stack[40];

    for (int i = 0; i < 1000; i++) {
        snprintf(stack, sizeof(stack), "m!f%d;m!g%d", i % 40, i);
        builder_samples(b, t, 1, stack);
    }
    p = builder_finish(b);
    profile_reopen(p);
    for (uint32_t i = 0; i < samples; i++) {
        uint16_t cpu = (uint16_t)(next(&state) % 128);
        uint32_t at = 1 + next(&state) % (uint32_t)(p->stacks.len - 1);

        put(p, t, 2000000000 + (int64_t)i * 4096 + next(&state) % 4096, at,
            cpu);
    }
    profile_finish(p);
    return p;
}

/* Processors first, then steps become longer, then there are fewer nodes. */
TEST(what_gives_way)
{
    static const struct {
        uint32_t samples;
        bool wants_source, has_cpus;
        int64_t parts; /* of the time */
        size_t rows;
    } rows[] = {
        {100000, false, true, 1048562, 101000},
        {650000, true, false, 1048436, 650880},
        {1300000, false, false, 262142, 1297357},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct profile *p = dense_profile(rows[i].samples);
        struct selection *sel = selection_new(p, NULL);
        struct page_side side = {.p = p, .sel = sel};
        struct page_data d = {.wants_source = rows[i].wants_source};

        page_data_make(&d, &side, 1);
        ck_assert_int_eq(d.has_cpus, rows[i].has_cpus);
        ck_assert_int_eq(d.end / d.step, rows[i].parts);
        ck_assert_uint_eq(d.rows, rows[i].rows);
        ck_assert_uint_eq(d.tree.nodes.len, 1041);
        page_data_release(&d);
        selection_free(sel);
        profile_free(p);
    }
}

/* A thousand functions with random names that do not compress; the first has
 * most samples. */
static struct profile *wordy_profile(void)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop"
                                  "qrstuvwxyz0123456789_$";
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 1, "p", 2), state = 3;
    struct profile *p = builder_finish(b);

    profile_reopen(p);
    for (uint32_t i = 0; i < 1000; i++) {
        struct frame frame = {.line = 0};
        struct location l = {
            .address = 0x1000 + i, .module = NO_ID, .method = NO_ID};
        char name[1300];
        uint32_t location, stack;

        for (size_t k = 0; k < sizeof(name); k++)
            name[k] = letters[next(&state) >> 16 & 63];
        frame.function = profile_function(
            p, &(struct function){
                   .name = strings_add(p->strings, name, sizeof(name))});
        location = profile_location(p, &l);
        profile_set_frames(p, location, &frame, 1);
        stack = profile_stack(p, 0, location);
        for (uint32_t k = 0; k <= (1000 - i) / 100; k++)
            put(p, t, (int64_t)i * 1000, stack, 0);
    }
    profile_finish(p);
    return p;
}

/* Names take a third of the room at most: until then functions become fewer,
 * and the rest are "[other]". */
TEST(names_that_take_too_much)
{
    struct profile *p = wordy_profile();
    struct selection *sel = selection_new(p, NULL);
    struct page_side side = {.p = p, .sel = sel};
    struct page_data d = {.wants_source = true};
    uint8_t bytes[8000];
    uLong size = sizeof(bytes);

    page_data_make(&d, &side, 1);
    ck_assert_uint_eq(d.tree.functions.len, 501);
    ck_assert_uint_eq(d.tree.functions.data[500].inclusive[0], 1505);
    ck_assert_uint_eq(d.tree.nodes.len, 502);
    ck_assert_uint_eq(d.tree.left_out, 499);
    ck_assert_uint_eq(d.tree.left_out_samples, 1505);
    ck_assert_int_eq(
        uncompress(bytes, &size, d.nodes.bytes.data, (uLong)d.nodes.bytes.len),
        Z_OK);
    /* Four columns of nodes, of which numbers of functions may take two bytes,
     * and one of functions. */
    ck_assert_uint_eq(size, 4 * 501 + 373 + 501 + 2);
    page_data_release(&d);
    selection_free(sel);
    profile_free(p);
}
