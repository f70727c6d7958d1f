/* A portable PDB: every method's points, and their documents. */
#include "symbols/managed/portable_pdb.h"
#include "tests/fuzz/target.h"

enum { METHODS = 300, DOCUMENTS = 20 };

static void look_at(struct portable_pdb *pdb, uint32_t token)
{
    struct il_points points;

    if (!portable_pdb_points(pdb, token, &points))
        return;
    for (uint32_t il = 0; il < 50; il += 7)
        if (il_points_at(&points, il) && !il_points_at(&points, il)->line)
            abort();
    il_points_only_line(&points);
    portable_pdb_document(pdb, points.data[0].document);
}

FUZZ(portable_pdb)
{
    struct portable_pdb *pdb = portable_pdb_open("fuzz", data, size, NULL);
    const char *path;

    for (uint32_t i = 0; pdb && i < METHODS; i++)
        look_at(pdb, 0x06000000 + i);
    for (uint32_t i = 0; pdb && i < DOCUMENTS; i++) {
        path = portable_pdb_document(pdb, i);
        if (path && strlen(path) > size * 4096)
            abort();
    }
    portable_pdb_close(pdb);
    return 0;
}
