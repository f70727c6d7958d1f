/* Which IL map belongs to which body of a method. */

#include "engine/attribution/clr.h"
#include "tests/support/nettrace_writer.h"
#include "tests/support/suite.h"

enum { PID = 40, THREAD = 41, OTHER = 42 };

/* Facts, and the payloads that they point to. */
struct world {
    struct profile *p;
    struct observations *f;
    VEC(byte_vec) payloads;
    uint32_t ids[8]; /* by method fact: its method */
};

static void begin(struct world *w)
{
    *w = (struct world){.p = profile_new()};
    w->f = observations_new(w->p);
}

static void end(struct world *w)
{
    for (size_t i = 0; i < w->payloads.len; i++)
        vec_release(&w->payloads.data[i]);
    vec_release(&w->payloads);
    observations_free(w->f);
    profile_free(w->p);
}

static const byte_vec *keep(struct world *w, byte_vec payload)
{
    *vec_add(&w->payloads) = payload;
    return &w->payloads.data[w->payloads.len - 1];
}

/* One entry, whose IL tells the maps apart. */
static bool add_map(struct world *w, enum clr_provider provider,
                    uint8_t version, uint64_t thread, int64_t time,
                    uint64_t method, uint64_t rejit, uint32_t il)
{
    struct clr_event event = {.provider = provider,
                              .version = version,
                              .pid = PID,
                              .thread = thread,
                              .time = time};
    byte_vec p = {0};
    const byte_vec *kept;

    blob_pack(&p, "QQBHIIH", method, rejit, 0, 1, il, 0, 0);
    kept = keep(w, p);
    return clr_il_map_take(w->f, &event, kept->data, kept->len);
}

static void meet(struct world *w, enum clr_provider provider, uint64_t thread,
                 int64_t time, uint64_t method, uint64_t start)
{
    struct clr_event event = {
        .provider = provider, .pid = PID, .thread = thread, .time = time};
    byte_vec p = {0};
    const byte_vec *kept;

    blob_pack(&p, "QQQIQ", method, 0, start, 0x100, 0);
    kept = keep(w, p);
    clr_method_met(w->f, &event, kept->data, kept->len);
}

/* A body that was sampled. */
static void add_body(struct world *w, int64_t time, uint64_t method,
                     uint64_t rejit, uint64_t start)
{
    struct observed_method fact = {.time = time,
                                   .pid = PID,
                                   .method_id = method,
                                   .rejit_id = rejit,
                                   .start = start,
                                   .size = 0x100,
                                   .kind = CODE_MANAGED};

    w->ids[w->f->methods.len] = (uint32_t)w->f->methods.len;
    observe_method(w->f, &fact);
}

static int il_of(const struct world *w, uint32_t method)
{
    struct il_map map = il_maps_get(&w->p->il_maps, method);

    return map.count ? map.data[0].il : -1;
}

TEST(by_ids)
{
    struct world w;

    begin(&w);
    add_body(&w, 50, 1, 0, 0x1000);
    add_body(&w, 50, 1, 2, 0x2000);
    add_body(&w, 50, 1, 3, 0x3000);
    w.f->methods.data[2].cold = true;
    add_body(&w, 50, 9, 0, 0x4000);
    ck_assert(add_map(&w, CLR_RUNDOWN, 1, THREAD, 60, 1, 2, 22));
    ck_assert(add_map(&w, CLR_RUNDOWN, 1, THREAD, 60, 1, 0, 20));
    ck_assert(add_map(&w, CLR_RUNDOWN, 1, THREAD, 60, 1, 3, 23));
    match_il_maps(w.f, w.ids);
    ck_assert_int_eq(il_of(&w, 0), 20);
    ck_assert_int_eq(il_of(&w, 1), 22);
    ck_assert_int_eq(il_of(&w, 2), -1);
    ck_assert_int_eq(il_of(&w, 3), -1);
    end(&w);
}

TEST(reused_ids_by_time)
{
    struct world w;

    begin(&w);
    add_body(&w, 10, 1, 0, 0x1000);
    add_body(&w, 90, 1, 0, 0x1000);
    add_body(&w, INT64_MAX, 1, 0, 0x1000);
    ck_assert(add_map(&w, CLR_RUNTIME, 1, THREAD, 91, 1, 0, 91));
    ck_assert(add_map(&w, CLR_RUNTIME, 1, THREAD, 11, 1, 0, 11));
    ck_assert(add_map(&w, CLR_RUNTIME, 1, THREAD, INT64_MIN, 1, 0, 7));
    match_il_maps(w.f, w.ids);
    ck_assert_int_eq(il_of(&w, 0), 11);
    ck_assert_int_eq(il_of(&w, 1), 91);
    ck_assert_int_eq(il_of(&w, 2), 91);
    end(&w);
}

TEST(not_of_another_method)
{
    struct world w;

    begin(&w);
    add_body(&w, 10, 1, 0, 0x1000);
    add_body(&w, 20, 2, 0, 0x2000);
    meet(&w, CLR_RUNTIME, THREAD, 10, 1, 0x1000);
    ck_assert(add_map(&w, CLR_RUNTIME, 0, THREAD, 11, 2, 0, 20));
    ck_assert(add_map(&w, CLR_RUNDOWN, 0, THREAD, 12, 2, 0, 21));
    meet(&w, CLR_RUNDOWN, THREAD, 13, 1, 0x1000);
    meet(&w, CLR_RUNDOWN, THREAD, 14, 2, 0x2000);
    match_il_maps(w.f, w.ids);
    ck_assert_int_eq(il_of(&w, 0), -1);
    ck_assert_int_eq(il_of(&w, 1), -1);
    end(&w);
}

TEST(counts_beyond_the_payload)
{
    struct clr_event event = {.version = 1};
    struct world w;
    byte_vec p = {0};

    begin(&w);
    blob_pack(&p, "QQBHQQB", 1, 0, 0, 2, 0, 0, 0);
    keep(&w, p);
    ck_assert(!clr_il_map_take(w.f, &event, p.data, p.len));
    for (size_t n = 0; n < p.len; n++)
        ck_assert(!clr_il_map_take(w.f, &event, p.data, n));
    p.data[17] = 1;
    ck_assert(clr_il_map_take(w.f, &event, p.data, 29));
    ck_assert(!clr_il_map_take(w.f, &event, p.data, 28));
    ck_assert_uint_eq(w.f->il_maps.len, 1);
    end(&w);
}
