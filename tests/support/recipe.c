#include "tests/support/recipe.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>

#include "tests/support/elf_writer.h"
#include "tests/support/msf_writer.h"

enum { PARTS = 24, NAMES = 100, NAME = 40 };

static const uint64_t SEGMENT = 0x10000000;

struct recipe_line {
    char *text;
    size_t indent;
    size_t end; /* the first line behind those that belong to it */
};

struct recipes {
    const char *path;
    char *bytes;
    struct {
        struct recipe_line *data;
        size_t len, cap;
    } lines;
};

/* One file under construction. */
struct making {
    const struct recipes *all;
    size_t line;    /* of the statement that runs */
    const char *at; /* what is left of it */
    struct blob *out;
    uint64_t size;
    struct {
        char name[NAME];
        uint64_t value;
    } numbers[NAMES];
    struct {
        char name[NAME];
        struct blob bytes;
        struct elf_part section; /* what `section` says of it */
    } parts[PARTS];
};

static _Noreturn void mistake(const struct making *m, const char *what)
{
    fprintf(stderr, "%s:%zu: %s\n", m->all->path, m->line + 1, what);
    abort();
}

/* ---- the text ---- */

static void find_ends(struct recipes *all)
{
    for (size_t i = 0; i < all->lines.len; i++) {
        struct recipe_line *l = &all->lines.data[i];

        for (l->end = i + 1; l->end < all->lines.len; l->end++)
            if (all->lines.data[l->end].indent <= l->indent)
                break;
    }
}

struct recipes *recipes_read(const char *path)
{
    struct recipes *all = mem_new(1, sizeof(*all));
    size_t size;
    char *next;

    all->path = path;
    all->bytes = (char *)read_whole_file(path, &size);
    if (!all->bytes) {
        fprintf(stderr, "%s: no such file\n", path);
        abort();
    }
    all->bytes = mem_resize(all->bytes, size + 1, 1);
    all->bytes[size] = '\0';
    for (char *line = all->bytes; *line; line = next) {
        size_t n = strcspn(line, "\n"), indent = strspn(line, " ");

        next = line + n + (line[n] == '\n');
        line[n] = '\0';
        /* An empty line and a comment belong to the statement before. */
        *vec_add(&all->lines) = (struct recipe_line){
            line + indent, indent == n || line[indent] == '#' ? 1000 : indent,
            0};
    }
    find_ends(all);
    return all;
}

void recipes_free(struct recipes *all)
{
    vec_release(&all->lines);
    free(all->bytes);
    free(all);
}

/* What stands behind the word with which a text begins, or NULL. */
static const char *behind(const char *text, const char *word)
{
    size_t n = strlen(word);

    if (strncmp(text, word, n) != 0 || (text[n] && text[n] != ' '))
        return NULL;
    return text + n + (text[n] == ' ');
}

/* The line of a name that `kind` introduces; the end: there is none. */
static size_t line_of(const struct recipes *all, const char *kind,
                      const char *name)
{
    const char *rest;
    size_t i = 0;

    for (; i < all->lines.len; i = all->lines.data[i].end) {
        rest = behind(all->lines.data[i].text, kind);
        if (rest && !strcmp(rest, name))
            break;
    }
    return i;
}

const char *recipe_name(const struct recipes *all, size_t i)
{
    for (size_t l = 0; l < all->lines.len; l = all->lines.data[l].end) {
        const char *name = behind(all->lines.data[l].text, "make");

        if (name && !i--)
            return name;
    }
    return NULL;
}

const char *recipe_note(const struct recipes *all, const char *name,
                        const char *word, size_t i)
{
    size_t l = line_of(all, "make", name);
    size_t end = l < all->lines.len ? all->lines.data[l].end : 0;

    for (; l < end; l++) {
        const char *note = behind(all->lines.data[l].text, "-");
        const char *rest = note ? behind(note, word) : NULL;

        if (rest && !i--)
            return rest;
    }
    return NULL;
}

/* ---- numbers ---- */

static uint64_t *number_of(struct making *m, const char *name)
{
    size_t i = 0;

    while (i < NAMES && m->numbers[i].name[0] &&
           strcmp(m->numbers[i].name, name) != 0)
        i++;
    if (i == NAMES)
        mistake(m, "too many names");
    snprintf(m->numbers[i].name, NAME, "%s", name);
    return &m->numbers[i].value;
}

static size_t part_of(struct making *m, const char *name)
{
    size_t i = 0;

    while (i < PARTS && m->parts[i].name[0] &&
           strcmp(m->parts[i].name, name) != 0)
        i++;
    if (i == PARTS)
        mistake(m, "too many parts");
    snprintf(m->parts[i].name, NAME, "%s", name);
    return i;
}

static struct blob *bytes_of(struct making *m, const char *name)
{
    return &m->parts[part_of(m, name)].bytes;
}

static void skip_blanks(struct making *m)
{
    m->at += strspn(m->at, " ");
}

static bool take(struct making *m, const char *mark)
{
    size_t n = strlen(mark);

    skip_blanks(m);
    if (strncmp(m->at, mark, n) != 0)
        return false;
    m->at += n;
    return true;
}

static void need(struct making *m, const char *mark)
{
    if (!take(m, mark))
        mistake(m, mark);
}

/* The next word, which ends before a blank or one of `ends`. */
static const char *take_word(struct making *m, const char *ends, char *word)
{
    size_t n;

    skip_blanks(m);
    for (n = 0; m->at[n] && m->at[n] != ' ' && !strchr(ends, m->at[n]); n++)
        continue;
    if (!n || n >= NAME)
        mistake(m, "a name is missing");
    snprintf(word, NAME, "%.*s", (int)n, m->at);
    m->at += n;
    return word;
}

static uint64_t expression(struct making *m);

static uint64_t value_of_name(struct making *m)
{
    char name[NAME];
    size_t n = 0;

    while (isalnum((unsigned char)m->at[n]) || m->at[n] == '_')
        n++;
    if (!n || n >= NAME)
        mistake(m, "a number is missing");
    snprintf(name, sizeof(name), "%.*s", (int)n, m->at);
    m->at += n;
    if (!strcmp(name, "size"))
        return m->size;
    if (strcmp(name, "len") != 0)
        return *number_of(m, name);
    if (*m->at != '(')
        return m->out->len;
    m->at++;
    n = bytes_of(m, take_word(m, ")", name))->len;
    need(m, ")");
    return n;
}

static uint64_t operand(struct making *m)
{
    uint64_t value;
    char *end;

    if (take(m, "(")) {
        value = expression(m);
        need(m, ")");
        return value;
    }
    if (take(m, "-"))
        return -operand(m);
    if (take(m, "'")) {
        value = (uint8_t)*m->at++;
        need(m, "'");
        return value;
    }
    if (!isdigit((unsigned char)*m->at))
        return value_of_name(m);
    value = strtoull(m->at, &end, 0);
    m->at = end;
    return value;
}

static uint64_t calculate(struct making *m, const char *sign, uint64_t a,
                          uint64_t b)
{
    switch (*sign) {
    case '|':
        return a | b;
    case '=':
        return a == b;
    case '<':
        return sign[1] ? a << b : a < b;
    case '>':
        return sign[1] ? a >> b : a > b;
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    }
    if (!b)
        mistake(m, "a division by zero");
    return *sign == '/' ? a / b : a % b;
}

/* Signs that bind stronger stand further down. */
static uint64_t terms(struct making *m, unsigned strength)
{
    static const char *const signs[][4] = {
        {"|"}, {"=="}, {"<", ">"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
    uint64_t value;

    if (strength == sizeof(signs) / sizeof(*signs))
        return operand(m);
    value = terms(m, strength + 1);
    for (size_t i = 0; i < 4 && signs[strength][i]; i++) {
        const char *sign = signs[strength][i];

        skip_blanks(m);
        if (!strncmp(m->at, sign, strlen(sign)) &&
            (sign[1] || m->at[1] != *sign)) {
            m->at += strlen(sign);
            value = calculate(m, sign, value, terms(m, strength + 1));
            i = (size_t)-1; /* look for all of them again */
        }
    }
    return value;
}

static uint64_t expression(struct making *m)
{
    uint64_t value = terms(m, 0), first, second;

    if (!take(m, "?"))
        return value;
    first = expression(m);
    need(m, ":");
    second = expression(m);
    return value ? first : second;
}

/* ---- statements ---- */

static void run_lines(struct making *m, size_t from, size_t end);

static void run_below(struct making *m, size_t line)
{
    run_lines(m, line + 1, m->all->lines.data[line].end);
}

static void put_shown(struct making *m)
{
    char how = 'd', text[24];
    uint64_t value;
    int n;

    if (*m->at != '(')
        how = *m->at++;
    need(m, "(");
    value = expression(m);
    need(m, ")");
    if (how == 'c')
        blob_u8(m->out, (uint8_t)value);
    if (how == ',' && value)
        blob_u8(m->out, ',');
    if (how != 'd' && how != 'x')
        return;
    n = snprintf(text, sizeof(text), how == 'd' ? "%llu" : "%llx",
                 (unsigned long long)value);
    blob_bytes(m->out, text, (size_t)n);
}

static void put_text(struct making *m)
{
    static const char escapes[] = "n\nt\t\\\\$$0";

    while (*m->at) {
        char c = *m->at++;
        const char *known = c == '\\' ? strchr(escapes, *m->at++) : NULL;

        if (c == '$')
            put_shown(m);
        else
            blob_u8(m->out, (uint8_t)(known ? known[1] : c));
    }
}

static void put_wide_text(struct making *m)
{
    struct blob narrow = {0}, *out = m->out;

    m->out = &narrow;
    put_text(m);
    m->out = out;
    for (size_t i = 0; i < narrow.len; i++)
        blob_u16(out, narrow.data[i]);
    free(narrow.data);
}

static void put_uleb(struct blob *b, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        blob_u8(b, (uint8_t)(value | 0x80));
    blob_u8(b, (uint8_t)value);
}

/* A text in quotes, behind its length. */
static void put_counted_text(struct making *m)
{
    size_t n;

    need(m, "\"");
    n = strcspn(m->at, "\"");
    put_uleb(m->out, n);
    blob_bytes(m->out, m->at, n);
    m->at += n;
    need(m, "\"");
}

/* Bytes as two digits each. */
static void put_hex(struct making *m)
{
    for (skip_blanks(m); *m->at; skip_blanks(m)) {
        char digits[3] = {m->at[0], m->at[1], '\0'}, *end;

        blob_u8(m->out, (uint8_t)strtoul(digits, &end, 16));
        if (end != digits + 2)
            mistake(m, "two digits are a byte");
        m->at += 2;
    }
}

static unsigned width_of(struct making *m, char letter)
{
    static const char letters[] = "BHIQ";
    const char *known = strchr(letters, letter);

    if (letter == 'A')
        return (unsigned)*number_of(m, "address_size");
    if (letter == 'O')
        return *number_of(m, "wide") ? 8 : 4;
    if (!letter || !known)
        mistake(m, "no letter of pack");
    return 1u << (known - letters);
}

static void put_numbers(struct making *m)
{
    char format[NAME], *end;
    uint64_t value;
    bool first = true;

    take_word(m, "", format);
    for (const char *f = format; *f; f++) {
        if (isdigit((unsigned char)*f)) {
            blob_zero(m->out, strtoul(f, &end, 10));
            f = end; /* the x */
            continue;
        }
        if (!first)
            need(m, ",");
        first = false;
        if (*f == 'T') {
            put_counted_text(m);
            continue;
        }
        value = expression(m);
        if (*f == 'U')
            put_uleb(m->out, value);
        else
            blob_number(m->out, value, width_of(m, *f));
    }
}

static void put_filling(struct making *m)
{
    uint64_t n = expression(m), byte = take(m, ",") ? expression(m) : 0;
    size_t at = m->out->len;

    blob_zero(m->out, n);
    if (n)
        memset(m->out->data + at, (int)byte, n);
}

static void put_aligning(struct making *m)
{
    blob_align(m->out, expression(m));
}

/* The length of what is below in front of it, or, if `ends`, where that ends.
 */
static void put_before(struct making *m, bool ends)
{
    size_t line = m->line, at = m->out->len, width;
    char letter[NAME];
    uint64_t more;

    take_word(m, "", letter);
    skip_blanks(m);
    more = *m->at ? expression(m) : 0;
    if (*letter == 'U') {
        struct blob body = {0}, *out = m->out;

        m->out = &body;
        run_below(m, line);
        m->out = out;
        put_uleb(out, body.len + more);
        blob_bytes(out, body.data, body.len);
        free(body.data);
        return;
    }
    width = width_of(m, *letter);
    blob_zero(m->out, width);
    run_below(m, line);
    more += ends ? m->out->len : m->out->len - at - width;
    blob_set(m->out, at, more, (unsigned)width);
}

static void put_sized(struct making *m)
{
    put_before(m, false);
}

static void put_end(struct making *m)
{
    put_before(m, true);
}

static void run_in_part(struct making *m)
{
    size_t line = m->line;
    struct blob *out = m->out;
    char name[NAME];

    m->out = bytes_of(m, take_word(m, "", name));
    run_below(m, line);
    m->out = out;
}

/* The same, of a part that begins anew. */
static void run_in_new_part(struct making *m)
{
    const char *name = m->at;
    char word[NAME];

    bytes_of(m, take_word(m, "", word))->len = 0;
    m->at = name;
    run_in_part(m);
}

static void put_part(struct making *m)
{
    char name[NAME];
    const struct blob *part = bytes_of(m, take_word(m, "", name));

    blob_bytes(m->out, part->data, part->len);
}

static void set_number(struct making *m)
{
    char name[NAME];
    uint64_t *number = number_of(m, take_word(m, "", name));

    need(m, "=");
    *number = expression(m);
}

static void use_sub(struct making *m)
{
    char name[NAME];
    size_t sub = line_of(m->all, "sub", take_word(m, "", name));

    if (sub == m->all->lines.len)
        mistake(m, "no such sub");
    run_below(m, sub);
}

static void run_if(struct making *m)
{
    if (expression(m))
        run_below(m, m->line);
}

static void run_count(struct making *m)
{
    size_t line = m->line;
    char name[NAME];
    uint64_t *i = number_of(m, take_word(m, "", name)), end = UINT64_MAX;
    bool checks = take(m, "while");
    const char *condition = m->at;

    if (!checks) {
        need(m, "to");
        end = expression(m);
    }
    for (*i = 0; *i < end; ++*i) {
        m->at = condition;
        m->line = line;
        if (checks && !expression(m))
            break;
        run_below(m, line);
    }
}

/* ---- files of parts ---- */

static void set_section(struct making *m)
{
    struct elf_part *part;
    char name[NAME];

    take_word(m, "", name);
    part = &m->parts[part_of(m, name)].section;
    part->type = (uint32_t)expression(m);
    need(m, ",");
    part->flags = expression(m);
    need(m, ",");
    part->address = expression(m);
    need(m, ",");
    part->link = (uint32_t)expression(m);
    need(m, ",");
    part->entry_size = (uint32_t)expression(m);
}

/* One for all addresses, which are offsets in the file. */
static void put_segment(struct blob *file)
{
    blob_align(file, 8);
    blob_set(file, offsetof(Elf64_Ehdr, e_phoff), file->len, 8);
    blob_set(file, offsetof(Elf64_Ehdr, e_phentsize), sizeof(Elf64_Phdr), 2);
    blob_set(file, offsetof(Elf64_Ehdr, e_phnum), 1, 2);
    blob_pack(file, "IIQQQQQQ", PT_LOAD, PF_R | PF_X, (uint64_t)0, (uint64_t)0,
              (uint64_t)0, SEGMENT, SEGMENT, (uint64_t)4096);
}

static void put_elf(struct making *m)
{
    struct elf_part parts[PARTS];
    uint64_t machine = expression(m);
    uint32_t n = 0;
    struct blob file;

    for (size_t i = 0; i < PARTS; i++)
        if (m->parts[i].name[0] == '.') {
            parts[n] = m->parts[i].section;
            parts[n].name = m->parts[i].name;
            parts[n].bytes = &m->parts[i].bytes;
            parts[n].type += !parts[n].type; /* PROGBITS */
            n++;
        }
    file = elf_of(parts, n);
    blob_set(&file, offsetof(Elf64_Ehdr, e_machine), machine, 2);
    put_segment(&file);
    blob_bytes(m->out, file.data, file.len);
    free(file.data);
}

static void put_pdb(struct making *m)
{
    struct msf_copy copy = {.count = 0};
    uint64_t n = expression(m);
    uint8_t *file;
    size_t size;

    for (uint64_t i = 0; i < n; i++) {
        char name[NAME];
        const struct blob *part;

        snprintf(name, sizeof(name), "%u", (unsigned)i);
        part = bytes_of(m, name);
        (void)msf_copy_add(&copy, part->data, part->len);
    }
    file = msf_write(&copy, 4096, 0, &size);
    blob_bytes(m->out, file, size);
    free(file);
    msf_copy_release(&copy);
}

/* ---- running ---- */

static const struct {
    const char *word;
    void (*run)(struct making *m);
} statements[] = {
    {"text", put_text},    {"utf16", put_wide_text}, {"pack", put_numbers},
    {"fill", put_filling}, {"align", put_aligning},  {"sized", put_sized},
    {"ends", put_end},     {"in", run_in_part},      {"new", run_in_new_part},
    {"put", put_part},     {"let", set_number},      {"use", use_sub},
    {"if", run_if},        {"count", run_count},     {"section", set_section},
    {"elf", put_elf},      {"pdb", put_pdb},         {"hex", put_hex},
};

static void run_line(struct making *m, size_t line)
{
    const char *text = m->all->lines.data[line].text;

    m->line = line;
    if (!*text || *text == '#' || *text == '-')
        return;
    for (size_t i = 0; i < sizeof(statements) / sizeof(*statements); i++) {
        m->at = behind(text, statements[i].word);
        if (m->at) {
            statements[i].run(m);
            return;
        }
    }
    mistake(m, "no statement");
}

static void run_lines(struct making *m, size_t from, size_t end)
{
    for (size_t i = from; i < end; i = m->all->lines.data[i].end)
        run_line(m, i);
}

bool recipe_make(const struct recipes *all, const char *name, size_t size,
                 struct blob *b)
{
    struct making *m = mem_new(1, sizeof(*m));
    size_t line = line_of(all, "make", name);

    *m = (struct making){.all = all, .out = b, .size = size};
    for (size_t i = 0; i < all->lines.len; i = all->lines.data[i].end)
        if (behind(all->lines.data[i].text, "let"))
            run_line(m, i);
    if (line < all->lines.len)
        run_below(m, line);
    for (size_t i = 0; i < PARTS; i++)
        free(m->parts[i].bytes.data);
    free(m);
    return line < all->lines.len;
}
