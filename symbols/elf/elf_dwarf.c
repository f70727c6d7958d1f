#include "symbols/elf/elf_dwarf.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* An image with the bytes it was unpacked from, if any. */
struct companion {
    struct elf_image image;
    struct companion *next;
};

static struct bytes dwarf_section(void *context, const char *name)
{
    struct elf_image *image = context;

    return elf_bytes(image, elf_find(image, name));
}

static bool same_build_id(struct elf_image *image, struct bytes wanted)
{
    struct bytes id = elf_build_id(image);

    return id.len == wanted.len && !memcmp(id.data, wanted.data, id.len);
}

/* dwz's files for DWARF 5 have no build-id but a checksum in .debug_sup:
 * u16 version 5, u8 1, an empty name, ULEB128 size, the bytes. */
static bool same_checksum(struct elf_image *image, struct bytes wanted)
{
    struct bytes sup = elf_bytes(image, elf_find(image, ".debug_sup"));
    struct reader r = reader_of(image->name, sup.data, sup.len, 0, NULL);

    if (reader_u16(&r) != 5 || reader_u8(&r) != 1)
        return false;
    (void)reader_cstr(&r);
    return reader_uleb(&r) == wanted.len && reader_left(&r) >= wanted.len &&
           !memcmp(reader_bytes(&r, wanted.len).data, wanted.data, wanted.len);
}

/* The packed bytes of .debug_line; 0: it is not packed. */
static uint64_t stored_line(struct elf_image *image)
{
    const struct elf_section *s = elf_find(image, ".debug_line");

    return s && elf_is_packed(s) ? s->file_size : 0;
}

static struct dwarf_source source_of(struct elf_image *image)
{
    return (struct dwarf_source){
        .name = image->name,
        .context = image,
        .section = dwarf_section,
        .big_endian = image->big_endian,
        .stored_line = stored_line(image),
    };
}

static bool is_wanted(struct elf_image *image,
                      const struct dwarf_companion *wanted)
{
    struct dwarf_source source = source_of(image);

    if (wanted->kind != DWARF_ALTERNATE)
        return dwarf_has_split_unit(&source, wanted->split_id);
    return wanted->build_id.len && (same_build_id(image, wanted->build_id) ||
                                    same_checksum(image, wanted->build_id));
}

/* Sections come from the image, companions from the finder. */
static struct bytes own_section(void *context, const char *name)
{
    struct elf_dwarf *d = context;

    return dwarf_section(d->image, name);
}

static bool find_companion(void *context, const struct dwarf_companion *wanted,
                           struct dwarf_source *found)
{
    struct elf_dwarf *d = context;
    struct companion *c;
    const uint8_t *data;
    size_t size;

    if (!d->finder.find ||
        !d->finder.find(d->finder.context, wanted, &data, &size))
        return false;
    c = mem_new(1, sizeof(*c));
    c->next = d->companions;
    d->companions = c;
    if (!elf_probe(data, size) ||
        elf_image_open(&c->image, d->image->name, data, size, NULL) ||
        !is_wanted(&c->image, wanted))
        return false;
    *found = source_of(&c->image);
    return true;
}

/* A file without any DWARF of the kind is no other build's, but damaged. */
static enum elf_companion judge(struct elf_image *image,
                                const struct dwarf_companion *wanted)
{
    const char *info =
        wanted->kind == DWARF_ALTERNATE ? ".debug_info" : ".debug_info.dwo";

    if (is_wanted(image, wanted))
        return COMPANION_SAME;
    return elf_bytes(image, elf_find(image, info)).len ? COMPANION_FOREIGN
                                                       : COMPANION_BROKEN;
}

enum elf_companion elf_companion_of(const struct dwarf_companion *wanted,
                                    const uint8_t *data, size_t size)
{
    struct elf_image image = {.name = ""};
    enum elf_companion is = COMPANION_BROKEN;

    if (elf_probe(data, size) &&
        !elf_image_open(&image, "companion", data, size, NULL))
        is = judge(&image, wanted);
    elf_image_close(&image);
    return is;
}

struct dwarf *elf_dwarf_open(struct elf_dwarf *d, struct elf_image *image)
{
    struct dwarf_source source = {
        .name = image->name,
        .context = d,
        .section = own_section,
        .companion = find_companion,
        .big_endian = image->big_endian,
        .stored_line = stored_line(image),
    };

    if (d->image)
        return d->dwarf;
    d->image = image;
    d->dwarf = dwarf_open(&source, NULL);
    return d->dwarf;
}

const char *elf_dwarf_flaw(const struct elf_dwarf *d)
{
    const struct companion *c = d->companions;

    while (c && !c->image.flaw.code)
        c = c->next;
    if (c)
        return c->image.flaw.message;
    return d->dwarf ? dwarf_flaw(d->dwarf) : NULL;
}

void elf_dwarf_release(struct elf_dwarf *d)
{
    struct companion *next;

    dwarf_close(d->dwarf);
    for (struct companion *c = d->companions; c; c = next) {
        next = c->next;
        elf_image_close(&c->image);
        free(c);
    }
}
