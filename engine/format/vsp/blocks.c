/*
 * From the header size on, blocks follow each other (format.md, section 3).
 * Behind the last record of a block is stale memory. The chains of blocks are
 * not followed: reading them in order meets them all.
 */
#include <string.h>

#include "engine/format/vsp/vsp.h"

enum {
    BLOCK_INDEX = 1,
    BLOCK_EVENTS = 4,
    BLOCK_METHODS = 5,
    BLOCK_METHODS_WITH_MAP = 8,
    BLOCK_COUNTERS = 9,
    LEAST_BLOCK = 48,
    USUAL_BLOCK = 65536,
    LEAST_EVENT = 64,
};

struct walk {
    struct vsp_blocks *blocks;
    const struct vsp_file *file;
    struct profile *p;
};

struct block {
    const uint8_t *at;
    uint32_t type, count;
    uint32_t size; /* bytes that are in the file */
};

static void skip_block(struct walk *w, const uint8_t *at, size_t n,
                       const char *why)
{
    profile_skip(w->p, w->file->name, (uint64_t)(at - w->file->data), n, why);
}

static void add_record(struct walk *w, vsp_records *list,
                       const struct vsp_record *r)
{
    *vec_add(list) = *r;
    if (r->time < w->blocks->first_time)
        w->blocks->first_time = r->time;
    if (r->time > w->blocks->last_time)
        w->blocks->last_time = r->time;
}

/* Each returns the size of the record at `at`, with `left` bytes to the end of
 * the block; 0 if the size is unknown. */

static uint32_t take_event(struct walk *w, const uint8_t *at, uint32_t left)
{
    uint32_t width = w->file->header.width, wide = 3 * (width - 4), size;
    struct vsp_record r = {.at = at, .kind = load_u32(at)};
    bool wait = r.kind == VSP_EVENT_WAIT;

    if (left < LEAST_EVENT)
        return 0;
    size = load_u32(at + (wait ? 20 : 12));
    if (size > left || size < LEAST_EVENT + wide + (wait ? 20 : 0))
        return 0;
    r.size = size;
    r.time = load_u64(at + (wait ? 12 : 4));
    r.sequence = load_u32(at + 48 + wide + (wait ? 8 : 0));
    if (wait || r.kind == VSP_EVENT_SAMPLE)
        add_record(w, &w->blocks->samples, &r);
    return size;
}

/* Records of an index block: their sizes and where their time stamps are, with
 * addresses of 4 and of 8 bytes. A mark ends with its name; a data block has no
 * time of its own. */
static const struct {
    uint16_t kind, size[2], time_at[2];
} index_records[] = {
    {VSP_PROCESS_START, {552, 552}, {12, 12}},
    {VSP_PROCESS_END, {20, 20}, {12, 12}},
    {VSP_THREAD_START, {32, 36}, {24, 28}},
    {VSP_THREAD_END, {28, 28}, {20, 20}},
    {VSP_MARK, {42, 42}, {8, 8}},
    {VSP_MODULE_LOAD, {564, 572}, {4, 4}},
    {VSP_MODULE_UNLOAD, {564, 572}, {4, 4}},
    {VSP_DATA_BLOCK, {44, 44}, {0, 0}},
};

static uint32_t take_index(struct walk *w, const uint8_t *at, uint32_t left)
{
    struct vsp_record r = {.at = at, .kind = load_u32(at)};
    bool wide = w->file->header.width == 8;
    uint32_t time_at = 0;

    for (size_t i = 0; i < sizeof(index_records) / sizeof(*index_records); i++)
        if (index_records[i].kind == r.kind) {
            r.size = index_records[i].size[wide];
            time_at = index_records[i].time_at[wide];
        }
    if (!r.size || r.size > left)
        return 0;
    if (r.kind == VSP_MARK)
        r.size += (uint32_t)vsp_text(at + 40, left - 42).len;
    if (r.size > left)
        return 0;
    if (time_at) {
        r.time = load_u64(at + time_at);
        add_record(w, &w->blocks->index, &r);
    }
    return r.size;
}

static uint32_t take_method(struct walk *w, const uint8_t *at, uint32_t left,
                            bool map)
{
    uint32_t fixed = 40 + 2 * w->file->header.width;
    struct vsp_record r = {.at = at, .kind = load_u32(at), .size = fixed};

    if (r.kind != VSP_EVENT_JIT && r.kind != VSP_EVENT_NGEN)
        return 0;
    if (left < fixed + (map ? 5 : 0))
        return 0;
    if (map)
        r.size = load_u32(at + fixed + 1);
    if (r.size < fixed + (map ? 5 : 0) || r.size > left)
        return 0;
    r.time = load_u64(at + 4);
    add_record(w, &w->blocks->methods, &r);
    return r.size;
}

static uint32_t take_record(struct walk *w, const struct block *b,
                            const uint8_t *at, uint32_t left)
{
    if (left < 20)
        return 0;
    switch (b->type) {
    case BLOCK_EVENTS:
        return take_event(w, at, left);
    case BLOCK_INDEX:
        return take_index(w, at, left);
    }
    return take_method(w, at, left, b->type == BLOCK_METHODS_WITH_MAP);
}

static const char *block_name(uint32_t type)
{
    switch (type) {
    case BLOCK_INDEX:
        return "VSP/index record";
    case BLOCK_EVENTS:
        return "VSP/event";
    case BLOCK_COUNTERS:
        return "VSP/counter or mark";
    }
    return "VSP/method";
}

static void read_block(struct walk *w, const struct block *b)
{
    uint32_t at = b->type == BLOCK_EVENTS  ? 40
                  : b->type == BLOCK_INDEX ? 32
                                           : 48;
    uint32_t done = 0, n;

    if (b->type == BLOCK_COUNTERS ||
        (b->type == BLOCK_EVENTS && w->blocks->events_unread)) {
        profile_count_event(w->p, block_name(b->type), b->count);
        return;
    }
    for (; done < b->count; done++, at += n) {
        n = at < b->size ? take_record(w, b, b->at + at, b->size - at) : 0;
        if (!n) {
            skip_block(w, b->at + at, at < b->size ? b->size - at : 0,
                       "unknown or damaged record in the block");
            break;
        }
    }
    if (done)
        profile_count_event(w->p, block_name(b->type), done);
}

static bool is_block(const uint8_t *at)
{
    return !memcmp(at, "BEAR", 4);
}

/* The block at `pos`; its size in the file, 0 for none. */
static uint32_t next_block(struct walk *w, size_t pos)
{
    const uint8_t *at = w->file->data + pos;
    size_t left = w->file->size - pos;
    struct block b = {.at = at};
    uint32_t size;

    if (left < LEAST_BLOCK)
        return 0;
    size = load_u32(at + 16);
    if (!is_block(at) || size < LEAST_BLOCK) {
        size = w->file->header.block_size;
        size = size >= LEAST_BLOCK && size <= left ? size : (uint32_t)left;
        skip_block(w, at, size, "not a block");
        return size;
    }
    b.type = load_u32(at + 4);
    b.count = load_u32(at + 12);
    b.size = size <= left ? size : (uint32_t)left;
    switch (b.type) {
    case BLOCK_INDEX:
    case BLOCK_EVENTS:
    case BLOCK_METHODS:
    case BLOCK_METHODS_WITH_MAP:
    case BLOCK_COUNTERS:
        read_block(w, &b);
        break;
    default:
        skip_block(w, at, b.size, "block of an unknown type");
    }
    return b.size;
}

static int compare_records(const void *a, const void *b)
{
    const struct vsp_record *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->sequence != y->sequence)
        return x->sequence < y->sequence ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* An interrupted recording counts no blocks: they end where the file does,
 * or where something else begins. */
void vsp_blocks_read(struct vsp_blocks *blocks, const struct vsp_file *file,
                     struct profile *p)
{
    struct walk w = {blocks, file, p};
    bool counted = file->header.blocks > 0;
    uint32_t left = counted ? file->header.blocks - 1 : 0;
    size_t pos = file->header.size;

    blocks->first_time = UINT64_MAX;
    for (; pos < file->size && (!counted || left); left--) {
        uint32_t size;

        if (!counted && (file->size - pos < LEAST_BLOCK ||
                         !is_block(file->data + pos)))
            break;
        size = next_block(&w, pos);
        if (!size)
            break;
        pos += size;
    }
    if (counted && left)
        profile_warn(p, "%s: truncated file: it ends before its last %u blocks",
                     file->name, left);
    if (blocks->first_time == UINT64_MAX)
        blocks->first_time = blocks->last_time;
    vec_sort(&blocks->samples, compare_records);
}

void vsp_blocks_release(struct vsp_blocks *blocks)
{
    vec_release(&blocks->samples);
    vec_release(&blocks->index);
    vec_release(&blocks->methods);
}
