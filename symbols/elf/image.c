#include "symbols/elf/image.h"

#include <elf.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>

#include "engine/base/mem.h"
#include "symbols/elf/inflate.h"

/* The notes that tell one build from another. */

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
        name = reader_bytes(&r, ((size_t)head[0] + 3) & ~(size_t)3);
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
            found =
                find_note(elf_bytes(image, s), image->big_endian, owner, type);
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

enum { PAGE = 4096 };

/* The addresses where kernels begin, by their width. */
#define KERNEL_64 0x8000000000000000u
#define KERNEL_32 0xC0000000u

/* Files have dozens of sections, with -ffunction-sections thousands. */
enum { MOST_SECTIONS = 1 << 20 };

bool elf_probe(const uint8_t *data, size_t size)
{
    return size >= EI_NIDENT && !memcmp(data, ELFMAG, SELFMAG);
}

bool elf_is_inside(const struct elf_image *image, uint64_t at, uint64_t n)
{
    return at <= image->size && n <= image->size - at;
}

static enum err_code cut_off(const struct elf_image *image, struct err *err)
{
    return err_set(err, ERR_TRUNCATED, "%s: the ELF file is truncated",
                   image->name);
}

static enum err_code read_header(struct elf_image *image, struct err *err)
{
    GElf_Ehdr header;

    elf_version(EV_CURRENT);
    /* libelf wants a pointer to change; for reading it changes nothing. */
    image->elf = elf_memory((char *)image->data, image->size);
    /* The library has no public number for it, and names nothing else so. */
    if (!image->elf && strstr(elf_errmsg(-1), "memory"))
        mem_exhausted(0);
    if (!image->elf || elf_kind(image->elf) != ELF_K_ELF ||
        !gelf_getehdr(image->elf, &header))
        return err_set(err, ERR_CORRUPT, "%s: the ELF header is damaged",
                       image->name);
    image->type = header.e_type;
    image->machine = header.e_machine;
    image->wide = header.e_ident[EI_CLASS] == ELFCLASS64;
    image->big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
    if (header.e_shoff &&
        !elf_is_inside(image, header.e_shoff,
                       (uint64_t)header.e_shnum * header.e_shentsize))
        return cut_off(image, err);
    return ERR_NONE;
}

bool elf_is_kernel(const struct elf_image *image)
{
    return image->base >= (image->wide ? KERNEL_64 : KERNEL_32);
}

/* The base is the address of the first segment. A kernel may have others before
 * it, which are not in its half of memory. */
static void take_base(struct elf_image *image, bool first, uint64_t address)
{
    uint64_t base = image->base;

    image->base = address & ~(uint64_t)(PAGE - 1);
    if (!first && (image->type != ET_EXEC || !elf_is_kernel(image)))
        image->base = base;
}

static void read_segments(struct elf_image *image)
{
    size_t n = 0;
    bool first = true;
    GElf_Phdr h;

    if (elf_getphdrnum(image->elf, &n) || n > image->size)
        return;
    for (size_t i = 0; i < n && gelf_getphdr(image->elf, (int)i, &h); i++) {
        *vec_add(&image->segments) = (struct elf_segment){
            h.p_type, h.p_flags, h.p_offset, h.p_vaddr, h.p_filesz,
        };
        if (h.p_type != PT_LOAD || (!first && elf_is_kernel(image)))
            continue;
        take_base(image, first, h.p_vaddr);
        first = false;
    }
}

static void add_section(struct elf_image *image, const GElf_Shdr *h,
                        const char *name)
{
    struct elf_section *s = vec_add(&image->sections);

    *s = (struct elf_section){
        .name = name ? name : "",
        .type = h->sh_type,
        .link = h->sh_link,
        .info = h->sh_info,
        .flags = h->sh_flags,
        .address = h->sh_addr,
        .offset = h->sh_offset,
        .file_size = h->sh_size,
        .entry_size = h->sh_entsize,
    };
    s->old_packed = !strncmp(s->name, ".zdebug_", 8);
}

/* Section 0 is kept, so that indices are those of the file. */
static void read_sections(struct elf_image *image)
{
    size_t names = 0, n = 0;
    GElf_Shdr h;

    if (elf_getshdrnum(image->elf, &n) || elf_getshdrstrndx(image->elf, &names))
        return;
    for (size_t i = 0; i < n && i < MOST_SECTIONS; i++) {
        Elf_Scn *scn = elf_getscn(image->elf, i);

        if (!scn || !gelf_getshdr(scn, &h))
            break;
        add_section(image, &h, elf_strptr(image->elf, names, h.sh_name));
    }
}

/* All sections of a relocatable file begin at 0. Each gets addresses of its
 * own. Addresses that are asked for count from `.text`, with which the kernel
 * lets a driver begin. Nothing is at 0, where dropped code is. */
static void place_sections(struct elf_image *image)
{
    enum { APART = 32 }; /* bits */

    for (size_t i = 1; i < image->sections.len; i++) {
        struct elf_section *s = &image->sections.data[i];

        if (!(s->flags & SHF_ALLOC))
            continue;
        s->address = (uint64_t)i << APART;
        if (!strcmp(s->name, ".text") && !image->base)
            image->base = s->address;
    }
}

/* The last section of a debug file mostly ends where the file does, but for
 * their table; nothing is taken from one that is cut off. */
static bool has_all_sections(const struct elf_image *image)
{
    for (size_t i = 0; i < image->sections.len; i++) {
        const struct elf_section *s = &image->sections.data[i];

        if (s->type != SHT_NOBITS && s->type != SHT_NULL &&
            !elf_is_inside(image, s->offset, s->file_size))
            return false;
    }
    return true;
}

enum err_code elf_image_open(struct elf_image *image, const char *name,
                             const uint8_t *data, size_t size, struct err *err)
{
    enum err_code code;

    *image = (struct elf_image){.name = name, .data = data, .size = size};
    code = read_header(image, err);
    if (code)
        return code;
    read_segments(image);
    read_sections(image);
    if (image->type == ET_REL && image->wide)
        place_sections(image);
    if (has_all_sections(image))
        return ERR_NONE;
    elf_image_close(image);
    return cut_off(image, err);
}

void elf_image_close(struct elf_image *image)
{
    for (size_t i = 0; i < image->sections.len; i++)
        if (image->sections.data[i].owned)
            inflate_free(image->sections.data[i].bytes);
    vec_release(&image->sections);
    vec_release(&image->segments);
    if (image->elf)
        elf_end(image->elf);
    image->elf = NULL;
}

struct elf_section *elf_find(struct elf_image *image, const char *name)
{
    for (size_t i = 0; i < image->sections.len; i++) {
        struct elf_section *s = &image->sections.data[i];

        if (!strcmp(s->name, name) ||
            (s->old_packed && !strncmp(name, ".debug_", 7) &&
             !strcmp(s->name + 8, name + 7)))
            return s;
    }
    return NULL;
}

bool elf_address_of(const struct elf_image *image, uint64_t offset,
                    uint64_t *address)
{
    bool found = false;

    for (size_t i = 0; i < image->segments.len; i++) {
        const struct elf_segment *s = &image->segments.data[i];

        if (s->type != PT_LOAD || offset < s->offset ||
            offset - s->offset >= s->file_size || (found && !(s->flags & PF_X)))
            continue;
        *address = offset - s->offset + s->address;
        found = true;
        if (s->flags & PF_X)
            break;
    }
    return found;
}

static bool is_code(const struct elf_section *s)
{
    return s->type == SHT_PROGBITS && s->flags & SHF_EXECINSTR;
}

static struct bytes from(struct bytes all, uint64_t skip)
{
    if (skip >= all.len)
        return (struct bytes){0};
    return (struct bytes){all.data + skip, all.len - (size_t)skip};
}

/* Without sections, which an image does not need to run, by segment: a debug
 * file always has them, and segments that are not where they say. */
static struct bytes segment_code(const struct elf_image *image,
                                 uint64_t address)
{
    for (size_t i = 0; i < image->segments.len; i++) {
        const struct elf_segment *s = &image->segments.data[i];

        if (s->type != PT_LOAD || !(s->flags & PF_X) || address < s->address ||
            address - s->address >= s->file_size || s->offset > image->size ||
            s->file_size > image->size - s->offset)
            continue;
        return from(
            (struct bytes){image->data + s->offset, (size_t)s->file_size},
            address - s->address);
    }
    return (struct bytes){0};
}

struct bytes elf_code_at(const struct elf_image *image, uint64_t address)
{
    if (!image->sections.len)
        return segment_code(image, address);
    for (size_t i = 0; i < image->sections.len; i++) {
        const struct elf_section *s = &image->sections.data[i];

        if (is_code(s) && address >= s->address &&
            address - s->address < s->file_size)
            return from(elf_stored_bytes(image, s), address - s->address);
    }
    return (struct bytes){0};
}

bool elf_holds_code(const struct elf_image *image)
{
    for (size_t i = 0; i < image->sections.len; i++)
        if (is_code(&image->sections.data[i]))
            return true;
    return !image->sections.len;
}
