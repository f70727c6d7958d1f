/* Where the kernel lies, on machines of which a recording tells little. */
#include "tests/support/perfdata_read.h"
#include "tests/support/suite.h"

enum { KERNEL_MODE = 1, USER_MODE = 2 };

static struct perfdata_writer w;

static void sample(uint64_t address, uint16_t mode)
{
    perfdata_sample(
        &w, &(struct perfdata_sample){
                .time = 10, .ip = address, .pid = 40, .tid = 40, .mode = mode});
}

/* A record of the recorder that says what machine it is. */
static void put_machine(const char *name)
{
    perfdata_put(&w, &w.records, 80, 4);
    perfdata_put(&w, &w.records, 0, 2);
    perfdata_put(&w, &w.records, 8 + 8 + 4 + 12, 2);
    perfdata_put(&w, &w.records, 6, 8);
    perfdata_put(&w, &w.records, 12, 4);
    blob_bytes(&w.records, name, strlen(name));
    blob_zero(&w.records, 12 - strlen(name));
}

static const struct {
    const char *machine;   /* NULL: not told */
    uint64_t kernel, size; /* its mapping; size 0: there is none */
    uint64_t address;      /* sampled in it */
    uint64_t user;         /* sampled outside of it */
    unsigned pointer_size;
    const char *stack;
} machines[] = {
    /* Told by where its mapping lies, in any split of 32 bits. */
    {NULL, 0x810010E0, 0x777B1F1F, 0x811D3502, 0x1010, 4,
     "[kernel.kallsyms]!+0x1d2422"},
    {NULL, 0xC0008000, 0x1000000, 0xC0008010, 0xB0001010, 4,
     "[kernel.kallsyms]!+0x10"},
    {"armv7l", 0x80008000, 0x1000000, 0x80008010, 0x1010, 4,
     "[kernel.kallsyms]!+0x10"},
    {"i686", 0x40000000, 0x1000000, 0x40000010, 0x1010, 4,
     "[kernel.kallsyms]!+0x10"},
    /* By a sample, where the recorder was not told or tells nothing. */
    {NULL, 0, UINT64_MAX, 0xC1000010, 0x1010, 4,
     "[kernel.kallsyms]!+0x1000010"},
    {NULL, 0, 0, 0x81000010, 0x1010, 4, "[kernel.kallsyms]!+0x0"},
    /* 64 bits. A program of 32 bits reaches above what they hold. */
    {NULL, KERNEL_BASE, 0x1000000, KERNEL_BASE + 0x10, 0xF7001010, 8,
     "[kernel.kallsyms]!+0x10"},
    {NULL, 0, UINT64_MAX, KERNEL_BASE + 0x10, 0xF7001010, 8,
     "[kernel.kallsyms]!+0xffff81000010"},
    {"x86_64", 0, 0, KERNEL_BASE + 0x10, 0xF7001010, 8,
     "[kernel.kallsyms]!+0xffff81000010"},
    /* A recorder of 32 bits on a kernel of 64. */
    {"i686", KERNEL_BASE, 0x1000000, KERNEL_BASE + 0x10, 0xF7001010, 8,
     "[kernel.kallsyms]!+0x10"},
    {"armv8l", 0, 0, KERNEL_BASE + 0x10, 0xF7001010, 8,
     "[kernel.kallsyms]!+0xffff81000010"},
    {"ppc64le", 0xC000000000000000, 0x1000000, 0xC000000000000010, 0x1010, 8,
     "[kernel.kallsyms]!+0x10"},
};

TEST_LOOP(kernels, COUNT(machines))
{
    for (int big = 0; big < 2; big++) {
        struct profile *p;

        perfdata_begin(&w, PERFDATA_PIPE | (big ? PERFDATA_BIG : 0));
        perfdata_event(&w, 1, 0, 1000, "cpu-clock");
        if (machines[_i].machine)
            put_machine(machines[_i].machine);
        if (machines[_i].size)
            perfdata_kernel(&w, machines[_i].kernel, machines[_i].size);
        perfdata_mmap(&w, 0, 40, machines[_i].user & ~(uint64_t)0xFFF, 0x1000,
                      0, "/bin/app");
        sample(machines[_i].address, KERNEL_MODE);
        sample(machines[_i].user, USER_MODE);
        p = read_written(&w);
        assert_stack(p, 0, machines[_i].stack);
        assert_stack(p, 1, "app!+0x10");
        ck_assert_uint_eq(p->trace.pointer_size, machines[_i].pointer_size);
        profile_free(p);
    }
}
