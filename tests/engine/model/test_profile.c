#include "engine/model/profile.h"

#include "tests/support/exhausts.h"
#include "tests/support/profile_check.h"
#include "tests/support/suite.h"

static struct profile *p;

static uint32_t str(const char *text)
{
    return strings_add(p->strings, text, strlen(text));
}

static uint32_t add_module(const char *name)
{
    *vec_add(&p->modules) = (struct module){.name = str(name)};
    return (uint32_t)p->modules.len - 1;
}

static uint32_t add_method(const char *full_name, uint32_t module)
{
    return methods_add(
        &p->methods,
        &(struct method){.full_name = str(full_name), .module = module});
}

static uint32_t add_location(uint64_t address, uint32_t module,
                             uint32_t method, enum code_kind kind)
{
    struct location l = {
        .address = address,
        .module = module,
        .method = method,
        .kind = (uint8_t)kind,
        .cause = method == NO_ID ? CAUSE_NO_SYMBOLS : CAUSE_NONE,
    };

    return profile_location(p, &l);
}

static void assert_sane(void)
{
    const char *broken = profile_check(p);

    ck_assert_msg(!broken, "%s", broken);
}

static void add_threads(size_t n)
{
    *vec_add(&p->processes) = (struct process){.pid = 4};
    while (n--)
        *vec_add(&p->threads) = (struct thread){.process = 0};
}

static const char *function_of(uint32_t location)
{
    static char text[FUNCTION_NAME_SIZE];
    uint32_t frame = p->frame_start.data[location];

    return profile_function_name(p, p->frames.data[frame].function, text);
}

static const char *module_of(uint32_t location)
{
    uint32_t frame = p->frame_start.data[location];
    uint32_t function = p->frames.data[frame].function;

    return strings_get(p->strings, p->functions.data[function].module);
}

TEST(empty_profile)
{
    p = profile_new();
    profile_finish(p);
    assert_sane();
    profile_finish(p);
    ck_assert_uint_eq(p->frame_start.len, 1);
    profile_free(p);
    profile_free(NULL);
}

/* An address is one location however often it is added, but an RVA, an
 * offset in a method and a bare address of equal value are three. */
TEST(locations_are_interned)
{
    uint32_t ids[7], a, b, jit, other;

    p = profile_new();
    a = add_module("a.dll");
    b = add_module("b.dll");
    jit = add_method("A.F()", NO_ID);
    other = add_method("A.G()", a);
    ids[0] = add_location(0x10, a, NO_ID, CODE_NATIVE);
    ids[1] = add_location(0x10, b, NO_ID, CODE_NATIVE);
    ids[2] = add_location(0x10, NO_ID, jit, CODE_MANAGED);
    ids[3] = add_location(0x10, a, jit, CODE_MANAGED);
    ids[4] = add_location(0x10, NO_ID, NO_ID, CODE_UNKNOWN);
    ids[5] = add_location(0x10, NO_ID, other, CODE_MANAGED);
    ids[6] = add_location(0x10 + (1ull << 32), a, NO_ID, CODE_NATIVE);
    for (uint32_t i = 0; i < 7; i++)
        ck_assert_uint_eq(ids[i], i);
    ck_assert_uint_eq(add_location(0x10, b, NO_ID, CODE_KERNEL), 1);
    ck_assert_uint_eq(p->locations.data[1].kind, CODE_NATIVE);
    ck_assert_uint_eq(p->locations.len, 7);
    profile_finish(p);
    assert_sane();
    profile_free(p);
}

/* What is nowhere has a place for each cause, and a caller's address is not
 * the same as a sampled one; as addresses they are one. */
TEST(roles_and_causes_keep_locations_apart)
{
    struct location l = {.address = 0x10,
                         .module = NO_ID,
                         .method = NO_ID,
                         .cause = CAUSE_NO_IMAGE};

    p = profile_new();
    add_module("a.dll");
    ck_assert_uint_eq(profile_location(p, &l), 0);
    l.cause = CAUSE_FREED;
    ck_assert_uint_eq(profile_location(p, &l), 1);
    l.caller = true;
    ck_assert_uint_eq(profile_location(p, &l), 2);
    ck_assert_uint_eq(profile_location(p, &l), 2);
    l.module = 0;
    ck_assert_uint_eq(profile_location(p, &l), 3);
    l.cause = CAUSE_NO_SYMBOLS;
    ck_assert_uint_eq(profile_location(p, &l), 3);
    l.caller = false;
    ck_assert_uint_eq(profile_location(p, &l), 4);
    ck_assert_uint_eq(profile_addresses(p), 2);
    l.address = 0x11;
    profile_location(p, &l);
    ck_assert_uint_eq(profile_addresses(p), 3);
    profile_free(p);
}

TEST(methods_have_an_area)
{
    uint32_t plain, shop, script;

    p = profile_new();
    plain = add_module("a.dll");
    shop = add_module("Shop");
    p->modules.data[shop].area = str("[Shop]");
    add_location(1, NO_ID, add_method("A.F()", plain), CODE_MANAGED);
    add_location(2, NO_ID, add_method("B.F()", shop), CODE_MANAGED);
    add_location(3, NO_ID, add_method("C.F()", NO_ID), CODE_MANAGED);
    script = add_location(4, NO_ID, add_method("go", shop), CODE_SCRIPT);
    add_location(5, NO_ID, NO_ID, CODE_UNKNOWN);
    profile_finish(p);
    ck_assert_str_eq(profile_location_module(p, 0), "[jit]");
    ck_assert_str_eq(profile_location_module(p, 1), "[Shop]");
    ck_assert_str_eq(profile_location_module(p, script), "[script]");
    p->jit_in_modules = true;
    ck_assert_str_eq(profile_location_module(p, 0), "a.dll");
    ck_assert_str_eq(profile_location_module(p, 1), "Shop");
    ck_assert_str_eq(profile_location_module(p, 2), "[jit]");
    ck_assert_str_eq(profile_location_module(p, script), "Shop");
    ck_assert_str_eq(profile_location_module(p, 4), "[unknown]");
    profile_free(p);
}

TEST(stacks_share_prefixes)
{
    uint32_t main_, loop, leaf;

    p = profile_new();
    for (uint64_t i = 0; i < 3; i++)
        add_location(i, NO_ID, NO_ID, CODE_UNKNOWN);
    main_ = profile_stack(p, 0, 0);
    loop = profile_stack(p, main_, 1);
    leaf = profile_stack(p, loop, 2);
    ck_assert_uint_eq(profile_stack(p, 0, 0), main_);
    ck_assert_uint_eq(profile_stack(p, loop, 2), leaf);
    ck_assert_uint_ne(profile_stack(p, main_, 2), leaf);
    ck_assert_uint_eq(p->stacks.len, 5);
    profile_free(p);
}

/* Tiers and re-JITs are methods apart, but one function. */
TEST(finish_names_locations)
{
    uint32_t dll, native, tier0, tier1, dynamic, script, nowhere, kernel;

    p = profile_new();
    dll = add_module("app.dll");
    native = add_location(0x1a2b, add_module("nt"), NO_ID, CODE_NATIVE);
    tier0 = add_location(1, NO_ID, add_method("A.F()", dll), CODE_MANAGED);
    tier1 = add_location(2, NO_ID, add_method("A.F()", dll), CODE_MANAGED);
    dynamic = add_location(3, NO_ID, add_method("stub", NO_ID), CODE_MANAGED);
    script = add_location(4, NO_ID, add_method("go", NO_ID), CODE_SCRIPT);
    nowhere = add_location(0x7ff012345678, NO_ID, NO_ID, CODE_UNKNOWN);
    kernel = add_location(0x1a2c, 1, NO_ID, CODE_KERNEL);
    profile_finish(p);
    assert_sane();
    ck_assert_str_eq(function_of(native), "nt!+0x1a2b");
    ck_assert_str_eq(function_of(kernel), "nt!+0x1a2c");
    ck_assert_str_eq(function_of(tier0), "A.F()");
    ck_assert_str_eq(module_of(tier0), "app.dll");
    ck_assert_ptr_eq(function_of(tier0), function_of(tier1));
    ck_assert_str_eq(function_of(dynamic), "stub");
    ck_assert_str_eq(module_of(dynamic), "[jit]");
    ck_assert_str_eq(function_of(script), "go");
    ck_assert_str_eq(module_of(script), "[script]");
    ck_assert_str_eq(function_of(nowhere), "0x7ff012345678");
    ck_assert_str_eq(module_of(nowhere), "");
    ck_assert_uint_eq(p->functions.len, 6);
    profile_free(p);
}

TEST(location_names)
{
    char text[FUNCTION_NAME_SIZE];
    uint32_t dll, method;

    p = profile_new();
    dll = add_module("a.dll");
    method = add_method("A.F()", NO_ID);
    add_location(0x1f, dll, NO_ID, CODE_NATIVE);
    add_location(0x1f, dll, method, CODE_MANAGED);
    add_location(0x1f, NO_ID, method, CODE_MANAGED);
    add_location(UINT64_MAX, NO_ID, NO_ID, CODE_UNKNOWN);
    ck_assert_str_eq(profile_location_name(p, 0, text), "a.dll!+0x1f");
    ck_assert_str_eq(profile_location_name(p, 1, text), "a.dll!+0x1f");
    ck_assert_str_eq(profile_location_name(p, 2, text), "A.F()+0x1f");
    ck_assert_str_eq(profile_location_name(p, 3, text), "0xffffffffffffffff");
    profile_finish(p);
    ck_assert_str_eq(profile_location_module(p, 0), "a.dll");
    ck_assert_str_eq(profile_location_module(p, 2), "[jit]");
    ck_assert_str_eq(profile_location_module(p, 3), "[unknown]");
    profile_free(p);
}

/* What is cut off must still be UTF-8. */
TEST(long_names_are_cut_between_characters)
{
    char name[1024], text[FUNCTION_NAME_SIZE], expected[400];

    for (size_t shift = 0; shift < 3; shift++) {
        size_t kept = shift + (256 - shift) / 3 * 3;

        p = profile_new();
        memset(name, 'x', shift);
        name[shift] = '\0';
        while (strlen(name) < 900)
            strcat(name, "\xE2\x83\xAD");
        add_location(UINT64_MAX, add_module(name), NO_ID, CODE_NATIVE);
        snprintf(expected, sizeof(expected), "%.*s!+0xffffffffffffffff",
                 (int)kept, name);
        ck_assert_str_eq(profile_location_name(p, 0, text), expected);
        profile_finish(p);
        ck_assert_str_eq(function_of(0), expected);
        profile_free(p);
    }
}

TEST(many_samples)
{
    p = profile_new();
    add_threads(7);
    profile_stack(p, 0, add_location(1, NO_ID, NO_ID, CODE_UNKNOWN));
    for (uint32_t i = 0; i < 20000; i++)
        profile_sample(p, &(struct sample){
                              .time = i,
                              .thread = i % 7,
                              .stack = 1,
                              .weight = 1,
                              .cpu = (uint16_t)(i % 8),
                              .flags = (uint8_t)(i % 64),
                          });
    ck_assert_uint_eq(p->samples.len, 20000);
    for (uint32_t i = 0; i < 20000; i++) {
        ck_assert_int_eq(p->samples.time[i], i);
        ck_assert_uint_eq(p->samples.thread[i], i % 7);
        ck_assert_uint_eq(p->samples.cpu[i], i % 8);
        ck_assert_uint_eq(p->samples.flags[i], i % 64);
    }
    profile_finish(p);
    assert_sane();
    profile_free(p);
}

TEST(classes_of_stacks)
{
    static const struct {
        uint16_t flags;
        enum stack_class class;
    } rows[] = {
        {0, STACK_NONE},
        {SAMPLE_IDLE | SAMPLE_DPC | SAMPLE_ISR, STACK_NONE},
        {SAMPLE_HAS_STACK | SAMPLE_USER_PART, STACK_USER},
        {SAMPLE_HAS_STACK | SAMPLE_KERNEL_PART, STACK_KERNEL},
        {SAMPLE_HAS_STACK | SAMPLE_KERNEL_PART | SAMPLE_USER_PART,
         STACK_FULL},
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        ck_assert_int_eq(stack_class(rows[i].flags), rows[i].class);
    for (int i = 0; i < CODE_KINDS; i++)
        ck_assert_ptr_nonnull(code_kind_name((enum code_kind)i));
    for (int i = 0; i < CAUSE_KINDS; i++)
        ck_assert_ptr_nonnull(name_cause_name((enum name_cause)i));
    ck_assert_str_eq(code_kind_name(CODE_UNKNOWN), "unknown");
    ck_assert_str_eq(code_kind_name(CODE_KERNEL), "kernel");
}

/* A table of 2^32 entries cannot be made here; its length can. */
TEST(ids_never_wrap)
{
    struct function f = {.address = 1};

    p = profile_new();
    p->locations.len = p->stacks.len = p->functions.len = UINT32_MAX;
    ck_assert(exhausts(add_location(1, NO_ID, NO_ID, CODE_UNKNOWN)));
    ck_assert(exhausts(profile_stack(p, 0, 0)));
    ck_assert(exhausts(profile_function(p, &f)));
    p->locations.len = 0;
    ck_assert(exhausts(add_location(1, NO_ID, 1u << 30, CODE_MANAGED)));
    profile_free(p);
}

static void fill(void)
{
    add_threads(1);
    for (uint32_t i = 0; i < 3000; i++) {
        add_location(i, NO_ID, NO_ID, CODE_UNKNOWN);
        profile_sample(p, &(struct sample){.time = i,
                                           .stack = profile_stack(p, i, i),
                                           .weight = 1});
    }
    profile_warn(p, "%d", 5);
    profile_skip(p, "a.etl", 0, 1, "bad size");
    profile_finish(p);
}

static bool fill_fails(unsigned long nth)
{
    p = profile_new();
    mem_fail_at(nth);
    return exhausts(fill());
}

/* Whichever allocation fails, the handler is called and the profile can
 * still be freed. */
TEST(every_allocation_may_fail)
{
    unsigned long nth = 1;

    while (fill_fails(nth)) {
        profile_free(p);
        nth++;
    }
    mem_fail_at(0);
    ck_assert_uint_gt(nth, 30);
    assert_sane();
    profile_free(p);
}
