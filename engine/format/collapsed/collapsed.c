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
#include <stdlib.h>
#include <string.h>

#include "engine/attribution/named_code.h"
#include "engine/base/text.h"
#include "engine/base/text_line.h"
#include "engine/format/named.h"
#include "engine/model/profile.h"

enum { LOOKED_AT = 64 * 1024, UNIT = 2 };

/* ---- lines ---- */

struct count {
    double value;
    bool is_whole; /* it has no fraction nor exponent: */
    uint64_t whole;
};

struct line {
    struct text_line stack;
    struct count count;
    bool two; /* counts: the other one is before the count, behind the stack */
};

enum line_kind { LINE_STACK, LINE_NOTHING, LINE_OTHER };

static size_t length(struct text_line l)
{
    return (size_t)(l.end - l.at);
}

/* Cuts off the number at the end of a line, which stands behind a blank and
 * something else. */
static bool take_count(struct text_line *l, struct count *count)
{
    char text[64], *end;
    struct text_line word = *l;
    size_t n;

    for (word.at = l->end; word.at > l->at && word.at[-1] != ' ';)
        word.at--;
    n = length(word);
    memcpy(text, word.at, n < sizeof(text) ? n : 0);
    for (l->end = word.at; l->end > l->at && l->end[-1] == ' ';)
        l->end--;
    if (l->end == l->at || !n || line_take(&word, "0x"))
        return false;
    count->is_whole = line_number(&word, &count->whole) && word.at == word.end;
    count->value = (double)count->whole;
    if (count->is_whole || n >= sizeof(text))
        return count->is_whole;
    text[n] = '\0';
    count->value = strtod(text, &end);
    return strspn(text, "0123456789.eE+-") == n && !*end &&
           count->value < 0x1p64;
}

/* Frames follow a semicolon at once; code and sentences have a blank there. */
static bool has_two_frames(struct text_line l)
{
    for (; l.end - l.at > 1; l.at++)
        if (l.at[0] == ';' && l.at[1] != ' ')
            return true;
    return false;
}

static bool is_comment(struct text_line l)
{
    return line_take(&l, "#") || line_take(&l, "//");
}

static enum line_kind read_line(struct text_line l, struct line *line)
{
    struct text_line behind = l;
    bool comment = is_comment(l), counted;
    struct count other;

    if (l.at == l.end)
        return LINE_NOTHING;
    line_skip_blanks(&behind);
    if (behind.at > l.at && is_comment(behind))
        l.at++;
    counted = !memchr(l.at, '\0', length(l)) && take_count(&l, &line->count);
    if (comment && !(counted && has_two_frames(l)))
        return LINE_NOTHING;
    if (!counted)
        return LINE_OTHER;
    line->stack = l;
    line->two = take_count(&l, &other);
    return LINE_STACK;
}

/* ---- UTF-16 ---- */

static bool is_utf16(const uint8_t *data, size_t size)
{
    return size >= UNIT && ((data[0] == 0xFF && data[1] == 0xFE) ||
                            (data[0] == 0xFE && data[1] == 0xFF));
}

/* In UTF-8, to be freed; lone surrogates become U+FFFD. */
static char *converted(const uint8_t *data, size_t size, size_t *len)
{
    bool big = data[0] == 0xFE;
    size_t units = size / UNIT, used;
    uint8_t *straight = mem_new(units, UNIT);
    char *text = mem_new(units + 1, 3);

    for (size_t i = 0; i < units * UNIT; i++)
        straight[i] = data[i ^ big];
    *len = 0;
    for (size_t i = 1; i < units; i += used)
        *len += utf8_of(utf16_code_point(straight + i * UNIT, units - i, &used),
                        text + *len);
    free(straight);
    return text;
}

/* ---- the file ---- */

struct file {
    struct profile *p;
    struct named_code code;
    uint32_t thread;
};

static void read_stack(struct file *f, const struct line *line)
{
    struct text_line l = line->stack;
    struct named_stack_top top = {0};
    struct named_frame frame;
    uint64_t weight;

    while (l.at < l.end) {
        const char *stop = memchr(l.at, ';', length(l));

        if (!stop)
            stop = l.end;
        if (stop > l.at) {
            frame = named_frame_of(&f->code, l.at, (size_t)(stop - l.at));
            named_push_frame(&f->code, &top, &frame);
        }
        l.at = stop + 1;
    }
    weight = line->count.is_whole
                 ? named_decimal(&f->code, line->count.whole, 0)
                 : named_weight(&f->code, line->count.value, line->count.value);
    named_sample(&f->code, &(struct named_sample){.thread = f->thread,
                                                  .stack = top.stack.whole,
                                                  .weight = weight});
}

/* "stack BEFORE AFTER" as difffolded.pl and inferno-diff-folded write it: no
 * line has a single count. */
static bool has_two_counts(const char *at, const char *end)
{
    bool two = false;
    struct line line;

    while (at < end) {
        enum line_kind kind = read_line(line_next(&at, end), &line);

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
        struct count before;
        enum line_kind kind = read_line(line_next(&at, end), &line);

        if (kind == LINE_STACK) {
            if (two)
                take_count(&line.stack, &before);
            read_stack(f, &line);
            stacks++;
        } else if (kind == LINE_OTHER) {
            profile_skip(f->p, e->name, (uint64_t)(start - text),
                         (uint64_t)(at - start) - (at[-1] == '\n'),
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

static enum err_code collapsed_read(const struct entry *e, size_t count,
                                    const struct read_options *options,
                                    struct observations *seen, struct err *err)
{
    struct profile *p = seen->profile;
    struct file f = {.p = p, .code = named_code_from(p, e)};
    bool wide = is_utf16(e->data, e->size);
    size_t size = e->size;
    char *text = wide ? converted(e->data, e->size, &size) : NULL;

    (void)count;
    (void)options;
    (void)err;
    profile_set_metric_word(p, "samples");
    f.thread = named_thread(&f.code, named_process(&f.code, NO_PID, 0), 0, 0);
    read_text(&f, e, wide ? text : (const char *)e->data, size);
    p->trace.adds_up = !f.code.decimals;
    named_code_end(&f.code, "processes, threads, times, addresses, losses");
    free(text);
    return ERR_NONE;
}

/* A name, not a number. */
static bool is_words(struct text_line l)
{
    while (l.at < l.end && (is_digit(*l.at) || strchr(" .,+-", *l.at)))
        l.at++;
    return l.at < l.end;
}

/* True if a text can be the only frame of a stack, rather than a line of a log
 * or of metrics that ends with a number: it begins like a name or an address,
 * no colon has a blank behind it, no value in quotes has a name before it, and
 * where nothing is in brackets there are few words and no semicolon. */
static bool is_one_frame(struct text_line l)
{
    enum { BLANKS_MOST = 3 };
    struct text_line address = l;
    size_t blanks = 0;
    bool brackets = false;

    if (l.at < l.end && is_digit(*l.at) && !line_take(&address, "0x"))
        return false;
    for (; l.at < l.end; l.at++) {
        struct text_line pair = l;

        if (line_take(&pair, ": ") || line_take(&pair, "=\"") ||
            (!brackets && l.end - l.at > 1 && *l.at == ';'))
            return false;
        blanks += *l.at == ' ';
        brackets |= strchr("(<[", *l.at) != NULL;
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
        struct text_line l;
        struct line line;
        enum line_kind kind;

        if (!memchr(at, '\n', (size_t)(end - at)) && stacks + others)
            break; /* perhaps cut off by us */
        l = line_next(&at, end);
        if (is_comment(l))
            continue;
        kind = read_line(l, &line);
        l = line.stack;
        if (kind == LINE_STACK &&
            (memchr(l.at, '\t', length(l)) || !is_words(l)))
            kind = LINE_OTHER;
        stacks += kind == LINE_STACK;
        others += kind == LINE_OTHER;
        if (kind == LINE_STACK && has_two_frames(l))
            joined = true;
        else if (kind == LINE_STACK)
            single &= line.count.value != 0 && is_one_frame(l);
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
    .named = true,
    .alone = true,
    .probe = collapsed_probe,
    .read = collapsed_read,
};
