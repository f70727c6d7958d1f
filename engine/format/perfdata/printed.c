#include "engine/format/perfdata/printed.h"

#include "engine/attribution/observations.h"
#include "engine/base/hex.h"
#include "engine/base/out.h"
#include "engine/base/text.h"

enum { NS_PER_SECOND = 1000000000 };

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static struct bytes part(struct bytes line, size_t from, size_t to)
{
    return (struct bytes){line.data + from, to - from};
}

static struct bytes trimmed(struct bytes text)
{
    while (text.len && is_blank(text.data[text.len - 1]))
        text.len--;
    while (text.len && is_blank(*text.data)) {
        text.data++;
        text.len--;
    }
    return text;
}

/* Larger ones are cut to their last digits. */
static uint64_t decimal(struct bytes digits)
{
    uint64_t value = 0;

    for (size_t i = 0; i < digits.len; i++)
        value = value * 10 + (digits.data[i] - '0');
    return value;
}

bool printed_line(struct bytes text, size_t *at, struct bytes *line)
{
    size_t left = text.len - *at;
    const uint8_t *from, *end;

    if (!left)
        return false;
    from = text.data + *at;
    end = memchr(from, '\n', left);
    *line = (struct bytes){from, end ? (size_t)(end - from) : left};
    *at += line->len + (end != NULL);
    return true;
}

/* ---- heads ---- */

/* The digits that end at `end`, and what is before them. */
static struct bytes digits_before(struct bytes line, size_t end)
{
    size_t from = end;

    while (from && is_digit(line.data[from - 1]))
        from--;
    return part(line, from, end);
}

/* " 12.345678:": seconds and 6 or 9 digits of a fraction, up to the colon at
 * `colon`. Returns where it begins, or 0. */
static size_t take_time(struct bytes line, size_t colon, uint64_t *time)
{
    enum { MICROSECONDS = 6, NANOSECONDS = 9 };
    struct bytes fraction = digits_before(line, colon), seconds;
    size_t point = colon - fraction.len, from;

    if ((fraction.len != MICROSECONDS && fraction.len != NANOSECONDS) ||
        !point || line.data[point - 1] != '.')
        return 0;
    seconds = digits_before(line, point - 1);
    from = point - 1 - seconds.len;
    if (!seconds.len || !from || !is_blank(line.data[from - 1]))
        return 0;
    *time = decimal(seconds) * NS_PER_SECOND +
            decimal(fraction) * (fraction.len == MICROSECONDS ? 1000 : 1);
    return from;
}

/* The id at the end of a word, which is taken off; nobody's is -1. */
static bool take_id(struct bytes *word, uint32_t *id)
{
    struct bytes number = digits_before(*word, word->len);

    *id = (uint32_t)decimal(number);
    word->len -= number.len;
    if (word->len && word->data[word->len - 1] == '-' && *id == 1) {
        *id = PRINTED_NOBODY;
        word->len--;
    }
    return number.len > 0;
}

/* "12", "11/12" */
static bool take_ids(struct bytes word, struct printed_head *head)
{
    if (!take_id(&word, &head->tid))
        return false;
    head->pid = head->tid;
    head->has_tid = true;
    head->has_pid = word.len && word.data[word.len - 1] == '/';
    if (head->has_pid) {
        word.len--;
        if (!take_id(&word, &head->pid))
            return false;
    }
    return !word.len;
}

/* "[003]" at the end, which is taken off. */
static bool take_cpu(struct bytes *text, struct printed_head *head)
{
    size_t end = text->len;
    struct bytes number;
    uint64_t cpu;

    if (!end || text->data[end - 1] != ']')
        return true;
    number = digits_before(*text, end - 1);
    if (end < number.len + 2 || text->data[end - number.len - 2] != '[')
        return false;
    cpu = decimal(number);
    head->cpu = cpu < NO_CPU ? (uint16_t)cpu : NO_CPU;
    *text = trimmed(part(*text, 0, end - number.len - 2));
    return true;
}

/* Takes off "KDE", letters of the misc field (-F +misc) behind a number or a
 * processor. They say what is said elsewhere, too. */
static struct bytes without_misc(struct bytes text)
{
    static const char letters[] = "KUHGgMDEFSfA";
    size_t from = text.len;

    while (from && memchr(letters, text.data[from - 1], sizeof(letters) - 1))
        from--;
    return from && is_blank(text.data[from - 1]) ? trimmed(part(text, 0, from))
                                                 : text;
}

/* "name pid/tid [cpu] misc", "pid/tid", or nothing */
static bool take_thread(struct bytes text, struct printed_head *head)
{
    size_t from;

    text = without_misc(trimmed(text));
    if (!take_cpu(&text, head))
        return false;
    for (from = text.len; from && !is_blank(text.data[from - 1]);)
        from--;
    head->name = trimmed(part(text, 0, from));
    return !text.len || take_ids(part(text, from, text.len), head);
}

/* "  1001001 cpu-clock:u: rest", without the event or the period; a frame with
 * its file in place of both. */
static bool take_event(struct bytes text, struct printed_head *head)
{
    struct printed_frame frame;
    struct bytes whole = text = trimmed(text);
    size_t n = 0;

    while (n < text.len && is_digit(text.data[n]))
        n++;
    if (n && (n == text.len || is_blank(text.data[n]))) {
        head->period = decimal(part(text, 0, n));
        text = trimmed(part(text, n, text.len));
    }
    for (n = 0; n < text.len && !is_blank(text.data[n]);)
        n++;
    if (!n)
        return true;
    if (n >= 2 && text.data[n - 1] == ':') {
        head->event = part(text, 0, n - 1);
        head->rest = trimmed(part(text, n, text.len));
        return true;
    }
    head->period = 0;
    head->rest = whole;
    return printed_frame(whole, &frame) && (frame.file.len || frame.inlined);
}

/* A frame stands behind an event, or the text of a tracepoint. */
static bool is_event_alone(const struct printed_head *head)
{
    struct printed_frame frame;

    return head->event.len && !is_digit(*head->event.data) &&
           (!head->rest.len || printed_frame(head->rest, &frame) ||
            memchr(head->event.data, ':', head->event.len));
}

/* Goes on to the next word of a line. */
static bool next_word(struct bytes line, size_t *at, struct bytes *word)
{
    size_t from = *at;

    while (from < line.len && is_blank(line.data[from]))
        from++;
    for (*at = from; *at < line.len && !is_blank(line.data[*at]);)
        ++*at;
    *word = part(line, from, *at);
    return word->len > 0;
}

/* perf prints an address in a column of 16 behind two blanks: other words that
 * look like one are none ("job 12 added x (y)"). */
static bool is_column(struct bytes line, size_t from, struct bytes frame)
{
    enum { COLUMN = 2 + 16 };
    size_t end = (size_t)(frame.data - line.data);

    while (end < line.len && hex_digit(line.data[end]) >= 0)
        end++;
    return end - from >= COLUMN;
}

/* "name 12 [003] cycles:", "name 12     55d0c1a2b234 total (/srv/shop/shop)"
 * or "cycles:". The ids are the first number behind
 * which all fits. */
static bool take_untimed(struct bytes line, struct printed_head *head)
{
    struct printed_head none = *head;
    size_t at = 0, after = 0;
    struct bytes word, behind;

    while (next_word(line, &at, &word)) {
        after = at;
        *head = none;
        if (next_word(line, &after, &behind) && *behind.data == '[') {
            if (!take_cpu(&behind, head) || behind.len)
                continue;
        } else {
            after = at;
        }
        head->name = trimmed(part(line, 0, (size_t)(word.data - line.data)));
        if (take_ids(word, head) &&
            take_event(part(line, after, line.len), head) &&
            (is_event_alone(head) ||
             (head->name.len && !head->event.len &&
              (!head->rest.len || is_column(line, after, head->rest)))))
            return true;
    }
    *head = none;
    return take_event(line, head) && is_event_alone(head) && !head->rest.len;
}

bool printed_head(struct bytes line, struct printed_head *head)
{
    *head = (struct printed_head){
        .pid = PRINTED_NOBODY, .tid = PRINTED_NOBODY, .cpu = NO_CPU};
    for (size_t i = 1; i < line.len; i++) {
        size_t from = line.data[i] == ':' && is_digit(line.data[i - 1])
                          ? take_time(line, i, &head->time)
                          : 0;

        head->has_time = from > 0;
        if (from)
            return take_thread(part(line, 0, from), head) &&
                   take_event(part(line, i + 1, line.len), head);
    }
    return take_untimed(line, head);
}

/* A tab, and an address in a column of 16. */
bool printed_is_column(struct bytes line)
{
    enum { COLUMN = 16 };
    struct printed_frame frame;
    size_t at = 1;

    if (line.len <= COLUMN || *line.data != '\t' ||
        !printed_frame(line, &frame))
        return false;
    while (at < line.len && line.data[at] == ' ')
        at++;
    while (at < line.len && hex_digit(line.data[at]) >= 0)
        at++;
    return at == 1 + COLUMN;
}

bool printed_is_bare(struct bytes text)
{
    struct printed_head other;
    struct bytes line;
    bool head = false;

    for (size_t at = 0; printed_line(text, &at, &line);) {
        if (!head && (!line.len || *line.data == '#'))
            continue;
        /* Heads of such a text have a blank behind each field. */
        if (head || !(line.len && line.data[line.len - 1] == ' '))
            return printed_is_column(line);
        if (printed_head(line, &other))
            return false;
        head = true;
    }
    return false;
}

struct printed_head printed_bare_head(struct bytes line)
{
    const struct printed_head none = {.pid = PRINTED_NOBODY,
                                      .tid = PRINTED_NOBODY,
                                      .cpu = NO_CPU};
    struct printed_head head = none;

    return line.len && take_ids(trimmed(line), &head) ? head : none;
}

bool printed_same_fields(const struct printed_head *a,
                         const struct printed_head *b)
{
    return a->has_time == b->has_time &&
           (a->has_time || !a->name.len == !b->name.len) &&
           !a->event.len == !b->event.len && a->has_tid == b->has_tid;
}

bool printed_record(struct bytes line)
{
    static const char record[] = " PERF_RECORD_";

    return memmem(line.data, line.len, record, sizeof(record) - 1) != NULL;
}

/* ---- frames ---- */

/* The position of the bracket that the end of the text closes, or `len`. */
static size_t last_bracket(struct bytes text)
{
    size_t depth = 0;

    if (!text.len || text.data[text.len - 1] != ')')
        return text.len;
    for (size_t i = text.len; i-- > 0;) {
        depth += text.data[i] == ')';
        depth -= text.data[i] == '(';
        if (!depth)
            return i;
    }
    return text.len;
}

/* "total" of "total+0x14" */
static struct bytes without_offset(struct bytes symbol)
{
    size_t at = symbol.len;

    while (at && hex_digit(symbol.data[at - 1]) >= 0)
        at--;
    if (at > 3 && at < symbol.len && !memcmp(symbol.data + at - 3, "+0x", 3))
        symbol.len = at - 3;
    return symbol;
}

static struct bytes if_known(struct bytes text)
{
    return bytes_are(text, "[unknown]") ? (struct bytes){text.data, 0} : text;
}

/* A line that is cut off has brackets that are not closed. */
static bool is_closed(struct bytes text)
{
    size_t depth = 0;

    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] == ')' && !depth--)
            return false;
        depth += text.data[i] == '(';
    }
    return !depth;
}

/* "total+0x14 (/srv/shop/shop)", or without the file; which may have an offset
 * of its own: "(/srv/shop/shop+0x1234)". */
static bool take_place(struct bytes text, struct printed_frame *frame)
{
    size_t bracket = last_bracket(text);
    struct bytes file = {text.data, 0}, symbol = text;

    if (bracket < text.len && (!bracket || is_blank(text.data[bracket - 1]))) {
        file = without_offset(part(text, bracket + 1, text.len - 1));
        symbol = trimmed(part(text, 0, bracket));
    } else if (!is_closed(text)) {
        return false;
    }
    frame->inlined = bytes_are(file, "inlined");
    if (!frame->inlined)
        frame->file = if_known(file);
    frame->symbol = if_known(without_offset(symbol));
    return true;
}

/* A line with only an address is recognised by the tab and the width that perf
 * prints. */
bool printed_frame(struct bytes line, struct printed_frame *frame)
{
    enum { TAB_AND_ADDRESS = 1 + 16 };
    struct bytes text = trimmed(line);
    size_t n = 0;

    *frame = (struct printed_frame){.address = 0};
    while (n < text.len && n <= 16 && hex_digit(text.data[n]) >= 0)
        frame->address =
            frame->address << 4 | (uint64_t)hex_digit(text.data[n++]);
    if (!n || n > 16)
        return false;
    if (n == text.len)
        return *line.data == '\t' && line.len >= TAB_AND_ADDRESS;
    return is_blank(text.data[n]) &&
           take_place(trimmed(part(text, n, text.len)), frame);
}

/* ---- simpleperf ----
 *
 * The text of `simpleperf report-sample` is turned into the text that perf
 * script would have printed, so that there is one reader. A sample is a block
 * of lines "key: value", its frames are blocks of an address, a file and a
 * symbol, innermost first:
 *
 *     sample:
 *       event_type: cpu-cycles
 *       time: 1516268753595265
 *       event_count: 1
 *       thread_id: 31850
 *       thread_name: app
 *       vaddr_in_file: 64ac
 *       file: /data/local/tmp/app
 *       symbol: main
 *       callchain:
 *         vaddr_in_file: ...
 *
 * Processes are not in it. (format.md, section 10) */

/* The block at hand. */
struct block {
    struct bytes event, name, file;
    uint64_t time, period, tid, address;
    bool is_sample, begun; /* it is one, and its first line was written */
};

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

static uint64_t number_in(struct bytes text, unsigned base)
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
        if (bytes_are(key, blocks[i]))
            return take_key(second, &key, &value) && bytes_are(key, keys[i]);
    return false;
}

/* ---- as perf script prints it ---- */

static void put_bytes(struct out *out, struct bytes text)
{
    out_bytes(out, (const char *)text.data, text.len);
}

static void begin_block(struct out *out, struct block *b)
{
    if (!b->is_sample || b->begun)
        return;
    b->begun = true;
    put_bytes(out, b->name);
    out_fmt(out, " %u %llu.%09llu: %llu ", (unsigned)b->tid,
            (unsigned long long)b->time / NS_PER_SECOND,
            (unsigned long long)b->time % NS_PER_SECOND,
            (unsigned long long)b->period);
    put_bytes(out, b->event);
    out_str(out, ":\n");
}

/* "libc.so[+1234]" stands for a function without a name. */
static bool symbol_is_named(struct bytes symbol)
{
    size_t n = symbol.len;

    if (!n || symbol.data[--n] != ']')
        return n > 0;
    while (n && hex_digit(symbol.data[n - 1]) >= 0)
        n--;
    return n < 2 || symbol.data[n - 1] != '+' || symbol.data[n - 2] != '[';
}

static void take_value(struct out *out, struct block *b, struct bytes key,
                       struct bytes value)
{
    if (bytes_are(key, "event_type")) {
        b->event = value;
    } else if (bytes_are(key, "time")) {
        b->time = number_in(value, 10);
    } else if (bytes_are(key, "event_count")) {
        b->period = number_in(value, 10);
    } else if (bytes_are(key, "thread_id")) {
        b->tid = number_in(value, 10);
    } else if (bytes_are(key, "thread_name")) {
        b->name = value;
    } else if (bytes_are(key, "vaddr_in_file")) {
        begin_block(out, b);
        b->address = number_in(value, 16);
    } else if (bytes_are(key, "file")) {
        b->file = value;
    } else if (bytes_are(key, "symbol") && b->begun) {
        /* The kernel's addresses are those in its file. */
        static const char kernel[] = "[kernel";
        size_t n = sizeof(kernel) - 1;
        bool of_kernel = b->file.len > n && !memcmp(b->file.data, kernel, n);

        out_fmt(out, "\t%16llx ",
                (unsigned long long)(b->address |
                                     (of_kernel ? kernel_space_start(8) : 0)));
        if (symbol_is_named(value))
            put_bytes(out, value);
        else
            out_str(out, "[unknown]");
        out_str(out, " (");
        put_bytes(out, b->file);
        out_str(out, ")\n");
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
        begin_block(out, &b);
        b = (struct block){.is_sample = bytes_are(key, "sample")};
    }
    begin_block(out, &b);
    made = out_text(out, &n);
    kept = arena_new(arena, char, n + 1);
    memcpy(kept, made, n);
    out_close(out, NULL);
    return (struct bytes){(const uint8_t *)kept, n};
}
