/* file.ptr of a symbol store: a full path, or why there is none. */
#include "symbols/find/search.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *why, *path = pointer_read(data, size, &why);

    if (!path == !why || (path && *path != '/'))
        abort();
    free(path);
    free(why);
    return 0;
}
