/* Recordings on their way to a fleet: their rows, and what is sent when. */
#include "engine/fleet/batch.h"

#include "engine/base/reader.h"
#include "engine/fleet/clickhouse.h"
#include "tests/support/pushing.h"

static void set_all(struct profile *p)
{
    p->trace.machine = strings_add(p->strings, "web1", 4);
    p->trace.os = strings_add(p->strings, "Linux", 5);
    p->trace.start_unix_ns = 3 * INT64_C(86400000000000) + 999999999;
    p->trace.pointer_size = 8;
    p->trace.idle_not_kept = 31;
    p->trace.events = 32;
    p->quality.lost_events = 33;
    p->quality.lost_buffers = 34;
    p->quality.skipped_bytes = 35;
    p->quality.skipped_ranges = 36;
    p->quality.malformed = 37;
    p->quality.cut_stacks = 38;
}

TEST(recordings)
{
    static const struct fleet_label labels[] = {{"version", "2.1"},
                                                {"branch", ""}};
    struct fleet_rows rows = {.count = 0};
    struct profile *p = small_profile("a!b;a!+0x20", 3);

    set_all(p);
    add(p, &(struct fleet_recording){.hash = "h",
                                     .time = 5,
                                     .pushed = 400000,
                                     .slice_ns = 7,
                                     .labels = labels,
                                     .label_count = 2,
                                     .busy = 3,
                                     .complete = 2,
                                     .unnamed = 1});
    p = small_profile("a!b", 1);
    set_all(p);
    p->trace.start_unix_ns = 0;
    p->trace.duration_ns = p->trace.interval_ns = -1;
    p->trace.files.len = 0;
    add(p, &(struct fleet_recording){.hash = "i",
                                     .host = "web2",
                                     .time = 86399,
                                     .pushed = -1,
                                     .slice_ns = 1});
    p = small_profile("a!b", 1);
    add(p, &(struct fleet_recording){.hash = "j",
                                     .time = INT64_C(1) << 32,
                                     .pushed = UINT32_MAX,
                                     .slice_ns = 1});
    assert_sends(3, 5);
    assert_rows(&rows, FLEET_RUNS,
                "@1 'h' 'app.etl' 'web1' 'Linux' 'etl' 'cpu-samples' 259200 "
                "400000 ['branch','version'] ['','2.1'] 3000000 1000000 7 8 8 "
                "3 3 2 1 1 31 32 33 34 35 36 37 38\n"
                "@2 'i' '' 'web2' 'Linux' 'etl' 'cpu-samples' 86399 0 [] [] 0 "
                "0 1 8 8 1 0 0 0 1 31 32 33 34 35 36 37 38\n"
                "@3 'j' 'app.etl' '' '' 'etl' 'cpu-samples' 4294967295 "
                "4294967295 [] [] 1000000 1000000 1 8 0 1 0 0 0 1 0 0 0 0 0 0 "
                "0 0\n");
    assert_rows(&rows, FLEET_SAMPLES,
                "@1 3 @4 0 1\n"
                "@1 3 @4 142857 1\n"
                "@1 3 @4 285714 1\n"
                "@2 0 @5 0 1\n"
                "@3 49710 @5 0 1\n");
    fleet_rows_release(&rows);
}

/* ---- what is sent ---- */

static const struct fleet_recording h = {.hash = "h", .slice_ns = 1000000000};
static const struct fleet_recording g = {.hash = "g", .slice_ns = 1000000000};

/* Names of the tables that got rows from the nth statement on. */
static void assert_tables(size_t n, const char *wanted)
{
    char names[200] = "";

    for (; n < fleet_stand_in_count(server); n++) {
        const char *sql = fleet_stand_in_told(server, n)->sql;

        if (!strncmp(sql, "INSERT INTO ", 12))
            strncat(names, sql + 12, strcspn(sql + 12, " ") + 1);
    }
    ck_assert_str_eq(names, wanted);
}

#define CONTENT "processes modules functions locations stacks "

/* What has names is there before what refers to it; recordings are last. */
TEST(what_is_known_is_sent_once)
{
    size_t n;

    add(small_profile("a!b", 2), &h);
    assert_sends(1, 1);
    assert_tables(0, CONTENT "samples runs ");
    n = fleet_stand_in_count(server);
    add(small_profile("a!b", 3), &g);
    assert_sends(1, 1);
    assert_tables(n, "samples runs ");
    n = fleet_stand_in_count(server);
    add(small_profile("a!c", 3), &h);
    assert_sends(1, 1);
    assert_tables(n, "functions locations stacks samples runs ");
}

/* A recording is there when all of it is; what was not sent is sent again. */
TEST(attempts)
{
    static const struct {
        const char *refused;
        const char *first, *second;
    } cases[] = {
        {"INSERT INTO modules", "processes modules ",
         "modules functions locations stacks samples runs "},
        {"INSERT INTO samples", CONTENT "samples ", "samples runs "},
        {"INSERT INTO runs", CONTENT "samples runs ", "samples runs "},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct batch_sent sent = {0};
        struct err err = {0};
        size_t n;

        fleet_stand_in_refuse(server, cases[i].refused,
                              "Code: 241. DB::Exception: memory");
        fleet_stand_in_reply(server, cases[i].refused, NULL);
        add(small_profile("a!b", 2), &h);
        ck_assert_int_eq(batch_send(batch, fleet, &sent, &err), ERR_DATABASE);
        ck_assert_uint_eq(sent.runs + sent.rows, 0);
        assert_tables(0, cases[i].first);
        n = fleet_stand_in_count(server);
        add(small_profile("a!b", 2), &h);
        assert_sends(1, 1);
        assert_tables(n, cases[i].second);
        pushing_end();
        pushing_begin();
    }
}

TEST(full)
{
    for (unsigned i = 0; i < 499; i++)
        add(small_profile("a!b", 1), &h);
    ck_assert(!batch_is_full(batch));
    add(small_profile("a!b", 1), &h);
    ck_assert(batch_is_full(batch));
    assert_sends(500, 500);
    ck_assert(!batch_is_full(batch));
}

TEST(which_are_there)
{
    static const char *const hashes[] = {"aa", "a", "", "b"};
    struct out *there = out_memory();
    struct err err = {0};
    bool *found;

    row_text(there, "a");
    row_text(there, "b");
    row_text(there, "");
    fleet_stand_in_reply(server, "SELECT hash", there);
    found = fleet_has(fleet, hashes, 4, &err);
    ck_assert_ptr_nonnull(found);
    ck_assert(!found[0] && found[1] && !found[2] && found[3]);
    free(found);
    there = out_memory();
    row_u8(there, 5); /* a text that is cut off */
    fleet_stand_in_reply(server, "SELECT hash", there);
    ck_assert_ptr_null(fleet_has(fleet, hashes, 4, &err));
    ck_assert_int_eq(err.code, ERR_CORRUPT);
}

SUITE_FIXTURE(pushing_begin, pushing_end)
