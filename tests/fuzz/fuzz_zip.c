/* A zip archive: every entry is listed and unpacked. */
#include "engine/container/container.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct container c = {.kind = &zip_container, .path = "fuzz"};
    struct err err = {0};
    unsigned sum = 0;

    if (!zip_container.probe(data, size))
        return 0;
    if (zip_container.open(&c, data, size, &err) && !err.message[0])
        abort();
    for (size_t i = 0; i < c.count && i < 16; i++) {
        if (container_load(&c, i, NULL))
            continue;
        for (size_t j = 0; j < c.entries[i].size; j++)
            sum += c.entries[i].data[j];
    }
    zip_container.close(&c);
    arena_release(&c.arena);
    return sum == 0xFFFFFFFF;
}
