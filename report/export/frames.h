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
#ifndef TOPFN_REPORT_FRAMES_H
#define TOPFN_REPORT_FRAMES_H

#include "engine/analysis/filter.h"
#include "engine/base/arena.h"
#include "engine/model/profile.h"
#include "report/report.h"

struct frame_style {
    bool recorded; /* functions by their recorded names, not by labels */
    bool module;   /* "app.exe!Run" */
    bool lines;    /* "Run:orders.c:12" */
    bool marks;    /* code of the kernel is "_[k]", generated "_[j]", inlined
                      "_[i]": as FlameGraph and inferno colour it */
};

/* True if all frames of a function are called the same. */
bool frame_style_by_function(const struct frame_style *style);

/* The arena's or the profile's. `frame` is one of the location's. */
const char *frame_name(const struct profile *p, uint32_t location,
                       uint32_t frame, const struct frame_style *style,
                       struct arena *arena);

/* The function alone: "Run", "clr.dll [no symbols]". */
const char *frame_function(const struct profile *p, uint32_t function,
                           bool recorded, struct arena *arena);

/* True if it is folded code without names. */
bool frame_function_is_unnamed(const struct profile *p, uint32_t function);

/* "main (3645)", "thread (3645)" for one without a name. */
const char *thread_title(const struct profile *p, uint32_t thread,
                         struct arena *arena);

/*
 * frame_list - the distinct frames that a format lists once.
 *
 *     struct frame_list list = frame_list_of(subject);
 *     uint32_t id = frame_list_id(&list, location, frame);   // from 0 on
 *     for (uint32_t i = 0; i < frame_list_len(&list); i++)
 *         puts(frame_list_name(&list, i));
 *     frame_list_release(&list);
 *
 * Frames of one text are one; ids count up as they are met.
 */

struct frame_list {
    const struct profile *p;
    struct frame_style style;
    struct strings *names;
    VEC(uint32_t) first; /* by id: the frame it was met in */
    uint32_t *ids;       /* by function or frame, + 1; 0: not met */
    struct arena scratch;
};

/* Makes the list that the options ask for. */
struct frame_list frame_list_of(const struct subject *subject);
void frame_list_release(struct frame_list *list);

uint32_t frame_list_id(struct frame_list *list, uint32_t location,
                       uint32_t frame);

static inline uint32_t frame_list_len(const struct frame_list *list)
{
    return (uint32_t)list->first.len;
}

static inline const char *frame_list_name(const struct frame_list *list,
                                          uint32_t id)
{
    return strings_get(list->names, id + 1);
}

/* The file of the first frame with this name; NULL: not known. */
const char *frame_list_file(const struct frame_list *list, uint32_t id);

/*
 * thread_samples - the selected samples, thread after thread.
 *
 *     struct thread_samples t = thread_samples_new(p, sel);
 *     for (size_t i = t.start[thread]; i < t.start[thread + 1]; i++)
 *         use(p->samples.time[t.order[i]]);
 *     thread_samples_release(&t);
 *
 * For what is a list of samples, not of counted stacks (filter.h, owned_stacks). Those
 * of a thread are in order of time.
 */

/* Rows of the samples of thread T: order[start[T]] .. order[start[T + 1]]. */
struct thread_samples {
    size_t *start;
    size_t *order;
};

struct thread_samples thread_samples_new(const struct profile *p,
                                         const struct selection *sel);
void thread_samples_release(struct thread_samples *samples);

/* The time that a sample stands for, in nanoseconds: its weight if that is a
 * time, else the interval; 0 if unknown. */
uint64_t sample_nanoseconds(const struct profile *p, uint64_t weight);

/* "orders.exe (3644) main (3645)" */
const char *thread_full_title(const struct profile *p, uint32_t thread,
                              struct arena *arena);

#endif
