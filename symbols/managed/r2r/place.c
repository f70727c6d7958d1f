#include "symbols/managed/r2r/place.h"

#include <stdlib.h>

#include "engine/base/map.h"

enum {
    ALIGNMENT = 0x10000,
    FEWEST_CALLS = 4,
    MOST_ADDRESSES = 4096, /* more would tell nothing new */
};

/* One base that an image may have. */
struct candidate {
    uint64_t base;
    uint32_t calls; /* addresses that follow a call, if it is here */
    uint32_t tries; /* addresses in its code then */
};

struct search {
    struct r2r_bases *bases;
    struct r2r_image *const *images;
    size_t images_count;
    VEC(uint64_t) addresses; /* that no base explains so far */
    /* For one image. */
    struct map ids;
    VEC(struct candidate) candidates;
};

/* ---- spans ---- */

static bool holds(struct r2r_image *const *images, const struct r2r_base *b,
                  uint64_t address)
{
    struct pe_range code = r2r_code(images[b->image]);

    return address - b->base >= code.start && address - b->base < code.end;
}

static bool overlaps(const struct r2r_bases *bases,
                     struct r2r_image *const *images, const struct r2r_base *b)
{
    struct pe_range mine = r2r_code(images[b->image]);

    for (size_t i = 0; i < bases->list.len; i++) {
        const struct r2r_base *other = &bases->list.data[i];
        struct pe_range code = r2r_code(images[other->image]);

        if (b->base + mine.start < other->base + code.end &&
            other->base + code.start < b->base + mine.end)
            return true;
    }
    return false;
}

const struct r2r_base *r2r_base_of(const struct r2r_bases *bases,
                                   struct r2r_image *const *images,
                                   uint64_t address)
{
    for (size_t i = 0; i < bases->list.len; i++)
        if (holds(images, &bases->list.data[i], address))
            return &bases->list.data[i];
    return NULL;
}

void r2r_bases_add(struct r2r_bases *bases, struct r2r_image *const *images,
                   const struct r2r_base *base)
{
    if (!overlaps(bases, images, base))
        *vec_add(&bases->list) = *base;
}

void r2r_bases_release(struct r2r_bases *bases)
{
    vec_release(&bases->list);
}

/* ---- candidates ---- */

static struct candidate *candidate_at(struct search *s, uint64_t base)
{
    uint32_t fresh = mem_next_id(s->candidates.len);
    uint32_t id = map_add(&s->ids, base, 0, fresh);

    if (id == fresh)
        *vec_add(&s->candidates) = (struct candidate){.base = base};
    return &s->candidates.data[id];
}

/* All bases that put the address into the image's code. */
static void try_address(struct search *s, const struct r2r_image *image,
                        uint64_t address)
{
    struct pe_range code = r2r_code(image);
    uint64_t rva = code.start + (address - code.start) % ALIGNMENT;

    for (; rva < code.end && rva <= address; rva += ALIGNMENT) {
        struct candidate *c = candidate_at(s, address - rva);

        c->tries++;
        c->calls += r2r_follows_call(image, (uint32_t)rva);
    }
}

/* Tells whether another candidate leaves the first one beyond doubt: it has
 * at most half as many calls; or many, so far away that it is another copy. */
static bool leaves_no_doubt(const struct search *s,
                            const struct r2r_base *first,
                            const struct r2r_base *other)
{
    struct pe_range code = r2r_code(s->images[first->image]);
    uint64_t apart = first->base > other->base ? first->base - other->base
                                               : other->base - first->base;

    return other->calls <= first->calls / 2 ||
           (other->calls >= FEWEST_CALLS && apart >= code.end - code.start);
}

/* The best base of an image; false when it is not beyond doubt. One with an
 * address that follows no call is out of the question, however many do. */
static bool best_base(struct search *s, size_t image, struct r2r_base *best)
{
    struct r2r_base second = {.image = image};

    *best = second;
    map_release(&s->ids);
    s->candidates.len = 0;
    for (size_t i = 0; i < s->addresses.len; i++)
        try_address(s, s->images[image], s->addresses.data[i]);
    for (size_t i = 0; i < s->candidates.len; i++) {
        const struct candidate *c = &s->candidates.data[i];
        struct r2r_base one = {image, c->base, c->calls};

        if (c->calls < c->tries || c->calls <= second.calls)
            continue;
        second = one.calls > best->calls ? *best : one;
        if (one.calls > best->calls)
            *best = one;
    }
    return best->calls >= FEWEST_CALLS && leaves_no_doubt(s, best, &second) &&
           !overlaps(s->bases, s->images, best);
}

/* The base that most calls speak for; false when there is none any more. */
static bool take_next(struct search *s)
{
    struct r2r_base best = {.calls = 0}, one;

    for (size_t i = 0; i < s->images_count; i++)
        if (s->images[i] && best_base(s, i, &one) && one.calls > best.calls)
            best = one;
    if (best.calls)
        *vec_add(&s->bases->list) = best;
    return best.calls;
}

static void drop_explained(struct search *s)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->addresses.len; i++)
        if (!r2r_base_of(s->bases, s->images, s->addresses.data[i]))
            s->addresses.data[kept++] = s->addresses.data[i];
    s->addresses.len = kept;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Distinct ones in order; of very many, some from everywhere. */
static void take_addresses(struct search *s, const uint64_t *addresses,
                           size_t count)
{
    uint64_t *sorted = mem_new(count, sizeof(*sorted));
    size_t n = 0, kept;

    for (size_t i = 0; i < count; i++)
        sorted[i] = addresses[i];
    if (count)
        qsort(sorted, count, sizeof(*sorted), compare);
    for (size_t i = 0; i < count; i++)
        if (!n || sorted[n - 1] != sorted[i])
            sorted[n++] = sorted[i];
    kept = n < MOST_ADDRESSES ? n : MOST_ADDRESSES;
    for (size_t i = 0; i < kept; i++)
        *vec_add(&s->addresses) = sorted[i * n / kept];
    free(sorted);
}

void r2r_place(struct r2r_bases *bases, struct r2r_image *const *images,
               size_t n, const uint64_t *addresses, size_t count)
{
    struct search s = {
        .bases = bases,
        .images = images,
        .images_count = n,
    };

    take_addresses(&s, addresses, count);
    do
        drop_explained(&s);
    while (s.addresses.len >= FEWEST_CALLS && take_next(&s));
    vec_release(&s.addresses);
    vec_release(&s.candidates);
    map_release(&s.ids);
}
