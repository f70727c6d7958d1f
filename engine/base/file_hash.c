#include "engine/base/file_hash.h"

#include <errno.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/hex.h"

enum err_code file_hash(const char *path, char hash[FILE_HASH_SIZE],
                        struct err *err)
{
    uint8_t bytes[1 << 16], digest[SHA256_DIGEST_SIZE];
    FILE *file = fopen(path, "re");
    struct sha256_ctx sha;
    size_t n;
    bool failed;

    if (!file)
        return err_set(err, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s: %s",
                       path, strerror(errno));
    sha256_init(&sha);
    while ((n = fread(bytes, 1, sizeof(bytes), file)) > 0)
        sha256_update(&sha, n, bytes);
    failed = ferror(file);
    if (failed)
        err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    fclose(file);
    sha256_digest(&sha, sizeof(digest), digest);
    hex_text(digest, sizeof(digest), hash);
    return failed ? ERR_IO : ERR_NONE;
}
