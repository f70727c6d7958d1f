#include "engine/base/newfile.h"

#include <string.h>
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

START_TEST(appears_when_published)
{
    char folder[TEMP_FOLDER], path[100];
    struct new_file file;

    temp_folder(folder);
    file = create(folder, 1);
    snprintf(path, sizeof(path), "%s/1", folder);
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert_int_eq(new_file_publish(&file, NULL), ERR_NONE);
    ck_assert_int_eq(access(path, F_OK), 0);
    ck_assert_uint_eq(temp_folder_files(folder), 1);
    temp_folder_remove(folder);
}
END_TEST

START_TEST(discarding_leaves_the_old_file)
{
    char folder[TEMP_FOLDER];
    struct new_file file;

    temp_folder(folder);
    file = create(folder, 1);
    ck_assert_int_eq(new_file_publish(&file, NULL), ERR_NONE);
    file = create(folder, 1);
    ck_assert_uint_eq(temp_folder_files(folder), 2);
    new_file_discard(&file);
    ck_assert_uint_eq(temp_folder_files(folder), 1);
    temp_folder_remove(folder);
}
END_TEST

/* What was published stays, and more at a time than are listed do no harm. */
START_TEST(abandoning_removes_what_is_unfinished)
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
END_TEST

int main(void)
{
    return suite_run("newfile", appears_when_published,
                     discarding_leaves_the_old_file,
                     abandoning_removes_what_is_unfinished);
}
