/*
 * symbols - names for the locations of a profile.
 *
 *     struct profile *p = recording_open(...);
 *     symbols_from_containers(p);           // what came with the trace
 *     symbols_resolve(p, &source, threads); // then what the user has
 *     profile_finish(p);
 *
 * A source answers for addresses of images. Images are asked side by side,
 * the locations of each in order of address; then names are given in order of
 * images, so that nothing depends on the number of threads. A module notes
 * whose names it has. What is named already stays.
 */
#ifndef TOPFN_SYMBOLS_H
#define TOPFN_SYMBOLS_H

#include "engine/model/profile.h"
#include "symbols/debug.h"
#include "symbols/names/demangle.h"

/* One address of one image. */
struct symbol_query {
    uint32_t module; /* id in the profile */
    uint64_t rva;
    bool caller; /* a call returns to it: the line is of the byte before */
    bool named;  /* the trace has a name for it, of the function at least */
};

struct inside;

struct symbol_source {
    void *state;
    bool renames; /* asked of native code that the trace has a name for too */
    /* What it has of one module, for `frames` and `close`; by any thread,
     * while others have other modules open. NULL: `state` serves for all. */
    void *(*open)(void *state, uint32_t module);
    /* Fills at most `max` frames, innermost first, and returns their number;
     * 0 when it does not know. Strings live until `close`. */
    size_t (*frames)(void *opened, const struct symbol_query *query,
                     struct debug_frame *frames, size_t max);
    void (*close)(void *opened); /* may be NULL */
    /* Where the names come from, as a string of the profile: "symbols.bin,
     * found inside the container". Asked once for a module that got any. */
    uint32_t (*name)(void *state, struct profile *p, uint32_t module);
    void (*free)(void *state); /* may be NULL */
};

/* Before profile_finish. The source stays the caller's. `threads` as in
 * threads.h. */
void symbols_resolve(struct profile *p, const struct symbol_source *source,
                     unsigned threads);

/* Resolves with the symbols that lie beside the traces in their containers.
 * What is broken is a warning of the profile. A finished profile, which a
 * database gives, stays as it is. */
void symbols_from_containers(struct profile *p, struct inside *inside);

/* Names of native code that came with the trace (saved in a .vsp, in a
 * symbols.bin, read from ELF files by a recorder) as people read them.
 * Before profile_finish. */
void symbols_make_readable(struct profile *p, enum demangle_style style);

/* symbols.bin of a .vspx. Modules are matched by process and base, so the
 * profile must be attributed. False when it cannot be read. The bytes must
 * outlive the source. */
bool symbols_bin_open(struct symbol_source *source, const char *name,
                      const uint8_t *data, size_t size,
                      const struct profile *p, struct err *err);

#endif
