/* An OLE compound file: every entry is listed and unpacked. */
#include "engine/container/container.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct container c = {.kind = &ole_container, .path = "fuzz"};
    struct err err = {0};
    unsigned sum = 0;

    if (!ole_container.probe(data, size))
        return 0;
    if (ole_container.open(&c, data, size, &err) && !err.message[0])
        abort();
    for (size_t i = 0; i < c.count && i < 64; i++) {
        if (container_load(&c, i, NULL))
            continue;
        for (size_t j = 0; j < c.entries[i].size; j++)
            sum += c.entries[i].data[j];
    }
    ole_container.close(&c);
    arena_release(&c.arena);
    return sum == 0xFFFFFFFF;
}
