/*
 * image_impl - what the files that read precompiled images share.
 *
 *   image.c    headers, sections and components; pieces of code, the entry
 *              points of methods, and whether an instruction is a call
 *   names.c    what a method is called
 */
#ifndef TOPFN_R2R_IMAGE_IMPL_H
#define TOPFN_R2R_IMAGE_IMPL_H

#include "engine/base/budget.h"
#include "engine/base/vec.h"
#include "symbols/managed/r2r/image.h"
#include "symbols/managed/r2r/native.h"
#include "symbols/managed/r2r/types.h"

enum r2r_section {
    R2R_FUNCTIONS = 102,
    R2R_METHODS = 103,
    R2R_INSTANCES = 109,
    R2R_MANIFEST = 112,
    R2R_COMPONENTS = 115,
    R2R_OWNER = 116,
    R2R_BUILDS = 118,
    R2R_HOT_COLD = 120,
};

/* One assembly that the image has code of. */
struct r2r_component {
    bool has_tables;
    struct cli_tables tables;
    struct reader methods; /* section 103 */
};

/* An entry point: a method as it is declared, or an instance of a generic
 * one, described by a signature. */
struct r2r_entry {
    uint32_t piece;     /* the first */
    uint32_t component; /* its number */
    uint32_t row;       /* of the method; 0: an instance */
    uint64_t signature; /* where that is, in `instances` */
};

struct r2r_image {
    struct pe pe;
    struct bytes functions, hot_cold;
    unsigned piece_size;
    uint32_t pieces, cold; /* how many; the first cold one */
    struct reader instances; /* everything around section 109 */
    bool composite;
    VEC(struct r2r_component) components; /* one, or those of a composite */
    struct cli_tables manifest;
    struct bytes builds; /* GUIDs of the manifest's references */
    struct bytes owner;  /* of a component: the name of the composite's file */
    VEC(struct r2r_entry) entries; /* by piece */
    struct pe_range code;
    struct bytes code_bytes; /* from code.start on */
    struct budget *budget;   /* of listing entry points and making names */
};

/* The tables of a component; NULL: they are not at hand. */
const struct cli_tables *r2r_tables(const struct r2r_image *image, uint32_t i);

/* The name of the component that has these tables; NULL if the image is no
 * composite. */
const char *r2r_assembly_of(const struct r2r_image *image,
                            const struct cli_tables *tables);

/* Tells whether the last instruction of `size` bytes may be a call. */
bool r2r_is_call(uint16_t machine, const uint8_t *code, size_t size);

/* names.c: how an instance is written. */
struct r2r_instance {
    const struct cli_tables *tables; /* of the method; NULL unknown */
    uint32_t row;
    bool is_reference;  /* the row is of MemberRef */
    bool has_owner;
    struct reader owner; /* its type */
};

/* Moves behind it; false when it is malformed. */
bool r2r_read_instance(const struct r2r_image *image, struct reader *r,
                       struct r2r_instance *instance);

#endif
