#include "engine/store/pack.h"

enum {
    BLOB_BYTES = 1 << 18, /* from which one is written */
    NUMBER_BYTES = 10,    /* of the longest number */
    ENTRY_BYTES = 7 * NUMBER_BYTES,
};

void pack_open(struct pack *pack, const struct store_fill *fill,
               const char *table)
{
    pack->bytes.data = NULL;
    pack->bytes.len = pack->bytes.cap = 0;
    pack->time = 0;
    rows_open(&pack->rows, fill, table, 1, ROWS_SINGLE);
}

static void write_blob(struct pack *pack)
{
    rows_blob(&pack->rows, pack->bytes.data, pack->bytes.len);
    pack->bytes.len = 0;
}

/* Room for the longest entry. */
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

void pack_stack(struct pack *pack, uint32_t id, const struct stack *stack)
{
    begin_entry(pack);
    put(pack, id - stack->parent);
    put(pack, stack->location);
}

static void put_weight(struct pack *pack, const struct sample *s)
{
    put(pack, (uint64_t)s->weight << 1 | (s->period != 0));
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
    return rows_close(&pack->rows);
}
