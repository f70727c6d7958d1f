/* A precompiled image made for the purpose: whose its code is, and how its
 * methods are called. */
#include <string.h>

#include "symbols/managed/r2r/image.h"
#include "symbols/managed/r2r/types.h"
#include "tests/support/code_scenario.h"
#include "tests/support/suite.h"

struct opened {
    byte_vec bytes;
    struct r2r_image *image;
    struct arena arena;
};

static void open_sample(struct opened *o)
{
    struct err err = {0};

    *o = (struct opened){.image = NULL};
    code_assembly(&o->bytes, false);
    ck_assert(r2r_probe(o->bytes.data, o->bytes.len));
    o->image = r2r_open("Shop.dll", o->bytes.data, o->bytes.len, &err);
    ck_assert_msg(o->image, "%s", err.message);
}

static void close_sample(struct opened *o)
{
    r2r_close(o->image);
    arena_release(&o->arena);
    vec_release(&o->bytes);
}

static uint32_t piece(unsigned n)
{
    return ASSEMBLY_CODE + n * ASSEMBLY_STRIDE;
}

static const struct {
    unsigned first, last; /* pieces */
    const char *space, *name, *signature;
    uint32_t token;
} entries[CODE_ENTRIES] = {
    {0, 1, "Shop.Store", "Open", "instance void  ()", 0x06000001},
    {2, 2, "Shop.Store", "Find",
     "instance bool  (int32,class System.String,value class Key)", 0x06000002},
    {3, 3, "Shop.Store+Key", "get_Hash", "instance unsigned int32  ()",
     0x06000004},
    {4, 4, "Shop.List`1[System.Int32]", "Add", "instance void  (!0)",
     0x06000005},
    {5, 5, "Shop.List`1[Shop.Store+Key[]]", "Add", "instance void  (!0)",
     0x06000005},
    {6, 6, "Shop.List`1[System.__Canon]", "Sort",
     "instance generic void  (!!0[])", 0x06000006},
};

START_TEST(names)
{
    struct r2r_method m;
    struct r2r_name name;
    struct opened o;

    open_sample(&o);
    ck_assert_uint_eq(r2r_count(o.image), CODE_ENTRIES);
    for (uint32_t i = 0; i < CODE_ENTRIES; i++) {
        ck_assert(r2r_method(o.image, i, &m));
        ck_assert_uint_eq(m.start, piece(entries[i].first));
        ck_assert_uint_eq(m.end, piece(entries[i].last) + ASSEMBLY_PIECE);
        ck_assert(r2r_name(o.image, &m, TYPES_EVENT, &o.arena, &name));
        ck_assert_str_eq(name.space, entries[i].space);
        ck_assert_str_eq(name.name, entries[i].name);
        ck_assert_str_eq(name.signature, entries[i].signature);
        ck_assert_uint_eq(name.token, entries[i].token);
    }
    ck_assert(!r2r_method(o.image, CODE_ENTRIES, &m));
    close_sample(&o);
}
END_TEST

static void assert_name(const struct r2r_image *image, uint32_t entry,
                        enum type_style style, const char *space,
                        const char *member, const char *signature)
{
    struct arena arena = {0};
    struct r2r_method m;
    struct r2r_name name;

    ck_assert(r2r_method(image, entry, &m));
    ck_assert(r2r_name(image, &m, style, &arena, &name));
    ck_assert_str_eq(name.space, space);
    ck_assert_str_eq(name.name, member);
    ck_assert_str_eq(name.signature, signature);
    arena_release(&arena);
}

/* An instance of a member that another assembly has, and that assembly in
 * front of its types where the style has it. */
START_TEST(members_of_other_assemblies)
{
    enum { REFERENCE = 1 << 2 | 1 };
    static const uint8_t plain[] = {0x20, 1, 0x01, 0x12, REFERENCE};
    static const uint8_t push[] = {0x20, 1, 0x08, 0x12, REFERENCE};
    static const uint8_t bag_push[] = {0x50, 0x12, REFERENCE, 1};
    static const struct assembly_method methods[] = {
        {"Add", plain, sizeof(plain), 1}};
    static const struct assembly_type list[] = {{"", "<Module>", 0, 0},
                                                {"Shop", "Cart", 0, 1}};
    static const struct assembly_reference references[] = {
        {"Goods", "Store", "Bag", "Push", push, sizeof(push)}};
    static const struct assembly_instance instances[] = {
        {bag_push, sizeof(bag_push)}};
    struct assembly a = {.types = list,
                         .type_count = 2,
                         .methods = methods,
                         .method_count = 1,
                         .references = references,
                         .reference_count = 1,
                         .instances = instances,
                         .instance_count = 1};
    struct opened o = {.image = NULL};

    assembly_write(&o.bytes, &a);
    o.image = r2r_open("Shop.dll", o.bytes.data, o.bytes.len, NULL);
    ck_assert(o.image);
    assert_name(o.image, 0, TYPES_EVENT, "Shop.Cart", "Add",
                "instance void  (class Store.Bag)");
    assert_name(o.image, 0, TYPES_MAP, "Shop.Cart", "Add",
                "instance void  (class [Goods]Store.Bag)");
    assert_name(o.image, 1, TYPES_EVENT, "Store.Bag", "Push",
                "instance int32  (class Store.Bag)");
    assert_name(o.image, 1, TYPES_MAP, "Store.Bag", "Push",
                "instance int32  (class [Goods]Store.Bag)");
    close_sample(&o);
}
END_TEST

START_TEST(owners)
{
    /* By piece: the entry; the last is the cold end of the second. */
    static const uint32_t owner[CODE_PIECES] = {0, 0, 1, 2, 3, 4, 5, 1};
    struct r2r_method m;
    struct opened o;

    open_sample(&o);
    for (unsigned i = 0; i < CODE_PIECES; i++) {
        ck_assert(r2r_find(o.image, piece(i), &m));
        ck_assert_uint_eq(m.entry, owner[i]);
        ck_assert(r2r_find(o.image, piece(i) + ASSEMBLY_PIECE - 1, &m));
        ck_assert_uint_eq(m.entry, owner[i]);
        ck_assert(!r2r_find(o.image, piece(i) + ASSEMBLY_PIECE, &m));
    }
    ck_assert(!r2r_find(o.image, piece(0) - 1, &m));
    ck_assert(!r2r_find(o.image, 0, &m));
    ck_assert(!r2r_find(o.image, UINT32_MAX, &m));
    close_sample(&o);
}
END_TEST

START_TEST(rows)
{
    struct r2r_method m;
    struct opened o;

    open_sample(&o);
    ck_assert(r2r_row(o.image, 4, &m));
    ck_assert_uint_eq(m.start, piece(3));
    ck_assert(!r2r_row(o.image, 0, &m));
    ck_assert(!r2r_row(o.image, 3, &m)); /* has no code */
    ck_assert(!r2r_row(o.image, 5, &m)); /* of its instances only */
    ck_assert(!r2r_row(o.image, 7, &m));
    close_sample(&o);
}
END_TEST

START_TEST(calls)
{
    struct opened o;

    open_sample(&o);
    for (uint32_t at = 0; at < ASSEMBLY_STRIDE; at++)
        ck_assert_msg(r2r_follows_call(o.image, piece(3) + at) ==
                          (at == ASSEMBLY_CALL || at == ASSEMBLY_SECOND_CALL),
                      "offset %u", at);
    ck_assert(!r2r_follows_call(o.image, 0));
    ck_assert(!r2r_follows_call(o.image, piece(0)));
    close_sample(&o);
}
END_TEST

static void look_at_all(const uint8_t *data, size_t size)
{
    struct r2r_image *image = r2r_open("broken", data, size, NULL);
    struct arena arena = {0};
    struct r2r_method m;
    struct r2r_name name;

    for (uint32_t i = 0; image && i < r2r_count(image); i++) {
        ck_assert(r2r_method(image, i, &m));
        r2r_name(image, &m, TYPES_EVENT, &arena, &name);
    }
    if (image)
        r2r_find(image, piece(2), &m);
    arena_release(&arena);
    r2r_close(image);
}

START_TEST(cut_anywhere)
{
    struct opened o;
    uint8_t *copy;

    open_sample(&o);
    for (size_t n = 0; n < o.bytes.len; n += n < 0x1000 ? 1 : 997) {
        copy = mem_new(n, 1);
        memcpy(copy, o.bytes.data, n);
        look_at_all(copy, n);
        free(copy);
    }
    close_sample(&o);
}
END_TEST

START_TEST(every_byte_wrong)
{
    static const uint8_t flips[] = {0x01, 0x80, 0xFF};
    struct opened o;

    open_sample(&o);
    for (size_t i = 0; i < 0x800; i++)
        for (size_t k = 0; k < sizeof(flips); k++) {
            o.bytes.data[i] ^= flips[k];
            look_at_all(o.bytes.data, o.bytes.len);
            o.bytes.data[i] ^= flips[k];
        }
    close_sample(&o);
}
END_TEST

/* ---- types ---- */

static const struct {
    uint8_t bytes[16];
    const char *full, *event, *map; /* NULL: malformed */
} types[] = {
    {{0x08}, "System.Int32", "int32", "int32"},
    {{0x1D, 0x05}, "System.Byte[]", "unsigned int8[]", "uint8[]"},
    {{0x10, 0x0F, 0x01}, "System.Void*&", "void*&", "void*&"},
    {{0x14, 0x0C, 3, 0, 0}, "System.Single[,,]", "float32[,,]", "float32[,,]"},
    {{0x14, 0x1C, 2, 1, 5, 2, 0, 0},
     "System.Object[,]",
     "class System.Object[,]",
     "object[,]"},
    {{0x13, 1}, "!1", "!1", "!1"},
    {{0x1E, 12}, "!!12", "!!12", "!!12"},
    {{0x11, 3 << 2},
     "Shop.Store+Key",
     "value class Key",
     "valuetype Shop.Store/Key"},
    {{0x15, 0x12, 4 << 2, 1, 0x15, 0x12, 4 << 2, 1, 0x0E},
     "Shop.List`1[Shop.List`1[System.String]]",
     "class Shop.List`1<class Shop.List`1<class System.String>>",
     "class Shop.List`1<class Shop.List`1<string>>"},
    {{0x20, 2 << 2, 0x08},
     "System.Int32",
     "optional_modifier Shop.Store int32",
     "int32 modopt(Shop.Store)"},
    {{0x1F, 2 << 2, 0x08},
     "System.Int32",
     "required_modifier Shop.Store int32",
     "int32 modreq(Shop.Store)"},
    {{0x1B, 0, 2, 0x01, 0x08, 0x1D, 0x02},
     "fnptr System.Void(System.Int32,System.Boolean[])",
     "fnptr void(int32,bool[])",
     "fnptr void(int32,bool[])"},
    {{0x45, 0x02}, "System.Boolean", "bool", "bool"},
    {{0x12, 9 << 2}, NULL, NULL, NULL}, /* no such row */
    {{0x12, 0}, NULL, NULL, NULL},
    {{0x12, 1 << 2 | 2}, NULL, NULL, NULL}, /* no such specification */
    {{0x3F, 1, 0x12, 8}, NULL, NULL, NULL}, /* no other modules here */
    {{0x77}, NULL, NULL, NULL},
};

static void check_type(const struct cli_tables *tables, const uint8_t *bytes,
                       size_t n, enum type_style style, const char *wanted)
{
    struct reader r = reader_of("type", bytes, n, 0, NULL);
    struct type_text text = {.len = 0};
    struct type_reader t = {
        .r = &r, .text = &text, .style = style, .own = tables};

    ck_assert_int_eq(type_read(&t, tables), wanted != NULL);
    if (wanted)
        ck_assert_msg(text.len == strlen(wanted) &&
                          !memcmp(text.data, wanted, text.len),
                      "%.*s, not %s", (int)text.len, text.data, wanted);
}

static struct bytes metadata_of(const struct r2r_image *image)
{
    const struct pe *pe = r2r_pe(image);
    struct bytes clr = pe_at(pe, pe->directories[PE_CLR].rva);

    return pe_at(pe, load_u32(clr.data + 8));
}

START_TEST(type_names)
{
    struct cli_tables tables;
    struct bytes metadata;
    struct opened o;

    open_sample(&o);
    metadata = metadata_of(o.image);
    ck_assert(!cli_tables_open(&tables, "Shop.dll", metadata.data, metadata.len,
                               NULL));
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        check_type(&tables, types[i].bytes, sizeof(types[i].bytes), TYPES_FULL,
                   types[i].full);
        check_type(&tables, types[i].bytes, sizeof(types[i].bytes), TYPES_EVENT,
                   types[i].event);
    }
    close_sample(&o);
}
END_TEST

START_TEST(types_without_end)
{
    struct cli_tables tables = {.tables = {{0}}};
    uint8_t deep[100], wide[6000];

    memset(deep, 0x1D, sizeof(deep));
    check_type(&tables, deep, sizeof(deep), TYPES_FULL, NULL);
    /* Many arguments, whose names are longer than any name may be. */
    memset(wide, 0x08, sizeof(wide));
    memcpy(wide, "\x15\x0E\x97\x00", 4);
    check_type(&tables, wide, sizeof(wide), TYPES_FULL, NULL);
    check_type(&tables, wide, 10, TYPES_FULL, NULL);
}
END_TEST

int main(void)
{
    return suite_run("r2r image", names, members_of_other_assemblies, owners, rows, calls, cut_anywhere,
                     every_byte_wrong, type_names, types_without_end);
}
