#include "engine/store/pack.h"

#include <assert.h>
#include <string.h>

enum {
    BLOB_BYTES = 1 << 18, /* from which one is written */
    NUMBER_BYTES = 10,    /* of the longest number */
    ENTRY_BYTES = 2 * RECORD_VALUES * NUMBER_BYTES, /* without texts */
};

void pack_open(struct pack *pack, const struct store_fill *fill,
               const char *table)
{
    pack->bytes.data = NULL;
    pack->bytes.len = pack->bytes.cap = 0;
    pack->time = 0;
    pack->texts = NULL;
    pack->text_count = 0;
    rows_open(&pack->rows, fill, table, 1, ROWS_SINGLE);
}

static void write_blob(struct pack *pack)
{
    rows_blob(&pack->rows, pack->bytes.data, pack->bytes.len);
    pack->bytes.len = 0;
}

/* Room for the longest entry; texts make room for themselves. */
static void begin_entry(struct pack *pack)
{
    if (pack->bytes.len >= BLOB_BYTES)
        write_blob(pack);
    vec_reserve(&pack->bytes, ENTRY_BYTES);
}

static void put(struct pack *pack, uint64_t value)
{
    uint8_t *at = pack->bytes.data + pack->bytes.len;

    for (; value >= 0x80; value >>= 7)
        *at++ = (uint8_t)(value | 0x80);
    *at++ = (uint8_t)value;
    pack->bytes.len = (size_t)(at - pack->bytes.data);
}

static void put_weight(struct pack *pack, const struct sample *s)
{
    put(pack, s->weight << 1 | (s->period != 0));
    if (s->period)
        put(pack, s->period);
}

void pack_sample(struct pack *pack, const struct sample *s)
{
    begin_entry(pack);
    put(pack, (uint64_t)s->time - (uint64_t)pack->time);
    put(pack, s->thread);
    put(pack, s->stack);
    put(pack, s->cpu);
    put(pack, s->flags);
    put_weight(pack, s);
    pack->time = s->time;
}

void pack_group(struct pack *pack, const struct sample *g)
{
    begin_entry(pack);
    put(pack, g->thread);
    put(pack, g->stack);
    put(pack, g->flags);
    put_weight(pack, g);
}

int pack_close(struct pack *pack)
{
    if (pack->bytes.len)
        write_blob(pack);
    vec_release(&pack->bytes);
    free(pack->texts);
    return rows_close(&pack->rows);
}

/* ---- rows of the schema's tables ---- */

static void put_text(struct pack *pack, const struct profile *p, uint32_t id)
{
    size_t n = strings_len(p->strings, id);

    put(pack, pack->texts[id]);
    if (pack->texts[id])
        return;
    pack->texts[id] = ++pack->text_count;
    put(pack, n);
    vec_reserve(&pack->bytes, n + ENTRY_BYTES);
    memcpy(pack->bytes.data + pack->bytes.len, strings_get(p->strings, id), n);
    pack->bytes.len += n;
}

static void put_signed(struct pack *pack, int64_t value)
{
    put(pack, ((uint64_t)value << 1 ^ -(uint64_t)(value < 0)) + 2);
}

/* Whether frame `id` is its location's first. */
static bool begins(const struct profile *p, uint32_t *location, size_t id)
{
    if (*location == p->locations.len || p->frame_start.data[*location] != id)
        return false;
    ++*location;
    return true;
}

struct packing {
    struct pack pack;
    const struct profile *p;
    uint32_t location; /* of the next frame that begins one */
};

static void put_value(struct packing *k, size_t id, enum column_kind kind,
                      const void *value)
{
    const uint32_t *u32 = value;

    switch (kind) {
    case COLUMN_TEXT:
        put_text(&k->pack, k->p, *u32);
        break;
    case COLUMN_BOOL:
        put(&k->pack, *(const bool *)value);
        break;
    case COLUMN_U8:
    case COLUMN_REF8:
        put(&k->pack, *(const uint8_t *)value);
        break;
    case COLUMN_U32:
    case COLUMN_REF:
        put(&k->pack, *u32);
        break;
    case COLUMN_REF_OR_NONE:
        put(&k->pack, *u32 == NO_ID ? 0 : (uint64_t)*u32 + 1);
        break;
    case COLUMN_U64:
        put(&k->pack, *(const uint64_t *)value);
        break;
    case COLUMN_I64:
    case COLUMN_START:
    case COLUMN_END:
        put_signed(&k->pack, *(const int64_t *)value);
        break;
    case COLUMN_PARENT:
        put(&k->pack, id - *u32);
        break;
    case COLUMN_LOCATION:
        put(&k->pack, begins(k->p, &k->location, id));
        break;
    default: /* no packed table has blobs */
        assert(false);
    }
}

int pack_table(const struct store_fill *fill, const struct profile *p,
               const struct store_table *t)
{
    struct packing k = {.p = p};
    struct method room;

    pack_open(&k.pack, fill, t->packed);
    k.pack.texts = mem_new(strings_count(p->strings), sizeof(*k.pack.texts));
    k.pack.texts[0] = ++k.pack.text_count;
    for (size_t id = t->first; id < t->count(p); id++) {
        const char *row = t->row(p, id, &room);

        begin_entry(&k.pack);
        for (size_t i = 0; i < t->width; i++)
            put_value(&k, id, t->columns[i].kind, row + t->columns[i].offset);
    }
    return pack_close(&k.pack);
}
