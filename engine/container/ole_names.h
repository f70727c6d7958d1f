/*
 * ole_names - what the short names of streams in an OLE .diagsession mean.
 *
 * Its property set (MS-OLEPS) gives "E1" the folder of a resource; the
 * resource's own name is in metadata.xml.
 */
#ifndef TOPFN_OLE_NAMES_H
#define TOPFN_OLE_NAMES_H

#include "engine/base/strings.h"
#include "engine/container/package.h"

struct ole_name {
    uint32_t id;
    const char *name;   /* "E1" */
    const char *folder; /* NULL: not given */
};

struct ole_names {
    VEC(struct ole_name) list;
};

/* Adds what a property set says; strings are kept by `strings`. */
void ole_names_read(struct ole_names *names, const uint8_t *bytes,
                    size_t size, struct strings *strings);
void ole_names_release(struct ole_names *names);

/* What a packed stream would be called in a zip: "GUID/sc.user_aux.etl".
 * NULL for a stream that is no resource. */
const char *ole_full_name(const struct ole_names *names,
                          const struct package *package, const char *path,
                          struct strings *strings);

#endif
