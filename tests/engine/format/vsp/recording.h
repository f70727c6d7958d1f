/*
 * recording - blocks of records made by hand, for the tests here.
 *
 *     begin(8);
 *     begin_block(INDEX);
 *     put_record(VSP_PROCESS_END, 20, 12, 200);
 *     end_block();
 *     read_blocks();
 *     ck_assert_uint_eq(blocks.index.len, 1);
 *     end();
 */
#ifndef TOPFN_TESTS_VSP_RECORDING_H
#define TOPFN_TESTS_VSP_RECORDING_H

#include "engine/format/vsp/vsp.h"
#include "tests/support/blob.h"
#include "tests/support/observed.h"
#include "tests/support/suite.h"

enum { EVENTS = 4, INDEX = 1, METHODS = 5, MAPS = 8, COUNTERS = 9 };

static struct blob b;
static struct vsp_file file;
static struct vsp_blocks blocks;
static struct observed o;
static size_t block;
static uint32_t count;

static inline void begin(uint32_t width)
{
    b = (struct blob){0};
    blob_zero(&b, 8); /* stands for the header of the file */
    file = (struct vsp_file){
        .name = "a.vsp",
        .header = {.size = 8, .width = width, .mhz = 1, .block_size = 100}};
    observed_begin(&o);
}

static inline void begin_block(uint32_t type)
{
    block = b.len;
    count = 0;
    blob_bytes(&b, "BEAR", 4);
    blob_u32(&b, type);
    blob_zero(&b, type == EVENTS ? 32 : type == INDEX ? 24 : 40);
}

static inline void end_block(void)
{
    blob_set(&b, block + 12, count, 4);
    blob_set(&b, block + 16, b.len - block < 48 ? 48 : b.len - block, 4);
    while (b.len - block < 48)
        blob_u8(&b, 0);
}

static inline void read_blocks(void)
{
    file.data = b.data;
    file.size = b.len;
    blocks = (struct vsp_blocks){.first_time = 0};
    vsp_blocks_read(&blocks, &file, o.p);
}

static inline void end(void)
{
    vsp_blocks_release(&blocks);
    observed_end(&o);
    free(b.data);
}

/* A record of that kind with its time, zeros else. */
static inline size_t put_record(uint32_t kind, size_t size, size_t time_at,
                                uint64_t time)
{
    size_t at = b.len;

    blob_zero(&b, size);
    blob_set(&b, at, kind, 4);
    if (time_at)
        blob_set(&b, at + time_at, time, 8);
    count++;
    return at;
}

#endif
