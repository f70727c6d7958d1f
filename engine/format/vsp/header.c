/*
 * OFFSET SIZE DESCRIPTION
 *      0    4 "MIKE"
 *      4    4 header size; the first block starts there
 *      8    4 file version; 84 4 minor
 *     12    8 product: major (2), minor (2), build (4)
 *     20   64 version as ANSI text: "12.0.21005 x86"
 *     88   16 SYSTEMTIME of the recording
 *    104   12 processes: highest id, total, number
 *    116   12 threads: the same
 *    140   16 buffer size, buffers, most threads, most processes
 *    156    4 flags: 0x20 64-bit, 0x40 managed code
 *    164   12 collection type, sampling type, sampling interval
 *    180    4 ended gracefully
 *    184   36 samples: total, application, overhead, kernel, other processes,
 *             callbacks; stack walks, broken ones, aborted ones
 *    524    4 counters; 544 16 x 80 their names
 *   2192   12 last index block: offset, count
 *   2204   12 last symbol block: offset, count
 *   2216    4 blocks, the header counted
 *   2220   32 machine name
 *   2252   20 CPUs, vendor, architecture, CPUID, MHz
 *   2272  276 OSVERSIONINFOW
 *   2548    4 messages
 *  14848    4 sections: saved.c
 *  18696  520 path of the kernel trace, 19216 520 of the application trace
 *  19736   16 GUID
 */
#include <stdio.h>
#include <string.h>

#include "engine/format/vsp/vsp.h"

enum {
    FLAG_64_BIT = 0x20,
    FLAG_MANAGED = 0x40,
    MOST_COUNTERS = 16,
    COUNTER_SIZE = 80,
    TRACE_PATH_SIZE = 520,
    ARCHITECTURE_AMD64 = 9,
    NOMINAL_MHZ = 1000,
    FAMILY_MODEL_STEPPING = 0xFFF,
};

struct named {
    uint32_t value;
    const char *name;
};

static const struct named collections[] = {
    {VSP_CONTENTION, "contention"},
    {VSP_INSTRUMENTATION, "instrumentation"},
    {VSP_SAMPLING, "sampling"},
    {VSP_COVERAGE, "coverage"},
    {VSP_CONCURRENCY, "concurrency"},
    {0, NULL},
};

static const struct named samplings[] = {
    {1, "cycles"},
    {3, "page faults"},
    {4, "system calls"},
    {5, "performance counter"},
    {6, "none"},
    {0, NULL},
};

static const struct named architectures[] = {
    {0, "x86"},
    {6, "IA64"},
    {ARCHITECTURE_AMD64, "x64"},
    {0, NULL},
};

static const struct named vendors[] = {{1, "Intel"}, {3, "AMD"}, {0, NULL}};

static const char *name_of(const struct named *list, uint32_t value)
{
    for (; list->name; list++)
        if (list->value == value)
            return list->name;
    return "unknown";
}

struct bytes vsp_text(const uint8_t *field, size_t size)
{
    size_t n = 0;

    while (n + 1 < size && (field[n] || field[n + 1]))
        n += 2;
    return (struct bytes){field, n};
}

/* A fixed field as a string of the profile, spaces at its end dropped. */
static uint32_t text_field(struct profile *p, const uint8_t *field,
                           size_t size)
{
    struct bytes b = vsp_text(field, size);

    while (b.len >= 2 && b.data[b.len - 2] == ' ' && !b.data[b.len - 1])
        b.len -= 2;
    return strings_add_utf16(p->strings, b.data, b.len / 2);
}

static void text_fact(struct profile *p, const char *name,
                      const uint8_t *field, size_t size)
{
    uint32_t text = text_field(p, field, size);

    if (text)
        profile_fact(p, name, "%s", strings_get(p->strings, text));
}

/* Days from 1970-01-01 in the Gregorian calendar. */
static int64_t days(int64_t year, int64_t month, int64_t day)
{
    int64_t era, y = month <= 2 ? year - 1 : year;
    int64_t of_era, of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5;

    era = y / 400;
    of_era = y - era * 400;
    of_year += day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year -
           719468;
}

/* SYSTEMTIME: year, month, weekday, day, hour, minute, second, ms. */
static void read_creation(const uint8_t *h, struct profile *p)
{
    unsigned f[8];
    int64_t seconds;

    for (size_t i = 0; i < 8; i++)
        f[i] = load_u16(h + 88 + 2 * i);
    profile_fact(p, "created", "%04u-%02u-%02u %02u:%02u:%02u.%03u", f[0],
                 f[1], f[3], f[4], f[5], f[6], f[7]);
    if (f[0] < 1970 || f[0] > 2200 || !f[1] || f[1] > 12 || !f[3] ||
        f[3] > 31 || f[4] > 23 || f[5] > 59 || f[6] > 60 || f[7] > 999)
        return;
    seconds = days(f[0], f[1], f[3]) * 86400 + (int64_t)f[4] * 3600 +
              (int64_t)f[5] * 60 + f[6];
    p->trace.start_unix_ns = seconds * 1000000000 + (int64_t)f[7] * 1000000;
}

static void read_version(const uint8_t *h, struct profile *p)
{
    size_t n = 0;

    while (n < 64 && h[20 + n])
        n++;
    profile_fact(p, "file version", "%u.%u", load_u32(h + 8),
                 load_u32(h + 84));
    profile_fact(p, "profiler", "%u.%u.%u", load_u16(h + 12),
                 load_u16(h + 14), load_u32(h + 16));
    profile_fact(p, "profiler version", "%.*s", (int)n, (const char *)h + 20);
}

static void read_collection(struct vsp_header *header, const uint8_t *h,
                            struct profile *p)
{
    uint32_t flags = load_u32(h + 156);

    header->width = flags & FLAG_64_BIT ? 8 : 4;
    header->collection = load_u32(h + 164);
    header->sampling = load_u32(h + 168);
    header->interval = load_u32(h + 172);
    profile_fact(p, "flags", "0x%x%s%s", flags,
                 flags & FLAG_64_BIT ? ", 64-bit" : "",
                 flags & FLAG_MANAGED ? ", managed code" : "");
    profile_fact(p, "collection type", "%u (%s)", header->collection,
                 name_of(collections, header->collection));
    profile_fact(p, "sampling type", "%u (%s)", header->sampling,
                 name_of(samplings, header->sampling));
    profile_fact(p, "sampling interval", "%u", header->interval);
    profile_fact(p, "ended gracefully", load_u32(h + 180) ? "yes" : "no");
}

static void read_buffers(struct vsp_header *header, const uint8_t *h,
                         struct profile *p)
{
    header->block_size = load_u32(h + 140);
    profile_fact(p, "processes", "%u (highest id %u, number %u)",
                 load_u32(h + 108), load_u32(h + 104), load_u32(h + 112));
    profile_fact(p, "threads", "%u (highest id %u, number %u)",
                 load_u32(h + 120), load_u32(h + 116), load_u32(h + 124));
    profile_fact(p, "buffers", "%u of %u bytes", load_u32(h + 144),
                 header->block_size);
    profile_fact(p, "most threads", "%u", load_u32(h + 148));
    profile_fact(p, "most processes", "%u", load_u32(h + 152));
}

/* A total; those that no record stands for are caveats. */
static uint32_t total(struct profile *p, const char *name, const uint8_t *at,
                      bool caveat)
{
    uint32_t n = load_u32(at);

    profile_fact(p, name, "%u", n);
    p->trace.facts.data[p->trace.facts.len - 1].caveat = caveat && n;
    return n;
}

static void read_totals(struct vsp_header *header, const uint8_t *h,
                        struct profile *p)
{
    total(p, "samples in all", h + 184, false);
    total(p, "application samples", h + 188, false);
    total(p, "overhead samples", h + 192, false);
    header->kernel_samples = total(p, "kernel samples", h + 196, true);
    header->other_samples = total(p, "samples of other processes", h + 200,
                                  true);
    total(p, "callback samples", h + 204, false);
    header->walks = total(p, "stack walks", h + 208, false);
    header->broken = total(p, "broken stacks", h + 212, true);
    header->aborted = total(p, "aborted samples", h + 216, true);
}

static void read_counters(const uint8_t *h, struct profile *p)
{
    uint32_t n = load_u32(h + 524);

    profile_fact(p, "counters", "%u", n);
    for (size_t i = 0; i < n && i < MOST_COUNTERS; i++)
        text_fact(p, "counter", h + 544 + i * COUNTER_SIZE, COUNTER_SIZE);
}

static void read_layout(struct vsp_header *header, const uint8_t *h,
                        struct profile *p)
{
    header->blocks = load_u32(h + 2216);
    profile_fact(p, "index blocks", "%u, last at 0x%llx", load_u32(h + 2200),
                 (unsigned long long)load_u64(h + 2192));
    profile_fact(p, "symbol blocks", "%u, last at 0x%llx",
                 load_u32(h + 2212),
                 (unsigned long long)load_u64(h + 2204));
    profile_fact(p, "blocks", "%u", header->blocks);
    profile_fact(p, "messages", "%u", load_u32(h + 2548));
    profile_fact(p, "saved sections", "%u", load_u32(h + 14848));
}

/* An interval is a number of cycles only when cycles are sampled. */
static void read_machine(struct vsp_header *header, const uint8_t *h,
                         struct profile *p)
{
    uint32_t service_pack = text_field(p, h + 2292, 256);

    p->trace.machine = text_field(p, h + 2220, 32);
    p->trace.cpus = load_u32(h + 2252);
    profile_fact(p, "CPU vendor", "%u (%s)", load_u32(h + 2256),
                 name_of(vendors, load_u32(h + 2256)));
    profile_fact(p, "architecture", "%u (%s)", load_u32(h + 2260),
                 name_of(architectures, load_u32(h + 2260)));
    profile_fact(p, "CPU family, model, stepping", "0x%x",
                 load_u32(h + 2264) & FAMILY_MODEL_STEPPING);
    header->mhz = load_u32(h + 2268);
    profile_fact(p, "clock", "%u MHz", header->mhz);
    p->trace.os = strings_addf(
        p->strings, "Windows %u.%u build %u%s%s", load_u32(h + 2276),
        load_u32(h + 2280), load_u32(h + 2284), service_pack ? " " : "",
        strings_get(p->strings, service_pack));
    if (!header->mhz) {
        profile_warn(p, "the header gives no clock rate: times are in "
                        "thousands of cycles");
        header->mhz = NOMINAL_MHZ;
    } else if (header->collection == VSP_SAMPLING && header->sampling == 1) {
        p->trace.interval_ns = (int64_t)header->interval * 1000 / header->mhz;
    }
}

static void read_traces(const uint8_t *h, struct profile *p)
{
    text_fact(p, "kernel trace", h + 18696, TRACE_PATH_SIZE);
    text_fact(p, "application trace", h + 19216, TRACE_PATH_SIZE);
}

enum err_code vsp_header_read(struct vsp_file *file, struct profile *p,
                              struct err *err)
{
    struct vsp_header *header = &file->header;
    const uint8_t *h = file->data;

    if (file->size < VSP_LEAST_HEADER)
        return err_set(err, ERR_TRUNCATED, "%s: cut off in its header",
                       file->name);
    header->size = load_u32(h + 4);
    if (header->size < VSP_LEAST_HEADER || header->size > VSP_LARGEST_HEADER ||
        header->size % 4)
        return err_set(err, ERR_CORRUPT, "%s: offset 0x4: header size %u",
                       file->name, header->size);
    read_version(h, p);
    read_creation(h, p);
    read_buffers(header, h, p);
    read_collection(header, h, p);
    read_totals(header, h, p);
    read_counters(h, p);
    read_layout(header, h, p);
    read_machine(header, h, p);
    read_traces(h, p);
    p->trace.pointer_size = header->width;
    return ERR_NONE;
}
