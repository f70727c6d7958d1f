/*
 * frames - the functions that locations turn out to be.
 *
 *     profile_set_frames(p, location, frames, n);   // symbols name it
 *     profile_finish(p);                            // the rest is made up
 *
 * Sources of names report what they found (symbols/name_source.h); these
 * functions alone write it into the profile, before profile_finish.
 */
#ifndef TOPFN_FRAMES_H
#define TOPFN_FRAMES_H

#include "engine/model/code.h"

struct profile;

/* Frames of location L: frames[frame_start[L] .. frame_start[L + 1]),
 * innermost first. */
struct frame {
    uint32_t function;
    uint32_t file; /* string, "" unknown */
    uint32_t line; /* 0 unknown */
    bool inlined;  /* into the next frame of the location */
};

struct function {
    uint32_t name;    /* "" for unnamed code: see profile_function_name */
    uint32_t module;  /* string: module that a report shows beside it */
    uint64_t address; /* RVA, or virtual address without module: of unnamed
                         code, what it is; of other code, the lowest at which
                         it begins, 0 not known */
    uint8_t kind;     /* enum code_kind */
    uint8_t cause;    /* enum name_cause of unnamed code */
};

/* given[start .. start + count); none where count is 0 */
struct given_frames {
    uint32_t start, count;
};

/* Names that a recording holds of the addresses in it. A reader leaves them in
 * the profile; symbols/saved/saved_names.c asks for them location by location
 * once samples have locations. They may point into the recording, which must
 * be open until they are released. Strings live as long. */
struct saved_frame {
    const char *function; /* NULL: as its method is called */
    const char *file;     /* NULL unknown */
    uint32_t line;        /* 0 unknown */
};

struct saved_names {
    void *state;
    const char *origin; /* for module.symbols */
    /* NULL: there are none. `returns`: a call returns to the address. */
    bool (*find)(void *state, uint32_t location, bool returns,
                 struct saved_frame *frame);
    void (*release)(void *state);
};

static inline void saved_names_release(struct saved_names *saved)
{
    if (saved->find)
        saved->release(saved->state);
    *saved = (struct saved_names){.state = 0};
}

uint32_t profile_function(struct profile *p, const struct function *function);

/* Names a location: `n` frames (at least one), innermost first. The first
 * who names a location is right. Before profile_finish only. */
void profile_set_frames(struct profile *p, uint32_t location,
                        const struct frame *frames, size_t n);
bool profile_has_frames(const struct profile *p, uint32_t location);

/* Those frames, until the next location is named; NULL and 0: none. */
const struct frame *profile_given(const struct profile *p, uint32_t location,
                                  uint32_t *n);

/* The same for a location that has none: those of another one, if any. */
void profile_share_frames(struct profile *p, uint32_t location, uint32_t other);

/* The source line of a location that keeps its method's name. */
void profile_set_line(struct profile *p, uint32_t location, uint32_t file,
                      uint32_t line);

/* The managed module of that name ("System.Linq"), added if there is none. */
uint32_t profile_managed_module(struct profile *p, const char *text);

/* A location of which only the address was known, or the image, lies in a
 * method. */
void profile_set_method(struct profile *p, uint32_t location, uint32_t method);

void profile_set_kind(struct profile *p, uint32_t location,
                      enum code_kind kind);

/* Another spelling of the name that a method has. */
void profile_set_method_name(struct profile *p, uint32_t method,
                             const char *full_name);

/* Gives each function of the frames set so far the name that `rename` returns
 * for its own. Functions that get the same name become one. */
void profile_rename_functions(struct profile *p,
                              uint32_t (*rename)(void *context, uint32_t name),
                              void *context);

/* An address where a named function's code begins; the lowest of several
 * stays, and 0 says nothing. */
void profile_set_start(struct profile *p, uint32_t function, uint64_t start);

/* Why a location has no name, once its debug file was looked for. A cause
 * that was known before and says more stays. */
void profile_set_cause(struct profile *p, uint32_t location,
                       enum name_cause cause);

/* The origin of the names of a module's code. The first to name it stays. */
void profile_set_symbols(struct profile *p, uint32_t module,
                         const char *origin);

/* Gives every location frames: methods by their full name, the rest unnamed
 * (cause stated). Call when everything is in; a finished profile stays as it
 * is. */
void profile_finish(struct profile *p);

/* The other way: locations without a name, and those that have only the name
 * of their method, may be named again, then profile_finish once more. A
 * profile that is not finished stays as it is. */
void profile_reopen(struct profile *p);

/* ---- inlined calls ---- */

/* True if any location has an inlined frame. */
bool inlines_any(const struct profile *p);

/* Leaves every location of a finished profile its outermost frame only. */
void inlines_fold(struct profile *p);

/* The same for the locations that are marked. */
void inlines_fold_some(struct profile *p, const bool *folds);

/* ---- code without names ---- */

/* A finished profile has a function for every address that nobody named, so
 * a module with a quarter of the samples is spread over hundreds of rows of
 * one sample each. Folded, all such code of a module is one function,
 * NAME_NO_SYMBOLS in that module, and memory that belongs to no module is
 * NAME_UNKNOWN. Locations stay what they are: a ranking by address still tells
 * them apart, and so do the causes that a selection counts. */
#define NAME_NO_SYMBOLS "[no symbols]"
#define NAME_UNKNOWN    "[unknown]"

/* Changes functions and frames, in place. Names of modules are compared
 * without regard to ASCII case. A second call changes nothing. */
void unnamed_fold(struct profile *p);

#endif
