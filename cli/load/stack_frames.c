#include "cli/load/stack_frames.h"

#include <stdlib.h>

#include "cli/load/symbol_places.h"

static void fill_places(struct stack_frames *f, const struct profile *p)
{
    for (size_t i = 0; i < p->trace.files.len; i++)
        places_add_beside(&f->places,
                          strings_get(p->strings, p->trace.files.data[i]));
    symbol_places(&f->places, f->options);
    f->ready = true;
}

static void *open_image(void *state, const struct profile *p, uint32_t module)
{
    struct stack_frames *f = state;

    if (!f->ready)
        fill_places(f, p);
    return frame_image_open(&f->places, p, module);
}

static void *open_code(void *state, struct bytes eh_frame, uint64_t address)
{
    (void)state;
    return frame_image_of_code(eh_frame, address);
}

void stack_frames_init(struct stack_frames *f, const struct options *options)
{
    *f = (struct stack_frames){
        .source = {.state = f,
                   .identify = frame_image_identify,
                   .open = open_image,
                   .open_code = open_code,
                   .machine = frame_image_machine,
                   .find = frame_image_find,
                   .close = frame_image_close},
        .options = options,
        .perf_folder = perf_folder(),
    };
}

void stack_frames_release(struct stack_frames *f)
{
    if (f->ready)
        symbol_places_release(&f->places);
    free(f->perf_folder);
}
