#include "tests/support/go_table_writer.h"

#include <stdlib.h>

enum { POINTER = 8, TREES_AT = 0x9000 };

struct parts {
    struct blob names, units, files, values;
    uint32_t work, twice, run, a, b; /* texts */
    uint32_t file_list, line_list, call_list, line_of_run, file_of_run;
};

static uint32_t put_text(struct blob *b, const char *text)
{
    uint32_t at = (uint32_t)b->len;

    blob_bytes(b, text, strlen(text) + 1);
    return at;
}

/* Differences of the value, from -1, and of the address. */
static uint32_t put_list(struct blob *b, const int (*steps)[2], size_t n)
{
    uint32_t at = (uint32_t)b->len;

    for (size_t i = 0; i < n; i++) {
        int d = steps[i][0];
        unsigned value = d < 0 ? ~((unsigned)d << 1) : (unsigned)d << 1;

        while (value >= 0x80) {
            blob_u8(b, (uint8_t)(value | 0x80));
            value >>= 7;
        }
        blob_pack(b, "BB", (uint8_t)value, (uint8_t)steps[i][1]);
    }
    blob_u8(b, 0);
    return at;
}

static struct parts parts_of(enum go_table_version version)
{
    /* Files count from 1 before 1.16. */
    const int first = version == GO_1_2 ? 2 : 1;
    const int files[][2] = {{first, 0x10}, {1, 0x10}, {-1, 0x20}};
    const int file_of_run[][2] = {{first, 0x20}};
    static const int lines[][2] = {{11, 0x10}, {60, 0x10}, {-59, 0x20}};
    static const int calls[][2] = {{0, 0x10}, {1, 0x10}, {-1, 0x20}};
    static const int line_of_run[][2] = {{21, 0x20}};
    struct parts p = {.work = 0};

    blob_u8(&p.names, 0);
    p.work = put_text(&p.names, "main.work");
    p.twice = put_text(&p.names, "main.twice");
    p.run = put_text(&p.names, "main.run");
    p.a = put_text(&p.files, "/src/a.go");
    p.b = put_text(&p.files, "/src/b.go");
    blob_pack(&p.units, "II", p.a, p.b);
    blob_u8(&p.values, 0);
    p.file_list = put_list(&p.values, files, 3);
    p.line_list = put_list(&p.values, lines, 3);
    p.call_list = put_list(&p.values, calls, 3);
    p.file_of_run = put_list(&p.values, file_of_run, 1);
    p.line_of_run = put_list(&p.values, line_of_run, 1);
    return p;
}

static void put_tree(const struct parts *p, enum go_table_version version,
                     struct blob *trees)
{
    if (version < GO_1_20)
        blob_zero(trees, 12); /* its caller, file and line */
    else
        blob_u32(trees, 0); /* what it is */
    blob_pack(trees, "II", p->twice, 4);
    if (version >= GO_1_20)
        blob_u32(trees, 60); /* the line of the function called */
}

/* Without lists of other things for `run`. */
static void put_function(struct blob *b, const struct parts *p,
                         enum go_table_version version, bool is_work,
                         uint64_t start)
{
    bool has_address = version < GO_1_18;

    blob_number(b, has_address ? GO_TEXT + start : start, has_address ? 8 : 4);
    blob_u32(b, is_work ? p->work : p->run);
    blob_zero(b, 12); /* arguments, deferred calls, stack */
    blob_pack(b, "III", is_work ? p->file_list : p->file_of_run,
              is_work ? p->line_list : p->line_of_run, is_work ? 3 : 0);
    if (version >= GO_1_16)
        blob_u32(b, 0); /* the first file of its unit */
    if (version >= GO_1_20)
        blob_u32(b, 9); /* the line where it begins */
    blob_pack(b, "3xB", is_work ? 4 : 0);
    if (!is_work)
        return;
    blob_pack(b, "8xI", p->call_list);
    if (has_address)
        blob_zero(b, (8 - b->len % 8) % 8);
    for (unsigned i = 0; i < 3; i++)
        blob_number(b, has_address ? 0 : UINT32_MAX, has_address ? 8 : 4);
    blob_number(b, has_address ? TREES_AT : 0, has_address ? 8 : 4);
}

static void set_u64(struct blob *b, size_t at, uint64_t value)
{
    memcpy(b->data + at, &value, sizeof(value));
}

/* The list of functions, then the functions; `from`: what offsets of these
 * count from. Returns where the list's word of the files is. */
static size_t put_functions(struct blob *b, const struct parts *p,
                            enum go_table_version version, size_t from)
{
    unsigned size = version < GO_1_18 ? POINTER : 4;
    uint64_t base = version < GO_1_18 ? GO_TEXT : 0;
    size_t list = b->len, end;

    blob_zero(b, 5 * size);
    end = b->len;
    blob_zero(b, 8); /* of the files, before 1.16 */
    for (unsigned i = 0; i < 2; i++) {
        uint64_t start = base + i * 0x40, at;

        blob_zero(b, (8 - b->len % 8) % 8);
        at = b->len - from;
        memcpy(b->data + list + 2 * i * size, &start, size);
        memcpy(b->data + list + (2 * i + 1) * size, &at, size);
        put_function(b, p, version, !i, i * 0x40);
    }
    base += 0x60;
    memcpy(b->data + list + 4 * size, &base, size);
    return end;
}

static void put_header(struct blob *b, enum go_table_version version)
{
    static const uint32_t magics[] = {0xFFFFFFFB, 0xFFFFFFFA, 0xFFFFFFF0,
                                      0xFFFFFFF1};

    blob_pack(b, "IHBBQ", magics[version], 0, 1, POINTER, 2);
}

/* All offsets count from the table's beginning. */
static struct blob old_table(const struct parts *p)
{
    struct parts moved = *p;
    struct blob b = {0};
    /* The header, the list, its end, the files' numbers: then texts. */
    enum { BEFORE = 512 };
    uint32_t names = BEFORE, values = names + (uint32_t)p->names.len,
             texts = values + (uint32_t)p->values.len,
             files = texts + (uint32_t)p->files.len;
    size_t at;

    moved.work += names;
    moved.run += names;
    moved.file_list += values;
    moved.line_list += values;
    moved.call_list += values;
    moved.file_of_run += values;
    moved.line_of_run += values;
    put_header(&b, GO_1_2);
    at = put_functions(&b, &moved, GO_1_2, 0);
    memcpy(b.data + at, &files, sizeof(files));
    blob_zero(&b, BEFORE - b.len);
    blob_bytes(&b, p->names.data, p->names.len);
    blob_bytes(&b, p->values.data, p->values.len);
    blob_bytes(&b, p->files.data, p->files.len);
    blob_pack(&b, "III", 3, texts + p->a, texts + p->b);
    return b;
}

static struct blob new_table(const struct parts *p,
                             enum go_table_version version)
{
    const struct blob *parts[] = {&p->names, &p->units, &p->files, &p->values};
    struct blob b = {0};
    size_t at;

    put_header(&b, version);
    blob_u64(&b, 2);
    if (version >= GO_1_18)
        blob_u64(&b, GO_TEXT);
    at = b.len;
    blob_zero(&b, 5 * POINTER);
    for (unsigned i = 0; i < 4; i++, at += POINTER) {
        set_u64(&b, at, b.len);
        blob_bytes(&b, parts[i]->data, parts[i]->len);
        blob_zero(&b, (8 - b.len % 8) % 8);
    }
    set_u64(&b, at, b.len);
    put_functions(&b, p, version, b.len);
    return b;
}

struct blob go_table_made(enum go_table_version version, struct blob *trees)
{
    struct parts p = parts_of(version);
    struct blob b =
        version == GO_1_2 ? old_table(&p) : new_table(&p, version);

    put_tree(&p, version, trees);
    free(p.names.data);
    free(p.units.data);
    free(p.files.data);
    free(p.values.data);
    return b;
}
