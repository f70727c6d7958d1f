/*
 * The string table "/names": u32 0xEFFEEFFE, u32 hash version, u32 bytes,
 * then the strings, each ended by a NUL; others refer to them by offset. It
 * can be large and scattered, so only what is asked for is read.
 */
#include <string.h>

#include "symbols/pdb/pdb.h"

enum { HEADER = 12, NAME_MAX_BYTES = 4096 };

uint32_t pdb_intern(struct pdb *pdb, struct bytes name)
{
    return strings_add(pdb->strings, (const char *)name.data, name.len);
}

static uint32_t read_name(struct pdb *pdb, uint64_t at)
{
    uint32_t size = msf_size(&pdb->msf, pdb->names_stream);
    char text[NAME_MAX_BYTES];
    size_t n = sizeof(text);

    if (at >= size)
        return 0;
    n = n < size - at ? n : (size_t)(size - at);
    if (!msf_copy(&pdb->msf, pdb->names_stream, at, text, n))
        return 0;
    return strings_add(pdb->strings, text, strnlen(text, n));
}

uint32_t pdb_file_name(struct pdb *pdb, uint32_t offset)
{
    uint32_t id = map_get(&pdb->file_names, offset, 0);

    if (id == MAP_NONE) {
        id = read_name(pdb, (uint64_t)offset + HEADER);
        map_set(&pdb->file_names, offset, 0, id);
    }
    return id;
}
