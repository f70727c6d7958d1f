/* The file header (format.md, section 2). */
#include <string.h>

#include "engine/base/text.h"
#include "engine/format/vsp/vsp.h"

enum {
    FLAG_64_BIT = 0x20,
    FLAGS_AT = 156,
    KNOWN_VERSION = 43,
    MOST_COUNTERS = 16,
    COUNTER_SIZE = 80,
    TRACE_PATH_SIZE = 520,
    NOMINAL_MHZ = 1000,
    CYCLES = 1, /* sampling type */
};

struct named {
    uint32_t value;
    const char *name;
};

static const struct named collections[] = {
    {VSP_CONTENTION, "resource contention"},
    {VSP_INSTRUMENTATION, "instrumentation"},
    {VSP_SAMPLING, "sampling"},
    {VSP_COVERAGE, "coverage"},
    {VSP_CONCURRENCY, "concurrency"},
    {0, NULL},
};

static const struct named samplings[] = {
    {CYCLES, "cycles"},         {3, "page faults"}, {4, "system calls"},
    {5, "performance counter"}, {6, "none"},        {0, NULL},
};

/* 0 to 5 are the specification's, 6 and up PROCESSOR_ARCHITECTURE_* of
 * Windows. */
static const struct named architectures[] = {
    {0, "x86"}, {1, "MIPS"}, {2, "Alpha"}, {3, "PowerPC"}, {4, "SuperH"},
    {5, "ARM"}, {6, "IA64"}, {9, "x64"},   {12, "ARM64"},  {0, NULL},
};

static const struct named vendors[] = {
    {1, "Intel"},  {2, "UMC"},     {3, "AMD"}, {4, "Cyrix"},
    {5, "NexGen"}, {6, "Centaur"}, {0, NULL},
};

enum field_type {
    FIELD_U16,
    FIELD_U32,
    FIELD_U64,
    FIELD_HEX,     /* u32 */
    FIELD_NAMED,   /* u32, with a name for it */
    FIELD_BOOL,    /* u32 */
    FIELD_TEXT8,   /* NUL-terminated in 64 bytes */
    FIELD_UTF16,   /* `size` bytes */
    FIELD_DATE,    /* SYSTEMTIME */
    FIELD_CPUID,   /* u32 */
    FIELD_FLAG,    /* one bit of the flags: `at` is its number */
    FIELD_CAVEAT,  /* u32: what the recorder counted and has no record */
    FIELD_COUNTERS /* names, as many as NumCounters says */
};

/* The header's fields by the names of the specification. */
struct header_field {
    const char *name, *field;
    uint16_t at;
    uint8_t type;
    uint16_t size;
    const struct named *names;
};

static const struct header_field fields[] = {
    {"magic number", "MagicNumber", 0, FIELD_HEX, 0, NULL},
    {"header size", "HeaderSize", 4, FIELD_U32, 0, NULL},
    {"file version, major", "MajorFileVersion", 8, FIELD_U32, 0, NULL},
    {"file version, minor", "MinorFileVersion", 84, FIELD_U32, 0, NULL},
    {"profiler, major", "MajorProductVersion", 12, FIELD_U16, 0, NULL},
    {"profiler, minor", "MinorProductVersion", 14, FIELD_U16, 0, NULL},
    {"profiler, build", "BuildNumber", 16, FIELD_U32, 0, NULL},
    {"profiler version", "VersionString", 20, FIELD_TEXT8, 0, NULL},
    {"created", "CreationTime", 88, FIELD_DATE, 0, NULL},
    {"highest process number", "ProcessHighWater", 104, FIELD_U32, 0, NULL},
    {"processes in all", "TotalProcesses", 108, FIELD_U32, 0, NULL},
    {"processes at the end", "NumberOfProcesses", 112, FIELD_U32, 0, NULL},
    {"highest thread number", "ThreadHighWater", 116, FIELD_U32, 0, NULL},
    {"threads in all", "TotalThreads", 120, FIELD_U32, 0, NULL},
    {"threads at the end", "NumberOfThreads", 124, FIELD_U32, 0, NULL},
    {"buffer size", "BufferSize", 140, FIELD_U32, 0, NULL},
    {"buffers", "NumberOfBuffers", 144, FIELD_U32, 0, NULL},
    {"most threads", "MaxThreads", 148, FIELD_U32, 0, NULL},
    {"most processes", "MaxProcesses", 152, FIELD_U32, 0, NULL},
    {"flags", "Flags", FLAGS_AT, FIELD_HEX, 0, NULL},
    {"allocation", "IsAllocation", 3, FIELD_FLAG, 0, NULL},
    {"64-bit", "Is64Bit", 5, FIELD_FLAG, 0, NULL},
    {"managed code, as in recordings", "IsManaged", 6, FIELD_FLAG, 0, NULL},
    {"lifetime, by specification", "IsLifetimeBySpecification", 6, FIELD_FLAG,
     0, NULL},
    {"managed code, by specification", "IsManagedBySpecification", 7,
     FIELD_FLAG, 0, NULL},
    {"unsupported CLR", "IsUnsupportedCLR", 8, FIELD_FLAG, 0, NULL},
    {"DHP happened", "IsDhpHappened", 9, FIELD_FLAG, 0, NULL},
    {"TIP", "IsTip", 10, FIELD_FLAG, 0, NULL},
    {"JScript", "IsJScript", 11, FIELD_FLAG, 0, NULL},
    {"UMS application terminated", "IsUmsAppTerminated", 12, FIELD_FLAG, 0,
     NULL},
    {"collection type", "CollectionType", 164, FIELD_NAMED, 0, collections},
    {"sampling type", "SamplingType", 168, FIELD_NAMED, 0, samplings},
    {"sampling interval", "SamplingInterval", 172, FIELD_U32, 0, NULL},
    {"ended gracefully", "IsGracefulExit", 180, FIELD_BOOL, 0, NULL},
    {"samples in all", "TotalSamples", 184, FIELD_U32, 0, NULL},
    {"application samples", "NumApplicationSamples", 188, FIELD_U32, 0, NULL},
    {"overhead samples", "NumOverheadSamples", 192, FIELD_U32, 0, NULL},
    {"kernel samples", "NumKernelSamples", 196, FIELD_CAVEAT, 0, NULL},
    {"samples of other processes", "NumOtherAppSamples", 200, FIELD_CAVEAT, 0,
     NULL},
    {"callback samples", "NumCallbackSamples", 204, FIELD_U32, 0, NULL},
    {"stack walks", "NumStackWalks", 208, FIELD_U32, 0, NULL},
    {"broken stacks", "NumBrokenStacks", 212, FIELD_CAVEAT, 0, NULL},
    {"aborted samples", "NumAbortedSamples", 216, FIELD_CAVEAT, 0, NULL},
    {"counters", "NumCounters", 524, FIELD_U32, 0, NULL},
    {"counter", "CounterNames[]", 544, FIELD_COUNTERS, 0, NULL},
    {"last index block", "LastIndexBlockOffset", 2192, FIELD_U64, 0, NULL},
    {"index blocks", "NumIndexBlocks", 2200, FIELD_U32, 0, NULL},
    {"last symbol block", "LastSymbolBlockOffset", 2204, FIELD_U64, 0, NULL},
    {"symbol blocks", "NumSymbolBlocks", 2212, FIELD_U32, 0, NULL},
    {"blocks", "NumBlocks", 2216, FIELD_U32, 0, NULL},
    {"machine", "MachineName", 2220, FIELD_UTF16, 32, NULL},
    {"CPUs", "NumCpus", 2252, FIELD_U32, 0, NULL},
    {"CPU vendor", "CpuType", 2256, FIELD_NAMED, 0, vendors},
    {"architecture", "CpuArchitecture", 2260, FIELD_NAMED, 0, architectures},
    {"CPU family, model, stepping", "CpuInfo", 2264, FIELD_CPUID, 0, NULL},
    {"clock, MHz", "CpuMhz", 2268, FIELD_U32, 0, NULL},
    {"Windows, major", "OSMajorVersion", 2276, FIELD_U32, 0, NULL},
    {"Windows, minor", "OSMinorVersion", 2280, FIELD_U32, 0, NULL},
    {"Windows, build", "OSBuildNumber", 2284, FIELD_U32, 0, NULL},
    {"messages", "NumMessages", 2548, FIELD_U32, 0, NULL},
    {"saved sections", "", 14848, FIELD_U32, 0, NULL},
    {"kernel trace", "KernelEtlPath", 18696, FIELD_UTF16, TRACE_PATH_SIZE,
     NULL},
    {"application trace", "AppEtlPath", 19216, FIELD_UTF16, TRACE_PATH_SIZE,
     NULL},
};

static const char *value_name(const struct named *list, uint32_t value)
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
static uint32_t text_field(struct profile *p, const uint8_t *field, size_t size)
{
    struct bytes b = vsp_text(field, size);

    while (b.len >= 2 && b.data[b.len - 2] == ' ' && !b.data[b.len - 1])
        b.len -= 2;
    return strings_add_utf16(p->strings, b.data, b.len / 2);
}

/* Only the low 12 bits of the field mean anything. */
static void read_cpuid(const uint8_t *at, const char *name, struct profile *p)
{
    uint32_t id = load_u32(at) & 0xFFF;

    profile_number(p, name, id, "0x%x (%u, %u, %u)", id, id >> 8, id >> 4 & 0xF,
                   id & 0xF);
}

static void read_counters(const uint8_t *h, const struct header_field *f,
                          struct profile *p)
{
    uint32_t n = load_u32(h + 524);

    for (size_t i = 0; i < n && i < MOST_COUNTERS; i++) {
        uint32_t text =
            text_field(p, h + f->at + i * COUNTER_SIZE, COUNTER_SIZE);

        profile_fact(p, f->name, "%s", strings_get(p->strings, text));
        profile_fact_field(p, f->field);
    }
}

/* One field as a fact of the profile; an empty text is none. */
static void read_field(const uint8_t *h, const struct header_field *f,
                       struct profile *p)
{
    const uint8_t *at = h + f->at;
    uint32_t text;

    switch ((enum field_type)f->type) {
    case FIELD_U16:
        profile_number(p, f->name, load_u16(at), "%u", load_u16(at));
        break;
    case FIELD_U32:
    case FIELD_CAVEAT:
        profile_number(p, f->name, load_u32(at), "%u", load_u32(at));
        break;
    case FIELD_U64:
        profile_number(p, f->name, load_u64(at), "0x%llx",
                       (unsigned long long)load_u64(at));
        break;
    case FIELD_HEX:
        profile_number(p, f->name, load_u32(at), "0x%x", load_u32(at));
        break;
    case FIELD_NAMED:
        profile_number(p, f->name, load_u32(at), "%u (%s)", load_u32(at),
                       value_name(f->names, load_u32(at)));
        break;
    case FIELD_BOOL:
        profile_flag(p, f->name, load_u32(at) != 0);
        break;
    case FIELD_FLAG:
        profile_flag(p, f->name, load_u32(h + FLAGS_AT) >> f->at & 1);
        break;
    case FIELD_TEXT8:
        profile_fact(p, f->name, "%.*s", (int)strnlen((const char *)at, 64),
                     (const char *)at);
        break;
    case FIELD_UTF16:
        text = text_field(p, at, f->size);
        if (!text)
            return;
        profile_fact(p, f->name, "%s", strings_get(p->strings, text));
        break;
    case FIELD_DATE:
        profile_fact(p, "created", "%04u-%02u-%02u %02u:%02u:%02u.%03u",
                     load_u16(at), load_u16(at + 2), load_u16(at + 6),
                     load_u16(at + 8), load_u16(at + 10), load_u16(at + 12),
                     load_u16(at + 14));
        p->trace.start_unix_ns = systemtime_unix_ns(at);
        break;
    case FIELD_CPUID:
        read_cpuid(at, f->name, p);
        break;
    case FIELD_COUNTERS:
        read_counters(h, f, p);
        return;
    }
    profile_fact_field(p, f->field);
    if (f->type == FIELD_CAVEAT && load_u32(at))
        p->trace.facts.data[p->trace.facts.len - 1].caveat = true;
}

/* An interval is a number of cycles only when cycles are sampled. */
static void read_machine(struct vsp_header *header, const uint8_t *h,
                         struct profile *p)
{
    uint32_t service_pack = text_field(p, h + 2292, 256);

    p->trace.machine = text_field(p, h + 2220, 32);
    p->trace.cpus = load_u32(h + 2252);
    p->trace.os = strings_addf(p->strings, "Windows %u.%u build %u%s%s",
                               load_u32(h + 2276), load_u32(h + 2280),
                               load_u32(h + 2284), service_pack ? " " : "",
                               strings_get(p->strings, service_pack));
    header->mhz = load_u32(h + 2268);
    if (!header->mhz) {
        profile_warn(p, "the header states no clock rate: times are in "
                        "thousands of cycles");
        header->mhz = NOMINAL_MHZ;
    } else if (header->collection == VSP_SAMPLING &&
               header->sampling == CYCLES) {
        p->trace.interval_ns = (int64_t)header->interval * 1000 / header->mhz;
    }
}

enum err_code vsp_header_read(struct vsp_file *file, struct profile *p,
                              struct err *err)
{
    struct vsp_header *header = &file->header;
    const uint8_t *h = file->data;

    if (file->size < VSP_LEAST_HEADER)
        return err_set(err, ERR_TRUNCATED, "%s: header truncated", file->name);
    header->size = load_u32(h + 4);
    if (header->size < VSP_LEAST_HEADER || header->size > VSP_LARGEST_HEADER ||
        header->size % 4)
        return err_set(err, ERR_CORRUPT,
                       "%s: offset 0x4: invalid header size %u", file->name,
                       header->size);
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        read_field(h, &fields[i], p);
    if (load_u32(h + 8) != KNOWN_VERSION)
        profile_warn(p,
                     "unknown file version %u; topfn knows version %u: compare "
                     "the result with Visual Studio",
                     load_u32(h + 8), KNOWN_VERSION);
    header->width = load_u32(h + FLAGS_AT) & FLAG_64_BIT ? 8 : 4;
    header->block_size = load_u32(h + 140);
    header->collection = load_u32(h + 164);
    header->sampling = load_u32(h + 168);
    header->interval = load_u32(h + 172);
    header->walks = load_u32(h + 208);
    header->broken = load_u32(h + 212);
    header->blocks = load_u32(h + 2216);
    read_machine(header, h, p);
    p->trace.pointer_size = header->width;
    return ERR_NONE;
}
