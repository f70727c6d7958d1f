#include "engine/base/json_slabs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/out.h"
#include "engine/base/reader.h"
#include "engine/base/vec.h"

static const uint8_t magic[8] = {0xDC, 0xDF, 'J', 'S', 'L', 'B', 1, 0};

enum { VERSION = 1, SLAB_SIZE = 12 };

enum slab_type {
    SLAB_I8,
    SLAB_U8,
    SLAB_I16,
    SLAB_U16,
    SLAB_I32,
    SLAB_U32,
    SLAB_F32,
    SLAB_F64,
    SLAB_I64,
    SLAB_U64,
    SLAB_JSON,
};

struct slab {
    const uint8_t *data;
    size_t size;
    uint32_t type;
    bool used;
};

/* A text of JSON that is being copied. */
struct copying {
    const uint8_t *at, *end;
};

struct slabs {
    const char *name;
    struct slab *list;
    uint32_t count;
    VEC(struct copying) open; /* texts within texts, the innermost last */
    struct out *out;
    struct err *err;
};

bool json_slabs_begin(const uint8_t *data, size_t size)
{
    return size >= sizeof(magic) && !memcmp(data, magic, sizeof(magic));
}

/* ---- arrays ---- */

/* JSON has no word for what is no number. */
static void put_real(struct out *out, double value)
{
    if (isfinite(value))
        out_fmt(out, "%.17g", value);
    else
        out_str(out, "null");
}

static void put_value(struct out *out, struct reader *r, uint32_t type)
{
    uint32_t word;
    uint64_t wide;
    float real;
    double both;

    switch (type) {
    case SLAB_I8:
        out_i64(out, (int8_t)reader_u8(r));
        break;
    case SLAB_U8:
        out_u64(out, reader_u8(r));
        break;
    case SLAB_I16:
        out_i64(out, (int16_t)reader_u16(r));
        break;
    case SLAB_U16:
        out_u64(out, reader_u16(r));
        break;
    case SLAB_I32:
        out_i64(out, (int32_t)reader_u32(r));
        break;
    case SLAB_U32:
        out_u64(out, reader_u32(r));
        break;
    case SLAB_F32:
        word = reader_u32(r);
        memcpy(&real, &word, sizeof(real));
        put_real(out, (double)real);
        break;
    case SLAB_F64:
        wide = reader_u64(r);
        memcpy(&both, &wide, sizeof(both));
        put_real(out, both);
        break;
    case SLAB_I64:
        out_i64(out, (int64_t)reader_u64(r));
        break;
    default:
        out_u64(out, reader_u64(r));
        break;
    }
}

static void put_array(struct slabs *s, const struct slab *slab)
{
    static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8, 8, 8};
    struct reader r = reader_of(s->name, slab->data, slab->size, 0, NULL);

    out_char(s->out, '[');
    for (size_t i = 0; i < slab->size / sizes[slab->type]; i++) {
        if (i)
            out_char(s->out, ',');
        put_value(s->out, &r, slab->type);
    }
    out_char(s->out, ']');
}

/* ---- texts ---- */

static bool put_slab(struct slabs *s, uint64_t i)
{
    struct slab *slab = i < s->count ? &s->list[i] : NULL;

    if (!slab || slab->used) {
        err_set(s->err, ERR_CORRUPT, "%s: slab %llu is %s", s->name,
                (unsigned long long)i, slab ? "used twice" : "not in the file");
        return false;
    }
    slab->used = true;
    if (slab->type == SLAB_JSON)
        *vec_add(&s->open) =
            (struct copying){slab->data, slab->data + slab->size};
    else
        put_array(s, slab);
    return true;
}

static const uint8_t *behind_blanks(const uint8_t *at, const uint8_t *end)
{
    while (at < end && *at && strchr(" \t\r\n", *at))
        at++;
    return at;
}

/* {"$s": 12}: the number, and *at behind the object. */
static bool is_placeholder(const uint8_t **at, const uint8_t *end,
                           uint64_t *number)
{
    static const char key[] = "\"$s\"";
    const uint8_t *to = behind_blanks(*at + 1, end);
    const uint8_t *digits;

    if ((size_t)(end - to) < sizeof(key) ||
        memcmp(to, key, sizeof(key) - 1) != 0)
        return false;
    to = behind_blanks(to + sizeof(key) - 1, end);
    if (to == end || *to != ':')
        return false;
    digits = to = behind_blanks(to + 1, end);
    for (*number = 0; to < end && *to >= '0' && *to <= '9'; to++)
        *number = *number > UINT32_MAX ? *number : *number * 10 + *to - '0';
    if (to == digits)
        return false;
    to = behind_blanks(to, end);
    if (to == end || *to != '}')
        return false;
    *at = to + 1;
    return true;
}

/* From the opening quote to behind the closing one. */
static const uint8_t *behind_string(const uint8_t *at, const uint8_t *end)
{
    for (at++; at < end && *at != '"'; at++)
        if (*at == '\\' && at + 1 < end)
            at++;
    return at < end ? at + 1 : end;
}

/* Copies a text up to a placeholder, whose slab comes next, or to its end. */
static bool copy(struct slabs *s)
{
    struct copying *text = &s->open.data[s->open.len - 1];
    const uint8_t *from = text->at;
    uint64_t number = 0;

    while (text->at < text->end) {
        const uint8_t *here = text->at;

        if (*here == '"') {
            text->at = behind_string(here, text->end);
        } else if (*here == '{' &&
                   is_placeholder(&text->at, text->end, &number)) {
            out_bytes(s->out, (const char *)from, (size_t)(here - from));
            return put_slab(s, number);
        } else {
            text->at++;
        }
    }
    out_bytes(s->out, (const char *)from, (size_t)(text->end - from));
    s->open.len--;
    return true;
}

/* ---- the file ---- */

/* Slabs lie side by side: together they are no longer than the file. */
static bool read_slabs(struct slabs *s, const uint8_t *data, size_t size,
                       uint32_t *root)
{
    struct reader r = reader_of(s->name, data, size, 0, s->err);
    size_t left = size;
    uint32_t version;

    reader_skip(&r, sizeof(magic));
    version = reader_u32(&r);
    if (!r.failed && version != VERSION) {
        err_set(s->err, ERR_UNSUPPORTED,
                "%s: unknown version %u of JsonSlabs; topfn reads version %d",
                s->name, version, VERSION);
        return false;
    }
    s->count = reader_count(&r, SLAB_SIZE, "slab");
    *root = reader_u32(&r);
    s->list = mem_new(s->count, sizeof(*s->list));
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t type = reader_u32(&r), at = reader_u32(&r);
        uint32_t length = reader_u32(&r);

        if (type > SLAB_JSON || at > size || length > size - at ||
            length > left) {
            err_set(s->err, ERR_CORRUPT,
                    "%s: slab %u, of type %u at 0x%x, has no room for its %u "
                    "bytes",
                    s->name, i, type, at, length);
            return false;
        }
        left -= length;
        s->list[i] = (struct slab){data + at, length, type, false};
    }
    if (r.failed)
        return false;
    if (*root < s->count && s->list[*root].type == SLAB_JSON)
        return true;
    err_set(s->err, ERR_CORRUPT, "%s: the root slab %u is not JSON", s->name,
            *root);
    return false;
}

char *json_slabs_text(const char *name, const uint8_t *data, size_t size,
                      size_t *len, struct err *err)
{
    struct slabs s = {.name = name, .out = out_memory(), .err = err};
    char *text = NULL;
    uint32_t root;
    bool good = read_slabs(&s, data, size, &root) && put_slab(&s, root);

    while (good && s.open.len)
        good = copy(&s);
    if (good) {
        const char *made = out_text(s.out, len);

        text = mem_new(*len + 1, 1);
        memcpy(text, made, *len);
    }
    out_close(s.out, NULL);
    vec_release(&s.open);
    free(s.list);
    return text;
}
