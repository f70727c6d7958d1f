#include "engine/foreign.h"

#include <stdbool.h>
#include <string.h>

/* How much of a file is looked at. */
enum { LOOKED_AT = 64 * 1024 };

static bool holds(const uint8_t *data, size_t size, const char *word)
{
    return memmem(data, size, word, strlen(word)) != NULL;
}

static bool is_json(const uint8_t *data, size_t size)
{
    size_t i = 0;

    while (i < size && strchr(" \t\r\n\xEF\xBB\xBF", data[i]) && data[i])
        i++;
    return i < size && (data[i] == '{' || data[i] == '[');
}

static bool is_trace_events(const uint8_t *data, size_t size)
{
    return is_json(data, size) &&
           (holds(data, size, "\"traceEvents\"") ||
            (holds(data, size, "\"ph\"") && holds(data, size, "\"ts\"")));
}

/* Words of the machine: 0, number of header words, version, period, 0. */
static bool is_gperftools(const uint8_t *data, size_t size)
{
    uint64_t words[5];

    if (size < sizeof(words))
        return false;
    memcpy(words, data, sizeof(words));
    return !words[0] && words[1] == 3 && !words[2] && words[3] && !words[4];
}

static bool is_ftrace(const uint8_t *data, size_t size)
{
    return size && *data == '#' &&
           holds(data, size < 200 ? size : 200, "# tracer:");
}

static bool is_instruments(const uint8_t *data, size_t size)
{
    return holds(data, size < 4096 ? size : 4096, "<trace-query-result") ||
           holds(data, size < 4096 ? size : 4096, "<trace-toc");
}

#define SYMBOLS_ADVICE "debug files and images are for --symbols"

#define MAGIC(text) .magic = text, .length = sizeof(text) - 1

static const struct row {
    const char *magic; /* at the beginning; NULL: `is` tells */
    size_t length;
    bool (*is)(const uint8_t *data, size_t size);
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
    {MAGIC("7z\xBC\xAF\x27\x1C"), .kind = {"a 7z archive", "7z x unpacks it"}},
    {MAGIC("SQLite format 3"),
     .kind = {"an SQLite database that topfn did not write", NULL}},
    {MAGIC("FLR\0"), .kind = {"a Java Flight Recorder recording", NULL}},
    {MAGIC("JAVA PROFILE "), .kind = {"a Java heap dump", NULL}},
    {MAGIC("\x17\x08\x44"
           "tracing"),
     .kind = {"an ftrace recording (trace-cmd)", NULL}},
    {MAGIC("# callgrind format"), .kind = {"a callgrind profile", NULL}},
    {MAGIC("Analysis of sampling "),
     .kind = {"a report of sample (macOS)", NULL}},
    {.is = is_ftrace, .kind = {"ftrace text", NULL}},
    {.is = is_gperftools,
     .kind = {"a gperftools CPU profile",
              "go tool pprof -proto makes one of it that is read"}},
    {.is = is_trace_events, .kind = {"Chrome trace events", NULL}},
    {.is = is_instruments, .kind = {"an export of Instruments", NULL}},
};

static bool fits(const struct row *row, const uint8_t *data, size_t size)
{
    if (row->is)
        return row->is(data, size);
    return size >= row->length && !memcmp(data, row->magic, row->length);
}

const struct foreign *foreign_of(const uint8_t *data, size_t size)
{
    if (size > LOOKED_AT)
        size = LOOKED_AT;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        if (fits(&rows[i], data, size))
            return &rows[i].kind;
    return NULL;
}
