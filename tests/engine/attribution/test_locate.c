/* From an address in a process at a time to a location. */
#include "engine/attribution/locate.h"

#include "tests/support/observed.h"
#include "tests/support/suite.h"

enum { PID = 40, OTHER = 44 };

static struct observed o;
static struct lifetimes lives;
static struct address_spaces spaces;
static struct locator locator;

/* PID was there always (process 0); OTHER began at 100 (process 1). */
static void begin(void)
{
    observed_begin(&o);
    see_process(&o, 0, SEEN_AT_START, PID, "app.exe");
    see_process(&o, 100, SEEN_BEGIN, OTHER, "other.exe");
}

static void build(void)
{
    lifetimes_build(&lives, o.seen);
    address_spaces_init(&spaces, o.seen, &lives);
    address_spaces_build(&spaces);
    locator_init(&locator, &spaces);
}

static void end(void)
{
    locator_release(&locator);
    address_spaces_release(&spaces);
    lifetimes_release(&lives);
    observed_end(&o);
}

static const char *text_of(uint32_t location)
{
    trace_names_add(&locator.names);
    return location_text(&o, location);
}

static const char *at(uint32_t process, uint64_t address, int64_t time)
{
    return text_of(
        locator_find(&locator, process, address, false, time)->location);
}

/* "native", "kernel", ... */
static const char *kind_at(uint32_t process, uint64_t address, int64_t time)
{
    uint32_t l =
        locator_find(&locator, process, address, false, time)->location;

    return code_kind_name(o.p->locations.data[l].kind);
}

static const char *cause_at(uint32_t process, uint64_t address, int64_t time)
{
    uint32_t l =
        locator_find(&locator, process, address, false, time)->location;

    return name_cause_name(o.p->locations.data[l].cause);
}

static void check_holds(uint32_t process, uint64_t address, int64_t time,
                        int64_t from, int64_t to)
{
    const struct located *l =
        locator_find(&locator, process, address, false, time);

    ck_assert_int_eq(l->from, from);
    ck_assert_int_eq(l->to, to);
}

START_TEST(in_images)
{
    begin();
    see_image(&o, 10, SEEN_BEGIN, PID, 0x1000, 0x1000, "a.dll");
    see_image(&o, 20, SEEN_END, PID, 0x1000, 0x1000, "a.dll");
    see_image(&o, 30, SEEN_BEGIN, PID, 0x1800, 0x1000, "b.dll");
    o.seen->images.data[2].rva = 0x400;
    see_driver(&o, 0, SEEN_AT_START, KERNEL, 0x1000, "nt.exe");
    build();
    ck_assert_str_eq(at(0, 0x1900, 15), "a.dll+0x900");
    ck_assert_str_eq(at(0, 0x1900, 25), "0x1900 no_image");
    ck_assert_str_eq(at(0, 0x1900, 35), "b.dll+0x500");
    ck_assert_str_eq(at(0, 0x1900, 15), "a.dll+0x900");
    ck_assert_str_eq(at(1, 0x1900, 15), "0x1900 no_image");
    ck_assert_str_eq(at(0, KERNEL + 5, 15), "nt.exe+0x5");
    ck_assert_str_eq(at(NO_ID, KERNEL + 5, 15), "nt.exe+0x5");
    ck_assert_str_eq(at(NO_ID, 0x1900, 15), "0x1900 no_image");
    ck_assert_str_eq(kind_at(0, 0x1900, 15), "native");
    ck_assert_str_eq(kind_at(0, 0x1900, 25), "unknown");
    ck_assert_str_eq(kind_at(0, KERNEL, 15), "kernel");
    ck_assert_str_eq(kind_at(0, KERNEL + 0x5000, 15), "kernel");
    ck_assert_str_eq(cause_at(0, 0x1900, 15), "no_symbols");
    ck_assert_str_eq(cause_at(0, KERNEL + 0x5000, 15), "no_image");
    check_holds(0, 0x1900, 15, 10, 20);
    check_holds(0, 0x1900, 25, 21, 29);
    check_holds(0, 0x1900, 35, 30, TIME_MAX);
    check_holds(0, 0x1900, 5, TIME_MIN, 9);
    end();
}
END_TEST

/* Kernel space is part of every process, behind what is the process's own. */
START_TEST(own_image_before_the_kernels)
{
    begin();
    see_driver(&o, 5, SEEN_BEGIN, KERNEL, 0x1000, "nt.exe");
    see_image(&o, 10, SEEN_BEGIN, PID, KERNEL, 0x100, "mine");
    build();
    ck_assert_str_eq(at(0, KERNEL + 1, 10), "mine+0x1");
    ck_assert_str_eq(at(0, KERNEL + 1, 9), "nt.exe+0x1");
    ck_assert_str_eq(at(1, KERNEL + 1, 10), "nt.exe+0x1");
    ck_assert_str_eq(at(NO_ID, KERNEL + 1, 10), "nt.exe+0x1");
    check_holds(0, KERNEL + 1, 9, 5, 9);
    check_holds(NO_ID, KERNEL + 1, 9, 5, TIME_MAX);
    end();
}
END_TEST

START_TEST(in_methods)
{
    begin();
    see_method(&o, 10, SEEN_BEGIN, PID, 0x5000, 0x100, "One");
    see_method(&o, 20, SEEN_END, PID, 0x5000, 0x100, "One");
    o.seen->methods.data[1].method_id = 0;
    see_method(&o, 30, SEEN_BEGIN, PID, 0x5000, 0x100, "Two");
    o.seen->methods.data[2].kind = CODE_SCRIPT;
    see_image(&o, 0, SEEN_AT_START, PID, 0x8000, 0x1000, "app.ni.dll");
    see_method(&o, 15, SEEN_AT_STOP, PID, 0x8100, 0x10, "Precompiled");
    see_method(&o, 15, SEEN_AT_STOP, PID, 0x8200, 0x10, "Listed");
    o.seen->methods.data[4].listed = true;
    see_method(&o, 15, SEEN_AT_STOP, PID, 0xA200, 0x10, "Outside");
    o.seen->methods.data[5].listed = true;
    build();
    ck_assert_str_eq(at(0, 0x5010, 15), "One+0x10");
    ck_assert_str_eq(kind_at(0, 0x5010, 15), "managed");
    ck_assert_str_eq(cause_at(0, 0x5010, 15), "none");
    ck_assert_str_eq(at(0, 0x5010, 25), "0x5010 code_freed");
    ck_assert_str_eq(at(0, 0x5010, 35), "Two+0x10");
    ck_assert_str_eq(kind_at(0, 0x5010, 35), "script");
    ck_assert_str_eq(at(0, 0x5020, 5), "0x5020 no_image");
    ck_assert_str_eq(at(1, 0x5030, 15), "0x5030 no_image");
    ck_assert_str_eq(at(NO_ID, 0x5040, 15), "0x5040 no_image");
    ck_assert_str_eq(at(0, 0x8104, 15), "app.ni.dll!Precompiled+0x104");
    ck_assert_str_eq(at(0, 0x8110, 15), "app.ni.dll+0x110");
    ck_assert_str_eq(at(0, 0x8204, 15), "app.ni.dll+0x204");
    ck_assert_str_eq(at(0, 0xA204, 15), "Outside+0x4");
    check_holds(0, 0x5010, 15, 10, 20);
    check_holds(0, 0x5010, 25, 21, 29);
    end();
}
END_TEST

/* One answer per address and process; equal ones are one location. */
START_TEST(answers_are_kept)
{
    uint32_t first, second;

    begin();
    see_image(&o, 0, SEEN_AT_START, PID, 0x1000, 0x1000, "a.dll");
    see_image(&o, 110, SEEN_BEGIN, OTHER, 0x2000, 0x1000, "a.dll");
    build();
    first = locator_find(&locator, 0, 0x1010, false, 5)->location;
    second = locator_find(&locator, 1, 0x2010, false, 120)->location;
    ck_assert_uint_eq(first, second);
    ck_assert_uint_eq(locator_find(&locator, 0, 0x1010, false, 900)->location,
                      first);
    ck_assert_uint_eq(o.p->locations.len, 1);
    ck_assert_uint_eq(locator.located.len, 2);
    end();
}
END_TEST

/* Addresses enough that some share a place in the small table. */
START_TEST(many_addresses)
{
    enum { SIZE = 0x10000 };

    begin();
    see_image(&o, 10, SEEN_BEGIN, PID, 0x100000, SIZE, "a.dll");
    build();
    for (int round = 0; round < 2; round++)
        for (uint64_t i = 0; i < SIZE; i++) {
            uint32_t id =
                locator_find(&locator, 0, 0x100000 + i, false, 10)->location;

            ck_assert_uint_eq(o.p->locations.data[id].address, i);
        }
    ck_assert_uint_eq(locator.located.len, SIZE);
    end();
}
END_TEST

/* In a process that was there before the recording, images listed late were
 * where they are before that, too. */
START_TEST(images_listed_late)
{
    begin();
    see_image(&o, 150, SEEN_BEGIN, PID, 0x1000, 0x1000, "a.so");
    see_image(&o, 150, SEEN_BEGIN, OTHER, 0x1000, 0x1000, "b.so");
    see_image(&o, 150, SEEN_BEGIN, PID, 0x5000, 0x1000, "c.so");
    see_image(&o, 160, SEEN_END, PID, 0x5000, 0x1000, "c.so");
    see_image(&o, 150, SEEN_BEGIN, PID, 0x6000, 0x1000, "d.so");
    see_image(&o, 150, SEEN_END, PID, 0x6000, 0x1000, "d.so");
    o.seen->late_images = true;
    build();
    ck_assert_str_eq(at(0, 0x6000, 120), "d.so+0x0");
    ck_assert_str_eq(at(0, 0x1010, 120), "a.so+0x10");
    ck_assert_str_eq(at(0, 0x1010, 150), "a.so+0x10");
    ck_assert_str_eq(at(1, 0x1010, 120), "0x1010 no_image");
    ck_assert_str_eq(at(1, 0x1010, 150), "b.so+0x10");
    ck_assert_str_eq(at(0, 0x9000, 120), "0x9000 no_image");
    ck_assert_str_eq(at(0, 0x5000, 170), "0x5000 no_image");
    check_holds(0, 0x1010, 120, TIME_MIN, 149);
    end();

    begin();
    see_image(&o, 150, SEEN_BEGIN, PID, 0x1000, 0x1000, "a.so");
    build();
    ck_assert_str_eq(at(0, 0x1010, 120), "0x1010 no_image");
    end();
}
END_TEST

/* What is to blame for an address that nothing holds. */
START_TEST(unknown_causes)
{
    begin();
    o.seen->last_unload = 50;
    build();
    ck_assert_str_eq(at(0, 0x1000, 50), "0x1000 unloaded");
    ck_assert_str_eq(at(0, 0x2000, 51), "0x2000 no_image");
    ck_assert_str_eq(at(0, 0x1000, 51), "0x1000 no_image");
    ck_assert_str_eq(at(0, 0x1000, 49), "0x1000 unloaded");
    check_holds(0, 0x1000, 50, TIME_MIN, 50);
    check_holds(0, 0x1000, 51, 51, TIME_MAX);
    ck_assert_uint_eq(profile_addresses(o.p), 2);
    end();

    /* Between images that begin and end, no answer reaches over the unload. */
    begin();
    o.seen->last_unload = 50;
    see_image(&o, 10, SEEN_BEGIN, PID, 0x3000, 0x1000, "a.dll");
    see_image(&o, 49, SEEN_END, PID, 0x3000, 0x1000, "a.dll");
    see_image(&o, 40, SEEN_BEGIN, PID, 0x4000, 0x1000, "b.dll");
    see_image(&o, 10, SEEN_BEGIN, PID, 0x5000, 0x1000, "c.dll");
    see_image(&o, 50, SEEN_END, PID, 0x5000, 0x1000, "c.dll");
    build();
    ck_assert_str_eq(at(0, 0x3000, 51), "0x3000 no_image");
    check_holds(0, 0x3000, 51, 51, TIME_MAX);
    ck_assert_str_eq(at(0, 0x3000, 50), "0x3000 unloaded");
    check_holds(0, 0x3000, 50, 50, 50);
    ck_assert_str_eq(at(0, 0x4000, 30), "0x4000 unloaded");
    check_holds(0, 0x4000, 30, TIME_MIN, 39);
    ck_assert_str_eq(at(0, 0x5000, 51), "0x5000 no_image");
    check_holds(0, 0x5000, 51, 51, TIME_MAX);
    end();

    begin();
    o.seen->last_unload = 50;
    o.seen->unknown_cause = CAUSE_NO_RUNDOWN;
    build();
    ck_assert_str_eq(at(0, 0x1000, 50), "0x1000 no_rundown");
    end();
}
END_TEST

START_TEST(hypercall_page)
{
    begin();
    o.seen->hypercall_page = 0xA000;
    see_image(&o, 0, SEEN_AT_START, PID, 0xA000, 0x100, "a.dll");
    build();
    ck_assert_str_eq(at(1, 0xA000, 0), "0xa000 hypercall_page");
    ck_assert_str_eq(at(1, 0xAFFF, 0), "0xafff hypercall_page");
    ck_assert_str_eq(at(1, 0xB000, 0), "0xb000 no_image");
    ck_assert_str_eq(at(1, 0x9FFF, 0), "0x9fff no_image");
    ck_assert_str_eq(kind_at(1, 0xA000, 0), "kernel");
    ck_assert_str_eq(at(0, 0xA000, 0), "a.dll+0x0");
    end();

    begin();
    build();
    ck_assert_str_eq(at(0, 0x10, 0), "0x10 no_image");
    end();
}
END_TEST

/* Pointers of 4 bytes: the kernel has the upper half. */
START_TEST(narrow_pointers)
{
    begin();
    o.seen->kernel_from = kernel_space_start(4);
    build();
    ck_assert_str_eq(kind_at(0, 0x80000000, 0), "kernel");
    ck_assert_str_eq(kind_at(0, 0x7FFFFFFF, 0), "unknown");
    end();
}
END_TEST

/* Symbols that the trace has for an image, or for code made at run time. */
START_TEST(symbols_of_the_trace)
{
    struct observed_image fact = {
        .event = SEEN_AT_START, .pid = PID, .size = 0x1000};
    struct module module = {0};

    begin();
    module.path = observed_string(&o, "/lib/a.so");
    fact.base = 0x1000;
    fact.module = observe_module(o.seen, &module);
    fact.symbols = observe_symbol_set(o.seen);
    observe_image(o.seen, &fact);
    see_symbol(&o, fact.symbols, 0x1100, 0x10, "work");
    fact.base = 0x8000;
    fact.module = NO_ID;
    fact.jit = true;
    fact.symbols = observe_symbol_set(o.seen);
    observe_image(o.seen, &fact);
    see_symbol(&o, fact.symbols, 0x8100, 0x10,
               "void [App] Orders::Sort()[Optimized]");
    fact.base = KERNEL;
    fact.module = 0;
    fact.jit = false;
    fact.symbols = observe_symbol_set(o.seen);
    observe_image(o.seen, &fact);
    see_symbol(&o, fact.symbols, KERNEL, 0x10, "entry");
    build();
    ck_assert_str_eq(at(0, 0x1104, 0), "a.so!work+0x104");
    ck_assert_str_eq(kind_at(0, 0x1104, 0), "native");
    ck_assert_str_eq(cause_at(0, 0x1104, 0), "none");
    ck_assert_str_eq(at(0, 0x1110, 0), "a.so+0x110");
    ck_assert_str_eq(at(0, 0x8104, 0), "Orders.Sort()+0x4");
    ck_assert_str_eq(kind_at(0, 0x8104, 0), "managed");
    ck_assert_str_eq(at(0, 0x8110, 0), "0x8110 no_image");
    ck_assert_str_eq(at(0, KERNEL + 1, 0), "a.so!entry+0x1");
    ck_assert_str_eq(kind_at(0, KERNEL + 1, 0), "kernel");
    o.seen->kernel_from = KERNEL + 2;
    ck_assert_str_eq(kind_at(0, KERNEL + 2, 0), "kernel");
    ck_assert_str_eq(kind_at(0, KERNEL + 3, 0), "kernel");
    ck_assert_str_eq(at(1, 0x1104, 120), "0x1104 no_image");
    ck_assert_str_eq(at(NO_ID, 0x1104, 0), "0x1104 no_image");
    end();
}
END_TEST

/* Code that was made at run time lies in front of the image it is mapped
 * from, and holds while it is mapped. */
START_TEST(run_time_code_in_an_image)
{
    struct observed_image fact = {.time = 50,
                                  .event = SEEN_BEGIN,
                                  .pid = PID,
                                  .base = 0x1000,
                                  .size = 0x1000,
                                  .jit = true};
    struct module module = {0};

    begin();
    module.path = observed_string(&o, "doublemapper");
    fact.module = observe_module(o.seen, &module);
    fact.symbols = observe_symbol_set(o.seen);
    observe_image(o.seen, &fact);
    see_symbol(&o, fact.symbols, 0x1100, 0x10, "plain");
    build();
    ck_assert_str_eq(at(0, 0x1101, 60), "plain+0x1");
    ck_assert_str_eq(at(0, 0x1101, 40), "0x1101 no_image");
    check_holds(0, 0x1101, 60, 50, TIME_MAX);
    ck_assert_uint_eq(methods_get(&o.p->methods, 0).module, NO_ID);
    end();
}
END_TEST

/* A call can be the last instruction of an image or of a method. */
START_TEST(behind_the_last_call)
{
    const struct located *l;

    begin();
    see_image(&o, 0, SEEN_AT_START, PID, 0x1000, 0x1000, "a.dll");
    see_method(&o, 0, SEEN_AT_START, PID, 0x8000, 0x40, "Run");
    build();
    ck_assert_str_eq(at(0, 0x2000, 15), "0x2000 no_image");
    l = locator_find(&locator, 0, 0x2000, true, 15);
    ck_assert_str_eq(text_of(l->location), "a.dll+0x1000");
    ck_assert(o.p->locations.data[l->location].caller);
    ck_assert_str_eq(at(0, 0x8040, 15), "0x8040 no_image");
    l = locator_find(&locator, 0, 0x8040, true, 15);
    ck_assert_str_eq(text_of(l->location), "Run+0x40");
    l = locator_find(&locator, 0, 0x1000, true, 15);
    ck_assert_str_eq(text_of(l->location), "0x1000 no_image");
    end();
}
END_TEST

SUITE
{
    return suite_run("locate", in_images, own_image_before_the_kernels,
                     in_methods, answers_are_kept, many_addresses,
                     images_listed_late, unknown_causes, hypercall_page,
                     narrow_pointers, symbols_of_the_trace,
                     run_time_code_in_an_image, behind_the_last_call);
}
