#include "engine/model/inlines.h"

bool inlines_any(const struct profile *p)
{
    for (size_t i = 0; i < p->frames.len; i++)
        if (p->frames.data[i].inlined)
            return true;
    return false;
}

/* In place: what is written never overtakes what is read. */
void inlines_fold(struct profile *p)
{
    for (uint32_t i = 0; i < p->locations.len; i++) {
        struct frame outermost =
            p->frames.data[p->frame_start.data[i + 1] - 1];

        outermost.inlined = false;
        p->frames.data[i] = outermost;
        p->frame_start.data[i] = i;
    }
    p->frames.len = p->locations.len;
    p->frame_start.data[p->locations.len] = (uint32_t)p->locations.len;
}
