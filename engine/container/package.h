/*
 * package - the metadata.xml of a .diagsession (format.md, section 2).
 *
 *     struct package package;
 *     if (package_read(&package, xml, size, &arena))
 *         package_classify(&package, container);
 *     package_release(&package);
 *
 * The list of resources says what each file of the package is.
 */
#ifndef TOPFN_PACKAGE_H
#define TOPFN_PACKAGE_H

#include <stdbool.h>

#include "engine/base/vec.h"
#include "engine/container/container.h"

struct resource {
    const char *type;   /* "DiagnosticsHub.Resource.EtlFile" */
    const char *prefix; /* folder, or "" */
    const char *name;
    bool folder; /* everything under the prefix is of this type */
};

struct package {
    VEC(struct resource) resources; /* in order; strings in the arena */
};

enum { LARGEST_METADATA = 16 << 20 };

/* Returns false if it is not the XML of a package: not well-formed, another
 * root, or a document type, which no writer makes and only attacks need. The
 * resources that were read before stay. */
bool package_read(struct package *package, const void *xml, size_t size,
                  struct arena *arena);
void package_release(struct package *package);

/* Sets the kind of every entry that a resource describes; the others become
 * ENTRY_OTHER. A package without traces of its own leaves all as it is. */
void package_classify(const struct package *package, struct container *c);

#endif
