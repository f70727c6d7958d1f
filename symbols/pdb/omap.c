/*
 * OMAP: images rearranged after linking, whose debug information speaks of
 * the places before. A sorted array of {u32 rva, u32 source}: the last pair
 * with rva <= x gives source + (x - rva); source 0 is code that the
 * rearranging made.
 */
#include "engine/base/bisect.h"
#include "symbols/pdb/pdb.h"

enum { PAIR = 8 };

static uint32_t pair_word(struct pdb *pdb, uint32_t i, uint32_t word)
{
    uint8_t bytes[4];

    if (!msf_copy(&pdb->msf, pdb->omap_stream, (uint64_t)i * PAIR + word,
                  bytes, sizeof(bytes)))
        return 0;
    return load_u32(bytes);
}

bool pdb_source_rva(struct pdb *pdb, uint32_t rva, uint32_t *source)
{
    uint32_t i, n;

    *source = rva;
    if (pdb->omap_stream == MSF_NONE)
        return true;
    n = msf_size(&pdb->msf, pdb->omap_stream) / PAIR;
    BISECT(i, n, pair_word(pdb, i, 0) <= rva);
    if (!i)
        return false;
    *source = pair_word(pdb, i - 1, 4);
    if (!*source)
        return false;
    *source += rva - pair_word(pdb, i - 1, 0);
    return true;
}
