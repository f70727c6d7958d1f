/*
 * find_elf - the ELF files that can name addresses of an image.
 *
 *     struct elf_sought s = {.name = "libc.so.6", .identity = &id,
 *                            .path = "/usr/lib/libc.so.6",
 *                            .places = &places};
 *     struct found image = find_elf_image(&s);
 *     s.image = image.file;
 *     struct found debug = find_elf_debug(&s);
 *
 * The image, by build-id: NAME in the places, the path that the trace
 * gives, the executable below .build-id of every place and of
 * /usr/lib/debug, and in caches of debuginfod clients.
 *
 * If the trace tells no build-id, by name: NAME in the places that a person
 * named, or the image's path below them; the path that the trace gives, if the
 * file there is the one that was mapped, as far as the trace tells, and nobody
 * changed it since; NAME in other places, if nobody changed it since.
 *
 * When it has no DWARF, its debug file: by build-id below .build-id, in the
 * caches, in symbol stores (_.debug/elf-buildid-sym-HEX/_.debug), as
 * NAME.debug, NAME.dbg and NAME in the places; then the file that
 * .gnu_debuglink of the image names, beside the image, in .debug there, in
 * the places and below /usr/lib/debug: by build-id, or without one by its
 * checksum; then from servers (online.h), by build-id.
 */
#ifndef TOPFN_FIND_ELF_H
#define TOPFN_FIND_ELF_H

#include "symbols/find/search.h"

struct elf_sought {
    const struct identity *identity;
    const char *name;         /* of the image, no path */
    const char *path;         /* of the image, on the traced machine or here */
    /* Without a build-id: */
    struct file_stamp stamp;
    bool elsewhere;      /* another machine recorded */
    int64_t recorded_ns; /* when that ended, since 1970; 0 unknown */
    struct debug_file *image; /* once it is open; or NULL */
    const struct places *places;
};

/* False: the module is no ELF image, or addresses in it lead nowhere. `name`
 * is for free(). */
bool elf_sought_of(const struct profile *p, uint32_t module,
                   const struct places *places, struct elf_sought *sought,
                   char **name);

struct found find_elf_image(const struct elf_sought *s);
struct found find_elf_debug(const struct elf_sought *s);
/* Asks servers for the image that find_elf_image did not find. */
void ask_elf_image(struct found *found, const struct elf_sought *s);

#endif
