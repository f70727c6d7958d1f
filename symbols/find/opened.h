/*
 * opened - a debug file with all that it stands on.
 *
 *     struct opened o;
 *     if (opened_path(&o, "app.pd_", &places, &err))
 *         n = debug_frames(o.file, rva, frames, DEBUG_FRAMES_MAX);
 *     opened_close(&o);
 *
 * A file that is packed in a cabinet is unpacked. Files that the DWARF of an
 * ELF file refers to are looked for beside it and in the places.
 */
#ifndef TOPFN_OPENED_H
#define TOPFN_OPENED_H

#include "engine/container/container.h"
#include "symbols/debug.h"
#include "symbols/find/places.h"

struct companions;

struct opened {
    struct debug_file *file;
    struct container *container; /* NULL: the bytes are another's */
    uint8_t *unpacked;
    struct companions *companions; /* of ELF */
};

/* `path` and the places must live as long. False: nothing is open. */
bool opened_path(struct opened *o, const char *path,
                 const struct places *places, struct err *err);
/* The same of bytes called `name`, which must live as long. */
bool opened_bytes(struct opened *o, const char *name, const uint8_t *data,
                  size_t size, const struct places *places, struct err *err);
void opened_close(struct opened *o);

#endif
