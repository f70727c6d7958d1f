/* How what sources find gets into a profile: made-up sources, no binary. */
#include "symbols/naming.h"

#include "symbols/find/places.h"
#include "symbols/name_source.h"
#include "tests/support/profile_check.h"
#include "tests/support/suite.h"

enum { MODULES = 3, METHOD_START = 0x9000 };

static const struct places nowhere;

static uint32_t string(struct profile *p, const char *text)
{
    return strings_add(p->strings, text, strlen(text));
}

static uint32_t add(struct profile *p, uint64_t address, uint32_t module,
                    uint32_t method, enum code_kind kind, enum name_cause cause)
{
    return profile_location(p, &(struct location){.address = address,
                                                  .module = module,
                                                  .method = method,
                                                  .kind = (uint8_t)kind,
                                                  .cause = (uint8_t)cause});
}

/* Three images, a managed method, and of the stack
 * 0: a.exe+0x10 > 1: b.dll+0x20 > 2: b.dll+0x30 > 3: M.Run+0x8 > 4: 0x5000. */
static struct profile *make_profile(void)
{
    static const char *const names[MODULES] = {"a.exe", "b.dll", "c.dll"};
    struct profile *p = profile_new();
    uint32_t stack = 0;

    p->trace.format = string(p, "etl");
    profile_set_metric(p, METRIC_CPU_SAMPLES);
    *vec_add(&p->processes) = (struct process){.pid = 1};
    *vec_add(&p->threads) = (struct thread){.process = 0};
    for (size_t i = 0; i < MODULES; i++)
        *vec_add(&p->modules) = (struct module){.name = string(p, names[i])};
    methods_add(&p->methods, &(struct method){.start = METHOD_START,
                                              .size = 0x40,
                                              .full_name = string(p, "M.Run()"),
                                              .module = NO_ID});
    add(p, 0x10, 0, NO_ID, CODE_NATIVE, CAUSE_NO_SYMBOLS);
    add(p, 0x20, 1, NO_ID, CODE_NATIVE, CAUSE_NO_SYMBOLS);
    add(p, 0x30, 1, NO_ID, CODE_NATIVE, CAUSE_NO_SYMBOLS);
    add(p, 0x8, NO_ID, 0, CODE_MANAGED, CAUSE_NONE);
    add(p, 0x5000, NO_ID, NO_ID, CODE_UNKNOWN, CAUSE_NO_IMAGE);
    for (uint32_t i = 0; i < 4; i++)
        p->locations.data[i].caller = true;
    for (uint32_t i = 0; i < 5; i++)
        stack = profile_stack(p, stack, i);
    profile_sample(p, &(struct sample){
                          .stack = stack,
                          .weight = 1,
                          .flags = SAMPLE_HAS_STACK | SAMPLE_USER_PART,
                      });
    return p;
}

static void name(struct profile *p, unsigned threads, enum demangle_style style,
                 const struct name_source *one, const struct name_source *two)
{
    const struct name_source *const sources[] = {one, two, NULL};
    struct naming_options options = {
        .places = &nowhere, .style = style, .threads = threads};

    name_from(sources, p, &options, NULL);
    profile_finish(p);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
}

/* ---- made-up sources ---- */

static uint32_t in_images(const struct profile *p, const struct location *l)
{
    (void)p;
    return l->method == NO_ID ? l->module : NO_ID;
}

static int questions;

static void *begin(const struct naming *n, const struct asked_about *asked,
                   size_t count)
{
    ck_assert_uint_gt(n->p->modules.len, 0);
    for (size_t i = 0; i < count; i++) {
        const struct asked_about *a = &asked[i];

        ck_assert(!i || asked[i - 1].subject < a->subject);
        ck_assert_uint_gt(a->count, 0);
        for (size_t k = 1; k < a->count; k++)
            ck_assert_uint_lt(a->locations[k - 1], a->locations[k]);
        questions += (int)a->count;
    }
    return &questions;
}

/* One frame inlined into another, of the first address in a module. */
static void ask_low(void *opened, const struct asked *a, struct answer *answer)
{
    (void)opened;
    answer->cause = CAUSE_MISMATCH;
    if (a->address > 0x20)
        return;
    answer->count = 2;
    answer->frames[0] =
        (struct debug_frame){.function = "inner", .line = 3, .inlined = true};
    answer->frames[1] = (struct debug_frame){.function = "outer", .line = 9};
    answer->origin = "the first";
}

static const struct name_source low = {
    .subject = in_images, .begin = begin, .ask = ask_low};
/* ---- what is asked ---- */

/* Names by the byte looked up, as an image would have them. */
static void ask_byte(void *opened, const struct asked *a, struct answer *answer)
{
    static const struct {
        uint64_t end;
        const char *name;
    } functions[] = {
        {0x20, "main"},          {0x30, "before"},
        {0x40, "victim"},        {0x50, "asm_exc_page_fault"},
        {UINT64_MAX, "handler"},
    };
    size_t i = 0;

    (void)opened;
    while (asked_code(a) >= functions[i].end)
        i++;
    answer->count = 1;
    answer->frames[0] = (struct debug_frame){.function = functions[i].name};
}

static const struct name_source bytes = {.for_databases = true,
                                         .subject = in_images,
                                         .begin = begin,
                                         .ask = ask_byte};

enum { LOCATIONS = 5 };
/* 0x18 > 0x30 > 0x48 > 0x58, all but the last callers; `shared`: 0x30 has
 * called 0x58, too. */
static struct profile *interrupted_profile(bool shared)
{
    static const uint64_t addresses[] = {0x18, 0x30, 0x48, 0x58};
    struct profile *p = make_profile();
    uint32_t stack = 0, ids[4];

    for (uint32_t i = 0; i < 4; i++) {
        ids[i] =
            profile_location(p, &(struct location){.address = addresses[i],
                                                   .module = 2,
                                                   .method = NO_ID,
                                                   .kind = CODE_KERNEL,
                                                   .cause = CAUSE_NO_SYMBOLS,
                                                   .caller = i < 3});
        stack = profile_stack(p, stack, ids[i]);
    }
    p->samples.stack[0] = stack;
    if (!shared)
        return p;
    stack = profile_stack(p, profile_stack(p, 0, ids[0]), ids[1]);
    profile_sample(p, &(struct sample){
                          .stack = profile_stack(p, stack, ids[3]),
                          .weight = 1,
                          .flags = SAMPLE_HAS_STACK | SAMPLE_KERNEL_PART,
                      });
    return p;
}

static void assert_chain(const struct profile *p, const char *expected)
{
    uint32_t stack = p->samples.stack[0];
    char got[200] = "", text[FUNCTION_NAME_SIZE];

    for (; stack; stack = p->stacks.data[stack].parent) {
        uint32_t at = p->frame_start.data[p->stacks.data[stack].location];
        size_t n = strlen(got);

        snprintf(got + n, sizeof(got) - n, "%s%s", n ? " < " : "",
                 profile_function_name(p, p->frames.data[at].function, text));
    }
    ck_assert_str_eq(got, expected);
}

/* An exception at the first byte of a function belongs to this function, not to
 * the one before it. A location that is also a return address stays a
 * caller. */
TEST(interrupted)
{
    for (unsigned shared = 0; shared < 2; shared++) {
        const char *expected =
            shared ? "handler < asm_exc_page_fault < before < main"
                   : "handler < asm_exc_page_fault < victim < main";
        struct profile *p = interrupted_profile(shared);

        name(p, 1, DEMANGLE_SHORT, &bytes, NULL);
        assert_chain(p, expected);
        /* Again as from a database: nothing is left to set apart. */
        name(p, 1, DEMANGLE_SHORT, &bytes, NULL);
        assert_chain(p, expected);
        profile_free(p);
    }
}

/* Without a source that knows it now, the name it had as a caller stays. */
TEST(interrupted_without_source)
{
    static const char *const names[] = {"main", "victim", "asm_sysvec_x", "h"};
    struct profile *p = interrupted_profile(false);

    for (uint32_t i = 0; i < 4; i++) {
        struct frame f = {
            .function = profile_function(
                p, &(struct function){.name = string(p, names[i])})};

        profile_set_frames(p, LOCATIONS + i, &f, 1);
    }
    name(p, 1, DEMANGLE_SHORT, &low, NULL);
    assert_chain(p, "h < asm_sysvec_x < victim < main");
    profile_free(p);
}

/* ---- modules that are the same file ---- */

/* "0,2: 3 questions; 1: 2 questions": modules and locations of each subject. */
static char by_file[100];

static void *begin_by_file(const struct naming *n,
                           const struct asked_about *asked, size_t count)
{
    struct out *text = out_memory();

    (void)n;
    for (size_t i = 0; i < count; i++) {
        out_str(text, i ? "; " : "");
        for (size_t k = 0; k < asked[i].module_count; k++)
            out_fmt(text, "%s%u", k ? "," : "", asked[i].modules[k]);
        out_fmt(text, ": %zu questions", asked[i].count);
        ck_assert_uint_eq(asked[i].subject, asked[i].modules[0]);
        ck_assert(!asked[i].left_out);
    }
    snprintf(by_file, sizeof(by_file), "%s", out_text(text, NULL));
    out_close(text, NULL);
    return by_file;
}

static const struct name_source files = {.by_file = true,
                                         .subject = in_images,
                                         .begin = begin_by_file,
                                         .ask = ask_low};

TEST(the_same_file_is_one_subject)
{
    struct profile *p = make_profile();

    for (uint32_t m = 0; m < MODULES; m++) {
        p->modules.data[m].identity.build_id_size = 1;
        p->modules.data[m].identity.build_id[0] = m == 1;
    }
    add(p, 0x11, 2, NO_ID, CODE_NATIVE, CAUSE_NO_SYMBOLS);
    add(p, 0x12, 2, NO_ID, CODE_NATIVE, CAUSE_NO_SYMBOLS);
    name(p, 1, DEMANGLE_SHORT, &files, NULL);
    ck_assert_str_eq(by_file, "0,2: 3 questions; 1: 2 questions");
    profile_free(p);
}
