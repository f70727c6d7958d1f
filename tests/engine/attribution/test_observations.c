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
