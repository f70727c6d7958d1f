/* Names of a kernel of which the recording does not tell where it was. */
#include "symbols/find/places.h"
#include "symbols/naming.h"
#include "tests/support/compiled.h"
#include "tests/support/suite.h"

#define WHOLE  0xFFFF000000000000u
#define LINKED 0xFFFFFFFF81000000u

enum { FUNCTIONS = 8, APART = 32, CALL = 5, STEP = 2 << 20 };

/* Functions of 32 bytes, each of which calls the next one first of all. */
static const char sources[] =
    "{ echo .text; for i in 0 1 2 3 4 5 6 7; do echo .p2align 5; "
    "echo \".globl f$i; .type f$i, %function; f$i: call f$((i + 1)); ret; "
    ".size f$i, .-f$i\"; done; echo .p2align 5; "
    "echo '.globl f8; .type f8, %function; f8: ret; .size f8, .-f8'; } >k.s && "
    "as --64 k.s -o k.o && "
    "ld -m elf_x86_64 -static -Ttext=0xffffffff81000000 -e 0 "
    "--build-id=0x0123456789abcdef0123 k.o -o files/vmlinux";

static bool prepare(void)
{
    return compiled_prepare() && compiled_run("mkdir -p files") &&
           compiled_run(sources);
}

/* Each of the last `depth` functions called the next one, and the last of all
 * was where the kernel stopped. */
static struct profile *make_profile(uint64_t from, unsigned depth)
{
    static const uint8_t id[] = {0x01, 0x23, 0x45, 0x67, 0x89,
                                 0xAB, 0xCD, 0xEF, 0x01, 0x23};
    struct profile *p = profile_new();
    struct module kernel = {
        .path = strings_add(p->strings, "[kernel.kallsyms]", 17)};
    uint32_t stack = 0;

    kernel.name = kernel.path;
    memcpy(kernel.identity.build_id, id, sizeof(id));
    kernel.identity.build_id_size = sizeof(id);
    profile_set_metric(p, METRIC_CPU_SAMPLES);
    *vec_add(&p->processes) = (struct process){.pid = 40};
    *vec_add(&p->threads) = (struct thread){.process = 0};
    *vec_add(&p->modules) = kernel;
    *vec_add(&p->mappings) = (struct mapping){
        .process = NO_ID, .base = WHOLE, .size = UINT64_MAX - WHOLE};
    for (unsigned i = FUNCTIONS - depth; i <= FUNCTIONS; i++) {
        bool leaf = i == FUNCTIONS;
        struct location l = {.address = from - WHOLE + (uint64_t)i * APART +
                                        (leaf ? 0 : CALL),
                             .method = NO_ID,
                             .kind = CODE_KERNEL,
                             .cause = CAUSE_NO_SYMBOLS,
                             .caller = !leaf};

        stack = profile_stack(p, stack, profile_location(p, &l));
    }
    profile_sample(p, &(struct sample){
                          .stack = stack,
                          .weight = 1,
                          .flags = SAMPLE_HAS_STACK | SAMPLE_KERNEL_PART,
                      });
    return p;
}

static void name(struct profile *p)
{
    struct places places = {.paths = {0}};
    struct naming_options options = {.places = &places, .threads = 1};

    places_add(&places, compiled_path("files"));
    name_profile(p, &options, NULL);
    profile_finish(p);
    places_release(&places);
}

/* The innermost first: "f8 f7"; "-" has no name. */
static void assert_names(const struct profile *p, const char *expected)
{
    char got[100] = "";

    for (uint32_t s = p->samples.stack[0]; s; s = p->stacks.data[s].parent) {
        uint32_t at = p->frame_start.data[p->stacks.data[s].location];
        uint32_t f = p->frames.data[at].function;
        const char *name = strings_get(p->strings, p->functions.data[f].name);
        size_t n = strlen(got);

        snprintf(got + n, sizeof(got) - n, "%s%s", n ? " " : "",
                 *name ? name : "-");
    }
    ck_assert_str_eq(got, expected);
}

static const struct {
    uint64_t slide;
    unsigned depth; /* calls that tell */
    const char *names;
} rows[] = {
    {0, 8, "f8 f7 f6 f5 f4 f3 f2 f1 f0"},
    {(uint64_t)STEP * 5, 8, "f8 f7 f6 f5 f4 f3 f2 f1 f0"},
    {(uint64_t)STEP * 511, 4, "f8 f7 f6 f5 f4"},
    {(uint64_t)STEP * 5, 3, "- - - -"},                  /* too few */
    {(uint64_t)STEP * 5 + 4096, 8, "- - - - - - - - -"}, /* nowhere */
    {(uint64_t)STEP * 512, 8, "- - - - - - - - -"},      /* too far */
};

enum { ROWS = COUNT(rows) };

TEST(placed_by_calls)
{
    if (!prepare()) {
        suite_skip(1, "no assembler or linker of ELF files for x64");
        return;
    }
    for (size_t i = 0; i < ROWS; i++) {
        struct profile *p = make_profile(LINKED + rows[i].slide, rows[i].depth);

        name(p);
        assert_names(p, rows[i].names);
        profile_free(p);
    }
    compiled_remove();
}
