#include "engine/format/pprof/file.h"

#include <string.h>

#include "engine/model/profile.h"

/* Modules, and locations with their functions: one becomes the profile's when
 * it is met first. */

enum { MOST_INLINED = 64 };

/* ---- modules ---- */

/* Several mappings may be of one module: the first says what it is. */
static void set_identity(struct identity *id, struct bytes text)
{
    if (!id->build_id_size && !id->timestamp)
        code_id_read(id, (const char *)text.data, text.len);
}

/* Addresses in a file become offsets in it. What is mapped from nowhere near
 * the beginning of one is not mapped as a file: the kernel. */
static bool is_file(struct pprof_file *f, uint32_t path, uint64_t offset)
{
    return *strings_get(f->p->strings, path) == '/' &&
           offset < (uint64_t)1 << 48;
}

static void read_mapping(struct pprof_file *f, struct reader r)
{
    struct noted_mapping m = {.module = NO_ID};
    struct bytes build_id = {0};
    struct module *module;
    struct wire_field field;
    uint64_t id = 0;
    uint32_t path = 0;

    while (wire_next(&r, &field)) {
        if (field.number == 1)
            id = field.value;
        else if (field.number == 2)
            m.start = field.value;
        else if (field.number == 4)
            m.offset = field.value;
        else if (field.number == 5)
            path = pprof_string(f, field.value);
        else if (field.number == 6)
            build_id = pprof_text(f, field.value);
    }
    if (path) {
        m.module = named_module(&f->code, path);
        module = &f->p->modules.data[m.module];
        module->by_file_offset |= is_file(f, path, m.offset);
        set_identity(&module->identity, build_id);
    }
    map_add(&f->mapping_ids, id, 0, (uint32_t)f->mappings.len);
    *vec_add(&f->mappings) = m;
}

/* ---- locations ---- */

static void read_function(struct pprof_file *f, uint64_t id,
                          struct named_frame *to)
{
    uint32_t at = map_get(&f->function_ids, id, 0);
    struct wire_field field;
    struct reader r;

    if (at == MAP_NONE)
        return;
    r = f->functions.data[at];
    while (wire_next(&r, &field)) {
        if (field.number == 2 || (field.number == 3 && !to->name))
            to->name = pprof_string(f, field.value); /* or as it is mangled */
        else if (field.number == 4)
            to->file = pprof_string(f, field.value);
    }
}

static struct named_frame read_line(struct pprof_file *f, struct reader r)
{
    struct named_frame frame = {0};
    struct wire_field field;

    while (wire_next(&r, &field)) {
        if (field.number == 1)
            read_function(f, field.value, &frame);
        else if (field.number == 2 && field.value < UINT32_MAX)
            frame.line = (uint32_t)field.value;
    }
    return frame;
}

struct read_location {
    uint64_t mapping, address;
    struct named_frame frames[MOST_INLINED];
    size_t count;
};

static void read_location(struct pprof_file *f, struct reader r,
                          struct read_location *l)
{
    struct wire_field field;

    while (wire_next(&r, &field)) {
        if (field.number == 2)
            l->mapping = field.value;
        else if (field.number == 3)
            l->address = field.value;
        else if (field.number == 4 && field.is_message &&
                 l->count < MOST_INLINED)
            l->frames[l->count++] = read_line(f, field.message);
    }
}

/* Where it was, and what it is called. An address in a file is kept: names can
 * be looked for. */
static uint32_t add_location(struct pprof_file *f, struct read_location *l)
{
    uint32_t at = map_get(&f->mapping_ids, l->mapping, 0);
    const struct noted_mapping *m =
        at == MAP_NONE || !l->mapping ? NULL : &f->mappings.data[at];
    uint32_t module = m ? m->module : NO_ID;
    uint32_t path = module == NO_ID ? 0 : f->p->modules.data[module].path;

    for (size_t i = 0; i < l->count; i++)
        l->frames[i].module = path;
    if (l->address)
        f->knows_addresses = true;
    return named_location_at(&f->code, module,
                             m && l->address >= m->start
                                 ? l->address - m->start + m->offset
                                 : l->address,
                             l->frames, l->count);
}

uint32_t pprof_location(struct pprof_file *f, uint64_t id)
{
    uint32_t at = map_get(&f->location_ids, id, 0);
    struct read_location l = {0};

    if (at == MAP_NONE)
        return NO_ID;
    if (f->locations.data[at].location == NO_ID) {
        read_location(f, f->locations.data[at].bytes, &l);
        f->locations.data[at].location = add_location(f, &l);
    }
    return f->locations.data[at].location;
}

void pprof_read_mappings(struct pprof_file *f)
{
    for (size_t i = 0; i < f->mapping_parts.len; i++)
        read_mapping(f, f->mapping_parts.data[i]);
}
