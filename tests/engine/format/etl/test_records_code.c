/* Records of methods and scripts. */
#include "engine/format/etl/records.h"

#include "tests/support/etl_records.h"
#include "tests/support/suite.h"

enum { TIME = 5000, PID = 40 };

enum { METHOD, RUNDOWN_METHOD, LOADER, RUNDOWN_LOADER };

static const uint8_t classes[][16] = {
    [METHOD] = {0x1a, 0xf6, 0x44, 0x30, 0xb0, 0x99, 0x21, 0x4c, 0xb2, 0x03,
                0xd3, 0x94, 0x23, 0xc7, 0x3b, 0x00},
    [RUNDOWN_METHOD] = {0xdb, 0x91, 0xcd, 0x0b, 0x43, 0xf9, 0x4a, 0x45, 0xa6,
                        0x62, 0x6e, 0xdb, 0xcf, 0xbb, 0x76, 0xd2},
    [LOADER] = {0xda, 0x92, 0x07, 0xd0, 0xb7, 0x07, 0xf5, 0x40, 0x97, 0xeb,
                0x5d, 0x97, 0x4e, 0x05, 0x47, 0x40},
    [RUNDOWN_LOADER] = {0xdf, 0xf4, 0x54, 0x5a, 0x02, 0xd3, 0xee, 0x4f, 0xa2,
                        0x11, 0x6c, 0x2c, 0x0c, 0x1d, 0xcb, 0x1a},
};

static const uint8_t jscript[16] = {0x41, 0x77, 0x27, 0x57, 0x38, 0x36,
                                    0x4b, 0x4a, 0xbd, 0xba, 0x0a, 0xc6,
                                    0xe4, 0x5d, 0xa5, 0x6c};

static struct kept_records k;

/* ---- CLR 2.0 ---- */

static void put_method(unsigned class, unsigned opcode, uint64_t id)
{
    raw_classic(&k.b, 8, classes[class], opcode, 0, PID, TIME);
    blob_pack(&k.b, "QQQIII", id, 0x70, 0x401000, 0x80, 0x06000001, 0);
    for (int i = 0; i < 3; i++)
        blob_utf16(&k.b, "N", 4);
    kept_records_take(&k);
}

/* 33 load, 34 unload, 35 and 36 what there is at the start and the end; from
 * 37 on the same with names. */
static const struct {
    unsigned opcode;
    enum observed_event event;
    unsigned name_length;
} methods[] = {
    {33, SEEN_BEGIN, 0},    {34, SEEN_END, 0},
    {35, SEEN_AT_START, 0}, {36, SEEN_AT_STOP, 0},
    {37, SEEN_BEGIN, 2},    {38, SEEN_END, 2},
    {39, SEEN_AT_START, 2}, {40, SEEN_AT_STOP, 2},
};

TEST_LOOP(methods_of_the_old_runtime, COUNT(methods))
{
    const struct observed_method *m;

    kept_records_begin(&k);
    put_method(METHOD, 32, 1);
    put_method(METHOD, 41, 1);
    put_method(METHOD, methods[_i].opcode, 5);
    if (methods[_i].event == SEEN_AT_START || methods[_i].event == SEEN_AT_STOP)
        put_method(RUNDOWN_METHOD, methods[_i].opcode, 5);
    etl_records_finish(k.records);
    ck_assert_uint_ge(k.o.seen->methods.len, 1);
    for (size_t i = 0; i < k.o.seen->methods.len; i++) {
        m = &k.o.seen->methods.data[i];
        ck_assert_int_eq(m->event, methods[_i].event);
        ck_assert_uint_eq(m->name.len, methods[_i].name_length);
        ck_assert_uint_eq(m->method_id, 5);
        ck_assert_uint_eq(m->module_id, 0x70);
        ck_assert_uint_eq(m->start, 0x401000);
        ck_assert_uint_eq(m->size, 0x80);
        ck_assert_uint_eq(m->pid, PID);
        ck_assert_int_eq(m->time, TIME);
    }
    ck_assert_uint_eq(k.o.p->quality.malformed, 0);
    kept_records_end(&k);
}

static void put_module(unsigned class, unsigned opcode, uint64_t id)
{
    raw_classic(&k.b, 8, classes[class], opcode, 0, PID, TIME);
    blob_pack(&k.b, "QQ8x", id, 0x90);
    blob_utf16(&k.b, "C:\\Shop.dll", 24);
    blob_utf16(&k.b, "", 2);
    kept_records_take(&k);
}

TEST(modules_of_the_old_runtime)
{
    kept_records_begin(&k);
    put_module(LOADER, 33, 1);
    put_module(LOADER, 34, 2);
    put_module(RUNDOWN_LOADER, 35, 3);
    put_module(RUNDOWN_LOADER, 36, 4);
    put_module(RUNDOWN_LOADER, 37, 5); /* not of modules */
    put_module(LOADER, 40, 6);
    etl_records_finish(k.records);
    ck_assert_uint_eq(k.o.seen->managed_modules.len, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct observed_managed_module *m =
            &k.o.seen->managed_modules.data[i];

        ck_assert_uint_eq(m->module_id, i + 1);
        ck_assert_uint_eq(m->assembly_id, 0x90);
        ck_assert_uint_eq(m->pid, PID);
        ck_assert_str_eq(kept_string(&k, k.o.p->modules.data[m->module].path),
                         "C:\\Shop.dll");
    }
    ck_assert_uint_eq(k.o.p->quality.malformed, 0);
    kept_records_end(&k);
}

TEST(a_method_cut_off)
{
    kept_records_begin(&k);
    raw_classic(&k.b, 8, classes[METHOD], 33, 0, PID, TIME);
    blob_zero(&k.b, 35);
    kept_records_take(&k);
    etl_records_finish(k.records);
    ck_assert_uint_eq(k.o.seen->methods.len, 0);
    ck_assert_uint_eq(k.o.p->quality.malformed, 1);
    kept_records_end(&k);
}

/* ---- scripts ---- */

static void put_source(unsigned id, uint64_t source, uint32_t pid,
                       unsigned width, const char *url)
{
    raw_event(&k.b, width, jscript, id, 0, pid, TIME);
    blob_u64(&k.b, source);
    blob_number(&k.b, 0xC0, width);
    blob_u32(&k.b, 0);
    blob_utf16(&k.b, url, 0);
    blob_u16(&k.b, 0);
    kept_records_take(&k);
}

static void put_function(unsigned id, unsigned width, uint64_t source,
                         uint64_t size)
{
    raw_event(&k.b, width, jscript, id, 0, PID, TIME);
    blob_number(&k.b, 0xC0, width);
    blob_number(&k.b, 0x401000, width);
    blob_pack(&k.b, "QIHHQII", size, 33, 1, 2, source, 3, 4);
    blob_utf16(&k.b, "run", 8);
    kept_records_take(&k);
}

/* Without code; of more than there can be; cut off. */
TEST(functions_that_make_no_sense)
{
    kept_records_begin(&k);
    put_function(9, 8, 7, 0);
    put_function(9, 8, 7, UINT32_MAX + UINT64_C(1));
    raw_event(&k.b, 8, jscript, 9, 0, PID, TIME);
    blob_zero(&k.b, 47);
    kept_records_take(&k);
    raw_event(&k.b, 8, jscript, 39, 0, PID, TIME);
    blob_zero(&k.b, 19);
    kept_records_take(&k);
    etl_records_finish(k.records);
    ck_assert_uint_eq(k.o.seen->methods.len, 0);
    ck_assert_uint_eq(k.o.p->quality.malformed, 3);
    kept_records_end(&k);
}

/* Of that source in that process; one without an URL names nothing. */
TEST(sources_name_modules)
{
    const struct observed_managed_module *m;

    kept_records_begin(&k);
    put_function(9, 8, 7, 16);
    put_function(9, 4, 8, 16);
    put_function(9, 8, 9, 16);
    put_function(9, 8, 10, 16);
    put_method(METHOD, 33, 12); /* of module 0x70 */
    put_source(39, 7, PID, 8, "http://shop/a.js");
    put_source(42, 8, PID, 4, "http://shop/b.js");
    put_source(41, 9, PID + 1, 8, "http://shop/c.js");
    put_source(40, 10, PID, 8, "");
    put_source(40, 0x70, PID, 8, "http://shop/d.js");
    etl_records_finish(k.records);
    ck_assert_uint_eq(k.o.seen->managed_modules.len, 2);
    m = k.o.seen->managed_modules.data;
    ck_assert_uint_eq(m->pid, PID);
    ck_assert_uint_eq(m->module_id, 7);
    ck_assert_str_eq(kept_string(&k, k.o.p->modules.data[m->module].path),
                     "http://shop/a.js");
    ck_assert(k.o.p->modules.data[m->module].managed);
    ck_assert_uint_eq(m[1].module_id, 8);
    ck_assert_str_eq(kept_string(&k, k.o.p->modules.data[m[1].module].path),
                     "http://shop/b.js");
    kept_records_end(&k);
}

TEST(events_of_scripts_that_are_kept)
{
    for (unsigned id = 0; id < 60; id++)
        ck_assert(etl_manifest_event_wanted(jscript, (uint16_t)id) ==
                  (id == 5 || id == 6 || id == 9 || id == 10 ||
                   (id >= 39 && id <= 42)));
}
