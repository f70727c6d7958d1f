/*
 * compiled - a small program as the compiler at hand makes it.
 *
 *     if (compiled_prepare() && compiled_build("one", "-g -gdwarf-4"))
 *         look_at(compiled_path("one"));
 *     compiled_remove();
 *
 * The program has `hash_block`, line 12 of which has `mix_twice` inlined into
 * it and `mix` into that.
 */
#ifndef TOPFN_TESTS_COMPILED_H
#define TOPFN_TESTS_COMPILED_H

#include <stdbool.h>

/* Makes the folder that all of it is in. */
bool compiled_prepare(void);
void compiled_remove(void);
const char *compiled_folder(void);

/* Of a file in the folder; valid until the next call. */
const char *compiled_path(const char *name);

/* False when there is no compiler, or not with these options. */
bool compiled_build(const char *name, const char *options);

/* Makes a section of what was built a packed one, whose first bytes claim to
 * be 4 GiB; false when it has no such section or nothing in it. */
bool compiled_claim(const char *name, const char *section);

/* A command of the shell, in the folder; false when it fails. */
bool compiled_run(const char *command);

#endif
