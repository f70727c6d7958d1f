/* Runs of a process as rows of places. */
#include "engine/attribution/stack_parts.h"

#include "tests/support/observed.h"
#include "tests/support/suite.h"

static struct observed o;
static struct stack_parts parts;

static void begin(size_t processes)
{
    observed_begin(&o);
    for (size_t i = 0; i < processes; i++)
        *vec_add(&o.p->processes) = (struct process){.pid = (uint32_t)i};
}

static void number(unsigned threads)
{
    struct threads *pool = threads_new(threads);

    stack_parts_number(&parts, pool);
    threads_free(pool);
}

static void end(void)
{
    stack_parts_release(&parts);
    observed_end(&o);
}

static uint32_t run_of(struct addresses list, const uint8_t *exact)
{
    uint8_t bytes[8 * 8];
    struct callchain run = {bytes, list.count, 8, exact};

    for (uint32_t i = 0; i < 8 * list.count; i++)
        bytes[i] = (uint8_t)(list.list[i / 8] >> 8 * (i % 8));
    return callchains_add(&o.seen->callchains, &run,
                          callchain_fingerprint(&run), false);
}

static const struct place *place_at(uint32_t part, uint32_t i)
{
    const struct stack_part *p = &parts.list.data[part];

    return stack_parts_place(&parts, p, p->row[i]);
}

static void check_place(uint32_t part, uint32_t i, uint64_t address,
                        bool caller)
{
    const struct place *place = place_at(part, i);

    ck_assert_uint_eq(place->address, address);
    ck_assert_int_eq(place->caller, caller);
    ck_assert_int_eq(place->since, 5);
}

/* Outermost first; an address that is both a caller and a leaf is two
 * places. */
START_TEST(an_address_in_a_role_is_a_place)
{
    uint32_t one, other;

    begin(1);
    one = run_of(RUN(0x30, 0x20, 0x10), NULL);
    other = run_of(RUN(0x20, 0x10), NULL);
    stack_parts_init(&parts, o.seen);
    ck_assert_uint_eq(stack_parts_add(&parts, 0, one, 5), 0);
    ck_assert_uint_eq(stack_parts_add(&parts, 0, other, 5), 1);
    ck_assert_uint_eq(stack_parts_add(&parts, 0, one, 5), 0);
    number(1);
    check_place(0, 0, 0x10, true);
    check_place(0, 1, 0x20, true);
    check_place(0, 2, 0x30, false);
    check_place(1, 1, 0x20, false);
    ck_assert_ptr_eq(place_at(0, 0), place_at(1, 0));
    ck_assert_uint_eq(parts.processes[0].list.len, 4);
    end();
}
END_TEST

/* What the recorder says of frames holds for one run, not for its like. */
START_TEST(roles_as_recorded)
{
    static const uint8_t second[] = {0, 1, 0};

    for (uint32_t first = 0; first < 2; first++) {
        uint32_t plain, exact;

        begin(1);
        plain = run_of(RUN(0x30, 0x20, 0x10), NULL);
        exact = run_of(RUN(0x30, 0x20, 0x10), second);
        stack_parts_init(&parts, o.seen);
        stack_parts_add(&parts, 0, first ? exact : plain, 5);
        stack_parts_add(&parts, 0, first ? plain : exact, 5);
        number(1);
        check_place(first, 1, 0x20, true);
        check_place(1 - first, 1, 0x20, false);
        ck_assert_ptr_eq(place_at(0, 0), place_at(1, 0));
        end();
    }
}
END_TEST

/* The user code that called back into the kernel was interrupted there. */
START_TEST(a_role_goes_by_the_next_frame)
{
    uint32_t out, through;

    begin(1);
    out = run_of(RUN(0x30, 0x20, 0x10), NULL);
    through = run_of(RUN(0x30, KERNEL, 0x20, 0x10), NULL);
    stack_parts_init(&parts, o.seen);
    stack_parts_add(&parts, 0, out, 5);
    stack_parts_add(&parts, 0, through, 5);
    number(1);
    check_place(0, 1, 0x20, true);
    check_place(1, 1, 0x20, false);
    check_place(1, 2, KERNEL, true);
    end();
}
END_TEST

/* One run in many processes, whatever the number of threads. */
START_TEST(processes_apart)
{
    enum { PROCESSES = 40 };

    for (unsigned threads = 1; threads <= 8; threads += 7) {
        uint32_t run;

        begin(PROCESSES);
        run = run_of(RUN(0x30, 0x20, 0x10), NULL);
        stack_parts_init(&parts, o.seen);
        for (uint32_t i = 0; i < PROCESSES; i++)
            ck_assert_uint_eq(stack_parts_add(&parts, i, run, 5), i);
        for (uint32_t i = 0; i < PROCESSES; i++)
            ck_assert_uint_eq(stack_parts_add(&parts, i, run, 5), i);
        number(threads);
        for (uint32_t i = 0; i < PROCESSES; i++) {
            check_place(i, 2, 0x30, false);
            ck_assert_uint_eq(parts.processes[i].list.len, 3);
        }
        end();
    }
}
END_TEST

int main(void)
{
    return suite_run("stack parts", an_address_in_a_role_is_a_place,
                     roles_as_recorded, a_role_goes_by_the_next_frame,
                     processes_apart);
}
