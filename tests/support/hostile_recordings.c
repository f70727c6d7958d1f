#include "tests/support/hostile.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/support/etl_events.h"
#include "tests/support/nettrace_writer.h"
#include "tests/support/perfdata_writer.h"
#include "tests/support/vsp_writer.h"

/* Recordings of addresses: what lies over what, and who copies it. */

enum { DEEP = 250, START = 0x10000000 };

/* ---- perf ---- */

static void begin_perf(struct perfdata_writer *w)
{
    perfdata_begin(w, 0);
    perfdata_event(w, 1, 0, 1000000, "cpu-clock");
}

static void end_perf(struct perfdata_writer *w, struct blob *b)
{
    perfdata_end(w);
    blob_bytes(b, w->file.data, w->file.len);
    perfdata_free(w);
}

static void put_perf(struct perfdata_writer *w, uint64_t time, uint32_t pid,
                     uint32_t tid, uint64_t ip)
{
    const uint64_t chain[] = {PERFDATA_USER, ip};

    perfdata_sample(w, &(struct perfdata_sample){.time = time,
                                                 .ip = ip,
                                                 .period = 1000000,
                                                 .pid = pid,
                                                 .tid = tid,
                                                 .mode = 2,
                                                 .chain = chain,
                                                 .chain_count = 2});
}

/* A process maps much; each of its children, who are sampled, has it too. */
static void perf_forks(struct blob *b, size_t size)
{
    struct perfdata_writer w;
    uint64_t time = 1000000;

    begin_perf(&w);
    for (uint64_t i = 0; w.records.len < size / 2; i++)
        perfdata_mmap(&w, time++, 10, START + (i << 12), 0x1000, 0, "/bin/a");
    for (uint32_t pid = 11; w.records.len < size; pid++) {
        perfdata_fork(&w, time++, pid, pid, 10, 10);
        put_perf(&w, time++, pid, pid, START);
    }
    end_perf(&w, b);
}

/* Everything at one time: mappings that hide each other, and samples. */
static void perf_equal_times(struct blob *b, size_t size)
{
    struct perfdata_writer w;

    begin_perf(&w);
    for (uint64_t i = 0; w.records.len < size; i++) {
        perfdata_mmap(&w, 1000, 10, START, 0x100000, 0,
                      i % 2 ? "/bin/a" : "/bin/b");
        put_perf(&w, 1000, 10, 10, START + i);
    }
    end_perf(&w, b);
}

/* Each mapping lies inside the one before, or around it. */
static void perf_layers(struct blob *b, size_t size)
{
    struct perfdata_writer w;
    uint64_t n = size / 200, time = 1000000;

    begin_perf(&w);
    for (uint64_t i = 0; i < 2 * n; i++) {
        uint64_t inset = (i < n ? i : 2 * n - i) << 12;

        perfdata_mmap(&w, time++, 10, START + inset,
                      ((n + 2) << 14) - 2 * inset, 0, "/bin/a");
        if (i % 2)
            put_perf(&w, time++, 10, 10, START + (n << 13) + i);
    }
    end_perf(&w, b);
}

/* A thread and an address of its own for every sample. */
static void perf_threads(struct blob *b, size_t size)
{
    struct perfdata_writer w;

    begin_perf(&w);
    perfdata_mmap(&w, 0, 10, START, 0x10000000, 0, "/bin/a");
    for (uint32_t i = 0; w.records.len < size; i++)
        put_perf(&w, 1000000 + i, 10, 11 + i, START + 16u * i);
    end_perf(&w, b);
}

/* Processes of one id, one after another. */
static void perf_one_pid(struct blob *b, size_t size)
{
    struct perfdata_writer w;
    uint64_t time = 1000000;

    begin_perf(&w);
    while (w.records.len < size) {
        perfdata_fork(&w, time++, 10, 10, 9, 9);
        perfdata_mmap(&w, time++, 10, START, 0x10000, 0, "/bin/a");
        put_perf(&w, time++, 10, 10, START);
        perfdata_exit(&w, time++, 10, 10);
    }
    end_perf(&w, b);
}

static void perf_kernel_symbols(struct blob *b, size_t size)
{
    const uint64_t kernel = 0xFFFFFFFFC0000000u;
    struct perfdata_writer w;
    uint64_t time = 1000000;

    begin_perf(&w);
    for (uint64_t i = 0; w.records.len < size; i++) {
        perfdata_kernel_symbol(&w, time++, kernel + i,
                               (uint32_t)(0x1000000 - 2 * i), "bpf", false);
        put_perf(&w, time++, 10, 10, kernel + 0x100000 + i);
    }
    end_perf(&w, b);
}

/* Stacks of 250 frames; the one of each that differs is at `place`. */
static void perf_deep(struct blob *b, size_t size, unsigned place)
{
    uint64_t chain[DEEP + 1] = {PERFDATA_USER};
    struct perfdata_writer w;

    begin_perf(&w);
    perfdata_mmap(&w, 0, 10, START, 0x10000000, 0, "/bin/a");
    for (uint32_t i = 0; w.records.len < size; i++) {
        for (unsigned k = 1; k <= DEEP; k++)
            chain[k] = START + 16u * k;
        chain[place] = START + 0x10000 + 16u * i;
        perfdata_sample(&w, &(struct perfdata_sample){.time = 1000000 + i,
                                                      .ip = chain[1],
                                                      .period = 1000000,
                                                      .pid = 10,
                                                      .tid = 10,
                                                      .mode = 2,
                                                      .chain = chain,
                                                      .chain_count = DEEP + 1});
    }
    end_perf(&w, b);
}

static void perf_leaves(struct blob *b, size_t size)
{
    perf_deep(b, size, 1);
}

static void perf_roots(struct blob *b, size_t size)
{
    perf_deep(b, size, DEEP);
}

/* ---- nettrace ---- */

static struct nettrace_writer *begin_nettrace(void)
{
    struct nettrace_writer *w = nettrace_writer_new(4, true);

    nettrace_kind(w, 1, "Microsoft-DotNETCore-SampleProfiler", 0, "", 0);
    nettrace_kind(w, 2, "Microsoft-Windows-DotNETRuntime", 143, "", 2);
    return w;
}

static void end_nettrace(struct nettrace_writer *w, struct blob *b)
{
    nettrace_end(w);
    blob_bytes(b, w->out.data, w->out.len);
    nettrace_writer_free(w);
}

static void put_event(struct nettrace_writer *w, uint32_t kind, uint64_t at,
                      uint32_t stack, const void *payload, size_t size)
{
    nettrace_event(w, &(struct nettrace_event){.kind = kind,
                                               .thread = 7,
                                               .capture_thread = 7,
                                               .sequence = (uint32_t)at,
                                               .time = 100 + 10 * at,
                                               .stack = stack,
                                               .payload = payload,
                                               .size = size});
}

static void put_net_method(struct nettrace_writer *w, uint64_t at,
                           uint64_t start, uint32_t size)
{
    byte_vec body = {0};
    char name[32];

    snprintf(name, sizeof(name), "m%u", (unsigned)at);
    put_method(&body, start, size, 1, "N", name, "");
    put_event(w, 2, at, 0, body.data, body.len);
    vec_release(&body);
}

/* Stacks whose outermost method is compiled anew before every sample. */
static void nettrace_roots(struct blob *b, size_t size)
{
    static const uint32_t managed = 2;
    struct nettrace_writer *w = begin_nettrace();
    uint64_t frames[DEEP];

    for (size_t i = 0; i < DEEP; i++)
        frames[i] = i + 1 < DEEP ? 0x500000 : 0x1008;
    nettrace_stack(w, 1, frames, DEEP);
    for (uint64_t i = 1; w->out.len + w->block.len < size; i += 2) {
        put_net_method(w, i, 0x1000, 0x100);
        put_event(w, 1, i + 1, 1, &managed, sizeof(managed));
    }
    end_nettrace(w, b);
}

/* The same of many stacks, all of which are sampled between two of them. */
static void nettrace_shared_root(struct blob *b, size_t size)
{
    static const uint32_t managed = 2;
    struct nettrace_writer *w = begin_nettrace();
    uint64_t frames[DEEP], at = 1;
    uint32_t stacks = 0;

    for (size_t i = 0; i < DEEP; i++)
        frames[i] = i + 1 < DEEP ? 0x500000 : 0x1008;
    for (; w->out.len + w->block.len < size / 2; stacks++) {
        frames[DEEP - 2] = 0x600000 + stacks;
        nettrace_stack(w, stacks + 1, frames, DEEP);
    }
    while (w->out.len + w->block.len < size) {
        put_net_method(w, at++, 0x1000, 0x100);
        for (uint32_t i = 0; i < stacks; i++)
            put_event(w, 1, at++, i + 1, &managed, sizeof(managed));
    }
    end_nettrace(w, b);
}

/* Methods that lie over each other, a sample in each. */
static void nettrace_layers(struct blob *b, size_t size)
{
    static const uint32_t managed = 2;
    struct nettrace_writer *w = begin_nettrace();

    for (uint32_t i = 1; w->out.len + w->block.len < size; i += 2) {
        uint64_t frame = START + 0x800000 + i;

        nettrace_stack(w, i, &frame, 1);
        put_net_method(w, i, START + i, 0x1000000 - 2 * i);
        put_event(w, 1, i + 1, i, &managed, sizeof(managed));
    }
    end_nettrace(w, b);
}

/* Kinds of events that nothing is of. */
static void nettrace_kinds(struct blob *b, size_t size)
{
    struct nettrace_writer *w = begin_nettrace();

    for (uint32_t i = 3; w->out.len + w->block.len < size; i++)
        nettrace_kind(w, i, "Other", i, "Happened", 1);
    end_nettrace(w, b);
}

/* ---- Visual Studio ---- */

static void vsp_full(struct vsp_writer *w, uint32_t type)
{
    if (w->b.len - w->block > VSP_BLOCK - 4096)
        vsp_block(w, type);
}

/* Images that lie over each other; samples of them. */
static void vsp_layers(struct blob *b, size_t size)
{
    struct vsp_writer w;
    uint64_t time = 100;

    vsp_begin(&w, 8);
    vsp_block(&w, 1);
    vsp_process(&w, time, 10, "a.exe");
    vsp_thread(&w, time, 10, 11);
    for (uint64_t i = 0; w.b.len < size / 2; i++) {
        vsp_full(&w, 1);
        vsp_module(&w, time++, true, START + (i << 12),
                   (uint32_t)(0x8000000 - (i << 13)), 1, "C:\\a.dll");
    }
    vsp_block(&w, 4);
    for (uint64_t i = 0; i < 64 || w.b.len < size; i++) {
        const uint64_t frames[] = {START + 0x4000000 + i, START};

        vsp_full(&w, 4);
        vsp_sample(&w, time++, 11, frames, 2, false);
    }
    vsp_end(&w);
    blob_bytes(b, w.b.data, w.b.len);
    free(w.b.data);
}

static void vsp_deep(struct blob *b, size_t size)
{
    struct vsp_writer w;
    uint64_t frames[DEEP];

    vsp_begin(&w, 8);
    vsp_block(&w, 1);
    vsp_process(&w, 100, 10, "a.exe");
    vsp_thread(&w, 100, 10, 11);
    vsp_block(&w, 4);
    for (uint64_t i = 0; w.b.len < size; i++) {
        for (uint64_t k = 0; k < DEEP; k++)
            frames[k] = START + 16 * k;
        frames[i % 2 ? 0 : DEEP - 1] = START + 0x10000 + 16 * i;
        vsp_full(&w, 4);
        vsp_sample(&w, 200 + i, 11, frames, DEEP, false);
    }
    vsp_end(&w);
    blob_bytes(b, w.b.data, w.b.len);
    free(w.b.data);
}

/* ---- logs of Windows ---- */

struct log {
    FILE *file;
    struct etl_writer *w;
    struct etl_at at;
};

static struct log begin_log(void)
{
    struct log l = {.file = tmpfile()};

    if (!l.file)
        abort();
    l.w = etl_writer_new(&(struct etl_options){.cpus = 1}, l.file);
    l.at = (struct etl_at){.tick = etl_tick(l.w, 1000000)};
    return l;
}

static void end_log(struct log *l, struct blob *b)
{
    size_t n;
    long end;

    if (!etl_writer_finish(l->w))
        abort();
    etl_writer_free(l->w);
    fseek(l->file, 0, SEEK_END);
    end = ftell(l->file);
    rewind(l->file);
    n = b->len;
    blob_zero(b, (size_t)end);
    if (fread(b->data + n, 1, (size_t)end, l->file) != (size_t)end)
        abort();
    fclose(l->file);
}

static void log_sample(struct log *l, uint64_t ip)
{
    uint64_t tick = ++l->at.tick;

    etl_sampled_profile(l->w, l->at, ip, 104, 0);
    l->at.tick++;
    etl_stack(l->w, l->at, tick, 100, 104, &ip, 1);
}

static struct log begin_process(void)
{
    struct log l = begin_log();

    etl_process(l.w, l.at, ETL_DC_START, 4,
                &(struct etl_process){
                    .pid = 100, .image = "a.exe", .command_line = ""});
    etl_thread(l.w, l.at, ETL_DC_START, 3, 100, 104, NULL);
    return l;
}

static void log_layers(struct blob *b, size_t size)
{
    struct log l = begin_process();

    for (uint64_t i = 0; etl_writer_record_bytes(l.w) < size; i++) {
        l.at.tick++;
        etl_image(l.w, l.at, ETL_START, 3,
                  &(struct etl_image){.pid = 100,
                                      .base = START + (i << 12),
                                      .size = 0x8000000 - (i << 13),
                                      .link_time = 1,
                                      .name = "\\a.dll"});
        log_sample(&l, START + 0x4000000 + i);
    }
    end_log(&l, b);
}

static void log_methods(struct blob *b, size_t size)
{
    struct log l = begin_process();

    l.at.pid = 100;
    for (uint64_t i = 0; etl_writer_record_bytes(l.w) < size; i++) {
        l.at.tick++;
        etl_method_verbose(
            l.w, l.at, ETL_METHOD_LOAD, 1,
            &(struct etl_method){.id = i,
                                 .module_id = 1,
                                 .start = START + i,
                                 .size = (uint32_t)(0x1000000 - 2 * i),
                                 .flags = 8,
                                 .class_name = "N",
                                 .name = "m",
                                 .signature = ""});
        log_sample(&l, START + 0x800000 + i);
    }
    end_log(&l, b);
}

/* Stack keys that are defined again and again. */
static void log_keys(struct blob *b, size_t size)
{
    struct log l = begin_process();
    const uint64_t frames[] = {START, START + 16};

    for (uint64_t i = 0; etl_writer_record_bytes(l.w) < size; i++) {
        uint64_t tick = ++l.at.tick;

        etl_sampled_profile(l.w, l.at, START, 104, 0);
        etl_stack_key(l.w, l.at, tick, 100, 104, i % 3, true);
        l.at.tick++;
        etl_key_definition(l.w, l.at, i % 2 ? ETL_KEY_CREATE : ETL_KEY_DELETE,
                           i % 3, frames, 2);
    }
    end_log(&l, b);
}

/* Processes of one id, one after another. */
static void log_one_pid(struct blob *b, size_t size)
{
    struct log l = begin_process();

    while (etl_writer_record_bytes(l.w) < size) {
        l.at.tick++;
        etl_process(l.w, l.at, ETL_START, 4,
                    &(struct etl_process){
                        .pid = 100, .image = "a.exe", .command_line = ""});
        etl_thread(l.w, l.at, ETL_START, 3, 100, 104, NULL);
        log_sample(&l, START);
    }
    end_log(&l, b);
}

const struct hostile_kind hostile_recordings[] = {
    {"forks.perf.data", perf_forks},
    {"equal-times.perf.data", perf_equal_times},
    {"layers.perf.data", perf_layers},
    {"threads.perf.data", perf_threads},
    {"one-pid.perf.data", perf_one_pid},
    {"kernel-symbols.perf.data", perf_kernel_symbols},
    {"leaves.perf.data", perf_leaves},
    {"roots.perf.data", perf_roots},
    {"roots.nettrace", nettrace_roots},
    {"shared-root.nettrace", nettrace_shared_root},
    {"layers.nettrace", nettrace_layers},
    {"kinds.nettrace", nettrace_kinds},
    {"layers.vsp", vsp_layers},
    {"deep.vsp", vsp_deep},
    {"layers.etl", log_layers},
    {"methods.etl", log_methods},
    {"keys.etl", log_keys},
    {"one-pid.etl", log_one_pid},
    {NULL, NULL},
};
