/* The notes that tell one build from another. */
#include <elf.h>
#include <string.h>

#include "symbols/elf/image.h"

static size_t padded(size_t n, size_t align)
{
    return (n + align - 1) & ~(align - 1);
}

/* Notes: u32 name size, u32 descriptor size, u32 type; name and descriptor
 * padded to 4. */
static struct bytes find_note(struct bytes notes, bool big_endian,
                              const char owner[4], uint32_t type)
{
    struct reader r = reader_of("notes", notes.data, notes.len, 0, NULL);

    while (reader_more(&r)) {
        uint32_t head[3];
        struct bytes name, descriptor;

        for (unsigned i = 0; i < 3; i++) {
            head[i] = reader_u32(&r);
            if (big_endian)
                head[i] = __builtin_bswap32(head[i]);
        }
        name = reader_bytes(&r, padded(head[0], 4));
        descriptor = reader_bytes(&r, head[1]);
        reader_align(&r, 4);
        if (!descriptor.len || head[2] != type || head[0] != 4 ||
            memcmp(name.data, owner, 4) != 0)
            continue;
        return descriptor;
    }
    return (struct bytes){0};
}

struct bytes elf_note_build_id(struct bytes notes, bool big_endian)
{
    return find_note(notes, big_endian, "GNU", NT_GNU_BUILD_ID);
}

/* Sections first: the program headers of a debug file may lead astray. */
static struct bytes find_in_notes(struct elf_image *image, const char owner[4],
                                  uint32_t type)
{
    struct bytes found = {0};

    for (size_t i = 0; !found.len && i < image->sections.len; i++) {
        struct elf_section *s = &image->sections.data[i];

        if (s->type == SHT_NOTE)
            found = find_note(elf_bytes(image, s), image->big_endian, owner,
                              type);
    }
    for (size_t i = 0; !found.len && i < image->segments.len; i++) {
        const struct elf_segment *s = &image->segments.data[i];

        if (s->type == PT_NOTE && s->offset <= image->size &&
            s->file_size <= image->size - s->offset)
            found = find_note(
                (struct bytes){image->data + s->offset, (size_t)s->file_size},
                image->big_endian, owner, type);
    }
    return found;
}

struct bytes elf_build_id(struct elf_image *image)
{
    return find_in_notes(image, "GNU", NT_GNU_BUILD_ID);
}

struct bytes elf_go_build_id(struct elf_image *image)
{
    enum { GO_BUILD_ID = 4 };

    return find_in_notes(image, "Go\0", GO_BUILD_ID);
}
