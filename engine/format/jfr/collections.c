/*
 * Garbage collections of Java. (format.md, section 7)
 */
#include "engine/format/jfr/jfr.h"

void jfr_take_collection(struct jfr_recording *r, struct jfr_chunk *c,
                         const struct jfr_value *values)
{
    const struct strings *texts = r->f.texts;
    uint32_t name =
        jfr_constant_text(c, JFR_C_GC_NAME, JFR_NAME, values[JFR_NAME].number);
    uint32_t cause = jfr_constant_text(c, JFR_C_GC_CAUSE, JFR_CAUSE,
                                       values[JFR_CAUSE].number);

    *vec_add(&r->collections) = (struct jfr_collection){
        .what =
            {
                .start = jfr_time(c, values[JFR_START_TIME].number),
                .number = (uint32_t)values[JFR_GC_ID].number,
                .generation = COLLECTION_NO_GENERATION,
                .kind = collection_kind_named(strings_get(texts, name)),
                .reason = collection_reason_named(strings_get(texts, cause)),
                .lasted = jfr_nanoseconds(c, values[JFR_DURATION].number),
                .paused = jfr_nanoseconds(c, values[JFR_SUM_OF_PAUSES].number),
                .longest = jfr_nanoseconds(c, values[JFR_LONGEST_PAUSE].number),
                .before = COLLECTION_UNKNOWN,
                .after = COLLECTION_UNKNOWN,
                .promoted = COLLECTION_UNKNOWN,
            },
        .chunk = r->chunks.len,
    };
}

void jfr_take_heap(struct jfr_recording *r, struct jfr_chunk *c,
                   const struct jfr_value *values)
{
    uint32_t when =
        jfr_constant_text(c, JFR_C_GC_WHEN, JFR_WHEN, values[JFR_WHEN].number);

    if (when == JFR_W_BEFORE || when == JFR_W_AFTER)
        *vec_add(&r->heaps) = (struct jfr_heap){
            .number = values[JFR_GC_ID].number,
            .used = values[JFR_HEAP_USED].number,
            .chunk = r->chunks.len,
            .after = when == JFR_W_AFTER,
        };
}

static uint32_t process_of(const struct jfr_recording *r, size_t chunk)
{
    uint32_t process = r->chunks.data[chunk].process;

    return process == NO_ID ? 0 : process;
}

static int compare_collections(const void *a, const void *b)
{
    const struct collection *x = &((const struct jfr_collection *)a)->what;
    const struct collection *y = &((const struct jfr_collection *)b)->what;

    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Events come in any order: the heap is matched by the number that a process
 * gives its collections. */
static void match_heaps(struct jfr_recording *r)
{
    struct map ids = {0};

    for (uint32_t i = 0; i < r->collections.len; i++) {
        const struct collection *c = &r->collections.data[i].what;

        map_add(&ids, c->number, c->process, i);
    }
    for (size_t i = 0; i < r->heaps.len; i++) {
        const struct jfr_heap *h = &r->heaps.data[i];
        uint32_t at = map_get(&ids, h->number, process_of(r, h->chunk));

        if (at == MAP_NONE)
            continue;
        if (h->after)
            r->collections.data[at].what.after = h->used;
        else
            r->collections.data[at].what.before = h->used;
    }
    map_release(&ids);
}

void jfr_state_collections(struct jfr_recording *r)
{
    struct profile *p = r->f.p;
    uint64_t paused = 0;

    if (!r->collections.len)
        return;
    for (size_t i = 0; i < r->collections.len; i++) {
        struct jfr_collection *c = &r->collections.data[i];

        c->what.process = process_of(r, c->chunk);
        if (__builtin_add_overflow(paused, c->what.paused, &paused))
            paused = UINT64_MAX;
    }
    match_heaps(r);
    vec_sort(&r->collections, compare_collections);
    for (size_t i = 0; i < r->collections.len; i++)
        *vec_add(&p->collections) = r->collections.data[i].what;
    profile_number(p, FACT_COLLECTIONS, p->collections.len, "%zu",
                   p->collections.len);
    profile_number(p, FACT_PAUSED, paused, "%llu ns",
                   (unsigned long long)paused);
}
