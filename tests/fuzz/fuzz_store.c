/* The bytes as a database image, read both with and without times. */
#include <sqlite3.h>

#include "engine/store/load.h"
#include "tests/fuzz/target.h"

static void read_image(const uint8_t *data, size_t size, bool times)
{
    struct err err = {0};
    struct store_bound bound;
    sqlite3 *db = NULL;
    unsigned char *image = sqlite3_malloc64(size + 1);

    memcpy(image, data, size);
    if (!sqlite3_open(":memory:", &db) &&
        !sqlite3_deserialize(
            db, "main", image, (sqlite3_int64)size, (sqlite3_int64)size,
            SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY) &&
        !store_defend(db, &bound, size))
        profile_free(store_load(db, "fuzz", size, times, &err));
    sqlite3_close(db);
}

FUZZ(store)
{
    if (!size)
        return 0;
    read_image(data, size, true);
    read_image(data, size, false);
    return 0;
}
