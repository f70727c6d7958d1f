/*
 * hostile - small files that ask for more than they are: tests/hostile.txt says
 * how each is made, and the notes that stand there.
 *
 *     hostile_write("build/hostile", 1 << 20);
 *     struct blob b = {0};
 *     hostile_make("one-name.pprof", 4096, &b);
 */
#ifndef TOPFN_TESTS_HOSTILE_H
#define TOPFN_TESTS_HOSTILE_H

#include "tests/support/recipe.h"

/* Name `i` of the list, or NULL behind the last one. */
const char *hostile_name(size_t i);

/* The file of that name, of about `size` bytes; false: there is none. */
bool hostile_make(const char *name, size_t size, struct blob *b);

/* Note `i` of a file that begins with this word, without it; or NULL. */
const char *hostile_note(const char *name, const char *word, size_t i);

/* Whether it is one of these, with samples or code that can be read. */
bool hostile_is_full(const char *name);

/* All of them, as files in a folder that is there. */
void hostile_write(const char *folder, size_t size);

#endif
