#include "engine/input/foreign.h"

#include "engine/base/json_peek.h"

#include "tests/support/suite.h"

static const struct {
    const char *bytes;
    size_t len;
    const char *name; /* begins so; NULL: unknown */
} known[] = {
#define BYTES(text) text, sizeof(text) - 1
    {BYTES("Microsoft C/C++ MSF 7.00\r\n\x1A"
           "DS"),
     "a PDB"},
    {BYTES("BSJB\1\0\1\0"), "a portable PDB"},
    {BYTES("MZ\x90"), "a Windows image"},
    {BYTES("\x7F"
           "ELF\2"),
     "an ELF image"},
    {BYTES("SQLite format 3\0"), "an SQLite database"},
    {BYTES("\x17\x08\x44tracing"), "an ftrace recording"},
    {BYTES("# tracer: nop\n#\n"), "ftrace text"},
    {BYTES("{\"traceEvents\":[]}"), "Chrome trace events"},
    {BYTES("[{\"ph\":\"X\",\"ts\":1}]"), "Chrome trace events"},
    {BYTES("<?xml version=\"1.0\"?>\n<trace-query-result>"),
     "an export of Instruments"},
    {BYTES("<trace-toc>"), "an export of Instruments"},
    {BYTES(" \t\r\n{\"traceEvents\":[]}"), "Chrome trace events"},
    {BYTES("\xEF\xBB\xBF[{\"ph\":\"X\",\"ts\":1}]"), "Chrome trace events"},
    {BYTES("\xCF\xFA\xED\xFE"), "a Mach-O image"},
    {BYTES("MDMP"), "a minidump"},
    {BYTES("\x28\xB5\x2F\xFD"), "packed by zstd"},
    {BYTES("\xFD"
           "7zXZ"),
     "packed by xz"},
    {BYTES("7z\xBC\xAF\x27\x1C"), "a 7z archive"},
    {BYTES("FLR\0"), "a Java Flight Recorder recording"},
    {BYTES("JAVA PROFILE 1.0.2"), "a Java heap dump"},
    {BYTES("# callgrind format\n"), "a callgrind profile"},
    {BYTES("Analysis of sampling app"), "a report of sample"},
    {BYTES("BZh9"), "packed by bzip2"},
    {BYTES("JAVA PROFILE 1.0.1, created Mon\n"), "text of hprof"},
    {BYTES("*version\n3\n"), "a method trace of Android"},
    {BYTES("SLOW\2\0"), "a method trace of Android"},
    {BYTES("SIMPLEPERF\1\0"), "a protobuf of simpleperf"},
    {BYTES("heap profile: 1: 2 [3: 4] @ heap/1048576"),
     "a heap profile in text"},
    {BYTES("goroutine profile: total 4"), "a goroutine profile in text"},
    {BYTES("--- mutex:\n"), "a mutex profile in text"},
    {BYTES("threadcreate profile: total 5\n1 @\n"), "a profile of Go in text"},
    {BYTES("goroutine 1 [running]:\nmain.main()\n"), "stacks of goroutines"},
    {BYTES("goroutine 1\n[running]:\n"), NULL},
    {BYTES("# HELP x y\n# TYPE x counter\nx 4\n"), "metrics of Prometheus"},
    {BYTES("# TYPE x counter\nx 4\n"), "metrics of Prometheus"},
    {BYTES("--- contentionz 1 ---"), "a contention profile in text"},
    {BYTES("v8-version,10,2\n"), "a log of V8 (node --prof)"},
    {BYTES("# To display\n#\n# Samples: 3  of event 'cycles'\n"),
     "text of perf report"},
    {BYTES("go 1.22 trace\0\0\0"), "an execution trace of Go"},
    {BYTES("gmon\1\0\0\0"), "a profile of gprof"},
    {BYTES("@[\n    main\n]: 4\n"), "text of bpftrace"},
    {BYTES("--- Execution profile ---\n"), "a report of async-profiler"},
    {BYTES("Running Time\tSelf (ms)\t\tSymbol Name"),
     "text copied from Instruments"},
    {BYTES("TRACE START [2020-01-01]\n"), "a trace of Xdebug"},
    {BYTES("<!DOCTYPE html>\n"), "an HTML page"},
    {BYTES("<?xml version=\"1.0\"?>\n<!DOCTYPE svg>\n<svg version=\"1.1\">"),
     "an SVG picture"},
    {BYTES("{\"program\":\"a\",\"profile\":{},\"cost_centres\":[]}"),
     "a profile of GHC"},
    /* Files of valgrind, by the keys of their first lines. */
    {BYTES("version: 1\ncreator: callgrind-3.19.0\npid: 1\n\ndesc: I1 cache:\n"
           "events: Ir\nfn=main\n"),
     "a callgrind profile"},
    {BYTES("events: Ir\npart: 1\nfl=a.c\n"), "a callgrind profile"},
    {BYTES("desc: I1 cache: 32\ncmd: ./a\nevents: Ir I1mr\nfl=a.c\n"),
     "a cachegrind profile"},
    {BYTES("desc: --time-unit=B\ncmd: ./a\ntime_unit: B\n#---\nsnapshot=0\n"),
     "a massif profile"},
    {BYTES("events: Ir\n\nfl=a.c\nfn=main\n1 2\n"), "a callgrind profile"},
    {BYTES("events: Ir\nf=a.c\n"), NULL},
    {BYTES("version: 1\ncmd: ./a\ntext\nevents: Ir\n"), NULL},
    {BYTES("events: Ir\n"), NULL},
    /* JSON by its members, each at its own level. */
    {BYTES("[{\"args\":{\"a\":[1,2]},\"ph\":\"M\",\"pid\":1}]"),
     "Chrome trace events"},
    {BYTES("{\"a\":\"\\\"\",\"traceEvents\":[]}"), "Chrome trace events"},
    {BYTES("{\"head\":{\"callFrame\":{},\"selfSize\":0}}"),
     "a V8 heap profile"},
    {BYTES("{\"snapshot\":{\"meta\":{}},\"nodes\":[1]}"), "a V8 heap snapshot"},
    {BYTES("{\"code\":[{\"name\":\"a\",\"type\":\"CPP\"}]}"),
     "a log of V8 in JSON"},
    {BYTES("{\"version\":1.2,\"mode\":\"cpu\",\"gc_samples\":0}"),
     "a stackprof profile"},
    {BYTES("{\"version\":1,\"recording\":{\"displayName\":\"\"}}"),
     "a timeline recording of Safari"},
    {BYTES("{\"linux-perf-json-version\": 1}"), "perf's JSON"},
    {BYTES("{\"dhatFileVersion\":2}"), "a DHAT profile"},
    {BYTES("{\"resourceProfiles\":[{\"scopeProfiles\":[]}]}"),
     "an OpenTelemetry profile"},
    {BYTES("{\"a\":{\"traceEvents\":[]}}"), NULL},
    {BYTES("{\"a\":\"traceEvents\"}"), NULL},
    {BYTES("{\"a\":[{\"ph\":\"X\",\"ts\":1}]}"), NULL},
    {BYTES("[{\"args\":{\"ph\":\"X\",\"ts\":1}}]"), NULL},
    /* Less than a magic number, or half of what tells. */
    {BYTES("BSJ"), NULL},
    {BYTES("FLR"), NULL},
    {BYTES("[{\"ph\":\"X\"}]"), NULL},
    {BYTES("[{\"ts\":1}]"), NULL},
    {BYTES("x{\"traceEvents\":[]}"), NULL},
    {BYTES("\0{\"traceEvents\":[]}"), NULL},
    {BYTES(" \t\r\n"), NULL},
    {BYTES("tracer\n# tracer: nop\n"), NULL},
    {BYTES("a 1\nb 2\n"), NULL},
    {BYTES("{\"nodes\":[]}"), NULL},
    {BYTES("text of some kind"), NULL},
    {BYTES("\0\0\0\0"), NULL},
    {BYTES(""), NULL},
#undef BYTES
};

TEST_LOOP(known_by_magic_or_shape, COUNT(known))
{
    const struct foreign *kind =
        foreign_of((const uint8_t *)known[_i].bytes, known[_i].len);

    if (!known[_i].name) {
        ck_assert_ptr_null(kind);
        return;
    }
    ck_assert_ptr_nonnull(kind);
    ck_assert_msg(!strncmp(kind->name, known[_i].name, strlen(known[_i].name)),
                  "%s is not %s", kind->name, known[_i].name);
}

TEST(gperftools_by_its_header)
{
    static const uint64_t header[5] = {0, 3, 0, 10000, 0};
    const struct foreign *kind =
        foreign_of((const uint8_t *)header, sizeof(header));

    ck_assert_ptr_nonnull(kind);
    ck_assert_str_eq(kind->name, "a gperftools CPU profile");
    ck_assert_ptr_null(foreign_of((const uint8_t *)header, 39));
    for (size_t i = 0; i < 5; i++) {
        uint64_t other[5];

        memcpy(other, header, sizeof(other));
        other[i] = i == 3 ? 0 : other[i] + 1;
        ck_assert_ptr_null(foreign_of((const uint8_t *)other, sizeof(other)));
    }
}

/* What tells has to stand near the beginning: `after` bytes before it are
 * none too many, one more is. */
static void check_reach(const char *begin, char filler, const char *word,
                        size_t after)
{
    size_t n = strlen(word);
    char *text = malloc(after + n + 2);

    ck_assert_ptr_nonnull(text);
    for (size_t more = 0; more < 2; more++) {
        memset(text, filler, after + more);
        memcpy(text, begin, strlen(begin));
        memcpy(text + after + more, word, n);
        ck_assert_msg((foreign_of((const uint8_t *)text, after + more + n) ==
                       NULL) == more,
                      "%s behind %zu", word, after + more);
    }
    free(text);
}

TEST(so_far_is_looked)
{
    check_reach("<", ' ', "<trace-query-result",
                4096 - strlen("<trace-query-result"));
    check_reach("<", ' ', "<trace-toc", 4096 - strlen("<trace-toc"));
    check_reach("{", ' ', "\"traceEvents\":1",
                JSON_PEEKED - strlen("\"traceEvents\":1"));
}
