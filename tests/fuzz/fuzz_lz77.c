/* The plain LZ77 decoder: first two bytes are the size of the output. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/base/reader.h"
#include "engine/format/etl/lz77.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A smaller output must be the beginning of a larger one. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t room, n, half;
    uint8_t *whole, *part;
    bool damaged;

    if (size < 2)
        return 0;
    room = load_u16(data);
    whole = mem_new(room, 1);
    part = mem_new(room / 2, 1);
    n = lz77_decode(data + 2, size - 2, whole, room, &damaged);
    half = lz77_decode(data + 2, size - 2, part, room / 2, &damaged);
    if (n > room || half > room / 2 || half > n || memcmp(whole, part, half))
        abort();
    free(whole);
    free(part);
    return 0;
}
