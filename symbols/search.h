/*
 * search - one debug file or image, wanted by identity, looked for place by
 * place.
 *
 *     struct found found = found_nothing(&wanted);
 *     for (...)
 *         if (search_place(&found, &wanted, places[i]))
 *             break;
 *     if (found.file)
 *         debug_frames(found.file, rva, ...);
 *     found_release(&found);
 *
 * A place is a file, taken as it is; or a folder, looked into for NAME and,
 * as symbol stores have it, NAME/KEY/NAME, below the first two letters of
 * NAME in stores of two tiers (index2.txt). Folders that do not have a name
 * in its own case are searched without regard to case. A file of another
 * identity is never used. Every probe is kept, for `topfn symbols`.
 */
#ifndef TOPFN_SEARCH_H
#define TOPFN_SEARCH_H

#include "engine/base/vec.h"
#include "engine/container/container.h"
#include "symbols/debug.h"
#include "symbols/places.h"

enum find_cause {
    FIND_OK,
    FIND_NOT_NAMED, /* nothing says which file it would be */
    FIND_ABSENT,    /* no file of that name */
    FIND_MISMATCH,  /* there is one, of another build */
    FIND_BROKEN     /* there is one that cannot be read */
};

const char *find_cause_text(enum find_cause cause);

enum wanted_kind { WANTED_PDB, WANTED_PE, WANTED_ELF };

struct wanted {
    enum wanted_kind kind;
    const char *name; /* base name, see path_last_part */
    char key[96];     /* folder of its own in a symbol store; "" none */
    struct identity identity;
    bool code;  /* WANTED_ELF: the image itself, not its debug file */
    bool alone; /* nothing else is looked for: a file given is meant for it,
                   whatever its name */
};

struct probe {
    enum find_cause cause;
    char *path;
    char *reason; /* of FIND_BROKEN; else NULL */
};

struct found {
    enum find_cause cause; /* of several, the one that came closest */
    char *name;            /* of the file wanted; NULL: not named */
    char *path;            /* of the file that `cause` is about, or NULL */
    char reason[512];      /* of FIND_BROKEN */
    struct container *container;
    struct debug_file *file; /* NULL unless FIND_OK */
    VEC(struct probe) probes; /* in order */
};

/* FIND_ABSENT, or FIND_NOT_NAMED for NULL. */
struct found found_nothing(const struct wanted *wanted);
/* Closes the file; what was found out stays. */
void found_close(struct found *found);
void found_release(struct found *found);

/* True: this is it, and `found` has it open. */
bool search_file(struct found *found, const struct wanted *wanted,
                 const char *path);
bool search_entry(struct found *found, const struct wanted *wanted,
                  const char *folder, const char *name);
bool search_place(struct found *found, const struct wanted *wanted,
                  const char *place);

#endif
