/*
 * A PE image as names for its own addresses: the nearest export at or below,
 * within the bounds of the function that the unwind information gives; of a
 * program of Go, what its own table says. An RVA within the export directory is
 * the text of a forwarder, not code. (format.md, section 3)
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/bisect.h"
#include "engine/base/strings.h"
#include "engine/base/vec.h"
#include "symbols/elf/go_table.h"
#include "symbols/pe/pe.h"
#include "symbols/debug.h"

/* Go's table has no section of its own: it lies among constants. Addresses in
 * the file are those for the image's preferred base. False: the image is not of
 * Go, or its table cannot be read. */
static bool pe_go_table(const struct pe *pe, struct go_table *table)
{
    struct go_program program = {.swapped = false};
    unsigned tries = 0;
    bool found = false;

    for (uint32_t i = 0; i < pe->section_count; i++) {
        struct pe_section s = pe_section(pe, i);

        *vec_add(&program.sections) =
            (struct go_section){pe->base + s.rva, pe_at(pe, s.rva),
                                s.flags & PE_CAN_RUN     ? GO_CODE
                                : s.flags & PE_CAN_WRITE ? GO_DATA
                                                         : GO_CONSTANTS};
    }
    for (size_t i = 0; i < program.sections.len && !found; i++)
        if (program.sections.data[i].kind == GO_CONSTANTS)
            found = go_table_find(table, &program.sections.data[i], &program,
                                  &tries);
    vec_release(&program.sections);
    return found;
}

struct export
{
    uint32_t rva;
    uint32_t number;   /* index of the function */
    struct bytes name; /* empty: known by ordinal only */
};

struct image {
    struct pe pe;
    struct strings *strings;
    bool ready; /* exports are read */
    uint32_t ordinal_base;
    VEC(struct export) exports; /* by RVA, one for each */
    struct budget names;        /* bytes of them */
    struct go_table go;
    bool go_sought, has_go;
};

struct export_tables {
    struct bytes functions, names, ordinals;
    uint32_t function_count, name_count;
};

static uint32_t capped(uint32_t count, struct bytes table, uint32_t size)
{
    return count < table.len / size ? count : (uint32_t)(table.len / size);
}

static struct export_tables find_tables(struct image *image)
{
    struct bytes directory =
        pe_at(&image->pe, image->pe.directories[PE_EXPORT].rva);
    struct export_tables t = {.function_count = 0};
    const uint8_t *d = directory.data;

    if (directory.len < 40)
        return t;
    image->ordinal_base = load_u32(d + 16);
    t.functions = pe_at(&image->pe, load_u32(d + 28));
    t.names = pe_at(&image->pe, load_u32(d + 32));
    t.ordinals = pe_at(&image->pe, load_u32(d + 36));
    t.function_count = capped(load_u32(d + 20), t.functions, 4);
    t.name_count = capped(load_u32(d + 24), t.names, 4);
    t.name_count = capped(t.name_count, t.ordinals, 2);
    return t;
}

static bool is_code(const struct pe *pe, uint32_t rva)
{
    uint32_t start = pe->directories[PE_EXPORT].rva;
    uint32_t size = pe->directories[PE_EXPORT].size;

    return rva && (rva < start || rva - start >= size);
}

/* Many exports may share a long name. Those that come to more than the file
 * may have are known by ordinal only. */
static struct bytes name_at(struct image *image, uint32_t rva)
{
    struct bytes all = pe_at(&image->pe, rva), name;
    struct reader r = reader_of("export", all.data, all.len, 0, NULL);

    if (image->names.cut)
        return (struct bytes){NULL, 0};
    name = reader_cstr(&r);
    return budget_take(&image->names, name.len) ? name
                                                : (struct bytes){NULL, 0};
}

/* At one address those with names first, the smallest name first. */
static int compare(const void *a, const void *b)
{
    const struct export *x = a, *y = b;
    int order;

    if (x->rva != y->rva)
        return x->rva < y->rva ? -1 : 1;
    if (!x->name.len != !y->name.len)
        return x->name.len ? -1 : 1;
    order = bytes_compare(x->name, y->name);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static void add(struct image *image, const struct export_tables *t,
                uint32_t number, struct bytes name)
{
    uint32_t rva;

    if (number >= t->function_count)
        return;
    rva = load_u32(t->functions.data + (size_t)number * 4);
    if (is_code(&image->pe, rva))
        *vec_add(&image->exports) = (struct export){rva, number, name};
}

static void read_exports(struct image *image)
{
    struct export_tables t = find_tables(image);
    size_t kept = 0;

    image->ready = true;
    for (uint32_t i = 0; i < t.name_count; i++)
        add(image, &t, load_u16(t.ordinals.data + (size_t)i * 2),
            name_at(image, load_u32(t.names.data + (size_t)i * 4)));
    for (uint32_t i = 0; i < t.function_count; i++)
        add(image, &t, i, (struct bytes){NULL, 0});
    if (image->exports.len)
        qsort(image->exports.data, image->exports.len,
              sizeof(*image->exports.data), compare);
    for (size_t i = 0; i < image->exports.len; i++)
        if (!kept ||
            image->exports.data[kept - 1].rva != image->exports.data[i].rva)
            image->exports.data[kept++] = image->exports.data[i];
    image->exports.len = kept;
}

/* Counts the exports at or below. */
static size_t exports_below(const struct image *image, uint32_t rva)
{
    size_t i;

    BISECT(i, image->exports.len, image->exports.data[i].rva <= rva);
    return i;
}

/* The last export at or below, or NULL. */
static const struct export *find_export(const struct image *image, uint32_t rva)
{
    size_t n = exports_below(image, rva);

    return n ? &image->exports.data[n - 1] : NULL;
}

/* Names reach as far as the function they are in. A fragment away from the
 * beginning of its function has the name of the beginning. Without known bounds
 * (x86) only the beginning itself is named: most functions are not exported,
 * and a wrong name is worse than none. */
static const struct export *export_of(const struct image *image, uint32_t rva)
{
    const struct export *e;
    struct pe_function f;
    struct pe_range gap;

    if (pe_function_at(&image->pe, rva, &f)) {
        bool apart = f.start != f.fragment.start;

        e = find_export(image, apart ? f.start : rva);
        return e && e->rva >= f.start ? e : NULL;
    }
    e = find_export(image, rva);
    if (!e || e->rva == rva || !pe_gap_at(&image->pe, rva, &gap))
        return e && e->rva == rva ? e : NULL;
    return e->rva >= gap.start ? e : NULL;
}

static const char *export_name(struct image *image, const struct export *e)
{
    uint32_t id =
        strings_add(image->strings, (const char *)e->name.data, e->name.len);

    if (!id)
        id = strings_addf(image->strings, "Ordinal#%u",
                          image->ordinal_base + e->number);
    return strings_get(image->strings, id);
}

/* NULL: it is no program of Go. */
static struct go_table *go_table_of(struct image *image)
{
    if (!image->go_sought)
        image->has_go = pe_go_table(&image->pe, &image->go);
    image->go_sought = true;
    return image->has_go ? &image->go : NULL;
}

static size_t frames_at(struct debug_file *file, uint64_t rva,
                        struct debug_frame *frames, size_t max)
{
    struct image *image = file->state;
    const struct export *e;
    size_t n;

    if (!max || rva > UINT32_MAX)
        return 0;
    n = go_table_of(image)
            ? go_table_frames(&image->go, image->pe.base + rva, frames, max)
            : 0;
    if (n)
        return n;
    if (!image->ready)
        read_exports(image);
    e = export_of(image, (uint32_t)rva);
    if (!e)
        return 0;
    frames[0] = (struct debug_frame){.function = export_name(image, e)};
    return 1;
}

/* Leaf functions have no unwind information: from export to export between
 * those that have. */
static bool leaf_range(const struct image *image, uint32_t rva,
                       struct debug_range *range)
{
    const struct export *exports = image->exports.data;
    size_t n = exports_below(image, rva);
    struct pe_range gap;

    if (!pe_gap_at(&image->pe, rva, &gap))
        return false;
    *range = (struct debug_range){gap.start, gap.end};
    if (n && exports[n - 1].rva > gap.start)
        range->start = exports[n - 1].rva;
    if (n < image->exports.len && exports[n].rva < gap.end)
        range->end = exports[n].rva;
    return true;
}

static bool range_at(struct debug_file *file, uint64_t rva,
                     struct debug_range *range)
{
    struct image *image = file->state;
    struct pe_function f;

    if (rva > UINT32_MAX)
        return false;
    if (go_table_of(image) &&
        go_table_range(&image->go, image->pe.base + rva, range) &&
        range->start >= image->pe.base) {
        range->start -= image->pe.base;
        range->end -= image->pe.base;
        return true;
    }
    if (!image->ready)
        read_exports(image);
    if (!pe_function_at(&image->pe, (uint32_t)rva, &f))
        return leaf_range(image, (uint32_t)rva, range);
    *range = (struct debug_range){f.fragment.start, f.fragment.end};
    return true;
}

static struct bytes code_at(struct debug_file *file, uint64_t rva)
{
    const struct image *image = file->state;

    return pe_code_at(&image->pe, rva);
}

/* The time stamp; 0 where it is no time. */
static uint32_t build_time(const struct pe *pe)
{
    struct pe_debug entry;

    for (uint32_t i = 0; pe_debug_entry(pe, i, &entry); i++)
        if (entry.type == PE_REPRODUCIBLE)
            return 0;
    return pe->timestamp;
}

enum err_code pe_debug_open(struct pe *pe, struct debug_file *file,
                            struct err *err)
{
    struct pe_codeview cv;

    if (pe_open(pe, file->name, file->data, file->size, err))
        return err->code;
    file->identity.timestamp = pe->timestamp;
    file->identity.image_size = pe->image_size;
    file->built = build_time(pe);
    file->machine = pe_debug_machine(pe);
    if (pe_codeview(pe, &cv)) {
        memcpy(file->identity.guid, cv.guid, sizeof(cv.guid));
        file->identity.age = cv.age;
    }
    return ERR_NONE;
}

static enum err_code open_image(struct debug_file *file, struct err *err)
{
    enum { NAMES_FREE = 16 << 20 };
    struct image *image = mem_new(1, sizeof(*image));

    file->state = image;
    image->strings = strings_new();
    image->names = budget_of(file->size, 1, NAMES_FREE);
    return pe_debug_open(&image->pe, file, err);
}

static void close_image(struct debug_file *file)
{
    struct image *image = file->state;

    if (!image)
        return;
    vec_release(&image->exports);
    strings_free(image->strings);
    free(image);
}

bool pe_matches(struct debug_file *file, const struct wanted *wanted,
                const char **objection)
{
    const struct identity *a = &file->identity, *b = &wanted->identity;
    struct pe pe;

    (void)objection;
    if (wanted->kind == WANTED_ASSEMBLY)
        return !pe_open(&pe, file->name, file->data, file->size, NULL) &&
               pe_names_pdb(&pe, b->guid);
    return wanted->kind == WANTED_PE && a->timestamp == b->timestamp &&
           a->image_size == b->image_size;
}

static enum debug_names names_of(struct debug_file *file)
{
    return go_table_of(file->state) ? NAMES_ALL : NAMES_EXPORTS;
}

static const char *flaw_of(const struct debug_file *file)
{
    const struct image *image = file->state;

    if (image->names.cut)
        return "export directory: names that come to more than the file's size "
               "allows are left out";
    if (image->go.steps.cut)
        return GO_TABLE_CUT;
    return pe_flaw(&image->pe);
}

const struct debug_kind pe_kind = {
    .name = "pe",
    .probe = pe_probe,
    .open = open_image,
    .frames = frames_at,
    .close = close_image,
    .range = range_at,
    .code = code_at,
    .image = IMAGE_PE,
    .matches = pe_matches,
    .names = names_of,
    .flaw = flaw_of,
};
