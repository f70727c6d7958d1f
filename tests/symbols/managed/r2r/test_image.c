/* A precompiled image made for the purpose: whose its code is, and how its
 * methods are called. */
#include "symbols/debug.h"
#include "symbols/managed/r2r/image.h"
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

TEST(names)
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

TEST(calls)
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

/* As a debug file: names of methods, and where they are, or what of them is
 * apart. */
TEST(debug_file)
{
    struct debug_file *file;
    struct debug_frame f[2];
    struct debug_range range;
    struct err err = {0};
    struct opened o;

    open_sample(&o);
    file = debug_open("Shop.dll", o.bytes.data, o.bytes.len, &err);
    ck_assert_ptr_nonnull(file);
    ck_assert_str_eq(file->kind->name, "ready-to-run");
    ck_assert_int_eq(file->machine, DEBUG_X64);
    for (int again = 0; again < 2; again++)
        for (uint32_t i = 0; i < CODE_ENTRIES; i++) {
            uint32_t start = piece(entries[i].first);
            uint32_t end = piece(entries[i].last) + ASSEMBLY_PIECE;

            ck_assert_uint_eq(debug_frames(file, start, f, 2), 1);
            ck_assert_ptr_nonnull(strstr(f[0].function, entries[i].name));
            ck_assert(debug_range(file, end - 1, &range));
            ck_assert_uint_eq(range.start, start);
            ck_assert_uint_eq(range.end, end);
        }
    ck_assert_uint_eq(debug_frames(file, piece(7), f, 2), 1);
    ck_assert_ptr_nonnull(strstr(f[0].function, "Find"));
    ck_assert(debug_range(file, piece(7), &range));
    ck_assert_uint_eq(range.start, piece(7));
    ck_assert_uint_eq(range.end, piece(7) + ASSEMBLY_PIECE);
    ck_assert(!debug_range(file, piece(2) + ASSEMBLY_PIECE, &range));
    ck_assert(!debug_range(file, piece(2) + (1ull << 32), &range));
    ck_assert_uint_eq(debug_frames(file, piece(2) + (1ull << 32), f, 2), 0);
    ck_assert_uint_eq(debug_frames(file, piece(2), f, 0), 0);
    ck_assert_uint_eq(debug_frames(file, piece(0) - 1, f, 1), 0);
    ck_assert_uint_gt(debug_code(file, piece(2)).len, ASSEMBLY_PIECE);
    debug_close(file);
    close_sample(&o);
}

static void set_u32(byte_vec *v, size_t at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        v->data[at + i] = (uint8_t)(value >> 8 * i);
}

/* Makes the sample a composite image, whose second component it is. */
static void make_composite(struct opened *o)
{
    struct pe pe;
    struct bytes clr, native;
    uint32_t clr_rva, native_rva, n, list_at;
    size_t clr_at, header, raw;

    ck_assert(!pe_open(&pe, "", o->bytes.data, o->bytes.len, NULL));
    clr_rva = pe.directories[PE_CLR].rva;
    clr = pe_at(&pe, clr_rva);
    native_rva = load_u32(clr.data + 64);
    native = pe_at(&pe, native_rva);
    n = load_u32(native.data + 12);
    clr_at = (size_t)(clr.data - o->bytes.data);
    header = (size_t)(pe.sections - o->bytes.data);
    raw = load_u32(o->bytes.data + header + 20);
    list_at = load_u32(o->bytes.data + header + 12) +
              (uint32_t)(o->bytes.len - raw);
    put_number(&o->bytes, 0, 8); /* the first component has nothing */
    blob_pack(&o->bytes, "QIIII", 0, clr_rva, 72, native_rva + 8,
              load_u32(clr.data + 68) - 8);
    put_number(&o->bytes, 0, 8); /* half of one more */
    put_bytes(&o->bytes, "RTR\0\5\0\0\0", 8);
    blob_pack(&o->bytes, "II", 0, n + 1);
    for (size_t i = 0; i < (size_t)n * 12; i++)
        put_number(&o->bytes, pe_at(&pe, native_rva).data[16 + i], 1);
    blob_pack(&o->bytes, "III", 115, list_at, 40);
    set_u32(&o->bytes, clr_at + 64, list_at + 40);
    set_u32(&o->bytes, clr_at + 68, 16 + (n + 1) * 12);
    set_u32(&o->bytes, header + 8, (uint32_t)(o->bytes.len - raw));
    set_u32(&o->bytes, header + 16, (uint32_t)(o->bytes.len - raw));
}

/* Methods have no tokens there, as they may be of any component. */
TEST(composite)
{
    struct r2r_method m;
    struct r2r_name name;
    struct opened o;

    open_sample(&o);
    r2r_close(o.image);
    vec_reserve(&o.bytes, 4096); /* what is copied stays where it is */
    make_composite(&o);
    o.image = r2r_open("Shop.dll", o.bytes.data, o.bytes.len, NULL);
    ck_assert_ptr_nonnull(o.image);
    ck_assert_uint_eq(r2r_count(o.image), CODE_ENTRIES);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert(r2r_method(o.image, i, &m));
        ck_assert_uint_eq(m.start, piece(entries[i].first));
        ck_assert_uint_eq(m.end, piece(entries[i].last) + ASSEMBLY_PIECE);
        ck_assert(r2r_name(o.image, &m, TYPES_EVENT, &o.arena, &name));
        ck_assert_str_eq(name.space, entries[i].space);
        ck_assert_str_eq(name.name, entries[i].name);
        ck_assert_uint_eq(name.token, 0);
    }
    ck_assert(!r2r_row(o.image, 1, &m));
    close_sample(&o);
}

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

TEST(cut_anywhere)
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

TEST(every_byte_wrong)
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

/* A composite image names nothing until the metadata of its components are
 * there, of the build that it was made of. */
TEST(composite_of_files)
{
    byte_vec bytes = {0}, other = {0}, shop = {0};
    struct arena arena = {0};
    struct r2r_image *image, *part;
    struct r2r_method m;
    struct r2r_name name;

    code_composite(&bytes);
    code_component(&other, true);
    code_component(&shop, false);
    image = r2r_open("all.r2r.dll", bytes.data, bytes.len, NULL);
    part = r2r_open("Shop.dll", shop.data, shop.len, NULL);
    ck_assert_ptr_nonnull(image);
    ck_assert_ptr_nonnull(part);
    ck_assert_str_eq(r2r_owner(part), "all.r2r.dll");
    ck_assert_uint_eq(r2r_components(part), 0);
    ck_assert_ptr_null(r2r_owner(image));
    ck_assert_uint_eq(r2r_components(image), 1);
    ck_assert_str_eq(r2r_component(image, 0), "Shop");
    ck_assert(r2r_find(image, piece(1), &m));
    ck_assert(!r2r_name(image, &m, TYPES_EVENT, &arena, &name));
    ck_assert(
        !r2r_take_component(image, 0, "other", other.data, other.len));
    ck_assert(!r2r_take_component(image, 0, "none", other.data, 100));
    ck_assert(!r2r_name(image, &m, TYPES_EVENT, &arena, &name));
    ck_assert(r2r_take_component(image, 0, "Shop.dll", shop.data, shop.len));
    ck_assert(r2r_name(image, &m, TYPES_EVENT, &arena, &name));
    ck_assert_str_eq(name.space, "Shop.Store");
    ck_assert_str_eq(name.name, "Open");
    ck_assert_str_eq(name.assembly, "Shop");
    ck_assert(r2r_find(image, piece(4), &m));
    ck_assert(r2r_name(image, &m, TYPES_EVENT, &arena, &name));
    ck_assert_str_eq(name.space, "Shop.List`1[System.Int32]");
    ck_assert_str_eq(name.name, "Add");
    ck_assert_str_eq(name.assembly, "Shop");
    r2r_close(image);
    r2r_close(part);
    arena_release(&arena);
    vec_release(&bytes);
    vec_release(&other);
    vec_release(&shop);
}
