/*
 * frame_list - the distinct frames that a format lists once.
 *
 *     struct frame_list list = frame_list_of(subject);
 *     uint32_t id = frame_list_id(&list, location, frame);   // from 0 on
 *     for (uint32_t i = 0; i < frame_list_len(&list); i++)
 *         puts(frame_list_name(&list, i));
 *     frame_list_release(&list);
 *
 * Frames of one text (frame_name.h) are one; ids count up as they are met.
 */
#ifndef TOPFN_FRAME_LIST_H
#define TOPFN_FRAME_LIST_H

#include "report/export/frame_name.h"
#include "report/report.h"

struct frame_list {
    const struct profile *p;
    struct frame_style style;
    struct strings *names;
    VEC(uint32_t) first; /* by id: the frame it was met in */
    uint32_t *ids;       /* by function or frame, + 1; 0: not met */
    struct arena scratch;
};

/* As the options ask for. */
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

/* Where it was first met; NULL: the file is not known. */
const char *frame_list_file(const struct frame_list *list, uint32_t id);

#endif
