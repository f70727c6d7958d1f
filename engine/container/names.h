/*
 * names - names of container entries, which come from strangers.
 *
 * They are compared without regard to ASCII case, with '/' for either
 * separator. Nothing here, and nothing else, opens a file by such a name.
 */
#ifndef TOPFN_CONTAINER_NAMES_H
#define TOPFN_CONTAINER_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/container/container.h"

/* The name with '\' turned to '/'. */
char *entry_name_normal(struct arena *arena, const char *name);

/* Whether two normal names are the same. */
bool entry_name_same(const char *a, const char *b);

/* Whether `name` (normal) ends with `ending`. */
bool entry_name_ends(const char *name, const char *ending);

/* Fills in `inner` and `name` of a new entry. */
void entry_set_name(struct container *c, struct entry *e, const char *name);

/* True if a file of this name would be a trace. In "a.etl.zip" the inner name
 * is "a.etl"; archives in archives are not opened. */
bool is_trace_name(const char *name);

/*
 * Decides what each entry is for, by name: traces by their endings, PDBs and
 * symbols.bin as symbols. Of traces with equal names the first is used:
 * which of the two another program shows is anybody's guess.
 */
void entries_classify(struct container *c);

#endif
