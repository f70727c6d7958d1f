/* Where a log is that a recording names. */
#include "engine/input/traces.h"

#include <unistd.h>

#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

/* "kernel.ctl" lies beside the recording, "README.md" in the current folder;
 * `found` is how the path that is found ends. */
static const struct {
    const char *wanted;
    enum companion_place place;
    const char *found;
} rows[] = {
    {"C:\\x\\KERNEL.ctl", COMPANION_FOUND, "/kernel.ctl"},
    {"/var/kernel.ctl", COMPANION_FOUND, "/kernel.ctl"},
    {"c:\\kernel.ctl", COMPANION_FOUND, "/kernel.ctl"},
    {"kernel.ctl", COMPANION_FOUND, "/kernel.ctl"},
    {"C:\\x\\README.md", COMPANION_FOUND, "README.md"},
    {"README.md", COMPANION_FOUND, "README.md"},
    {"tests/README.md", COMPANION_FOUND, "tests/README.md"},
    {"/etc/hostname", COMPANION_OUTSIDE, "/etc/hostname"},
    {"../../../../../../../../etc/hostname", COMPANION_OUTSIDE, "etc/hostname"},
    {"C:\\x\\none.ctl", COMPANION_ABSENT, ""},
    {"/etc/none.ctl", COMPANION_ABSENT, ""},
    {"C:\\x\\", COMPANION_ABSENT, ""},
    {"C:\\x\\.", COMPANION_ABSENT, ""},
    {"..", COMPANION_ABSENT, ""},
};

TEST_LOOP(places, COUNT(rows))
{
    char folder[TEMP_FOLDER], recording[100], log[100], *found;
    enum companion_place place;
    FILE *f;

    if (access("/etc/hostname", R_OK))
        return;
    temp_folder(folder);
    snprintf(log, sizeof(log), "%s/kernel.ctl", folder);
    snprintf(recording, sizeof(recording), "%s/a.vsp", folder);
    f = fopen(log, "w");
    ck_assert_ptr_nonnull(f);
    fclose(f);
    place = companion_find(rows[_i].wanted, recording, &found);
    ck_assert_int_eq(place, rows[_i].place);
    if (place != COMPANION_ABSENT) {
        size_t n = strlen(found), m = strlen(rows[_i].found);

        ck_assert_msg(n >= m && !strcmp(found + n - m, rows[_i].found), "%s",
                      found);
    }
    free(found);
    temp_folder_remove(folder);
}
