/*
 * The log file header: first event of the first buffer, hook 0x0000. Its two
 * layouts differ by two pointers at 56. The fields of the header and the group
 * masks become facts for `topfn info`, by the names of TRACE_LOGFILE_HEADER.
 * (format.md, section 1.4)
 */
#include "engine/base/out.h"
#include "engine/base/text.h"
#include "engine/format/etl/etl.h"
#include "engine/format/etl/event.h"

enum { BUFFER_TYPE_HEADER = 4 };

enum format_probe etl_probe(const uint8_t *data, size_t size)
{
    const uint8_t *event;

    if (size < BUFFER_HEADER + 32 ||
        load_u16(data + 0x36) != BUFFER_TYPE_HEADER ||
        load_u32(data) < BUFFER_HEADER)
        return PROBE_NO;
    event = data + BUFFER_HEADER;
    if (event[3] != 0xC0 || (event[2] != 1 && event[2] != 2))
        return PROBE_NO;
    return load_u16(event + 6) == 0 ? PROBE_YES : PROBE_NO;
}

enum err_code etl_file_open(struct etl_file *f, const struct entry *entry,
                            struct err *err)
{
    struct etl_event e;
    struct reader r;
    uint64_t counter;
    size_t pos = BUFFER_HEADER;
    size_t end = entry->size < LARGEST_BUFFER ? entry->size : LARGEST_BUFFER;

    *f = (struct etl_file){
        .name = entry->name,
        .data = entry->data,
        .size = entry->size,
    };
    if (etl_step(f->data, end, &pos, &e) != STEP_EVENT ||
        e.family != FAMILY_KERNEL || e.hook)
        return err_set(err, ERR_TRUNCATED,
                       "%s: offset 0x%x: log file header truncated", f->name,
                       BUFFER_HEADER);
    f->first_time = e.time;
    r = reader_of(f->name, etl_payload(&e), etl_payload_size(&e),
                  BUFFER_HEADER + e.header, err);
    f->buffer_size = reader_u32(&r);
    f->os_major = reader_u8(&r);
    f->os_minor = reader_u8(&r);
    reader_skip(&r, 2);
    f->os_build = reader_u32(&r);
    f->cpus = reader_u32(&r);
    reader_skip(&r, 16);
    f->mode = reader_u32(&r);
    f->buffers_written = reader_u32(&r);
    reader_skip(&r, 4);
    f->pointer_size = reader_u32(&r);
    f->events_lost = reader_u32(&r);
    f->frequency = reader_u32(&r) * (uint64_t)1000000; /* MHz */
    reader_skip(&r, e.width == 8 ? 200 : 192);
    counter = reader_u64(&r);
    f->start = reader_u64(&r);
    f->clock = reader_u32(&r);
    f->buffers_lost = reader_u32(&r);
    if (f->clock != CLOCK_CYCLES || !f->frequency)
        f->frequency = f->clock == CLOCK_SYSTEM || !counter
                           ? FILETIME_PER_SECOND
                           : counter;
    f->packed = f->mode & MODE_PACKED;
    if (f->pointer_size != 4 && f->pointer_size != 8)
        f->pointer_size = 8;
    if (r.failed)
        return err ? err->code : ERR_TRUNCATED;
    if (f->buffer_size < BUFFER_HEADER || f->buffer_size > LARGEST_BUFFER)
        return err_set(
            err, ERR_CORRUPT,
            "%s: offset 0x%x: log file header: invalid buffer size %u", f->name,
            BUFFER_HEADER, f->buffer_size);
    return ERR_NONE;
}

/* ---- facts ---- */

struct bit {
    uint32_t bit;
    const char *name;
};

/* EVENT_TRACE_*_MODE */
static const struct bit modes[] = {
    {0x1, "sequential"},        {0x2, "circular"},
    {0x4, "append"},            {0x8, "new file"},
    {0x20, "preallocated"},     {0x40, "nonstoppable"},
    {0x80, "secure"},           {0x100, "real time"},
    {0x200, "delayed open"},    {0x400, "buffering"},
    {0x800, "private logger"},  {0x1000, "header added"},
    {0x2000, "sizes in KB"},    {0x4000, "global sequence"},
    {0x8000, "local sequence"}, {0x10000, "relogged"},
    {0x20000, "private in process"}, {0x1000000, "paged memory"},
    {0x2000000, "system logger"}, {0x4000000, "compressed"},
    {0x8000000, "independent session"}, {0x10000000, "one stream"},
    {0x20000000, "blocking"},   {0, NULL},
};

/* EVENT_TRACE_FLAG_*, which are the first of the eight masks. */
static const struct bit kernel_flags[] = {
    {0x1, "process"},         {0x2, "thread"},
    {0x4, "image load"},      {0x8, "process counters"},
    {0x10, "context switch"}, {0x20, "DPC"},
    {0x40, "interrupt"},      {0x80, "system call"},
    {0x100, "disk I/O"},      {0x200, "disk file I/O"},
    {0x400, "disk I/O init"}, {0x800, "dispatcher"},
    {0x1000, "page fault"},   {0x2000, "hard fault"},
    {0x4000, "virtual alloc"}, {0x8000, "map file"},
    {0x10000, "network"},     {0x20000, "registry"},
    {0x40000, "debug print"}, {0x80000, "job"},
    {0x100000, "ALPC"},       {0x200000, "split I/O"},
    {0x800000, "driver"},     {0x1000000, "profile"},
    {0x2000000, "file I/O"},  {0x4000000, "file I/O init"},
    {0, NULL},
};

/* The second mask holds PERF_* flags of the kernel's performance logger. */
static const struct bit perf_flags[] = {
    {0x1, "memory"},       {0x2, "sampled profile"}, {0x4, "context switch"},
    {0x8, "footprint"},    {0x10, "drivers"},        {0x20, "reference set"},
    {0x40, "pool"},        {0x80, "DPC"},            {0x100, "compact switch"},
    {0x200, "dispatcher"}, {0x400, "counter profile"}, {0, NULL},
};

/* "0x3: process, thread" as a fact. */
static void bits_fact(struct profile *p, const char *name, const char *field,
                      uint32_t value, const struct bit *bits)
{
    struct out *text = out_memory();
    const char *before = ": ";

    for (; bits->name; bits++) {
        if (!(value & bits->bit))
            continue;
        out_fmt(text, "%s%s", before, bits->name);
        before = ", ";
    }
    profile_number(p, name, value, "0x%x%s", value, out_text(text, NULL));
    profile_fact_field(p, field);
    out_close(text, NULL);
}

static void number_fact(struct profile *p, const char *name, const char *field,
                        uint64_t n)
{
    profile_number(p, name, n, "%llu", (unsigned long long)n);
    profile_fact_field(p, field);
}

/* A FILETIME as a date; 0 is no date. */
static void time_fact(struct profile *p, const char *name, const char *field,
                      uint64_t filetime)
{
    char text[UTC_SIZE];

    if (!utc_time(etl_unix_time(filetime), text))
        return;
    profile_fact(p, name, "%s", text);
    profile_fact_field(p, field);
}

static void name_fact(struct profile *p, const char *name, const char *field,
                      struct reader *r)
{
    struct bytes text = reader_utf16(r);
    uint32_t id = strings_add_utf16(p->strings, text.data, text.len / 2);

    if (r->failed || !id)
        return;
    profile_fact(p, name, "%s", strings_get(p->strings, id));
    profile_fact_field(p, field);
}

void etl_header_facts(const struct etl_file *f, struct profile *p)
{
    size_t end = f->size < LARGEST_BUFFER ? f->size : LARGEST_BUFFER;
    size_t pos = BUFFER_HEADER;
    static const char *const clocks[] = {
        [CLOCK_QPC] = "performance counter",
        [CLOCK_SYSTEM] = "system time",
        [CLOCK_CYCLES] = "CPU cycles",
    };
    struct etl_event e;
    struct reader r;
    uint64_t end_time, boot, frequency, start;
    uint32_t clock;

    if (etl_step(f->data, end, &pos, &e) != STEP_EVENT)
        return;
    r = reader_of(f->name, etl_payload(&e), etl_payload_size(&e), 0, NULL);
    number_fact(p, "buffer size", "BufferSize", reader_u32(&r));
    reader_skip(&r, 12);
    end_time = reader_u64(&r);
    number_fact(p, "timer resolution, 100 ns", "TimerResolution",
                reader_u32(&r));
    number_fact(p, "largest file", "MaximumFileSize", reader_u32(&r));
    bits_fact(p, "file mode", "LogFileMode", reader_u32(&r), modes);
    number_fact(p, "buffers written", "BuffersWritten", reader_u32(&r));
    number_fact(p, "start buffers", "StartBuffers", reader_u32(&r));
    number_fact(p, "pointer size", "PointerSize", reader_u32(&r));
    number_fact(p, "events lost", "EventsLost", reader_u32(&r));
    number_fact(p, "clock, MHz", "CpuSpeedInMHz", reader_u32(&r));
    reader_skip(&r, 2 * (size_t)e.width);
    profile_fact(p, "UTC offset, minutes", "%d", -(int32_t)reader_u32(&r));
    reader_skip(&r, 172);
    boot = reader_u64(&r);
    frequency = reader_u64(&r);
    start = reader_u64(&r);
    clock = reader_u32(&r);
    number_fact(p, "buffers lost", "BuffersLost", reader_u32(&r));
    time_fact(p, "boot time", "BootTime", boot);
    time_fact(p, "start time", "StartTime", start);
    time_fact(p, "end time", "EndTime", end_time);
    number_fact(p, "counter frequency", "PerfFreq", frequency);
    profile_number(p, "clock of the events", clock, "%u (%s)", clock,
                   clock >= CLOCK_QPC && clock <= CLOCK_CYCLES ? clocks[clock]
                                                               : "unknown");
    profile_fact_field(p, "ClockType");
    name_fact(p, "session", "LoggerName", &r);
    name_fact(p, "log file", "LogFileName", &r);
}

void etl_group_masks(const uint32_t masks[2], struct profile *p)
{
    if (!masks[0] && !masks[1])
        return;
    bits_fact(p, "kernel events recorded", "EnableFlags", masks[0],
              kernel_flags);
    bits_fact(p, "performance events recorded", "PerfFlags", masks[1],
              perf_flags);
}
