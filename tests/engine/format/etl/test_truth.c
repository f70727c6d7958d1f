/* Real logs against the numbers of an independent decoder. */
#include <dirent.h>
#include <unistd.h>

#include "engine/input/recording.h"
#include "tests/support/opened.h"
#include "tests/support/profile_check.h"
#include "tests/support/suite.h"
#include "tests/support/truth.h"

static int is_etl(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);

    return n > 4 && !strcmp(entry->d_name + n - 4, ".etl");
}

/* Logs that the decoder has no numbers of: one record of each version of an
 * event, and no samples. */
static const struct {
    const char *name;
    uint64_t events;
    size_t processes;
} counts[] = {
    {"syzygy-image_data_64_v0.etl", 27, 0},
    {"syzygy-image_data_64_v1.etl", 27, 0},
    {"syzygy-image_data_64_v2.etl", 27, 0},
    {"syzygy-process_data_64_v2.etl", 9, 3},
    {"syzygy-process_data_64_v3.etl", 9, 3},
    {"test_data_64_v0.etl", 27, 0},
    {"test_data_64_v1.etl", 27, 0},
    {"test_data_64_v2.etl", 27, 0},
};

static void compare_counts(const char *name, const struct profile *p)
{
    for (size_t i = 0; i < COUNT(counts); i++) {
        if (strcmp(counts[i].name, name) != 0)
            continue;
        ck_assert_uint_eq(p->trace.events, counts[i].events);
        ck_assert_uint_eq(p->processes.len, counts[i].processes);
        ck_assert_uint_eq(p->samples.len, 0);
        return;
    }
    ck_abort_msg("%s: no truth and no numbers of it here", name);
}

static void compare(const char *name, unsigned threads)
{
    struct read_options options = {.threads = threads};
    char trace[1000], truth[1000], *differences;
    struct profile *p;

    snprintf(trace, sizeof(trace), "%s/etl/%.255s", traces_folder(), name);
    snprintf(truth, sizeof(truth), "%s/truth/%.255s.json", traces_folder(),
             name);
    p = opened_profile(trace, &options);
    ck_assert_msg(!profile_check(p), "%s: %s", name, profile_check(p));
    if (access(truth, R_OK)) {
        compare_counts(name, p);
    } else {
        differences = truth_differs(p, truth);
        ck_assert_msg(!differences, "%s: %s", name, differences);
        free(differences);
    }
    profile_free(p);
}

TEST(real_logs)
{
    char folder[1000];
    struct dirent **names;
    int n;

    snprintf(folder, sizeof(folder), "%s/etl", traces_folder());
    n = scandir(folder, &names, is_etl, alphasort);
    if (n < 0) {
        suite_skip(1, "real ETL logs: TOPFN_TRACES is not there");
        return;
    }
    for (int i = 0; i < n; i++) {
        compare(names[i]->d_name, 1);
        compare(names[i]->d_name, 4);
        free(names[i]);
    }
    free(names);
}
