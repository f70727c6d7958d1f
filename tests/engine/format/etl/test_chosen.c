/* Events of one buffer that are its samples, and what they weigh. */
#include "engine/format/etl/etl.h"

#include "tests/support/etl_one_buffer.h"
#include "tests/support/suite.h"

enum { TIME = 5000, PID = 40, OWN_TID = 7, TID = 9 };

#define U(n) (0x401000u + (n))

static const uint8_t runtime[16] = {0x23, 0x0d, 0x3c, 0xe1, 0xbc, 0xcc,
                                    0x12, 0x4e, 0x93, 0x1b, 0xd9, 0xcc,
                                    0x2e, 0xee, 0x27, 0xe4};
static const uint8_t stranger[16] = {4, 3, 2, 1, 6, 5, 8, 7,
                                     1, 2, 3, 4, 5, 6, 7, 8};
static const char stranger_name[] = "01020304-0506-0708-0102-030405060708";

static struct one_buffer l;
static size_t start;

static const struct etl_fact *fact(size_t i)
{
    ck_assert_uint_lt(i, l.out.facts.len);
    return &l.out.facts.data[i];
}

static void put_kernel(unsigned width, unsigned hook)
{
    start = l.b.len;
    raw_kernel(&l.b, width, hook, 2, TIME);
}

static void end_record(size_t missing)
{
    l.b.len -= missing;
    one_buffer_end_record(&l, start);
}

/* ---- counters ---- */

static void put_counter(unsigned width, uint16_t source, size_t missing)
{
    put_kernel(width, 0x0F2F);
    blob_number(&l.b, U(1), width);
    blob_pack(&l.b, "IH", TID, source);
    end_record(missing);
}

TEST(counters)
{
    one_buffer_begin(&l);
    put_counter(8, 10, 0);
    put_counter(4, 63, 0);
    put_counter(8, 64, 0);
    put_counter(8, 10, 1);
    put_counter(4, 10, 1);
    one_buffer_decode(&l, "pmc");
    ck_assert_uint_eq(l.out.facts.len, 3);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(fact(i)->kind, ETL_SAMPLE);
        ck_assert_uint_eq(fact(i)->value, U(1));
        ck_assert_uint_eq(fact(i)->tid, TID);
        ck_assert_uint_eq(fact(i)->bits, 0);
    }
    ck_assert_uint_eq(l.counts.malformed, 2);
    ck_assert_uint_eq(l.counts.sources, (uint64_t)1 << 10 | (uint64_t)1 << 63);
    one_buffer_decode(&l, "pmc:64");
    ck_assert_uint_eq(l.out.facts.len, 1);
    l.without_idle = true;
    put_kernel(8, 0x0F2F);
    blob_zero(&l.b, 14);
    end_record(0);
    one_buffer_decode(&l, "pmc:0");
    ck_assert_uint_eq(l.out.facts.len, 0);
    ck_assert_uint_eq(l.counts.idle_not_kept, 1);
    one_buffer_end(&l);
}

/* ---- whose they are ---- */

/* A switch is an event of the thread that runs then. */
TEST(thread_that_is_switched_to)
{
    one_buffer_begin(&l);
    l.without_idle = true;
    for (uint32_t tid = 0; tid < 2; tid++) {
        put_kernel(8, 0x0524);
        blob_u32(&l.b, tid ? TID : 0);
        end_record(0);
    }
    put_kernel(8, 0x0524);
    blob_zero(&l.b, 3);
    end_record(0);
    one_buffer_decode(&l, "cswitch");
    ck_assert_uint_eq(l.out.facts.len, 2);
    ck_assert_uint_eq(fact(0)->tid, TID);
    ck_assert_uint_eq(fact(1)->bits, ETL_BIT_NO_ADDRESS | ETL_BIT_NO_THREAD);
    one_buffer_end(&l);
}

TEST(classic_events)
{
    char name[60];

    one_buffer_begin(&l);
    for (unsigned opcode = 11; opcode <= 12; opcode++) {
        start = l.b.len;
        raw_classic(&l.b, 8, stranger, opcode, 0, PID, TIME);
        end_record(0);
    }
    snprintf(name, sizeof(name), "%s#12", stranger_name);
    one_buffer_decode(&l, name);
    ck_assert_uint_eq(l.out.facts.len, 1);
    ck_assert_uint_eq(fact(0)->tid, OWN_TID);
    ck_assert_uint_eq(fact(0)->bits, ETL_BIT_NO_ADDRESS);
    snprintf(name, sizeof(name), "%s/12", stranger_name);
    one_buffer_decode(&l, name); /* of a provider, not of a class */
    ck_assert_uint_eq(l.out.facts.len, 0);
    one_buffer_end(&l);
}

/* ---- weights ---- */

static void put_fault(uint64_t from)
{
    put_kernel(8, 0x0220);
    blob_pack(&l.b, "Q28x", from);
    end_record(0);
}

/* Nanoseconds, 1 at least; a tick is a thousand here. */
TEST(time_of_faults)
{
    one_buffer_begin(&l);
    put_fault(TIME - 900);
    put_fault(TIME);
    put_fault(TIME + 1);
    one_buffer_decode(&l, "hard-fault");
    ck_assert_uint_eq(l.out.facts.len, 3);
    ck_assert_uint_eq(fact(0)->weight, 900000);
    ck_assert_uint_eq(fact(1)->weight, 1);
    ck_assert_uint_eq(fact(2)->weight, 1);
    one_buffer_end(&l);
}

static uint64_t fault_weight(uint64_t ticks, uint64_t frequency)
{
    uint8_t payload[8] = {0};
    struct etl_event e = {.at = payload, .size = 8, .time = ticks};
    struct etl_choice choice = {.weighing = WEIGH_FAULT};

    return etl_choice_weight(&choice, &e, frequency);
}

TEST(time_by_the_clock)
{
    ck_assert_uint_eq(fault_weight(30, 10000000), 3000);
    ck_assert_uint_eq(fault_weight(35, 3000000000), 12);
    ck_assert_uint_eq(fault_weight(34, 3000000000), 11);
    ck_assert_uint_eq(fault_weight(34, 0), 1);
    ck_assert_uint_eq(fault_weight(UINT32_MAX + 9ull, 1000000),
                      (UINT32_MAX + 9ull) * 1000);
}

/* Bytes of a heap's block or of address space: behind a pointer. */
TEST(bytes_that_are_reserved)
{
    static const unsigned widths[] = {8, 4};

    one_buffer_begin(&l);
    for (unsigned i = 0; i < 2; i++) {
        put_kernel(widths[i], 0x0262);
        blob_number(&l.b, 0x10000, widths[i]);
        blob_number(&l.b, 0x3000, widths[i]);
        end_record(0);
    }
    put_kernel(8, 0x1021);
    blob_pack(&l.b, "QQ", 0x10000, 64);
    end_record(0);
    put_kernel(8, 0x1021);
    blob_u64(&l.b, 0x10000);
    end_record(0);
    one_buffer_decode(&l, "virtual-alloc");
    ck_assert_uint_eq(l.out.facts.len, 2);
    ck_assert_uint_eq(fact(0)->weight, 0x3000);
    ck_assert_uint_eq(fact(1)->weight, 0x3000);
    one_buffer_decode(&l, "heap-alloc");
    ck_assert_uint_eq(l.out.facts.len, 2);
    ck_assert_uint_eq(fact(0)->weight, 64);
    ck_assert_uint_eq(fact(1)->weight, 1);
    one_buffer_end(&l);
}

/* ---- stacks in or behind an event ---- */

static void put_event(const uint8_t guid[16], unsigned id)
{
    start = l.b.len;
    raw_event(&l.b, 8, guid, id, 0, PID, TIME);
}

static void put_item(unsigned type, bool more, unsigned size)
{
    if (l.b.len == start + 80)
        blob_set(&l.b, start + 4, 1, 1);
    blob_pack(&l.b, "HHHH", (uint16_t)(8 + size), (uint16_t)type, more,
              (uint16_t)size);
    for (unsigned i = 0; i < size; i++)
        blob_u8(&l.b, (uint8_t)(i / 4));
    blob_align(&l.b, 8);
}

/* Items of 32 and 64 bits, behind a number of 8 bytes; of other kinds or
 * without a frame they are none. */
TEST(stacks_in_items)
{
    one_buffer_begin(&l);
    put_event(runtime, 80);
    put_item(11, true, 24);
    put_item(6, true, 24);
    put_item(5, true, 16);
    put_item(6, true, 15);
    put_item(5, true, 11);
    put_item(17, true, 24);
    put_item(6, true, 16);
    put_item(5, false, 12);
    end_record(0);
    one_buffer_decode(&l, "exception");
    ck_assert_uint_eq(l.out.facts.len, 5);
    ck_assert_int_eq(fact(0)->kind, ETL_SAMPLE);
    ck_assert_uint_eq(fact(0)->tid, OWN_TID);
    ck_assert_uint_eq(fact(0)->pid, PID);
    ck_assert_uint_eq(fact(0)->bits, ETL_BIT_NO_ADDRESS | ETL_BIT_PROCESS);
    ck_assert_uint_eq(fact(0)->weight, 1);
    for (size_t i = 1; i < 5; i++) {
        ck_assert_int_eq(fact(i)->kind, ETL_PART);
        ck_assert_uint_eq(fact(i)->value, TIME);
        ck_assert_uint_eq(fact(i)->pid, PID);
        ck_assert_uint_eq(fact(i)->tid, OWN_TID);
        ck_assert(fact(i)->wide == (i % 2 == 1));
        ck_assert_uint_eq(fact(i)->count, i < 3 ? 2 : 1);
        ck_assert_uint_eq(load_u32(fact(i)->bytes), 0x02020202);
    }
    ck_assert_uint_eq(l.counts.malformed, 0);
    one_buffer_end(&l);
}

TEST(items_beyond_the_record)
{
    one_buffer_begin(&l);
    put_event(runtime, 80);
    put_item(6, true, 24);
    end_record(0);
    one_buffer_decode(&l, "exception");
    ck_assert_uint_eq(l.out.facts.len, 0);
    ck_assert_uint_eq(l.counts.malformed, 1);
    one_buffer_end(&l);
}

static void put_walk(uint32_t frames, unsigned there, size_t missing)
{
    put_event(runtime, 82);
    blob_pack(&l.b, "II", 0xFFFF, frames);
    for (unsigned i = 0; i < there; i++)
        blob_u64(&l.b, U(i));
    end_record(missing);
}

/* As many frames as it says, and as there are. */
TEST(walks_of_the_runtime)
{
    one_buffer_begin(&l);
    put_walk(2, 2, 0);
    put_walk(1, 2, 0);
    put_walk(3, 2, 0);
    put_walk(2, 2, 1);
    put_walk(2, 1, 1);
    put_walk(0, 1, 0);
    put_walk(2, 0, 0);
    put_walk(2, 0, 1);
    put_event(runtime, 81);
    end_record(0);
    put_event(stranger, 82);
    end_record(0);
    one_buffer_decode(&l, "exception");
    ck_assert_uint_eq(l.out.facts.len, 5);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq(fact(i)->kind, ETL_CLR_STACK);
        ck_assert_uint_eq(fact(i)->pid, PID);
        ck_assert_uint_eq(fact(i)->tid, OWN_TID);
        ck_assert_uint_eq(fact(i)->count, i % 2 ? 1 : 2);
        ck_assert_uint_eq(load_u64(fact(i)->bytes), U(0));
    }
    ck_assert_int_eq(fact(4)->kind, ETL_CLR_EVENT);
    ck_assert_uint_eq(fact(4)->tid, OWN_TID);
    one_buffer_end(&l);
}
