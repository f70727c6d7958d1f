#include "engine/fleet/encode.h"

#include <stdlib.h>
#include <string.h>

#include "engine/fleet/rows.h"

/* Ids of what was added already, by the profile's ids; 0: not yet. */
struct encoding {
    struct batch *b;
    const struct profile *p;
    uint64_t *processes, *modules, *methods, *functions, *locations;
    struct map stacks; /* and process and flags -> place in `ids` */
    VEC(uint64_t) ids;
    struct map groups; /* of samples */
};

/* The id of a row, which is sent if it is new. Ends `row`. */
static uint64_t add_row(struct encoding *e, enum fleet_table_id table,
                        struct out *row)
{
    struct batch *b = e->b;
    size_t n;
    const char *bytes = out_text(row, &n);
    uint64_t id = fleet_id(table, bytes, n);

    if (map_add(&b->known[table], id, 0, 1) == 1) {
        map_set(&b->known[table], id, 0, 2);
        if (!b->content[table])
            b->content[table] = out_memory();
        row_u64(b->content[table], id);
        out_bytes(b->content[table], bytes, n);
    }
    out_close(row, NULL);
    return id;
}

static void text(struct encoding *e, struct out *row, uint32_t string)
{
    row_bytes(row, strings_get(e->p->strings, string),
              strings_len(e->p->strings, string));
}

static uint64_t process_of(struct encoding *e, uint32_t process)
{
    struct out *row;

    if (e->processes[process])
        return e->processes[process];
    row = out_memory();
    text(e, row, e->p->processes.data[process].name);
    return e->processes[process] = add_row(e, FLEET_PROCESSES, row);
}

static uint64_t module_of(struct encoding *e, uint32_t module)
{
    const struct module *m;
    struct out *row;

    if (module == NO_ID || e->modules[module])
        return module == NO_ID ? 0 : e->modules[module];
    m = &e->p->modules.data[module];
    row = out_memory();
    text(e, row, m->path);
    text(e, row, m->name);
    text(e, row, m->version);
    text(e, row, m->symbols);
    text(e, row, m->area);
    text(e, row, m->identity.pdb_name);
    row_bytes(row, m->identity.guid, sizeof(m->identity.guid));
    row_u32(row, m->identity.age);
    row_u32(row, m->identity.timestamp);
    row_u32(row, m->identity.image_size);
    row_bytes(row, m->identity.build_id, m->identity.build_id_size);
    row_u8(row, m->managed);
    row_u8(row, m->by_file_offset);
    row_u8(row, m->without_inlined);
    return e->modules[module] = add_row(e, FLEET_MODULES, row);
}

static uint64_t method_of(struct encoding *e, uint32_t method)
{
    struct method m;
    struct out *row;
    uint64_t module;

    if (method == NO_ID || e->methods[method])
        return method == NO_ID ? 0 : e->methods[method];
    m = methods_get(&e->p->methods, method);
    module = module_of(e, m.module);
    row = out_memory();
    text(e, row, m.space);
    text(e, row, m.name);
    text(e, row, m.signature);
    text(e, row, m.full_name);
    row_u64(row, module);
    row_u64(row, m.size);
    row_u32(row, m.token);
    row_u8(row, m.tier);
    return e->methods[method] = add_row(e, FLEET_METHODS, row);
}

static uint64_t function_of(struct encoding *e, uint32_t function)
{
    const struct function *f = &e->p->functions.data[function];
    struct out *row;

    if (e->functions[function])
        return e->functions[function];
    row = out_memory();
    text(e, row, f->name);
    text(e, row, f->module);
    row_u64(row, f->name ? 0 : f->address); /* builds share named ones */
    row_u8(row, f->kind);
    row_u8(row, f->cause);
    return e->functions[function] = add_row(e, FLEET_FUNCTIONS, row);
}

static void write_frames(struct encoding *e, uint32_t location,
                         struct out *row)
{
    uint32_t first = e->p->frame_start.data[location];
    size_t n = e->p->frame_start.data[location + 1] - first;
    const struct frame *frames = e->p->frames.data + first;

    row_count(row, n);
    for (size_t i = 0; i < n; i++)
        row_u64(row, function_of(e, frames[i].function));
    row_count(row, n);
    for (size_t i = 0; i < n; i++)
        text(e, row, frames[i].file);
    row_count(row, n);
    for (size_t i = 0; i < n; i++)
        row_u32(row, frames[i].line);
    row_count(row, n);
    for (size_t i = 0; i < n; i++)
        row_u8(row, frames[i].inlined);
}

static uint64_t location_of(struct encoding *e, uint32_t location)
{
    const struct location *l = &e->p->locations.data[location];
    uint64_t module, method;
    struct out *row;

    if (e->locations[location])
        return e->locations[location];
    module = module_of(e, l->module);
    method = method_of(e, l->method);
    row = out_memory();
    row_u64(row, module);
    row_u64(row, method);
    row_u64(row, l->address);
    row_u8(row, l->kind);
    row_u8(row, l->cause);
    row_u8(row, l->caller);
    write_frames(e, location, row);
    return e->locations[location] = add_row(e, FLEET_LOCATIONS, row);
}

static uint64_t add_stack(struct encoding *e, uint32_t stack, uint32_t process,
                          uint16_t flags)
{
    const struct stack *stacks = e->p->stacks.data;
    VEC(uint64_t) chain = {0};
    struct out *row;
    uint64_t id;

    for (uint32_t at = stack; at; at = stacks[at].parent)
        *vec_add(&chain) = location_of(e, stacks[at].location);
    id = process_of(e, process);
    row = out_memory();
    row_u64(row, id);
    row_u16(row, flags);
    row_count(row, chain.len);
    while (chain.len)
        row_u64(row, chain.data[--chain.len]);
    vec_release(&chain);
    return add_row(e, FLEET_STACKS, row);
}

/* Its place in `ids`. */
static uint32_t stack_of(struct encoding *e, uint32_t stack, uint32_t process,
                         uint16_t flags)
{
    uint32_t fresh = mem_next_id(e->ids.len);
    uint32_t at =
        map_add(&e->stacks, (uint64_t)stack << 32 | process, flags, fresh);

    if (at == fresh)
        *vec_add(&e->ids) = add_stack(e, stack, process, flags);
    return at;
}

/* Those of equal process, stack, slice and flags become one. A recording of
 * 2^24 slices and more has the rest in its last. */
static void add_sample(struct encoding *e, size_t i, uint64_t slice_ns)
{
    enum { LAST_SLICE = (1 << 24) - 1 };
    const struct samples *s = &e->p->samples;
    struct batch *b = e->b;
    uint32_t process = e->p->threads.data[s->thread[i]].process;
    uint64_t slice = s->time[i] > 0 ? (uint64_t)s->time[i] / slice_ns : 0;
    uint32_t fresh = mem_next_id(b->samples.len), at, part;
    uint32_t stack = stack_of(e, s->stack[i], process, s->flags[i]);

    part = slice < LAST_SLICE ? (uint32_t)slice : LAST_SLICE;
    at = map_add(&e->groups, stack, part, fresh);
    if (at == fresh)
        *vec_add(&b->samples) = (struct batch_sample){
            .stack = e->ids.data[stack],
            .slice = part,
        };
    b->samples.data[at].weight += s->weight ? s->weight[i] : 1;
}

void encode_samples(struct batch *b, const struct profile *p,
                    uint64_t slice_ns)
{
    struct encoding e = {
        .b = b,
        .p = p,
        .processes = mem_new(p->processes.len, sizeof(uint64_t)),
        .modules = mem_new(p->modules.len, sizeof(uint64_t)),
        .methods = mem_new(p->methods.len, sizeof(uint64_t)),
        .functions = mem_new(p->functions.len, sizeof(uint64_t)),
        .locations = mem_new(p->locations.len, sizeof(uint64_t)),
    };

    for (size_t i = 0; i < p->samples.len; i++)
        add_sample(&e, i, slice_ns);
    free(e.processes);
    free(e.modules);
    free(e.methods);
    free(e.functions);
    free(e.locations);
    map_release(&e.stacks);
    vec_release(&e.ids);
    map_release(&e.groups);
}
