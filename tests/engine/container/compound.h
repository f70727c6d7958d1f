/*
 * compound - a compound file with sectors of 512 bytes, made by hand.
 *
 *     make();
 *     put_next(BIG, END);
 *     c = open_made();
 *     ck_assert_uint_eq(c->streams[0].size, SECTOR);
 *     end(c);
 *
 * It has the streams "big", "folder/inner/small", in mini sectors 2 and 5,
 * and "none", which is empty.
 */
#ifndef TOPFN_TESTS_COMPOUND_H
#define TOPFN_TESTS_COMPOUND_H

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

static inline size_t sector(unsigned i)
{
    return (size_t)(i + 1) * SECTOR;
}

static inline void put(size_t at, uint32_t value)
{
    blob_set(&b, at, value, 4);
}

static inline void put_next(unsigned i, int next)
{
    put(sector(FAT) + 4 * (size_t)i, (uint32_t)next);
}

static inline size_t entry(unsigned i)
{
    return sector(DIRECTORY) + 128 * (size_t)i;
}

static inline void put_entry(unsigned i, const char *name, uint8_t type,
                             int left, int right, int child)
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

static inline void put_place(unsigned i, uint32_t first, uint32_t size)
{
    put(entry(i) + 116, first);
    put(entry(i) + 120, size);
}

static inline void put_header(void)
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

static inline void make(void)
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

static inline struct cfb *open_made(void)
{
    return cfb_open("a", b.data, b.len, NULL);
}

static inline void end(struct cfb *c)
{
    cfb_free(c);
    free(b.data);
}

#endif
