/*
 * composite - a composite image of .NET with the files of its components,
 * which have the names of its code.
 *
 *     struct composite c = {0};
 *     composite_open(&c, image, "/srv/app/app.r2r.dll", places);
 *     r2r_name(image, ...);
 *     r2r_close(image);
 *     composite_close(&c);
 *
 * A component's file is beside the image or in a place, and of the build that
 * the image was made of.
 */
#ifndef TOPFN_COMPOSITE_H
#define TOPFN_COMPOSITE_H

#include "symbols/find/found.h"
#include "symbols/managed/r2r/image.h"

struct composite {
    VEC(struct found) files;
};

/* Does nothing if the image is no composite. The files stay open until
 * composite_close, which is to be called after r2r_close. */
void composite_open(struct composite *c, struct r2r_image *image,
                    const char *path, const struct places *places);
void composite_close(struct composite *c);

#endif
