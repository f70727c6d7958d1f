/*
 * Real recordings against the numbers of an independent decoder, and the
 * streams of the reference reader's own tests against what it reads there or,
 * where it refuses more than the format does, against the format.
 */
#include <dirent.h>
#include <jansson.h>
#include <unistd.h>

#include "engine/trace.h"
#include "tests/engine/format/nettrace/stream.h"
#include "tests/support/truth.h"

static const char *const recordings[] = {
    "dotnet-5.0-SampleProfiler-single-thread.golden.nettrace",
    "eventpipe-dotnetcore3.0-win-x64-objver4.nettrace",
    "eventpipe-dotnetcore5.0-win-x64-arraytypes.nettrace",
    "linux-all-cswitch.nettrace",
    "linux-cpu.nettrace",
    "mixed_managed_external_samples.nettrace",
    "mixed_managed_external_samples.v6.nettrace",
    "net10-default.nettrace",
    "net10-killed.nettrace",
    "net10-lossy.nettrace",
    "net10-no-rundown.nettrace",
    "net10-reuse.nettrace",
    "only_managed_samples.nettrace",
    "only_managed_samples.v6.nettrace",
    "VoiceMemo.23092.nettrace.zip",
    "eventpipe-dotnetcore2.1-linux-x64-objver3.netperf.zip",
};

enum { RECORDINGS = sizeof(recordings) / sizeof(recordings[0]) };

static struct profile *open_trace(const char *path, struct err *err)
{
    struct trace_options options = {0};
    struct profile *p = trace_open(&path, 1, &options, err);

    if (p)
        profile_finish(p);
    return p;
}

/* The recorder gives a process a name only if it says who it is. */
START_TEST(recording)
{
    char path[1000], truth[1000];
    struct err err = {0};
    struct profile *p;
    char *why;

    snprintf(path, sizeof(path), "%s/nettrace/%s", traces_folder(),
             recordings[_i]);
    snprintf(truth, sizeof(truth), "%s/truth/%s.json", traces_folder(),
             recordings[_i]);
    if (access(path, R_OK)) {
        suite_skip(1, recordings[_i]);
        return;
    }
    p = open_trace(path, &err);
    if (!p && err.code == ERR_UNSUPPORTED && strstr(path, ".zip")) {
        suite_skip(1, err.message);
        return;
    }
    ck_assert_msg(p, "%s", err.message);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    why = truth_differs(p, truth);
    ck_assert_msg(!why, "%s: %s", recordings[_i], why);
    profile_free(p);
}
END_TEST

/* ---- conformance ---- */

/* Where ours reads on although the reference stops: nothing of these streams
 * is lost by it. The field description is not needed to count events, and
 * a v3 stack may be as large as its event has room for. */
static const char *const kinder[] = {
    "V6DataLocThrowsOnVariableSizedElementType",
    "v3wrap_ReadFromFormatV3RejectsStackSizeThatOverflowsExtendedDataUShort",
};

static bool is_kinder(const char *name)
{
    for (size_t i = 0; i < sizeof(kinder) / sizeof(kinder[0]); i++)
        if (!strncmp(name, kinder[i], strlen(kinder[i])))
            return true;
    return false;
}

static json_int_t member(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

/* Damage has to be told, with its offset. */
static void assert_told(const struct profile *p, const char *name)
{
    ck_assert_msg(p->quality.skipped.len || p->quality.warnings.len,
                  "%s: reads without a word", name);
}

static void compare(const char *name, const struct profile *p,
                    const struct err *err, const json_t *expected)
{
    const json_t *format = json_object_get(expected, "by_format");
    bool problem = json_is_string(json_object_get(format, "problem")) ||
                   json_is_string(json_object_get(expected, "error"));

    if (!p) {
        ck_assert_msg(problem && !member(format, "events"), "%s: %s", name,
                      err->message);
        ck_assert_msg(strstr(err->message, "offset 0x"), "%s: %s", name,
                      err->message);
        return;
    }
    ck_assert_msg((json_int_t)p->trace.events == member(format, "events"),
                  "%s: %llu events", name,
                  (unsigned long long)p->trace.events);
    ck_assert_msg((json_int_t)p->quality.lost_events ==
                      member(format, "lost"),
                  "%s: %llu lost", name,
                  (unsigned long long)p->quality.lost_events);
    if (problem && !is_kinder(name))
        assert_told(p, name);
}

static void conform(const char *folder, const char *name)
{
    char path[1500];
    struct err err = {0};
    struct profile *p;
    json_t *expected;
    size_t stem = strlen(name) - strlen(".json");

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    expected = json_load_file(path, 0, NULL);
    ck_assert_msg(expected, "%s", path);
    snprintf(path, sizeof(path), "%s/%.*s.nettrace", folder, (int)stem, name);
    p = open_trace(path, &err);
    compare(name, p, &err, expected);
    profile_free(p);
    json_decref(expected);
}

static int is_answer(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot && !strcmp(dot, ".json");
}

START_TEST(conformance)
{
    struct dirent **names;
    char folder[1000];
    int n;

    snprintf(folder, sizeof(folder), "%s/nettrace/conformance",
             traces_folder());
    n = scandir(folder, &names, is_answer, alphasort);
    if (n <= 0) {
        suite_skip(1, "conformance streams of nettrace");
        return;
    }
    for (int i = 0; i < n; i++) {
        conform(folder, names[i]->d_name);
        free(names[i]);
    }
    free(names);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("nettrace truth");
    TCase *tcase = tcase_create("truth");
    SRunner *runner;
    int failed;

    tcase_add_loop_test(tcase, recording, 0, RECORDINGS);
    tcase_add_test(tcase, conformance);
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
