/* Facts about methods and symbols, as names of the profile. */
#include "engine/attribution/trace_names.h"

#include "tests/support/observed.h"
#include "tests/support/suite.h"

enum { PID = 40 };

static struct observed o;
static struct lifetimes lives;
static struct address_spaces spaces;
static struct trace_names names;

static void begin(void)
{
    observed_begin(&o);
    see_process(&o, 0, SEEN_AT_START, PID, "app.exe");
}

static void build(void)
{
    lifetimes_build(&lives, o.seen);
    address_spaces_init(&spaces, o.seen, &lives);
    address_spaces_build(&spaces);
    trace_names_init(&names, &spaces);
}

static void end(void)
{
    trace_names_release(&names);
    address_spaces_release(&spaces);
    lifetimes_release(&lives);
    observed_end(&o);
}

static const char *string(uint32_t id)
{
    return strings_get(o.p->strings, id);
}

TEST(symbols)
{
    struct method m;
    uint32_t set, image, jit, plain;

    begin();
    image = see_image(&o, 0, SEEN_AT_START, PID, 0x1000, 0x1000, "a.so");
    set = observe_symbol_set(o.seen);
    see_symbol(&o, set, 0x1100, 0x10, "work");
    see_symbol(&o, set, 0x1200, 0x20, "int32 [App] N.T::Run()[OptimizedTier1]");
    build();
    plain = trace_names_symbol(&names, 0, 0, image);
    trace_names_add(&names);
    m = methods_get(&o.p->methods, plain);
    ck_assert_str_eq(string(m.name), "work");
    ck_assert_str_eq(string(m.full_name), "work");
    ck_assert_uint_eq(m.module, image);
    ck_assert_uint_eq(m.process, 0);
    ck_assert_uint_eq(m.start, 0x1100);
    ck_assert_uint_eq(m.size, 0x10);
    ck_assert_int_eq(m.from, TIME_MIN);
    ck_assert_int_eq(m.to, TIME_MAX);

    jit = trace_names_symbol(&names, 0, 1, NO_ID);
    trace_names_add(&names);
    m = methods_get(&o.p->methods, jit);
    ck_assert_str_eq(string(m.full_name), "N.T.Run()");
    ck_assert_str_eq(string(o.p->modules.data[m.module].name), "App");
    ck_assert_str_eq(string(o.p->modules.data[m.module].area), "App");
    ck_assert(o.p->modules.data[m.module].managed);
    ck_assert_uint_eq(m.tier, 4);
    ck_assert_uint_eq(trace_names_symbol(&names, 0, 0, image), plain);
    ck_assert_uint_eq(trace_names_symbol(&names, 0, 1, NO_ID), jit);
    ck_assert_uint_eq(o.p->methods.len, 2);
    end();
}
