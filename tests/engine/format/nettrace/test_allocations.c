/* Allocations of .NET: what they weigh, and by which names they are asked for.
 * `allocation` weighs bytes, as stacks of allocations in PerfView do; the
 * event's own names count it. */
#include "engine/analysis/filter.h"
#include "engine/events/events.h"
#include "engine/input/recording.h"

#include "tests/support/nettrace_writer.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

static const char runtime[] = "Microsoft-Windows-DotNETRuntime";

enum { TICK_1 = 1, TICK_4, SAMPLED, OTHER };

/* u32 amount, u32 kind, u16 instance; since version 2 u64 amount, ptr type and
 * more. */
static void put_tick(byte_vec *to, uint32_t amount, uint64_t whole)
{
    blob_pack(to, "IIH", amount, 0, 3);
    if (!whole)
        return;
    blob_pack(to, "QQ", whole, 0x1000);
    put_utf16(to, "System.Object[]");
    put_number(to, 0, 4);
}

static void put_sampled(byte_vec *to, uint64_t size)
{
    blob_pack(to, "IHQ", 0, 3, 0x1000);
    put_utf16(to, "System.Object[]");
    blob_pack(to, "QQ", 0x2000, size);
}

static void write_event(struct nettrace_writer *w, uint32_t kind, uint64_t time,
                        byte_vec *payload)
{
    nettrace_event(w, &(struct nettrace_event){.kind = kind,
                                               .thread = 1,
                                               .capture_thread = 1,
                                               .stack = 1,
                                               .time = time,
                                               .payload = payload->data,
                                               .size = payload->len});
    vec_release(payload);
}

/* Ticks of 1,000, of 5 GB, and one cut off; a sampled allocation. */
static struct nettrace_writer *recording(void)
{
    static const uint64_t frames[] = {0x10, 0x20};
    struct nettrace_writer *w = nettrace_writer_new(5, true);
    byte_vec payload = {0};

    nettrace_kind(w, TICK_1, runtime, 10, "", 1);
    nettrace_kind(w, TICK_4, runtime, 10, "", 4);
    nettrace_kind(w, SAMPLED, runtime, 303, "", 0);
    nettrace_kind(w, OTHER, runtime, 11, "", 0);
    nettrace_stack(w, 1, frames, 2);
    put_tick(&payload, 1000, 0);
    write_event(w, TICK_1, 1000, &payload);
    put_tick(&payload, 7, 5000000000);
    write_event(w, TICK_4, 2000, &payload);
    put_number(&payload, 3, 2);
    write_event(w, TICK_4, 3000, &payload);
    put_sampled(&payload, 1u << 30);
    write_event(w, SAMPLED, 4000, &payload);
    put_number(&payload, 3, 2);
    write_event(w, OTHER, 5000, &payload);
    nettrace_end(w);
    return w;
}

static struct profile *read_path(const char *path, const char *event,
                                 struct err *err)
{
    struct read_options options = {.event = event};

    return recording_take(recording_open(&path, 1, &options, err));
}

static uint64_t weight_of(const struct profile *p)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < p->samples.len; i++)
        sum += sample_weight(p, i);
    return sum;
}

static void check(const char *path, const char *event, size_t samples,
                  uint64_t weight, const char *metric)
{
    struct err err = {0};
    struct profile *p = read_path(path, event, &err);

    ck_assert_msg(p != NULL, "%s: %s", event, err.message);
    ck_assert_msg(p->samples.len == samples, "%s: %zu", event, p->samples.len);
    ck_assert_msg(weight_of(p) == weight, "%s: %llu", event,
                  (unsigned long long)weight_of(p));
    ck_assert_str_eq(profile_metric_word(p), metric);
    profile_free(p);
}

TEST(bytes_or_events)
{
    /* Of one that does not tell it is 1. */
    const uint64_t bytes = 1000 + UINT64_C(5000000000) + 1 + (1u << 30);
    static const char *const names[] = {
        "GC/AllocationTick",
        "gc/allocationtick",
        "Microsoft-Windows-DotNETRuntime/GC/AllocationTick",
        "Microsoft-Windows-DotNETRuntime/GCAllocationTick",
        "Microsoft-Windows-DotNETRuntime/10",
    };
    struct nettrace_writer *w = recording();
    char path[TEMP_PATH];

    temp_file(path, w->out.data, w->out.len);
    check(path, "allocation", 4, bytes, "allocated-bytes");
    for (size_t i = 0; i < COUNT(names); i++)
        check(path, names[i], 3, 3, names[i]);
    check(path, "GC/CreateConcurrentThread", 1, 1, "GC/CreateConcurrentThread");
    unlink(path);
    nettrace_writer_free(w);
}

TEST(names_that_are_none)
{
    static const char *const names[] = {"GC",
                                        "GC/",
                                        "GC/Start",
                                        "AllocationTick",
                                        "Microsoft-Windows-DotNETRuntime/GC",
                                        "/10"};
    struct nettrace_writer *w = recording();
    char path[TEMP_PATH];

    temp_file(path, w->out.data, w->out.len);
    for (size_t i = 0; i < COUNT(names); i++) {
        struct err err = {0};

        ck_assert_msg(!read_path(path, names[i], &err), "%s", names[i]);
        ck_assert_int_eq(err.code, ERR_NOT_FOUND);
        ck_assert_ptr_nonnull(strstr(
            err.message, "--event accepts allocation or a name that topfn"));
    }
    unlink(path);
    nettrace_writer_free(w);
}

/* How many there are the reference library's listing says; the bytes are what
 * AllocationAmount64 of all of them adds up to. */
TEST(real_recordings)
{
    static const struct {
        const char *folder, *name;
        size_t ticks;
        uint64_t bytes;
    } cases[] = {
        {"nettrace", "eventpipe-dotnetcore3.0-win-x64-objver4.nettrace", 35458,
         4235066536},
        {"etl", "net.4.5.2.x86.etl", 3196, 341341280},
        {"etl", "gcevents.etl", 12, 1449944},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        char *path = traces_path(cases[i].folder, cases[i].name, "");

        if (access(path, R_OK)) {
            suite_skip(1, cases[i].name);
        } else {
            check(path, "allocation", cases[i].ticks, cases[i].bytes,
                  "allocated-bytes");
            check(path, "GC/AllocationTick", cases[i].ticks, cases[i].ticks,
                  "GC/AllocationTick");
        }
        free(path);
    }
}
