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

static struct method method(uint32_t fact, int64_t from)
{
    uint32_t id = trace_names_method(&names, 0, fact, from);

    trace_names_add(&names);
    return methods_get(&o.p->methods, id);
}

static uint32_t managed_module(uint64_t id, const char *path)
{
    struct module m = {.managed = true};
    uint32_t module;

    m.path = observed_string(&o, path);
    module = observe_module(o.seen, &m);
    observe_managed_module(o.seen,
                           &(struct observed_managed_module){
                               .pid = PID, .module_id = id, .module = module});
    return module;
}

TEST(full_names)
{
    static const struct {
        const char *space, *name, *signature, *full;
    } rows[] = {
        {"System.DateTime", "GetDatePart", "instance int32  (int32)",
         "System.DateTime.GetDatePart(int32)"},
        {"System.DateTime", "GetDatePart", "", "System.DateTime.GetDatePart"},
        {"", "dynamic", "void  ()", "dynamic()"},
        {"", "render", "", "render"},
        {"N.T", "F", "class A (b(c))", "N.T.F(b(c))"},
        {"N.T", "", "void ()", "[method token 0x06000007]"},
    };

    begin();
    for (size_t i = 0; i < COUNT(rows); i++)
        observe_method(o.seen,
                       &(struct observed_method){
                           .pid = PID,
                           .start = 0x1000 * (i + 1),
                           .size = 0x10,
                           .token = 0x06000007,
                           .space = i % 2 ? observed_slice(&o, rows[i].space)
                                          : observed_utf16(&o, rows[i].space),
                           .name = i % 2 ? observed_slice(&o, rows[i].name)
                                         : observed_utf16(&o, rows[i].name),
                           .signature = observed_slice(&o, rows[i].signature)});
    build();
    for (uint32_t i = 0; i < COUNT(rows); i++) {
        struct method m = method(i, 0);

        ck_assert_str_eq(string(m.full_name), rows[i].full);
        ck_assert_str_eq(string(m.space), rows[i].space);
        ck_assert_str_eq(string(m.name), rows[i].name);
        ck_assert_str_eq(string(m.signature), rows[i].signature);
    }
    end();
}

TEST(method_details)
{
    struct observed_method fact = {.time = 70,
                                   .pid = PID,
                                   .start = 0x1000,
                                   .size = 0x20,
                                   .module_id = 9,
                                   .token = 6,
                                   .tier = 3};
    struct method m;
    uint32_t module;

    begin();
    module = managed_module(9, "app.dll");
    fact.name = observed_slice(&o, "Run");
    observe_method(o.seen, &fact);
    fact.module_id = 8;
    observe_method(o.seen, &fact);
    build();
    trace_names_method(&names, 0, 0, 90);
    trace_names_method(&names, 0, 1, 30);
    trace_names_method(&names, 0, 1, 50);
    ck_assert_uint_eq(o.p->methods.len, 0);
    m = method(0, 80);
    ck_assert_uint_eq(m.module, module);
    ck_assert_uint_eq(m.process, 0);
    ck_assert_uint_eq(m.start, 0x1000);
    ck_assert_uint_eq(m.size, 0x20);
    ck_assert_uint_eq(m.token, 6);
    ck_assert_uint_eq(m.tier, 3);
    ck_assert_int_eq(m.to, TIME_MAX);
    /* It was there since the earliest time that it was hit. */
    ck_assert_int_eq(m.from, 70);
    m = method(1, 60);
    ck_assert_int_eq(m.from, 30);
    ck_assert_uint_eq(m.module, NO_ID);
    ck_assert_uint_eq(o.p->methods.len, 2);
    ck_assert_uint_eq(names.method_ids[1], 1);
    end();
}

/* Where managed modules stand for images, one stands for the unknown. */
TEST(module_nobody_described)
{
    const struct module *module;

    begin();
    o.seen->without_images = true;
    see_method(&o, 0, SEEN_BEGIN, PID, 0x1000, 0x10, "One");
    see_method(&o, 0, SEEN_BEGIN, PID, 0x2000, 0x10, "Two");
    build();
    ck_assert_uint_eq(method(0, 0).module, 0);
    ck_assert_uint_eq(method(1, 0).module, 0);
    ck_assert_uint_eq(o.p->modules.len, 1);
    module = &o.p->modules.data[0];
    ck_assert_str_eq(string(module->name), "[unknown]");
    ck_assert_str_eq(string(module->area), "[unknown]");
    ck_assert(module->managed);
    end();
}

/* In the order in which they were met, whatever the order of the facts. */
TEST(many_names)
{
    enum { MANY = 3000 };
    char name[16];

    begin();
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(name, sizeof(name), "f%u", i);
        see_method(&o, 0, SEEN_BEGIN, PID, 0x1000 + 0x10 * i, 0x10, name);
    }
    build();
    for (uint32_t i = 0; i < MANY; i++)
        ck_assert_uint_eq(trace_names_method(&names, 0, MANY - 1 - i, 0), i);
    trace_names_add(&names);
    ck_assert_uint_eq(o.p->methods.len, MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(name, sizeof(name), "f%u", MANY - 1 - i);
        ck_assert_str_eq(string(methods_get(&o.p->methods, i).name), name);
    }
    end();
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
