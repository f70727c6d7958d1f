/*
 * pdb - a Windows PDB as names for addresses; inside of symbols/pdb only.
 * The file format: format.md.
 *
 * The way of one look-up, each step in the file of its name:
 *
 *     omap      image RVA -> RVA before the image was rearranged
 *     dbi       RVA -> module, by section contribution
 *     module    -> the procedure in the module's symbols
 *     lines     -> file and line within the procedure
 *     inlines   -> the chain of inlined calls, file and line of each
 *     ids       -> names of inlined functions
 *     publics   where no procedure is: the nearest public name
 *
 * Only what the addresses asked for touch is read. Decoded modules are kept up
 * to a number of bytes; names live in `strings`, which grows with what was
 * asked.
 */
#ifndef TOPFN_PDB_H
#define TOPFN_PDB_H

#include "engine/base/arena.h"
#include "engine/base/map.h"
#include "engine/base/strings.h"
#include "engine/base/vec.h"
#include "symbols/debug.h"
#include "symbols/pdb/module.h"
#include "symbols/pdb/msf.h"

/* Streams with fixed numbers. */
enum { PDB_INFO = 1, PDB_TPI = 2, PDB_DBI = 3, PDB_IPI = 4 };

/* Versions of streams are days. A zeroed stream is damage: without this it
 * would look like one of another build. */
enum { PDB_FIRST = 19900101, PDB_LAST = 20991231 };

struct pdb_section {
    uint32_t rva, size;
};

/* The streams of a module's symbols and lines. */
struct pdb_module {
    uint16_t stream; /* MSF_NONE: it has none */
    uint32_t symbol_bytes, c11_bytes, c13_bytes;
    uint32_t name_at; /* in the DBI stream */
    struct module_symbols *decoded; /* or NULL */
};

/* A part of the image that came from one module. */
struct pdb_contribution {
    uint32_t start, end; /* RVA */
    uint32_t module;
};

/* A type or id stream; ids.c. */
struct pdb_types {
    uint32_t stream;
    uint32_t header, first, end; /* bytes; type indices */
    uint32_t record_bytes;
    uint16_t hash_stream;
    uint32_t index_at, index_bytes; /* pairs in the hash stream */
};

struct pdb {
    struct msf msf;
    struct strings *strings; /* what frames point to */
    struct arena arena;      /* lives as long as the file */
    struct arena scratch;    /* reset by each look-up */

    uint32_t names_stream; /* "/names" */
    uint16_t machine;

    VEC(struct pdb_section) sections; /* as they were before OMAP */
    uint16_t omap_stream;             /* to source; MSF_NONE: none */
    struct pdb_module *modules;
    uint32_t module_count;
    uint32_t contributions_at, contribution_size, contribution_count;
    uint16_t publics_stream, records_stream;
    uint32_t address_map_at, address_map_count; /* of the publics */
    struct {
        uint32_t below; /* entries; 0: nothing was found yet */
        uint32_t rva, name;
        uint16_t section;
    } last_public; /* the one found last: addresses come sorted */

    struct pdb_types types, ids;
    struct map id_names;   /* inlinee id, module of a foreign one -> string */
    struct map exporters;  /* offset in "/names" -> module */
    struct map file_names; /* offset in "/names" -> string */

    size_t kept_bytes; /* of decoded modules */

    /* Work of look-ups, in rows of lines; and bytes of names that many records
     * may share. */
    struct budget work, names;
};

/* dbi.c. The identity's age is the DBI stream's. A PDB without that stream
 * has no code to name. */
enum err_code pdb_read_dbi(struct pdb *pdb, struct identity *identity,
                           struct err *err);

/* False: no such section. */
bool pdb_rva_of(const struct pdb *pdb, uint16_t section, uint32_t offset,
                uint32_t *rva);
/* The section (from 1) that holds an RVA; 0 none. */
uint16_t pdb_section_of(const struct pdb *pdb, uint32_t rva, uint32_t *offset);
/* False: `rva` is in no contribution. */
bool pdb_contribution_of(struct pdb *pdb, uint32_t rva,
                         struct pdb_contribution *c);

/* False for code that has no source. */
bool pdb_source_rva(struct pdb *pdb, uint32_t rva, uint32_t *source);

/* ids.c. */
void pdb_read_types(struct pdb *pdb, struct pdb_types *types, uint32_t stream);
/* The name of a function inlined in a module, as a string id; not empty. */
uint32_t pdb_inlinee_name(struct pdb *pdb, const struct module_symbols *m,
                          uint32_t id);

/* The name by which all modules know another module's id. */
#define PDB_FOREIGN_ID 0x80000000u
bool pdb_common_id(struct pdb *pdb, struct bytes c13, uint32_t foreign,
                   uint32_t *id);

/* publics.c. */
void pdb_read_publics(struct pdb *pdb, uint16_t stream);

struct pdb_public {
    uint32_t rva;
    uint32_t name; /* string id */
};

/* The nearest public at or below. */
bool pdb_find_public(struct pdb *pdb, uint32_t rva, struct pdb_public *found);

/* The address of the next public, at most `limit`. */
uint32_t pdb_public_end(struct pdb *pdb, uint32_t rva, uint32_t limit);

/* names.c: a string of the "/names" stream; 0 when there is none. */
uint32_t pdb_file_name(struct pdb *pdb, uint32_t offset);

/* A name in untrusted bytes as a string id. */
uint32_t pdb_intern(struct pdb *pdb, struct bytes name);

#endif
