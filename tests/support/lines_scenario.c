#include "tests/support/lines_scenario.h"

#include <string.h>

#include "tests/support/nettrace_writer.h"

/* ---- portable PDBs ---- */

struct pdb_point {
    uint32_t il;
    uint32_t line; /* 0: hidden */
};

struct pdb_method {
    uint32_t document; /* from 1; 0: no source */
    const struct pdb_point *points;
    size_t count;
};

enum { VERSION_SIZE = 12, STREAMS_AT = 76 };

/* Unsigned numbers of metadata, up to 14 bits. */
static void put_compressed(byte_vec *to, uint32_t value)
{
    if (value < 0x80) {
        put_number(to, value, 1);
        return;
    }
    blob_pack(to, "BB", 0x80 | value >> 8, value & 0xFF);
}

/* The value rotated left by one, in 7 or 14 bits. */
static void put_signed(byte_vec *to, int32_t value)
{
    bool small = value >= -64 && value < 64;
    uint32_t mask = small ? 0x3F : 0x1FFF;
    uint32_t raw = ((uint32_t)value & mask) << 1 | (value < 0);

    if (small) {
        put_number(to, raw, 1);
        return;
    }
    blob_pack(to, "BB", 0x80 | raw >> 8, raw & 0xFF);
}

/* Its index in the heap. */
static uint32_t put_blob(byte_vec *heap, const byte_vec *blob)
{
    uint32_t at = (uint32_t)heap->len;

    put_compressed(heap, (uint32_t)blob->len);
    put_bytes(heap, blob->data, blob->len);
    return at;
}

/* A name without separator has one part. */
static uint32_t put_name(byte_vec *heap, const char *path)
{
    byte_vec part = {0}, name = {0};
    uint32_t at;

    put_bytes(&part, path, strlen(path));
    put_number(&name, 0, 1);
    put_compressed(&name, put_blob(heap, &part));
    at = put_blob(heap, &name);
    vec_release(&part);
    vec_release(&name);
    return at;
}

/* Visible points are one column wide and in column 1. */
static uint32_t put_points(byte_vec *heap, const struct pdb_method *m)
{
    byte_vec blob = {0};
    uint32_t il = 0, line = 0, at;

    put_compressed(&blob, 0);
    for (size_t i = 0; i < m->count; i++) {
        const struct pdb_point *p = &m->points[i];

        put_compressed(&blob, p->il - il);
        put_compressed(&blob, 0);
        put_compressed(&blob, p->line ? 1 : 0);
        il = p->il;
        if (!p->line)
            continue;
        if (line)
            put_signed(&blob, (int32_t)p->line - (int32_t)line);
        else
            put_compressed(&blob, p->line);
        put_compressed(&blob, line ? 0 : 1);
        line = p->line;
    }
    at = put_blob(heap, &blob);
    vec_release(&blob);
    return at;
}

static size_t length(const char *const *list)
{
    size_t n = 0;

    while (list[n])
        n++;
    return n;
}

static void put_tables(byte_vec *to, byte_vec *heap,
                       const char *const *documents,
                       const struct pdb_method *methods, size_t count)
{
    blob_pack(to, "IBHBQQII", 0, 2, 0, 1, (uint64_t)3 << 0x30, 0,
              length(documents), count);
    for (; *documents; documents++) {
        blob_pack(to, "H6x", put_name(heap, *documents));
    }
    for (size_t i = 0; i < count; i++) {
        blob_pack(to, "HH", methods[i].document,
                  methods[i].document ? put_points(heap, &methods[i]) : 0);
    }
    while (to->len % 4)
        put_number(to, 0, 1);
}

/* With its name, a multiple of 4 with the NUL. */
static void put_stream(byte_vec *to, const byte_vec *stream, size_t *at,
                       const char *name)
{
    blob_pack(to, "II", *at, stream->len);
    put_bytes(to, name, strlen(name) + 1);
    while (to->len % 4)
        put_number(to, 0, 1);
    *at += stream->len;
}

/* A portable PDB: method n of the list has the token 0x06000001 + n, `documents`
 * ends with NULL. Less than 64 KiB of everything. */
static void portable_write(byte_vec *to, const uint8_t guid[16], uint32_t stamp,
                    const char *const *documents,
                    const struct pdb_method *methods, size_t count)
{
    byte_vec id = {0}, tables = {0}, heap = {0};
    size_t at = STREAMS_AT;

    put_bytes(&id, guid, 16);
    blob_pack(&id, "I12x", stamp);
    put_number(&heap, 0, 1);
    put_tables(&tables, &heap, documents, methods, count);
    put_bytes(to, "BSJB\1\0\1\0\0\0\0\0", 12);
    put_number(to, VERSION_SIZE, 4);
    put_bytes(to, "PDB v1.0\0\0\0\0", VERSION_SIZE);
    blob_pack(to, "HH", 0, 3);
    put_stream(to, &id, &at, "#Pdb");
    put_stream(to, &tables, &at, "#~");
    put_stream(to, &heap, &at, "#Blob");
    put_bytes(to, id.data, id.len);
    put_bytes(to, tables.data, tables.len);
    put_bytes(to, heap.data, heap.len);
    vec_release(&id);
    vec_release(&tables);
    vec_release(&heap);
}

/* ---- the recording ---- */

enum {
    KIND_SAMPLE = 1,
    KIND_LOAD,     /* runtime, first bodies */
    KIND_LOAD_MAP, /* runtime, without a version */
    KIND_FIRST,    /* rundown, first bodies */
    KIND_LATER,    /* rundown, later bodies */
    KIND_MAP,      /* rundown, with a version */
    KIND_MODULE,
    KIND_END,
    WRITER = 10,
    THREAD = 11,
    MS = 1000000,
    MODULE = 7,
};

static const uint8_t guid[16] = {0x0D, 0xDE, 0x25, 1, 2,  3,  4,  5,
                                 6,    7,    8,    9, 10, 11, 12, 13};

/* ---- the PDB ---- */

static const char *const documents[] = {"/srv/shop/Cart.cs",
                                        "/srv/shop/Sums.cs", NULL};
static const struct pdb_point add[] = {{0, 10}, {6, 11}, {14, 0}, {20, 13}};
static const struct pdb_point price[] = {{0, 30}, {5, 30}};
static const struct pdb_point total[] = {{0, 40}, {8, 42}};
static const struct pdb_method methods[] = {
    {1, add, 4}, {1, price, 2}, {0, NULL, 0}, {2, total, 2}};

const uint8_t *lines_guid(void)
{
    return guid;
}

void lines_pdb(byte_vec *to, uint32_t stamp)
{
    portable_write(to, guid, stamp, documents, methods, 4);
}

void lines_other_pdb(byte_vec *to)
{
    uint8_t other[16];

    memcpy(other, guid, sizeof(other));
    other[15]++;
    portable_write(to, other, 1, documents, methods, 4);
}

/* ---- the recording ---- */

struct body {
    uint64_t id, start, rejit;
    uint32_t token;
    const char *space, *name;
};

static const struct body add_first = {1,          0x1000,      0,
                                      0x06000001, "Shop.Cart", "Add"};
static const struct body add_later = {1,          0x5000,      2,
                                      0x06000001, "Shop.Cart", "Add"};
static const struct body price_body = {2,          0x2000,      0,
                                       0x06000002, "Shop.Cart", "Price"};
static const struct body show_body = {3,          0x3000,      0,
                                      0x06000003, "Shop.Cart", "Show"};
static const struct body total_first = {4,          0x4000,      0,
                                        0x06000004, "Shop.Sums", "Total"};
static const struct body total_later = {4,          0x6000,      0,
                                        0x06000004, "Shop.Sums", "Total"};

struct mapped {
    int32_t il;
    uint32_t native;
};

/* As the runtime writes them: not in order of the code. */
static const struct mapped add_map[] = {{-2, 0},    {0, 0x10},  {6, 0x40},
                                        {14, 0x60}, {20, 0x70}, {-3, 0x90},
                                        {-1, 0xA0}};
static const struct mapped later_map[] = {
    {-2, 0}, {0, 8}, {20, 0x20}, {-3, 0x30}};
static const struct mapped total_map[] = {{-2, 0}, {0, 4}, {8, 0x20}};
static const struct mapped total_map_later[] = {{8, 0}, {0, 0x40}};

static void define(struct nettrace_writer *w)
{
    static const char runtime[] = "Microsoft-Windows-DotNETRuntime";
    static const char rundown[] = "Microsoft-Windows-DotNETRuntimeRundown";

    nettrace_kind(w, KIND_SAMPLE, "Microsoft-DotNETCore-SampleProfiler", 0, "",
                  0);
    nettrace_kind(w, KIND_LOAD, runtime, 143, "", 1);
    nettrace_kind(w, KIND_LOAD_MAP, runtime, 190, "", 0);
    nettrace_kind(w, KIND_FIRST, rundown, 144, "", 1);
    nettrace_kind(w, KIND_LATER, rundown, 144, "", 2);
    nettrace_kind(w, KIND_MAP, rundown, 150, "", 1);
    nettrace_kind(w, KIND_MODULE, rundown, 154, "", 2);
    nettrace_kind(w, KIND_END, rundown, 146, "", 0);
}

static void put_event(struct nettrace_writer *w, uint32_t kind,
                      byte_vec *payload)
{
    struct nettrace_event e = w->last;

    e.kind = kind;
    e.thread = WRITER;
    e.capture_thread = WRITER;
    e.stack = 0;
    e.payload = payload->data;
    e.size = payload->len;
    e.time += MS;
    e.sequence++;
    nettrace_event(w, &e);
    vec_release(payload);
}

static void put_body(struct nettrace_writer *w, uint32_t kind,
                     const struct body *b)
{
    byte_vec p = {0};

    blob_pack(&p, "QQQII", b->id, MODULE, b->start, 0x100, b->token);
    put_number(&p, 8, 4); /* jitted */
    put_utf16(&p, b->space);
    put_utf16(&p, b->name);
    put_utf16(&p, "void  ()");
    put_number(&p, 0, 2);
    if (kind == KIND_LATER)
        put_number(&p, b->rejit, 8);
    put_event(w, kind, &p);
}

static void put_map(struct nettrace_writer *w, uint32_t kind,
                    const struct body *b, const struct mapped *map, size_t n)
{
    byte_vec p = {0};

    blob_pack(&p, "QQBH", b->id, b->rejit, 0, n);
    for (size_t i = 0; i < n; i++)
        put_number(&p, (uint32_t)map[i].il, 4);
    for (size_t i = 0; i < n; i++)
        put_number(&p, map[i].native, 4);
    put_number(&p, 0, 2);
    if (kind == KIND_MAP)
        put_number(&p, 0, 8);
    put_event(w, kind, &p);
}

static void put_assembly(struct nettrace_writer *w)
{
    byte_vec p = {0};

    put_module(&p, MODULE, "/srv/shop/bin/Orders.dll");
    put_bytes(&p, guid, sizeof(guid));
    put_number(&p, 1, 4);
    put_utf16(&p, "/srv/shop/obj/Orders.pdb");
    put_number(&p, 0, 20);
    put_utf16(&p, "");
    put_event(w, KIND_MODULE, &p);
}

/* Leaf first, and what `topfn top --by line` must say of the leaf. */
static const uint64_t stacks[][2] = {
    {0x1041, 0x2010}, /* Cart.cs:11 */
    {0x1040, 0x2010}, /* :10, a call at the end of that line's code */
    {0x1065, 0x2010}, /* :11, as IL 14 is hidden */
    {0x1095, 0x2010}, /* none: epilog */
    {0x10A8, 0x2010}, /* none: no mapping */
    {0x1005, 0x2010}, /* :10, the prolog */
    {0x5021, 0x2010}, /* :13 */
    {0x5009, 0x2010}, /* :10 */
    {0x3010, 0x2010}, /* none: no source; all callers are at :30 */
    {0x4021, 0x2010}, /* Sums.cs:42 */
    {0x6021, 0x2010}, /* :42, the other way round in the later body */
    {0x6041, 0x2010}, /* :40 */
};

enum { STACKS = sizeof(stacks) / sizeof(stacks[0]) };

static void put_samples(struct nettrace_writer *w)
{
    static const uint8_t managed[4] = {2};

    for (uint32_t i = 0; i < STACKS; i++)
        nettrace_stack(w, i + 1, stacks[i], 2);
    /* The first stack once, the second twice, ... */
    for (uint32_t i = 0, k = 0; i < STACKS; k < i ? k++ : (i++, k = 0))
        nettrace_event(w, &(struct nettrace_event){
                              .kind = KIND_SAMPLE,
                              .thread = THREAD,
                              .capture_thread = WRITER,
                              .sequence = w->last.sequence + 1,
                              .stack = i + 1,
                              .time = w->last.time + MS,
                              .payload = managed,
                              .size = sizeof(managed),
                          });
}

#define MAP(map) map, sizeof(map) / sizeof(map[0])

struct nettrace_writer *lines_recording(void)
{
    struct nettrace_writer *w = nettrace_writer_new(4, true);
    byte_vec end = {0};

    define(w);
    put_body(w, KIND_LOAD, &total_first);
    put_map(w, KIND_LOAD_MAP, &total_first, MAP(total_map));
    put_body(w, KIND_LOAD, &total_later);
    put_map(w, KIND_LOAD_MAP, &total_later, MAP(total_map_later));
    put_samples(w);
    put_map(w, KIND_MAP, &add_first, MAP(add_map));
    put_body(w, KIND_FIRST, &add_first);
    put_map(w, KIND_MAP, &add_later, MAP(later_map));
    put_body(w, KIND_LATER, &add_later);
    put_body(w, KIND_FIRST, &price_body);
    put_body(w, KIND_FIRST, &show_body);
    put_assembly(w);
    put_number(&end, 0, 2);
    put_event(w, KIND_END, &end);
    nettrace_end(w);
    return w;
}
