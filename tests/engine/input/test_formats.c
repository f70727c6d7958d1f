/* The table of formats. */
#include "engine/container/container.h"
#include "engine/input/formats.h"
#include "tests/support/suite.h"

TEST(rows_are_whole)
{
    for (size_t i = 0; trace_formats[i]; i++) {
        const struct trace_format *f = trace_formats[i];

        ck_assert(f->name && f->summary && f->probe && f->read);
        ck_assert_ptr_eq(trace_format_named(f->name), f);
    }
    ck_assert_ptr_null(trace_format_named("mixed"));
    ck_assert_ptr_null(trace_format_named(""));
}
