/* Code of images that was copied to other memory in its place. */
#include "tests/support/perfdata_read.h"
#include "tests/support/suite.h"

enum { PID = 40, HUGE = 2 << 20 };

#define PROGRAM 0x400000u
#define LIBRARY 0x7F0000000000u

static struct perfdata_writer w;

static void sample(uint64_t time, uint64_t address)
{
    perfdata_sample(&w, &(struct perfdata_sample){.time = time,
                                                  .ip = address,
                                                  .pid = PID,
                                                  .tid = PID,
                                                  .mode = 2});
}

/* A program and a library, and 10 ns later memory without a file. */
static void begin(const char *memory, uint64_t base, uint64_t size)
{
    perfdata_begin(&w, 0);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_comm(&w, 100, PID, PID, "app", true);
    perfdata_mmap(&w, 101, PID, 0x7FFD00000000, 0x1000, 0, "[stack]");
    perfdata_mmap(&w, 102, PID, PROGRAM, 3 * HUGE, 0x1000, "/bin/app");
    perfdata_mmap(&w, 103, PID, LIBRARY, 3 * HUGE, 0x2000, "/lib/plugin.so");
    sample(105, base + 0x10);
    perfdata_mmap(&w, 110, PID, base, size, 0, memory);
}

static void check(size_t i, const char *expected)
{
    struct profile *p = read_written(&w);

    assert_stack(p, i, expected);
    profile_free(p);
}

static const struct {
    const char *memory;
    uint64_t base, size;
    const char *before, *after; /* at 0x10 */
} rows[] = {
    /* All of the program or a part of it, whatever its size. */
    {"//anon", PROGRAM, 3 * HUGE, "app!+0x1010", "app!+0x1010"},
    {"//anon", PROGRAM + 0x3000, 0x1000, "app!+0x4010", "app!+0x4010"},
    {"[heap]", PROGRAM + HUGE, HUGE, "app!+0x201010", "app!+0x201010"},
    {"/memfd:code (deleted)", PROGRAM + 0x3000, 0x2000, "app!+0x4010",
     "app!+0x4010"},
    /* What reaches beyond it, but for huge pages: parts_and_children. */
    {"//anon", PROGRAM + 2 * HUGE + 0x1000, HUGE, "app!+0x402010",
     "[anon]!+0x801010"},
    /* Huge pages of a library. */
    {"//anon", LIBRARY + HUGE, HUGE, "plugin.so!+0x202010",
     "plugin.so!+0x202010"},
    /* One that may have been unloaded, and memory used again. */
    {"//anon", LIBRARY + 0x3000, 0x1000, "plugin.so!+0x5010",
     "[anon]!+0x7f0000003010"},
    /* Another file. */
    {"/bin/other", PROGRAM, HUGE, "app!+0x1010", "other!+0x10"},
};

TEST_LOOP(copies, COUNT(rows))
{
    begin(rows[_i].memory, rows[_i].base, rows[_i].size);
    sample(115, rows[_i].base + 0x10);
    check(0, rows[_i].before);
    begin(rows[_i].memory, rows[_i].base, rows[_i].size);
    sample(115, rows[_i].base + 0x10);
    check(1, rows[_i].after);
}

/* Bytes beyond the image stay memory; a child has its parent's program, and
 * exec another one. */
TEST(parts_and_children)
{
    struct profile *p;

    begin("//anon", PROGRAM + 2 * HUGE, 2 * HUGE);
    sample(115, PROGRAM + 2 * HUGE + 0x10);
    sample(116, PROGRAM + 3 * HUGE + 0x10);
    perfdata_fork(&w, 120, PID + 1, PID + 1, PID, PID);
    perfdata_mmap(&w, 121, PID + 1, PROGRAM, 0x1000, 0, "//anon");
    perfdata_sample(&w, &(struct perfdata_sample){.time = 122,
                                                  .ip = PROGRAM + 0x20,
                                                  .pid = PID + 1,
                                                  .tid = PID + 1,
                                                  .mode = 2});
    perfdata_comm(&w, 130, PID + 1, PID + 1, "new", true);
    perfdata_mmap(&w, 131, PID + 1, LIBRARY, 0x10000, 0, "/bin/new");
    perfdata_mmap(&w, 132, PID + 1, LIBRARY + 0x1000, 0x1000, 0, "//anon");
    perfdata_sample(&w, &(struct perfdata_sample){.time = 133,
                                                  .ip = LIBRARY + 0x1020,
                                                  .pid = PID + 1,
                                                  .tid = PID + 1,
                                                  .mode = 2});
    p = read_written(&w);
    assert_stack(p, 1, "app!+0x401010");
    assert_stack(p, 2, "[anon]!+0xa00010");
    assert_stack(p, 3, "app!+0x1020");
    assert_stack(p, 4, "new!+0x1020");
    profile_free(p);
}

/* A file is mapped whole before its parts, and what it has no bytes for lies
 * over that: `perf record -d` tells of these. */
TEST(data_of_a_program)
{
    perfdata_begin(&w, 0);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_comm(&w, 100, PID, PID, "app", true);
    perfdata_data(&w, 101, PID, PROGRAM, 0x5000, 0, "/bin/app");
    perfdata_mmap(&w, 102, PID, PROGRAM + 0x1000, 0x1000, 0x1000, "/bin/app");
    perfdata_data(&w, 103, PID, PROGRAM + 0x3000, 0x2000, 0, "//anon");
    sample(105, PROGRAM + 0x3010);
    perfdata_data(&w, 106, PID, PROGRAM + 0x1000, 0x1000, 0, "//anon");
    sample(107, PROGRAM + 0x1010);
    check(0, "[anon]!+0x403010");
    perfdata_begin(&w, 0);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_data(&w, 101, PID, PROGRAM, 0x5000, 0, "/bin/app");
    perfdata_mmap(&w, 102, PID, PROGRAM + 0x1000, 0x1000, 0x1000, "/bin/app");
    perfdata_data(&w, 106, PID, PROGRAM + 0x1000, 0x1000, 0, "//anon");
    sample(107, PROGRAM + 0x1010);
    check(0, "app!+0x1010");
}
