#include "symbols/debug.h"

#include <stdlib.h>

#include "engine/base/mem.h"

static const struct debug_kind *const kinds[] = {
#define KIND(kind) &kind,
    DEBUG_KINDS(KIND)
#undef KIND
        NULL,
};

struct debug_file *debug_open(const char *name, const uint8_t *data,
                              size_t size, struct err *err)
{
    const struct debug_kind *const *kind = kinds;
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

bool debug_matches(struct debug_file *file, const struct wanted *wanted,
                   const char **objection)
{
    *objection = NULL;
    return file->kind->matches && file->kind->matches(file, wanted, objection);
}

enum debug_names debug_names(struct debug_file *file)
{
    return file->kind->names ? file->kind->names(file) : NAMES_ALL;
}

bool debug_rva(const struct debug_file *file, uint64_t address,
               bool by_file_offset, uint64_t *rva)
{
    if (file->kind->rva)
        return file->kind->rva(file, address, by_file_offset, rva);
    *rva = address;
    return true;
}

const char *debug_flaw(const struct debug_file *file)
{
    return file->kind->flaw ? file->kind->flaw(file) : NULL;
}

void debug_close(struct debug_file *file)
{
    if (!file)
        return;
    file->kind->close(file);
    free(file);
}
