/* A file of JsonSlabs, and the members of the beginning of JSON. */
#include "engine/base/json_peek.h"
#include "engine/base/json_slabs.h"
#include "tests/fuzz/target.h"

FUZZ(json_slabs)
{
    static const char *const paths[] = {
        "", "a", "a.b", "[]", "[].ph", "nodes[].callFrame", "shared.frames"};
    struct err err = {0};
    size_t len = 0;
    char *text = json_slabs_text("a", data, size, &len, &err);

    if (!text == !err.code || len > 7 * size)
        abort();
    free(text);
    for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
        const uint8_t *value = json_peek(data, size, paths[i]);

        if (value && (value < data || value >= data + size))
            abort();
        json_peek_holds(data, size, paths[i], "x");
    }
    return 0;
}
