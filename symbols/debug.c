#include "symbols/debug.h"

#include <stdlib.h>

#include "engine/base/mem.h"
#include "symbols/elf/elf.h"
#include "symbols/generated/perf_map.h"
#include "symbols/kinds.h"

/* What only looks like a kind stands behind what surely is one. */
static const struct debug_kind *const debug_kinds[] = {
    &pdb_kind,      &portable_kind,
    &pe_dwarf_kind, /* before pe_kind, which takes every PE */
    &r2r_kind,      /* likewise */
    &pe_kind,       &elf_debug_kind,
    &jitdump_kind,  &perf_map_debug_kind, /* text without a magic number */
    NULL,
};

struct debug_file *debug_open(const char *name, const uint8_t *data,
                              size_t size, struct err *err)
{
    const struct debug_kind *const *kind = debug_kinds;
    struct debug_file *file;
    struct err own = {0};

    err = err ? err : &own;
    while (*kind && !(*kind)->probe(data, size))
        kind++;
    if (!*kind) {
        err_set(err, ERR_UNSUPPORTED, "%s: not a debug file or image of a "
                "known kind", name);
        return NULL;
    }
    file = mem_new(1, sizeof(*file));
    *file = (struct debug_file){
        .kind = *kind, .name = name, .data = data, .size = size};
    if (!file->kind->open(file, err))
        return file;
    debug_close(file);
    return NULL;
}

size_t debug_frames(struct debug_file *file, uint64_t rva,
                    struct debug_frame *frames, size_t max)
{
    return file->kind->frames(file, rva, frames, max);
}

bool debug_range(struct debug_file *file, uint64_t rva,
                 struct debug_range *range)
{
    return file->kind->range && file->kind->range(file, rva, range) &&
           rva >= range->start && rva < range->end;
}

struct bytes debug_code(struct debug_file *file, uint64_t rva)
{
    return file->kind->code ? file->kind->code(file, rva)
                            : (struct bytes){NULL, 0};
}

void debug_close(struct debug_file *file)
{
    if (!file)
        return;
    file->kind->close(file);
    free(file);
}
