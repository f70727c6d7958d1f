/*
 * Instructions of real images against those of objdump: where its listing has
 * a function of ours, both must see instructions begin at the same addresses.
 *
 * objdump reads sections from end to end, and both lose their way in jump
 * tables that lie between code: a function counts only if objdump sees where
 * it begins and all of it is instructions for both. At least `functions` must
 * count.
 */
#include <unistd.h>

#include "symbols/disasm.h"
#include "symbols/elf/elf.h"
#include "symbols/pe/pe.h"
#include "tests/support/debug_input.h"
#include "tests/support/suite.h"

struct image_case {
    const char *folder, *image, *debug; /* NULL: the image itself */
    size_t functions;
};

static const struct image_case images[] = {
    {"../perfdata", "ledger", NULL, 27},
    {"symbolic-linux", "crash", NULL, 220},
    {"dump_syms-linux", "basic.full", NULL, 16},
    {"symbolic-windows", "hello-dwarf.exe", NULL, 120},
    {"symbolic-windows", "crash.exe", "crash.pdb", 120},
    {"samply-win64", "WriteArgument.exe", "WriteArgument.pdb", 60},
    {"samply-win64", "softokn3.dll", "softokn3.pdb", 650},
    {"samply-win64", "softokn3.dll", NULL, 850},
    {"dump_syms-windows", "basic64.dll", NULL, 2900},
};

/* Where instructions begin, and where there are none; RVA, ascending as
 * objdump lists them. */
struct listing {
    VEC(uint64_t) starts, bad;
};

static uint64_t base_of(const struct debug_input *in)
{
    struct pe pe;

    if (in->file->kind == &elf_debug_kind)
        return elf_base(in->file);
    ck_assert(!pe_open(&pe, in->path, in->data, in->size, NULL));
    return pe.base;
}

static struct listing list(const struct debug_input *in)
{
    struct listing l = {.starts = {0}};
    uint64_t base = base_of(in), address;
    char command[1100], line[1000];
    FILE *pipe;

    snprintf(command, sizeof(command), "objdump -d -w --no-show-raw-insn '%s'",
             in->path);
    pipe = popen(command, "r");
    ck_assert_ptr_nonnull(pipe);
    while (fgets(line, sizeof(line), pipe)) {
        char *end;

        address = strtoull(line, &end, 16);
        if (line[0] != ' ' || *end != ':' || strstr(end, "\t..."))
            continue;
        *vec_add(&l.starts) = address - base;
        if (strstr(end, "(bad)"))
            *vec_add(&l.bad) = address - base;
    }
    ck_assert_int_eq(pclose(pipe), 0);
    return l;
}

static int by_address(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

    return (a > b) - (a < b);
}

static bool has_bad(const struct listing *l, const struct debug_range *range)
{
    for (size_t i = 0; i < l->bad.len; i++)
        if (l->bad.data[i] >= range->start && l->bad.data[i] < range->end)
            return true;
    return false;
}

static bool has_start(const struct listing *l, uint64_t rva)
{
    return bsearch(&rva, l->starts.data, l->starts.len, sizeof(rva),
                   by_address) != NULL;
}

/* Counts of a function: itself, unless it holds data, and the instructions that
 * begin elsewhere. */
struct tally {
    size_t functions, strays;
};

static struct tally compare_function(struct debug_file *image,
                                     struct disasm *d,
                                     const struct debug_range *range,
                                     const struct listing *l)
{
    struct bytes code = debug_code(image, range->start);
    uint64_t address = range->start;
    struct tally tally = {1, 0};
    struct instruction i;

    if (code.len > range->end - range->start)
        code.len = (size_t)(range->end - range->start);
    while (disasm_next(d, &code, &address, &i)) {
        if (!strncmp(i.text, "(bad)", 5))
            return (struct tally){0, 0};
        /* Of padding objdump lists only the first. */
        tally.strays += !has_start(l, i.address) && strcmp(i.text, "int3");
    }
    return tally;
}

static void compare(const struct image_case *c, struct debug_file *image,
                    struct debug_file *debug, const struct listing *l)
{
    struct disasm *d = disasm_open(image->machine);
    struct tally all = {0, 0}, one;
    struct debug_range range = {0, 0};

    ck_assert_ptr_nonnull(d);
    for (size_t i = 0; i < l->starts.len; i++) {
        uint64_t rva = l->starts.data[i];

        if (rva < range.end || !debug_range(debug, rva, &range) ||
            range.start != rva || has_bad(l, &range))
            continue;
        one = compare_function(image, d, &range, l);
        all.functions += one.functions;
        all.strays += one.strays;
    }
    disasm_close(d);
    ck_assert_msg(all.functions >= c->functions, "%s: %zu functions",
                  c->image, all.functions);
    ck_assert_msg(!all.strays, "%s: %zu instructions begin elsewhere",
                  c->image, all.strays);
}

static void check_image(const struct image_case *c)
{
    struct debug_input *image = debug_input_open(c->folder, c->image);
    struct debug_input *debug = image;
    struct listing l;

    if (!image) {
        suite_skip(1, c->image);
        return;
    }
    if (c->debug)
        debug = debug_input_open(c->folder, c->debug);
    ck_assert_ptr_nonnull(debug);
    l = list(image);
    compare(c, image->file, debug->file, &l);
    vec_release(&l.starts);
    vec_release(&l.bad);
    if (debug != image)
        debug_input_close(debug);
    debug_input_close(image);
}

TEST(instructions_begin_where_objdump_sees_them)
{
    for (size_t i = 0; i < COUNT(images); i++)
        check_image(&images[i]);
}
