/* What kinds and schemas keep in the arena of a trace: keys, texts, fields. */
#include <string.h>

#include "engine/base/hash.h"
#include "engine/base/unicode.h"
#include "engine/events/trace_impl.h"

static void hash_bytes(const uint8_t *p, size_t n, uint64_t *a, uint32_t *b)
{
    uint64_t h = n;
    size_t i = 0;

    for (; i + 8 <= n; i += 8)
        h = hash_pair(h, load_u64(p + i));
    for (; i < n; i++)
        h = hash_pair(h, p[i]);
    *a = h;
    *b = (uint32_t)hash_pair(h, n);
}

uint32_t event_key(struct event_keys *keys, struct arena *arena,
                   const void *key, size_t size, bool *fresh)
{
    uint32_t next = mem_next_id(keys->list.len), at, b;
    uint64_t a;

    hash_bytes(key, size, &a, &b);
    /* Two keys with one hash stand behind each other. */
    for (;; b++) {
        at = map_add(&keys->ids, a, b, next);
        *fresh = at == next;
        if (*fresh)
            break;
        if (keys->list.data[at].len == size &&
            !memcmp(keys->list.data[at].data, key, size))
            return at;
    }
    *vec_add(&keys->list) = (struct bytes){arena_copy(arena, key, size), size};
    return at;
}

const char *arena_text(struct arena *arena, struct bytes utf8)
{
    char *text = arena_new(arena, char, utf8.len * 3 + 1);
    size_t n = 0, used;

    for (size_t i = 0; i < utf8.len && utf8.data[i]; i += used) {
        used = utf8_sequence(utf8.data + i, utf8.len - i);
        if (used) {
            memcpy(text + n, utf8.data + i, used);
            n += used;
        } else {
            n += utf8_of(0xFFFD, text + n);
            used = 1;
        }
    }
    return text;
}

const char *arena_utf16(struct arena *arena, struct bytes utf16)
{
    size_t units = utf16.len / 2, n = 0, used;
    char *text = arena_new(arena, char, units * 3 + 1);

    for (size_t i = 0; i < units; i += used) {
        uint32_t c = utf16_code_point(utf16.data + 2 * i, units - i, &used);

        if (!c)
            break;
        n += utf8_of(c, text + n);
    }
    return text;
}

const struct event_field *event_fields_copy(struct arena *arena,
                                            const struct event_field *fields,
                                            size_t count)
{
    struct event_field *copy = arena_new(arena, struct event_field, count);

    if (count)
        memcpy(copy, fields, count * sizeof(*copy));
    return copy;
}

const char *name_without_prefix(const char *name)
{
    return name && !strncmp(name, "win:", 4) ? name + 4 : name;
}
