/* One XPRESS-Huffman block; the first two bytes are its unpacked size. */
#include "engine/container/xpress.h"
#include "tests/fuzz/target.h"

FUZZ(xpress)
{
    size_t n;
    uint8_t *out;

    if (size < 2)
        return 0;
    n = (size_t)(data[0] | data[1] << 8);
    out = malloc(n + 1);
    xpress_huffman(data + 2, size - 2, out, n);
    free(out);
    return 0;
}
