/*
 * stack_frames - images for walking the stacks of a recording, from where a
 * person says that symbols are.
 *
 *     struct stack_frames frames;
 *     stack_frames_init(&frames, options);
 *     read_options.frames = &frames.source;
 *     read_options.perf_folder = frames.perf_folder;
 *     ...
 *     stack_frames_release(&frames);
 *
 * Nothing is looked for before a reader asks. It must not be moved.
 */
#ifndef TOPFN_STACK_FRAMES_H
#define TOPFN_STACK_FRAMES_H

#include "cli/options/options.h"
#include "symbols/frame_images.h"

struct stack_frames {
    struct frame_rules_source source;
    const struct options *options;
    struct places places;
    bool ready; /* the places are filled */
    char *perf_folder; /* for read_options, which has jitdumps; or NULL */
};

void stack_frames_init(struct stack_frames *f, const struct options *options);
void stack_frames_release(struct stack_frames *f);

#endif
