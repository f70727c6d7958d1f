#include "tests/support/code_scenario.h"

#include "tests/support/lines_scenario.h"

/* ---- the assembly ---- */

static const uint8_t guid[16] = {0x5A, 0x0B, 1, 2,  3,  4,  5,  6,
                                 7,    8,    9, 10, 11, 12, 13, 14};

/* Types by row: <Module>, Store, Key, List. Tokens of types are row << 2. */
static const struct assembly_type types[] = {
    {"", "<Module>", 0, 0},
    {"Shop", "Store", 0, 3},
    {"", "Key", 2, 1},
    {"Shop", "List`1", 0, 2},
};

static const uint8_t open_it[] = {0x20, 0, 0x01};
static const uint8_t find_it[] = {0x20, 3, 0x02, 0x08, 0x0E, 0x11, 3 << 2};
static const uint8_t close_it[] = {0x00, 0, 0x01};
static const uint8_t get_hash[] = {0x20, 0, 0x09};
static const uint8_t add_it[] = {0x20, 1, 0x01, 0x13, 0};
static const uint8_t sort_it[] = {0x30, 1, 1, 0x01, 0x1D, 0x1E, 0};

#define SIGNATURE(s) s, sizeof(s)

static const struct assembly_method methods[] = {
    {"Open", SIGNATURE(open_it), 2},   {"Find", SIGNATURE(find_it), 1},
    {"Close", SIGNATURE(close_it), 0}, {"get_Hash", SIGNATURE(get_hash), 1},
    {"Add", SIGNATURE(add_it), 0},     {"Sort", SIGNATURE(sort_it), 0},
};

static const uint8_t add_int[] = {0x40, 0x15, 0x12, 4 << 2, 1, 0x08, 5};
static const uint8_t add_keys[] = {0x40, 0x15, 0x12,   4 << 2, 1,
                                   0x1D, 0x11, 3 << 2, 5};
static const uint8_t sort_any[] = {0x44, 0x15, 0x12, 4 << 2, 1,
                                   0x3E, 6,    1,    0x3E};

static const struct assembly_instance instances[] = {
    {SIGNATURE(add_int)}, {SIGNATURE(add_keys)}, {SIGNATURE(sort_any)}};

static const uint32_t cold[] = {2};

#define LENGTH(list) (sizeof(list) / sizeof(*(list)))

void code_assembly(byte_vec *to, bool embedded)
{
    byte_vec pdb = {0};
    struct assembly a = {
        .guid = embedded ? lines_guid() : guid,
        .pdb = embedded ? "Orders.pdb" : "Shop.pdb",
        .embedded = embedded ? &pdb : NULL,
        .types = types,
        .type_count = LENGTH(types),
        .methods = methods,
        .method_count = LENGTH(methods),
        .instances = instances,
        .instance_count = LENGTH(instances),
        .cold = cold,
        .cold_count = LENGTH(cold),
    };

    lines_pdb(&pdb, 0x5EED);
    assembly_write(to, &a);
    vec_release(&pdb);
}

static const uint8_t build[16] = {0xB1, 2, 3}, other_build[16] = {0xB1, 2, 4};

/* The owner's type is of module 2, the manifest's first reference. */
static const uint8_t add_int_there[] = {0x80, 0xC0,   2, 0x15,
                                        0x12, 4 << 2, 1, 8, 5};
static const struct assembly_instance instances_there[] = {
    {SIGNATURE(add_int_there)}};
static const struct assembly_reference component[] = {
    {"Shop", "", "", "", NULL, 0}};

void code_composite(byte_vec *to)
{
    assembly_write(to, &(struct assembly){
                           .methods = methods,
                           .method_count = LENGTH(methods),
                           .instances = instances_there,
                           .instance_count = 1,
                           .references = component,
                           .reference_count = 1,
                           .build = build,
                           .composite = true,
                       });
}

void code_component(byte_vec *to, bool other)
{
    assembly_write(to, &(struct assembly){
                           .guid = guid,
                           .pdb = "Shop.pdb",
                           .types = types,
                           .type_count = LENGTH(types),
                           .methods = methods,
                           .method_count = LENGTH(methods),
                           .build = other ? other_build : build,
                           .owner = "all.r2r.dll",
                       });
}

/* ---- the recording ---- */

enum {
    KIND_SAMPLE = 1,
    KIND_MODULE,
    WRITER = 10,
    THREAD = 11,
    MS = 1000000,
    MODULE = 7,
};

#define AT(piece, offset)                                                      \
    (CODE_BASE + ASSEMBLY_CODE + (piece)*ASSEMBLY_STRIDE + (offset))

/* Leaf first. The first leaf is in the second piece of Open, the second in
 * the cold end of Find; the third is code that nobody knows. */
static const uint64_t stacks[][4] = {
    {AT(1, 7), AT(2, ASSEMBLY_CALL), AT(3, ASSEMBLY_SECOND_CALL),
     AT(6, ASSEMBLY_CALL)},
    {AT(7, 9), AT(4, ASSEMBLY_CALL), AT(3, ASSEMBLY_CALL),
     AT(6, ASSEMBLY_CALL)},
    {0x7F0011223344, AT(5, ASSEMBLY_SECOND_CALL), AT(0, ASSEMBLY_CALL),
     AT(6, ASSEMBLY_CALL)},
};

static void put_loaded(struct nettrace_writer *w)
{
    byte_vec p = {0};

    put_module(&p, MODULE, "/srv/shop/bin/Shop.dll");
    put_bytes(&p, guid, sizeof(guid));
    put_number(&p, 1, 4);
    put_utf16(&p, "/srv/shop/obj/Shop.pdb");
    put_number(&p, 0, 20);
    put_utf16(&p, "");
    nettrace_event(w, &(struct nettrace_event){.kind = KIND_MODULE,
                                               .thread = WRITER,
                                               .capture_thread = WRITER,
                                               .sequence = 1,
                                               .time = MS,
                                               .payload = p.data,
                                               .size = p.len});
    vec_release(&p);
}

static void put_sample(struct nettrace_writer *w, uint32_t stack)
{
    static const uint8_t managed[4] = {2};

    nettrace_event(w, &(struct nettrace_event){.kind = KIND_SAMPLE,
                                               .thread = THREAD,
                                               .capture_thread = WRITER,
                                               .sequence = w->last.sequence + 1,
                                               .stack = stack,
                                               .time = w->last.time + MS,
                                               .payload = managed,
                                               .size = sizeof(managed)});
}

/* The first stack 6 times, the second 3 times, the third once. */
struct nettrace_writer *code_recording(void)
{
    static const unsigned counts[] = {6, 3, 1};
    struct nettrace_writer *w = nettrace_writer_new(4, true);

    nettrace_kind(w, KIND_SAMPLE, "Microsoft-DotNETCore-SampleProfiler", 0, "",
                  0);
    nettrace_kind(w, KIND_MODULE, "Microsoft-Windows-DotNETRuntime", 152, "",
                  2);
    put_loaded(w);
    for (uint32_t i = 0; i < LENGTH(stacks); i++)
        nettrace_stack(w, i + 1, stacks[i], LENGTH(stacks[i]));
    for (uint32_t i = 0; i < LENGTH(stacks); i++)
        for (unsigned n = counts[i]; n--;)
            put_sample(w, i + 1);
    nettrace_end(w);
    return w;
}
