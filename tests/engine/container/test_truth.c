/* Real traces in containers against an independent decoder's numbers. */
#include <unistd.h>

#include "engine/input/recording.h"
#include "tests/support/opened.h"
#include "tests/support/profile_check.h"
#include "tests/support/suite.h"
#include "tests/support/truth.h"

/* Containers of ETL logs; `format` is that of what is inside. */
static const struct {
    const char *folder, *name;
} rows[] = {
    {"etl", "net.4.5.2.x86.etl.zip"},
    {"etl", "msbuild-PerfViewData.etl.zip"},
    {"etl", "diaghub-dotnetcore3.1-win-x64-diagsession.zip"},
    {"vspx", "WooEngineCore160119.vspx"},
    {"vspx", "WooEngineCore160119-1.vspx"},
    {"diagsession", "opc-win11.diagsession"},
    {"diagsession", "ole-vs2019.diagsession"},
    {"nettrace", "VoiceMemo.23092.nettrace.zip"},
    {"nettrace", "eventpipe-dotnetcore2.1-linux-x64-objver3.netperf.zip"},
};
enum { ROWS = COUNT(rows) };

static void compare(const char *path, const char *truth)
{
    struct read_options options = {0};
    struct profile *p = opened_profile(path, &options);
    char *why;

    ck_assert_msg(!profile_check(p), "%s: %s", path, profile_check(p));
    why = truth_differs(p, truth);
    ck_assert_msg(!why, "%s: %s", path, why);
    profile_free(p);
}

TEST_LOOP(numbers, ROWS)
{
    char path[1000], truth[1000];

    snprintf(path, sizeof(path), "%s/%s/%s", traces_folder(),
             rows[_i].folder, rows[_i].name);
    snprintf(truth, sizeof(truth), "%s/truth/%s.json", traces_folder(),
             rows[_i].name);
    if (access(path, R_OK) || access(truth, R_OK)) {
        suite_skip(1, "real traces: TOPFN_TRACES is not there");
        return;
    }
    compare(path, truth);
}
