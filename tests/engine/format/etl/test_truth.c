/* Real logs against the numbers of an independent decoder. */
#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "engine/recording.h"
#include "tests/support/suite.h"
#include "tests/support/truth.h"

static int is_etl(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);

    return n > 4 && !strcmp(entry->d_name + n - 4, ".etl");
}

static void compare(const char *name, unsigned threads)
{
    struct read_options options = {.threads = threads};
    char trace[1000], truth[1000], *differences;
    const char *path = trace;
    struct err err = {0};
    struct profile *p;

    snprintf(trace, sizeof(trace), "%s/etl/%.255s", traces_folder(), name);
    snprintf(truth, sizeof(truth), "%s/truth/%.255s.json", traces_folder(),
             name);
    p = recording_take(recording_open(&path, 1, &options, &err));
    ck_assert_msg(p != NULL, "%s", err.message);
    profile_finish(p);
    if (access(truth, R_OK) == 0) {
        differences = truth_differs(p, truth);
        ck_assert_msg(!differences, "%s: %s", name, differences);
        free(differences);
    }
    profile_free(p);
}

START_TEST(real_logs)
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
END_TEST

int main(void)
{
    return suite_run("etl truth", real_logs);
}
