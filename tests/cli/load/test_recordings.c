#include "cli/load/load.h"

#include <sys/stat.h>
#include <unistd.h>

#include "cli/terminal/terminal.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[200];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

TEST(a_folder_stands_for_its_recordings)
{
    static const char *const names[] = {"b.zip", "a.topfn", "c.zip", ".d.zip",
                                        "README"};
    char folder[] = "/tmp/topfn-recordings-XXXXXX", path[200];
    struct recordings r = {.paths = {0}};

    ck_assert_ptr_nonnull(mkdtemp(folder));
    for (size_t i = 0; i < 5; i++)
        write_file(folder, names[i],
                   strstr(names[i], "zip")     ? "PK\3\4..."
                   : strstr(names[i], "topfn") ? "SQLite format 3"
                                               : "to be read\n");
    ck_assert(recordings_add(&r, "no/such/file"));
    ck_assert(recordings_add(&r, folder));
    ck_assert_uint_eq(r.paths.len, 4);
    ck_assert_str_eq(r.paths.data[0], "no/such/file");
    ck_assert_str_eq(strrchr(r.paths.data[1], '/'), "/a.topfn");
    ck_assert_str_eq(strrchr(r.paths.data[2], '/'), "/b.zip");
    ck_assert_str_eq(strrchr(r.paths.data[3], '/'), "/c.zip");
    recordings_release(&r);
    for (size_t i = 0; i < 5; i++) {
        snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
        unlink(path);
    }
    r = (struct recordings){.paths = {0}};
    say_quietly(true);
    ck_assert(!recordings_add(&r, folder));
    recordings_release(&r);
    rmdir(folder);
}

/* A folder that perf wrote is a recording itself, named or in another. */
TEST(a_folder_of_perf_is_one_recording)
{
    char outer[TEMP_FOLDER], inner[TEMP_FOLDER + 8];
    struct recordings r = {.paths = {0}};

    temp_folder(outer);
    snprintf(inner, sizeof(inner), "%s/run", outer);
    ck_assert_int_eq(mkdir(inner, 0700), 0);
    write_file(inner, "data", "PERFILE2 and more");
    write_file(inner, "data.0", "records");
    ck_assert(recordings_add(&r, inner));
    ck_assert(recordings_add(&r, outer));
    ck_assert_uint_eq(r.paths.len, 2);
    ck_assert_str_eq(r.paths.data[0], inner);
    ck_assert_str_eq(r.paths.data[1], inner);
    recordings_release(&r);
    temp_folder_remove(outer);
}
