/* .NET runtime events as observations; layouts:
 * engine/attribution/clr-events.md, section 2. */
#include "engine/attribution/clr.h"

#include "tests/support/nettrace_writer.h"
#include "tests/support/observed.h"
#include "tests/support/suite.h"

enum { PID = 40 };

static struct observed o;
static byte_vec payload;

static void begin(void)
{
    observed_begin(&o);
}

static void end(void)
{
    vec_release(&payload);
    observed_end(&o);
}

/* Hands the payload on, cut to its first `size` bytes. */
static bool take_cut(enum clr_provider provider, uint16_t id, uint8_t version,
                     bool without_images, size_t size)
{
    struct clr_event event = {.provider = provider,
                              .id = id,
                              .version = version,
                              .pid = PID,
                              .time = 77,
                              .without_images = without_images};
    struct reader r = reader_of("", payload.data, size, 0, NULL);

    return clr_event_take(o.seen, &event, &r);
}

static bool take(enum clr_provider provider, uint16_t id, uint8_t version)
{
    return take_cut(provider, id, version, false, payload.len);
}

static void method_event(uint32_t size, uint32_t flags)
{
    payload.len = 0;
    blob_pack(&payload, "QQQIII", 0x111, 0x222, 0x7FF800001000, size,
              0x06000001, flags);
}

static void verbose_event(uint32_t flags, uint64_t rejit)
{
    method_event(0x80, flags);
    put_utf16(&payload, "N.T");
    put_utf16(&payload, "Run");
    put_utf16(&payload, "void ()");
    blob_pack(&payload, "HQ", 9, rejit);
}

/* Without code it is no method; without its body's id, the first body. */
TEST(short_methods)
{
    size_t whole;

    begin();
    method_event(0, 0);
    ck_assert(take(CLR_RUNTIME, 141, 0));
    ck_assert_uint_eq(o.seen->methods.len, 0);
    method_event(1, 0);
    ck_assert(take(CLR_RUNTIME, 141, 0));
    ck_assert_uint_eq(o.seen->methods.len, 1);
    ck_assert(!take_cut(CLR_RUNTIME, 141, 0, false, 35));
    ck_assert_uint_eq(o.seen->methods.len, 1);
    verbose_event(0, 3);
    whole = payload.len;
    ck_assert(take_cut(CLR_RUNTIME, 143, 2, false, whole - 1));
    ck_assert_uint_eq(o.seen->methods.len, 2);
    ck_assert_uint_eq(o.seen->methods.data[1].rejit_id, 0);
    end();
}

/* ---- modules ---- */

static void module_event(bool domain, const char *path, const char *native)
{
    payload.len = 0;
    blob_pack(&payload, "QQ", 0x222, 0x333);
    if (domain)
        put_number(&payload, 0x444, 8);
    put_number(&payload, 0x55, 8);
    put_utf16(&payload, path);
    put_utf16(&payload, native);
}

TEST(short_modules)
{
    begin();
    module_event(false, "C:\\a.dll", "");
    ck_assert(!take_cut(CLR_RUNTIME, 152, 2, false, 23));
    ck_assert_uint_eq(o.seen->managed_modules.len, 0);
    module_event(false, "", "");
    ck_assert(take(CLR_RUNTIME, 152, 2));
    ck_assert_uint_eq(o.seen->managed_modules.len, 0);
    end();
}

/* Others are no observations, and not malformed either. */
TEST(unused_events)
{
    begin();
    method_event(0x80, 0);
    ck_assert(take(CLR_RUNTIME, 145, 2));
    ck_assert(take(CLR_RUNTIME, 190, 2));
    ck_assert(take(CLR_RUNDOWN, 140, 2));
    ck_assert_uint_eq(o.seen->methods.len, 0);
    ck_assert_uint_eq(o.seen->managed_modules.len, 0);
    end();
}
