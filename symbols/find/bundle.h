/*
 * bundle - copies of the files that named a profile, in one folder.
 *
 *     struct bundle b = {0};
 *     bundle_add(&b, &module->identity, true, &files.image);
 *     if (!bundle_write(&b, "symbols-of-may", &err)) ...
 *     bundle_release(&b);
 *
 * The folder is a place like others (places.h): files with an identity lie as
 * in a symbol store (NAME/KEY/NAME) or by build ID (.build-id/xx/yyyy), others
 * by their names. BUNDLE_LIST lists them, each behind a comment with its size;
 * `sha256sum -c` takes the list:
 *
 *     # 81920 bytes
 *     0f3a...9c  mixer.pdb/3C2A...1/mixer.pdb
 *
 * The same profile gives the same bytes.
 */
#ifndef TOPFN_BUNDLE_H
#define TOPFN_BUNDLE_H

#include "engine/base/out.h"
#include "symbols/find/found_file.h"

#define BUNDLE_LIST "topfn-symbols.lock"

struct bundle_file {
    char *from;
    char *name; /* in the folder */
    uint64_t size;
};

struct bundle {
    VEC(struct bundle_file) files;
    uint64_t size; /* of all, once they are written */
};

/* Adds a file that is in use, and those that it refers to; nothing of what came
 * in a container with the trace. `is_image`: it is no debug file. */
void bundle_add(struct bundle *b, const struct identity *id, bool is_image,
                const struct found *found);

/* Adds a source file: `path` is what debug files call it, `from` where it is.
 * It lies below source/, which --source takes. */
void bundle_add_source(struct bundle *b, const char *path, const char *from);

/* Makes the folder if it is not there, the files and the list. A folder that
 * holds something else and no list is refused, before `bundle_add` by
 * bundle_begin. */
enum err_code bundle_begin(const char *folder, struct err *err);
enum err_code bundle_write(struct bundle *b, const char *folder,
                           struct err *err);
void bundle_release(struct bundle *b);

/* Writes a line for each file of the folder's list that is missing or changed;
 * nothing where the folder has no list. `contents`: all bytes are compared, not
 * the sizes alone. */
void bundle_check(const char *folder, bool contents, struct out *complaints);

#endif
