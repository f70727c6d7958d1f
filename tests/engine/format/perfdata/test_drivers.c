/*
 * Drivers of the kernel: files that are not linked, mapped where their code
 * was loaded, and named by the driver's file with its debug information.
 */
#include "symbols/naming.h"
#include "tests/support/compiled.h"
#include "tests/support/perfdata_read.h"

enum { DRIVER = 0x40201000 };

static const uint8_t id[] = "a driver's build-id.";

static const char source[] =
    "asm(\".section .note.gnu.build-id,\\\"a\\\",%note; .int 4, 20, 3;"
    ".asciz \\\"GNU\\\"; .ascii \\\"a driver's build-id.\\\"; .text\");"
    "__attribute__((section(\".init.text\"))) int begin(int x)\n"
    "{ return x * 3; }\n"
    "__attribute__((noinline)) int work(int x)\n"
    "{ return x * 7 + 1; }\n"
    "int more(int x) {\n"
    "return work(x) + 1; }\n";

static bool build(void)
{
    FILE *file;

    if (!compiled_prepare())
        return false;
    file = fopen(compiled_path("driver.c"), "w");
    ck_assert_ptr_nonnull(file);
    fputs(source, file);
    fclose(file);
    return compiled_run("cc -g -O1 -c -o driver.ko driver.c");
}

static struct profile *read_sampled_at(uint64_t address)
{
    uint64_t chain[] = {PERFDATA_KERNEL, address};
    struct perfdata_writer w;

    perfdata_begin(&w, 0);
    perfdata_event(&w, 1, 0, 1000000, "cpu-clock");
    perfdata_comm(&w, 0, 10, 10, "shop", true);
    perfdata_kernel(&w, KERNEL_BASE, 0x2000000);
    w.build_id = id;
    perfdata_driver(&w, KERNEL_BASE + DRIVER, 0x1000,
                    "/lib/modules/6.1.0/kernel/drivers/driver.ko");
    perfdata_sample(&w, &(struct perfdata_sample){.time = 1000,
                                                  .ip = address,
                                                  .pid = 10,
                                                  .tid = 10,
                                                  .mode = 1,
                                                  .chain = chain,
                                                  .chain_count = 2});
    return read_written(&w);
}

static void name(struct profile *p)
{
    struct places places = {.paths = {0}};
    struct naming_options options = {.places = &places, .threads = 1};

    places_add(&places, compiled_folder());
    name_profile(p, &options, NULL);
    profile_finish(p);
    places_release(&places);
}

TEST(named_by_its_file)
{
    const struct frame *frame;
    struct profile *p;
    uint32_t location;

    if (!build()) {
        suite_skip(1, "no compiler");
        return;
    }
    p = read_sampled_at(KERNEL_BASE + DRIVER + 1);
    assert_stack(p, 0, "[driver]!+0x1");
    name(p);
    location = p->stacks.data[p->samples.stack[0]].location;
    frame = &p->frames.data[p->frame_start.data[location]];
    ck_assert_str_eq(
        strings_get(p->strings, p->functions.data[frame->function].name),
        "work");
    ck_assert_uint_eq(frame->line, 4);
    profile_free(p);
    compiled_remove();
}
