/* Which columns give way where a table is too wide, and how far. */
#include "report/table/table.h"

#include "tests/support/suite.h"

struct item {
    uint64_t count;
    const char *name, *module, *path, *prefix;
    const uint64_t *series;
};

enum { BUCKETS = 40 };

static const struct item *item_of(const void *rows, size_t row)
{
    return &((const struct item *)rows)[row];
}

static struct value count(const void *rows, size_t row)
{
    return value_count(item_of(rows, row)->count);
}

static struct value share(const void *rows, size_t row)
{
    return value_percent(item_of(rows, row)->count, 100);
}

static struct value flag(const void *rows, size_t row)
{
    return value_flag(item_of(rows, row)->count > 50);
}

static struct value name(const void *rows, size_t row)
{
    struct value v = value_name(item_of(rows, row)->name);

    v.prefix = item_of(rows, row)->prefix;
    return v;
}

static struct value module(const void *rows, size_t row)
{
    return value_module(item_of(rows, row)->module);
}

static struct value path(const void *rows, size_t row)
{
    return value_path(item_of(rows, row)->path);
}

static struct value series(const void *rows, size_t row)
{
    return value_series(item_of(rows, row)->series, BUCKETS);
}

static struct value number(const void *rows, size_t row)
{
    return value_id(item_of(rows, row)->count);
}

static struct value maybe(const void *rows, size_t row)
{
    uint64_t n = item_of(rows, row)->count;

    return n > 50 ? value_id(n) : value_none();
}

static const uint64_t busy[BUCKETS] = {
    [0] = 1, [1] = 2, [13] = 9, [38] = 4, [39] = 8};
static const uint64_t calm[BUCKETS] = {[20] = 1};

static const struct item items[] = {
    {60, "System.Threading.Tasks.Task.Wait", "System.Private.CoreLib.dll",
     "/src/runtime/Task.cs:100", NULL, busy},
    {40, "Main", "app.exe", "/src/a.cs:1", "├─ ", calm},
    {0, "Very.Long.Namespace.Of.Type.Method", "app.exe", NULL,
     "│  │  │  │  └─ ", calm},
};

static const struct item nameless[] = {
    {1, "a", "[unknown]", NULL, NULL, calm},
    {2, "b", "", NULL, NULL, calm},
};

static const struct column ranked[] = {
    {"count", "count", false, count},
    {"percent", "", false, share},
    {"module", "module", false, module},
    {"name", "function", true, name},
};

static const struct column timed[] = {
    {"when", "when", false, series},
    {"module", "module", false, module},
    {"hidden", NULL, false, number},
    {"name", "function", true, name},
};

static const struct column places[] = {
    {"name", "function", true, name},
    {"path", "file", true, path},
    {"large", "large", false, flag},
    {"maybe", "", false, maybe},
};

struct layout_case {
    const struct column *columns;
    const struct item *items;
    size_t rows, width;
    const char *expected;
};

static const struct layout_case cases[] = {
    {ranked, items, 3, 0,
     "  count     %  module                      function\n"
     "     60  60.0  System.Private.CoreLib.dll  System.Threading.Task"
     "s.Task.Wait\n"
     "     40  40.0  app.exe                     ├─ Main\n"
     "      0   0.0  app.exe                     │  │  │  │  └─ Very.L"
     "ong.Namespace.Of.Type.Method\n"},
    {ranked, items, 3, 200,
     "  count     %  module                  function\n"
     "     60  60.0  System.Private…Lib.dll  System.Threading.Tasks.Ta"
     "sk.Wait\n"
     "     40  40.0  app.exe                 ├─ Main\n"
     "      0   0.0  app.exe                 │  │  │  │  └─ Very.Long."
     "Namespace.Of.Type.Method\n"},
    {ranked, items, 3, 75,
     "  count     %  module           function\n"
     "     60  60.0  System.Pri….dll  System.Threading.Tasks.Task.Wait\n"
     "     40  40.0  app.exe          ├─ Main\n"
     "      0   0.0  app.exe          │  │  │  │  └─ V.L.Namespace.Of."
     "Type.Method\n"},
    {ranked, items, 3, 64,
     "  count     %  module        function\n"
     "     60  60.0  System.P…dll  System.Threading.Tasks.Task.Wait\n"
     "     40  40.0  app.exe       ├─ Main\n"
     "      0   0.0  app.exe       │  │  │  │  └─ V.L.N.Of.Type.Method\n"},
    {ranked, items, 3, 58,
     "  count     %  module       function\n"
     "     60  60.0  System.…dll  S.Threading.Tasks.Task.Wait\n"
     "     40  40.0  app.exe      ├─ Main\n"
     "      0   0.0  app.exe      │  │  │  │  └─ …Of.Type.Method\n"},
    {ranked, items, 3, 50,
     "  count     %  module      function\n"
     "     60  60.0  System…dll  S.T.Tasks.Task.Wait\n"
     "     40  40.0  app.exe     ├─ Main\n"
     "      0   0.0  app.exe     │  │  │  │  └─ Method\n"},
    {timed, items, 3, 90,
     "when                                      module              fu"
     "nction\n"
     "▁▁···········█························▃▇  System.Priva…b.dll  S."
     "Threading.Tasks.Task.Wait\n"
     "····················▁···················  app.exe             ├─"
     " Main\n"
     "····················▁···················  app.exe             │ "
     " │  │  │  └─ …Type.Method\n"},
    {timed, items, 3, 80,
     "when                  module            function\n"
     "▂·····▆············█  System.Pri…b.dll  "
     "System.Threading.Tasks.Task.Wait\n"
     "··········▁·········  app.exe           ├─ Main\n"
     "··········▁·········  app.exe           │  │  │  │  └─ "
     "V.L.N.Of.Type.Method\n"},
    {timed, items, 3, 72,
     "when                  module          function\n"
     "▂·····▆············█  System.Pr….dll  System.Threading.Tasks.Tas"
     "k.Wait\n"
     "··········▁·········  app.exe         ├─ Main\n"
     "··········▁·········  app.exe         │  │  │  │  └─ V.L.N.O.Typ"
     "e.Method\n"},
    {timed, items, 3, 60,
     "when                  module        function\n"
     "▂·····▆············█  System.P…dll  S.T.Tasks.Task.Wait\n"
     "··········▁·········  app.exe       ├─ Main\n"
     "··········▁·········  app.exe       │  │  │  │  └─ Method\n"},
    {timed, items, 3, 55,
     "when        module       function\n"
     "▂··▆·····█  System.…dll  S.Threading.Tasks.Task.Wait\n"
     "·····▁····  app.exe      ├─ Main\n"
     "·····▁····  app.exe      │  │  │  │  └─ …Of.Type.Method\n"},
    {timed, items, 3, 50,
     "when        module      function\n"
     "▂··▆·····█  System…dll  S.T.Tasks.Task.Wait\n"
     "·····▁····  app.exe     ├─ Main\n"
     "·····▁····  app.exe     │  │  │  │  └─ Method\n"},
    {timed, items, 3, 40,
     "when        function\n"
     "▂··▆·····█  S.Threading.Tasks.Task.Wait\n"
     "·····▁····  ├─ Main\n"
     "·····▁····  │  │  │  │  └─ …Type.Method\n"},
    {places, items, 3, 0,
     "function                                           file         "
     "             large   %\n"
     "System.Threading.Tasks.Task.Wait                   /src/runtime/"
     "Task.cs:100  yes    60\n"
     "├─ Main                                            /src/a.cs:1\n"
     "│  │  │  │  └─ Very.Long.Namespace.Of.Type.Method\n"},
    {places, items, 3, 70,
     "function                               file                  lar"
     "ge   %\n"
     "System.Threading.Tasks.Task.Wait       …/Task.cs:100         yes"
     "    60\n"
     "├─ Main                                /src/a.cs:1\n"
     "│  │  │  │  └─ V.L.N.Of.Type.Method\n"},
    {places, items, 3, 62,
     "function                       file                  large   %\n"
     "S.Threading.Tasks.Task.Wait    …/Task.cs:100         yes    60\n"
     "├─ Main                        /src/a.cs:1\n"
     "│  │  │  │  └─ …Type.Method\n"},
    {places, items, 3, 55,
     "function                file                  large   %\n"
     "S.T.Tasks.Task.Wait     …/Task.cs:100         yes    60\n"
     "├─ Main                 /src/a.cs:1\n"
     "│  │  │  │  └─ Method\n"},
    {ranked, nameless, 2, 0,
     "  count     %  function\n"
     "      1   1.0  a\n"
     "      2   2.0  b\n"},
    {ranked, items, 1, 56,
     "  count     %  module       function\n"
     "     60  60.0  System.…dll  S.Threading.Tasks.Task.Wait\n"},
};

/* At most a fifth of the width, and 22 columns, are for modules. Then series
 * are drawn with half as many characters, names give way down to 20 columns
 * and modules down to 12. */
TEST(columns_give_way)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct layout_case *c = &cases[i];
        struct table table = {.columns = c->columns,
                              .column_count = 4,
                              .rows = c->items,
                              .row_count = c->rows,
                              .total = c->rows};
        struct out *out = out_memory();

        table_write(&table, FORMAT_TEXT, c->width, out);
        ck_assert_str_eq(out_text(out, NULL), c->expected);
        out_close(out, NULL);
    }
}
