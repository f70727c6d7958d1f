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

static const char *string(uint32_t id)
{
    return strings_get(o.p->strings, id);
}

/* What each event says of the method's life. */
TEST(lives_of_methods)
{
    static const struct {
        enum clr_provider provider;
        uint16_t id;
        enum observed_event event;
        bool verbose;
    } rows[] = {
        {CLR_RUNTIME, 137, SEEN_AT_START, false},
        {CLR_RUNTIME, 138, SEEN_AT_STOP, false},
        {CLR_RUNTIME, 139, SEEN_AT_START, true},
        {CLR_RUNTIME, 140, SEEN_AT_STOP, true},
        {CLR_RUNTIME, 141, SEEN_BEGIN, false},
        {CLR_RUNTIME, 142, SEEN_END, false},
        {CLR_RUNTIME, 143, SEEN_BEGIN, true},
        {CLR_RUNTIME, 144, SEEN_END, true},
        {CLR_RUNDOWN, 141, SEEN_AT_START, false},
        {CLR_RUNDOWN, 142, SEEN_AT_STOP, false},
        {CLR_RUNDOWN, 143, SEEN_AT_START, true},
        {CLR_RUNDOWN, 144, SEEN_AT_STOP, true},
    };

    begin();
    verbose_event(0, 5);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct observed_method *m;

        ck_assert(take(rows[i].provider, rows[i].id, 2));
        ck_assert_uint_eq(o.seen->methods.len, i + 1);
        m = &o.seen->methods.data[i];
        ck_assert_msg(m->event == rows[i].event, "row %zu", i);
        ck_assert_msg((m->name.len != 0) == rows[i].verbose, "row %zu", i);
        ck_assert_uint_eq(m->rejit_id, rows[i].verbose ? 5 : 0);
    }
    end();
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

static void add_pdb(const char *path)
{
    put_number(&payload, 9, 2);
    for (unsigned i = 0; i < 16; i++)
        put_number(&payload, 0xA0 + i, 1);
    put_number(&payload, 2, 4);
    put_utf16(&payload, path);
}

static const struct module *last_module(void)
{
    const struct observed_managed_module *fact =
        &o.seen->managed_modules.data[o.seen->managed_modules.len - 1];

    ck_assert_uint_eq(fact->pid, PID);
    ck_assert_uint_eq(fact->module_id, 0x222);
    return &o.p->modules.data[fact->module];
}

TEST(modules)
{
    static const struct {
        enum clr_provider provider;
        uint16_t id;
        bool domain;
    } rows[] = {
        {CLR_RUNTIME, 149, false}, {CLR_RUNTIME, 150, false},
        {CLR_RUNTIME, 151, true},  {CLR_RUNTIME, 152, false},
        {CLR_RUNTIME, 153, false}, {CLR_RUNDOWN, 151, true},
        {CLR_RUNDOWN, 152, true},  {CLR_RUNDOWN, 153, false},
        {CLR_RUNDOWN, 154, false},
    };

    begin();
    for (size_t i = 0; i < COUNT(rows); i++) {
        module_event(rows[i].domain, "C:\\app\\App.dll", "");
        ck_assert(take(rows[i].provider, rows[i].id, 2));
        ck_assert_uint_eq(o.seen->managed_modules.len, i + 1);
        ck_assert_str_eq(string(last_module()->path), "C:\\app\\App.dll");
        ck_assert_str_eq(string(last_module()->name), "App.dll");
        ck_assert(last_module()->managed);
        ck_assert_uint_eq(last_module()->identity.pdb_name, 0);
        ck_assert_uint_eq(last_module()->area, 0);
    }
    ck_assert_uint_eq(o.p->modules.len, 1);
    end();
}

/* Version 2 names the debug file; the one of an assembly in a domain not. */
TEST(debug_files)
{
    const struct identity *identity;

    begin();
    module_event(false, "C:\\a.dll", "");
    add_pdb("C:\\a.pdb");
    ck_assert(take(CLR_RUNTIME, 152, 2));
    identity = &last_module()->identity;
    ck_assert_uint_eq(identity->guid[0], 0xA0);
    ck_assert_uint_eq(identity->guid[15], 0xAF);
    ck_assert_uint_eq(identity->age, 2);
    ck_assert_str_eq(string(identity->pdb_name), "C:\\a.pdb");

    ck_assert(take(CLR_RUNTIME, 152, 1));
    ck_assert_uint_eq(last_module()->identity.pdb_name, 0);

    module_event(true, "C:\\a.dll", "");
    add_pdb("C:\\a.pdb");
    ck_assert(take(CLR_RUNTIME, 151, 2));
    ck_assert_uint_eq(last_module()->identity.pdb_name, 0);

    module_event(false, "C:\\b.dll", "");
    add_pdb("");
    ck_assert(take(CLR_RUNTIME, 152, 2));
    ck_assert_uint_eq(last_module()->identity.age, 0);
    ck_assert_uint_eq(last_module()->identity.guid[0], 0);

    module_event(false, "C:\\c.dll", "");
    add_pdb("C:\\c.pdb");
    ck_assert(take_cut(CLR_RUNTIME, 152, 2, false, payload.len - 20));
    ck_assert_uint_eq(last_module()->identity.age, 0);
    end();
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

/* Where a trace maps no images modules go by their name alone. */
TEST(names_without_images)
{
    static const struct {
        const char *path, *native, *name, *area;
    } rows[] = {
        {"/app/System.Linq.dll", "", "System.Linq", "System.Linq.dll"},
        {"C:\\a\\App.ni.dll", "C:\\a\\App.ni.dll", "App", "App.dll"},
        {"C:\\b\\Odd.ni.dll", "C:\\b\\Odd.dll", "Odd.ni", "Odd.ni.dll"},
        {"C:\\c\\Odd.ni.dll", "", "Odd.ni", "Odd.ni.dll"},
        {"C:\\c\\Same.ni.dll", "C:\\d\\Same.ni.dll", "Same.ni", "Same.ni.dll"},
        {"Anonymous", "", "Anonymous", "Anonymous"},
        {"/a/.hidden", "", ".hidden", ".hidden"},
        {"/a/.ni.x", "/a/.ni.x", ".ni", ".ni.x"},
        {"/a/x.dll", "/a/x.dll", "x", "x.dll"},
    };

    begin();
    for (size_t i = 0; i < COUNT(rows); i++) {
        module_event(false, rows[i].path, rows[i].native);
        ck_assert(take_cut(CLR_RUNTIME, 152, 2, true, payload.len));
        ck_assert_str_eq(string(last_module()->name), rows[i].name);
        ck_assert_str_eq(string(last_module()->area), rows[i].area);
        ck_assert_str_eq(string(last_module()->path), rows[i].path);
    }
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
