/* What a symbol server may still be asked for. */
#include "symbols/find/online/ask.h"

#include <time.h>

#include "tests/support/suite.h"

enum { LONG = 1000000, SHORT = 20 };

static void wait_ms(long ms)
{
    struct timespec pause = {.tv_nsec = ms * 1000000};

    nanosleep(&pause, NULL);
}

static struct online *new_online(int64_t ms)
{
    return online_new(
        &(struct online_limits){.server_ms = ms, .server_bytes = 100}, "test");
}

/* NULL: it may be asked, for so many bytes. */
static void check(struct online *all, struct server *s, const char *refusal,
                  uint64_t bytes)
{
    struct allowance left;
    char reason[80] = "";
    bool may = server_begin(all, s, &left, reason, sizeof(reason));

    ck_assert(may == !refusal);
    ck_assert_str_eq(reason, refusal ? refusal : "");
    ck_assert_uint_eq(left.bytes, bytes);
}

TEST(bytes)
{
    struct online *all = new_online(LONG);
    struct server *s = server_get(all, "https://a"),
                  *other = server_get(all, "https://b");

    ck_assert_ptr_eq(server_get(all, "https://a"), s);
    ck_assert_ptr_ne(other, s);
    check(all, s, NULL, 100);
    ck_assert(server_spend(all, s, 60));
    check(all, s, NULL, 40); /* two at a time */
    ck_assert(server_spend(all, s, 40));
    server_end(all, s, NULL);
    check(all, s, "the server's share of bytes is used up", 0);
    ck_assert(!server_spend(all, s, 1));
    check(all, s, "the server's share of bytes is used up", 0);
    server_end(all, s, NULL);
    check(all, other, NULL, 100);
    server_end(all, other, NULL);
    online_free(all);
}

static int64_t time_left(struct online *all, struct server *s)
{
    struct allowance left;
    char reason[80];

    if (server_begin(all, s, &left, reason, sizeof(reason)))
        server_end(all, s, NULL);
    return left.ms;
}

/* It runs while somebody asks. */
TEST(time_goes_by)
{
    struct online *all = new_online(LONG);
    struct server *s = server_get(all, "https://a");

    ck_assert_int_eq(time_left(all, s), LONG);
    check(all, s, NULL, 100);
    wait_ms(SHORT);
    ck_assert_int_le(time_left(all, s), LONG - SHORT); /* asked meanwhile */
    wait_ms(SHORT);
    server_end(all, s, NULL);
    ck_assert_int_le(time_left(all, s), LONG - 2 * SHORT);
    ck_assert_int_gt(time_left(all, s), 0);
    online_free(all);
}

TEST(time_is_used_up)
{
    struct online *all = new_online(SHORT);
    struct server *s = server_get(all, "https://a");
    struct allowance left;
    char reason[80];

    check(all, s, NULL, 100);
    wait_ms(SHORT + 1);
    server_end(all, s, NULL);
    ck_assert(!server_begin(all, s, &left, reason, sizeof(reason)));
    ck_assert_str_eq(reason, "the server's share of time is used up");
    ck_assert_int_eq(left.ms, 0);
    online_free(all);
}

TEST(failures)
{
    struct online *all = new_online(LONG);
    struct server *s = server_get(all, "https://a");

    check(all, s, NULL, 100);
    check(all, s, NULL, 100);
    server_end(all, s, "no route");
    server_end(all, s, "timeout");
    check(all, s, "the server failed before: no route", 100);
    online_free(all);
}
