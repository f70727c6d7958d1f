/*
 * folder - the folder that `perf record --threads` or `--kcore` writes: one
 * recording in several files.
 *
 *   data                 the recording, as it would be without a folder
 *   data.0, data.1, ...  records of one thread of the recorder each
 *   kcore_dir/kallsyms   functions of the kernel that ran
 *
 * A container may hold such a folder, too.
 */
#ifndef TOPFN_FOLDER_H
#define TOPFN_FOLDER_H

#include "engine/container/container.h"

/* Tells whether a path is such a folder. */
bool folder_is_recording(const char *path);

/* Opens the files beside `data` as parts of the container's one entry. */
enum err_code folder_open_files(struct container *c, struct err *err);
void folder_close_files(struct container *c);

/* Handles entries that are such a folder: those beside `data` become its parts.
 * The first of several folders is used. */
void folder_join_entries(struct container *c);

#endif
