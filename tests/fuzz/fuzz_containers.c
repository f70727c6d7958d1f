/* Archives of zip and OLE compound files: every entry is listed and unpacked. */
#include "engine/container/container.h"
#include "tests/fuzz/target.h"

static int unpack_all(const struct container_kind *kind, const uint8_t *data,
                      size_t size, size_t most)
{
    struct container c = {.kind = kind, .path = "fuzz"};
    struct err err = {0};
    unsigned sum = 0;

    if (!kind->probe(data, size))
        return 0;
    if (kind->open(&c, data, size, &err) && !err.message[0])
        abort();
    for (size_t i = 0; i < c.count && i < most; i++) {
        if (container_load(&c, i, NULL))
            continue;
        for (size_t j = 0; j < c.entries[i].size; j++)
            sum += c.entries[i].data[j];
    }
    kind->close(&c);
    arena_release(&c.arena);
    return sum == 0xFFFFFFFF;
}

FUZZ(cfb)
{
    return unpack_all(&ole_container, data, size, 64);
}

FUZZ(zip)
{
    return unpack_all(&zip_container, data, size, 16);
}
