#include "symbols/find/build_id.h"

#include <stdio.h>

#include "engine/base/hex.h"
#include "symbols/find/folder.h"

void build_id_text(const uint8_t *id, size_t size, char text[BUILD_ID_TEXT])
{
    size_t n = size < BUILD_ID_TEXT / 2 ? size : BUILD_ID_TEXT / 2;

    hex_text(id, n, text);
}

char *build_id_path(const char *root, const uint8_t *id, size_t size,
                    const char *ending)
{
    char hex[BUILD_ID_TEXT], tail[BUILD_ID_TEXT + 32];

    if (size < 2)
        return NULL;
    build_id_text(id, size, hex);
    snprintf(tail, sizeof(tail), ".build-id/%.2s/%s%s", hex, hex + 2, ending);
    return path_join(root, tail);
}
