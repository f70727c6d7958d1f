#include "tests/support/vsp_writer.h"

void vsp_begin(struct vsp_writer *w, unsigned width)
{
    *w = (struct vsp_writer){.width = width, .block_size = VSP_BLOCK};
    blob_bytes(&w->b, "MIKE", 4);
    blob_u32(&w->b, VSP_HEADER);
    blob_zero(&w->b, VSP_HEADER - w->b.len);
    blob_set(&w->b, 8, 43, 4);
    blob_set(&w->b, 84, 1, 4);
    blob_set(&w->b, 12, 11, 2);
    memcpy(w->b.data + 20, "11.0.1 test", 11);
    blob_set(&w->b, 88, 2013, 2);
    blob_set(&w->b, 90, 12, 2);
    blob_set(&w->b, 94, 31, 2);
    blob_set(&w->b, 140, VSP_BLOCK, 4);
    blob_set(&w->b, 156, width == 8 ? 0x20 : 0, 4);
    blob_set(&w->b, 164, 4, 4);
    blob_set(&w->b, 168, 1, 4);
    blob_set(&w->b, 172, 1000, 4);
    blob_set(&w->b, 180, 1, 4);
    blob_set(&w->b, 2252, 2, 4);
    blob_set(&w->b, 2268, 1, 4);
}

static void end_block(struct vsp_writer *w)
{
    if (!w->block)
        return;
    blob_zero(&w->b, w->block + w->block_size - w->b.len);
    blob_set(&w->b, w->block + 12, w->records, 4);
}

void vsp_block(struct vsp_writer *w, uint32_t type)
{
    end_block(w);
    w->block = w->b.len;
    w->records = 0;
    w->blocks++;
    blob_bytes(&w->b, "BEAR", 4);
    blob_pack(&w->b, "I8xI", type, w->block_size);
    blob_zero(&w->b, type == 4 ? 20 : type == 1 || type == 9 ? 12 : 28);
}

/* Pads the record that began at `at` to its size. */
static void end_record(struct vsp_writer *w, size_t at, size_t size)
{
    blob_zero(&w->b, at + size - w->b.len);
    w->records++;
}

void vsp_process(struct vsp_writer *w, uint64_t time, uint32_t pid,
                 const char *path)
{
    size_t at = w->b.len;

    blob_pack(&w->b, "IIIQ12x", 1, pid, 0, time);
    blob_utf16(&w->b, path, 520);
    end_record(w, at, 552);
}

void vsp_thread(struct vsp_writer *w, uint64_t time, uint32_t pid,
                uint32_t tid)
{
    size_t at = w->b.len;

    blob_pack(&w->b, "III", 3, pid, tid);
    blob_zero(&w->b, 8 + w->width);
    blob_u64(&w->b, time);
    end_record(w, at, 28 + w->width);
}

void vsp_module(struct vsp_writer *w, uint64_t time, bool load, uint64_t base,
                uint32_t size, uint32_t stamp, const char *path)
{
    size_t at = w->b.len;

    blob_pack(&w->b, "IQII", load ? 7 : 8, time, 0, UINT32_MAX);
    blob_number(&w->b, base, w->width);
    blob_pack(&w->b, "II", size, stamp);
    blob_utf16(&w->b, path, 520);
    end_record(w, at, w->width == 8 ? 572 : 564);
}

static void put_frames(struct vsp_writer *w, const uint64_t *frames, size_t n)
{
    for (size_t i = 0; i < n; i++)
        blob_number(&w->b, frames[i], w->width);
}

void vsp_sample(struct vsp_writer *w, uint64_t time, uint32_t tid,
                const uint64_t *frames, size_t n, bool broken)
{
    size_t at = w->b.len;

    blob_pack(&w->b, "IQIIII", 0x0CDCDCE8, time, 0, 0, tid, 2);
    blob_number(&w->b, 0, w->width);
    blob_number(&w->b, 0, w->width);
    blob_number(&w->b, n ? frames[0] : 0, w->width);
    blob_u32(&w->b, 1); /* CPU */
    blob_pack(&w->b, "IIQI", 2, ++w->sequence, 0, broken);
    put_frames(w, frames, n);
    blob_set(&w->b, at + 12, w->b.len - at, 4);
    end_record(w, at, w->b.len - at);
    w->samples++;
    w->broken += broken;
}

void vsp_wait(struct vsp_writer *w, uint64_t start, uint64_t end,
              uint32_t tid, const uint64_t *frames, size_t n)
{
    size_t at = w->b.len;

    blob_pack(&w->b, "IQQ8xI20xQ8xI24x", 0x0CDCDCED, end, start, tid,
              n ? frames[0] : 0, ++w->sequence);
    put_frames(w, frames, n);
    blob_set(&w->b, at + 20, w->b.len - at, 4);
    end_record(w, at, w->b.len - at);
}

static void put_mvid(struct blob *b, uint8_t mvid)
{
    for (unsigned i = 0; i < 16; i++)
        blob_u8(b, (uint8_t)(mvid + i));
}

void vsp_method(struct vsp_writer *w, uint64_t time, uint64_t start,
                uint32_t length, uint32_t token, uint32_t pid, uint8_t mvid,
                bool map)
{
    size_t at = w->b.len, fixed = 40 + 2 * w->width;

    blob_pack(&w->b, "IQ", 0x0CDCDCDE, time);
    blob_number(&w->b, start, w->width);
    blob_u32(&w->b, length);
    blob_number(&w->b, start, w->width);
    blob_pack(&w->b, "II", token, pid);
    put_mvid(&w->b, mvid);
    if (map) {
        blob_pack(&w->b, "BIIII", 1, (uint32_t)fixed + 5 + 12, 5, 0, length);
    }
    end_record(w, at, w->b.len - at);
}

void vsp_end(struct vsp_writer *w)
{
    end_block(w);
    w->block = 0;
    blob_set(&w->b, 184, w->samples + 7, 4);
    blob_set(&w->b, 188, w->samples, 4);
    blob_set(&w->b, 196, 7, 4);
    blob_set(&w->b, 208, w->samples, 4);
    blob_set(&w->b, 212, w->broken, 4);
    blob_set(&w->b, 2216, w->blocks + 1, 4);
}

/* ---- saved names ---- */

static void add_section(struct vsp_writer *w, const char *name, size_t at,
                        size_t size)
{
    size_t n = w->b.data[14848]++, entry = 14856 + 80 * n;

    for (size_t i = 0; name[i]; i++)
        w->b.data[entry + 2 * i] = (uint8_t)name[i];
    blob_set(&w->b, entry + 64, at, 8);
    blob_set(&w->b, entry + 72, size, 8);
}

static void put_words(struct blob *b, const int32_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        blob_u32(b, (uint32_t)words[i]);
}

static void add_pool(struct vsp_writer *w)
{
    static const char *const texts[] = {"", "run", "a.cpp", "N.C.M()", "m.cs"};
    size_t area = w->b.len, at;

    for (size_t i = 0; i < 5; i++) {
        blob_u32(&w->b, (uint32_t)(2 * strlen(texts[i])));
        blob_utf16(&w->b, texts[i], 0);
    }
    at = w->b.len;
    blob_pack(&w->b, "QQ", area, at - area);
    blob_zero(&w->b, 127 * 16);
    add_section(w, "SYMSTRPOOL", at, w->b.len - at);
}

static void put_cache(struct blob *b, const char *path, uint8_t mvid,
                      uint32_t size, uint32_t stamp, size_t native,
                      size_t managed)
{
    blob_utf16(b, path, 520);
    put_mvid(b, mvid);
    blob_pack(b, "IIQQQQQQ", size, stamp, native ? 1 : 0, managed ? 1 : 0, 0,
              native, managed, 0);
}

static void put_cache2(struct blob *b, const char *path, size_t native,
                       size_t managed)
{
    blob_utf16(b, path, 520);
    blob_pack(b, "QQQQ", native ? 1 : 0, native, managed ? 1 : 0, managed);
}

void vsp_saved_names(struct vsp_writer *w, const char *native, uint32_t size,
                     uint32_t stamp, const char *managed, uint8_t mvid)
{
    static const int32_t function[] = {0x1000, -1, 0x100, 0, 3, 1, 2, 0x1000};
    static const int32_t method[] = {0x06000001, 0, -1, 29, 3, -1, 4};
    static const int32_t line[] = {0x1010, 0x1010, 7};
    static const int32_t il_line[] = {0x06000001, 0, 9, 30, 31, 1, 2};
    size_t at[4], start;

    at[0] = w->b.len;
    put_words(&w->b, function, 8);
    at[1] = w->b.len;
    put_words(&w->b, method, 7);
    at[2] = w->b.len;
    put_words(&w->b, line, 3);
    at[3] = w->b.len;
    put_words(&w->b, il_line, 7);
    start = w->b.len;
    blob_u64(&w->b, 2);
    put_cache(&w->b, native, 0, size, stamp, at[0], 0);
    put_cache(&w->b, managed, mvid, 0, 0, 0, at[1]);
    add_section(w, "SYMCACHE", start, w->b.len - start);
    start = w->b.len;
    blob_u64(&w->b, 3);
    put_cache2(&w->b, native, at[2], 0);
    put_cache2(&w->b, "", 0, 0);
    put_cache2(&w->b, managed, 0, at[3]);
    add_section(w, "SYMCACHE2", start, w->b.len - start);
    add_pool(w);
}
