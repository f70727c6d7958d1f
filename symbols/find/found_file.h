/*
 * found_file - a debug file or image that was searched by identity: the files
 * that were probed, and the one that is open.
 *
 *     struct found found = found_nothing(&wanted);
 *     if (found_try(&found, &wanted, "/srv/app.pdb", true))
 *         debug_frames(found.file, rva, ...);
 *     found_release(&found);
 *
 * A file of another identity is never used. If the trace tells no identity, a
 * file of the name may be used, and is marked as not proved. Every probe is
 * kept, for `topfn symbols`. search.h knows where to look.
 */
#ifndef TOPFN_FOUND_FILE_H
#define TOPFN_FOUND_FILE_H

#include "engine/base/out.h"
#include "engine/base/vec.h"
#include "engine/container/container.h"
#include "symbols/debug.h"
#include "symbols/find/places.h"

struct opened {
    struct debug_file *file;
    struct container *container; /* NULL: the bytes are another's */
    uint8_t *unpacked;
    struct companions *companions; /* of ELF */
};

enum find_cause {
    FIND_OK,
    FIND_NOT_NAMED, /* nothing says which file it would be */
    FIND_ABSENT,    /* no file of that name */
    FIND_MISMATCH,  /* there is one, of another build */
    FIND_BROKEN,    /* there is one that cannot be read */
    /* For probes only: */
    FIND_UNUSED,    /* a file of no use; `reason` says why */
    FIND_NOT_ASKED, /* a server */
    FIND_FAILED     /* the server, or what would keep the file */
};

const char *find_cause_text(enum find_cause cause);

/* The note for a file in use that is `unproved`. */
#define BUILD_NOT_PROVED "build not proved: no build ID recorded"

struct probe {
    enum find_cause cause;
    char *path;    /* or the address at a server */
    char *reason;  /* of FIND_BROKEN, why a file was passed, what of one in use
                      could not be (debug_flaw), and what a server said; or
                      NULL */
    bool renamed;  /* of FIND_OK: found by its identity under another name */
    bool unproved; /* of FIND_OK: by its name alone */
};

enum { LOST_KEPT = 100 };

struct found {
    enum find_cause cause; /* of several, the one that came closest */
    char *name;            /* of the file wanted; NULL: not named */
    char *path;            /* of the file that `cause` is about, or NULL */
    char *reason;          /* of FIND_BROKEN and FIND_MISMATCH, or NULL */
    bool unproved;         /* by its name alone (wanted.by_name) */
    bool inside;           /* it came in a container with the trace */
    struct opened opened;
    struct debug_file *file;  /* NULL unless FIND_OK */
    VEC(struct probe) probes; /* in order */
    /* Once it is closed or asked for: files that it refers to
     * (find/companions.h) and that are not at hand, so that inlined calls are
     * missing. */
    VEC(struct probe) lost; /* the first LOST_KEPT */
    size_t lost_count;
    VEC(char *) referred; /* and the paths of those that are in use */
    bool lost_told;
};

/* FIND_ABSENT, or FIND_NOT_NAMED for NULL. */
struct found found_nothing(const struct wanted *wanted);
/* A file that need not be looked for; if it cannot be opened, `file` is NULL
 * and `err` says why. */
struct found found_given(const char *path, const struct places *places,
                         struct err *err);
/* The part of the file in use that could not be unpacked or read, as far as it
 * is known; NULL: nothing. */
const char *found_flaw(const struct found *found);

/* Fills in `lost` and `referred`, once, as far as is known so far. */
void found_tell_lost(struct found *found);
/* "a.dwo (no debug file), b.dwo (broken debug file) and 3 more" */
void found_lost_text(const struct found *found, struct out *text);

/* Closes the file; what was found out stays. */
void found_close(struct found *found);
void found_release(struct found *found);

/* Opens a file. True: this is it, and `found` has it open. `is_meant`: it
 * bears the name, so that another identity is worth telling. */
bool found_try(struct found *found, const struct wanted *wanted,
               const char *path, bool is_meant);
/* The same of a file that has the identity under another name. */
bool found_try_renamed(struct found *found, const struct wanted *wanted,
                       const char *path);
/* The same of an entry that is loaded. */
bool found_try_entry(struct found *found, const struct wanted *wanted,
                     const struct entry *entry);

/* Notes what was looked at without being opened; `reason` may be NULL. */
void found_note(struct found *found, enum find_cause cause, const char *path,
                const char *reason);

/* `path` and the places must live as long. False: nothing is open, as of
 * anything but a regular file. */
bool opened_path(struct opened *o, const char *path,
                 const struct places *places, struct err *err);

/* The same of bytes called `name`, which must live as long. */
bool opened_bytes(struct opened *o, const char *name, const uint8_t *data,
                  size_t size, const struct places *places, struct err *err);

#endif
