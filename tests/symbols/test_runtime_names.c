/* Files that perf writes for code of runtimes: names as runtimes spell them. */
#include "symbols/find/places.h"
#include "symbols/name_source.h"
#include "symbols/naming.h"
#include "tests/support/suite.h"

static const struct places nowhere;

static const struct {
    const char *module, *symbol;
    const char *name, *of, *by_module;
    enum code_kind kind;
} rows[] = {
    {"jitted-40-1.so", "JS:~sum /srv/shop.js:4:9", "sum /srv/shop.js:4:9",
     "[script]", "[script]", CODE_SCRIPT},
    {"jitted-40-2.so", "JS:*sum /srv/shop.js:4:9", "sum /srv/shop.js:4:9",
     "[script]", "[script]", CODE_SCRIPT},
    {"jitted-41-7.so", "JS:~ /srv/shop.js:1:1", "(anonymous) /srv/shop.js:1:1",
     "[script]", "[script]", CODE_SCRIPT},
    {"jitted-42-1.so", "int32 [Orders] Shop.Cart::Sum(int32[])[Optimized]",
     "Shop.Cart.Sum(int32[])", "Orders", "jitted-42-1.so", CODE_MANAGED},
    {"jitted-42-2.so", "int32 [Orders] Shop.Cart::Sum(int32[])[QuickJitted]",
     "Shop.Cart.Sum(int32[])", "Orders", "jitted-42-2.so", CODE_MANAGED},
    {"jitted-42-3.so", "stub", "stub", "jitted-42-3.so", "jitted-42-3.so",
     CODE_NATIVE},
    {"shop.so", "JS:~sum /srv/shop.js:4:9", "JS:~sum /srv/shop.js:4:9",
     "shop.so", "shop.so", CODE_NATIVE},
};

enum { ROWS = COUNT(rows) };

static uint32_t string(struct profile *p, const char *text)
{
    return strings_add(p->strings, text, strlen(text));
}

static struct profile *make_profile(void)
{
    struct profile *p = profile_new();

    p->trace.format = string(p, "perf.data");
    profile_set_metric(p, METRIC_CPU_SAMPLES);
    *vec_add(&p->processes) = (struct process){.pid = 40};
    *vec_add(&p->threads) = (struct thread){.process = 0};
    for (uint32_t i = 0; i < ROWS; i++) {
        struct location l = {.address = 0x10,
                             .module = i,
                             .method = NO_ID,
                             .kind = CODE_NATIVE,
                             .cause = CAUSE_NO_SYMBOLS};

        *vec_add(&p->modules) =
            (struct module){.name = string(p, rows[i].module)};
        profile_sample(
            p, &(struct sample){
                   .stack = profile_stack(p, 0, profile_location(p, &l)),
                   .weight = 1,
                   .flags = SAMPLE_HAS_STACK | SAMPLE_USER_PART,
               });
    }
    return p;
}

static uint32_t in_images(const struct profile *p, const struct location *l)
{
    (void)p;
    return l->module;
}

static void *begin(const struct naming *n, const struct asked_about *asked,
                   size_t count)
{
    static int state;

    (void)n, (void)asked, (void)count;
    return &state;
}

static void ask(void *opened, const struct asked *a, struct answer *answer)
{
    (void)opened;
    answer->count = 1;
    answer->frames[0] = (struct debug_frame){
        .function = rows[a->module].symbol, .file = "/srv/shop.js", .line = 7};
}

static const struct name_source symbols = {
    .subject = in_images, .begin = begin, .ask = ask};

static const struct frame *frame_of(const struct profile *p, uint32_t location)
{
    return &p->frames.data[p->frame_start.data[location]];
}

TEST(bodies_of_a_function_are_one)
{
    const struct name_source *const sources[] = {&symbols, NULL};
    struct naming_options options = {
        .places = &nowhere, .style = DEMANGLE_SHORT, .threads = 1};
    struct profile *p = make_profile();

    name_from(sources, p, &options, NULL);
    profile_finish(p);
    for (uint32_t i = 0; i < ROWS; i++) {
        const struct frame *frame = frame_of(p, i);
        const struct function *f = &p->functions.data[frame->function];

        ck_assert_str_eq(strings_get(p->strings, f->name), rows[i].name);
        ck_assert_str_eq(strings_get(p->strings, f->module), rows[i].of);
        ck_assert_str_eq(profile_location_module(p, i), rows[i].by_module);
        ck_assert_int_eq(f->kind, rows[i].kind);
        ck_assert_int_eq(p->locations.data[i].kind, rows[i].kind);
        ck_assert_str_eq(strings_get(p->strings, frame->file), "/srv/shop.js");
        ck_assert_uint_eq(frame->line, 7);
    }
    ck_assert_uint_eq(frame_of(p, 0)->function, frame_of(p, 1)->function);
    ck_assert_uint_eq(frame_of(p, 3)->function, frame_of(p, 4)->function);
    profile_free(p);
}
