/*
 * code_methods - methods of precompiled images as a source of names reports
 * them (name_source.h), each once.
 *
 *     struct code_methods methods = {.style = TYPES_EVENT};
 *     if (code_find(image, rva, asked->returns, &m))
 *         answer->method = code_methods_get(&methods, image, &m, &given);
 *     code_methods_release(&methods);
 */
#ifndef TOPFN_CODE_METHODS_H
#define TOPFN_CODE_METHODS_H

#include "engine/base/map.h"
#include "symbols/managed/r2r/image.h"
#include "symbols/name_source.h"
#include "symbols/find/found_file.h"

struct composite {
    VEC(struct found) files;
};

struct code_methods {
    enum type_style style;
    struct map ids;                       /* (start, entry) -> index in list */
    VEC(const struct code_method *) list; /* of the arena; NULL: no name */
    struct arena arena;
};

/* The method at an RVA. For a return address it is the method of the call,
 * which may be the last instruction of the method, before padding. */
bool code_find(const struct r2r_image *image, uint64_t rva, bool returns,
               struct r2r_method *method);

/* Process, start, module and assembly are given, the start telling images
 * apart. NULL when it has no name. Lives until code_methods_release. */
const struct code_method *code_methods_get(struct code_methods *c,
                                           const struct r2r_image *image,
                                           const struct r2r_method *m,
                                           const struct code_method *given);
void code_methods_release(struct code_methods *c);

/* Does nothing if the image is no composite. The files stay open until
 * composite_close, which is to be called after r2r_close. */
void composite_open(struct composite *c, struct r2r_image *image,
                    const char *path, const struct places *places);

void composite_close(struct composite *c);

#endif
