/*
 * mapped_code - names for code of precompiled .NET assemblies that a trace of
 * a whole machine (nettrace v6) has as mapped files.
 *
 *     mapped_code_from_files(p, &places);
 *
 * The runtime names what it compiled; precompiled code has only the file and
 * the offset in it. Names are spelled as the runtime's own in such traces, so
 * that both bodies of a method are one function.
 */
#ifndef TOPFN_MAPPED_CODE_H
#define TOPFN_MAPPED_CODE_H

#include "symbols/find/places.h"
#include "symbols/managed/r2r/image.h"

/* Before profile_finish. Modules without a build-id whose PDB the trace names
 * are looked for in the places. */
void mapped_code_from_files(struct profile *p, const struct places *places);

/* The method at an RVA, which a call may return to: such a call may be the
 * last instruction of a method, and an address at the first of one was never
 * called from there. */
bool code_find(const struct r2r_image *image, uint64_t rva, bool is_return,
               struct r2r_method *method);

/* Adds a method of an image to the profile; process, start and module are
 * given. NO_ID when it has no name. */
uint32_t code_method(struct profile *p, const struct method *given,
                     const struct r2r_image *image,
                     const struct r2r_method *method, enum type_style style);

#endif
