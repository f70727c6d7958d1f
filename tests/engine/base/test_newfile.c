#include "engine/base/newfile.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

enum { MANY = 40 };

static struct new_file create(const char *folder, int number)
{
    struct new_file file;
    char path[100];

    snprintf(path, sizeof(path), "%s/%d", folder, number);
    ck_assert_int_eq(new_file_create(&file, path, NULL), ERR_NONE);
    return file;
}

static char *content(const char *path)
{
    static char text[100];
    FILE *file = fopen(path, "r");

    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void write_to(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

/* Two are made at a time, and the name of another one's is taken. */
TEST(the_last_to_be_published_stays)
{
    char folder[TEMP_FOLDER], path[100];
    struct new_file first, second;

    temp_folder(folder);
    first = create(folder, 1);
    second = create(folder, 1);
    ck_assert_str_ne(first.temp, second.temp);
    write_to(first.temp, "first");
    write_to(second.temp, "second");
    snprintf(path, sizeof(path), "%s/1", folder);
    ck_assert_int_eq(new_file_publish(&second, NULL), ERR_NONE);
    ck_assert_str_eq(content(path), "second");
    ck_assert_int_eq(new_file_publish(&first, NULL), ERR_NONE);
    ck_assert_str_eq(content(path), "first");
    ck_assert_uint_eq(temp_folder_files(folder), 1);
    temp_folder_remove(folder);
}

/* Its lock is gone with it; that of a process that is alive stays, as does a
 * file that is called otherwise. */
TEST(the_files_of_a_killed_process_are_removed)
{
    char folder[TEMP_FOLDER], path[100];
    struct new_file alive, next;
    int status;
    pid_t child;

    temp_folder(folder);
    snprintf(path, sizeof(path), "%s/1.5-x.tmp", folder);
    write_to(path, "not ours");
    alive = create(folder, 1);
    child = fork();
    if (!child) {
        create(folder, 1);
        raise(SIGKILL);
    }
    ck_assert(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
    ck_assert_uint_eq(temp_folder_files(folder), 3);
    next = create(folder, 2);
    ck_assert_uint_eq(temp_folder_files(folder), 4);
    new_file_discard(&next);
    next = create(folder, 1);
    ck_assert_uint_eq(temp_folder_files(folder), 3);
    new_file_discard(&next);
    ck_assert_int_eq(new_file_publish(&alive, NULL), ERR_NONE);
    ck_assert_uint_eq(temp_folder_files(folder), 2);
    temp_folder_remove(folder);
}

/* In a cache of files that are made once. */
TEST(a_folder_of_temporary_files_is_tidied_for_all_names)
{
    static const char *const others[] = {"1.5-x.tmp", "1.5-1.tmp2", "1.-1.tmp",
                                         "5-1.tmp"};
    char folder[TEMP_FOLDER], path[100];
    struct new_file alive, next;

    temp_folder(folder);
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof(path), "%s/%s", folder, others[i]);
        write_to(path, "not ours");
    }
    snprintf(path, sizeof(path), "%s/a.b.5-1.tmp", folder);
    write_to(path, "nobody's");
    snprintf(path, sizeof(path), "%s/sub", folder);
    ck_assert(!mkdir(path, 0700));
    alive = create(folder, 1);
    ck_assert_uint_eq(temp_folder_files(folder), 4 + 1 + 1);
    snprintf(path, sizeof(path), "%s/sub/file", folder);
    ck_assert_int_eq(new_file_create_in(&next, folder, path, NULL), ERR_NONE);
    ck_assert_uint_eq(temp_folder_files(folder), 4 + 1 + 1);
    ck_assert_int_eq(new_file_publish(&next, NULL), ERR_NONE);
    ck_assert_int_eq(new_file_publish(&alive, NULL), ERR_NONE);
    ck_assert(!unlink(path));
    snprintf(path, sizeof(path), "%s/sub", folder);
    ck_assert(!rmdir(path));
    ck_assert_uint_eq(temp_folder_files(folder), 4 + 1);
    temp_folder_remove(folder);
}

static void assert_refused(const char *path, const char *message)
{
    struct err err = {0};
    struct new_file file;

    ck_assert_int_eq(new_file_create(&file, path, &err), ERR_IO);
    ck_assert_int_eq(err.code, ERR_IO);
    ck_assert_str_eq(err.message, message);
    ck_assert_ptr_null(file.path);
}

TEST(a_file_that_is_replaced_keeps_its_permissions)
{
    char folder[TEMP_FOLDER], path[100];
    struct new_file file;
    struct stat st;

    temp_folder(folder);
    file = create(folder, 1);
    write_to(file.temp, "secret");
    ck_assert_int_eq(new_file_publish(&file, NULL), ERR_NONE);
    snprintf(path, sizeof(path), "%s/1", folder);
    ck_assert(!chmod(path, 0600));
    file = create(folder, 1);
    write_to(file.temp, "secret, too");
    ck_assert_int_eq(new_file_publish(&file, NULL), ERR_NONE);
    ck_assert(!stat(path, &st) && (st.st_mode & 0777) == 0600);
    temp_folder_remove(folder);
}

TEST(what_is_no_file_is_not_replaced)
{
    assert_refused("/", "/: cannot write: Is a directory");
    assert_refused("/dev/null", "/dev/null: cannot write: File exists");
    assert_refused("/nowhere/at/all",
                   "/nowhere/at/all: cannot write: No such file or directory");
    assert_refused("testdata", "./testdata: cannot write: Is a directory");
    assert_refused("-/x", "./-/x: cannot write: No such file or directory");
}

/* Its folder went away, or something else has its place. */
TEST(what_cannot_be_published_is_removed)
{
    char folder[TEMP_FOLDER], path[100];
    struct err err = {0};
    struct new_file file;

    temp_folder(folder);
    file = create(folder, 1);
    snprintf(path, sizeof(path), "%s/1", folder);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert_int_eq(new_file_publish(&file, &err), ERR_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "cannot write: Is a directory"));
    ck_assert_ptr_null(file.path);
    ck_assert_uint_eq(temp_folder_files(folder), 0);
    err = (struct err){0};
    file = create(folder, 2);
    ck_assert_int_eq(unlink(file.temp), 0);
    ck_assert_int_eq(new_file_publish(&file, &err), ERR_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "No such file"));
    ck_assert_uint_eq(temp_folder_files(folder), 0);
    ck_assert_int_eq(rmdir(path), 0);
    temp_folder_remove(folder);
}

/* What was published stays, and more at a time than are listed do no harm. */
TEST(abandoning_removes_what_is_unfinished)
{
    struct new_file files[MANY];
    char folder[TEMP_FOLDER];

    temp_folder(folder);
    for (int i = 0; i < MANY; i++) {
        files[i] = create(folder, i);
        ck_assert_int_eq(new_file_publish(&files[i], NULL), ERR_NONE);
    }
    for (int i = 0; i < 3; i++)
        files[i] = create(folder, MANY + i);
    ck_assert_uint_eq(temp_folder_files(folder), MANY + 3);
    new_file_abandon();
    ck_assert_uint_eq(temp_folder_files(folder), MANY);
    for (int i = 0; i < 3; i++)
        new_file_discard(&files[i]);
    for (int i = 0; i < MANY; i++)
        files[i] = create(folder, i);
    for (int i = 0; i < MANY; i++)
        new_file_discard(&files[i]);
    ck_assert_uint_eq(temp_folder_files(folder), MANY);
    temp_folder_remove(folder);
}
