#include "symbols/find_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/elf/elf.h"
#include "symbols/find_pdb.h"
#include "symbols/folder.h"
#include "symbols/kinds.h"
#include "symbols/pe_dwarf.h"

static struct bytes bytes_of(const char *text)
{
    return (struct bytes){(const uint8_t *)text, strlen(text)};
}

static bool is_known(const uint8_t *guid)
{
    for (size_t i = 0; i < 16; i++)
        if (guid[i])
            return true;
    return false;
}

/* ---- Windows ---- */

static bool pdb_named(const struct profile *p, const struct identity *id,
                      struct pe_codeview *cv)
{
    if (!id->pdb_name || !is_known(id->guid))
        return false;
    *cv = (struct pe_codeview){
        .age = id->age,
        .path = bytes_of(strings_get(p->strings, id->pdb_name)),
    };
    memcpy(cv->guid, id->guid, sizeof(cv->guid));
    return true;
}

static struct found find_image(const struct identity *id, const char *name,
                               const struct places *places)
{
    struct wanted wanted = {
        .kind = WANTED_PE, .name = name, .identity = *id};
    struct found found;

    if (!id->timestamp || !id->image_size)
        return found_nothing(NULL);
    found = found_nothing(&wanted);
    snprintf(wanted.key, sizeof(wanted.key), "%08X%x", id->timestamp,
             id->image_size);
    for (size_t i = 0; i < places->paths.len; i++)
        if (search_place(&found, &wanted, places->paths.data[i]))
            break;
    return found;
}

static bool open_pe(struct module_files *files)
{
    const struct debug_file *file = files->image.file;

    return file && !pe_open(&files->pe, file->name, file->data, file->size,
                            NULL);
}

static void find_windows(struct module_files *files, const struct profile *p,
                         const struct identity *id, const char *name,
                         const struct places *places)
{
    struct pe_codeview cv;
    bool named = pdb_named(p, id, &cv);

    if (named)
        files->debug = find_pdb(&cv, NULL, places);
    files->image = find_image(id, name, places);
    if (!open_pe(files)) {
        files->pe.section_count = 0;
        return;
    }
    if (!named && pe_codeview(&files->pe, &cv))
        files->debug = find_pdb(&cv, files->image.path, places);
}

/* ---- ELF ---- */

static void build_id_text(const struct identity *id, char text[65])
{
    for (size_t i = 0; i < id->build_id_size; i++)
        snprintf(text + 2 * i, 3, "%02x", id->build_id[i]);
}

/* PLACE/.build-id/xx/yyyy.debug */
static bool search_tree(struct found *found, const struct wanted *wanted,
                        const char *place)
{
    char hex[65] = "", tail[96], *path;
    bool done = false;

    if (wanted->identity.build_id_size < 2)
        return false;
    build_id_text(&wanted->identity, hex);
    snprintf(tail, sizeof(tail), ".build-id/%.2s/%s.debug", hex, hex + 2);
    path = path_join(place, tail);
    if (path_is_file(path))
        done = search_file(found, wanted, path);
    free(path);
    return done;
}

static bool search_trees(struct found *found, const struct wanted *wanted,
                         const struct places *places)
{
    for (size_t i = 0; i < places->paths.len; i++)
        if (search_tree(found, wanted, places->paths.data[i]))
            return true;
    return search_tree(found, wanted, "/usr/lib/debug");
}

static bool search_names(struct found *found, const struct wanted *wanted,
                         const struct places *places)
{
    size_t n = strlen(wanted->name) + sizeof(".debug");
    char *debug = mem_new(n, 1);
    bool done = false;

    snprintf(debug, n, "%s.debug", wanted->name);
    for (size_t i = 0; i < places->paths.len && !done; i++)
        done = (path_is_folder(places->paths.data[i]) &&
                search_entry(found, wanted, places->paths.data[i], debug)) ||
               search_place(found, wanted, places->paths.data[i]);
    free(debug);
    return done;
}

/* The path is the trace's word: it must name one place and not wander. */
static bool is_plain_path(const char *path)
{
    return *path == '/' && !strstr(path, "/../");
}

static struct found find_elf(const struct identity *id, const char *name,
                             const char *path, const struct places *places,
                             bool code)
{
    struct wanted wanted = {
        .kind = WANTED_ELF, .name = name, .identity = *id, .code = code};
    struct found found = found_nothing(&wanted);
    char hex[65] = "";

    build_id_text(id, hex);
    snprintf(wanted.key, sizeof(wanted.key), "elf-buildid-%s", hex);
    if (!search_trees(&found, &wanted, places) &&
        !search_names(&found, &wanted, places) && is_plain_path(path))
        search_file(&found, &wanted, path);
    return found;
}

/* ---- either ---- */

/* Exports name little: an image without more still lacks its debug file. */
static bool has_all_names(struct debug_file *file)
{
    if (!file || file->kind == &portable_kind)
        return false;
    return file->kind != &elf_debug_kind || elf_has_symbols(file) ||
           elf_has_dwarf(file);
}

/* An image of Windows that needs no debug file. */
static bool has_dwarf(const struct debug_file *image)
{
    return image && image->kind == &pe_dwarf_debug_kind;
}

static enum name_cause cause_of(const struct module_files *files)
{
    const struct found *debug = &files->debug, *image = &files->image;

    if (files->is_complete)
        return CAUSE_OUTSIDE;
    if (debug->cause == FIND_BROKEN || image->cause == FIND_BROKEN)
        return CAUSE_BROKEN;
    if (debug->cause == FIND_MISMATCH || image->cause == FIND_MISMATCH)
        return CAUSE_MISMATCH;
    return CAUSE_NO_SYMBOLS;
}

struct module_files find_module(const struct profile *p, uint32_t module,
                                const struct places *places)
{
    const struct module *m = &p->modules.data[module];
    const char *path = strings_get(p->strings, m->path);
    struct module_files files = {.by_file_offset = m->by_file_offset};
    char *name = path_last_part(bytes_of(strings_get(p->strings, m->name)));

    files.debug = found_nothing(NULL);
    files.image = found_nothing(NULL);
    files.code = found_nothing(NULL);
    if (name && m->identity.build_id_size)
        files.debug = find_elf(&m->identity, name, path, places, false);
    else if (name)
        find_windows(&files, p, &m->identity, name, places);
    free(name);
    files.is_complete = has_all_names(files.debug.file) ||
                        has_dwarf(files.image.file);
    files.cause = cause_of(&files);
    return files;
}

void module_files_close(struct module_files *files)
{
    found_close(&files->debug);
    found_close(&files->image);
    found_close(&files->code);
}

void module_files_release(struct module_files *files)
{
    found_release(&files->debug);
    found_release(&files->image);
    found_release(&files->code);
}

const struct debug_file *module_file_used(const struct module_files *files)
{
    const struct debug_file *file = files->debug.file;

    return file && file->kind != &portable_kind ? file : files->image.file;
}

static bool to_rva(const struct module_files *files,
                   const struct debug_file *file, uint64_t address,
                   uint64_t *rva)
{
    if (file->kind != &elf_debug_kind) {
        *rva = address;
        return true;
    }
    if (files->by_file_offset)
        return elf_offset_to_rva(file, address, rva);
    *rva = address - elf_base(file);
    return address >= elf_base(file);
}

/* Debug files have file offsets that mislead: the image is asked first. */
bool module_rva(const struct module_files *files, uint64_t address,
                uint64_t *rva)
{
    const struct debug_file *image = files->code.file;

    if (!image)
        image = module_file_used(files);
    return image && to_rva(files, image, address, rva);
}

static struct debug_file *file_asked(const struct module_files *files)
{
    const struct debug_file *used = module_file_used(files);

    return used == files->debug.file ? files->debug.file : files->image.file;
}

size_t module_frames_at(const struct module_files *files, uint64_t rva,
                        struct debug_frame *frames, size_t max)
{
    struct debug_file *file = file_asked(files);
    size_t n = file ? debug_frames(file, rva, frames, max) : 0;

    /* The image knows where a function ends that the debug file has only a
     * beginning of. */
    if (n && frames[0].nearest && files->pe.section_count &&
        !pe_may_reach(&files->pe, (uint32_t)frames[0].nearest, (uint32_t)rva))
        return 0;
    return n;
}

size_t module_frames(const struct module_files *files, uint64_t address,
                     struct debug_frame *frames, size_t max)
{
    uint64_t rva;

    if (!module_rva(files, address, &rva))
        return 0;
    return module_frames_at(files, rva, frames, max);
}

static bool has_range(struct debug_file *file, uint64_t rva,
                      struct debug_range *range)
{
    return file && debug_range(file, rva, range);
}

/* What the debug file has only a beginning of ends where the image says. */
bool module_range(const struct module_files *files, uint64_t rva,
                  struct debug_range *range)
{
    struct debug_file *debug = files->debug.file;
    struct debug_frame frame = {.nearest = 0};

    if (debug && debug_frames(debug, rva, &frame, 1) && frame.nearest &&
        has_range(files->image.file, rva, range))
        return true;
    return has_range(debug, rva, range) ||
           has_range(files->image.file, rva, range) ||
           has_range(files->code.file, rva, range);
}

static struct debug_file *with_code(struct debug_file *file)
{
    return file && file->kind == &elf_debug_kind && elf_has_code(file) ? file
                                                                       : NULL;
}

struct debug_file *module_code(struct module_files *files,
                               const struct profile *p, uint32_t module,
                               const struct places *places)
{
    const struct module *m = &p->modules.data[module];
    char *name;

    if (files->image.file)
        return files->image.file;
    if (with_code(files->debug.file))
        return files->debug.file;
    name = path_last_part(bytes_of(strings_get(p->strings, m->name)));
    if (name && m->identity.build_id_size)
        files->code = find_elf(&m->identity, name,
                               strings_get(p->strings, m->path), places,
                               true);
    free(name);
    return files->code.file;
}
