/* Modules are named side by side: the profile must not show it. */
#include "symbols/naming.h"

#include "tests/support/compiled.h"
#include "tests/support/profile_check.h"
#include "tests/support/same_profile.h"
#include "tests/support/suite.h"

enum { MODULES = 9, REACH = 0x1800 };

static void module_name(char name[20], unsigned i)
{
    snprintf(name, 20, "image%u", i);
}

/* Each with a build-id of eight bytes, the last being its number; the last
 * module has no file. */
static bool build_all(void)
{
    char name[20], options[100];
    bool done = true;

    for (unsigned i = 0; i + 1 < MODULES && done; i++) {
        module_name(name, i);
        snprintf(options, sizeof(options),
                 "-g -Wl,--build-id=0x01010101010101%02x", i);
        done = compiled_build(name, options);
    }
    return done;
}

static void add_module(struct profile *p, unsigned i)
{
    struct module m = {.identity = {.build_id_size = 8}};
    char name[20];

    module_name(name, i);
    m.name = strings_add(p->strings, name, strlen(name));
    m.path = m.name;
    memset(m.identity.build_id, 1, 7);
    m.identity.build_id[7] = (uint8_t)i;
    *vec_add(&p->modules) = m;
    for (uint64_t at = 0; at < REACH; at += 3)
        profile_location(p, &(struct location){.address = at,
                                               .module = i,
                                               .method = NO_ID,
                                               .kind = CODE_NATIVE,
                                               .cause = CAUSE_NO_SYMBOLS});
}

static struct profile *named(unsigned threads, struct naming_log *log)
{
    struct places places = {.paths = {0}};
    struct naming_options options = {
        .places = &places, .style = DEMANGLE_SHORT, .threads = threads};
    struct profile *p = profile_new();

    for (unsigned i = 0; i < MODULES; i++)
        add_module(p, i);
    places_add(&places, compiled_folder());
    name_profile(p, &options, log);
    places_release(&places);
    profile_finish(p);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    return p;
}

/* A module of its own name and a log in order. */
static void check_modules(const struct profile *p, const struct naming_log *log)
{
    ck_assert_uint_eq(log->symbols.modules.len, MODULES);
    for (unsigned i = 0; i < MODULES; i++) {
        const char *from = strings_get(p->strings, p->modules.data[i].symbols);
        char name[20];

        module_name(name, i);
        ck_assert_uint_eq(log->symbols.modules.data[i].module, i);
        if (i + 1 < MODULES)
            ck_assert_str_eq(from, compiled_path(name));
        else
            ck_assert_str_eq(from, "");
    }
}

TEST(any_number_of_threads)
{
    static const unsigned threads[] = {1, 2, 3, 8, 0};
    struct profile *first = NULL;

    for (size_t i = 0; i < 5; i++) {
        struct naming_log log = {.symbols = {.modules = {0}}};
        struct profile *p = named(threads[i], &log);

        check_modules(p, &log);
        naming_log_release(&log);
        if (!first) {
            first = p;
            continue;
        }
        ck_assert_msg(!same_profile(first, p), "%s", same_profile(first, p));
        profile_free(p);
    }
    profile_free(first);
}

/* Every address of the modules was asked about, three bytes apart. */
TEST(functions_begin_before_their_code)
{
    enum { NEAR = 3 };
    struct naming_log log = {.symbols = {.modules = {0}}};
    struct profile *p = named(1, &log);
    size_t begun = 0;

    for (size_t i = 1; i < p->locations.len; i++) {
        const struct frame *last =
            &p->frames.data[p->frame_start.data[i + 1] - 1];
        const struct frame *before =
            &p->frames.data[p->frame_start.data[i] - 1];
        const struct function *f = &p->functions.data[last->function];
        uint64_t at = p->locations.data[i].address;

        if (!f->name || !f->address)
            continue;
        ck_assert_uint_le(f->address, at);
        if (before->function != last->function && at < f->address + NEAR)
            begun++;
    }
    ck_assert_uint_gt(begun, 0);
    naming_log_release(&log);
    profile_free(p);
}

TEST(causes)
{
    struct profile *p = named(2, NULL);
    unsigned counts[CAUSE_KINDS] = {0};

    for (size_t i = 0; i < p->frames.len; i++)
        counts[p->functions.data[p->frames.data[i].function].cause]++;
    ck_assert_uint_gt(counts[CAUSE_NONE], 0);
    ck_assert_uint_gt(counts[CAUSE_OUTSIDE], 0);
    ck_assert_uint_eq(counts[CAUSE_NO_SYMBOLS], REACH / 3);
    profile_free(p);
}

static uint64_t count_broken(const struct profile *p)
{
    uint64_t broken = 0;

    for (size_t i = 0; i < p->locations.len; i++)
        broken += p->locations.data[i].cause == CAUSE_BROKEN;
    return broken;
}

/* Inlined calls are told by a file that went away. */
TEST(missing_files_are_told)
{
    struct naming_log log = {.symbols = {.modules = {0}}};
    const char *warning = "none";
    struct profile *p;

    if (!compiled_build("image0", "-g -gsplit-dwarf "
                                  "-Wl,--build-id=0x0101010101010100") ||
        !compiled_run("rm *.dwo")) {
        suite_skip(1, "no split DWARF");
        return;
    }
    p = named(2, &log);
    if (p->quality.warnings.len)
        warning = strings_get(p->strings, p->quality.warnings.data[0]);
    ck_assert_uint_eq(p->quality.warnings.len, 1);
    ck_assert_msg(strstr(warning, "inlined calls in image0 are missing: ") &&
                      strstr(warning, ".dwo (no debug file)"),
                  "%s", warning);
    ck_assert(p->modules.data[0].without_inlined);
    ck_assert(!p->modules.data[1].without_inlined);
    naming_log_release(&log);
    profile_free(p);
    ck_assert(build_all());
}

/* Neither DWARF nor symbols can be had of one: that is told, and a cause. */
TEST(sections_that_claim_too_much)
{
    struct naming_log log = {.symbols = {.modules = {0}}};
    const char *warning, *flaw;
    struct profile *p;

    if (!compiled_claim("image3", ".debug_info") ||
        !compiled_claim("image3", ".symtab") ||
        !compiled_claim("image3", ".dynsym")) {
        suite_skip(1, "no 64-bit compiler");
        return;
    }
    p = named(2, &log);
    ck_assert_uint_eq(count_broken(p), REACH / 3);
    ck_assert_uint_eq(p->quality.warnings.len, 1);
    warning = strings_get(p->strings, p->quality.warnings.data[0]);
    ck_assert_ptr_nonnull(strstr(warning, "/image3: section ."));
    ck_assert_ptr_nonnull(strstr(warning, "claim to unpack to 4294967296"));
    flaw = module_flaw(&log.symbols.modules.data[3].files);
    ck_assert_ptr_nonnull(flaw);
    ck_assert_ptr_nonnull(strstr(warning, flaw));
    naming_log_release(&log);
    profile_free(p);
}

/* A trace may have a module for each sample. */
TEST(modules_behind_the_limit_are_told)
{
    enum { SOUGHT_MOST = 1 << 14, MORE = 3 };
    struct places places = {.paths = {0}};
    struct naming_options options = {.places = &places};
    struct profile *p = profile_new();
    const char *warning;

    for (unsigned i = 0; i < SOUGHT_MOST + MORE; i++) {
        uint32_t name = strings_addf(p->strings, "image%u", i);

        *vec_add(&p->modules) = (struct module){.path = name, .name = name};
        profile_location(p, &(struct location){.module = i,
                                               .method = NO_ID,
                                               .kind = CODE_NATIVE,
                                               .cause = CAUSE_NO_SYMBOLS});
    }
    name_profile(p, &options, NULL);
    ck_assert_uint_eq(p->quality.warnings.len, 1);
    warning = strings_get(p->strings, p->quality.warnings.data[0]);
    ck_assert_msg(strstr(warning, "16384 modules: the debug files of the "
                                  "other 3 were not"),
                  "%s", warning);
    profile_free(p);
}

SUITE
{
    int status = compiled_prepare() && build_all()
                     ? run_tests()
                     : suite_skip_all("no compiler to make ELF files with");

    compiled_remove();
    return status;
}
