/*
 * saved_names - names that a recording holds of the addresses in it.
 *
 *     p->saved = (struct saved_names){state, "saved in the recording", find,
 *                                     release};
 *     ... // the profile is attributed
 *     if (p->saved.find && p->saved.find(p->saved.state, location, returns,
 *                                        &frame)) ...
 *
 * A reader leaves them in the profile; they are asked location by location
 * once samples have locations (symbols/saved/saved_names.c). They may point
 * into the recording, which must be open until they are released.
 */
#ifndef TOPFN_SAVED_NAMES_H
#define TOPFN_SAVED_NAMES_H

#include <stdbool.h>
#include <stdint.h>

/* Strings live until the names are released. */
struct saved_frame {
    const char *function; /* NULL: as its method is called */
    const char *file;     /* NULL unknown */
    uint32_t line;        /* 0 unknown */
};

struct saved_names {
    void *state;
    const char *origin; /* for module.symbols */
    /* NULL: there are none. `returns`: a call returns to the address. */
    bool (*find)(void *state, uint32_t location, bool returns,
                 struct saved_frame *frame);
    void (*release)(void *state);
};

static inline void saved_names_release(struct saved_names *saved)
{
    if (saved->find)
        saved->release(saved->state);
    *saved = (struct saved_names){.state = 0};
}

#endif
