/* The table of formats. */
#include "engine/container/container.h"
#include "engine/input/formats.h"
#include "tests/support/suite.h"

TEST(rows_are_whole)
{
    for (size_t i = 0; trace_formats[i]; i++) {
        const struct trace_format *f = trace_formats[i];

        ck_assert(f->name && f->summary && f->recorders && f->probe && f->read);
        ck_assert_ptr_eq(trace_format_named(f->name), f);
    }
    ck_assert_ptr_null(trace_format_named("mixed"));
    ck_assert_ptr_null(trace_format_named(""));
}

TEST(traces_are_known_by_their_endings)
{
    static const char *const traces[] = {"a.etl", "A.ETL", "in/b.nettrace",
                                         "c.netperf", "d.vsp"};
    static const char *const others[] = {"a.etl.txt", "etl",         "a.etlx",
                                         "",          "symbols.bin", "a.pdb"};

    for (size_t i = 0; i < COUNT(traces); i++)
        ck_assert_msg(is_trace_name(traces[i]), "%s", traces[i]);
    for (size_t i = 0; i < COUNT(others); i++)
        ck_assert_msg(!is_trace_name(others[i]), "%s", others[i]);
}
