#include "report/table/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/base/vec.h"

#define ELLIPSIS "\xE2\x80\xA6"

/* ---- the parts of a label ---- */

/* Text up to `end`, and the separator behind it. */
struct part {
    const char *at, *end;
    const char *next;
};

struct label {
    VEC(struct part) parts; /* the last is the function's own name */
    VEC(char) text;
    bool brackets; /* arguments shrink */
    bool parameters;
};

static bool opens(char c)
{
    return c == '<' || c == '(' || c == '[' || c == '{';
}

static bool closes(const char *start, const char *at)
{
    return *at == ')' || *at == ']' || *at == '}' ||
           (*at == '>' && at > start && at[-1] != '-' && at[-1] != '=');
}

/* "operator<", "operator ()", ".ctor" and "operator >>" hold no brackets. */
static bool is_operator(const char *start, const char *at)
{
    size_t n = strlen("operator");

    if (strncmp(at, "operator", n) ||
        (at > start && at[-1] != ':' && at[-1] != '.' && at[-1] != ' '))
        return false;
    return at[n] && strchr("<>()[]=-!&|+*/%^~, ", at[n]);
}

static const char *past_operator(const char *at)
{
    at += strlen("operator");
    if (*at == ' ')
        at++;
    if (!strncmp(at, "()", 2) || !strncmp(at, "[]", 2))
        return at + 2;
    return at + strspn(at, "<>=-!&|+*/%^~,");
}

/* The position behind the bracket that closes the one at `at`. */
static const char *past_brackets(const char *start, const char *at)
{
    unsigned depth = 0;

    for (; *at; at++) {
        if (is_operator(start, at)) {
            at = past_operator(at) - 1;
        } else if (opens(*at)) {
            depth++;
        } else if (depth && closes(start, at) && !--depth) {
            return at + 1;
        }
    }
    return at;
}

static size_t separator(const char *start, const char *at)
{
    if (at == start)
        return 0;
    if (at[0] == ':' && at[1] == ':')
        return at[2] && at[2] != '<' ? 2 : 0; /* Rust: "f::<i32>" */
    if (*at == '/')
        return at[1] ? 1 : 0;
    return *at == '.' && at[1] && at[1] != ' ' && at[-1] != '.' ? 1 : 0;
}

/* A blank outside brackets ends what has namespaces: " lambda 0_1", " [part]",
 * unless words stand in front of the name ("virtual thunk to A::f"). */
static bool ends_names(const char *at)
{
    return !strncmp(at, " [", 2) || !strncmp(at, " lambda", 7) ||
           !strncmp(at, " closure", 8) || !strncmp(at, " async", 6) ||
           !strncmp(at, " iterator", 9) || !strncmp(at, " state machine", 14) ||
           !strncmp(at, " #", 2);
}

static void split(struct label *l, const char *text)
{
    const char *at = text, *start = text, *offset = strstr(text, "!+0x");

    if (offset) { /* code without a name, in a file whose dots part nothing */
        *vec_add(&l->parts) = (struct part){text, offset, offset + 1};
        start = at = offset + 1;
    }
    while (*at && !ends_names(at)) {
        size_t n = separator(start, at);

        if (n) {
            *vec_add(&l->parts) = (struct part){start, at, at + n};
            start = at += n;
        } else if (is_operator(start, at)) {
            at = past_operator(at);
        } else {
            at = opens(*at) ? past_brackets(text, at) : at + 1;
        }
    }
    at += strlen(at);
    *vec_add(&l->parts) = (struct part){start, at, at};
}

/* ---- writing ---- */

static void add(struct label *l, const char *text, size_t n)
{
    vec_reserve(&l->text, n);
    memcpy(l->text.data + l->text.len, text, n);
    l->text.len += n;
}

/* True if the brackets at `at` hold arguments, not a part of the name. */
static bool are_arguments(const struct part *p, const char *at)
{
    if (*at == '(' && !strncmp(at, "(anonymous", 10))
        return false;
    return (*at == '<' || *at == '(') && at > p->at && at[-1] != ' ';
}

static void add_part(struct label *l, const struct part *p)
{
    const char *at = p->at;

    while (at < p->end) {
        const char *end = at + 1;
        bool shrinks = false;

        if (is_operator(p->at, at)) {
            end = past_operator(at);
        } else if (are_arguments(p, at)) {
            shrinks = *at == '<' ? l->brackets : l->parameters;
            end = past_brackets(p->at, at);
        }
        if (shrinks && end - at > 5) {
            add(l, at, 1);
            add(l, ELLIPSIS, strlen(ELLIPSIS));
            add(l, end - 1, 1);
        } else {
            add(l, at, (size_t)(end - at));
        }
        at = end;
    }
}

/* The first character. */
static void add_initial(struct label *l, const struct part *p)
{
    const char *end = p->at;

    if (end < p->end)
        do
            end++;
        while (end < p->end && ((unsigned char)*end & 0xC0) == 0x80);
    add(l, p->at, (size_t)(end - p->at));
}

/* Writes the label without the namespaces before `first`, and with only the
 * initials of the first `initials` namespaces. */
static size_t write(struct label *l, size_t first, size_t initials)
{
    l->text.len = 0;
    if (first && first + 1 < l->parts.len)
        add(l, ELLIPSIS, strlen(ELLIPSIS));
    for (size_t i = first; i < l->parts.len; i++) {
        const struct part *p = &l->parts.data[i];

        if (i < initials)
            add_initial(l, p);
        else
            add_part(l, p);
        add(l, p->end, (size_t)(p->next - p->end));
    }
    return text_width(l->text.data, l->text.len);
}

/* Widths of parts, and of their initials, are added up: the number of trials
 * does not depend on how many there are. */
static bool fits_as_initials(struct label *l, size_t width)
{
    size_t names = l->parts.len - 1, total = write(l, 0, 0), least = names;

    for (size_t i = 0; i + 1 < names; i++) { /* the type stays whole */
        size_t whole, initial;

        l->text.len = 0;
        add_part(l, &l->parts.data[i]);
        whole = text_width(l->text.data, l->text.len);
        l->text.len = 0;
        add_initial(l, &l->parts.data[i]);
        initial = text_width(l->text.data, l->text.len);
        total -= whole - initial;
        if (total <= width) {
            least = i + 1;
            break;
        }
    }
    return least < names && write(l, 0, least) <= width;
}

static bool fits_without_first(struct label *l, size_t width)
{
    size_t total = write(l, 0, 0) + 1, first = 0;

    while (first + 2 < l->parts.len && total > width) {
        l->text.len = 0;
        add_part(l, &l->parts.data[first]);
        add(l, l->parts.data[first].end,
            (size_t)(l->parts.data[first].next - l->parts.data[first].end));
        total -= text_width(l->text.data, l->text.len);
        first++;
    }
    return write(l, first, 0) <= width;
}

static void cut_down(struct label *l, size_t width)
{
    if (write(l, 0, 0) <= width)
        return;
    l->parameters = true;
    if (write(l, 0, 0) <= width)
        return;
    l->brackets = true;
    if (write(l, 0, 0) <= width || fits_as_initials(l, width) ||
        fits_without_first(l, width))
        return;
    write(l, l->parts.len - 1, 0);
}

/* "checkBlock _tsc.js:83214:20", without the column "checkBlock
 * _tsc.js:83214"; NULL: neither fits. */
static const char *shorten_place(const struct text_part *function,
                                 const struct text_part *place, size_t width,
                                 struct arena *arena)
{
    const char *own =
        path_base_name(arena_strndup(arena, place->start, place->n));
    char *text = arena_new(arena, char, function->n + strlen(own) + 2);
    char *file = text + function->n + 1, *column;

    memcpy(text, function->start, function->n);
    file[-1] = ' ';
    strcpy(file, own);
    column = strrchr(file, ':');
    if (text_width(text, strlen(text)) > width && column &&
        strchr(file, ':') < column)
        *column = '\0';
    return text_width(text, strlen(text)) <= width ? text : NULL;
}

const char *shorten(const char *label, size_t width, struct arena *arena)
{
    struct label l = {.brackets = false};
    size_t n = strlen(label);
    const char *text = label;
    struct text_part function, place;

    if (text_width(label, n) <= width)
        return label;
    if (text_script_place(label, &function, &place)) {
        text = shorten_place(&function, &place, width, arena);
        if (text)
            return text;
        label = text = arena_strndup(arena, function.start, function.n);
        n = function.n;
        if (text_width(label, n) <= width)
            return label;
    }
    split(&l, label);
    cut_down(&l, width);
    if (l.text.len < n)
        text = arena_strndup(arena, l.text.data, l.text.len);
    vec_release(&l.parts);
    vec_release(&l.text);
    return text;
}

const char *shorten_path(const char *path, size_t width, struct arena *arena)
{
    size_t n = strlen(path), total = text_width(path, n);
    const char *own = path_base_name(path), *kept = path;
    char *text;

    if (total <= width)
        return path;
    while (kept < own && total + 1 > width) {
        const char *next = kept + strcspn(kept + 1, "/\\") + 1;

        total -= text_width(kept, (size_t)(next - kept));
        kept = next;
    }
    if (kept > own)
        kept = own;
    if (kept == path)
        return path;
    n = strlen(kept);
    text = arena_new(arena, char, n + sizeof(ELLIPSIS));
    memcpy(text, ELLIPSIS, sizeof(ELLIPSIS) - 1);
    memcpy(text + sizeof(ELLIPSIS) - 1, kept, n);
    return kept == own && text_width(own, n) + 1 > width ? own : text;
}

const char *shorten_module(const char *name, size_t width)
{
    static const struct {
        const char *name, *brief;
    } known[] = {
        {"Anonymously Hosted DynamicMethods Assembly", "[dynamic]"},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (text_width(name, strlen(name)) > width &&
            !strcmp(name, known[i].name))
            return known[i].brief;
    return name;
}

/* ---- wrapping ---- */

enum { INDENT = 2, ASIDE = 44 /* columns of parentheses kept on one line */ };

/* A line may be broken after this: " ·", or " ›" of a path. */
static bool is_separator(const char *at)
{
    return !strncmp(at, " · ", 4) || !strncmp(at, " › ", 5);
}

static bool is_number(const char *word)
{
    word += *word == '+' || *word == '-';
    return *word >= '0' && *word <= '9';
}

/* True if the blank at `at` is within short parentheses. */
static bool is_in_aside(const char *text, const char *at)
{
    const char *open = at;

    while (open > text && at - open < ASIDE && *open != '(' && *open != ')')
        open--;
    return *open == '(' && memchr(at, ')', strnlen(at, ASIDE));
}

/* True if the blank at `at` is behind a number, whose unit or "%" follows. */
static bool is_before_unit(const char *text, const char *at)
{
    const char *word = at;

    while (word > text && word[-1] != ' ')
        word--;
    return is_number(word) && at > text && !strchr(",;:)", at[-1]);
}

/* The ways to break a line, best first. */
enum breaking {
    BREAK_PARTS,
    BREAK_WORDS, /* not before a number or an explanation in parentheses */
    BREAK_BLANKS
};

static bool may_break(const char *text, const char *at, enum breaking how)
{
    if (how == BREAK_PARTS)
        return is_separator(at);
    if (how == BREAK_WORDS &&
        (at[1] == '(' || is_number(at + 1) || is_in_aside(text, at)))
        return false;
    return !is_before_unit(text, at);
}

/* The bytes up to the first place where `text` may be broken, or all `n`. */
static size_t piece_length(const char *text, size_t n, enum breaking how)
{
    for (size_t i = 1; i < n; i++)
        if (text[i] == ' ' && may_break(text, text + i, how))
            return how == BREAK_PARTS ? i + strcspn(text + i + 1, " ") + 1 : i;
    return n;
}

struct line {
    struct out *out;
    size_t width, at;
    size_t indent; /* of the lines after the first */
};

/* Puts a piece that begins with a blank, but for the first, on this line or
 * the next. */
static void put_piece(struct line *l, const char *piece, size_t n)
{
    if (l->at > l->indent && l->at + text_width(piece, n) > l->width) {
        out_char(l->out, '\n');
        out_repeat(l->out, ' ', l->indent);
        l->at = l->indent;
        if (*piece == ' ')
            piece++, n--;
    }
    out_bytes(l->out, piece, n);
    l->at += text_width(piece, n);
}

/* Pieces that are too long for any line are broken the next best way. */
static void put_pieces(struct line *l, const char *text, size_t n,
                       enum breaking how)
{
    while (n) {
        size_t piece = piece_length(text, n, how);

        if (how < BREAK_BLANKS &&
            l->indent + text_width(text, piece) > l->width)
            put_pieces(l, text, piece, how + 1);
        else
            put_piece(l, text, piece);
        text += piece;
        n -= piece;
    }
}

void wrap_from(const char *text, size_t indent, size_t width, struct out *out)
{
    struct line l = {out, width, indent, indent};

    put_pieces(&l, text, strlen(text), BREAK_PARTS);
}

void wrap(const char *text, size_t width, struct out *out)
{
    while (*text) {
        size_t n = strcspn(text, "\n");
        struct line l = {out, width, 0, INDENT};

        if (!width || text_width(text, n) <= width)
            out_bytes(out, text, n);
        else
            put_pieces(&l, text, n, BREAK_PARTS);
        text += n;
        if (*text)
            out_char(out, *text++);
    }
}

/* ---- XML ---- */

/* U+FFFE and U+FFFF are no characters of XML. */
static bool is_noncharacter(const char *text)
{
    return !memcmp(text, "\xEF\xBF", 2) && (unsigned char)text[2] >= 0xBE;
}

void xml_text(struct out *out, const char *text)
{
    size_t n;

    for (; *text; text += n) {
        out_escaped(text, &n);
        switch (*text) {
        case '&':
            out_str(out, "&amp;");
            break;
        case '<':
            out_str(out, "&lt;");
            break;
        case '>':
            out_str(out, "&gt;");
            break;
        case '"':
            out_str(out, "&quot;");
            break;
        default:
            if (n == 3 && is_noncharacter(text))
                out_str(out, "\xEF\xBF\xBD");
            else
                out_plain_bytes(out, text, n);
        }
    }
}
