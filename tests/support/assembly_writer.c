#include "tests/support/assembly_writer.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    PE_AT = 0x80,
    HEADERS = 0x200,
    SECTION_RVA = 0x1000,
    PROLOGUE = 24 + 240, /* PE signature to the end of the directories */
    BLOCK = 16,
};

/* Parts of the section, each behind the other. */
struct image {
    const struct assembly *a;
    byte_vec section;
    uint32_t clr, core, metadata, metadata_size, debug, debug_size;
    uint32_t functions, methods, instances, cold;
    uint32_t functions_size, methods_size, instances_size;
    uint32_t components, builds, owner, component_core, owner_size;
};

static uint32_t here(struct image *i)
{
    while (i->section.len % 16)
        put_number(&i->section, 0, 1);
    return SECTION_RVA + (uint32_t)i->section.len;
}

static uint32_t add_part(struct image *i, byte_vec *part, uint32_t *size)
{
    uint32_t rva = here(i);

    put_bytes(&i->section, part->data, part->len);
    *size = (uint32_t)part->len;
    vec_release(part);
    return rva;
}

/* ---- metadata ---- */

static uint32_t add_string(byte_vec *heap, const char *text)
{
    uint32_t at = (uint32_t)heap->len;

    put_bytes(heap, text, strlen(text) + 1);
    return at;
}

static uint32_t add_blob(byte_vec *heap, const uint8_t *bytes, size_t n)
{
    uint32_t at = (uint32_t)heap->len;

    put_number(heap, n, 1);
    put_bytes(heap, bytes, n);
    return at;
}

/* A manifest has neither types nor methods. */
static size_t type_count(const struct assembly *a)
{
    return a->composite ? 0 : a->type_count;
}

static size_t method_count(const struct assembly *a)
{
    return a->composite ? 0 : a->method_count;
}

static void put_types(byte_vec *to, byte_vec *strings, const struct assembly *a)
{
    uint32_t method = 1;

    for (size_t i = 0; i < type_count(a); i++) {
        put_number(to, 0, 4);
        put_number(to, add_string(strings, a->types[i].name), 2);
        put_number(to, add_string(strings, a->types[i].space), 2);
        blob_pack(to, "HHH", 0, 1, method);
        method += a->types[i].methods;
    }
}

static void put_methods(byte_vec *to, byte_vec *strings, byte_vec *blobs,
                        const struct assembly *a)
{
    for (size_t i = 0; i < method_count(a); i++) {
        const struct assembly_method *m = &a->methods[i];

        put_number(to, 0, 8);
        put_number(to, add_string(strings, m->name), 2);
        put_number(to, add_blob(blobs, m->signature, m->signature_size), 2);
        put_number(to, 1, 2);
    }
}

static void put_type_refs(byte_vec *to, byte_vec *strings,
                          const struct assembly *a)
{
    for (size_t i = 0; i < a->reference_count; i++) {
        put_number(to, (i + 1) << 2 | 2, 2);
        put_number(to, add_string(strings, a->references[i].type), 2);
        put_number(to, add_string(strings, a->references[i].space), 2);
    }
}

static void put_member_refs(byte_vec *to, byte_vec *strings, byte_vec *blobs,
                            const struct assembly *a)
{
    for (size_t i = 0; i < a->reference_count; i++) {
        const struct assembly_reference *r = &a->references[i];

        put_number(to, (i + 1) << 3 | 1, 2);
        put_number(to, add_string(strings, r->member), 2);
        put_number(to, add_blob(blobs, r->signature, r->signature_size), 2);
    }
}

static void put_assembly_refs(byte_vec *to, byte_vec *strings,
                              const struct assembly *a)
{
    for (size_t i = 0; i < a->reference_count; i++) {
        blob_pack(to, "Q6x", 0);
        put_number(to, add_string(strings, a->references[i].assembly), 2);
        put_number(to, 0, 4);
    }
}

static size_t count_nested(const struct assembly *a)
{
    size_t n = 0;

    for (size_t i = 0; i < type_count(a); i++)
        n += a->types[i].enclosing > 0;
    return n;
}

static byte_vec tables_of(const struct assembly *a, byte_vec *strings,
                          byte_vec *blobs)
{
    byte_vec to = {0};

    blob_pack(&to, "IIQQIIIIII", 0, 2,
              1u << 1 | 1u << 2 | 1u << 6 | 1u << 0x0A |
                  (uint64_t)1 << 0x23 | (uint64_t)1 << 0x29,
              0, a->reference_count, type_count(a), method_count(a),
              a->reference_count, a->reference_count, count_nested(a));
    put_type_refs(&to, strings, a);
    put_types(&to, strings, a);
    put_methods(&to, strings, blobs, a);
    put_member_refs(&to, strings, blobs, a);
    put_assembly_refs(&to, strings, a);
    for (size_t i = 0; i < type_count(a); i++)
        if (a->types[i].enclosing) {
            blob_pack(&to, "HH", i + 1, a->types[i].enclosing);
        }
    while (to.len % 4)
        put_number(&to, 0, 1);
    return to;
}

static byte_vec metadata_of(const struct assembly *a)
{
    static const char *const names[] = {"#~", "#Strings", "#Blob", "#GUID"};
    byte_vec streams[4] = {{0}}, to = {0};
    unsigned count = a->build ? 4 : 3;
    size_t at = 20 + 4 + 12 + 20 + 16 + (a->build ? 16 : 0);

    put_number(&streams[1], 0, 1);
    put_number(&streams[2], 0, 1);
    streams[0] = tables_of(a, &streams[1], &streams[2]);
    if (a->build)
        put_bytes(&streams[3], a->build, 16);
    put_bytes(&to, "BSJB\1\0\1\0\0\0\0\0\4\0\0\0v4\0\0\0\0", 22);
    put_number(&to, count, 2);
    for (unsigned i = 0; i < count; i++) {
        blob_pack(&to, "II", at, streams[i].len);
        put_bytes(&to, names[i], strlen(names[i]) + 1);
        while (to.len % 4)
            put_number(&to, 0, 1);
        at += streams[i].len;
    }
    for (unsigned i = 0; i < count; i++) {
        put_bytes(&to, streams[i].data, streams[i].len);
        vec_release(&streams[i]);
    }
    return to;
}

/* ---- entry points ---- */

/* Numbers are all of two bytes. */
static void put_native(byte_vec *to, uint32_t value)
{
    put_number(to, value << 2 | 1, 2);
}

/* The first piece of a method; of all that come before it. */
static uint32_t first_piece(const struct assembly *a, size_t method)
{
    uint32_t piece = 0;

    for (size_t i = 0; i < method && i < a->method_count; i++)
        piece += a->methods[i].pieces;
    return piece;
}

/* The tree of elements [first, first + n); nothing when all are missing. */
static byte_vec tree_of(const struct assembly *a, size_t first, size_t n)
{
    byte_vec to = {0}, low, high;

    if (n == 1) {
        if (first < a->method_count && a->methods[first].pieces)
            put_native(&to, first_piece(a, first) << 1);
        return to;
    }
    low = tree_of(a, first, n / 2);
    high = tree_of(a, first + n / 2, n / 2);
    if (low.len && high.len)
        put_native(&to, (uint32_t)(low.len + 2) << 2 | 3);
    else if (low.len)
        put_native(&to, 1);
    else if (high.len)
        put_native(&to, 2 << 2 | 2);
    put_bytes(&to, low.data, low.len);
    put_bytes(&to, high.data, high.len);
    vec_release(&low);
    vec_release(&high);
    return to;
}

static byte_vec methods_of(const struct assembly *a)
{
    size_t blocks = (a->method_count + BLOCK - 1) / BLOCK;
    byte_vec to = {0}, trees = {0};

    put_native(&to, (uint32_t)a->method_count << 2 | 1);
    for (size_t i = 0; i < blocks; i++) {
        byte_vec tree = tree_of(a, i * BLOCK, BLOCK);

        put_number(&to, blocks * 2 + trees.len, 2);
        if (!tree.len)
            put_native(&tree, BLOCK << 2); /* a leaf that is none of them */
        put_bytes(&trees, tree.data, tree.len);
        vec_release(&tree);
    }
    put_bytes(&to, trees.data, trees.len);
    vec_release(&trees);
    return to;
}

/* One bucket; the data are behind the entries. */
static byte_vec instances_of(const struct assembly *a)
{
    uint32_t piece = first_piece(a, a->method_count);
    byte_vec to = {0}, data = {0};
    size_t entries = 3 * a->instance_count;

    blob_pack(&to, "BHH", 1, 4, 4 + entries);
    for (size_t i = 0; i < a->instance_count; i++) {
        put_number(&to, 0, 1);
        put_native(&to, (uint32_t)(5 + entries + data.len - (6 + 3 * i)));
        put_bytes(&data, a->instances[i].signature, a->instances[i].size);
        put_native(&data, piece++ << 1);
    }
    put_bytes(&to, data.data, data.len);
    vec_release(&data);
    return to;
}

/* ---- code ---- */

static uint32_t count_hot(const struct assembly *a)
{
    return first_piece(a, a->method_count) + (uint32_t)a->instance_count;
}

static uint32_t count_pieces(const struct assembly *a)
{
    return count_hot(a) + (uint32_t)a->cold_count;
}

static byte_vec functions_of(const struct assembly *a)
{
    byte_vec to = {0};

    for (uint32_t i = 0; i < count_pieces(a); i++) {
        blob_pack(&to, "III", ASSEMBLY_CODE + i * ASSEMBLY_STRIDE,
                  ASSEMBLY_CODE + i * ASSEMBLY_STRIDE + ASSEMBLY_PIECE, 0);
    }
    return to;
}

static void put_code(byte_vec *to)
{
    static const uint8_t call[] = {0xE8, 0, 0, 0, 0}, indirect[] = {0xFF, 0xD0};
    uint8_t piece[ASSEMBLY_STRIDE];

    memset(piece, 0x90, sizeof(piece));
    memset(piece + ASSEMBLY_PIECE, 0xCC, sizeof(piece) - ASSEMBLY_PIECE);
    memcpy(piece + ASSEMBLY_CALL - sizeof(call), call, sizeof(call));
    memcpy(piece + ASSEMBLY_SECOND_CALL - sizeof(indirect), indirect,
           sizeof(indirect));
    put_bytes(to, piece, sizeof(piece));
}

/* ---- debug directory ---- */

static byte_vec packed(const byte_vec *pdb)
{
    byte_vec to = {0};
    uint8_t room[4096];
    z_stream z = {.next_in = pdb->data,
                  .avail_in = (uInt)pdb->len,
                  .next_out = room,
                  .avail_out = sizeof(room)};

    if (deflateInit2(&z, 9, Z_DEFLATED, -15, 8, 0) != Z_OK)
        abort();
    if (deflate(&z, Z_FINISH) != Z_STREAM_END)
        abort();
    put_bytes(&to, "MPDB", 4);
    put_number(&to, pdb->len, 4);
    put_bytes(&to, room, z.total_out);
    deflateEnd(&z);
    return to;
}

static void put_debug_entry(byte_vec *to, uint32_t minor, uint32_t type,
                            uint32_t rva, uint32_t size)
{
    blob_pack(to, "IIHHIIII", 0, 0x5EED, 0, minor, type, size, rva,
              rva - SECTION_RVA + HEADERS);
}

static void add_debug(struct image *i)
{
    byte_vec rsds = {0}, embedded, directory = {0};
    uint32_t rva, size;

    if (!i->a->guid)
        return;
    put_bytes(&rsds, "RSDS", 4);
    put_bytes(&rsds, i->a->guid, 16);
    put_number(&rsds, 1, 4);
    put_bytes(&rsds, i->a->pdb, strlen(i->a->pdb) + 1);
    rva = add_part(i, &rsds, &size);
    put_debug_entry(&directory, 0x504D, 2, rva, size);
    if (i->a->embedded) {
        embedded = packed(i->a->embedded);
        rva = add_part(i, &embedded, &size);
        put_debug_entry(&directory, 0, 17, rva, size);
    }
    i->debug = add_part(i, &directory, &i->debug_size);
}

/* ---- the image ---- */

static void put_section(byte_vec *to, uint32_t type, uint32_t rva,
                        uint32_t size)
{
    blob_pack(to, "III", type, rva, size);
}

static byte_vec core_header(const struct image *i)
{
    byte_vec to = {0};

    put_bytes(&to, "RTR\0", 4);
    blob_pack(&to, "II", 16, 0);
    if (i->a->owner) {
        put_number(&to, 1, 4);
        put_section(&to, 116, i->owner, i->owner_size);
        return to;
    }
    put_number(&to, i->a->composite ? 5 : 3 + (i->a->cold != NULL), 4);
    put_section(&to, 102, i->functions, i->functions_size);
    if (!i->a->composite)
        put_section(&to, 103, i->methods, i->methods_size);
    put_section(&to, 109, i->instances, i->instances_size);
    if (i->a->composite) {
        put_section(&to, 112, i->metadata, i->metadata_size);
        put_section(&to, 115, i->components, 16);
        put_section(&to, 118, i->builds, 16);
        return to;
    }
    if (i->a->cold)
        put_section(&to, 120, i->cold, (uint32_t)i->a->cold_count * 8);
    return to;
}

static byte_vec clr_header(const struct image *i, uint32_t core_size)
{
    byte_vec to = {0};

    blob_pack(&to, "QII", 72, i->metadata, i->metadata_size);
    while (to.len < 64)
        put_number(&to, 0, 1);
    blob_pack(&to, "II", i->core, core_size);
    return to;
}

static byte_vec cold_of(const struct assembly *a)
{
    byte_vec to = {0};

    for (size_t i = 0; i < a->cold_count; i++) {
        blob_pack(&to, "II", count_hot(a) + i, a->cold[i]);
    }
    return to;
}

/* What a component has of its own in a composite image. */
static void add_component(struct image *i)
{
    byte_vec core = {0}, list = {0}, builds = {0};
    uint32_t size;

    blob_pack(&core, "II", 0, 1);
    put_section(&core, 103, i->methods, i->methods_size);
    i->component_core = add_part(i, &core, &size);
    put_number(&list, 0, 8); /* its metadata are elsewhere */
    blob_pack(&list, "II", i->component_core, size);
    i->components = add_part(i, &list, &size);
    put_bytes(&builds, i->a->build, 16);
    i->builds = add_part(i, &builds, &size);
}

static void add_owner(struct image *i)
{
    byte_vec owner = {0};

    put_bytes(&owner, i->a->owner, strlen(i->a->owner) + 1);
    i->owner = add_part(i, &owner, &i->owner_size);
}

static void build(struct image *i)
{
    byte_vec functions = functions_of(i->a), methods = methods_of(i->a);
    byte_vec instances = instances_of(i->a), metadata = metadata_of(i->a);
    byte_vec cold = cold_of(i->a), core, clr;
    uint32_t size;

    i->functions = add_part(i, &functions, &i->functions_size);
    i->methods = add_part(i, &methods, &i->methods_size);
    i->instances = add_part(i, &instances, &i->instances_size);
    i->cold = add_part(i, &cold, &size);
    i->metadata = add_part(i, &metadata, &i->metadata_size);
    add_debug(i);
    if (i->a->composite)
        add_component(i);
    if (i->a->owner)
        add_owner(i);
    core = core_header(i);
    i->core = add_part(i, &core, &size);
    clr = clr_header(i, size);
    i->clr = add_part(i, &clr, &size);
    while (i->section.len < ASSEMBLY_CODE - SECTION_RVA)
        put_number(&i->section, 0, 1);
    for (uint32_t n = count_pieces(i->a); n--;)
        put_code(&i->section);
}

static void put_directory(byte_vec *pe, unsigned number, uint32_t rva,
                          uint32_t size)
{
    for (unsigned b = 0; b < 4; b++) {
        pe->data[24 + 112 + number * 8 + b] = (uint8_t)(rva >> 8 * b);
        pe->data[24 + 116 + number * 8 + b] = (uint8_t)(size >> 8 * b);
    }
}

static byte_vec pe_header(const struct image *i)
{
    uint32_t size = (uint32_t)i->section.len;
    byte_vec pe = {0};

    put_bytes(&pe, "PE\0\0", 4);
    blob_pack(&pe, "HHIQHHH", 0xFD1D, 1, 0x5EED1234, 0, 240, 0x2022, 0x20B);
    while (pe.len < 24 + 24)
        put_number(&pe, 0, 1);
    put_number(&pe, 0x180000000, 8);
    while (pe.len < 24 + 56)
        put_number(&pe, 0, 1);
    blob_pack(&pe, "II", SECTION_RVA + size, HEADERS);
    while (pe.len < 24 + 108)
        put_number(&pe, 0, 1);
    put_number(&pe, 16, 4);
    while (pe.len < PROLOGUE)
        put_number(&pe, 0, 1);
    put_directory(&pe, 6, i->debug, i->debug_size);
    put_directory(&pe, 14, i->clr, 72);
    put_bytes(&pe, ".text\0\0\0", 8);
    blob_pack(&pe, "IIIIQII", size, SECTION_RVA, size, HEADERS, 0, 0,
              0x60000020);
    return pe;
}

void assembly_write(byte_vec *to, const struct assembly *assembly)
{
    struct image i = {.a = assembly};
    byte_vec pe;

    build(&i);
    pe = pe_header(&i);
    put_bytes(to, "MZ", 2);
    while (to->len < 60)
        put_number(to, 0, 1);
    put_number(to, PE_AT, 4);
    while (to->len < PE_AT)
        put_number(to, 0, 1);
    put_bytes(to, pe.data, pe.len);
    while (to->len < HEADERS)
        put_number(to, 0, 1);
    put_bytes(to, i.section.data, i.section.len);
    vec_release(&pe);
    vec_release(&i.section);
}
