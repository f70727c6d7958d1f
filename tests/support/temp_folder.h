/*
 * temp_folder - a folder for one test.
 *
 *     char folder[TEMP_FOLDER];
 *     temp_folder(folder);
 *     ck_assert_uint_eq(temp_folder_files(folder), 0);
 *     temp_folder_remove(folder);
 */
#ifndef TOPFN_TESTS_TEMP_FOLDER_H
#define TOPFN_TESTS_TEMP_FOLDER_H

#include <stddef.h>

enum { TEMP_FOLDER = 40 };

void temp_folder(char folder[TEMP_FOLDER]);
/* A file of it, whose folders are made. */
void temp_folder_put(const char *folder, const char *name, const void *data,
                     size_t n);
/* Files, at any depth. */
size_t temp_folder_files(const char *folder);
/* With all that is in it. */
void temp_folder_remove(const char *folder);

#endif
