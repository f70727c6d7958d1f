/* Who made an assembly; layout: engine/attribution/clr-events.md. */
#include "engine/attribution/clr.h"

#include "tests/support/nettrace_writer.h"
#include "tests/support/observed.h"
#include "tests/support/suite.h"

enum { PID = 40 };

static struct observed o;
static byte_vec payload;

/* Assembly, domain, since version 1 its binding, flags, and its name; cut to
 * its first `size` bytes. */
static bool assembly(uint16_t id, uint8_t version, uint64_t number,
                     const char *name, size_t size)
{
    struct clr_event event = {.provider = id == 154 ? CLR_RUNTIME : CLR_RUNDOWN,
                              .id = id,
                              .version = version,
                              .pid = PID};
    struct reader r;

    payload.len = 0;
    blob_pack(&payload, "QQ", number, 1);
    if (version)
        put_number(&payload, 0x4141, 8);
    put_number(&payload, 0, 4);
    put_utf16(&payload, name);
    r = reader_of("", payload.data, size < payload.len ? size : payload.len, 0,
                  NULL);
    return clr_event_take(o.seen, &event, &r);
}

static const char *maker(uint64_t number)
{
    uint32_t maker = map_get(&o.seen->assembly_makers, number, PID);

    return maker == MAP_NONE ? NULL : strings_get(o.p->strings, maker);
}

static const struct {
    uint16_t id;
    uint8_t version;
    const char *name, *maker;
} rows[] = {
    {154, 1, "A, Version=1.0.0.0, PublicKeyToken=b77a", "PublicKeyToken=b77a"},
    {155, 0, "PublicKeyToken=c88b", "PublicKeyToken=c88b"},
    {156, 2, "B, PublicKeyToken=nul", "PublicKeyToken=nul"},
    {156, 1, "C, PublicKeyToken=null", NULL},
    {156, 1, "D, Version=1.0.0.0", NULL},
    {156, 1, "", NULL},
};

TEST(keys_tell_makers)
{
    observed_begin(&o);
    for (size_t i = 0; i < COUNT(rows); i++) {
        ck_assert(assembly(rows[i].id, rows[i].version, 7 + i, rows[i].name,
                           SIZE_MAX));
        ck_assert_pstr_eq(maker(7 + i), rows[i].maker);
    }
    ck_assert(!assembly(154, 1, 99, "PublicKeyToken=b77a", 27));
    ck_assert(!assembly(154, 0, 99, "PublicKeyToken=b77a", 19));
    ck_assert_ptr_null(maker(99));
    vec_release(&payload);
    observed_end(&o);
}
