/*
 * image - a precompiled ("ready to run") .NET image: which method the code
 * at an address belongs to. (format.md)
 *
 *     struct r2r_image *image = r2r_open("System.Linq.dll", data, size, &err);
 *     struct r2r_method m;
 *     if (r2r_find(image, rva, &m) &&
 *         r2r_name(image, &m, TYPES_EVENT, &arena, &name))
 *         use(name.space, name.name, name.signature);
 *     r2r_close(image);
 *
 * Bytes stay the caller's and must outlive it. Opening lists the entry points
 * and decodes no name; names are made when they are asked for.
 */
#ifndef TOPFN_R2R_IMAGE_H
#define TOPFN_R2R_IMAGE_H

#include "engine/base/arena.h"
#include "symbols/managed/r2r/types.h"
#include "symbols/pe/pe.h"

struct r2r_image;

bool r2r_probe(const uint8_t *data, size_t size);

/* ERR_UNSUPPORTED: not precompiled. */
struct r2r_image *r2r_open(const char *name, const uint8_t *data, size_t size,
                           struct err *err);
void r2r_close(struct r2r_image *image);

/* Tells whether methods or names were left out because they come to more than
 * the file's size allows. `image` may be NULL. */
bool r2r_is_cut(const struct r2r_image *image);

const struct pe *r2r_pe(const struct r2r_image *image);

/* A method's code: its first piece and those that follow, without what was
 * moved away to the cold end of the image. */
struct r2r_method {
    uint32_t entry; /* number of the entry point */
    uint32_t start, end; /* RVA */
};

/* The number of entry points, which are in order of their code. */
uint32_t r2r_count(const struct r2r_image *image);
/* False when its code is not there. */
bool r2r_method(const struct r2r_image *image, uint32_t entry,
                struct r2r_method *method);

/* The method that owns an address: false for thunks and padding. */
bool r2r_find(const struct r2r_image *image, uint32_t rva,
              struct r2r_method *method);

/* The piece of code an address is in: main body, or a handler. */
bool r2r_piece(const struct r2r_image *image, uint32_t rva,
               struct pe_range *piece);

/* The method with that row of MethodDef, if it has code of its own. */
bool r2r_row(const struct r2r_image *image, uint32_t row,
             struct r2r_method *method);

/* From the first piece of code to the end of the last. */
struct pe_range r2r_code(const struct r2r_image *image);

/* Tells whether there may be a call that returns to an address: an instruction
 * that looks like one ends there, in the code of a method. */
bool r2r_follows_call(const struct r2r_image *image, uint32_t rva);

/* A composite image has the code of several assemblies, its components, and
 * not their metadata: each has a file of its own, which names the image. */
uint32_t r2r_components(const struct r2r_image *image); /* 0: no composite */
const char *r2r_component(const struct r2r_image *image,
                          uint32_t i); /* "System.Linq" */
/* Takes the metadata from a component's file, whose bytes must outlive the
 * image. False: it is another build. */
bool r2r_take_component(struct r2r_image *image, uint32_t i, const char *name,
                        const uint8_t *data, size_t size);
/* The name of the file of the composite that has the code of this component;
 * NULL: it is none. */
const char *r2r_owner(const struct r2r_image *image);

/* The strings that the runtime's method events have. */
struct r2r_name {
    const char *space;     /* System.Collections.Generic.List`1[System.Int32] */
    const char *name;      /* Add */
    const char *signature; /* instance void  (!0) */
    const char *full;      /* with the arguments only */
    const char *assembly;  /* of a composite: "System.Linq"; else NULL */
    uint32_t token;        /* of the method; 0 not of this image */
};

/* In the arena; `style`: how the signature names types. False: its signature
 * or metadata are broken. */
bool r2r_name(const struct r2r_image *image, const struct r2r_method *method,
              enum type_style style, struct arena *arena,
              struct r2r_name *name);

#endif
