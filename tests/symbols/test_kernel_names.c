/*
 * Names of a kernel that lies elsewhere than it was linked for: of its ELF
 * file, and of its list of functions.
 */
#include "symbols/find/places.h"
#include "symbols/naming.h"
#include "tests/support/compiled.h"
#include "tests/support/suite.h"

#define ID "0123456789abcdef0123"

/* A segment before the kernel's own, and two functions. */
static const char sources[] =
    "printf '%s\\n' .text '.globl _text, second' '_text: .skip 32' "
    "'.type second, %function' 'second: .skip 16' '.size second, 16' "
    "'.section .first,\"a\"' '.skip 64' >k.s && as k.s -o k.o";

static const char list[] =
    "printf '%s\\n' 'ffffffff81000000 T _text' 'ffffffff81000020 T listed' "
    "'ffffffff81000030 T end' >";

/* At `place`, below our folder. */
static bool link_kernel(const char *place, const char *id)
{
    char command[400];

    snprintf(command, sizeof(command),
             "ld -static -Ttext=0xffffffff81000000 "
             "--section-start=.first=0x400000 -e 0 --build-id=0x%s k.o -o %s "
             "2>&1 >/dev/null",
             id, place);
    return compiled_run(command);
}

static bool write_list(const char *place)
{
    char command[400];

    snprintf(command, sizeof(command), "%s%s", list, place);
    return compiled_run(command);
}

static bool prepare(void)
{
    return compiled_prepare() &&
           compiled_run("mkdir -p files .build-id/01/23456789abcdef0123") &&
           compiled_run(sources);
}

static void take_id(struct identity *identity)
{
    static const uint8_t id[] = {0x01, 0x23, 0x45, 0x67, 0x89,
                                 0xAB, 0xCD, 0xEF, 0x01, 0x23};

    memcpy(identity->build_id, id, sizeof(id));
    identity->build_id_size = sizeof(id);
}

/* The name of the code 0x24 behind the kernel's beginning. */
static const char *name_of_code(const char *place, bool cached)
{
    static char name[100];
    struct places places = {.paths = {0}};
    struct naming_options options = {.places = &places, .threads = 1};
    struct profile *p = profile_new();
    struct module kernel = {
        .path = strings_add(p->strings, "[kernel.kallsyms]", 17)};
    const struct frame *frame;
    uint32_t location;

    kernel.name = kernel.path;
    take_id(&kernel.identity);
    *vec_add(&p->modules) = kernel;
    *vec_add(&p->mappings) = (struct mapping){
        .process = NO_ID, .base = 0xFFFFFFFF9C000000, .size = 0x1000};
    location =
        profile_location(p, &(struct location){.address = 0x24,
                                               .method = NO_ID,
                                               .kind = CODE_KERNEL,
                                               .cause = CAUSE_NO_SYMBOLS});
    if (cached)
        places_set_perf_cache(&places, compiled_folder());
    else
        places_add(&places, compiled_path(place));
    name_profile(p, &options, NULL);
    profile_finish(p);
    frame = &p->frames.data[p->frame_start.data[location]];
    snprintf(name, sizeof(name), "%s",
             strings_get(p->strings, p->functions.data[frame->function].name));
    places_release(&places);
    profile_free(p);
    return name;
}

TEST(by_file)
{
    if (!prepare() || !link_kernel("files/vmlinux-6.1", ID)) {
        suite_skip(1, "no assembler or linker of ELF files");
        return;
    }
    ck_assert_str_eq(name_of_code("files", false), "second");
    ck_assert_str_eq(name_of_code("files/vmlinux-6.1", false), "second");
    ck_assert_str_eq(name_of_code("", true), "");
    ck_assert(link_kernel("files/vmlinux-6.1", "0123456789abcdef0124"));
    ck_assert_str_eq(name_of_code("files", false), "");
    compiled_remove();
}

/* As perf keeps it. A file knows more than a list. */
TEST(by_cache)
{
    if (!prepare()) {
        suite_skip(1, "no assembler of ELF files");
        return;
    }
    ck_assert(write_list(".build-id/01/23456789abcdef0123/kallsyms"));
    ck_assert_str_eq(name_of_code("", true), "listed");
    ck_assert_str_eq(name_of_code("", false), "listed");
    ck_assert_str_eq(name_of_code("files", false), "");
    if (link_kernel(".build-id/01/23456789abcdef0123/elf", ID)) {
        ck_assert_str_eq(name_of_code("", true), "second");
    }
    compiled_remove();
}

TEST(by_list)
{
    if (!prepare()) {
        suite_skip(1, "no assembler of ELF files");
        return;
    }
    ck_assert(write_list("files/kallsyms"));
    ck_assert_str_eq(name_of_code("files", false), "listed");
    ck_assert_str_eq(name_of_code("files/kallsyms", false), "listed");
    compiled_remove();
}

/* A driver's name has at most 63 letters. */
#define NAME_60 "a23456789b23456789c23456789d23456789e23456789f23456789012345"
#define LONGEST "[" NAME_60 "123]"
#define LONGER  "[" NAME_60 "1234]"

/* The name of code in the kernel, a driver, another that is mapped in a
 * process only, drivers of long names, and what has the name of none. */
static const char *name_in(uint64_t kernel_base, uint32_t module,
                           uint64_t address)
{
    static const char *const names[] = {"[kernel.kallsyms]",
                                        "[ext4]",
                                        "[other]",
                                        LONGEST,
                                        LONGER,
                                        "[]",
                                        "/ext4"};
    static char name[100];
    struct places places = {.paths = {0}};
    struct naming_options options = {.places = &places, .threads = 1};
    struct profile *p = profile_new();
    const struct frame *frame;
    uint32_t location;

    for (size_t i = 0; i < COUNT(names); i++) {
        uint32_t id = strings_add(p->strings, names[i], strlen(names[i]));

        *vec_add(&p->modules) = (struct module){.name = id, .path = id};
    }
    *vec_add(&p->mappings) = (struct mapping){
        .process = 3, .module = 2, .base = 0xFFFFFFFFC0000000, .size = 0x1000};
    *vec_add(&p->mappings) =
        (struct mapping){.process = NO_ID, .base = kernel_base, .size = 0x1000};
    *vec_add(&p->mappings) = (struct mapping){.process = NO_ID,
                                              .module = 1,
                                              .base = 0xFFFFFFFFC0001000,
                                              .rva = 0x1000,
                                              .size = 0x1000};
    for (uint32_t i = 3; i < COUNT(names); i++)
        *vec_add(&p->mappings) =
            (struct mapping){.process = NO_ID,
                             .module = i,
                             .base = 0xFFFFFFFFC0000000 + i * 0x1000,
                             .size = 0x1000};
    location =
        profile_location(p, &(struct location){.address = address,
                                               .module = module,
                                               .method = NO_ID,
                                               .kind = CODE_KERNEL,
                                               .cause = CAUSE_NO_SYMBOLS});
    places_add(&places, compiled_path("files"));
    name_profile(p, &options, NULL);
    profile_finish(p);
    frame = &p->frames.data[p->frame_start.data[location]];
    snprintf(name, sizeof(name), "%s",
             strings_get(p->strings, p->functions.data[frame->function].name));
    places_release(&places);
    profile_free(p);
    return name;
}

TEST(by_module)
{
    static const uint64_t text = 0xFFFFFFFF81000000, whole = 0xFFFF000000000000;

    if (!compiled_prepare() || !compiled_run("mkdir -p files") ||
        !write_list("files/kallsyms") ||
        !compiled_run("printf '%s\\t%s\\n' 'ffffffffc0000010 t read' '[ext4]' "
                      "'ffffffffc0000020 t other' '[other]' "
                      "'ffffffffc0003010 t longest' '" LONGEST "' "
                      "'ffffffffc0004010 t longer' '" LONGER "' "
                      "'ffffffffc0005010 t nobody' '[]' "
                      "'ffffffffc0006010 t path' '[ext]' "
                      "'ffffffffc0006020 t letters' '[ext4]' "
                      ">>files/kallsyms")) {
        suite_skip(1, "no folder to write in");
        return;
    }
    ck_assert_str_eq(name_in(text, 0, 0x24), "listed");
    ck_assert_str_eq(name_in(text, 0, 0x1F), "_text");
    ck_assert_str_eq(name_in(whole, 0, text + 0x24 - whole), "listed");
    ck_assert_str_eq(name_in(text, 1, 0x10), "read");
    ck_assert_str_eq(name_in(text, 1, 0xF), "");
    ck_assert_str_eq(name_in(text, 1, 0x20), ""); /* of another */
    ck_assert_str_eq(name_in(text, 2, 0x20), ""); /* not in the kernel */
    ck_assert_str_eq(name_in(text, 3, 0x10), "longest");
    ck_assert_str_eq(name_in(text, 4, 0x10), "");
    ck_assert_str_eq(name_in(text, 5, 0x10), "nobody");
    ck_assert_str_eq(name_in(text, 6, 0x10), "");
    ck_assert_str_eq(name_in(text, 6, 0x20), "");
    compiled_remove();
}

/* To a reader without privilege the list has addresses of 0. */
TEST(by_file_beside_a_hidden_list)
{
    if (!prepare() || !link_kernel("files/vmlinux", ID)) {
        suite_skip(1, "no assembler or linker of ELF files");
        return;
    }
    ck_assert(compiled_run("printf '%s\\n' '0000000000000000 T _text' "
                           "'0000000000000000 T listed' >files/kallsyms"));
    ck_assert_str_eq(name_of_code("files", false), "second");
    ck_assert(compiled_run("rm files/vmlinux"));
    ck_assert_str_eq(name_of_code("files", false), "");
    compiled_remove();
}
