/* Compound files with sectors of 512 bytes, made by hand. */
#include "engine/container/cfb.h"
#include "tests/support/blob.h"
#include "tests/support/suite.h"

enum {
    SECTOR = 512,
    SECTORS = 20,
    NOTHING = -1,
    END = -2,
    STORAGE = 1,
    STREAM = 2,
    ROOT = 5,
    /* Sectors. */
    FAT = 0,
    DIRECTORY = 1, /* and 2 */
    MINI_FAT = 3,
    MINI = 4, /* and 5: mini sectors 0 to 15 */
    BIG = 6,  /* to 14: a stream of 4,500 bytes */
    DIFAT = 15,
    BIG_SIZE = 4500,
};

static struct blob b;

static size_t sector(unsigned i)
{
    return (size_t)(i + 1) * SECTOR;
}

static void put(size_t at, uint32_t value)
{
    blob_set(&b, at, value, 4);
}

static void put_next(unsigned i, int next)
{
    put(sector(FAT) + 4 * (size_t)i, (uint32_t)next);
}

static size_t entry(unsigned i)
{
    return sector(DIRECTORY) + 128 * (size_t)i;
}

static void put_entry(unsigned i, const char *name, uint8_t type, int left,
                      int right, int child)
{
    size_t at = entry(i);

    for (size_t k = 0; k < 64; k++)
        b.data[at + k] = 0;
    for (size_t k = 0; name[k]; k++)
        b.data[at + 2 * k] = (uint8_t)name[k];
    blob_set(&b, at + 64, 2 * strlen(name) + 2, 2);
    b.data[at + 66] = type;
    put(at + 68, (uint32_t)left);
    put(at + 72, (uint32_t)right);
    put(at + 76, (uint32_t)child);
}

static void put_place(unsigned i, uint32_t first, uint32_t size)
{
    put(entry(i) + 116, first);
    put(entry(i) + 120, size);
}

static void put_header(void)
{
    static const uint8_t magic[8] = {0xD0, 0xCF, 0x11, 0xE0,
                                     0xA1, 0xB1, 0x1A, 0xE1};

    memcpy(b.data, magic, 8);
    blob_set(&b, 30, 9, 2);
    blob_set(&b, 32, 6, 2);
    put(44, 1);
    put(48, DIRECTORY);
    put(56, 4096);
    put(60, MINI_FAT);
    put(64, 1);
    put(68, (uint32_t)END);
    for (size_t i = 76; i < SECTOR; i += 4)
        put(i, (uint32_t)NOTHING);
    put(76, FAT);
}

/* "folder/inner/small" in mini sectors 2 and 5, "big" and "none". */
static void make(void)
{
    b = (struct blob){0};
    blob_zero(&b, SECTOR * (SECTORS + 1));
    put_header();
    for (unsigned i = 0; i < SECTOR / 4; i++)
        put_next(i, NOTHING);
    put_next(DIRECTORY, DIRECTORY + 1);
    put_next(DIRECTORY + 1, END);
    put_next(MINI_FAT, END);
    put_next(MINI, MINI + 1);
    put_next(MINI + 1, END);
    for (unsigned i = BIG; i < BIG + 8; i++)
        put_next(i, (int)i + 1);
    put_next(BIG + 8, END);
    for (unsigned i = 0; i < SECTOR / 4; i++)
        put(sector(MINI_FAT) + 4 * (size_t)i, (uint32_t)NOTHING);
    put(sector(MINI_FAT) + 8, 5);
    put(sector(MINI_FAT) + 20, (uint32_t)END);
    put_entry(0, "Root Entry", ROOT, NOTHING, NOTHING, 2);
    put_place(0, MINI, 1024);
    put_entry(1, "big", STREAM, NOTHING, NOTHING, NOTHING);
    put_place(1, BIG, BIG_SIZE);
    put_entry(2, "folder", STORAGE, 1, 5, 3);
    put_entry(3, "inner", STORAGE, NOTHING, NOTHING, 4);
    put_entry(4, "small", STREAM, NOTHING, NOTHING, NOTHING);
    put_place(4, 2, 100);
    put_entry(5, "none", STREAM, NOTHING, NOTHING, NOTHING);
    put_place(5, (uint32_t)END, 0);
    for (size_t i = 0; i < BIG_SIZE; i++)
        b.data[sector(BIG) + i] = (uint8_t)(i % 251);
    for (size_t i = 0; i < 64; i++) {
        b.data[sector(MINI) + (size_t)2 * 64 + i] = (uint8_t)(0x40 + i);
        b.data[sector(MINI) + (size_t)5 * 64 + i] = (uint8_t)(0x80 + i);
    }
}

static struct cfb *open_made(void)
{
    return cfb_open("a", b.data, b.len, NULL);
}

static void end(struct cfb *c)
{
    cfb_free(c);
    free(b.data);
}

START_TEST(streams_and_their_paths)
{
    struct cfb *c;

    make();
    c = open_made();
    ck_assert_ptr_nonnull(c);
    ck_assert_uint_eq(c->count, 3);
    ck_assert_str_eq(c->streams[0].path, "big");
    ck_assert_str_eq(c->streams[1].path, "folder/inner/small");
    ck_assert_str_eq(c->streams[2].path, "none");
    ck_assert_uint_eq(c->streams[0].size, BIG_SIZE);
    ck_assert(!c->streams[0].mini && !c->streams[0].cut);
    ck_assert_uint_eq(c->streams[1].size, 100);
    ck_assert(c->streams[1].mini && !c->streams[1].cut);
    ck_assert_uint_eq(c->streams[2].size, 0);
    end(c);
}
END_TEST

/* Any part of a stream, over the edges of sectors. */
START_TEST(parts_of_streams)
{
    uint8_t bytes[BIG_SIZE + 8];
    struct cfb *c;

    make();
    c = open_made();
    ck_assert_uint_eq(cfb_read(c, &c->streams[0], 0, bytes, sizeof(bytes)),
                      BIG_SIZE);
    ck_assert_mem_eq(bytes, b.data + sector(BIG), BIG_SIZE);
    for (size_t at = 500; at < 520; at++) {
        ck_assert_uint_eq(cfb_read(c, &c->streams[0], at, bytes, 20), 20);
        ck_assert_mem_eq(bytes, b.data + sector(BIG) + at, 20);
    }
    ck_assert_uint_eq(cfb_read(c, &c->streams[0], BIG_SIZE - 1, bytes, 9), 1);
    ck_assert_uint_eq(bytes[0], (BIG_SIZE - 1) % 251);
    ck_assert_uint_eq(cfb_read(c, &c->streams[0], BIG_SIZE, bytes, 9), 0);
    ck_assert_uint_eq(cfb_read(c, &c->streams[1], 0, bytes, 200), 100);
    for (unsigned i = 0; i < 100; i++)
        ck_assert_uint_eq(bytes[i], 0x40 + i);
    ck_assert_uint_eq(cfb_read(c, &c->streams[1], 63, bytes, 2), 2);
    ck_assert_uint_eq(bytes[0], 0x7F);
    ck_assert_uint_eq(bytes[1], 0x80);
    ck_assert_uint_eq(cfb_read(c, &c->streams[1], 99, bytes, 2), 1);
    ck_assert_uint_eq(cfb_read(c, &c->streams[2], 0, bytes, 2), 0);
    end(c);
}
END_TEST

/* Streams from 4,096 bytes on are in sectors of their own. */
START_TEST(the_smallest_big_stream)
{
    struct cfb *c;

    make();
    put_place(1, BIG, 4096);
    put_place(4, 2, 4095);
    c = open_made();
    ck_assert(!c->streams[0].mini && !c->streams[0].cut);
    ck_assert(c->streams[1].mini && c->streams[1].cut);
    ck_assert_uint_eq(c->streams[1].size, 128);
    end(c);
}
END_TEST

/* In small sectors sizes have 32 bits; what stands above them is not set. */
START_TEST(sizes_of_32_bits)
{
    struct cfb *c;

    make();
    put(entry(1) + 124, 7);
    c = open_made();
    ck_assert_uint_eq(c->streams[0].size, BIG_SIZE);
    ck_assert(!c->streams[0].cut);
    end(c);
}
END_TEST

START_TEST(names_of_entries)
{
    static const struct {
        uint16_t length;
        size_t kept;
    } lengths[] = {{6, 3}, {64, 32}, {66, 32}, {65, 32}, {0, 0}};
    struct cfb *c;

    for (size_t i = 0; i < 5; i++) {
        make();
        for (size_t k = 0; k < 32; k++)
            blob_set(&b, entry(5) + 2 * k, 'n', 2);
        blob_set(&b, entry(5) + 64, lengths[i].length, 2);
        c = open_made();
        ck_assert_uint_eq(strlen(c->streams[2].path), lengths[i].kept);
        end(c);
    }
}
END_TEST

/* What lies in a folder of its own is not looked for for ever. */
START_TEST(folders_in_a_circle)
{
    struct cfb *c;

    make();
    put(entry(3) + 76, 2);
    c = open_made();
    ck_assert_uint_eq(c->count, 3);
    end(c);
}
END_TEST

/* ---- what a table says ---- */

/* A stream is as long as its chain, where that ends early. */
static const struct {
    unsigned at;
    int next;
    size_t size;
} chains[] = {
    {BIG + 7, END, 8 * SECTOR}, {BIG + 8, END, BIG_SIZE},
    {BIG, BIG, SECTOR},         {BIG, MINI, SECTOR},
    {BIG, SECTORS + 1, SECTOR}, {BIG + 7, SECTORS - 1, BIG_SIZE},
    {BIG, NOTHING, SECTOR},     {BIG + 3, 0x7FFFFFFF, 4 * SECTOR},
};

START_TEST(chains_of_sectors)
{
    struct cfb *c;

    make();
    put_next(chains[_i].at, chains[_i].next);
    c = open_made();
    ck_assert_uint_eq(c->streams[0].size, chains[_i].size);
    ck_assert(c->streams[0].cut == (chains[_i].size < BIG_SIZE));
    end(c);
}
END_TEST

/* A file that lost its end has what is there of its last sector. */
START_TEST(a_file_cut_off)
{
    uint8_t bytes[BIG_SIZE];
    struct cfb *c;

    make();
    b.len = sector(BIG) + 1000;
    c = open_made();
    ck_assert_ptr_nonnull(c);
    ck_assert(cfb_read(c, &c->streams[0], 0, bytes, sizeof(bytes)) <= 1000);
    ck_assert_uint_ge(cfb_read(c, &c->streams[0], 0, bytes, sizeof(bytes)),
                      SECTOR);
    ck_assert(c->streams[0].cut);
    end(c);
}
END_TEST

static const struct {
    size_t at;
    uint32_t value, width;
    const char *message; /* NULL: it opens */
} headers[] = {
    {30, 9, 2, NULL},
    {30, 10, 2, "sectors of an unknown size"},
    {32, 7, 2, "mini sectors of an unknown size"},
    {56, 4095, 4, "mini sectors of an unknown size"},
    {48, SECTORS + 1, 4, "no directory"},
    {44, 0, 4, NULL},
    {SECTOR * 2 + 66, 2, 1, "no directory"},
};

START_TEST(headers_of_files)
{
    struct err err = {0};
    struct cfb *c;

    make();
    blob_set(&b, headers[_i].at, headers[_i].value, headers[_i].width);
    c = cfb_open("a", b.data, b.len, &err);
    ck_assert(!c == !!headers[_i].message);
    if (!c)
        ck_assert_ptr_nonnull(strstr(err.message, headers[_i].message));
    if (headers[_i].at == 44) /* without a table only first sectors are known */
        ck_assert_uint_eq(c->count, 1);
    end(c);
}
END_TEST

START_TEST(a_header_cut_off)
{
    struct err err = {0};

    make();
    ck_assert_ptr_null(cfb_open("a", b.data, SECTOR - 1, &err));
    ck_assert_str_eq(err.message, "a: compound file: cut off in its header");
    ck_assert(cfb_probe(b.data, SECTOR));
    end(NULL);
}
END_TEST

/* ---- where the table is ---- */

/* The header has 109 places; what is beyond stands in sectors of 127, each of
 * which names the next. */
START_TEST(a_table_told_elsewhere)
{
    struct cfb *c;

    make();
    put(76, (uint32_t)NOTHING);
    put(68, DIFAT);
    for (size_t i = 0; i < SECTOR; i += 4)
        put(sector(DIFAT) + i, (uint32_t)NOTHING);
    put(44, 110);
    put(sector(DIFAT), FAT);
    c = open_made();
    ck_assert_uint_eq(c->count, 3);
    ck_assert_uint_eq(c->streams[0].size, BIG_SIZE);
    cfb_free(c);
    put(44, 109); /* so many are in the header */
    c = open_made();
    ck_assert_uint_eq(c->count, 1);
    cfb_free(c);
    put(44, 109 + 127); /* in the last place of it */
    put(sector(DIFAT), (uint32_t)NOTHING);
    put(sector(DIFAT) + SECTOR - 8, FAT);
    c = open_made();
    ck_assert_uint_eq(c->count, 3);
    cfb_free(c);
    put(44, 109 + 128); /* in the next one */
    put(sector(DIFAT) + SECTOR - 8, (uint32_t)NOTHING);
    put(sector(DIFAT) + SECTOR - 4, DIFAT + 1);
    for (size_t i = 0; i < SECTOR; i += 4)
        put(sector(DIFAT + 1) + i, (uint32_t)NOTHING);
    put(sector(DIFAT + 1), FAT);
    c = open_made();
    ck_assert_uint_eq(c->count, 3);
    cfb_free(c);
    put(44, 2000); /* in a circle */
    put(sector(DIFAT) + SECTOR - 4, DIFAT);
    put(sector(DIFAT), FAT);
    c = open_made();
    ck_assert_uint_eq(c->count, 3);
    end(c);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("compound files");

    tcase_add_test(tests, streams_and_their_paths);
    tcase_add_test(tests, parts_of_streams);
    tcase_add_test(tests, the_smallest_big_stream);
    tcase_add_test(tests, sizes_of_32_bits);
    tcase_add_test(tests, names_of_entries);
    tcase_add_test(tests, folders_in_a_circle);
    tcase_add_loop_test(tests, chains_of_sectors, 0,
                        sizeof(chains) / sizeof(*chains));
    tcase_add_test(tests, a_file_cut_off);
    tcase_add_loop_test(tests, headers_of_files, 0,
                        sizeof(headers) / sizeof(*headers));
    tcase_add_test(tests, a_header_cut_off);
    tcase_add_test(tests, a_table_told_elsewhere);
    return suite_run_case("compound files", tests);
}
