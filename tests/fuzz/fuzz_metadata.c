/* The metadata.xml of a package, and what it makes of entries. */
#include "engine/container/container.h"
#include "engine/container/package.h"
#include "tests/fuzz/target.h"

FUZZ(metadata)
{
    struct entry entries[2] = {{.claimed = 0}};
    struct container c = {.path = "fuzz", .entries = entries, .count = 2};
    struct package package;

    entry_set_name(&c, &entries[0], "ABC\\sc.user_aux.etl");
    entry_set_name(&c, &entries[1], "%41b/%2");
    entries_classify(&c);
    package_read(&package, data, size, &c.arena);
    package_classify(&package, &c);
    package_release(&package);
    arena_release(&c.arena);
    return 0;
}
