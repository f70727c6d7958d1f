/* Compound files with sectors of 512 bytes, made by hand. */
#include "tests/engine/container/compound.h"

/* Streams from 4,096 bytes on are in sectors of their own. */
TEST(the_smallest_big_stream)
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

/* In small sectors sizes have 32 bits; what stands above them is not set. */
TEST(sizes_of_32_bits)
{
    struct cfb *c;

    make();
    put(entry(1) + 124, 7);
    c = open_made();
    ck_assert_uint_eq(c->streams[0].size, BIG_SIZE);
    ck_assert(!c->streams[0].cut);
    end(c);
}

/* A folder that contains itself ends the search: paths have at most 16
 * folders. */
TEST(folders_in_a_circle)
{
    unsigned folders = 0;
    struct cfb *c;

    make();
    put(entry(0) + 76, 1);
    put(entry(4) + 68, 2); /* "small" stands beside "folder" in "inner" */
    c = open_made();
    ck_assert_uint_eq(c->count, 3);
    for (const char *at = c->streams[1].path; (at = strchr(at, '/')); at++)
        folders++;
    ck_assert_uint_eq(folders, 16);
    ck_assert_str_eq(strrchr(c->streams[1].path, '/'), "/small");
    end(c);
}

/* An entry that two folders have is in the first. */
TEST(in_two_folders)
{
    struct cfb *c;

    make();
    put(entry(3) + 76, 1);
    put(entry(5) + 68, 4);
    c = open_made();
    ck_assert_str_eq(c->streams[0].path, "big");
    ck_assert_str_eq(c->streams[1].path, "small");
    end(c);
}

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
    {BIG, SECTORS, SECTOR},     {BIG, FAT, SECTOR},
};

TEST_LOOP(chains_of_sectors, COUNT(chains))
{
    struct cfb *c;

    make();
    put_next(chains[_i].at, chains[_i].next);
    c = open_made();
    ck_assert_uint_eq(c->streams[0].size, chains[_i].size);
    ck_assert(c->streams[0].cut == (chains[_i].size < BIG_SIZE));
    end(c);
}

/* ... and takes no sector that it has no use for, nor one of another. */
TEST(chains_that_go_on)
{
    struct cfb *c;

    make();
    put_next(BIG + 8, SECTORS - 1);
    put_next(SECTORS - 1, END);
    put_place(5, SECTORS - 1, 4096);
    put_place(4, 2, 60);
    c = open_made();
    ck_assert_uint_eq(c->streams[0].chain.count, 9);
    ck_assert_uint_eq(c->streams[1].chain.count, 1);
    ck_assert_uint_eq(c->streams[1].size, 60);
    ck_assert_uint_eq(c->streams[2].size, SECTOR);
    cfb_free(c);
    put_place(5, BIG + 3, 4096);
    c = open_made();
    ck_assert_uint_eq(c->streams[0].size, BIG_SIZE);
    ck_assert_uint_eq(c->streams[2].size, 0);
    ck_assert(c->streams[2].cut);
    end(c);
}

/* The mini stream has as many sectors as its chain. */
TEST(chains_of_mini_sectors)
{
    static const struct {
        uint32_t first;
        size_t size;
    } rows[] = {{2, 100}, {15, 64}, {16, 0}, {0xFFFFFFFE, 0}};
    struct cfb *c;

    for (size_t i = 0; i < 4; i++) {
        make();
        put_place(4, rows[i].first, 100);
        c = open_made();
        ck_assert_uint_eq(c->streams[1].size, rows[i].size);
        ck_assert(c->streams[1].cut == (rows[i].size < 100));
        end(c);
    }
}

/* A file that lost its end has what is there of its last sector. */
TEST(a_file_cut_off)
{
    uint8_t bytes[BIG_SIZE];
    struct cfb *c;

    make();
    b.len = sector(BIG) + 1000;
    c = open_made();
    ck_assert_ptr_nonnull(c);
    ck_assert_uint_eq(cfb_read(c, &c->streams[0], 0, bytes, sizeof(bytes)),
                      1000);
    ck_assert_mem_eq(bytes, b.data + sector(BIG), 1000);
    ck_assert_uint_eq(c->streams[0].size, 2 * SECTOR);
    ck_assert(c->streams[0].cut);
    end(c);
}

/* Of the directory, what is before the sector that is not whole. */
TEST(a_directory_cut_off)
{
    struct cfb *c;

    make();
    put_next(DIRECTORY, SECTORS - 1);
    put_next(SECTORS - 1, DIRECTORY + 1);
    b.len = sector(SECTORS - 1) + SECTOR - 1;
    c = open_made();
    ck_assert_ptr_nonnull(c);
    ck_assert_uint_eq(c->count, 1);
    ck_assert_str_eq(c->streams[0].path, "big");
    end(c);
}

static const struct {
    size_t at;
    uint32_t value, width;
    const char *message; /* NULL: it opens */
} headers[] = {
    {30, 9, 2, NULL},
    {30, 10, 2, "unknown size of sectors"},
    {32, 7, 2, "unknown size of mini sectors"},
    {56, 4095, 4, "unknown size of mini sectors"},
    {48, SECTORS + 1, 4, "no directory"},
    {44, 0, 4, NULL},
    {SECTOR * 2 + 66, 2, 1, "no directory"},
};

TEST_LOOP(headers_of_files, COUNT(headers))
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

TEST(a_header_cut_off)
{
    struct err err = {0};

    make();
    ck_assert_ptr_null(cfb_open("a", b.data, SECTOR - 1, &err));
    ck_assert_str_eq(err.message, "a: compound file: header truncated");
    ck_assert(cfb_probe(b.data, SECTOR));
    end(NULL);
}
