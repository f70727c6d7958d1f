/*
 * hostile - small files that ask for more than they are.
 *
 *     hostile_write("build/hostile", 1 << 20);
 *     struct blob b = {0};
 *     hostile_make("pprof-one-name", 4096, &b);
 *
 * Each is of one kind of cost that somebody could multiply: lists that are
 * gone through for every entry of another, one text that many rows name, deep
 * nesting, counts that no bytes stand behind. `size` is about how many bytes
 * each has.
 */
#ifndef TOPFN_TESTS_HOSTILE_H
#define TOPFN_TESTS_HOSTILE_H

#include <stdbool.h>

#include "tests/support/blob.h"

/* One kind; the name ends as files of its format do: "x.speedscope.json". */
struct hostile_kind {
    const char *name;
    void (*make)(struct blob *b, size_t size);
};

/* Those of formats that are text, of pprof, of recordings, of debug files;
 * each list ends with a name of NULL. */
extern const struct hostile_kind hostile_texts[];
extern const struct hostile_kind hostile_pprof[];
extern const struct hostile_kind hostile_recordings[];
extern const struct hostile_kind hostile_images[];
extern const struct hostile_kind hostile_dwarf[];
extern const struct hostile_kind hostile_pdb[];
extern const struct hostile_kind hostile_events[];

/* The kind of that name; false: there is none. */
bool hostile_make(const char *name, size_t size, struct blob *b);

/* Words of the message that `info` or `resolve` must print for a recording or
 * image of that name; "" if nothing is left out. */
const char *hostile_words(const char *name);

/* Whether it is one of these, with samples or code that can be read. */
bool hostile_is_full(const char *name);

/* All of them, as files in a folder that is there. */
void hostile_write(const char *folder, size_t size);

/* printf at the end. */
void blob_format(struct blob *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
