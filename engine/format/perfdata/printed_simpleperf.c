#include "engine/format/perfdata/printed_simpleperf.h"

#include "engine/attribution/observations.h"
#include "engine/base/hex.h"
#include "engine/base/out.h"
#include "engine/format/perfdata/printed.h"

enum { NS_PER_SECOND = 1000000000 };

/* What is known of the block at hand. */
struct block {
    struct bytes event, name, file;
    uint64_t time, period, tid, address;
    bool is_sample, begun; /* it is one, and its first line was written */
};

static bool is(struct bytes text, const char *word)
{
    return text.len == strlen(word) && !memcmp(text.data, word, text.len);
}

/* "  key: value"; a block's name has no value. */
static bool take_key(struct bytes line, struct bytes *key, struct bytes *value)
{
    const uint8_t *colon;
    size_t indent = 0;

    while (line.len && line.data[line.len - 1] == '\r')
        line.len--;
    while (indent < line.len && line.data[indent] == ' ')
        indent++;
    colon = memchr(line.data + indent, ':', line.len - indent);
    if (!colon)
        return false;
    *key = (struct bytes){line.data + indent,
                          (size_t)(colon - line.data) - indent};
    *value =
        (struct bytes){colon + 1, line.len - (size_t)(colon + 1 - line.data)};
    if (value->len && *value->data == ' ')
        *value = (struct bytes){value->data + 1, value->len - 1};
    return key->len > 0;
}

static uint64_t number(struct bytes text, unsigned base)
{
    uint64_t value = 0;

    for (size_t i = 0; i < text.len; i++) {
        int digit = hex_digit(text.data[i]);

        if (digit < 0 || (unsigned)digit >= base)
            return 0;
        value = value * base + (unsigned)digit;
    }
    return value;
}

bool printed_simpleperf(struct bytes text)
{
    static const char *const blocks[] = {"sample", "context_switch",
                                         "lost_situation", "meta_info"};
    static const char *const keys[] = {"event_type", "switch_on",
                                       "record_count", "trace_offcpu"};
    struct bytes first, second, key, value;
    size_t at = 0;

    if (!printed_line(text, &at, &first) || !printed_line(text, &at, &second) ||
        !take_key(first, &key, &value) || value.len || *first.data != *key.data)
        return false;
    for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++)
        if (is(key, blocks[i]))
            return take_key(second, &key, &value) && is(key, keys[i]);
    return false;
}

/* ---- as perf script prints it ---- */

static void put(struct out *out, struct bytes text)
{
    out_bytes(out, (const char *)text.data, text.len);
}

static void begin(struct out *out, struct block *b)
{
    if (!b->is_sample || b->begun)
        return;
    b->begun = true;
    put(out, b->name);
    out_fmt(out, " %u %llu.%09llu: %llu ", (unsigned)b->tid,
            (unsigned long long)b->time / NS_PER_SECOND,
            (unsigned long long)b->time % NS_PER_SECOND,
            (unsigned long long)b->period);
    put(out, b->event);
    out_str(out, ":\n");
}

/* "libc.so[+1234]" stands for a function without a name. */
static bool is_named(struct bytes symbol)
{
    size_t n = symbol.len;

    if (!n || symbol.data[--n] != ']')
        return n > 0;
    while (n && hex_digit(symbol.data[n - 1]) >= 0)
        n--;
    return n < 2 || symbol.data[n - 1] != '+' || symbol.data[n - 2] != '[';
}

/* The kernel's addresses are those in its file. */
static void put_frame(struct out *out, const struct block *b,
                      struct bytes symbol)
{
    static const char kernel[] = "[kernel";
    size_t n = sizeof(kernel) - 1;
    bool of_kernel = b->file.len > n && !memcmp(b->file.data, kernel, n);

    out_fmt(out, "\t%16llx ",
            (unsigned long long)(b->address |
                                 (of_kernel ? kernel_space_start(8) : 0)));
    if (is_named(symbol))
        put(out, symbol);
    else
        out_str(out, "[unknown]");
    out_str(out, " (");
    put(out, b->file);
    out_str(out, ")\n");
}

static void take_value(struct out *out, struct block *b, struct bytes key,
                       struct bytes value)
{
    if (is(key, "event_type")) {
        b->event = value;
    } else if (is(key, "time")) {
        b->time = number(value, 10);
    } else if (is(key, "event_count")) {
        b->period = number(value, 10);
    } else if (is(key, "thread_id")) {
        b->tid = number(value, 10);
    } else if (is(key, "thread_name")) {
        b->name = value;
    } else if (is(key, "vaddr_in_file")) {
        begin(out, b);
        b->address = number(value, 16);
    } else if (is(key, "file")) {
        b->file = value;
    } else if (is(key, "symbol") && b->begun) {
        put_frame(out, b, value);
    }
}

struct bytes printed_simpleperf_script(struct arena *arena, struct bytes text)
{
    struct out *out = out_memory();
    struct block b = {.is_sample = false};
    struct bytes line, key, value;
    const char *made;
    size_t at = 0, n;
    char *kept;

    while (printed_line(text, &at, &line)) {
        if (!take_key(line, &key, &value))
            continue;
        if (*line.data == ' ') {
            take_value(out, &b, key, value);
            continue;
        }
        begin(out, &b);
        b = (struct block){.is_sample = is(key, "sample")};
    }
    begin(out, &b);
    made = out_text(out, &n);
    kept = arena_new(arena, char, n + 1);
    memcpy(kept, made, n);
    out_close(out, NULL);
    return (struct bytes){(const uint8_t *)kept, n};
}
