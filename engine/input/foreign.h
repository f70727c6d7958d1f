/*
 * foreign - names of files that topfn recognizes but does not read.
 *
 *     const struct foreign *kind = foreign_of(data, size);
 *     if (kind)
 *         printf("%s; %s\n", kind->name, kind->advice);
 *
 * It looks at magic numbers and at the first bytes, so this is a guess for a
 * message and nothing else. A new kind is a row of the table.
 */
#ifndef TOPFN_FOREIGN_H
#define TOPFN_FOREIGN_H

#include <stddef.h>
#include <stdint.h>

struct foreign {
    const char *name;   /* "a PDB" */
    const char *advice; /* what to do with it; NULL: nothing is known */
};

/* NULL: it looks like nothing we know. */
const struct foreign *foreign_of(const uint8_t *data, size_t size);

#endif
