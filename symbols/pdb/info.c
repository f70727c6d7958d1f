/*
 * The PDB info stream (1).
 *
 *   OFFSET  SIZE  DESCRIPTION
 *        0     4  version, 20000404
 *        4     4  signature: time or hash
 *        8     4  age
 *       12    16  GUID
 *       28        named streams: u32 n, n bytes of NUL-terminated names, then
 *                 a hash table from offset of name to stream number
 *
 *   hash table    u32 size, u32 capacity, two bit vectors (u32 number of
 *                 words, words), then `size` pairs {u32 key, u32 value}
 */
#include <string.h>

#include "symbols/pdb/pdb.h"

static void skip_bits(struct reader *r)
{
    uint32_t words = reader_count(r, 4, "bit vector");

    reader_skip(r, (size_t)words * 4);
}

static bool is_name(const struct reader *names, uint32_t at, const char *name)
{
    struct reader r = reader_at(names, at, "name of stream");
    struct bytes text = reader_cstr(&r);

    return text.len == strlen(name) && !memcmp(text.data, name, text.len);
}

/* Number of the stream "/names"; MSF_NONE without. */
static uint32_t find_names(struct reader *r)
{
    uint32_t bytes = reader_count(r, 1, "names of streams");
    struct reader names = reader_sub(r, bytes, "names of streams");
    uint32_t found = MSF_NONE;
    uint32_t pairs = reader_u32(r);

    reader_u32(r);
    skip_bits(r);
    skip_bits(r);
    while (pairs-- && reader_more(r)) {
        uint32_t name = reader_u32(r), stream = reader_u32(r);

        if (!r->failed && is_name(&names, name, "/names"))
            found = stream;
    }
    return found;
}

enum err_code pdb_read_info(struct pdb *pdb, struct identity *identity,
                            struct err *err)
{
    struct reader r = msf_reader(&pdb->msf, PDB_INFO, 0,
                                 msf_size(&pdb->msf, PDB_INFO), &pdb->scratch,
                                 NULL);
    struct bytes guid;
    uint32_t version;

    version = reader_u32(&r);
    reader_u32(&r);
    identity->age = reader_u32(&r);
    guid = reader_bytes(&r, sizeof(identity->guid));
    if (r.failed)
        return err_set(err, ERR_TRUNCATED, "%s: info stream cut off",
                       pdb->msf.name);
    if (version < PDB_FIRST || version > PDB_LAST)
        return err_set(err, ERR_CORRUPT, "%s: info stream is damaged",
                       pdb->msf.name);
    memcpy(identity->guid, guid.data, guid.len);
    pdb->names_stream = find_names(&r);
    return ERR_NONE;
}
