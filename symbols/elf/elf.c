#include "symbols/elf/elf.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "engine/model/profile.h"
#include "symbols/elf/elf_dwarf.h"
#include "symbols/elf/go_table.h"
#include "symbols/elf/image.h"
#include "symbols/elf/inflate.h"
#include "symbols/elf/symtab.h"

/* The sections that a Go program has in memory. */
static struct go_program go_program_of(struct elf_image *image)
{
    struct go_program p = {.swapped = image->big_endian};

    for (size_t i = 0; i < image->sections.len; i++) {
        struct elf_section *s = &image->sections.data[i];
        enum go_section_kind kind = GO_CONSTANTS;

        if (!(s->flags & SHF_ALLOC) || s->type == SHT_NOBITS)
            continue;
        if (s->flags & SHF_EXECINSTR)
            kind = GO_CODE;
        else if (s->type == SHT_RELA)
            kind = GO_RELOCATIONS;
        else if (s->type == SHT_PROGBITS && s->flags & SHF_WRITE)
            kind = GO_DATA;
        *vec_add(&p.sections) =
            (struct go_section){s->address, elf_bytes(image, s), kind};
    }
    return p;
}

/* The table of functions of a Go program (go_table.h). The linker of C puts
 * that of a program that can lie anywhere among other data. */
bool go_image_table(struct elf_image *image, struct go_table *table)
{
    struct elf_section *s = elf_find(image, ".gopclntab");
    struct elf_section *constants = elf_find(image, ".rodata");
    const struct elf_section *text = elf_find(image, ".text");
    struct elf_section *others = elf_find(image, ".data.rel.ro");
    struct go_program program = {.swapped = false};
    unsigned tries = 0;
    bool found;

    if (!s)
        s = elf_find(image, ".data.rel.ro.gopclntab");
    if (!s && !others)
        return false;
    program = go_program_of(image);
    if (s) {
        found = go_table_open(table, elf_bytes(image, s), program.swapped);
        /* Go's own linker begins with its code; others have code of C
         * before. */
        if (found && !go_table_place(table, s->address, &program) &&
            !table->text && text)
            table->text = text->address;
    } else {
        found = go_table_find(table,
                              &(struct go_section){others->address,
                                                   elf_bytes(image, others),
                                                   GO_DATA},
                              &program, &tries);
    }
    vec_release(&program.sections);
    if (s && found && table->version == GO_1_16 && constants) {
        table->inlined = elf_bytes(image, constants);
        table->trees = constants->address;
    }
    return found;
}

struct elf {
    const struct debug_file *file; /* that this is the state of */
    struct elf_image image;
    struct elf_image mini; /* .gnu_debugdata, unpacked */
    struct bytes mini_bytes;
    struct symtab symtab;
    bool symtab_ready;
    struct go_table go;
    bool go_sought, has_go;
    struct elf_dwarf dwarf;
};

static void read_identity(struct debug_file *file, struct elf_image *image)
{
    struct bytes id = elf_build_id(image);

    if (id.len > sizeof(file->identity.build_id))
        id.len = sizeof(file->identity.build_id);
    if (!id.len) {
        code_id_take_go(&file->identity, elf_go_build_id(image));
        return;
    }
    memcpy(file->identity.build_id, id.data, id.len);
    file->identity.build_id_size = (uint8_t)id.len;
}

static void close_elf(struct debug_file *file)
{
    struct elf *elf = file->state;

    if (!elf)
        return;
    elf_dwarf_release(&elf->dwarf);
    symtab_release(&elf->symtab);
    elf_image_close(&elf->mini);
    inflate_free(elf->mini_bytes);
    elf_image_close(&elf->image);
    free(elf);
    file->state = NULL;
}

static enum debug_machine machine_of(const struct elf_image *image)
{
    if (image->big_endian)
        return DEBUG_NO_MACHINE;
    switch (image->machine) {
    case EM_386:
        return DEBUG_X86;
    case EM_X86_64:
        return DEBUG_X64;
    case EM_AARCH64:
        return DEBUG_ARM64;
    }
    return DEBUG_NO_MACHINE;
}

static enum err_code open_elf(struct debug_file *file, struct err *err)
{
    struct elf *elf = mem_new(1, sizeof(*elf));
    enum err_code code;

    elf->file = file;
    file->state = elf;
    code = elf_image_open(&elf->image, file->name, file->data, file->size, err);
    if (code) {
        close_elf(file);
        return code;
    }
    read_identity(file, &elf->image);
    file->machine = machine_of(&elf->image);
    return ERR_NONE;
}

/* Functions that are not exported, packed away by the distribution. */
static void add_mini(struct elf *elf)
{
    struct elf_section *s = elf_find(&elf->image, ".gnu_debugdata");
    struct bytes packed = elf_bytes(&elf->image, s);
    struct err err = {0};

    if (!packed.len)
        return;
    elf->mini_bytes = inflate_xz(packed.data, packed.len, &err);
    if (!err.code &&
        (!elf_probe(elf->mini_bytes.data, elf->mini_bytes.len) ||
         elf_image_open(&elf->mini, elf->image.name, elf->mini_bytes.data,
                        elf->mini_bytes.len, NULL)))
        err_set(&err, ERR_CORRUPT, "does not unpack to an ELF file");
    if (err.code)
        elf_note_flaw(&elf->image, s->name, &err);
    else
        symtab_add_image(&elf->symtab, &elf->mini);
}

static struct symtab *symtab_of(struct elf *elf)
{
    if (elf->symtab_ready)
        return &elf->symtab;
    elf->symtab_ready = true;
    symtab_add_image(&elf->symtab, &elf->image);
    add_mini(elf);
    symtab_add_plt(&elf->symtab, &elf->image);
    symtab_sort(&elf->symtab);
    return &elf->symtab;
}

/* NULL: it is no program of Go. */
static struct go_table *go_table_of(struct elf *elf)
{
    if (!elf->go_sought)
        elf->has_go = go_image_table(&elf->image, &elf->go);
    elf->go_sought = true;
    return elf->has_go ? &elf->go : NULL;
}

static struct dwarf *dwarf_of(struct elf *elf)
{
    return elf_dwarf_open(&elf->dwarf, &elf->image);
}

static bool is_decorated(const char *name)
{
    return name[0] == '_' &&
           (name[1] == 'Z' || name[1] == 'R' ||
            (name[1] == 'D' && name[2] >= '0' && name[2] <= '9'));
}

/* "getaddrinfo" rather than "__GI_getaddrinfo", but not "work.part.0". */
static bool is_friendlier(const char *alias, const char *name)
{
    return !is_decorated(name) && !strchr(alias, '.') &&
           (strspn(alias, "_") < strspn(name, "_") ||
            !strncmp(name, "__GI_", 5));
}

/* A physical function that DWARF only has a plain name for may have its full
 * name in the symbol table, and a better one of several. */
static void better_name(struct elf *elf, uint64_t address,
                        struct debug_frame *frame, bool plain)
{
    const struct symbol *s;

    if (frame->function && !plain &&
        (frame->function[0] != '_' || is_decorated(frame->function)))
        return;
    s = symtab_find(symtab_of(elf), address);
    if (s && (!frame->function || (plain && is_decorated(s->name)) ||
              is_friendlier(s->name, frame->function)))
        frame->function = s->name;
}

static size_t frames_of(struct debug_file *file, uint64_t rva,
                        struct debug_frame *frames, size_t max)
{
    struct elf *elf = file->state;
    struct dwarf *dwarf = dwarf_of(elf);
    uint64_t address = elf->image.base + rva;
    bool plain = true;
    size_t n = 0;

    if (!max || address < rva)
        return 0;
    if (dwarf)
        n = dwarf_frames(dwarf, address, frames, max, &plain);
    if (!n && go_table_of(elf))
        n = go_table_frames(go_table_of(elf), address, frames, max);
    if (!n)
        frames[n++] = (struct debug_frame){0};
    if (!frames[n - 1].inlined)
        better_name(elf, address, &frames[n - 1], plain);
    if (n > 1 && !frames[n - 1].function)
        frames[n - 1].function =
            "(unnamed)"; /* calls inlined into it are not */
    return frames[0].function || frames[0].file ? n : 0;
}

static bool range_of(struct debug_file *file, uint64_t rva,
                     struct debug_range *range)
{
    struct elf *elf = file->state;
    uint64_t base = elf->image.base;
    const struct symbol *s = symtab_find(symtab_of(elf), base + rva);

    if (!s && go_table_of(elf) &&
        go_table_range(go_table_of(elf), base + rva, range) &&
        range->start >= base) {
        range->start -= base;
        range->end -= base;
        return true;
    }
    if (!s || s->start < base)
        return false;
    *range = (struct debug_range){s->start - base, s->end - base};
    return true;
}

static struct bytes code_of(struct debug_file *file, uint64_t rva)
{
    struct elf *elf = file->state;

    return elf_code_at(&elf->image, elf->image.base + rva);
}

uint64_t elf_base(const struct debug_file *file)
{
    const struct elf *elf = file->state;

    return elf->image.base;
}

/* Debug files have misleading offsets: the image itself is asked. A kernel and
 * its drivers lie elsewhere each time: their addresses count from their
 * beginning, and as linked they would lie far behind that. */
static bool rva_of(const struct debug_file *file, uint64_t address,
                   bool by_file_offset, uint64_t *rva)
{
    const struct elf *elf = file->state;

    if (by_file_offset && !elf_address_of(&elf->image, address, &address))
        return false;
    if (address < elf->image.base &&
        (elf_is_kernel(&elf->image) || elf->image.type == ET_REL)) {
        *rva = address;
        return true;
    }
    *rva = address - elf->image.base;
    return by_file_offset || address >= elf->image.base;
}

bool elf_has_dwarf(struct debug_file *file)
{
    return dwarf_of(file->state) != NULL;
}

bool elf_has_symbols(struct debug_file *file)
{
    struct elf *elf = file->state;

    return elf_bytes(&elf->image, elf_find(&elf->image, ".symtab")).len > 0;
}

/* NUL-terminated name, padding to 4, CRC-32. */
const char *elf_debug_link(const struct debug_file *file, uint32_t *crc)
{
    struct elf *elf = file->state;
    struct bytes link =
        elf_bytes(&elf->image, elf_find(&elf->image, ".gnu_debuglink"));
    struct reader r = reader_of(file->name, link.data, link.len, 0, NULL);
    struct bytes name = reader_cstr(&r);

    reader_align(&r, 4);
    *crc = reader_u32(&r);
    if (elf->image.big_endian)
        *crc = __builtin_bswap32(*crc);
    if (r.failed || !name.len || memchr(name.data, '/', name.len))
        return NULL;
    return (const char *)name.data;
}

static void set_finder(struct debug_file *file, const struct elf_finder *finder)
{
    struct elf *elf = file->state;

    elf->dwarf.finder = *finder;
}

/* ---- what it is, as a debug file ---- */

/* Recorders of Go programs tell either of two build-ids. */
static bool has_go_build_id(struct debug_file *file,
                            const struct identity *wanted)
{
    struct elf *elf = file->state;
    struct identity go = {.build_id_size = 0};

    return code_id_take_go(&go, elf_go_build_id(&elf->image)) &&
           identity_same_build(&go, wanted);
}

/* The build ID decides if both have one. */
static bool is_same(struct debug_file *file, const struct wanted *wanted)
{
    const struct identity *a = &file->identity, *b = &wanted->identity;

    if (a->build_id_size && b->build_id_size)
        return identity_same_build(a, b) || has_go_build_id(file, b);
    if (wanted->by_name)
        return true;
    return wanted->has_crc; /* which the caller compares */
}

static enum debug_names names_of(struct debug_file *file)
{
    return elf_has_symbols(file) || elf_has_dwarf(file) ||
                   go_table_of(file->state)
               ? NAMES_ALL
               : NAMES_EXPORTS;
}

static bool matches(struct debug_file *file, const struct wanted *wanted,
                    const char **objection)
{
    const struct elf *elf = file->state;

    if ((wanted->kind != WANTED_ELF && wanted->kind != WANTED_ELF_NAMES &&
         wanted->kind != WANTED_ELF_DWARF) ||
        !is_same(file, wanted))
        return false;
    if (wanted->kind == WANTED_ELF && !elf_holds_code(&elf->image))
        *objection = "has no code";
    if (wanted->kind == WANTED_ELF_DWARF && !elf_has_dwarf(file))
        *objection = "has no lines";
    if (wanted->kind == WANTED_ELF_NAMES && names_of(file) != NAMES_ALL)
        *objection = "names no more than its exports";
    return true;
}

/* The flaw of the file, or of those that it refers to. */
static const char *flaw_of(const struct debug_file *file)
{
    const struct elf *elf = file->state;

    if (elf->image.flaw.code)
        return elf->image.flaw.message;
    if (elf->go.steps.cut)
        return GO_TABLE_CUT;
    return elf_dwarf_flaw(&elf->dwarf);
}

const struct debug_kind elf_debug_kind = {
    .name = "elf",
    .probe = elf_probe,
    .open = open_elf,
    .frames = frames_of,
    .close = close_elf,
    .range = range_of,
    .code = code_of,
    .image = IMAGE_ELF,
    .matches = matches,
    .names = names_of,
    .rva = rva_of,
    .flaw = flaw_of,
    .set_finder = set_finder,
};
