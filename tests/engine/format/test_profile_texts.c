/* Files of formats that are texts, and all that a profile has of them:
 * FORMAT/FORMAT.script, or FORMAT.txt for those that are no texts, as
 * tests/support/profile_text.h says. */
#include "engine/format/named.h"
#include "engine/format/perfdata/perfdata.h"
#include "tests/support/profile_text.h"
#include "tests/support/suite.h"

#define PATH(name) "tests/engine/format/" name ".script"

static const struct {
    const struct trace_format *format;
    const char *path;
} scripts[] = {
    {&collapsed_format, PATH("collapsed/collapsed")},
    {&cpuprofile_format, PATH("cpuprofile/cpuprofile")},
    {&firefox_format, PATH("firefox/firefox")},
    {&otlp_format, PATH("otlp/otlp")},
    {&perf_script_format, PATH("perfdata/perf_script")},
    {&speedscope_format, PATH("speedscope/speedscope")},
};

TEST_LOOP(texts, COUNT(scripts))
{
    profile_text_script(scripts[_i].format, scripts[_i].path);
}

static const struct {
    const struct trace_format *format;
    const char *path;
} recipes[] = {
    {&otlp_format, "tests/engine/format/otlp/otlp.txt"},
    {&pprof_format, "tests/engine/format/pprof/pprof.txt"},
};

TEST_LOOP(bytes, COUNT(recipes))
{
    profile_text_recipes(recipes[_i].format, recipes[_i].path);
}
