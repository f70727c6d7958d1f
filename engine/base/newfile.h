/*
 * newfile - a file that appears under its name only when it is complete.
 *
 *     struct new_file file;
 *     if (new_file_create(&file, "out.topfn", &err)) ...
 *     if (write_to(file.temp))
 *         new_file_publish(&file, &err);
 *     else
 *         new_file_discard(&file);
 *
 * It is written under a temporary name in the same directory, synced and
 * renamed: a crash leaves the old file or the new one. Publishing and
 * discarding both end the struct's life; a failure to publish discards.
 */
#ifndef TOPFN_NEWFILE_H
#define TOPFN_NEWFILE_H

#include "engine/base/err.h"

struct new_file {
    char *path; /* as given, but never taken for an option or an URI */
    char *temp; /* exists and is empty */
    int place;  /* in the list for new_file_abandon; -1: in none */
};

enum err_code new_file_create(struct new_file *file, const char *path,
                              struct err *err);
enum err_code new_file_publish(struct new_file *file, struct err *err);
void new_file_discard(struct new_file *file);

/* Removes the temporary files of all threads (of the first few, should there
 * be many); safe in a signal handler. The program is to end after it. */
void new_file_abandon(void);

#endif
