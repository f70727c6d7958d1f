#include "engine/format/collapsed/collapsed.h"

#include <string.h>

#include "engine/base/unicode.h"
#include "engine/observations/named_code.h"

enum { LOOKED_AT = 64 * 1024, MARK = 2, UNIT = 2 };

/* ---- lines ---- */

struct line {
    const char *stack;
    size_t len;
    uint64_t count;
};

enum line_kind { LINE_STACK, LINE_NOTHING, LINE_OTHER };

static bool is_comment(const char *text, size_t n)
{
    return !n || *text == '#' || (n > 1 && !memcmp(text, "//", 2));
}

/* The digits at the end, perhaps with a fraction, which is rounded. */
static bool take_count(const char *text, size_t *n, uint64_t *count)
{
    size_t start = *n, dot = *n;

    while (start && ((text[start - 1] >= '0' && text[start - 1] <= '9') ||
                     (text[start - 1] == '.' && dot == *n))) {
        start--;
        if (text[start] == '.')
            dot = start;
    }
    if (start == dot || start < 2 || text[start - 1] != ' ')
        return false;
    *count = 0;
    for (size_t i = start; i < dot; i++)
        if (__builtin_mul_overflow(*count, 10, count) ||
            __builtin_add_overflow(*count, (uint64_t)(text[i] - '0'), count))
            return false;
    if (dot + 1 < *n && text[dot + 1] >= '5' && *count < UINT64_MAX)
        ++*count;
    *n = start - 1;
    return true;
}

static enum line_kind read_line(const char *text, size_t n, struct line *line)
{
    while (n && (text[n - 1] == '\r' || text[n - 1] == ' '))
        n--;
    if (is_comment(text, n))
        return LINE_NOTHING;
    if (memchr(text, '\0', n) || !take_count(text, &n, &line->count))
        return LINE_OTHER;
    line->stack = text;
    line->len = n;
    return LINE_STACK;
}

/* ---- UTF-16 ---- */

static bool is_utf16(const uint8_t *data, size_t size)
{
    return size >= MARK && ((data[0] == 0xFF && data[1] == 0xFE) ||
                            (data[0] == 0xFE && data[1] == 0xFF));
}

static uint32_t unit_at(const uint8_t *at, bool big)
{
    return big ? (uint32_t)at[0] << 8 | at[1] : (uint32_t)at[1] << 8 | at[0];
}

/* In UTF-8, to be freed; lone surrogates become U+FFFD. */
static char *converted(const uint8_t *data, size_t size, size_t *len)
{
    bool big = data[0] == 0xFE;
    char *text = mem_new(size / UNIT + 1, 3);

    *len = 0;
    for (size_t i = MARK; i + UNIT <= size; i += UNIT) {
        uint32_t code = unit_at(data + i, big), low;

        if (code >= 0xD800 && code < 0xE000) {
            low = code < 0xDC00 && i + UNIT + UNIT <= size
                      ? unit_at(data + i + UNIT, big)
                      : 0;
            if (low >= 0xDC00 && low < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                i += UNIT;
            } else {
                code = 0xFFFD;
            }
        }
        *len += utf8_of(code, text + *len);
    }
    return text;
}

/* ---- the file ---- */

struct file {
    struct profile *p;
    struct named_code code;
    uint32_t thread;
};

struct stacking {
    struct named_stack below, stack; /* without and with the last location */
    uint32_t location;
};

static void push(struct file *f, struct stacking *s, const struct named_frame *at)
{
    uint32_t joined = NO_ID;

    if (at->inlined && s->stack.whole)
        joined = named_location_on(&f->code, s->location, at);
    if (joined == NO_ID) {
        s->below = s->stack;
        joined = named_location(&f->code, at);
    }
    s->location = joined;
}

/* A location is pushed when all that is inlined into it is known. */
static void read_stack(struct file *f, const struct line *line)
{
    const char *at = line->stack, *end = at + line->len;
    struct stacking s = {0};

    while (at < end) {
        const char *stop = memchr(at, ';', (size_t)(end - at));
        struct named_frame frame;

        if (!stop)
            stop = end;
        if (stop > at) {
            frame = named_frame_of(&f->code, at, (size_t)(stop - at));
            push(f, &s, &frame);
            s.stack = named_push(&f->code, s.below, s.location);
        }
        at = stop + 1;
    }
    named_sample(&f->code, &(struct named_sample){.thread = f->thread,
                                                  .stack = s.stack.whole,
                                                  .weight = line->count});
}

/* Reads up to the end, or to where a packed file has made as much as it may;
 * what was gone through of the file itself (`e`) is given back. */
static void read_text(struct file *f, const struct entry *e, const char *text,
                      size_t size)
{
    enum { A_WHILE = 1 << 20 };
    const char *at = text, *end = text + size, *kept = text;
    bool own = text == (const char *)e->data;
    uint64_t stacks = 0;

    if (size >= 3 && !memcmp(at, "\xEF\xBB\xBF", 3))
        at += 3;
    while (at < end && !f->code.full) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        struct line line;
        enum line_kind kind;

        if (!stop)
            stop = end;
        kind = read_line(at, (size_t)(stop - at), &line);
        if (kind == LINE_STACK) {
            read_stack(f, &line);
            stacks++;
        } else if (kind == LINE_OTHER) {
            profile_skip(f->p, e->name, (uint64_t)(at - text),
                         (uint64_t)(stop - at), "not a stack and its count");
        }
        at = stop + 1;
        if (own && at - kept > A_WHILE) {
            entry_forget(e, (size_t)(kept - text), (size_t)(at - kept));
            kept = at;
        }
    }
    if (at < end)
        profile_skip(f->p, e->name, (uint64_t)(at - text), (uint64_t)(end - at),
                     "behind what a packed file may make");
    profile_count_event(f->p, "stack", stacks);
}

static void read_entry(const struct entry *e, struct profile *p)
{
    struct file f = {.p = p, .code = named_code_from(p, e)};
    bool wide = is_utf16(e->data, e->size);
    size_t size = e->size;
    char *text = wide ? converted(e->data, e->size, &size) : NULL;

    profile_set_metric_word(p, "samples");
    f.thread = named_thread(&f.code, named_process(&f.code, NO_PID, 0), 0, 0);
    read_text(&f, e, wide ? text : (const char *)e->data, size);
    named_code_end(&f.code, NAMED_COUNTS,
                   "processes, threads, times, addresses, losses");
    free(text);
}

static enum err_code collapsed_read(const struct entry *entries, size_t count,
                                    const struct read_options *options,
                                    struct observations *seen, struct err *err)
{
    (void)count;
    (void)options;
    (void)err;
    read_entry(entries, seen->profile);
    return ERR_NONE;
}

/* Lines of the beginning: most are stacks, and one has two frames. Tables
 * whose last column is a number have tabs, stacks have none. */
static bool looks_collapsed(const char *text, size_t size)
{
    const char *at = text, *end = text + size, *stop;
    size_t stacks = 0, others = 0;
    bool semicolon = false;

    for (; at < end; at = stop + 1) {
        struct line line;
        enum line_kind kind;

        stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop && stacks + others)
            break; /* perhaps cut off by us */
        if (!stop)
            stop = end;
        kind = read_line(at, (size_t)(stop - at), &line);
        if (kind == LINE_STACK && memchr(line.stack, '\t', line.len))
            kind = LINE_OTHER;
        stacks += kind == LINE_STACK;
        others += kind == LINE_OTHER;
        if (kind == LINE_STACK && memchr(line.stack, ';', line.len))
            semicolon = true;
    }
    return semicolon && stacks >= others;
}

/* One line at least, whose stack may be deep. */
static size_t beginning(const uint8_t *data, size_t size)
{
    const uint8_t *stop;

    if (size <= LOOKED_AT || memchr(data, '\n', LOOKED_AT))
        return size < LOOKED_AT ? size : LOOKED_AT;
    stop = memchr(data + LOOKED_AT, '\n', size - LOOKED_AT);
    return stop ? (size_t)(stop + 1 - data) : size;
}

static enum format_probe collapsed_probe(const uint8_t *data, size_t size)
{
    size_t n = beginning(data, size);
    bool is;

    if (is_utf16(data, n)) {
        char *text = converted(data, n, &n);

        is = looks_collapsed(text, n);
        free(text);
    } else {
        is = looks_collapsed((const char *)data, n);
    }
    return is ? PROBE_MAYBE : PROBE_NO;
}

const struct trace_format collapsed_format = {
    .name = "collapsed",
    .summary = "collapsed (folded) stacks",
    .endings = {".folded", ".collapsed"},
    .recorders = "FlameGraph, inferno, async-profiler, topfn folded",
    .named = true,
    .alone = true,
    .probe = collapsed_probe,
    .read = collapsed_read,
};
