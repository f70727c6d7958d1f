#include "engine/base/strings.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/hash.h"
#include "engine/base/map.h"
#include "engine/base/text.h"
#include "engine/base/vec.h"

struct entry {
    const char *text; /* terminated, in the arena */
    uint32_t len;
};

struct strings {
    struct arena arena;
    VEC(struct entry) entries;
    struct map ids; /* (hash, how many others had it before) -> entry */
    VEC(char) scratch;
    size_t bytes; /* of all texts */
};

/* `text` is valid UTF-8 without NUL. */
static uint32_t add_clean(struct strings *s, const char *text, size_t n)
{
    uint32_t fresh = mem_next_id(s->entries.len), attempt = 0, id;
    uint64_t hash = hash_memory(text, n);

    if (n > UINT32_MAX)
        mem_exhausted(n);
    while ((id = map_add(&s->ids, hash, attempt++, fresh)) != fresh) {
        const struct entry *e = &s->entries.data[id];

        if (e->len == n && !memcmp(e->text, text, n))
            return id;
    }
    *vec_add(&s->entries) = (struct entry){
        .text = arena_strndup(&s->arena, text, n),
        .len = (uint32_t)n,
    };
    s->bytes += n;
    return id;
}

struct strings *strings_new(void)
{
    struct strings *s = mem_new(1, sizeof(*s));

    add_clean(s, "", 0);
    return s;
}

void strings_free(struct strings *s)
{
    if (!s)
        return;
    arena_release(&s->arena);
    vec_release(&s->entries);
    vec_release(&s->scratch);
    map_release(&s->ids);
    free(s);
}

static void append(struct strings *s, const char *text, size_t n)
{
    if (!n)
        return; /* text and scratch may be NULL then */
    vec_reserve(&s->scratch, n);
    memcpy(s->scratch.data + s->scratch.len, text, n);
    s->scratch.len += n;
}

static void append_code_point(struct strings *s, uint32_t c)
{
    char b[4];

    append(s, b, utf8_of(c, b));
}

/* Bytes at the start that are ASCII for sure: whole words of them. */
static size_t ascii_words(const char *text, size_t n)
{
    const uint64_t high = 0x8080808080808080;
    uint64_t word;
    size_t i = 0;

    for (; n - i >= sizeof(word); i += sizeof(word)) {
        memcpy(&word, text + i, sizeof(word));
        if (word & high)
            break;
    }
    return i;
}

uint32_t strings_add(struct strings *s, const char *text, size_t n)
{
    const char *nul;
    size_t i, len;

    if (!n)
        return 0; /* text may be NULL */
    nul = memchr(text, 0, n);
    if (nul)
        n = (size_t)(nul - text);
    i = ascii_words(text, n);
    while (i < n && (len = utf8_sequence((const uint8_t *)text + i, n - i)))
        i += len;
    if (i == n)
        return add_clean(s, text, n);
    s->scratch.len = 0;
    append(s, text, i);
    while (i < n) {
        len = utf8_sequence((const uint8_t *)text + i, n - i);
        if (len)
            append(s, text + i, len);
        else
            append_code_point(s, 0xFFFD);
        i += len ? len : 1;
    }
    return add_clean(s, s->scratch.data, s->scratch.len);
}

/* Appends what is ASCII at the start of the text; how many units. */
static size_t append_ascii_utf16(struct strings *s, const uint8_t *text,
                                 size_t units)
{
    char *to;
    size_t n = 0;

    if (!units)
        return 0;
    vec_reserve(&s->scratch, units);
    to = s->scratch.data + s->scratch.len;
    while (n < units && text[2 * n] - 1u < 0x7F && !text[2 * n + 1]) {
        to[n] = (char)text[2 * n];
        n++;
    }
    s->scratch.len += n;
    return n;
}

uint32_t strings_add_utf16(struct strings *s, const uint8_t *text, size_t units)
{
    size_t used;
    uint32_t c;

    s->scratch.len = 0;
    for (size_t i = append_ascii_utf16(s, text, units); i < units; i += used) {
        c = utf16_code_point(text + 2 * i, units - i, &used);
        if (!c)
            break;
        append_code_point(s, c);
    }
    return add_clean(s, s->scratch.len ? s->scratch.data : "", s->scratch.len);
}

uint32_t strings_addf(struct strings *s, const char *format, ...)
{
    va_list args, again;
    VEC(char) text = {0};
    uint32_t id;
    int n;

    va_start(args, format);
    va_copy(again, args);
    n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    vec_reserve(&text, (size_t)n + 1);
    vsnprintf(text.data, (size_t)n + 1, format, again);
    va_end(again);
    id = strings_add(s, text.data, (size_t)n);
    vec_release(&text);
    return id;
}

const char *strings_get(const struct strings *s, uint32_t id)
{
    assert(id < s->entries.len);
    return s->entries.data[id].text;
}

size_t strings_len(const struct strings *s, uint32_t id)
{
    assert(id < s->entries.len);
    return s->entries.data[id].len;
}

uint32_t strings_count(const struct strings *s)
{
    return (uint32_t)s->entries.len;
}

size_t strings_size(const struct strings *s)
{
    return s->bytes;
}

uint32_t strings_fold(struct strings *s, uint32_t id)
{
    const struct entry e = s->entries.data[id];
    size_t same = 0; /* characters that stay, at the start */

    while (same < e.len && ascii_fold(e.text[same]) == e.text[same])
        same++;
    if (same == e.len)
        return id;
    s->scratch.len = 0;
    append(s, e.text, e.len);
    for (size_t i = same; i < e.len; i++)
        s->scratch.data[i] = ascii_fold(e.text[i]);
    return add_clean(s, s->scratch.data, e.len);
}
