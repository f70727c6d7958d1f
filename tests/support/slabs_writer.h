/*
 * slabs_writer - files of JsonSlabs (base/json_slabs.h).
 *
 *     struct slabs_writer w = {0};
 *     slabs_add(&w, 4, numbers, sizeof(numbers));          // slab 0
 *     slabs_add(&w, SLABS_JSON, text, strlen(text));       // slab 1
 *     struct blob file = slabs_file(&w, 1);                // 1 is the root
 *     free(file.data);
 */
#ifndef TOPFN_TESTS_SLABS_WRITER_H
#define TOPFN_TESTS_SLABS_WRITER_H

#include "tests/support/blob.h"

enum { SLABS_JSON = 10, SLABS_MOST = 16 };

struct slabs_writer {
    struct blob body;
    uint32_t count, types[SLABS_MOST], starts[SLABS_MOST], sizes[SLABS_MOST];
};

static inline void slabs_add(struct slabs_writer *w, uint32_t type,
                             const void *data, size_t size)
{
    blob_zero(&w->body, (8 - w->body.len % 8) % 8);
    w->types[w->count] = type;
    w->starts[w->count] = (uint32_t)w->body.len;
    w->sizes[w->count++] = (uint32_t)size;
    blob_bytes(&w->body, data, size);
}

static inline struct blob slabs_file(struct slabs_writer *w, uint32_t root)
{
    static const uint8_t magic[8] = {0xDC, 0xDF, 'J', 'S', 'L', 'B', 1, 0};
    uint32_t start = (20 + 12 * w->count + 7) / 8 * 8;
    struct blob file = {0};

    blob_bytes(&file, magic, sizeof(magic));
    blob_pack(&file, "III", 1, w->count, root);
    for (uint32_t i = 0; i < w->count; i++) {
        blob_pack(&file, "III", w->types[i], start + w->starts[i],
                  w->sizes[i]);
    }
    blob_zero(&file, start - file.len);
    blob_bytes(&file, w->body.data, w->body.len);
    vec_release(&w->body);
    return file;
}

#endif
