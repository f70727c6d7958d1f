/* Methods as they are told, whatever is kept of them. */
#include "engine/model/profile.h"
#include "tests/support/suite.h"

static struct methods methods;

static void assert_same(uint32_t id, const struct method *m)
{
    struct method got = methods_get(&methods, id);

    ck_assert_uint_eq(got.start, m->start);
    ck_assert_uint_eq(got.size, m->size);
    ck_assert_int_eq(got.from, m->from);
    ck_assert_int_eq(got.to, m->to);
    ck_assert_uint_eq(got.process, m->process);
    ck_assert_uint_eq(got.space, m->space);
    ck_assert_uint_eq(got.name, m->name);
    ck_assert_uint_eq(got.signature, m->signature);
    ck_assert_uint_eq(got.full_name, m->full_name);
    ck_assert_uint_eq(got.module, m->module);
    ck_assert_uint_eq(got.token, m->token);
    ck_assert_uint_eq(got.tier, m->tier);
}

static const struct method plain = {.from = TIME_MIN,
                                    .to = TIME_MAX,
                                    .name = 5,
                                    .full_name = 5,
                                    .module = NO_ID};

/* Each says one thing more than a name. */
TEST(all_that_is_known_is_kept)
{
    struct method m[] = {plain, plain, plain, plain, plain, plain,
                         plain, plain, plain, plain, plain, plain};
    const uint32_t n = COUNT(m);

    m[1].start = 1;
    m[2].size = 2;
    m[3].from = 3;
    m[4].to = 4;
    m[5].process = 5;
    m[6].space = 6;
    m[7].name = 7;
    m[8].signature = 8;
    m[9].module = 9;
    m[10].token = 10;
    m[11].tier = 11;
    for (uint32_t i = 0; i < n; i++)
        ck_assert_uint_eq(methods_add(&methods, &m[i]), i);
    for (uint32_t i = 0; i < n; i++)
        assert_same(i, &m[i]);
    /* The first, and that of another module, are names alone. */
    ck_assert_uint_eq(methods.code.len, n - 2);
    methods_release(&methods);
}
