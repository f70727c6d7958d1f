/*
 * profile_builder - a profile made by hand, in ten lines.
 *
 *     struct builder *b = builder_new("app.etl");
 *     uint32_t t = builder_thread(b, 3644, "app.exe", 3708);
 *     builder_samples(b, t, 3, "app.exe!main;app.exe!work");
 *     builder_samples(b, t, 1, "app.exe!main;ntdll.dll!+0x1a2b");
 *     struct profile *p = builder_finish(b);
 *     ...
 *     profile_free(p);
 *
 * A stack is written outermost first, `;` between locations. A location is
 *
 *     module!name          native code with a name
 *     module!+0x1a2b       native code without
 *     [jit]!name           a method outside of any image
 *     [kernel]module!name  kernel code
 *     0x7ff812             no image
 *
 * with `@file:line` after it where wanted. Inlined functions stand before
 * the one they are inlined into, `<` between: `a!inner@x.h:3<a!outer@x.c:9`.
 * Equal text is one location; addresses count up.
 */
#ifndef TOPFN_PROFILE_BUILDER_H
#define TOPFN_PROFILE_BUILDER_H

#include "engine/model/profile.h"

struct builder;

/* "cpu-samples" every millisecond on 8 CPUs, of an "etl". */
struct builder *builder_new(const char *file);

/* The process is made with its first thread. The thread's id. */
uint32_t builder_thread(struct builder *b, uint32_t pid, const char *process,
                        uint32_t tid);

/* `count` samples, a millisecond apart, with a full and
 * complete stack. */
void builder_samples(struct builder *b, uint32_t thread, unsigned count,
                     const char *stack);

/* One sample with these sample_flags and the end of its stack. */
void builder_sample(struct builder *b, uint32_t thread, uint32_t flags,
                    const char *stack);

/* The profile as it stands, to add to by hand. */
struct profile *builder_profile(struct builder *b);

/* Gives every location its frames and frees the builder. */
struct profile *builder_finish(struct builder *b);

#endif
