#include "symbols/frame_images.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>

#include "symbols/dwarf/call_frames.h"
#include "symbols/elf/image.h"
#include "symbols/find/elf.h"
#include "symbols/find/folder.h"

/* One image: its own tables, then those of its debug file. */
struct frames_file {
    struct found found;
    struct elf_image elf;
    struct call_frames *frames, *debug_frames;
};

struct frame_image {
    struct frames_file image, debug;
    struct call_frames *code; /* of generated code, which has no file */
    bool by_file_offset;
};

static struct call_frames *open_section(struct elf_image *elf,
                                        const char *name, bool is_debug)
{
    struct elf_section *section = elf_find(elf, name);
    struct call_frames_section s = {
        .bytes = elf_bytes(elf, section),
        .address = section ? section->address : 0,
        .is_debug = is_debug,
        .wide = elf->wide,
    };

    /* Numbers are read in our byte order. */
    return s.bytes.len && !elf->big_endian ? call_frames_open(&s) : NULL;
}

static void open_file(struct frames_file *f)
{
    if (!f->found.file ||
        elf_image_open(&f->elf, f->found.file->name, f->found.file->data,
                       f->found.file->size, NULL))
        return;
    f->frames = open_section(&f->elf, ".eh_frame", false);
    f->debug_frames = open_section(&f->elf, ".debug_frame", true);
}

static void close_file(struct frames_file *f)
{
    call_frames_close(f->frames);
    call_frames_close(f->debug_frames);
    elf_image_close(&f->elf);
    found_release(&f->found);
}

/* False: there is none, or a longer one than any. */
static bool take_build_id(struct bytes id, struct identity *identity)
{
    if (id.len > sizeof(identity->build_id))
        id.len = 0;
    if (id.len)
        memcpy(identity->build_id, id.data, id.len);
    identity->build_id_size = (uint8_t)id.len;
    return id.len;
}

static bool read_build_id(const struct entry *e, struct identity *identity)
{
    struct elf_image elf;
    struct bytes id = {0};
    bool done;

    if (!elf_probe(e->data, e->size))
        return false;
    if (!elf_image_open(&elf, e->name, e->data, e->size, NULL))
        id = elf_build_id(&elf);
    done = take_build_id(id, identity);
    elf_image_close(&elf);
    return done;
}

/* The kernel that runs here, if it is called so. */
static bool identify_kernel(const char *name, struct identity *identity)
{
    uint8_t notes[8192];
    struct utsname here;
    struct bytes id = {notes, 0};
    FILE *file;

    if (uname(&here) ||
        strncmp(name, here.sysname, strlen(here.sysname)) != 0 ||
        name[strlen(here.sysname)] != ' ' ||
        strcmp(name + strlen(here.sysname) + 1, here.release) != 0)
        return false;
    file = fopen("/sys/kernel/notes", "rb");
    if (!file)
        return false;
    id.len = fread(notes, 1, sizeof(notes), file);
    fclose(file);
    return take_build_id(elf_note_build_id(id, false), identity);
}

bool frame_image_identify(const struct mapped_file *file,
                          struct identity *identity)
{
    struct container *c = NULL;
    struct stat st;
    bool done;

    if (file->kernel)
        return identify_kernel(file->kernel, identity);
    if (!path_is_plain(file->path) || stat(file->path, &st) ||
        !S_ISREG(st.st_mode) || st.st_ino != file->inode ||
        major(st.st_dev) != file->major || minor(st.st_dev) != file->minor)
        return false;
    c = container_open(file->path, NULL);
    done = c && c->count == 1 && !container_load(c, 0, NULL) &&
           read_build_id(&c->entries[0], identity);
    container_close(c);
    return done;
}

void *frame_image_open(const struct places *places, const struct profile *p,
                       uint32_t module)
{
    struct elf_sought sought;
    struct frame_image *image;
    char *name = NULL;

    if (!elf_sought_of(p, module, places, &sought, &name))
        return NULL;
    image = mem_new(1, sizeof(*image));
    image->by_file_offset = p->modules.data[module].by_file_offset;
    image->image.found = find_elf_image(&sought);
    image->debug.found = found_nothing(NULL);
    open_file(&image->image);
    if (image->image.found.file && !image->image.frames) {
        sought.image = image->image.found.file;
        sought.identity = &sought.image->identity;
        image->debug.found = find_elf_debug(&sought);
        open_file(&image->debug);
    }
    free(name);
    return image;
}

void *frame_image_of_code(struct bytes eh_frame, uint64_t address)
{
    struct frame_image *image = mem_new(1, sizeof(*image));

    image->code = call_frames_open(&(struct call_frames_section){
        .bytes = eh_frame, .address = address, .wide = true});
    return image;
}

unsigned frame_image_machine(void *opened)
{
    const struct frame_image *image = opened;

    return image->image.found.file ? image->image.elf.machine : 0;
}

static bool find_in(const struct frames_file *f, uint64_t address,
                    struct frame_row *row)
{
    return (f->frames && call_frames_find(f->frames, address, row)) ||
           (f->debug_frames &&
            call_frames_find(f->debug_frames, address, row));
}

/* The address as linked. False: there is none. */
static bool linked_address(const struct frame_image *image, uint64_t *address)
{
    if (!image->image.found.file)
        return false;
    if (image->by_file_offset)
        return elf_address_of(&image->image.elf, *address, address);
    *address += image->image.elf.base;
    return true;
}

bool frame_image_find(void *opened, uint64_t address, struct frame_row *row)
{
    const struct frame_image *image = opened;

    if (image->code)
        return call_frames_find(image->code, address, row);
    return linked_address(image, &address) &&
           (find_in(&image->image, address, row) ||
            find_in(&image->debug, address, row));
}

bool frame_image_find_loaded(void *opened, uint64_t address,
                             struct frame_row *row)
{
    const struct frame_image *image = opened;

    return linked_address(image, &address) && image->image.frames &&
           call_frames_find(image->image.frames, address, row);
}

void frame_image_close(void *opened)
{
    struct frame_image *image = opened;

    if (!image)
        return;
    close_file(&image->image);
    close_file(&image->debug);
    call_frames_close(image->code);
    free(image);
}
