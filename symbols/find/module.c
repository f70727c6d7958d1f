#include "symbols/find/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/path.h"
#include "symbols/elf/elf.h"
#include "symbols/find/elf.h"
#include "symbols/find/online/online.h"
#include "symbols/find/pdb.h"

/* ---- Windows ---- */

/* Go's linker writes a time stamp of 0: name and size have to do then.
 * `has_names`: servers are asked for it only for its code. */
static struct found find_image(const struct identity *id, const char *name,
                               const struct places *places, bool has_names)
{
    struct wanted wanted = {.kind = WANTED_PE,
                            .name = name,
                            .identity = *id,
                            .by_name = !id->timestamp,
                            .places = places};
    struct found found;

    if (!id->image_size)
        return found_nothing(NULL);
    found = found_nothing(&wanted);
    code_id_of_pe(id, wanted.key);
    if (!search_places(&found, &wanted) && !wanted.by_name &&
        !search_identity(&found, &wanted) && (!has_names || places->wants_code))
        online_find(&found, &wanted);
    return found;
}

static bool open_pe(struct module_files *files)
{
    const struct debug_file *file = files->image.file;

    if (file && file->kind->image == IMAGE_PE &&
        !pe_open(&files->pe, file->name, file->data, file->size, NULL))
        return true;
    files->pe.section_count = 0;
    return false;
}

static void find_windows(struct module_files *files, const struct profile *p,
                         const struct module *m, const char *name,
                         const struct places *places)
{
    struct pe_codeview cv;
    bool named = pdb_of_identity(p, &m->identity, &cv);

    if (named)
        files->debug = find_pdb(&cv, NULL, places);
    files->image =
        find_image(&m->identity, name, places, files->debug.file != NULL);
    if (open_pe(files) && !named && pe_codeview(&files->pe, &cv))
        files->debug = find_pdb(&cv, files->image.path, places);
}

/* ---- ELF ---- */

static void find_debug(struct module_files *files, struct elf_sought *s)
{
    s->image = files->image.file;
    if (!s->image || !elf_has_dwarf(s->image))
        files->debug = find_elf_debug(s);
}

static void find_elf(struct module_files *files, const struct module *m,
                     struct elf_sought *s)
{
    files->image = find_elf_image(s);
    /* Nothing but the image tells its build. */
    if (files->image.unproved)
        s->identity = &files->image.file->identity;
    find_debug(files, s);
    /* Offsets in a file can be told only by the image itself. */
    if (!files->image.file &&
        (m->by_file_offset || !files->debug.file || s->places->wants_code))
        ask_elf_image(&files->image, s);
}

/* ---- either ---- */

/* Exports name little: an image without more still lacks its debug file. */
static bool has_all_names(const struct found *found)
{
    return found->file && debug_names(found->file) == NAMES_ALL;
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

static void conclude(struct module_files *files)
{
    struct debug_file *debug = files->debug.file;

    files->uses_debug = debug && debug_names(debug) != NAMES_NONE;
    files->is_complete =
        has_all_names(&files->debug) || has_all_names(&files->image);
    files->cause = cause_of(files);
}

static struct module_files no_files(void)
{
    return (struct module_files){.debug = found_nothing(NULL),
                                 .image = found_nothing(NULL)};
}

struct module_files find_module(const struct profile *p, uint32_t module,
                                const struct places *places)
{
    const struct module *m = &p->modules.data[module];
    struct module_files files = no_files();
    struct elf_sought sought;
    const char *text = strings_get(p->strings, m->name);
    char *name = NULL;

    files.by_file_offset = m->by_file_offset;
    if (elf_sought_of(p, module, places, &sought, &name)) {
        find_elf(&files, m, &sought);
    } else {
        name = path_last_part(text, strlen(text));
        if (name)
            find_windows(&files, p, m, name, places);
    }
    free(name);
    conclude(&files);
    return files;
}

bool find_for_image(struct module_files *files, const char *path,
                    const struct places *places, struct err *err)
{
    struct pe_codeview cv;

    *files = no_files();
    files->image = found_given(path, places, err);
    if (!files->image.file)
        return false;
    if (open_pe(files))
        files->debug =
            find_pdb(pe_codeview(&files->pe, &cv) ? &cv : NULL, path, places);
    else if (files->image.file->kind->image == IMAGE_ELF) {
        char *name = path_last_part(path, strlen(path));
        struct elf_sought s = {.identity = &files->image.file->identity,
                               .name = name,
                               .path = path,
                               .places = places};

        if (name)
            find_debug(files, &s);
        free(name);
    }
    conclude(files);
    return true;
}

void module_files_close(struct module_files *files)
{
    found_close(&files->debug);
    found_close(&files->image);
}

void module_files_release(struct module_files *files)
{
    found_release(&files->debug);
    found_release(&files->image);
}

const struct found *module_file_used(const struct module_files *files)
{
    if (files->uses_debug)
        return &files->debug;
    return files->image.cause == FIND_OK ? &files->image : NULL;
}

const char *module_flaw(const struct module_files *files)
{
    const char *flaw = found_flaw(&files->debug);

    return flaw ? flaw : found_flaw(&files->image);
}

/* Debug files have misleading offsets: the image itself is asked first. */
bool module_rva(const struct module_files *files, uint64_t address,
                uint64_t *rva)
{
    const struct debug_file *file =
        files->image.file ? files->image.file : files->debug.file;

    return file && debug_rva(file, address, files->by_file_offset, rva);
}

/* Tells whether the name may reach as far as the address: the image knows where
 * a function ends that the debug file has only a beginning of. */
static bool may_reach(const struct module_files *files,
                      const struct debug_frame *frame, uint64_t rva)
{
    return !frame->nearest || !files->pe.section_count ||
           pe_may_reach(&files->pe, (uint32_t)frame->nearest, (uint32_t)rva);
}

/* A line that is known already stays. */
static size_t image_frames(struct debug_file *image, uint64_t rva,
                           struct debug_frame *frames, size_t known, size_t max)
{
    struct debug_frame line = frames[0];
    size_t n = debug_frames(image, rva, frames, max);

    if (known && n <= 1) {
        if (n)
            line.function = frames[0].function;
        frames[0] = line;
        n = 1;
    }
    return n;
}

/* A PDB knows better than the image's exports where nothing is. An ELF image
 * has what its debug file has not: the stubs that call other files. */
size_t module_frames_at(const struct module_files *files, uint64_t rva,
                        struct debug_frame *frames, size_t max)
{
    const struct found *used = module_file_used(files);
    size_t n = used ? debug_frames(used->file, rva, frames, max) : 0;

    if (n && !may_reach(files, &frames[0], rva)) {
        frames[0].function = NULL;
        frames[0].nearest = 0;
        n = frames[0].file != NULL;
    }
    if ((!n || !frames[0].function) && used == &files->debug &&
        files->image.file && used->file->kind->image == IMAGE_ELF)
        n = image_frames(files->image.file, rva, frames, n, max);
    return n;
}

static bool has_range(struct debug_file *file, uint64_t rva,
                      struct debug_range *range)
{
    return file && debug_range(file, rva, range);
}

/* A function whose end the debug file does not know ends where the image says.
 */
bool module_range(const struct module_files *files, uint64_t rva,
                  struct debug_range *range)
{
    struct debug_file *debug = files->debug.file, *image = files->image.file;
    struct debug_frame frame = {.nearest = 0};

    if (debug && debug_frames(debug, rva, &frame, 1) && frame.nearest &&
        has_range(image, rva, range))
        return true;
    return has_range(debug, rva, range) || has_range(image, rva, range);
}
