/*
 * Sections (format.md, section 6). In the header:
 *
 * OFFSET SIZE DESCRIPTION
 *  14848    4 number of sections, at most 48
 *  14856      80 bytes each: name (64), offset (8), size (8)
 *
 * SYMSTRPOOL  128 x offset (8), bytes (8): areas of byte length (4) and
 *             UTF-16 text, named by ordinal
 * SYMCACHE    count (8), then 592 bytes each: path (520), version id (16),
 *             image size (4), stamp (4), native entries (8), managed ones
 *             (8), 560 a third (8), their offsets 568, 576, 584
 *   native    32: RVA, -, length, -, first line, name, file, function RVA
 *   managed   28: token, -, -, first line, name, -, file
 * SYMCACHE2   count (8), then 552 bytes each: path (520), native lines (8),
 *             offset (8), managed lines (8), offset (8)
 *   native    12: RVA, RVA, line
 *   managed   28: token, first and last IL offset, first and last line,
 *             columns
 *
 * Tables may lie anywhere and share bytes; a budget bounds what is read.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/format/vsp/saved_impl.h"
#include "engine/format/vsp/vsp.h"

enum {
    SECTIONS_AT = 14848,
    SECTION_SIZE = 80,
    MOST_SECTIONS = 48,
    POOL_AREAS = 128,
    PATH_BYTES = 520,
    CACHE_SIZE = 592,
    CACHE2_SIZE = 552,
};

const uint8_t *saved_table(struct vsp_saved *s, uint64_t at, uint64_t count,
                           uint64_t size)
{
    if (at > s->size || count > (s->size - at) / size) {
        profile_warn(s->profile, "%s: a table of saved names at 0x%llx is "
                     "cut off", s->name, (unsigned long long)at);
        return NULL;
    }
    if (count * size > s->budget) {
        profile_warn(s->profile, "%s: tables of saved names overlap", s->name);
        return NULL;
    }
    s->budget -= count * size;
    return s->data + at;
}

static bool is_section(const uint8_t *entry, const char *name)
{
    size_t n = strlen(name);

    for (size_t i = 0; i <= n; i++)
        if (entry[2 * i] != (uint8_t)name[i] || entry[2 * i + 1])
            return false;
    return true;
}

/* The bytes of a section; empty without one. */
static struct bytes section(const struct vsp_saved *s, const char *name)
{
    uint32_t n = load_u32(s->data + SECTIONS_AT);
    const uint8_t *entry = s->data + SECTIONS_AT + 8;

    for (uint32_t i = 0; i < n && i < MOST_SECTIONS;
         i++, entry += SECTION_SIZE) {
        uint64_t at = load_u64(entry + 64), size = load_u64(entry + 72);

        if (!is_section(entry, name))
            continue;
        if (at > s->size || size > s->size - at) {
            profile_warn(s->profile, "%s: the saved section %s is cut off",
                         s->name, name);
            break;
        }
        return (struct bytes){s->data + at, (size_t)size};
    }
    return (struct bytes){s->data, 0};
}

static void read_area(struct vsp_saved *s, uint64_t at, uint64_t size)
{
    const uint8_t *base = saved_table(s, at, size, 1);
    struct reader r;

    if (!base)
        return;
    r = reader_of(s->name, base, (size_t)size, at, NULL);
    while (reader_more(&r)) {
        struct bytes text = reader_bytes(&r, reader_u32(&r));

        if (!r.failed)
            *vec_add(&s->pool) = text;
    }
}

static void read_pool(struct vsp_saved *s)
{
    struct bytes b = section(s, "SYMSTRPOOL");

    for (size_t i = 0; i < POOL_AREAS && (i + 1) * 16 <= b.len; i++) {
        uint64_t size = load_u64(b.data + 16 * i + 8);

        if (size)
            read_area(s, load_u64(b.data + 16 * i), size);
    }
}

/* The entries behind a count of 8 bytes. */
static size_t entry_count(const struct bytes *b, size_t size)
{
    uint64_t n;

    if (b->len < 8)
        return 0;
    n = load_u64(b->data);
    return n < (b->len - 8) / size ? (size_t)n : (b->len - 8) / size;
}

static uint32_t path_id(struct vsp_saved *s, struct bytes path)
{
    return strings_fold(s->paths, strings_add_utf16(s->paths, path.data,
                                                    path.len / 2));
}

static void read_cache(struct vsp_saved *s)
{
    struct bytes b = section(s, "SYMCACHE");
    size_t n = entry_count(&b, CACHE_SIZE);

    for (size_t i = 0; i < n; i++) {
        const uint8_t *e = b.data + 8 + i * CACHE_SIZE;
        struct saved_module m = {
            .path = vsp_text(e, PATH_BYTES),
            .mvid = e + 520,
            .image_size = load_u32(e + 536),
            .timestamp = load_u32(e + 540),
            .native_count = load_u64(e + 544),
            .managed_count = load_u64(e + 552),
            .native_at = load_u64(e + 568),
            .managed_at = load_u64(e + 576),
        };

        map_add(&s->by_path, path_id(s, m.path), 0,
                (uint32_t)s->modules.len);
        *vec_add(&s->modules) = m;
    }
}

static void read_cache2(struct vsp_saved *s)
{
    struct bytes b = section(s, "SYMCACHE2");
    size_t n = entry_count(&b, CACHE2_SIZE);

    for (size_t i = 0; i < n; i++) {
        const uint8_t *e = b.data + 8 + i * CACHE2_SIZE;
        struct bytes path = vsp_text(e, PATH_BYTES);
        uint32_t id = path.len ? map_get(&s->by_path, path_id(s, path), 0)
                               : MAP_NONE;

        if (id == MAP_NONE)
            continue;
        s->modules.data[id].line_count = load_u64(e + 520);
        s->modules.data[id].line_at = load_u64(e + 528);
        s->modules.data[id].managed_line_count = load_u64(e + 536);
        s->modules.data[id].managed_line_at = load_u64(e + 544);
    }
}

struct bytes saved_text(const struct vsp_saved *s, int32_t ordinal)
{
    if (ordinal < 0 || (size_t)ordinal >= s->pool.len)
        return (struct bytes){s->data, 0};
    return s->pool.data[ordinal];
}

struct vsp_saved *saved_read(const char *name, const uint8_t *data,
                             size_t size, struct profile *p)
{
    struct vsp_saved *s = mem_new(1, sizeof(*s));

    s->name = name;
    s->data = data;
    s->size = size;
    s->profile = p;
    s->budget = 2 * (uint64_t)size;
    s->paths = strings_new();
    read_pool(s);
    read_cache(s);
    read_cache2(s);
    saved_read_managed(s);
    return s;
}

void saved_free(struct vsp_saved *s)
{
    for (size_t i = 0; i < s->modules.len; i++) {
        vec_release(&s->modules.data[i].functions);
        vec_release(&s->modules.data[i].addresses);
        vec_release(&s->modules.data[i].lines);
    }
    vec_release(&s->pool);
    vec_release(&s->modules);
    vec_release(&s->managed);
    vec_release(&s->il_lines);
    strings_free(s->paths);
    map_release(&s->by_path);
    map_release(&s->managed_ids);
    free(s);
}
