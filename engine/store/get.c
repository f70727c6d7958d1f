#include "engine/store/get.h"

#include <string.h>

bool store_bad(const struct store_row *at, const char *column, const char *what)
{
    err_set(at->load->err, ERR_CORRUPT, "%s: table %s, row %llu: %s %s",
            at->load->name, at->table, (unsigned long long)at->id, column,
            what);
    return false;
}

/* Rows of a damaged file can share the pages of one long value. */
static bool take_bytes(const struct store_row *at, const char *column,
                       size_t n)
{
    struct store_load *l = at->load;

    if (n > l->bytes_left)
        return store_bad(at, column, "is longer than the file");
    l->bytes_left -= n;
    return true;
}

bool store_get_integer(const struct store_row *at, int i, const char *column,
                       int64_t least, int64_t most, int64_t *value)
{
    *value = sqlite3_column_int64(at->row, i);
    /* What SQLite cannot convert is 0, so most values need no second call. */
    if (!*value && sqlite3_column_type(at->row, i) != SQLITE_INTEGER)
        return store_bad(at, column, "is no integer");
    if (*value < least || *value > most)
        return store_bad(at, column, "is out of range");
    return true;
}

static bool get_u32(const struct store_row *at, int i, const char *column,
                    int64_t most, uint32_t *value)
{
    int64_t v;

    if (!store_get_integer(at, i, column, 0, most, &v))
        return false;
    *value = (uint32_t)v;
    return true;
}

static bool get_u8(const struct store_row *at, int i, const char *column,
                   int64_t most, uint8_t *value)
{
    int64_t v;

    if (!store_get_integer(at, i, column, 0, most, &v))
        return false;
    *value = (uint8_t)v;
    return true;
}

static bool get_bool(const struct store_row *at, int i, const char *column,
                     bool *value)
{
    int64_t v;

    if (!store_get_integer(at, i, column, 0, 1, &v))
        return false;
    *value = v != 0;
    return true;
}

static bool get_text(const struct store_row *at, int i, const char *column,
                     uint32_t *value)
{
    struct store_load *l = at->load;
    const char *text;
    size_t n;

    if (sqlite3_column_type(at->row, i) != SQLITE_TEXT)
        return store_bad(at, column, "is no text");
    text = (const char *)sqlite3_column_text(at->row, i);
    n = (size_t)sqlite3_column_bytes(at->row, i);
    if (!text)
        mem_exhausted(n);
    if (!take_bytes(at, column, n))
        return false;
    *value = strings_add(l->p->strings, text, n);
    return true;
}

/* At most `room` bytes; NULL is none. */
static bool get_blob(const struct store_row *at, int i, const char *column,
                     uint8_t *bytes, size_t room, size_t *size)
{
    int type = sqlite3_column_type(at->row, i);
    const void *blob = sqlite3_column_blob(at->row, i);
    size_t n = (size_t)sqlite3_column_bytes(at->row, i);

    *size = 0;
    if (type == SQLITE_NULL)
        return true;
    if (type != SQLITE_BLOB || n > room)
        return store_bad(at, column, "is no identity");
    if (n && !blob)
        mem_exhausted(n);
    if (n)
        memcpy(bytes, blob, n);
    *size = n;
    return true;
}

static bool get_guid(const struct store_row *at, int i, const char *column,
                     uint8_t *guid)
{
    size_t size;

    if (!get_blob(at, i, column, guid, 16, &size))
        return false;
    return size == 16 || store_bad(at, column, "is no GUID");
}

static bool get_build_id(const struct store_row *at, int i, const char *column,
                         struct identity *identity)
{
    size_t size;

    if (!get_blob(at, i, column, identity->build_id, sizeof(identity->build_id),
                  &size))
        return false;
    identity->build_id_size = (uint8_t)size;
    return true;
}

static bool get_ref(const struct store_row *at, int i,
                    const struct store_column *c, void *value)
{
    uint32_t *id = value;
    int64_t most = (int64_t)store_table_count(at->load->p, c->refers) - 1;
    bool null = sqlite3_column_type(at->row, i) == SQLITE_NULL;

    switch (c->kind) {
    case COLUMN_REF_OR_NONE:
        *id = NO_ID;
        return null || get_u32(at, i, c->name, most, id);
    case COLUMN_REF8:
        return get_u8(at, i, c->name, most, value);
    default:
        return get_u32(at, i, c->name, most, id);
    }
}

/* A stack's parent stands before it; NULL is stack 0, which has no row. */
static bool get_parent(const struct store_row *at, int i, const char *column,
                       uint32_t *parent)
{
    int64_t value;

    if (sqlite3_column_type(at->row, i) == SQLITE_NULL)
        return true;
    if (!store_get_integer(at, i, column, 1, (int64_t)at->id - 1, &value))
        return false;
    *parent = (uint32_t)value;
    return true;
}

/* Frames stand in the order of their locations, and each location has one. */
static bool get_location(const struct store_row *at, int i, const char *column)
{
    struct profile *p = at->load->p;
    int64_t begun = (int64_t)p->frame_start.len;
    int64_t most = begun < (int64_t)p->locations.len ? begun : begun - 1;
    int64_t value;

    if (!store_get_integer(at, i, column, begun ? begun - 1 : 0, most, &value))
        return false;
    if (value == begun)
        *vec_add(&p->frame_start) = (uint32_t)p->frames.len - 1;
    return true;
}

static bool get_time(const struct store_row *at, int i,
                     const struct store_column *c, int64_t *value)
{
    *value = c->kind == COLUMN_START ? TIME_MIN : TIME_MAX;
    return sqlite3_column_type(at->row, i) == SQLITE_NULL ||
           store_get_integer(at, i, c->name, INT64_MIN, INT64_MAX, value);
}

bool store_get(const struct store_row *at, int i, const struct store_column *c,
               void *value)
{
    int64_t bits;

    switch (c->kind) {
    case COLUMN_TEXT:
        return get_text(at, i, c->name, value);
    case COLUMN_BOOL:
        return get_bool(at, i, c->name, value);
    case COLUMN_U8:
        return get_u8(at, i, c->name, UINT8_MAX, value);
    case COLUMN_U32:
        return get_u32(at, i, c->name, UINT32_MAX, value);
    case COLUMN_U64:
        if (!store_get_integer(at, i, c->name, INT64_MIN, INT64_MAX, &bits))
            return false;
        *(uint64_t *)value = (uint64_t)bits;
        return true;
    case COLUMN_I64:
        return store_get_integer(at, i, c->name, INT64_MIN, INT64_MAX, value);
    case COLUMN_START:
    case COLUMN_END:
        return get_time(at, i, c, value);
    case COLUMN_GUID:
        return get_guid(at, i, c->name, value);
    case COLUMN_BUILD_ID:
        return get_build_id(at, i, c->name, value);
    case COLUMN_PARENT:
        return get_parent(at, i, c->name, value);
    case COLUMN_LOCATION:
        return get_location(at, i, c->name);
    default:
        return get_ref(at, i, c, value);
    }
}
