/* Headers, sections and pieces of code (format.md, sections 1 and 2). */
#include <stdlib.h>
#include <string.h>

#include "engine/base/bisect.h"
#include "symbols/managed/r2r/image_impl.h"

/*
 * Tells whether an instruction that ends at an address is a call.
 *
 *   x64     E8, u32; or FF, ModRM with 2 in its middle bits, by its upper two
 *           and lower three: an operand of 0, 1 or 4 bytes, and a SIB byte
 *           before that
 *   arm64   BL, BLR
 */

/* Bytes of the instruction FF, ModRM, ...; `left` are there. */
static size_t indirect_size(const uint8_t *at, size_t left)
{
    uint8_t modrm = at[1], mode = modrm >> 6, rm = modrm & 7;
    bool has_sib = mode != 3 && rm == 4;
    uint8_t base = has_sib && left > 2 ? at[2] & 7 : rm;
    size_t operand = mode == 1                ? 1
                     : mode == 2              ? 4
                     : mode == 0 && base == 5 ? 4
                                              : 0;

    return 2 + has_sib + operand;
}

static bool is_x64_call(const uint8_t *code, size_t size)
{
    if (size >= 5 && code[size - 5] == 0xE8)
        return true;
    for (size_t n = 2; n <= 7 && n <= size; n++) {
        const uint8_t *at = code + size - n;

        if (at[0] == 0xFF && (at[1] >> 3 & 7) == 2 && indirect_size(at, n) == n)
            return true;
    }
    return false;
}

static bool is_arm64_call(const uint8_t *code, size_t size)
{
    uint32_t word;

    if (size < 4)
        return false;
    word = load_u32(code + size - 4);
    return (word & 0xFC000000) == 0x94000000 ||
           (word & 0xFFFFFC1F) == 0xD63F0000;
}

bool r2r_is_call(uint16_t machine, const uint8_t *code, size_t size)
{
    return machine == PE_X64     ? is_x64_call(code, size)
           : machine == PE_ARM64 ? is_arm64_call(code, size)
                                 : false;
}

/*
 * The assemblies of a composite image. Component k is the assembly that row
 * k + 1 of the manifest refers to; the GUID of its build (MVID) is the first of
 * its heap of GUIDs. (format.md, section 4)
 */

enum { GUID = 16, CLR_SIZE = 72, METADATA_AT = 8, NATIVE_AT = 64, SECTION = 12 };

const struct cli_tables *r2r_tables(const struct r2r_image *image, uint32_t i)
{
    return i < image->components.len && image->components.data[i].has_tables
               ? &image->components.data[i].tables
               : NULL;
}

uint32_t r2r_components(const struct r2r_image *image)
{
    return image->composite ? (uint32_t)image->components.len : 0;
}

const char *r2r_component(const struct r2r_image *image, uint32_t i)
{
    return cli_text(&image->manifest, CLI_ASSEMBLY_REF, i + 1,
                    ASSEMBLY_REF_NAME);
}

const char *r2r_assembly_of(const struct r2r_image *image,
                            const struct cli_tables *tables)
{
    for (uint32_t i = 0; i < r2r_components(image); i++)
        if (tables == &image->components.data[i].tables)
            return r2r_component(image, i);
    return NULL;
}

static struct bytes bytes_at(const struct pe *pe, uint32_t rva, uint32_t size)
{
    struct bytes all = pe_at(pe, rva);

    if (all.len > size)
        all.len = size;
    return all;
}

static struct bytes clr_header(const struct pe *pe)
{
    return bytes_at(pe, pe->directories[PE_CLR].rva, CLR_SIZE);
}

/* The bytes that an {RVA, size} pair names. */
static struct bytes pair_at(const struct pe *pe, const uint8_t *pair)
{
    return bytes_at(pe, load_u32(pair), load_u32(pair + 4));
}

static enum err_code open_tables(struct cli_tables *tables, const struct pe *pe,
                                 struct bytes clr)
{
    struct bytes metadata = {NULL, 0};

    if (clr.len == CLR_SIZE)
        metadata = pair_at(pe, clr.data + METADATA_AT);
    return cli_tables_open(tables, pe->name, metadata.data, metadata.len, NULL);
}

bool r2r_take_component(struct r2r_image *image, uint32_t i, const char *name,
                        const uint8_t *data, size_t size)
{
    struct r2r_component *c = &image->components.data[i];
    struct cli_tables tables;
    struct bytes guid;
    struct pe pe;

    if (c->has_tables || pe_open(&pe, name, data, size, NULL))
        return c->has_tables;
    if (open_tables(&tables, &pe, clr_header(&pe)))
        return false;
    guid = tables.metadata.guids;
    if (guid.len < GUID || image->builds.len / GUID <= i ||
        memcmp(guid.data, image->builds.data + (size_t)i * GUID, GUID) != 0)
        return false;
    c->tables = tables;
    return c->has_tables = true;
}

const char *r2r_owner(const struct r2r_image *image)
{
    const char *name = (const char *)image->owner.data;

    return image->owner.len && !name[image->owner.len - 1] && *name &&
                   !strpbrk(name, "/\\")
               ? name
               : NULL;
}

/*
 * Entry points: of methods as they are declared an array by row, of instances
 * of generic ones a hash table. (format.md, section 3)
 */

/* Bytes of the budget: what all images have, and for an element that is looked
 * up. */
enum { WORK_FREE = 8 << 20, ELEMENT_COST = 8 };

static bool r2r_read_piece(const struct r2r_image *image, struct reader *r,
                           uint32_t *piece)
{
    uint32_t v = native_unsigned(r);

    *piece = v & 1 ? v >> 2 : v >> 1;
    return !r->failed && *piece < image->pieces;
}

/* No two methods have one piece. */
static void add_methods(struct r2r_image *image, uint32_t component)
{
    const struct r2r_component *c = &image->components.data[component];
    struct native_array array = native_array_of(c->methods);
    struct reader r;
    uint32_t piece;

    if (c->has_tables && array.count > cli_rows(&c->tables, CLI_METHOD))
        array.count = cli_rows(&c->tables, CLI_METHOD);
    for (uint32_t i = 0;
         i < array.count && image->entries.len < image->pieces &&
         budget_take(image->budget, ELEMENT_COST);
         i++)
        if (native_array_at(&array, i, &r) && r2r_read_piece(image, &r, &piece))
            *vec_add(&image->entries) = (struct r2r_entry){
                .piece = piece, .component = component, .row = i + 1};
}

static int compare(const void *a, const void *b)
{
    const struct r2r_entry *x = a, *y = b;

    if (x->piece != y->piece)
        return x->piece < y->piece ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->signature > y->signature) - (x->signature < y->signature);
}

static void r2r_list_entries(struct r2r_image *image)
{
    size_t kept = 0;
    struct native_hash hash;
    struct r2r_instance instance;
    struct reader r;
    uint32_t piece;
    size_t at;

    for (uint32_t i = 0; i < image->components.len; i++)
        add_methods(image, i);
    hash = native_hash_of(image->instances);
    /* No two have one piece. */
    for (uint32_t left = image->pieces;
         left && !image->budget->cut && native_hash_next(&hash, &r); left--) {
        at = r.pos;
        if (r2r_read_instance(image, &r, &instance) &&
            r2r_read_piece(image, &r, &piece) &&
            budget_take(image->budget, r.pos - at))
            *vec_add(&image->entries) =
                (struct r2r_entry){.piece = piece, .signature = at};
    }
    if (!image->entries.len)
        return;
    qsort(image->entries.data, image->entries.len, sizeof(*image->entries.data),
          compare);
    for (size_t i = 0; i < image->entries.len; i++)
        if (!kept ||
            image->entries.data[kept - 1].piece != image->entries.data[i].piece)
            image->entries.data[kept++] = image->entries.data[i];
    image->entries.len = kept;
}

/* The core header; empty when the image is not precompiled. */
static struct bytes core_header(const struct pe *pe)
{
    struct bytes clr = clr_header(pe), native = {NULL, 0};

    if (clr.len == CLR_SIZE)
        native = pair_at(pe, clr.data + NATIVE_AT);
    if (native.len < 16 || memcmp(native.data, "RTR\0", 4) != 0)
        return (struct bytes){NULL, 0};
    return (struct bytes){native.data + 8, native.len - 8};
}

bool r2r_probe(const uint8_t *data, size_t size)
{
    struct pe pe;

    return pe_probe(data, size) && !pe_open(&pe, "", data, size, NULL) &&
           core_header(&pe).len;
}

/* Its {RVA, size}; NULL when the image has none. */
static const uint8_t *find_section(struct bytes core, enum r2r_section wanted)
{
    size_t n = core.len < 8 ? 0 : load_u32(core.data + 4);

    if (core.len >= 8 && n > (core.len - 8) / SECTION)
        n = (core.len - 8) / SECTION;
    for (size_t i = 0; i < n; i++)
        if (load_u32(core.data + 8 + i * SECTION) == wanted)
            return core.data + 8 + i * SECTION + 4;
    return NULL;
}

static struct bytes section(const struct pe *pe, struct bytes core,
                            enum r2r_section wanted)
{
    const uint8_t *pair = find_section(core, wanted);

    return pair ? pair_at(pe, pair) : (struct bytes){NULL, 0};
}

static struct reader reader_over(const struct pe *pe, struct bytes bytes)
{
    return reader_of(pe->name, bytes.data, bytes.len, 0, NULL);
}

/* Instances refer to what lies around them: a reader over the whole section
 * of the file, standing at theirs. */
static struct reader find_instances(const struct pe *pe, struct bytes core)
{
    const uint8_t *pair = find_section(core, R2R_INSTANCES);
    struct pe_range range;
    struct reader all;

    if (!pair || !pe_section_at(pe, load_u32(pair), &range))
        return reader_over(pe, (struct bytes){NULL, 0});
    all = reader_over(pe, pe_at(pe, range.start));
    return reader_at(&all, load_u32(pair) - range.start, "instances");
}

static void add_component(struct r2r_image *image, struct bytes clr,
                          struct bytes core)
{
    struct r2r_component *c = vec_add(&image->components);

    c->has_tables = !open_tables(&c->tables, &image->pe, clr);
    c->methods =
        reader_over(&image->pe, section(&image->pe, core, R2R_METHODS));
}

/* ---- pieces ---- */

static uint32_t piece_begin(const struct r2r_image *image, uint32_t piece)
{
    return load_u32(image->functions.data + (size_t)piece * image->piece_size);
}

/* Without an end of its own a piece reaches to the next. */
static uint32_t piece_end(const struct r2r_image *image, uint32_t piece)
{
    struct pe_range range;

    if (image->pe.machine == PE_X64)
        return load_u32(image->functions.data +
                        (size_t)piece * image->piece_size + 4);
    if (piece + 1 < image->pieces)
        return piece_begin(image, piece + 1);
    return pe_section_at(&image->pe, piece_begin(image, piece), &range)
               ? range.end
               : 0;
}

static bool in_order(const struct r2r_image *image)
{
    for (uint32_t i = 1; i < image->pieces; i++)
        if (piece_begin(image, i - 1) >= piece_begin(image, i))
            return false;
    return true;
}

/* No more than the file has. */
static void find_code(struct r2r_image *image)
{
    struct pe_range *code = &image->code;

    if (!image->pieces)
        return;
    code->start = piece_begin(image, 0);
    code->end = piece_end(image, image->pieces - 1);
    image->code_bytes = pe_at(&image->pe, code->start);
    if (code->end < code->start ||
        code->end - code->start > image->code_bytes.len)
        code->end = code->start + (uint32_t)image->code_bytes.len;
}

static enum err_code read_image(struct r2r_image *image, struct err *err)
{
    const struct pe *pe = &image->pe;
    struct bytes core = core_header(pe), manifest;
    struct bytes list;

    if (!core.len)
        return err_set(err, ERR_UNSUPPORTED, "%s: not precompiled", pe->name);
    image->functions = section(&image->pe, core, R2R_FUNCTIONS);
    image->hot_cold = section(&image->pe, core, R2R_HOT_COLD);
    image->piece_size = image->pe.machine == PE_X64 ? 12 : 8;
    image->pieces = (uint32_t)(image->functions.len / image->piece_size);
    image->cold = image->pieces;
    if (image->hot_cold.len >= 8)
        image->cold = load_u32(image->hot_cold.data);
    if (!in_order(image))
        return err_set(err, ERR_CORRUPT, "%s: code is not in order", pe->name);
    list = section(&image->pe, core, R2R_COMPONENTS);
    image->composite = list.len;
    if (!list.len)
        add_component(image, clr_header(&image->pe), core);
    for (size_t i = 0; i + 16 <= list.len &&
                       budget_take(image->budget, sizeof(struct r2r_component));
         i += 16)
        add_component(image, pair_at(&image->pe, list.data + i),
                      pair_at(&image->pe, list.data + i + 8));
    manifest = section(pe, core, R2R_MANIFEST);
    cli_tables_open(&image->manifest, pe->name, manifest.data, manifest.len,
                    NULL);
    image->builds = section(pe, core, R2R_BUILDS);
    image->owner = section(pe, core, R2R_OWNER);
    image->instances = find_instances(pe, core);
    r2r_list_entries(image);
    find_code(image);
    return ERR_NONE;
}

struct r2r_image *r2r_open(const char *name, const uint8_t *data, size_t size,
                           struct err *err)
{
    struct r2r_image *image = mem_new(1, sizeof(*image));
    struct err own = {0};

    err = err ? err : &own;
    image->budget = mem_new(1, sizeof(*image->budget));
    *image->budget = budget_of(size, 1, WORK_FREE);
    if (!pe_open(&image->pe, name, data, size, err) && !read_image(image, err))
        return image;
    r2r_close(image);
    return NULL;
}

void r2r_close(struct r2r_image *image)
{
    if (!image)
        return;
    vec_release(&image->components);
    vec_release(&image->entries);
    free(image->budget);
    free(image);
}

bool r2r_is_cut(const struct r2r_image *image)
{
    return image && image->budget->cut;
}

const struct pe *r2r_pe(const struct r2r_image *image)
{
    return &image->pe;
}

struct pe_range r2r_code(const struct r2r_image *image)
{
    return image->code;
}

uint32_t r2r_count(const struct r2r_image *image)
{
    return (uint32_t)image->entries.len;
}

/* ---- whose a piece is ---- */

bool r2r_method(const struct r2r_image *image, uint32_t entry,
                struct r2r_method *m)
{
    uint32_t first, last;

    if (entry >= image->entries.len)
        return false;
    first = image->entries.data[entry].piece;
    last = entry + 1 < image->entries.len ? image->entries.data[entry + 1].piece
                                          : image->pieces;
    if (first < image->cold && last > image->cold)
        last = image->cold;
    *m = (struct r2r_method){entry, piece_begin(image, first),
                             piece_end(image, last - 1)};
    return true;
}

/* Counts those of `n` sorted numbers, `stride` bytes apart, that are not above.
 */
static uint32_t upper_bound(const uint8_t *numbers, size_t stride, uint32_t n,
                            uint32_t most)
{
    uint32_t i;

    BISECT(i, n, load_u32(numbers + i * stride) <= most);
    return i;
}

/* Number of entries that begin at or before a piece. */
static uint32_t entries_to(const struct r2r_image *image, uint32_t piece)
{
    uint32_t i;

    BISECT(i, (uint32_t)image->entries.len,
           image->entries.data[i].piece <= piece);
    return i;
}

bool r2r_row(const struct r2r_image *image, uint32_t row, struct r2r_method *m)
{
    struct native_array array;
    struct reader r;
    uint32_t piece, entry;

    if (image->composite || !image->components.len)
        return false;
    array = native_array_of(image->components.data->methods);
    if (!row || row > array.count || !native_array_at(&array, row - 1, &r) ||
        !r2r_read_piece(image, &r, &piece))
        return false;
    entry = entries_to(image, piece);
    return entry && r2r_method(image, entry - 1, m);
}

/* The piece an address is in. */
static bool find_piece(const struct r2r_image *image, uint32_t rva,
                       uint32_t *piece)
{
    *piece = upper_bound(image->functions.data, image->piece_size,
                         image->pieces, rva);
    return (*piece)-- && rva < piece_end(image, *piece);
}

bool r2r_piece(const struct r2r_image *image, uint32_t rva,
               struct pe_range *range)
{
    uint32_t piece;

    if (!find_piece(image, rva, &piece))
        return false;
    *range =
        (struct pe_range){piece_begin(image, piece), piece_end(image, piece)};
    return true;
}

bool r2r_follows_call(const struct r2r_image *image, uint32_t rva)
{
    uint32_t at = rva - image->code.start, piece;

    return rva > image->code.start && at <= image->code_bytes.len &&
           r2r_is_call(image->pe.machine, image->code_bytes.data, at) &&
           find_piece(image, rva - 1, &piece);
}

bool r2r_find(const struct r2r_image *image, uint32_t rva, struct r2r_method *m)
{
    uint32_t piece, entry;

    if (!find_piece(image, rva, &piece))
        return false;
    if (piece >= image->cold) {
        /* The hot piece that a cold one was split off from. */
        uint32_t n = (uint32_t)(image->hot_cold.len / 8);
        uint32_t i = upper_bound(image->hot_cold.data, 8, n, piece);

        piece = i ? load_u32(image->hot_cold.data + (size_t)(i - 1) * 8 + 4)
                  : piece;
    }
    entry = entries_to(image, piece);
    return entry && r2r_method(image, entry - 1, m);
}
