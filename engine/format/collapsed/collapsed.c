/*
 * Collapsed stacks: outermost;...;innermost COUNT, a line each, as
 * FlameGraph, inferno and async-profiler write them. UTF-8, or UTF-16 with a
 * mark. Names may be "module!name" and have FlameGraph's marks: _[k], _[j],
 * _[i]. Empty lines and comments (#, //) are left out, other lines skipped. A
 * frame called like a comment is told by a blank before it, which topfn writes,
 * or by a frame behind it.
 *
 * A count may have a fraction or an exponent: 0.25, 1.25e+03. Where
 * every line has two counts, those of a difference (difffolded.pl), the second
 * is read; a count below 0 is left out and said.
 */
#include <string.h>

#include "engine/attribution/named_code.h"
#include "engine/base/text.h"
#include "engine/format/named.h"
#include "engine/model/profile.h"

enum { LOOKED_AT = 64 * 1024, MARK = 2, UNIT = 2 };

/* ---- lines ---- */

/* A count as text: 1500 and 3 decimals for "1.5". */
struct count {
    uint64_t value;
    uint32_t decimals;
    bool negative;
};

struct line {
    const char *stack;
    size_t len;
    struct count count;
    bool two; /* counts: the other one is before the count, behind the stack */
};

enum line_kind { LINE_STACK, LINE_NOTHING, LINE_OTHER };

/* The digits from `at` on, those behind a point counted in `decimals`. False
 * when there are none, or more than a number holds. */
static bool take_digits(const char **at, const char *end, struct count *c)
{
    const char *start = *at, *point = NULL;

    for (; *at < end && (is_digit(**at) || (**at == '.' && !point)); ++*at) {
        if (**at == '.')
            point = *at;
        else if (point && c->decimals >= WEIGHT_DECIMALS_MOST)
            continue;
        else if (__builtin_mul_overflow(c->value, 10, &c->value) ||
                 __builtin_add_overflow(c->value, (uint64_t)(**at - '0'),
                                        &c->value))
            return false;
        else
            c->decimals += point != NULL;
    }
    return *at > start + (point != NULL);
}

/* "e+06" behind the digits, if there is one. */
static bool take_exponent(const char **at, const char *end, struct count *c)
{
    enum { MOST = 30 };
    struct count power = {0};
    bool negative;

    if (*at == end || (**at != 'e' && **at != 'E'))
        return true;
    ++*at;
    negative = *at < end && **at == '-';
    if (*at < end && (**at == '-' || **at == '+'))
        ++*at;
    if (!take_digits(at, end, &power) || power.decimals || power.value > MOST)
        return false;
    for (; power.value && negative; power.value--)
        c->decimals++;
    for (; power.value; power.value--)
        if (c->decimals)
            c->decimals--;
        else if (__builtin_mul_overflow(c->value, 10, &c->value))
            return false;
    return true;
}

/* The number at the end of a text of *n bytes, behind a blank and what else
 * there is: it is cut off. */
static bool take_count(const char *text, size_t *n, struct count *count)
{
    const char *end = text + *n, *at = end;

    *count = (struct count){0};
    while (at > text && at[-1] != ' ')
        at--;
    *n = at > text ? (size_t)(at - 1 - text) : 0;
    count->negative = at < end && *at == '-';
    at += count->negative || (at < end && *at == '+');
    return *n && take_digits(&at, end, count) &&
           take_exponent(&at, end, count) && at == end;
}

/* Frames follow a semicolon at once; code and sentences have a blank there. */
static bool has_two_frames(const char *text, size_t n)
{
    for (size_t i = 0; i + 1 < n; i++)
        if (text[i] == ';' && text[i + 1] != ' ')
            return true;
    return false;
}

static bool is_comment(const char *text, size_t n)
{
    return *text == '#' || (n > 1 && !memcmp(text, "//", 2));
}

static enum line_kind read_line(const char *text, size_t n, struct line *line)
{
    bool comment, counted;
    struct count other;
    size_t blanks = 0;

    while (n && (text[n - 1] == '\r' || text[n - 1] == ' '))
        n--;
    if (!n)
        return LINE_NOTHING;
    comment = is_comment(text, n);
    while (text[blanks] == ' ')
        blanks++;
    if (blanks && is_comment(text + blanks, n - blanks))
        text++, n--;
    counted = !memchr(text, '\0', n) && take_count(text, &n, &line->count);
    if (comment && !(counted && has_two_frames(text, n)))
        return LINE_NOTHING;
    if (!counted)
        return LINE_OTHER;
    while (n && text[n - 1] == ' ')
        n--;
    line->stack = text;
    line->len = n;
    line->two = take_count(text, &n, &other);
    return n || !line->two ? LINE_STACK : LINE_OTHER;
}

/* The stack of a line with two counts ends before the first. */
static void leave_first_count(struct line *line)
{
    struct count first;

    take_count(line->stack, &line->len, &first);
    while (line->len && line->stack[line->len - 1] == ' ')
        line->len--;
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

static void push_frame(struct file *f, struct stacking *s,
                       const struct named_frame *at)
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
            push_frame(f, &s, &frame);
            s.stack = named_push(&f->code, s.below, s.location);
        }
        at = stop + 1;
    }
    if (line->count.negative && line->count.value)
        named_negative(&f->code);
    else
        named_sample(&f->code,
                     &(struct named_sample){
                         .thread = f->thread,
                         .stack = s.stack.whole,
                         .weight = named_decimal(&f->code, line->count.value,
                                                 line->count.decimals)});
}

/* The line that begins at *at, which becomes the next one's beginning. */
static enum line_kind next_line(const char **at, const char *end,
                                struct line *line)
{
    const char *start = *at;
    const char *stop = memchr(start, '\n', (size_t)(end - start));

    if (!stop)
        stop = end;
    *at = stop + 1;
    return read_line(start, (size_t)(stop - start), line);
}

/* "stack BEFORE AFTER" as difffolded.pl and inferno-diff-folded write it: no
 * line has a single count. */
static bool has_two_counts(const char *at, const char *end)
{
    bool two = false;
    struct line line;

    while (at < end) {
        enum line_kind kind = next_line(&at, end, &line);

        if (kind == LINE_STACK && !line.two)
            return false;
        two |= kind == LINE_STACK;
    }
    return two;
}

/* Reads up to the end, or to where a packed file has made as much as it may;
 * what was gone through of the file itself (`e`) is given back. */
static void read_text(struct file *f, const struct entry *e, const char *text,
                      size_t size)
{
    enum { A_WHILE = 1 << 20 };
    const char *at = text, *end = text + size, *kept = text;
    bool own = text == (const char *)e->data, two;
    uint64_t stacks = 0;

    if (size >= 3 && !memcmp(at, "\xEF\xBB\xBF", 3))
        at += 3;
    two = has_two_counts(at, end);
    if (two)
        profile_warn(f->p, "each line has two counts, before and after; the "
                           "second one is used");
    while (at < end && !f->code.full) {
        const char *start = at;
        struct line line;
        enum line_kind kind = next_line(&at, end, &line);

        if (kind == LINE_STACK) {
            if (two)
                leave_first_count(&line);
            read_stack(f, &line);
            stacks++;
        } else if (kind == LINE_OTHER) {
            profile_skip(f->p, e->name, (uint64_t)(start - text),
                         (uint64_t)(at - 1 - start),
                         "not a stack with a count");
        }
        if (own && at - kept > A_WHILE && at < end) {
            entry_forget(e, (size_t)(kept - text), (size_t)(at - kept));
            kept = at;
        }
    }
    if (at < end)
        profile_skip(f->p, e->name, (uint64_t)(at - text), (uint64_t)(end - at),
                     "beyond what a file of its size may ask for");
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
    p->trace.adds_up = !f.code.decimals;
    named_code_end(&f.code, "processes, threads, times, addresses, losses");
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

/* A name, not a number. */
static bool is_words(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!is_digit(text[i]) && !strchr(" .,+-", text[i]))
            return true;
    return false;
}

/* True if a text can be the only frame of a stack, rather than a line of a log
 * or of metrics that ends with a number: it begins like a name or an address,
 * no colon has a blank behind it, no value in quotes has a name before it, and
 * where nothing is in brackets there are few words and no semicolon. */
static bool is_one_frame(const char *text, size_t n)
{
    enum { BLANKS_MOST = 3 };
    size_t blanks = 0;
    bool brackets = false;

    if (is_digit(*text) && (n < 2 || memcmp(text, "0x", 2) != 0))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (i + 1 < n && (!memcmp(text + i, ": ", 2) ||
                          !memcmp(text + i, "=\"", 2)))
            return false;
        if (!brackets && i + 1 < n && text[i] == ';')
            return false;
        blanks += text[i] == ' ';
        brackets |= strchr("(<[", text[i]) != NULL;
    }
    return brackets || blanks <= BLANKS_MOST;
}

/* Lines of the beginning: most are stacks, and one has two frames; or all are
 * a name and a count, which is not 0 as counters of a system are. Tables whose
 * last column is a number have tabs, stacks have none. */
static bool looks_collapsed(const char *text, size_t size)
{
    const char *at = text, *end = text + size;
    size_t stacks = 0, others = 0;
    bool joined = false, single = true;

    while (at < end) {
        const char *start = at;
        struct line line;
        enum line_kind kind;

        if (!memchr(at, '\n', (size_t)(end - at)) && stacks + others)
            break; /* perhaps cut off by us */
        kind = next_line(&at, end, &line);
        if (is_comment(start, (size_t)(end - start)))
            continue;
        if (kind == LINE_STACK && (memchr(line.stack, '\t', line.len) ||
                                   !is_words(line.stack, line.len)))
            kind = LINE_OTHER;
        stacks += kind == LINE_STACK;
        others += kind == LINE_OTHER;
        if (kind == LINE_STACK && has_two_frames(line.stack, line.len))
            joined = true;
        else if (kind == LINE_STACK)
            single &= line.count.value && is_one_frame(line.stack, line.len);
    }
    return joined ? stacks >= others : stacks && !others && single;
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
    .recorders = "FlameGraph, inferno, async-profiler, topfn folded",
    .named = true,
    .alone = true,
    .probe = collapsed_probe,
    .read = collapsed_read,
};
