/* Where the tables of a compound file are, and how much of them is read. */
#include "tests/engine/container/compound.h"

/* The header has 109 places; what is beyond stands in sectors of 127, each of
 * which names the next. */
TEST(a_table_told_elsewhere)
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

/* What is not whole tells nothing. */
TEST(a_place_cut_off)
{
    struct cfb *c;

    make();
    put(76, (uint32_t)NOTHING);
    put(68, SECTORS - 1);
    put(44, 110);
    put(sector(SECTORS - 1), FAT);
    c = open_made();
    ck_assert_uint_eq(c->count, 3);
    cfb_free(c);
    b.len--;
    c = open_made();
    ck_assert_uint_eq(c->count, 1);
    cfb_free(c);
    b.len++;
    put(68, SECTORS); /* behind the file */
    c = open_made();
    ck_assert_uint_eq(c->count, 1);
    end(c);
}

/* A sector is part of the table once, and of nothing else. */
TEST(a_table_told_twice)
{
    struct cfb *c;

    make();
    put(44, 3);
    put(80, FAT);
    put(84, SECTORS);
    c = open_made();
    ck_assert_uint_eq(c->fat.count, 1);
    ck_assert_uint_eq(c->count, 3);
    end(c);
}

/* ---- large sectors ---- */

enum {
    LARGE = 4096,
    PER_SECTOR = LARGE / 128,
    ENTRIES = 65536 + PER_SECTOR, /* with the root */
    DIRECTORIES = ENTRIES / PER_SECTOR,
    LARGE_FAT = (DIRECTORIES + 4) * 4 / LARGE + 1,
};

static void put_large_header(void)
{
    put_header();
    blob_set(&b, 30, 12, 2);
    put(44, LARGE_FAT);
    put(48, LARGE_FAT);
    put(60, (uint32_t)END);
    for (uint32_t i = 0; i < LARGE_FAT; i++)
        put(76 + 4 * i, i);
}

/* A chain of directory sectors, all entries of which are streams; a sector is
 * left behind it. */
static void make_large(void)
{
    size_t directory = (size_t)LARGE * (LARGE_FAT + 1), i;

    b = (struct blob){0};
    blob_zero(&b, directory + (size_t)LARGE * (DIRECTORIES + 1));
    put_large_header();
    for (i = LARGE_FAT; i < LARGE_FAT + DIRECTORIES; i++)
        put(LARGE + 4 * i, (uint32_t)i + 1);
    put(LARGE + 4 * (i - 1), (uint32_t)END);
    put(LARGE + 4 * i, (uint32_t)END);
    for (i = 0; i < ENTRIES; i++)
        b.data[directory + 128 * i + 66] = i ? STREAM : ROOT;
}

/* So many streams are listed. */
TEST(as_many_streams_as_are_read)
{
    struct cfb *c;

    make_large();
    c = open_made();
    ck_assert_ptr_nonnull(c);
    ck_assert_uint_eq(c->count, 65536);
    end(c);
}

/* Sizes have 64 bits there. */
TEST(sizes_of_64_bits)
{
    size_t at = (size_t)LARGE * (LARGE_FAT + 1) + 128;
    uint8_t bytes[8];
    struct cfb *c;

    make_large();
    put(at + 116, LARGE_FAT + DIRECTORIES);
    put(at + 124, 1);
    memcpy(b.data + b.len - LARGE, "a sector", 8);
    c = open_made();
    ck_assert_uint_eq(c->streams[0].size, LARGE);
    ck_assert(c->streams[0].cut && !c->streams[0].mini);
    ck_assert_uint_eq(cfb_read(c, &c->streams[0], 0, bytes, 8), 8);
    ck_assert_mem_eq(bytes, "a sector", 8);
    ck_assert_uint_eq(cfb_read(c, &c->streams[0], LARGE - 1, bytes, 8), 1);
    end(c);
}
