/* What lay where, when: images and methods that take turns in memory. */
#include "engine/attribution/address_spaces.h"

#include "tests/support/observed.h"
#include "tests/support/suite.h"

enum { PID = 40, OTHER = 44 };

static struct observed o;
static struct lifetimes lives;
static struct address_spaces spaces;

/* PID was there always; OTHER began at 100. */
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
}

static void end(void)
{
    address_spaces_release(&spaces);
    lifetimes_release(&lives);
    observed_end(&o);
}

static const char *module_name(uint32_t module)
{
    return strings_get(o.p->strings, o.p->modules.data[module].name);
}

static const struct address_space *space_of(uint32_t pid)
{
    return pid == NO_PID ? &spaces.kernel
                         : &spaces.list[lifetimes_process(&lives, pid, 0)];
}

/* The name of the image, "" for none. NO_PID: in kernel space. */
static const char *image_at(uint32_t pid, uint64_t address, int64_t time)
{
    struct range_hit hit = rangemap_find(&space_of(pid)->images, address, time);

    return hit.value == UINT32_MAX
               ? ""
               : module_name(o.seen->images.data[hit.value].module);
}

/* The index of the method's fact, or -1. */
static int method_at(uint32_t pid, uint64_t address, int64_t time)
{
    struct range_hit hit =
        rangemap_find(&space_of(pid)->methods, address, time);

    return hit.value == UINT32_MAX ? -1 : (int)hit.value;
}

static void check_mapping(size_t i, const char *name, uint64_t base,
                          int64_t from, int64_t to)
{
    const struct mapping *m = &o.p->mappings.data[i];

    ck_assert_uint_lt(i, o.p->mappings.len);
    ck_assert_str_eq(module_name(m->module), name);
    ck_assert_uint_eq(m->base, base);
    ck_assert_int_eq(m->from, from);
    ck_assert_int_eq(m->to, to);
}

START_TEST(loaded_and_unloaded)
{
    begin();
    see_image(&o, 10, SEEN_BEGIN, PID, 0x1000, 0x100, "a.dll");
    see_image(&o, 20, SEEN_END, PID, 0x1000, 0x100, "a.dll");
    see_image(&o, 30, SEEN_BEGIN, PID, 0x1000, 0x80, "b.dll");
    build();
    ck_assert_str_eq(image_at(PID, 0x1000, 9), "");
    ck_assert_str_eq(image_at(PID, 0x1000, 10), "a.dll");
    ck_assert_str_eq(image_at(PID, 0x10FF, 20), "a.dll");
    ck_assert_str_eq(image_at(PID, 0x1100, 20), "");
    ck_assert_str_eq(image_at(PID, 0xFFF, 20), "");
    ck_assert_str_eq(image_at(PID, 0x1000, 21), "");
    ck_assert_str_eq(image_at(PID, 0x107F, 30), "b.dll");
    ck_assert_str_eq(image_at(PID, 0x1080, 30), "");
    ck_assert_str_eq(image_at(OTHER, 0x1000, 30), "");
    ck_assert_uint_eq(o.p->mappings.len, 2);
    check_mapping(0, "a.dll", 0x1000, 10, 20);
    check_mapping(1, "b.dll", 0x1000, 30, TIME_MAX);
    ck_assert_uint_eq(o.p->mappings.data[0].size, 0x100);
    ck_assert_uint_eq(o.p->mappings.data[0].process, 0);
    end();
}
END_TEST

/* What was seen at its end only was there since its process began. */
START_TEST(seen_at_the_end_only)
{
    begin();
    see_image(&o, 200, SEEN_END, PID, 0x1000, 0x100, "a.dll");
    see_image(&o, 200, SEEN_AT_STOP, OTHER, 0x1000, 0x100, "b.dll");
    see_image(&o, 200, SEEN_AT_START, OTHER, 0x2000, 0x100, "c.dll");
    build();
    check_mapping(0, "a.dll", 0x1000, TIME_MIN, 200);
    check_mapping(1, "b.dll", 0x1000, 100, TIME_MAX);
    check_mapping(2, "c.dll", 0x2000, TIME_MIN, TIME_MAX);
    ck_assert_str_eq(image_at(PID, 0x1000, -50), "a.dll");
    ck_assert_str_eq(image_at(OTHER, 0x1000, 150), "b.dll");
    end();
}
END_TEST

/* A beginning at a place that is taken: the end of what was there is lost. */
START_TEST(replaced_without_an_end)
{
    begin();
    see_image(&o, 10, SEEN_BEGIN, PID, 0x1000, 0x100, "a.dll");
    see_image(&o, 50, SEEN_BEGIN, PID, 0x1000, 0x100, "b.dll");
    build();
    ck_assert_uint_eq(o.p->mappings.len, 2);
    check_mapping(0, "a.dll", 0x1000, 10, 50);
    check_mapping(1, "b.dll", 0x1000, 50, TIME_MAX);
    ck_assert_str_eq(image_at(PID, 0x1000, 49), "a.dll");
    ck_assert_str_eq(image_at(PID, 0x1000, 50), "b.dll");
    end();
}
END_TEST

/* Of what a smaller mapping hides, the rest stays where it was. */
START_TEST(hidden_in_part)
{
    begin();
    see_image(&o, 10, SEEN_BEGIN, PID, 0x1000, 0x300, "a.so");
    see_image(&o, 50, SEEN_BEGIN, PID, 0x1000, 0x100, "b.so");
    see_image(&o, 60, SEEN_BEGIN, PID, 0x1000, 0x200, "c.so");
    for (size_t i = 0; i < o.seen->images.len; i++)
        o.seen->images.data[i].pages = true;
    build();
    check_mapping(0, "a.so", 0x1000, 10, TIME_MAX);
    check_mapping(1, "b.so", 0x1000, 50, 60);
    check_mapping(2, "c.so", 0x1000, 60, TIME_MAX);
    ck_assert_str_eq(image_at(PID, 0x1000, 49), "a.so");
    ck_assert_str_eq(image_at(PID, 0x10FF, 50), "b.so");
    ck_assert_str_eq(image_at(PID, 0x1100, 50), "a.so");
    ck_assert_str_eq(image_at(PID, 0x11FF, 60), "c.so");
    ck_assert_str_eq(image_at(PID, 0x1200, 60), "a.so");
    end();
}
END_TEST

/* Lists made at the start and at the stop do not begin a second life. */
START_TEST(listed_twice)
{
    begin();
    see_image(&o, 10, SEEN_BEGIN, PID, 0x1000, 0x100, "C:\\A.dll");
    see_image(&o, 20, SEEN_AT_START, PID, 0x1000, 0x100, "c:\\a.dll");
    see_image(&o, 90, SEEN_AT_STOP, PID, 0x1000, 0x100, "c:\\a.dll");
    build();
    ck_assert_uint_eq(o.p->mappings.len, 1);
    check_mapping(0, "A.dll", 0x1000, 10, TIME_MAX);
    end();
}
END_TEST

/* The list at the stop names another image than the last one that was
 * loaded there, or one of another size: that one began unseen. */
START_TEST(another_at_the_stop)
{
    begin();
    see_image(&o, 10, SEEN_BEGIN, PID, 0x1000, 0x100, "a.dll");
    see_image(&o, 90, SEEN_AT_STOP, PID, 0x1000, 0x100, "b.dll");
    see_image(&o, 10, SEEN_BEGIN, PID, 0x2000, 0x100, "c.dll");
    see_image(&o, 90, SEEN_AT_STOP, PID, 0x2000, 0x180, "c.dll");
    build();
    ck_assert_uint_eq(o.p->mappings.len, 4);
    check_mapping(0, "a.dll", 0x1000, 10, TIME_MAX);
    check_mapping(1, "b.dll", 0x1000, TIME_MIN, TIME_MAX);
    check_mapping(2, "c.dll", 0x2000, 10, TIME_MAX);
    ck_assert_uint_eq(o.p->mappings.data[3].size, 0x180);
    end();
}
END_TEST

/* Of two descriptions of one image the fuller is kept. */
START_TEST(fuller_identity)
{
    struct module full = {.identity = {.timestamp = 1}};
    uint32_t bare;

    begin();
    bare = see_image(&o, 10, SEEN_BEGIN, PID, 0x1000, 0x100, "a.dll");
    full.path = observed_string(&o, "A.dll");
    observe_image(o.seen, &(struct observed_image){
                              .time = 90,
                              .event = SEEN_AT_STOP,
                              .pid = PID,
                              .base = 0x1000,
                              .size = 0x100,
                              .module = observe_module(o.seen, &full)});
    see_image(&o, 95, SEEN_AT_STOP, PID, 0x1000, 0x100, "a.dll");
    build();
    ck_assert_uint_eq(o.p->mappings.len, 1);
    ck_assert_uint_eq(o.p->mappings.data[0].module, bare + 1);
    check_mapping(0, "A.dll", 0x1000, 10, TIME_MAX);
    end();
}
END_TEST

/* A PDB's name tells more than a time stamp, both more than either. */
START_TEST(identities_rank)
{
    static const struct {
        uint32_t stamp, other_stamp;
        const char *pdb, *other_pdb;
        uint32_t kept;
    } rows[] = {
        {1, 0, "", "a.pdb", 1},      {0, 1, "a.pdb", "", 0},
        {0, 1, "a.pdb", "a.pdb", 1}, {1, 0, "a.pdb", "a.pdb", 0},
        {1, 2, "", "", 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct module m = {.identity = {.timestamp = rows[i].stamp}};
        struct observed_image fact = {
            .pid = PID, .base = 0x1000, .size = 0x100};

        begin();
        m.path = observed_string(&o, "a.dll");
        m.identity.pdb_name = observed_string(&o, rows[i].pdb);
        m.identity.age = 1;
        fact.module = observe_module(o.seen, &m);
        observe_image(o.seen, &fact);
        m.identity.timestamp = rows[i].other_stamp;
        m.identity.pdb_name = observed_string(&o, rows[i].other_pdb);
        m.identity.age = 2;
        fact.module = observe_module(o.seen, &m);
        fact.time = 1;
        fact.event = SEEN_AT_STOP;
        observe_image(o.seen, &fact);
        build();
        ck_assert_uint_eq(o.p->mappings.len, 1);
        ck_assert_msg(o.p->mappings.data[0].module == rows[i].kept, "%zu", i);
        end();
    }
}
END_TEST

/* Memory with symbols of its own and no image is no mapping. */
START_TEST(areas_of_symbols)
{
    struct observed_image fact = {
        .time = 5, .pid = PID, .base = 0x5000, .size = 0x1000, .module = NO_ID};

    begin();
    fact.symbols = observe_symbol_set(o.seen);
    see_symbol(&o, fact.symbols, 0x5100, 0x10, "work");
    observe_image(o.seen, &fact);
    fact.time = 6;
    fact.event = SEEN_AT_STOP;
    observe_image(o.seen, &fact);
    fact.time = 5;
    fact.event = SEEN_BEGIN;
    fact.base = 0x5800;
    fact.size = 0x2000;
    observe_image(o.seen, &fact);
    see_image(&o, 7, SEEN_BEGIN, PID, 0x5000, 0x1000, "a.so");
    see_image(&o, 8, SEEN_BEGIN, PID, 0x8000, 0x1000, NULL);
    build();
    ck_assert_uint_eq(o.p->mappings.len, 1);
    check_mapping(0, "a.so", 0x5000, 7, TIME_MAX);
    ck_assert_uint_eq(rangemap_find(&space_of(PID)->areas, 0x5100, 7).value, 0);
    ck_assert_uint_eq(rangemap_find(&space_of(PID)->areas, 0x5880, 7).value, 0);
    ck_assert_uint_eq(rangemap_find(&space_of(PID)->areas, 0x5100, 8).value,
                      UINT32_MAX);
    ck_assert_str_eq(image_at(PID, 0x5100, 6), "");
    ck_assert_uint_eq(
        rangemap_find(&spaces.symbols[fact.symbols], 0x5100, 0).value, 0);
    end();
}
END_TEST

/* Of images that hold an address since one time the smaller is meant. */
START_TEST(smaller_image)
{
    begin();
    see_image(&o, 10, SEEN_AT_START, PID, 0x1000, 0x1000, "large");
    see_image(&o, 10, SEEN_AT_START, PID, 0x1800, 0x100, "small");
    see_image(&o, 10, SEEN_AT_START, PID, 0x0800, 0x2000, "larger");
    see_image(&o, 10, SEEN_AT_START, PID, 0x5000, 0x0900, "small");
    see_image(&o, 10, SEEN_AT_START, PID, 0x5800, 0x1000, "large");
    build();
    ck_assert_str_eq(image_at(PID, 0x5880, 20), "small");
    ck_assert_str_eq(image_at(PID, 0x5900, 20), "large");
    ck_assert_str_eq(image_at(PID, 0x1800, 20), "small");
    ck_assert_str_eq(image_at(PID, 0x1900, 20), "large");
    ck_assert_str_eq(image_at(PID, 0x2000, 20), "larger");
    end();
}
END_TEST

/* What is known to have begun is meant before what may have. */
START_TEST(known_beginning)
{
    begin();
    see_image(&o, 10, SEEN_AT_START, PID, 0x1000, 0x1000, "listed");
    see_image(&o, 90, SEEN_AT_STOP, PID, 0x1800, 0x100, "guessed");
    build();
    ck_assert_str_eq(image_at(PID, 0x1800, 50), "listed");
    end();
}
END_TEST

START_TEST(kernel_space)
{
    begin();
    see_driver(&o, 10, SEEN_AT_STOP, KERNEL, 0x1000, "nt.exe");
    see_image(&o, 10, SEEN_BEGIN, PID, KERNEL, 0x1000, "mine");
    build();
    ck_assert_str_eq(image_at(NO_PID, KERNEL, -5), "nt.exe");
    ck_assert_str_eq(image_at(PID, KERNEL, 10), "mine");
    ck_assert_uint_eq(o.p->mappings.len, 2);
    check_mapping(1, "nt.exe", KERNEL, TIME_MIN, TIME_MAX);
    ck_assert_uint_eq(o.p->mappings.data[1].process, NO_ID);
    ck_assert_int_eq(address_spaces_process_start(&spaces, NO_ID), TIME_MIN);
    ck_assert_int_eq(address_spaces_process_start(&spaces, 0), TIME_MIN);
    ck_assert_int_eq(address_spaces_process_start(&spaces, 1), 100);
    end();
}
END_TEST

/* The same address in two processes, and in both lives of one pid. */
START_TEST(one_place_in_many_processes)
{
    begin();
    see_process(&o, 200, SEEN_END, OTHER, "");
    see_process(&o, 300, SEEN_BEGIN, OTHER, "again.exe");
    see_image(&o, 110, SEEN_BEGIN, OTHER, 0x1000, 0x100, "b.dll");
    see_image(&o, 5, SEEN_BEGIN, PID, 0x1000, 0x100, "a.dll");
    see_image(&o, 310, SEEN_BEGIN, OTHER, 0x1000, 0x100, "c.dll");
    build();
    ck_assert_uint_eq(spaces.count, 3);
    ck_assert_uint_eq(o.p->mappings.len, 3);
    check_mapping(0, "a.dll", 0x1000, 5, TIME_MAX);
    check_mapping(1, "b.dll", 0x1000, 110, TIME_MAX);
    check_mapping(2, "c.dll", 0x1000, 310, TIME_MAX);
    ck_assert_str_eq(image_at(OTHER, 0x1000, 400), "b.dll");
    end();
}
END_TEST

/* By address, then by time, whatever order facts came in. */
START_TEST(order_of_facts)
{
    begin();
    see_image(&o, 30, SEEN_END, PID, 0x2000, 0x100, "b.dll");
    see_image(&o, 20, SEEN_BEGIN, PID, 0x1000, 0x100, "a.dll");
    see_image(&o, 10, SEEN_BEGIN, PID, 0x2000, 0x100, "b.dll");
    see_image(&o, -5, SEEN_BEGIN, PID, 0x3000, 0x100, "c.dll");
    see_image(&o, 5, SEEN_END, PID, 0x3000, 0x100, "c.dll");
    build();
    ck_assert_uint_eq(o.p->mappings.len, 3);
    check_mapping(0, "a.dll", 0x1000, 20, TIME_MAX);
    check_mapping(1, "b.dll", 0x2000, 10, 30);
    check_mapping(2, "c.dll", 0x3000, -5, 5);
    end();
}
END_TEST

START_TEST(methods_take_turns)
{
    begin();
    see_method(&o, 10, SEEN_BEGIN, PID, 0x1000, 0x100, "first");
    see_method(&o, 20, SEEN_END, PID, 0x1000, 0x100, "first");
    o.seen->methods.data[1].method_id = 0;
    see_method(&o, 30, SEEN_BEGIN, PID, 0x1000, 0x80, "second");
    see_method(&o, 150, SEEN_AT_STOP, OTHER, 0x1000, 0x80, "theirs");
    see_method(&o, 40, SEEN_BEGIN, PID, 0x2000, 0x80, "last");
    build();
    ck_assert_int_eq(method_at(PID, 0x1000, 9), -1);
    ck_assert_int_eq(method_at(PID, 0x1000, 10), 0);
    ck_assert_int_eq(method_at(PID, 0x10FF, 20), 0);
    ck_assert_int_eq(method_at(PID, 0x1100, 20), -1);
    ck_assert_int_eq(method_at(PID, 0x1000, 21), -1);
    ck_assert_int_eq(method_at(PID, 0x107F, 30), 2);
    ck_assert_int_eq(method_at(PID, 0x1080, 30), -1);
    ck_assert_int_eq(method_at(PID, 0x2000, 40), 4);
    ck_assert_int_eq(method_at(OTHER, 0x1000, 150), 3);
    ck_assert_int_eq(rangemap_find(&space_of(OTHER)->methods, 0x1000, 150).from,
                     100);
    end();
}
END_TEST

/* A method is listed again at the stop with its id; another id or size at
 * its place is another method. */
START_TEST(methods_listed_twice)
{
    begin();
    see_method(&o, 10, SEEN_BEGIN, PID, 0x1000, 0x100, "same");
    see_method(&o, 90, SEEN_AT_STOP, PID, 0x1000, 0x100, "same");
    o.seen->methods.data[1].method_id = 0;
    see_method(&o, 10, SEEN_BEGIN, PID, 0x2000, 0x100, "one");
    see_method(&o, 90, SEEN_AT_STOP, PID, 0x2000, 0x100, "two");
    see_method(&o, 10, SEEN_BEGIN, PID, 0x3000, 0x100, "short");
    see_method(&o, 90, SEEN_AT_STOP, PID, 0x3000, 0x180, "short");
    o.seen->methods.data[5].method_id = 4;
    build();
    ck_assert_uint_eq(space_of(PID)->methods.ranges.len, 5);
    ck_assert_int_eq(method_at(PID, 0x1000, 95), 0);
    ck_assert_int_eq(method_at(PID, 0x2000, 5), 3);
    ck_assert_int_eq(method_at(PID, 0x2000, 95), 2);
    ck_assert_int_eq(method_at(PID, 0x3000, 95), 4);
    ck_assert_int_eq(method_at(PID, 0x3170, 95), 5);
    end();
}
END_TEST

static void see_managed(uint32_t pid, uint64_t id, const char *path,
                        uint32_t stamp)
{
    struct module m = {.managed = true, .identity = {.timestamp = stamp}};

    m.path = observed_string(&o, path);
    observe_managed_module(
        o.seen,
        &(struct observed_managed_module){
            .pid = pid, .module_id = id, .module = observe_module(o.seen, &m)});
}

static const char *managed(uint32_t pid, uint64_t id)
{
    uint32_t module = map_get(&spaces.managed_modules, id, pid);

    return module == MAP_NONE ? "" : module_name(module);
}

START_TEST(managed_modules)
{
    begin();
    see_managed(PID, 7, "old.dll", 1);
    see_managed(PID, 7, "poor.dll", 0);
    see_managed(OTHER, 7, "poor.dll", 0);
    see_managed(OTHER, 7, "new.dll", 0);
    see_managed(OTHER, 8, "rich.dll", 5);
    build();
    ck_assert_str_eq(managed(PID, 7), "old.dll");
    ck_assert_str_eq(managed(OTHER, 7), "new.dll");
    ck_assert_str_eq(managed(OTHER, 8), "rich.dll");
    ck_assert_str_eq(managed(PID, 8), "");
    end();
}
END_TEST

static void see_assembly(uint32_t pid, uint64_t assembly, const char *path)
{
    struct module m = {.managed = true, .path = observed_string(&o, path)};

    observe_managed_module(o.seen, &(struct observed_managed_module){
                                       .pid = pid,
                                       .module_id = assembly,
                                       .assembly_id = assembly,
                                       .module = observe_module(o.seen, &m)});
}

static const char *maker(uint32_t pid, uint64_t id)
{
    uint32_t module = map_get(&spaces.managed_modules, id, pid);

    return strings_get(o.p->strings, o.p->modules.data[module].maker);
}

/* By assembly and process, whichever comes first. */
START_TEST(makers_of_assemblies)
{
    begin();
    see_assembly(PID, 1, "a.dll");
    see_assembly(PID, 2, "b.dll");
    see_assembly(OTHER, 1, "c.dll");
    build();
    ck_assert_str_eq(maker(PID, 1), "");
    end();
    begin();
    see_assembly(PID, 1, "a.dll");
    see_assembly(PID, 2, "b.dll");
    see_assembly(OTHER, 1, "c.dll");
    map_set(&o.seen->assembly_makers, 1, PID, observed_string(&o, "Key=1"));
    map_set(&o.seen->assembly_makers, 2, OTHER, observed_string(&o, "Key=2"));
    build();
    ck_assert_str_eq(maker(PID, 1), "Key=1");
    ck_assert_str_eq(maker(PID, 2), "");
    ck_assert_str_eq(maker(OTHER, 1), "");
    end();
}
END_TEST

SUITE
{
    return suite_run(
        "address_spaces", loaded_and_unloaded, seen_at_the_end_only,
        replaced_without_an_end, hidden_in_part, listed_twice,
        another_at_the_stop, fuller_identity, identities_rank, areas_of_symbols,
        smaller_image, known_beginning, kernel_space,
        one_place_in_many_processes, order_of_facts, methods_take_turns,
        methods_listed_twice, managed_modules, makers_of_assemblies);
}
