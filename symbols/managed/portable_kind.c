/*
 * A portable PDB as a debug file: it has an identity, and no names for
 * addresses of the image. Its lines are those of IL: portable_pdb.h.
 */
#include <string.h>

#include "symbols/kinds.h"
#include "symbols/managed/portable_pdb.h"
#include "symbols/wanted.h"

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

static enum debug_names no_names(struct debug_file *file)
{
    (void)file;
    return NAMES_NONE;
}

/* Of a file wanted by what a trace says the stamp is not known. */
static bool matches(struct debug_file *file, const struct wanted *wanted,
                    const char **objection)
{
    const struct identity *a = &file->identity, *b = &wanted->identity;

    (void)objection;
    return wanted->kind == WANTED_PDB &&
           !memcmp(a->guid, b->guid, sizeof(a->guid)) &&
           (a->age == b->age || wanted->portable_key[0]);
}

const struct debug_kind portable_kind = {
    .name = "portable-pdb",
    .probe = portable_pdb_probe,
    .open = open_portable,
    .frames = no_frames,
    .close = close_portable,
    .matches = matches,
    .names = no_names,
};
