/* A cabinet: what comes out keeps to the limit. */
#include "symbols/find/expand.h"
#include "tests/fuzz/target.h"

FUZZ(expand)
{
    enum { LIMIT = 1 << 20 };
    uint8_t *out = NULL;
    size_t n = 0;

    if (expand_cab(data, size, LIMIT, &out, &n, NULL) ? out != NULL
                                                      : n > LIMIT)
        abort();
    free(out);
    return 0;
}
