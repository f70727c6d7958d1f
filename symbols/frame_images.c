#include "symbols/frame_images.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>

#include "engine/base/path.h"
#include "engine/model/module_twins.h"
#include "symbols/dwarf/call_frames.h"
#include "symbols/elf/image.h"
#include "symbols/find/elf.h"

/* An image and its debug file, with all their tables in order: each file has
 * .eh_frame and .debug_frame. Generated code has no file and one table. */
struct frame_image {
    struct found found, debug;
    struct elf_image elf, debug_elf;
    VEC(struct call_frames *) tables;
    struct call_frames *loaded; /* .eh_frame of the image; or NULL */
    bool by_file_offset;
};

static struct call_frames *open_section(struct elf_image *elf, const char *name,
                                        bool is_debug)
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

static void add_table(struct frame_image *image, struct call_frames *table)
{
    if (table)
        *vec_add(&image->tables) = table;
}

static void open_file(struct frame_image *image, const struct found *found,
                      struct elf_image *elf)
{
    if (!found->file ||
        elf_image_open(elf, found->file->name, found->file->data,
                       found->file->size, NULL))
        return;
    add_table(image, open_section(elf, ".eh_frame", false));
    if (elf == &image->elf && image->tables.len)
        image->loaded = image->tables.data[0];
    add_table(image, open_section(elf, ".debug_frame", true));
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
    c = container_open_file(file->path, NULL);
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
    image->found = find_elf_image(&sought);
    image->debug = found_nothing(NULL);
    open_file(image, &image->found, &image->elf);
    if (image->found.file && !image->loaded) {
        sought.image = image->found.file;
        sought.identity = &sought.image->identity;
        image->debug = find_elf_debug(&sought);
        open_file(image, &image->debug, &image->debug_elf);
    }
    free(name);
    return image;
}

void *frame_image_of_code(struct bytes eh_frame, uint64_t address)
{
    struct frame_image *image = mem_new(1, sizeof(*image));

    image->found = image->debug = found_nothing(NULL);
    add_table(image, call_frames_open(&(struct call_frames_section){
                         .bytes = eh_frame, .address = address, .wide = true}));
    return image;
}

unsigned frame_image_machine(void *opened)
{
    const struct frame_image *image = opened;

    return image->found.file ? image->elf.machine : 0;
}

/* Turns an address of an image into the one it was linked at; one of generated
 * code stays. False: nothing lies there. */
static bool linked_address(const struct frame_image *image, uint64_t *address)
{
    if (!image->found.file)
        return image->tables.len;
    if (image->by_file_offset)
        return elf_address_of(&image->elf, *address, address);
    *address += image->elf.base;
    return true;
}

bool frame_image_find(void *opened, uint64_t address, struct frame_row *row)
{
    const struct frame_image *image = opened;
    bool found = false;

    if (!linked_address(image, &address))
        return false;
    for (size_t i = 0; i < image->tables.len && !found; i++)
        found = call_frames_find(image->tables.data[i], address, row);
    return found;
}

bool frame_image_is_cut(void *opened)
{
    const struct frame_image *image = opened;

    for (size_t i = 0; i < image->tables.len; i++)
        if (call_frames_are_cut(image->tables.data[i]))
            return true;
    return false;
}

/* The same by .eh_frame alone, which a compiler makes that tells where frame
 * pointers are kept. Others (Go's) say it of frames only. */
static bool frame_image_find_loaded(void *opened, uint64_t address,
                                    struct frame_row *row)
{
    const struct frame_image *image = opened;

    return linked_address(image, &address) && image->loaded &&
           call_frames_find(image->loaded, address, row);
}

void frame_image_close(void *opened)
{
    struct frame_image *image = opened;

    if (!image)
        return;
    for (size_t i = 0; i < image->tables.len; i++)
        call_frames_close(image->tables.data[i]);
    vec_release(&image->tables);
    elf_image_close(&image->elf);
    elf_image_close(&image->debug_elf);
    found_release(&image->found);
    found_release(&image->debug);
    free(image);
}

/*
 * Finds which stacks reached their root, by names and by the images
 * that ran.
 *
 * A chain of frame pointers leaves out the caller of every function that has
 * no frame of its own at that instruction: of a leaf, in a prologue, in a
 * library that is compiled without them. The image's call-frame information
 * tells where that is. So such a chain is complete only where it ends at a root
 * and each of its functions is known to have a frame.
 */

/* The call-frame information about a location. */
enum frame_state {
    FRAME_NOT_ASKED,
    FRAME_NOT_KNOWN, /* no image, or nothing about the address */
    FRAME_KEPT,      /* it has a frame that leads to the caller's */
    FRAME_NONE,      /* the frame pointer is its caller's still */
    FRAME_LAST,      /* nobody called it */
};

struct image {
    bool sought, shared; /* with a module of the same identity */
    void *opened;
};

struct judging {
    const struct profile *p;
    const struct places *places;
    struct image *images; /* by module */
    struct module_twins twins;
    uint8_t *states; /* by location: enum frame_state */
};

/* DWARF's numbers of what holds the return address, the stack pointer and the
 * frame pointer. */
static const struct machine {
    uint8_t back, stack, frame;
    bool linked; /* calls leave the return address in a register */
} machines[] = {
    {16, 7, 6, false},  /* x86-64 */
    {8, 4, 5, false},   /* x86 */
    {30, 31, 29, true}, /* arm64 */
};

static enum frame_state state_by_row(const struct frame_row *row)
{
    enum { DW_OP_breg0 = 0x70 };
    const struct machine *m = machines;
    unsigned base = row->base;

    if (row->signal)
        return FRAME_NONE;
    while (m->back != row->return_register)
        if (++m == machines + sizeof(machines) / sizeof(*machines))
            return FRAME_NOT_KNOWN;
    if (row->rules[m->back].kind == RULE_UNDEFINED)
        return FRAME_LAST;
    if (m->linked)
        return row->rules[m->back].kind == RULE_SAVED &&
                       row->rules[m->frame].kind == RULE_SAVED
                   ? FRAME_KEPT
                   : FRAME_NONE;
    if (row->frame.kind == RULE_EXPRESSION)
        base = row->frame.size ? row->frame.expression[0] - DW_OP_breg0 : 0;
    if (base == m->frame)
        return FRAME_KEPT;
    return base == m->stack ? FRAME_NONE : FRAME_NOT_KNOWN;
}

static void *image_of(struct judging *j, uint32_t module)
{
    struct image *image = &j->images[module];
    uint32_t first;

    if (image->sought)
        return image->opened;
    first = module_twins_add(&j->twins, j->p->modules.data, module);
    image->sought = true;
    image->shared = first != module;
    if (first == module)
        image->opened = frame_image_open(j->places, j->p, module);
    else if (first != NO_ID)
        image->opened = j->images[first].opened;
    return image->opened;
}

static enum frame_state state_at(struct judging *j, const struct location *l)
{
    struct frame_row row;
    void *opened;

    if (l->module == NO_ID || l->kind == CODE_KERNEL)
        return FRAME_NOT_KNOWN;
    opened = image_of(j, l->module);
    return opened &&
                   frame_image_find_loaded(opened, l->address - l->caller, &row)
               ? state_by_row(&row)
               : FRAME_NOT_KNOWN;
}

static enum frame_state state_of(struct judging *j, uint32_t location)
{
    uint8_t *state = &j->states[location];

    if (*state == FRAME_NOT_ASKED)
        *state = (uint8_t)state_at(j, &j->p->locations.data[location]);
    return (enum frame_state)j->states[location];
}

/* ---- stacks ---- */

/* States of all frames of a stack but the root frame. The greater of two states
 * holds for both together. */
enum frames_state { ALL_KEPT, SOME_NOT_KNOWN, ONE_MISSING };

/* The kernel walks its own part by better means. */
static enum frames_state frames_state_at(struct judging *j, uint32_t location)
{
    if (j->p->locations.data[location].kind == CODE_KERNEL)
        return ALL_KEPT;
    switch (state_of(j, location)) {
    case FRAME_NONE:
        return ONE_MISSING;
    case FRAME_KEPT:
    case FRAME_LAST:
        return ALL_KEPT;
    default:
        return SOME_NOT_KNOWN;
    }
}

static enum frames_state both(enum frames_state a, enum frames_state b)
{
    return a > b ? a : b;
}

/* By stack, but for its outermost frame: enum frames_state. */
static uint8_t *states_of_stacks(struct judging *j)
{
    const struct profile *p = j->p;
    size_t count = p->stacks.len;
    uint8_t *states = mem_new(count, sizeof(*states));

    for (size_t i = 1; i < p->stacks.len; i++) {
        const struct stack *s = &p->stacks.data[i];

        if (s->parent)
            states[i] = (uint8_t)both((enum frames_state)states[s->parent],
                                      frames_state_at(j, s->location));
    }
    return states;
}

/* `end`: by names. A leaf that is alone and has no frame had a caller. */
static enum stack_end end_of(struct judging *j, const struct stack_root *root,
                             enum frames_state state, enum stack_end end)
{
    bool user = j->p->locations.data[root->location].kind != CODE_KERNEL;
    enum frame_state outermost =
        user ? state_of(j, root->location) : FRAME_NOT_KNOWN;

    if (outermost == FRAME_LAST)
        end = STACK_END_ROOT;
    if (state == ONE_MISSING ||
        (end != STACK_END_ROOT && root->callee == NO_ID &&
         outermost == FRAME_NONE))
        return STACK_END_LEAF_FRAME;
    return state == ALL_KEPT ? end : STACK_END_UNKNOWN;
}

static bool has_unknown(const struct profile *p)
{
    for (size_t i = 0; i < p->samples.len; i++)
        if (stack_end_of(p->samples.flags[i]) == STACK_END_UNKNOWN)
            return true;
    return false;
}

void stack_ends_find(struct profile *p, const struct places *places)
{
    uint8_t *ends;

    if (!has_unknown(p))
        return;
    ends = stack_ends_by_name(p);
    if (p->frame_pointers) {
        struct judging j = {
            .p = p,
            .places = places,
            .images = mem_new(p->modules.len, sizeof(*j.images)),
            .states = mem_new(p->locations.len, sizeof(*j.states)),
        };
        struct stack_root *roots = stack_roots_new(p);
        uint8_t *states = states_of_stacks(&j);

        for (size_t i = 0; i < p->stacks.len; i++)
            if (roots[i].location != NO_ID)
                ends[i] =
                    (uint8_t)end_of(&j, &roots[i], (enum frames_state)states[i],
                                    (enum stack_end)ends[i]);
        for (size_t i = 0; i < p->modules.len; i++)
            if (!j.images[i].shared)
                frame_image_close(j.images[i].opened);
        free(j.images);
        module_twins_release(&j.twins);
        free(j.states);
        free(states);
        free(roots);
    }
    stack_ends_put(p, ends);
    free(ends);
}
