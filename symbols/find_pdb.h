/*
 * find_pdb - the PDB that belongs to an image, in the places named.
 *
 *     struct found_pdb found = find_pdb(&cv, "bin/app.exe", paths, count);
 *     if (found.file)
 *         debug_frames(found.file, rva, ...);
 *     else
 *         say("%s: %s", found.name, find_cause_text(found.cause));
 *     found_pdb_release(&found);
 *
 * Looked at in this order: the folder of the image, for NAME and for the
 * image's own name with .pdb; then each path: a file as it is; a folder for
 * NAME, then NAME/KEY/NAME as symbol stores have it.
 * NAME is the last part of the path that the image names, and never leaves
 * the folder. Folders that do not have it in its own case are searched
 * without regard to case. Only a file with the image's GUID and age is used.
 */
#ifndef TOPFN_FIND_PDB_H
#define TOPFN_FIND_PDB_H

#include "engine/container/container.h"
#include "symbols/debug.h"
#include "symbols/pe.h"

enum find_cause {
    FIND_OK,
    FIND_NOT_NAMED, /* the image names no PDB */
    FIND_ABSENT,    /* no file of that name */
    FIND_MISMATCH,  /* there is one, of another build */
    FIND_BROKEN     /* there is one that cannot be read */
};

struct found_pdb {
    enum find_cause cause; /* of several, the one that came closest */
    char *name;            /* of the PDB wanted; NULL: not named */
    char *path;            /* of the file that `cause` is about, or NULL */
    char reason[512];      /* of FIND_BROKEN */
    struct container *container;
    struct debug_file *file; /* NULL unless FIND_OK */
};

/* `cv` NULL: the image names none, and a file among `paths` is not used. */
struct found_pdb find_pdb(const struct pe_codeview *cv, const char *image,
                          const char *const *paths, size_t count);
void found_pdb_release(struct found_pdb *found);

const char *find_cause_text(enum find_cause cause);

enum { PDB_KEY_SIZE = 32 + 8 + 1 };

/* "CCF79D6C6BA5FBBF4C4C44205044422E1": GUID and age as stores write them. */
void pdb_key(const uint8_t guid[16], uint32_t age, char key[PDB_KEY_SIZE]);

#endif
