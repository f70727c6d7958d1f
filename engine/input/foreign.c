#include "engine/input/foreign.h"

#include <stdbool.h>
#include <string.h>

#include "engine/base/json_peek.h"
#include "engine/base/text_line.h"

/* How much of a file is looked at. JSON texts have their own measure. */
enum { LOOKED_AT = 64 * 1024 };

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static bool holds(const uint8_t *data, size_t size, const char *word)
{
    return memmem(data, size, word, strlen(word)) != NULL;
}

static bool is_instruments(const uint8_t *data, size_t size)
{
    return size && *data == '<' &&
           holds(data, size < 4096 ? size : 4096, "<trace-toc");
}

static bool is_svg(const uint8_t *data, size_t size)
{
    static const char xml[] = "<?xml ";
    size_t n = sizeof(xml) - 1;

    return size >= n && !memcmp(data, xml, n) &&
           holds(data, size < 4096 ? size : 4096, "<svg ");
}

/* ---- first lines ---- */

static bool line_holds(struct text_line l, const char *word)
{
    return holds((const uint8_t *)l.at, (size_t)(l.end - l.at), word);
}

static bool has_comment(const uint8_t *data, size_t size, const char *begin)
{
    const char *at = (const char *)data, *end = at + size;

    while (at < end) {
        struct text_line l = line_next(&at, end);

        if (line_take(&l, begin))
            return true;
        if (!line_take(&l, "#"))
            break;
    }
    return false;
}

static struct text_line first_line(const uint8_t *data, size_t size)
{
    const char *at = (const char *)data;

    return line_next(&at, at + size);
}

/* Go writes its profiles as text, too: "NAME profile: total 5". */
static bool is_go_text(const uint8_t *data, size_t size)
{
    return line_holds(first_line(data, size), " profile: total ");
}

/* "goroutine 1 [running]:", as a panic and debug=2 print them. */
static bool is_go_stacks(const uint8_t *data, size_t size)
{
    struct text_line l = first_line(data, size);

    return line_holds(l, " [") && line_holds(l, "]:") &&
           line_take(&l, "goroutine ");
}

static bool is_ftrace(const uint8_t *data, size_t size)
{
    return has_comment(data, size, "# tracer:");
}

static bool is_perf_report(const uint8_t *data, size_t size)
{
    return has_comment(data, size, "# Samples: ") ||
           has_comment(data, size, "# Overhead ");
}

static bool is_hprof_text(const uint8_t *data, size_t size)
{
    struct text_line l = first_line(data, size);

    return line_take(&l, "JAVA PROFILE ") && line_holds(l, ", created ");
}

/* "desc: ...", "cmd: ...", "time_unit: i". */
static bool is_massif(const uint8_t *data, size_t size)
{
    static const char *const keys[] = {"desc:", "cmd:", "time_unit:"};
    const char *at = (const char *)data, *end = at + size;

    for (size_t i = 0; i < COUNT(keys); i++) {
        struct text_line l = line_next(&at, end);

        if (!line_take(&l, keys[i]))
            return false;
    }
    return true;
}

/* ---- what there is ---- */

#define SYMBOLS_ADVICE "debug files and images are for --symbols"
#define PPROF_ADVICE   "'go tool pprof -proto' converts it for topfn"

#define PAGE_ADVICE "open the recording it was made from"

#define MAGIC(text) .magic = text, .length = sizeof(text) - 1

static const struct row {
    const char *magic; /* at the beginning; NULL: `is` or `members` tell */
    size_t length;
    bool (*is)(const uint8_t *data, size_t size);
    const char *members[2]; /* paths in JSON (json_peek.h), which it has all */
    struct foreign kind;
} rows[] = {
    {MAGIC("Microsoft C/C++ MSF 7.00\r\n"), .kind = {"a PDB", SYMBOLS_ADVICE}},
    {MAGIC("BSJB"), .kind = {"a portable PDB", SYMBOLS_ADVICE}},
    {MAGIC("MZ"),
     .kind = {"a Windows image (.exe, .dll, .sys)", SYMBOLS_ADVICE}},
    {MAGIC("\x7F"
           "ELF"),
     .kind = {"an ELF image or core dump", SYMBOLS_ADVICE}},
    {MAGIC("\xCF\xFA\xED\xFE"), .kind = {"a Mach-O image", NULL}},
    {MAGIC("MDMP"), .kind = {"a minidump", "a dump has no samples"}},
    {MAGIC("\x28\xB5\x2F\xFD"),
     .kind = {"packed by zstd", "zstd -d unpacks it"}},
    {MAGIC("\xFD"
           "7zXZ"),
     .kind = {"packed by xz", "xz -d unpacks it"}},
    {MAGIC("BZh"), .kind = {"packed by bzip2", "bzip2 -d unpacks it"}},
    {MAGIC("7z\xBC\xAF\x27\x1C"), .kind = {"a 7z archive", "7z x unpacks it"}},
    {MAGIC("SQLite format 3"),
     .kind = {"an SQLite database that topfn did not write", NULL}},
    {.is = is_hprof_text, .kind = {"text of hprof (Java)", NULL}},
    {MAGIC("JAVA PROFILE "), .kind = {"a Java heap dump", NULL}},
    {MAGIC("\x17\x08\x44"
           "tracing"),
     .kind = {"an ftrace recording (trace-cmd)", NULL}},
    {MAGIC("*version\n"), .kind = {"a method trace of Android", NULL}},
    {MAGIC("SLOW\1\0"), .kind = {"a method trace of Android", NULL}},
    {MAGIC("SLOW\2\0"), .kind = {"a method trace of Android", NULL}},
    {MAGIC("SLOW\3\0"), .kind = {"a method trace of Android", NULL}},
    {MAGIC("SIMPLEPERF"), .kind = {"a protobuf of simpleperf report-sample",
                                   "open the perf.data it was made from"}},
    {.is = is_massif, .kind = {"a massif profile", NULL}},
    {MAGIC("Analysis of sampling "),
     .kind = {"a report of sample (macOS)", NULL}},
    {MAGIC("heap profile: "), .kind = {"a heap profile in text", PPROF_ADVICE}},
    {MAGIC("goroutine profile: "),
     .kind = {"a goroutine profile in text", PPROF_ADVICE}},
    {MAGIC("--- mutex"), .kind = {"a mutex profile in text", PPROF_ADVICE}},
    {MAGIC("--- contention"),
     .kind = {"a contention profile in text", PPROF_ADVICE}},
    {MAGIC("v8-version,"),
     .kind = {"a log of V8 (node --prof)",
              "'node --cpu-prof' records a profile that topfn reads"}},
    {MAGIC("go 1."),
     .kind = {"an execution trace of Go",
              "'go tool trace -pprof=TYPE' makes profiles of it"}},
    {MAGIC("gmon"), .kind = {"a profile of gprof", NULL}},
    {MAGIC("@["),
     .kind = {"text of bpftrace",
              "stackcollapse-bpftrace.pl makes folded stacks of it"}},
    {MAGIC("--- Execution profile ---"),
     .kind = {"a report of async-profiler",
              "'-o collapsed' writes a profile that topfn reads"}},
    {MAGIC("Running Time\t"), .kind = {"text copied from Instruments", NULL}},
    {MAGIC("Weight\t"), .kind = {"text copied from Instruments", NULL}},
    {MAGIC("TRACE START ["), .kind = {"a trace of Xdebug", NULL}},
    {MAGIC("<!DOCTYPE html"), .kind = {"an HTML page", PAGE_ADVICE}},
    {MAGIC("<html"), .kind = {"an HTML page", PAGE_ADVICE}},
    {MAGIC("<svg"), .kind = {"an SVG picture", PAGE_ADVICE}},
    {.is = is_go_text, .kind = {"a profile of Go in text", PPROF_ADVICE}},
    {.is = is_go_stacks,
     .kind =
         {"stacks of goroutines in text",
          "the same profile without debug=1 or debug=2 is in pprof format"}},
    {MAGIC("# HELP "), .kind = {"metrics of Prometheus", NULL}},
    {MAGIC("# TYPE "), .kind = {"metrics of Prometheus", NULL}},
    {.is = is_svg, .kind = {"an SVG picture", PAGE_ADVICE}},
    {.is = is_ftrace, .kind = {"ftrace text", NULL}},
    {.is = is_perf_report,
     .kind = {"text of perf report",
              "open the perf.data, or the output of perf script"}},
    {.members = {"traceEvents"}, .kind = {"Chrome trace events", NULL}},
    {.members = {"[].ph", "[].ts"}, .kind = {"Chrome trace events", NULL}},
    {.members = {"[].ph", "[].pid"}, .kind = {"Chrome trace events", NULL}},
    {.members = {"head.callFrame", "head.selfSize"},
     .kind = {"a V8 heap profile", NULL}},
    {.members = {"snapshot.meta"}, .kind = {"a V8 heap snapshot", NULL}},
    {.members = {"code[].name", "code[].type"},
     .kind = {"a log of V8 in JSON (node --prof-process)",
              "'node --cpu-prof' records a profile that topfn reads"}},
    {.members = {"gc_samples", "mode"},
     .kind = {"a stackprof profile in JSON", NULL}},
    {.members = {"recording.instrumentTypes"},
     .kind = {"a timeline recording of Safari", NULL}},
    {.members = {"recording.displayName"},
     .kind = {"a timeline recording of Safari", NULL}},
    {.members = {"linux-perf-json-version"},
     .kind = {"perf's JSON", "open the perf.data it was made from"}},
    {.members = {"cost_centres", "program"},
     .kind = {"a profile of GHC in JSON", NULL}},
    {.members = {"dhatFileVersion"}, .kind = {"a DHAT profile", NULL}},
    {.is = is_instruments,
     .kind = {"a list of the tables of Instruments",
              "'xctrace export --xpath' writes the table time-profile"}},
};

static bool fits(const struct row *row, const uint8_t *data, size_t size)
{
    size_t near = size < LOOKED_AT ? size : LOOKED_AT;

    if (row->magic)
        return size >= row->length && !memcmp(data, row->magic, row->length);
    if (row->is)
        return row->is(data, near);
    for (size_t i = 0; i < COUNT(row->members) && row->members[i]; i++)
        if (!json_peek(data, size, row->members[i]))
            return false;
    return true;
}

const struct foreign *foreign_of(const uint8_t *data, size_t size)
{
    for (size_t i = 0; size && i < COUNT(rows); i++)
        if (fits(&rows[i], data, size))
            return &rows[i].kind;
    return NULL;
}
