/* Records of images and of what they are. */
#include "engine/format/etl/records.h"

#include "tests/support/etl_records.h"
#include "tests/support/suite.h"

enum { TIME = 5000, PID = 40, SIZE = 0x9000, STAMP = 0x5EED, VERSION = 64 };

static const uint64_t BASE = 0x180000000;

static const uint8_t image_id[16] = {0xd7, 0x75, 0xe6, 0xb3, 0x54, 0x25,
                                     0x18, 0x4f, 0x83, 0x0b, 0x27, 0x62,
                                     0x73, 0x25, 0x60, 0xde};
static const uint8_t system_config[16] = {0x91, 0xee, 0x79, 0x9b, 0xfd, 0xb5,
                                          0xc0, 0x41, 0xa2, 0x43, 0x42, 0x48,
                                          0xe2, 0x66, 0xe9, 0xd0};

static struct kept_records k;

static void put_image(unsigned hook, unsigned version, unsigned width,
                      uint64_t time, uint32_t pid, uint64_t base,
                      const char *path)
{
    raw_kernel(&k.b, width, hook, version, time);
    blob_number(&k.b, base, width);
    blob_number(&k.b, SIZE, version ? width : 4);
    if (version)
        blob_u32(&k.b, pid);
    if (version >= 2) {
        blob_pack(&k.b, "III", 0xC5C5, STAMP, 0xAAAA);
        blob_number(&k.b, 0xBBBB, width);
        blob_zero(&k.b, 16);
    }
    blob_utf16(&k.b, path, 0);
    blob_u16(&k.b, 0);
    kept_records_take(&k);
}

static const struct observed_image *image(size_t i)
{
    ck_assert_uint_lt(i, k.o.seen->images.len);
    return &k.o.seen->images.data[i];
}

static const struct module *module(size_t i)
{
    return &k.o.p->modules.data[image(i)->module];
}

static void put_stamp(uint64_t time, uint64_t base, uint32_t pid,
                      uint32_t stamp)
{
    raw_classic(&k.b, 8, image_id, 0, 2, pid, time);
    blob_pack(&k.b, "QQII", base, SIZE, pid, stamp);
    kept_records_take(&k);
}

static void put_pdb(uint64_t time, uint64_t base, uint32_t pid,
                    unsigned opcode, size_t missing)
{
    raw_classic(&k.b, 8, image_id, opcode, 2, pid, time);
    blob_pack(&k.b, "QI", base, pid);
    for (uint8_t i = 1; i <= 16; i++)
        blob_u8(&k.b, i);
    blob_u32(&k.b, 9);
    if (missing)
        k.b.len -= missing;
    else
        blob_bytes(&k.b, "a.pdb", 6);
    kept_records_take(&k);
}

/* Identities of another time, base or process do not count; nor do those with
 * another opcode, truncated before the name, or at no address. A stamp of 0
 * says nothing. */
TEST(identities_of_others)
{
    kept_records_begin(&k);
    put_stamp(TIME + 1, BASE, PID, 77);
    put_stamp(TIME, BASE + 1, PID, 78);
    put_stamp(TIME, BASE, PID + 1, 79);
    put_stamp(TIME, 0, PID, 80);
    put_pdb(TIME, BASE, PID, 35, 0);
    put_pdb(TIME, BASE, PID, 36, 1);
    put_pdb(TIME, BASE, PID, 36, 24);
    put_image(0x030A, 2, 8, TIME, PID, BASE, "C:\\a.dll");
    put_image(0x030A, 2, 8, TIME, PID, 0, "C:\\b.dll");
    put_stamp(TIME + 2, BASE, PID, 0);
    put_image(0x030A, 2, 8, TIME + 2, PID, BASE, "C:\\c.dll");
    etl_records_finish(k.records);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(module(i)->identity.timestamp, STAMP);
        ck_assert_uint_eq(module(i)->identity.pdb_name, 0);
        ck_assert_uint_eq(module(i)->identity.age, 0);
    }
    ck_assert_uint_eq(k.o.p->quality.malformed, 0);
    kept_records_end(&k);
}

/* A time and a base that are looked up where others are. */
TEST(identities_that_collide)
{
    const uint64_t k2 = 0x9E3779B97F4A7C15u;
    const uint64_t other = BASE ^ TIME * k2 ^ (TIME + 1) * k2;

    kept_records_begin(&k);
    put_stamp(TIME, BASE, PID, 77);
    put_image(0x030A, 2, 8, TIME + 1, PID, other, "C:\\a.dll");
    etl_records_finish(k.records);
    ck_assert_uint_eq(module(0)->identity.timestamp, STAMP);
    kept_records_end(&k);
}

static void put_version(uint32_t size, const char *product,
                        const char *company, size_t missing)
{
    raw_classic(&k.b, 8, image_id, VERSION, 2, PID, TIME);
    blob_pack(&k.b, "II", size, STAMP);
    for (int i = 0; i < 5; i++)
        blob_utf16(&k.b, "x", 4);
    blob_utf16(&k.b, product, 2 * strlen(product) + 2);
    blob_utf16(&k.b, company, 2 * strlen(company) + 2);
    k.b.len -= missing;
    kept_records_take(&k);
}

TEST(maker_without_a_product)
{
    kept_records_begin(&k);
    put_version(SIZE, "", "Acme", 0);
    put_image(0x030A, 2, 8, TIME, PID, BASE, "C:\\b.dll");
    etl_records_finish(k.records);
    ck_assert_str_eq(kept_string(&k, module(0)->maker), "Acme, ");
    kept_records_end(&k);
}

static void put_volume(unsigned opcode, const char *nt, const char *dos)
{
    raw_classic(&k.b, 8, system_config, opcode, 0, 0, TIME);
    blob_utf16(&k.b, nt, 2 * strlen(nt) + 2);
    blob_utf16(&k.b, dos, 2 * strlen(dos) + 2);
    kept_records_take(&k);
}

/* The longest prefix, wherever its record is. */
TEST(paths_by_volume)
{
    kept_records_begin(&k);
    put_image(0x030A, 1, 8, TIME, PID, BASE, "\\Device\\Disk12\\a.dll");
    put_image(0x030A, 1, 8, TIME, PID, BASE, "\\DEVICE\\disk1\\a.dll");
    put_image(0x030A, 1, 8, TIME, PID, BASE, "\\Other\\a.dll");
    put_volume(35, "\\Device\\Disk1", "C:");
    put_volume(35, "\\Device\\Disk12", "D:");
    put_volume(35, "", "X:");
    put_volume(34, "\\Other", "Y:");
    etl_records_finish(k.records);
    ck_assert_str_eq(kept_string(&k, module(0)->path), "D:\\a.dll");
    ck_assert_str_eq(kept_string(&k, module(1)->path), "C:\\a.dll");
    ck_assert_str_eq(kept_string(&k, module(2)->path), "\\Other\\a.dll");
    kept_records_end(&k);
}
