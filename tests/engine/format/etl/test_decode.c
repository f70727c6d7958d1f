/* One buffer's records as facts. */
#include "tests/support/etl_one_buffer.h"
#include "tests/support/suite.h"

enum { TIME = 5000, TID = 7, PID = 40 };

#define U(n) (0x401000u + (n))
#define K(n) (0xFFFFF80000001000u + (n))

static struct one_buffer l;

static const struct etl_fact *fact(size_t i)
{
    ck_assert_uint_lt(i, l.out.facts.len);
    return &l.out.facts.data[i];
}

static void put_sample(unsigned width, uint64_t time, uint32_t tid,
                       uint8_t bits, size_t missing)
{
    size_t start = l.b.len;

    raw_kernel(&l.b, width, 0x0F2E, 2, time);
    blob_number(&l.b, U(1), width);
    blob_pack(&l.b, "IHBB", tid, 1, bits, 0);
    l.b.len -= missing;
    one_buffer_end_record(&l, start);
}

TEST(samples)
{
    one_buffer_begin(&l);
    put_sample(8, TIME, TID, 0xFF, 0);
    put_sample(4, TIME + 1, TID + 1, 0, 0);
    put_sample(8, TIME + 2, TID, 0, 1);
    put_sample(4, TIME + 3, TID, 0, 1);
    one_buffer_decode(&l, NULL);
    ck_assert_uint_eq(l.out.facts.len, 2);
    ck_assert_int_eq(fact(0)->kind, ETL_SAMPLE);
    ck_assert_uint_eq(fact(0)->time, TIME);
    ck_assert_uint_eq(fact(0)->value, U(1));
    ck_assert_uint_eq(fact(0)->tid, TID);
    ck_assert_uint_eq(fact(0)->cpu, ONE_BUFFER_CPU);
    ck_assert_uint_eq(fact(0)->bits, ETL_BIT_DPC | ETL_BIT_ISR);
    ck_assert_uint_eq(fact(1)->value, U(1));
    ck_assert_uint_eq(fact(1)->tid, TID + 1);
    ck_assert_uint_eq(fact(1)->bits, 0);
    ck_assert_uint_eq(l.counts.malformed, 2);
    ck_assert_uint_eq(l.counts.hooks[0x0F2E], 4);
    ck_assert_uint_eq(l.out.last_time, TIME + 3);
    ck_assert_ptr_null(l.out.damage);
    one_buffer_end(&l);
}

static void put_stack(unsigned width, struct addresses frames, size_t missing)
{
    size_t start = l.b.len;

    raw_kernel(&l.b, width, 0x1820, 2, TIME);
    blob_pack(&l.b, "QII", TIME - 1, PID, TID);
    for (uint32_t i = 0; i < frames.count; i++)
        blob_number(&l.b, frames.list[i], width);
    l.b.len -= missing;
    one_buffer_end_record(&l, start);
}

/* "kernel 1,2" or "user 1": a part's last digits. */
static const char *part(size_t i)
{
    static char text[100];
    const struct etl_fact *f = fact(i);
    struct callchain frames = etl_fact_frames(f);
    int n = snprintf(text, sizeof(text), f->user ? "user" : "kernel");

    ck_assert_uint_eq(f->time, TIME);
    for (uint32_t k = 0; k < f->count; k++)
        n += snprintf(text + n, sizeof(text) - (size_t)n, "%c%x", k ? ',' : ' ',
                      (unsigned)callchain_frame(&frames, k) & 15u);
    return text;
}

TEST(stacks)
{
    one_buffer_begin(&l);
    put_stack(8, RUN(K(1), K(2), U(3)), 0);
    put_stack(8, RUN(K(4)), 0);
    put_stack(8, RUN(U(5), K(6), U(7)), 0);
    put_stack(8, RUN(K(1), U(2), K(3)), 0);
    put_stack(4, RUN(U(8), U(9)), 0);
    put_stack(8, RUN(U(10), U(11)), 1);
    put_stack(8, RUN(U(10)), 1);
    put_stack(4, RUN(U(10)), 1);
    one_buffer_decode(&l, NULL);
    ck_assert_uint_eq(l.out.facts.len, 7);
    ck_assert_str_eq(part(0), "kernel 1,2");
    ck_assert_str_eq(part(1), "user 3");
    ck_assert_str_eq(part(2), "kernel 4");
    ck_assert_str_eq(part(3), "user 5,6,7");
    ck_assert_str_eq(part(4), "kernel 1,2,3");
    ck_assert_str_eq(part(5), "user 8,9");
    ck_assert_str_eq(part(6), "user a");
    for (size_t i = 0; i < 7; i++) {
        ck_assert_int_eq(fact(i)->kind, ETL_PART);
        ck_assert_uint_eq(fact(i)->value, TIME - 1);
        ck_assert_uint_eq(fact(i)->pid, PID);
        ck_assert_uint_eq(fact(i)->tid, TID);
    }
    ck_assert_uint_eq(l.counts.malformed, 2);
    ck_assert_uint_eq(l.out.runs.len, 7);
    for (uint32_t i = 0; i < 7; i++)
        ck_assert_uint_eq(l.out.runs.data[i].fact, i);
    ck_assert_uint_ne(l.out.runs.data[0].print.hash,
                      l.out.runs.data[1].print.hash);
    one_buffer_end(&l);
}

static void put_key(unsigned width, unsigned hook, uint64_t key, size_t missing)
{
    size_t start = l.b.len;

    raw_kernel(&l.b, width, hook, 2, TIME);
    blob_pack(&l.b, "QII", TIME - 1, PID, TID);
    blob_number(&l.b, key, width);
    l.b.len -= missing;
    one_buffer_end_record(&l, start);
}

TEST(keyed_stacks)
{
    one_buffer_begin(&l);
    put_key(8, 0x1825, 0xA, 0);
    put_key(4, 0x1826, 0xB, 0);
    put_key(8, 0x1825, 0xA, 1);
    put_key(4, 0x1825, 0xA, 1);
    one_buffer_decode(&l, NULL);
    ck_assert_uint_eq(l.out.facts.len, 2);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_int_eq(fact(i)->kind, ETL_KEYED_PART);
        ck_assert_uint_eq(fact(i)->value, TIME - 1);
        ck_assert_uint_eq(fact(i)->pid, PID);
        ck_assert_uint_eq(fact(i)->tid, TID);
        ck_assert_uint_eq(fact(i)->key, 0xA + i);
        ck_assert(fact(i)->user == (i == 1));
    }
    ck_assert_uint_eq(l.counts.malformed, 2);
    one_buffer_end(&l);
}

static void put_definition(unsigned width, unsigned hook, uint64_t key,
                           struct addresses frames, size_t missing)
{
    size_t start = l.b.len;

    raw_kernel(&l.b, width, hook, 2, TIME);
    blob_number(&l.b, key, width);
    for (uint32_t i = 0; i < frames.count; i++)
        blob_number(&l.b, frames.list[i], width);
    l.b.len -= missing;
    one_buffer_end_record(&l, start);
}

TEST(definitions_of_keys)
{
    one_buffer_begin(&l);
    put_definition(8, 0x1822, 0xA, RUN(K(1), K(2)), 0);
    put_definition(4, 0x1823, 0xB, RUN(U(3)), 0);
    put_definition(8, 0x1824, 0xC, RUN(U(4), U(5)), 1);
    put_definition(8, 0x1822, 0xD, RUN(U(6)), 1);
    put_definition(4, 0x1822, 0xD, RUN(U(6)), 1);
    one_buffer_decode(&l, NULL);
    ck_assert_uint_eq(l.out.facts.len, 3);
    ck_assert_str_eq(part(0), "kernel 1,2");
    ck_assert_str_eq(part(1), "user 3");
    ck_assert_str_eq(part(2), "user 4");
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(fact(i)->kind, ETL_DEFINITION);
        ck_assert_uint_eq(fact(i)->value, 0xA + i);
    }
    ck_assert_uint_eq(l.counts.malformed, 2);
    one_buffer_end(&l);
}

/* Facts come in order of time; of one time, as they stand. */
TEST(out_of_order)
{
    static const uint32_t order[] = {3, 1, 4, 2};

    one_buffer_begin(&l);
    put_sample(8, TIME + 2, 1, 0, 0);
    put_sample(8, TIME + 4, 2, 0, 0);
    put_sample(8, TIME + 1, 3, 0, 0);
    put_sample(8, TIME + 3, 4, 0, 0);
    put_key(8, 0x1825, 0xA, 0);
    put_key(8, 0x1825, 0xB, 0);
    one_buffer_decode(&l, NULL);
    ck_assert_uint_eq(l.out.facts.len, 6);
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(fact(i + 2)->tid, order[i]);
    ck_assert_uint_eq(fact(0)->time, TIME);
    ck_assert_uint_eq(l.out.last_time, TIME + 4);
    one_buffer_end(&l);
}

/* A run knows where its fact went. */
TEST(runs_out_of_order)
{
    one_buffer_begin(&l);
    put_sample(8, TIME + 2, 1, 0, 0);
    put_stack(8, RUN(U(1)), 0);
    put_sample(8, TIME - 1, 2, 0, 0);
    put_stack(8, RUN(U(2)), 0);
    one_buffer_decode(&l, NULL);
    ck_assert_uint_eq(l.out.facts.len, 4);
    ck_assert_uint_eq(l.out.runs.len, 2);
    ck_assert_str_eq(part(l.out.runs.data[0].fact), "user 1");
    ck_assert_str_eq(part(l.out.runs.data[1].fact), "user 2");
    one_buffer_end(&l);
}

TEST(a_record_beyond_the_end)
{
    size_t start;

    one_buffer_begin(&l);
    put_sample(8, TIME, TID, 0, 0);
    start = l.b.len;
    put_sample(8, TIME + 1, TID, 0, 0);
    blob_set(&l.b, start + 4, 40, 2);
    one_buffer_decode(&l, NULL);
    ck_assert_uint_eq(l.out.facts.len, 1);
    ck_assert_uint_eq(l.out.damaged_at, start - BUFFER_HEADER);
    ck_assert_str_eq(l.out.damage, "a record does not fit its buffer");
    one_buffer_end(&l);
}
