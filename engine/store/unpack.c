#include <assert.h>

#include "engine/base/reader.h"
#include "engine/store/pack.h"
#include "engine/store/scan.h"

/* Reading of what store/pack.c writes. */

struct unpacking {
    struct store_row at; /* the blob's */
    struct reader r;     /* over it */
    struct profile *p;
    const struct store_table *table; /* NULL: of samples */
    uint64_t ends[RECORD_VALUES];    /* of the columns' numbers */
    VEC(uint32_t) texts;             /* met so far: strings */
    uint64_t weights; /* of the samples so far */
    uint64_t rows;    /* of stacks, so far */
};

typedef bool unpack_entry(struct unpacking *u);

static inline bool get_number(struct unpacking *u, const char *what,
                              uint64_t *value)
{
    *value = reader_uleb(&u->r);
    return !u->r.failed || store_bad(&u->at, what, "is no number");
}

/* From `least` to below `end`. */
static inline bool get(struct unpacking *u, const char *what, uint64_t least,
                       uint64_t end, uint64_t *value)
{
    if (!get_number(u, what, value))
        return false;
    return (*value >= least && *value < end) ||
           store_bad(&u->at, what, "is out of range");
}

/* ---- rows of the schema's tables ---- */

/* Locations may be being read: how many there are is known before. */
static size_t rows_of(const struct store_load *l, enum store_table_id table)
{
    return table == TABLE_LOCATIONS ? l->locations
                                    : store_table_count(l->p, table);
}

/* What numbers of a column are below; 0 where a type has no end. */
static uint64_t end_of(const struct store_load *l, const struct store_column *c)
{
    switch (c->kind) {
    case COLUMN_BOOL:
        return 2;
    case COLUMN_U8:
        return UINT8_MAX + 1;
    case COLUMN_U32:
        return (uint64_t)UINT32_MAX + 1;
    case COLUMN_REF:
    case COLUMN_REF8:
        return rows_of(l, c->refers);
    case COLUMN_REF_OR_NONE:
        return rows_of(l, c->refers) + 1;
    default:
        return 0;
    }
}

static bool get_new_text(struct unpacking *u, const char *what, uint32_t *id)
{
    struct bytes text;
    uint64_t n;

    if (!get_number(u, what, &n))
        return false;
    if (n > reader_left(&u->r))
        return store_bad(&u->at, what, "is longer than its blob");
    text = reader_bytes(&u->r, (size_t)n);
    *id = strings_add(u->p->strings, (const char *)text.data, text.len);
    *vec_add(&u->texts) = *id;
    return true;
}

static bool get_text(struct unpacking *u, const char *what, uint32_t *id)
{
    uint64_t number;

    if (!get(u, what, 0, u->texts.len + 1, &number))
        return false;
    if (!number)
        return get_new_text(u, what, id);
    *id = u->texts.data[number - 1];
    return true;
}

static bool get_signed(struct unpacking *u, const char *what, int64_t *value)
{
    uint64_t bits;

    if (!get_number(u, what, &bits))
        return false;
    bits -= 2;
    *value = (int64_t)(bits >> 1 ^ -(bits & 1));
    return true;
}

static bool get_parent(struct unpacking *u, const char *what, uint32_t *parent)
{
    uint64_t id = u->rows++, up;

    if (!get(u, what, 1, id + 1, &up))
        return false;
    *parent = (uint32_t)(id - up);
    return true;
}

/* Every location has a frame. */
static bool get_location(struct unpacking *u, const char *what)
{
    struct profile *p = u->p;
    uint64_t first;

    if (!get(u, what, !p->frame_start.len,
             p->frame_start.len < p->locations.len ? 2 : 1, &first))
        return false;
    if (first)
        *vec_add(&p->frame_start) = (uint32_t)p->frames.len - 1;
    return true;
}

static bool get_value(struct unpacking *u, const struct store_column *c,
                      uint64_t end, void *value)
{
    uint64_t number;

    switch (c->kind) {
    case COLUMN_TEXT:
        return get_text(u, c->name, value);
    case COLUMN_U64:
        return get_number(u, c->name, value);
    case COLUMN_I64:
    case COLUMN_START:
    case COLUMN_END:
        return get_signed(u, c->name, value);
    case COLUMN_PARENT:
        return get_parent(u, c->name, value);
    case COLUMN_LOCATION:
        return get_location(u, c->name);
    default:
        break;
    }
    if (!get(u, c->name, 0, end, &number))
        return false;
    if (c->kind == COLUMN_BOOL)
        *(bool *)value = number;
    else if (c->kind == COLUMN_U8 || c->kind == COLUMN_REF8)
        *(uint8_t *)value = (uint8_t)number;
    else
        *(uint32_t *)value =
            (uint32_t)number - (c->kind == COLUMN_REF_OR_NONE);
    return true;
}

static bool get_row(struct unpacking *u)
{
    const struct store_table *t = u->table;
    struct method room;
    char *row;

    if (t->count(u->p) == NO_ID)
        return store_bad(&u->at, "bytes", "have too many rows");
    row = t->add(u->p, &room);
    for (size_t i = 0; i < t->width; i++)
        if (!get_value(u, &t->columns[i], u->ends[i],
                       row + t->columns[i].offset))
            return false;
    if (t->end)
        t->end(u->p, &room);
    return true;
}

/* ---- samples ---- */

static inline bool get_who(struct unpacking *u, struct sample *s)
{
    uint64_t thread, stack;

    if (!get(u, "thread", 0, u->at.load->threads, &thread) ||
        !get(u, "stack", 1, u->p->stacks.len, &stack))
        return false;
    s->thread = (uint32_t)thread;
    s->stack = (uint32_t)stack;
    return true;
}

static inline bool get_flags(struct unpacking *u, struct sample *s)
{
    uint64_t flags;

    if (!get(u, "flags", 0, SAMPLE_FLAGS_ALL + 1, &flags))
        return false;
    s->flags = (uint16_t)flags;
    return stack_end_of(s->flags) < STACK_ENDS ||
           store_bad(&u->at, "flags", "is out of range");
}

static inline bool get_weight(struct unpacking *u, struct sample *s)
{
    uint64_t weight;

    if (!get(u, "weight", 2, UINT64_MAX, &weight))
        return false;
    s->weight = weight >> 1;
    if (s->weight > WEIGHTS_MOST - u->weights)
        return store_bad(&u->at, "weight", "makes the sum of all too large");
    u->weights += s->weight;
    return !(weight & 1) || get_number(u, "period", &s->period);
}

static bool get_time(struct unpacking *u, int64_t *time)
{
    const struct samples *all = &u->p->samples;
    int64_t last = all->len ? all->time[all->len - 1] : 0;
    uint64_t since;

    if (!get_number(u, "time", &since))
        return false;
    *time = (int64_t)((uint64_t)last + since);
    return !all->len || *time >= last ||
           store_bad(&u->at, "time", "is out of range");
}

static bool get_sample(struct unpacking *u)
{
    struct sample s = {.period = 0};
    uint64_t cpu;

    if (!get_time(u, &s.time) || !get_who(u, &s) ||
        !get(u, "cpu", 0, UINT16_MAX + 1, &cpu) || !get_flags(u, &s) ||
        !get_weight(u, &s))
        return false;
    s.cpu = (uint16_t)cpu;
    profile_sample(u->p, &s);
    return true;
}

static bool get_group(struct unpacking *u)
{
    struct sample s = {.period = 0};

    if (!get_who(u, &s) || !get_flags(u, &s) || !get_weight(u, &s))
        return false;
    profile_group(u->p, &s);
    return true;
}

static bool read_blob(struct unpacking *u, unpack_entry *entry)
{
    struct bytes blob;

    if (!store_get_bytes(&u->at, 1, "bytes", &blob))
        return false;
    u->r = reader_of(u->at.table, blob.data, blob.len, 0, NULL);
    while (reader_more(&u->r))
        if (!entry(u))
            return false;
    return true;
}

static bool read_blobs(struct unpacking *u, struct store_load *l,
                       const char *table, unpack_entry *entry)
{
    struct out *sql = out_memory();
    bool ok;

    store_made_sql(store_made_find(table), NULL, sql);
    ok = store_scan(&u->at, l, table, out_text(sql, NULL), 1);

    u->p = l->p;
    while (ok && store_scan_next(&u->at, &ok))
        ok = read_blob(u, entry);
    store_scan_end(&u->at);
    out_close(sql, NULL);
    return ok;
}

bool unpack_table(struct store_load *l, const struct store_table *t)
{
    struct unpacking u = {.table = t, .rows = t->first};
    bool ok;

    assert(t->width <= RECORD_VALUES);
    for (size_t i = 0; i < t->width; i++)
        u.ends[i] = end_of(l, &t->columns[i]);
    *vec_add(&u.texts) = 0;
    ok = read_blobs(&u, l, t->packed, get_row);
    vec_release(&u.texts);
    return ok;
}

bool unpack_samples(struct store_load *l)
{
    struct unpacking u = {0};

    return read_blobs(&u, l, "packed_samples", get_sample);
}

bool unpack_groups(struct store_load *l)
{
    struct unpacking u = {0};

    return read_blobs(&u, l, "packed_groups", get_group);
}
