/* What readers report, and which modules are one. */
#include "engine/attribution/observations.h"

#include "tests/support/observed.h"
#include "tests/support/suite.h"

static struct observed o;

static const char *name_of(uint32_t module)
{
    return strings_get(o.p->strings, o.p->modules.data[module].name);
}

/* A module like `like`, but for its path. */
static uint32_t add(const char *path, struct module like)
{
    like.path = observed_string(&o, path);
    return observe_module(o.seen, &like);
}

TEST(facts_are_kept)
{
    struct observed_il_map map = {.method_id = 3};

    observed_begin(&o);
    see_process(&o, 1, SEEN_BEGIN, 40, "app.exe");
    see_thread(&o, 2, SEEN_END, 41, 40, "main");
    see_image(&o, 3, SEEN_AT_STOP, 40, 0x1000, 0x10, "a.dll");
    see_method(&o, 4, SEEN_AT_START, 40, 0x2000, 0x20, "Run");
    observe_il_map(o.seen, &map);
    ck_assert_uint_eq(o.seen->processes.len, 1);
    ck_assert_uint_eq(o.seen->processes.data[0].pid, 40);
    ck_assert_uint_eq(o.seen->threads.len, 1);
    ck_assert_uint_eq(o.seen->threads.data[0].tid, 41);
    ck_assert_uint_eq(o.seen->images.len, 1);
    ck_assert_uint_eq(o.seen->images.data[0].base, 0x1000);
    ck_assert_uint_eq(o.seen->methods.len, 1);
    ck_assert_uint_eq(o.seen->methods.data[0].start, 0x2000);
    ck_assert_uint_eq(o.seen->il_maps.len, 1);
    ck_assert_uint_eq(o.seen->il_maps.data[0].method_id, 3);
    ck_assert_int_eq(o.seen->last_unload, TIME_MIN);
    observed_end(&o);
    observations_free(NULL);
}

TEST(symbol_sets)
{
    uint32_t a, b;

    observed_begin(&o);
    a = observe_symbol_set(o.seen);
    b = observe_symbol_set(o.seen);
    ck_assert_uint_eq(a, 1);
    ck_assert_uint_eq(b, 2);
    see_symbol(&o, b, 0x10, 0x20, "x");
    ck_assert_uint_eq(o.seen->symbols.len, 1);
    ck_assert_uint_eq(o.seen->symbols.data[0].set, b);
    observed_end(&o);
}

TEST(thread_keys)
{
    uint32_t a, b, c;

    observed_begin(&o);
    a = observe_thread_key(o.seen, 41, 40);
    b = observe_thread_key(o.seen, 41, NO_PID);
    c = observe_thread_key(o.seen, 40, 41);
    ck_assert(a != b && b != c && a != c);
    ck_assert_uint_eq(observe_thread_key(o.seen, 41, 40), a);
    ck_assert_uint_eq(observe_thread_key(o.seen, 40, 41), c);
    ck_assert_uint_eq(o.seen->thread_keys.len, 3);
    ck_assert_uint_eq(o.seen->thread_keys.data[a].tid, 41);
    ck_assert_uint_eq(o.seen->thread_keys.data[a].pid, 40);
    ck_assert_uint_eq(o.seen->thread_keys.data[b].pid, NO_PID);
    observed_end(&o);
}

TEST(samples)
{
    observed_begin(&o);
    see_sample(&o, 10, 41, 40, RUN(0x1001, 0x1002), RUN(KERNEL + 1));
    see_leaf(&o, 20, 41, NO_PID, NO_RUN, 0x1003);
    observe_sample(o.seen,
                   &(struct observed_sample){
                       .time = 30, .weight = 1, .cpu = 7, .flags = SAMPLE_DPC});
    ck_assert_uint_eq(sample_count(&o), 3);
    ck_assert_str_eq(sample_parts(&o, 0),
                     "user 0x1001 0x1002 kernel 0xffff800000000001 pid 40");
    ck_assert_str_eq(sample_parts(&o, 1), "leaf 0x1003");
    ck_assert_str_eq(sample_parts(&o, 2), "pid 40");
    ck_assert_uint_eq(sample_flags_of(&o, 2), SAMPLE_DPC);
    ck_assert_uint_eq(o.seen->samples.cpu[2], 7);
    ck_assert_int_eq(o.seen->samples.time[1], 20);
    observed_end(&o);
}

TEST(module_names)
{
    struct module named = {0};

    observed_begin(&o);
    ck_assert_str_eq(name_of(add("C:\\Windows\\ntdll.dll", named)),
                     "ntdll.dll");
    ck_assert_str_eq(name_of(add("/usr/lib/libc.so.6", named)), "libc.so.6");
    ck_assert_str_eq(name_of(add("plain", named)), "plain");
    named.name = observed_string(&o, "Given");
    ck_assert_str_eq(name_of(add("C:\\other.dll", named)), "Given");
    observed_end(&o);
}

/* A path is one whatever its case; every part of an identity counts. */
TEST(one_module)
{
    struct module like[9] = {0};
    uint32_t ids[9];

    observed_begin(&o);
    like[1].identity.timestamp = 1;
    like[2].identity.image_size = 1;
    like[3].identity.age = 1;
    like[4].identity.guid[0] = 1;
    like[5].identity.guid[15] = 1;
    like[6].identity.build_id[0] = 1;
    like[7].identity.build_id[31] = 1;
    like[8].managed = true;
    for (size_t i = 0; i < 9; i++)
        ids[i] = add("C:\\a.dll", like[i]);
    ck_assert_uint_eq(o.p->modules.len, 9);
    for (size_t i = 0; i < 9; i++) {
        ck_assert_uint_eq(ids[i], i);
        ck_assert_uint_eq(add("c:\\A.DLL", like[i]), i);
    }
    ck_assert_uint_eq(add("C:\\b.dll", like[0]), 9);
    /* Where symbols came from is no part of it. */
    like[0].symbols = observed_string(&o, "elsewhere");
    ck_assert_uint_eq(add("C:\\a.dll", like[0]), 0);
    ck_assert_str_eq(name_of(0), "a.dll");
    observed_end(&o);
}

/* Identities whose hashes are equal: every one is compared in full. */
TEST(equal_hashes)
{
    struct module a = {.identity = {.timestamp = 31 ^ 17, .image_size = 0}};
    struct module b = {.identity = {.image_size = 1, .age = 1}};
    struct module c = {.identity = {.timestamp = 31, .age = 1}};
    uint32_t ids[3];

    observed_begin(&o);
    ids[0] = add("a.dll", a);
    ids[1] = add("a.dll", b);
    ids[2] = add("a.dll", c);
    ck_assert_uint_eq(ids[0], 0);
    ck_assert_uint_eq(ids[1], 1);
    ck_assert_uint_eq(ids[2], 2);
    ck_assert_uint_eq(add("a.dll", c), 2);
    ck_assert_uint_eq(add("a.dll", b), 1);
    ck_assert_uint_eq(add("a.dll", a), 0);
    ck_assert_uint_eq(o.p->modules.len, 3);
    observed_end(&o);
}

/* Names of managed modules that differ in case only get one spelling. */
TEST(one_spelling)
{
    struct module managed = {.managed = true}, native = {0};

    observed_begin(&o);
    ck_assert_str_eq(name_of(add("C:\\x\\App.dll", managed)), "App.dll");
    ck_assert_str_eq(name_of(add("C:\\y\\APP.DLL", managed)), "App.dll");
    ck_assert_str_eq(name_of(add("C:\\y\\other.dll", managed)), "other.dll");
    ck_assert_str_eq(name_of(add("C:\\z\\app.DLL", native)), "app.DLL");
    ck_assert_uint_eq(o.p->modules.len, 4);
    observed_end(&o);
}
