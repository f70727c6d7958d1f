/*
 * frame_name - what a frame is called where names alone are written.
 *
 *     struct frame_style style = {.module = true, .marks = true};
 *     puts(frame_name(p, location, frame, &style, &arena));
 *                                        // "ntoskrnl.exe!KiPageFault_[k]"
 *
 * For folded stacks, flame graphs and other tools' profiles, which know a
 * function by its text: no two functions have the same. Unnamed code goes by
 * its module, once it is folded (model/frames.h): "clr.dll [no symbols]".
 */
#ifndef TOPFN_FRAME_NAME_H
#define TOPFN_FRAME_NAME_H

#include "engine/base/arena.h"
#include "engine/model/profile.h"

struct frame_style {
    bool recorded; /* functions by their recorded names, not by labels */
    bool module;   /* "app.exe!Run" */
    bool lines;    /* "Run:orders.c:12" */
    bool marks;    /* code of the kernel is "_[k]", generated "_[j]", inlined
                      "_[i]": as FlameGraph and inferno colour it */
};

/* Whether all frames of a function are called the same. */
bool frame_style_by_function(const struct frame_style *style);

/* The arena's or the profile's. `frame` is one of the location's. */
const char *frame_name(const struct profile *p, uint32_t location,
                       uint32_t frame, const struct frame_style *style,
                       struct arena *arena);

/* The function alone: "Run", "clr.dll [no symbols]". */
const char *frame_function(const struct profile *p, uint32_t function,
                           bool recorded, struct arena *arena);

/* Whether it is folded code without names. */
bool frame_function_is_unnamed(const struct profile *p, uint32_t function);

/* "main (3645)", "thread (3645)" for one without a name. */
const char *thread_title(const struct profile *p, uint32_t thread,
                         struct arena *arena);

#endif
