/*
 * wanted - which file is looked for.
 *
 *     struct wanted wanted = {.kind = WANTED_PE, .name = "app.exe",
 *                             .identity = m->identity, .places = &places};
 *
 * Whether a file is the one, its kind says (debug_kind.matches).
 */
#ifndef TOPFN_WANTED_H
#define TOPFN_WANTED_H

#include "engine/model/profile.h"

struct places;

enum wanted_kind {
    WANTED_PDB,
    WANTED_PE,
    WANTED_ASSEMBLY,  /* an image that names the PDB with this GUID */
    WANTED_ELF,       /* the image, with its code */
    WANTED_ELF_NAMES, /* a file of its build-id with symbols or DWARF */
    WANTED_ELF_DWARF  /* one with DWARF: symbols are known */
};

struct wanted {
    enum wanted_kind kind;
    const char *name;      /* base name, see path_last_part */
    char key[96];          /* folder of its own in a symbol store; "" none */
    char portable_key[96]; /* that of a portable PDB, whose GUID is enough:
                              traces do not have its stamp; "" none */
    struct identity identity;
    /* Of a file that an image without a build-id names. */
    bool has_crc;
    uint32_t crc; /* of all its bytes */
    bool alone;   /* nothing else is looked for: a file given is meant for it,
                     whatever its name */
    bool by_name; /* the trace tells no identity, so that a file of this name
                     has to do: its build is not proved */
    const struct places *places; /* also of the files that it refers to */
};

#endif
