#include "tests/support/hostile.h"

#include <stdlib.h>

#include "tests/support/msf_writer.h"

/* PDBs of one module, whose code is at 0x1000. */

enum {
    CODE = 0x10000,
    NAMES = 5, /* streams behind those with fixed numbers */
    MODULE = 6,
    SECTIONS = 7,
    PUBLICS = 8,
    RECORDS = 9,
    OMAP = 10,
    NO_STREAM = 0xFFFF,
    S_GPROC32 = 0x1110,
    S_INLINESITE = 0x114D,
    S_PUB32 = 0x110E,
};

struct pdb_parts {
    struct blob symbols, lines, contributions, publics, records, omap;
};

static void put_record(struct blob *b, uint16_t kind, const struct blob *body)
{
    size_t pad = (4 - (body->len + 4) % 4) % 4;

    blob_pack(b, "HH", (uint16_t)(body->len + pad + 2), kind);
    blob_bytes(b, body->data, body->len);
    blob_zero(b, pad);
}

static void put_proc(struct pdb_parts *p, uint32_t offset, uint32_t size)
{
    struct blob body = {0};

    blob_pack(&body, "12xI12xIHB", size, offset, 1, 0);
    blob_bytes(&body, "f", 2);
    put_record(&p->symbols, S_GPROC32, &body);
    free(body.data);
}

static void put_contribution(struct blob *b, uint32_t offset, uint32_t size)
{
    blob_pack(b, "IIII12x", 1, offset, size, 0x60000020);
}

/* ---- the streams ---- */

static struct blob info_stream(void)
{
    struct blob b = {0};

    blob_pack(&b, "III16xI", 20000404, 1, 1, 7);
    blob_bytes(&b, "/names", 7);
    blob_pack(&b, "IIIIIII", 1, 1, 1, 1, 0, 0, NAMES);
    return b;
}

static void put_module(struct blob *b, const struct pdb_parts *p)
{
    blob_u32(b, 0);
    put_contribution(b, 0, CODE);
    blob_pack(b, "HHIII16x", 0, MODULE, (uint32_t)p->symbols.len, 0,
              (uint32_t)p->lines.len);
    blob_bytes(b, "a.obj\0a", 8);
}

/* Streams of the debug header: the fourth is OMAP, the sixth has sections. */
static void put_debug_header(struct blob *b, bool omap)
{
    for (unsigned i = 0; i < 11; i++)
        blob_u16(b, i == 3 && omap ? OMAP : i == 5 ? SECTIONS : NO_STREAM);
}

static struct blob dbi_stream(const struct pdb_parts *p)
{
    struct blob b = {0}, module = {0}, header = {0};

    put_module(&module, p);
    put_debug_header(&header, p->omap.len > 0);
    blob_pack(&b, "IIIIIIII16xI4xI4x", UINT32_MAX, 19990903, 1, NO_STREAM,
              PUBLICS, RECORDS, (uint32_t)module.len,
              (uint32_t)p->contributions.len, (uint32_t)header.len, 0x86640000);
    blob_bytes(&b, module.data, module.len);
    blob_bytes(&b, p->contributions.data, p->contributions.len);
    blob_bytes(&b, header.data, header.len);
    free(module.data);
    free(header.data);
    return b;
}

static struct blob names_stream(void)
{
    struct blob b = {0};

    blob_pack(&b, "III", 0xEFFEEFFE, 1, 7);
    blob_bytes(&b, "\0a.cpp", 7);
    return b;
}

static struct blob section_stream(void)
{
    struct blob b = {0};

    blob_pack(&b, "8xII20xI", CODE, 0x1000, 0x60000020);
    return b;
}

static void add(struct msf_copy *copy, struct blob *b)
{
    (void)msf_copy_add(copy, b->data, b->len);
    free(b->data);
    *b = (struct blob){0};
}

static void put_pdb(struct blob *b, struct pdb_parts *p)
{
    struct blob none = {0}, info = info_stream(), names = names_stream();
    struct blob sections = section_stream(), dbi;
    struct msf_copy copy = {.count = 0};
    uint8_t *file;
    size_t size;

    dbi = dbi_stream(p);
    blob_bytes(&p->symbols, p->lines.data, p->lines.len);
    free(p->lines.data);
    free(p->contributions.data);
    add(&copy, &none);
    add(&copy, &info);
    add(&copy, &none);
    add(&copy, &dbi);
    add(&copy, &none);
    add(&copy, &names);
    add(&copy, &p->symbols);
    add(&copy, &sections);
    add(&copy, &p->publics);
    add(&copy, &p->records);
    add(&copy, &p->omap);
    file = msf_write(&copy, 512, 0, &size);
    blob_bytes(b, file, size);
    free(file);
    msf_copy_release(&copy);
}

static struct pdb_parts begin(void)
{
    struct pdb_parts p = {.symbols = {0}};

    blob_u32(&p.symbols, 4);
    blob_u32(&p.contributions, 0xEFFE0000 + 19970605);
    put_contribution(&p.contributions, 0, CODE);
    return p;
}

/* ---- the kinds ---- */

/* Procedures that all overlap. */
static void procs(struct blob *b, size_t size)
{
    struct pdb_parts p = begin();

    for (uint32_t i = 0; p.symbols.len < size; i++)
        put_proc(&p, i % (CODE / 2), CODE - 2 * (i % (CODE / 2)));
    put_pdb(b, &p);
}

/* Inlined calls within each other, each with rows all over the procedure. */
static void sites(struct blob *b, size_t size)
{
    struct pdb_parts p = begin();

    put_proc(&p, 0, CODE);
    while (p.symbols.len < size) {
        struct blob body = {0};

        blob_zero(&body, 12);
        for (unsigned i = 0; i < 64; i++)
            blob_bytes(&body, (uint8_t[]){11, 0x2F}, 2);
        put_record(&p.symbols, S_INLINESITE, &body);
        free(body.data);
    }
    put_pdb(b, &p);
}

/* Lines of which all parts begin with the procedure. */
static void line_parts(struct blob *b, size_t size)
{
    struct pdb_parts p = begin();

    put_proc(&p, 0, CODE);
    while (p.lines.len < size) {
        blob_pack(&p.lines, "IIIIIIII", 0xF2, 12 + 12 + 8 * 4, 0, 1, CODE, 0,
                  4, 12 + 8 * 4);
        for (uint32_t i = 0; i < 4; i++) {
            blob_pack(&p.lines, "II", CODE / 4 * i, i + 1);
        }
    }
    put_pdb(b, &p);
}

/* Public names that are all the one long record, at one address. */
static void publics(struct blob *b, size_t size)
{
    struct pdb_parts p = begin();
    struct blob body = {0};
    uint32_t n = (uint32_t)size / 4;

    blob_pack(&body, "IIH", 2, 0, 1);
    while (body.len < 60000)
        blob_u8(&body, 'n');
    blob_u8(&body, 0);
    put_record(&p.records, S_PUB32, &body);
    free(body.data);
    blob_pack(&p.publics, "II", 0, 4 * n);
    blob_zero(&p.publics, 20 + (size_t)4 * n);
    put_pdb(b, &p);
}

/* An image that was rearranged: pairs that lead back and forth, unsorted. */
static void omap(struct blob *b, size_t size)
{
    struct pdb_parts p = begin();

    put_proc(&p, 0, CODE);
    for (uint32_t i = 0; p.omap.len < size; i++) {
        blob_u32(&p.omap, i % 3 ? 0x1000 + i % CODE : UINT32_MAX - i);
        blob_u32(&p.omap, i % 2 ? UINT32_MAX - i : 0x1000 + i % CODE);
    }
    put_pdb(b, &p);
}

const struct hostile_kind hostile_pdb[] = {
    {"procs.pdb", procs},
    {"sites.pdb", sites},
    {"line-parts.pdb", line_parts},
    {"publics.pdb", publics},
    {"omap.pdb", omap},
    {NULL, NULL},
};
