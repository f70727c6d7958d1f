/*
 * A log of Windows and a recording of Linux of the same .NET program: their
 * functions are the same ones, though one spells them as events do and the
 * other as perf maps do.
 */
#include "tests/support/perfdata_writer.h"
#include "tests/support/program.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

#define CODE   0x7F1000000000u
#define STRIDE 0x100u

/* Methods of testdata/etl/orders.etl. */
static const struct {
    const char *name;
    unsigned samples;
} methods[] = {
    {"float64 [Orders] Shop.Orders.PriceList::Lookup(int32,string)"
     "[OptimizedTier1]",
     900},
    {"int32 [System.Private.CoreLib] System.String::CompareOrdinal("
     "class System.String,class System.String)[PreJIT]",
     90},
    {"float64 [Orders] Shop.Orders.Basket::Total()[QuickJitted]", 300},
};

enum { METHODS = COUNT(methods) };

static uint64_t code_of(unsigned method)
{
    return CODE + (uint64_t)method * STRIDE;
}

static void write_file(const char *folder, const char *name, const void *bytes,
                       size_t size)
{
    char path[100];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "w");
    ck_assert(file && fwrite(bytes, 1, size, file) == size);
    ck_assert_int_eq(fclose(file), 0);
}

static void write_map(const char *folder)
{
    char text[1000];
    size_t n = 0;

    for (unsigned i = 0; i < METHODS; i++)
        n += (size_t)snprintf(text + n, sizeof(text) - n, "%lx %x %s\n",
                              (unsigned long)code_of(i), STRIDE,
                              methods[i].name);
    write_file(folder, "perf-40.map", text, n);
}

static void write_recording(const char *folder)
{
    struct perfdata_writer w;
    uint64_t time = 1000;

    perfdata_begin(&w, 0);
    perfdata_event(&w, 1, 0, 1000000, "cpu-clock");
    perfdata_comm(&w, 0, 40, 40, "orders", true);
    perfdata_mmap(&w, 0, 40, CODE, 0x10000, 0, "/memfd:doublemapper (deleted)");
    for (unsigned i = 0; i < METHODS; i++)
        for (unsigned k = 0; k < methods[i].samples; k++) {
            uint64_t chain[] = {PERFDATA_USER, code_of(i) + k % 16};

            perfdata_sample(&w, &(struct perfdata_sample){.time = time,
                                                          .ip = chain[1],
                                                          .pid = 40,
                                                          .tid = 40,
                                                          .mode = 2,
                                                          .chain = chain,
                                                          .chain_count = 2});
            time += 1000000;
        }
    perfdata_end(&w);
    write_file(folder, "perf.data", w.file.data, w.file.len);
    perfdata_free(&w);
}

/* The counts of a function in both, or "". */
static const char *counts_of(const char *out, const char *function)
{
    static char counts[100];
    const char *name = strstr(out, function);
    const char *samples = name ? strstr(name, "\"samples\":[") : NULL;

    *counts = '\0';
    if (samples)
        snprintf(counts, sizeof(counts), "%.*s",
                 (int)strcspn(samples + 11, "]"), samples + 11);
    return counts;
}

TEST(one_program)
{
    char folder[TEMP_FOLDER], arguments[300];
    struct program_run run;

    temp_folder(folder);
    write_map(folder);
    write_recording(folder);
    snprintf(
        arguments, sizeof(arguments),
        "diff testdata/etl/orders.etl '%s/perf.data' --process 're:^orders' "
        "--format json -n 0",
        folder);
    program_run(&run, arguments, NULL);
    ck_assert_msg(!run.status, "%s", run.err);
    ck_assert_str_eq(counts_of(run.out, "Shop.Orders.PriceList.Lookup"),
                     "380,900");
    ck_assert_str_eq(counts_of(run.out, "System.String.CompareOrdinal"),
                     "270,90");
    ck_assert_str_eq(counts_of(run.out, "Shop.Orders.Basket.Total"), "70,300");
    program_release(&run);
    temp_folder_remove(folder);
}
