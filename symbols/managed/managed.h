/*
 * managed - source lines of managed code, from portable PDBs.
 *
 * Methods have their names from the trace; where in the source an address is
 * comes from the runtime's IL map of the method and the PDB of its module,
 * which lies in a file of its own or in the assembly. Only a PDB with the
 * GUID that the runtime named is used. Where the map does not tell, there is
 * no line: a wrong one is worse. (format.md, section 7; a source of names:
 * name_source.h.)
 */
#ifndef TOPFN_MANAGED_H
#define TOPFN_MANAGED_H

#include "engine/base/vec.h"
#include "symbols/find/assembly.h"
#include "symbols/managed/portable_pdb.h"

/* What was looked for and found, for one module with sampled methods. */
struct lines_search {
    uint32_t module;
    struct found pdb;   /* closed */
    struct found image; /* closed; looked for when there is no PDB file */
    bool embedded;      /* the PDB is in the image */
    bool is_windows;    /* a Windows PDB: its lines are not read */
    struct err err;     /* of an embedded PDB that is broken */
    uint32_t places;    /* sampled addresses in methods of the module */
    uint32_t found;     /* those with a line */
    uint32_t unmapped;  /* those in methods without an IL map */
};

struct lines_log {
    VEC(struct lines_search) modules; /* by id */
};

void lines_log_release(struct lines_log *log);

/* The file that lines came from; NULL none. */
const char *lines_search_used(const struct lines_search *search);

/* The line of an IL offset or, with none known, of the whole method: NULL
 * when it has more than one. */
const struct il_point *method_line(const struct il_points *points,
                                   const struct il_map *map, uint64_t offset,
                                   bool is_return);

#endif
