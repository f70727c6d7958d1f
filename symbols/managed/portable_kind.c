/*
 * A portable PDB as a debug file: it has an identity, and no names for
 * addresses of the image. Its lines are those of IL: portable_pdb.h.
 */
#include <string.h>

#include "symbols/kinds.h"
#include "symbols/managed/portable_pdb.h"

static enum err_code open_portable(struct debug_file *file, struct err *err)
{
    struct portable_pdb *pdb = portable_pdb_open(file->name, file->data,
                                                 file->size, err);

    file->state = pdb;
    if (!pdb)
        return err->code;
    memcpy(file->identity.guid, portable_pdb_id(pdb), 16);
    file->identity.age = load_u32(portable_pdb_id(pdb) + 16);
    return ERR_NONE;
}

struct portable_pdb *portable_pdb_of(const struct debug_file *file)
{
    return file && file->kind == &portable_kind ? file->state : NULL;
}

static size_t no_frames(struct debug_file *file, uint64_t rva,
                        struct debug_frame *frames, size_t max)
{
    (void)file;
    (void)rva;
    (void)frames;
    (void)max;
    return 0;
}

static void close_portable(struct debug_file *file)
{
    portable_pdb_close(file->state);
}

const struct debug_kind portable_kind = {
    .name = "portable-pdb",
    .probe = portable_pdb_probe,
    .open = open_portable,
    .frames = no_frames,
    .close = close_portable,
};
