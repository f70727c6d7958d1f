/*
 * newfile - a file that appears under its name only when it is complete.
 *
 *     struct new_file file;
 *     if (new_file_create(&file, "out.topfn", &err)) ...
 *     if (write_to(file.fd))
 *         new_file_publish(&file, &err);
 *     else
 *         new_file_discard(&file);
 *
 * It is written under a temporary name in the same directory, synced and
 * renamed: a crash leaves the old file or the new one. Publishing and
 * discarding both end the struct's life; a failure to publish discards.
 *
 * Temporary files are locked by whoever writes them. A signal handler removes
 * them by new_file_abandon; those of a process that was killed are removed
 * when the next file of that name is made. In a cache most names are never made
 * again: new_file_create_in has all temporary files in one folder, and removes
 * those of all names.
 */
#ifndef TOPFN_NEWFILE_H
#define TOPFN_NEWFILE_H

#include <stdio.h>

#include "engine/base/err.h"

struct new_file {
    char *path; /* as given, but never taken for an option or an URI */
    char *temp; /* exists and is empty */
    int fd;     /* of `temp`, for reading and writing */
    int place;  /* in the list for new_file_abandon; -1: in none */
};

/* errno says why not, too. */
enum err_code new_file_create(struct new_file *file, const char *path,
                              struct err *err);
/* The temporary file is in `folder`, on the same file system. */
enum err_code new_file_create_in(struct new_file *file, const char *folder,
                                 const char *path, struct err *err);
/* A stream into it, to be closed before the file is published. NULL: errno. */
FILE *new_file_stream(const struct new_file *file);
enum err_code new_file_publish(struct new_file *file, struct err *err);
void new_file_discard(struct new_file *file);

/* Removes the temporary files of all threads (of the first few, should there
 * be many); safe in a signal handler. The program is to end after it. */
void new_file_abandon(void);

/* A file without a name in the folder, for data that would fill memory. -1 on
 * failure: errno. */
int nameless_file(const char *folder);

#endif
