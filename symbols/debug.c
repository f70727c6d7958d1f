#include "symbols/debug.h"

#include <stdlib.h>

#include "engine/base/mem.h"
#include "symbols/elf/elf.h"
#include "symbols/pe_dwarf.h"
#include "symbols/perf_map.h"

const struct debug_kind *const debug_kinds[] = {
    &elf_debug_kind,
    &pe_dwarf_debug_kind, /* before other kinds of PE: it asks for more */
    &perf_map_debug_kind, /* no magic number: after all that have one */
    NULL,
};

struct debug_file *debug_open(const char *name, const uint8_t *data,
                              size_t size, struct err *err)
{
    const struct debug_kind *const *kind = debug_kinds;
    struct debug_file *file;

    while (*kind && !(*kind)->probe(data, size))
        kind++;
    if (!*kind) {
        err_set(err, ERR_UNSUPPORTED, "%s: not a debug file that we know",
                name);
        return NULL;
    }
    file = mem_new(1, sizeof(*file));
    file->kind = *kind;
    file->name = name;
    file->data = data;
    file->size = size;
    if (file->kind->open(file, err)) {
        free(file);
        return NULL;
    }
    return file;
}

size_t debug_frames(struct debug_file *file, uint64_t rva,
                    struct debug_frame *frames, size_t max)
{
    return file->kind->frames(file, rva, frames, max);
}

void debug_close(struct debug_file *file)
{
    if (!file)
        return;
    file->kind->close(file);
    free(file);
}
