/* The names that a recording carries behind its blocks. */
#include "engine/format/vsp/saved.h"
#include "tests/support/blob.h"
#include "tests/support/suite.h"

enum {
    SECTIONS = 14848,
    HEADER = 19752,
    STAMP = 77,
    SIZE = 0x10000,
    CACHE = 592,
    CACHE2 = 552,
};

static struct blob b;
static struct profile *p;
static struct vsp_saved *s;
static uint32_t sections;

static void begin(void)
{
    b = (struct blob){0};
    blob_zero(&b, HEADER);
    p = profile_new();
    s = NULL;
    sections = 0;
}

static void end(void)
{
    if (s)
        saved_free(s);
    profile_free(p);
    free(b.data);
}

static void put_text(size_t at, const char *text)
{
    for (; *text; text++, at += 2)
        blob_set(&b, at, (uint8_t)*text, 2);
}

static void put_section(const char *name, size_t start, uint64_t size)
{
    size_t at = SECTIONS + 8 + 80 * (size_t)sections++;

    put_text(at, name);
    blob_set(&b, at + 64, start, 8);
    blob_set(&b, at + 72, size, 8);
    blob_set(&b, SECTIONS, sections, 4);
}

/* Texts of the pool, in areas of one each. */
static void put_pool(void)
{
    static const char *const texts[] = {"run", "a.cpp", "N.C.M()", "m.cs", ""};
    size_t start, area;

    start = b.len;
    blob_zero(&b, 128 * 16);
    put_section("SYMSTRPOOL", start, 128 * 16);
    for (size_t i = 0; i < 5; i++) {
        area = b.len;
        blob_u32(&b, (uint32_t)(2 * strlen(texts[i])));
        blob_utf16(&b, texts[i], 0);
        blob_set(&b, start + 16 * i, area, 8);
        blob_set(&b, start + 16 * i + 8, b.len - area, 8);
    }
}

static size_t put_words(const int32_t *words, size_t n)
{
    size_t at = b.len;

    for (size_t i = 0; i < n; i++)
        blob_u32(&b, (uint32_t)words[i]);
    return at;
}

/* The module with these tables; 0: it has none. */
struct tables {
    size_t native, managed, lines, il_lines;
    uint64_t native_count, managed_count, line_count, il_line_count;
};

static void put_caches(const struct tables *t)
{
    size_t at = b.len;

    blob_u64(&b, 1);
    blob_zero(&b, CACHE);
    put_text(at + 8, "C:\\Work\\A.exe");
    b.data[at + 8 + 520] = 5; /* version id */
    b.data[at + 8 + 535] = 0x80;
    blob_set(&b, at + 8 + 536, SIZE, 4);
    blob_set(&b, at + 8 + 540, STAMP, 4);
    blob_set(&b, at + 8 + 544, t->native_count, 8);
    blob_set(&b, at + 8 + 552, t->managed_count, 8);
    blob_set(&b, at + 8 + 568, t->native, 8);
    blob_set(&b, at + 8 + 576, t->managed, 8);
    put_section("SYMCACHE", at, b.len - at);
    at = b.len;
    blob_u64(&b, 1);
    blob_zero(&b, CACHE2);
    put_text(at + 8, "c:\\work\\a.exe");
    blob_set(&b, at + 8 + 520, t->line_count, 8);
    blob_set(&b, at + 8 + 528, t->lines, 8);
    blob_set(&b, at + 8 + 536, t->il_line_count, 8);
    blob_set(&b, at + 8 + 544, t->il_lines, 8);
    put_section("SYMCACHE2", at, b.len - at);
}

static void read_saved(void)
{
    s = saved_read("a.vsp", b.data, b.len, p);
}

static struct saved_module *module(void)
{
    return saved_find(s, "c:\\WORK\\a.exe", SIZE, STAMP);
}

static bool text_is(struct bytes text, const char *wanted)
{
    if (text.len != 2 * strlen(wanted))
        return false;
    for (size_t i = 0; i < text.len; i += 2)
        if (text.data[i] != (uint8_t)wanted[i / 2])
            return false;
    return true;
}

static const char *warning(size_t i)
{
    return i < p->quality.warnings.len
               ? strings_get(p->strings, p->quality.warnings.data[i])
               : "";
}

TEST(texts_of_the_pool)
{
    begin();
    put_pool();
    read_saved();
    ck_assert_uint_eq(s->pool.len, 5);
    ck_assert(text_is(saved_text(s, 0), "run"));
    ck_assert(text_is(saved_text(s, 3), "m.cs"));
    ck_assert_uint_eq(saved_text(s, 4).len, 0);
    ck_assert_uint_eq(saved_text(s, 5).len, 0);
    ck_assert_uint_eq(saved_text(s, -1).len, 0);
    ck_assert_uint_eq(p->quality.warnings.len, 0);
    end();
}

/* ---- native code ---- */

/* A function of 0x100 bytes, one without a name, one of no length and, for an
 * address in the first, another. */
static const int32_t natives[] = {
    0x2000, -1, 0,     0, 3, 0, 1, 0x2000,
    0x1000, -1, 0x100, 0, 3, 0, 1, 0x1000,
    0x1500, -1, 0x100, 0, 3, 9, 1, 0x1500,
    0x1020, -1, 0x10,  0, 5, 2, 3, 0x1010,
    0x1030, -1, 0x10,  0, 5, 4, 3, 0x1010,
};
static const int32_t lines[] = {0x1030, 0, 9, 0x1010, 0, 7};

static const struct {
    uint32_t rva;
    const char *name; /* NULL: none */
    uint32_t line;
} addresses[] = {
    {0xFFF, NULL, 0},   {0x1000, "run", 0},     {0x1010, "run", 7},
    {0x1011, "run", 0}, {0x1020, "N.C.M()", 0}, {0x1021, "run", 0},
    {0x1030, "run", 9}, {0x10FF, "run", 0},     {0x1100, NULL, 0},
    {0x1500, NULL, 0},  {0x2000, "run", 0},     {0x2001, NULL, 0},
};

TEST(names_of_native_code)
{
    struct tables t = {.native_count = 5, .line_count = 2};
    struct saved_native found;
    struct saved_module *m;

    begin();
    put_pool();
    t.native = put_words(natives, 40);
    t.lines = put_words(lines, 6);
    put_caches(&t);
    read_saved();
    m = module();
    ck_assert_ptr_nonnull(m);
    ck_assert_ptr_eq(module(), m); /* it is loaded once */
    ck_assert_uint_eq(m->functions.len, 3);
    for (size_t i = 0; i < COUNT(addresses); i++) {
        bool is = saved_native(s, m, addresses[i].rva, &found);

        ck_assert(is == !!addresses[i].name);
        if (is)
            ck_assert(text_is(saved_text(s, found.name), addresses[i].name));
        ck_assert_uint_eq(saved_line_of(m, addresses[i].rva),
                          addresses[i].line);
    }
    ck_assert_uint_eq(p->quality.warnings.len, 0);
    end();
}

/* Of another path, size or time it is another file. */
TEST(modules_by_what_they_are)
{
    struct tables t = {.native_count = 0};
    struct saved_module *m;

    begin();
    put_pool();
    put_caches(&t);
    read_saved();
    ck_assert_ptr_nonnull(module());
    ck_assert_ptr_null(saved_find(s, "C:\\Work\\B.exe", SIZE, STAMP));
    ck_assert_ptr_null(saved_find(s, "C:\\Work\\A.exe", SIZE + 1, STAMP));
    ck_assert_ptr_null(saved_find(s, "C:\\Work\\A.exe", SIZE, STAMP + 1));
    m = module();
    ck_assert_uint_eq(saved_line_of(m, 0x1010), 0);
    ck_assert(!saved_native(s, m, 0x1000, &(struct saved_native){0}));
    end();
}

/* ---- managed code ---- */

static const int32_t methods[] = {
    0x06000001, 0, -1, 29, 2, -1, 3, 0x06000002, 0, -1, 29, 0, -1, 1,
    0x06000003, 0, -1, 29, 9, -1, 1, 0x06000001, 0, -1, 29, 0, -1, 1,
};
static const int32_t il_lines[] = {
    0x06000002, 0, 9, 50, 51, 1, 2, 0x06000001, 10, 19, 31, 32, 1, 2,
    0x06000001, 0, 9, 30, 31, 1, 2, 0x06000001, 30, 39, 33, 34, 1, 2,
};

static const struct {
    uint32_t module, token;
    int32_t il;
    uint32_t line;
} places[] = {
    {0, 0x06000001, 0, 30},  {0, 0x06000001, 9, 30}, {0, 0x06000001, 10, 31},
    {0, 0x06000001, 19, 31}, {0, 0x06000001, 20, 0}, {0, 0x06000001, 29, 0},
    {0, 0x06000001, 30, 33}, {0, 0x06000001, 40, 0}, {0, 0x06000002, 5, 50},
    {0, 0x06000002, 10, 0},  {0, 0x06000000, 5, 0},  {0, 0x06000003, 5, 0},
    {1, 0x06000001, 5, 0},   {0, 0x06000001, -1, 0},
};

TEST(names_of_managed_code)
{
    struct tables t = {.managed_count = 4, .il_line_count = 4};
    uint8_t mvid[16] = {5, [15] = 0x80}, other[16] = {4, [15] = 0x80};
    /* One that is looked up where the module's is. */
    uint8_t folded[16] = {4, [15] = 0x80};
    struct saved_managed found;

    begin();
    put_pool();
    t.managed = put_words(methods, 28);
    t.il_lines = put_words(il_lines, 28);
    put_caches(&t);
    read_saved();
    ck_assert(saved_managed(s, mvid, 0x06000001, &found));
    ck_assert(text_is(found.name, "N.C.M()"));
    ck_assert(text_is(found.file, "m.cs"));
    ck_assert_uint_eq(found.module, 0);
    ck_assert(saved_managed(s, mvid, 0x06000002, &found));
    ck_assert(text_is(found.name, "run"));
    ck_assert(!saved_managed(s, mvid, 0x06000003, &found));
    ck_assert(!saved_managed(s, mvid, 0x06000004, &found));
    ck_assert(!saved_managed(s, other, 0x06000001, &found));
    folded[15] = 0;
    ck_assert(!saved_managed(s, folded, 0x06000001, &found));
    for (size_t i = 0; i < COUNT(places); i++)
        ck_assert_uint_eq(saved_il_line_of(s, places[i].module, places[i].token,
                                           places[i].il),
                          places[i].line);
    end();
}

/* ---- what does not fit ---- */

TEST(a_section_cut_off)
{
    for (unsigned more = 0; more < 2; more++) {
        begin();
        put_pool();
        blob_set(&b, SECTIONS + 8 + 72, b.len - HEADER + more, 8);
        read_saved();
        ck_assert_uint_eq(s->pool.len, more ? 0 : 5);
        ck_assert_str_eq(
            warning(0),
            more ? "a.vsp: the saved section SYMSTRPOOL is truncated" : "");
        end();
    }
}

/* Tables may share bytes, but not more than twice the file's. */
TEST(tables_that_overlap)
{
    begin();
    blob_zero(&b, 1000);
    put_section("SYMSTRPOOL", HEADER, 3 * 16);
    for (size_t i = 0; i < 3; i++)
        blob_set(&b, HEADER + 16 * i + 8, b.len, 8);
    read_saved();
    ck_assert_str_eq(warning(0), "a.vsp: tables of saved names overlap");
    ck_assert_uint_eq(p->quality.warnings.len, 1);
    end();
}
