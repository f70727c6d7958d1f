#include "engine/fleet/definitions.h"

#include <stdlib.h>
#include <string.h>

#include "engine/fleet/rows.h"

/*
 * A row is read twice by one function: once for what it refers to, which is
 * fetched then, and once to be made, in the order of ids, whatever order they
 * came in.
 */
struct definition_row {
    struct definitions *d;
    struct reader *r;
    bool make;
};

typedef uint32_t read_row(struct definition_row *row);

static uint32_t string(struct definition_row *row)
{
    struct bytes text = row_get_bytes(row->r);

    return text.len ? strings_add(row->d->p->strings, (const char *)text.data,
                                  text.len)
                    : 0;
}

/* The profile's id of a row that is referred to; before it is made, it is
 * wanted. */
static uint32_t reference(struct definition_row *row,
                          enum fleet_table_id table)
{
    uint64_t id = reader_u64(row->r);

    if (row->make)
        return definitions_get(row->d, table, id);
    definitions_want(row->d, table, id);
    return NO_ID;
}

/* Of what every row has. */
static uint32_t needed(struct definition_row *row, enum fleet_table_id table)
{
    uint32_t id = reference(row, table);

    if (row->make && id == NO_ID)
        reader_fail(row->r, ERR_CORRUPT, "refers to nothing");
    return id;
}

/* A value of an enumeration. */
static uint8_t choice(struct definition_row *row, unsigned end)
{
    uint8_t value = reader_u8(row->r);

    if (value >= end)
        reader_fail(row->r, ERR_CORRUPT, "value out of range");
    return value;
}

static uint32_t read_process(struct definition_row *row)
{
    struct profile *p = row->d->p;
    uint32_t name = string(row), id = mem_next_id(p->processes.len);

    if (!row->make)
        return NO_ID;
    *vec_add(&p->processes) = (struct process){
        .pid = NO_PID, .parent_pid = NO_PID, .start = TIME_MIN,
        .end = TIME_MAX, .name = name};
    *vec_add(&p->threads) = (struct thread){
        .process = id, .start = TIME_MIN, .end = TIME_MAX};
    return id;
}

static uint8_t get_fixed(struct definition_row *row, uint8_t *to, size_t most)
{
    struct bytes bytes = row_get_bytes(row->r);

    if (bytes.len > most)
        reader_fail(row->r, ERR_CORRUPT, "identity is too long");
    else if (bytes.len)
        memcpy(to, bytes.data, bytes.len);
    return bytes.len > most ? 0 : (uint8_t)bytes.len;
}

static uint32_t read_module(struct definition_row *row)
{
    struct profile *p = row->d->p;
    struct module m = {0};
    struct identity *identity = &m.identity;

    m.path = string(row);
    m.name = string(row);
    m.version = string(row);
    m.symbols = string(row);
    m.area = string(row);
    identity->pdb_name = string(row);
    get_fixed(row, identity->guid, sizeof(identity->guid));
    identity->age = reader_u32(row->r);
    identity->timestamp = reader_u32(row->r);
    identity->image_size = reader_u32(row->r);
    identity->build_id_size =
        get_fixed(row, identity->build_id, sizeof(identity->build_id));
    m.managed = choice(row, 2);
    m.by_file_offset = choice(row, 2);
    m.without_inlined = choice(row, 2);
    if (!row->make)
        return NO_ID;
    *vec_add(&p->modules) = m;
    return (uint32_t)p->modules.len - 1;
}

/* Where a method was in memory no longer matters: it begins at 0, and lives
 * in the first process. */
static uint32_t read_method(struct definition_row *row)
{
    struct profile *p = row->d->p;
    struct method m = {.from = TIME_MIN, .to = TIME_MAX};

    m.space = string(row);
    m.name = string(row);
    m.signature = string(row);
    m.full_name = string(row);
    m.module = reference(row, FLEET_MODULES);
    m.size = reader_u64(row->r);
    m.token = reader_u32(row->r);
    m.tier = reader_u8(row->r);
    if (!row->make)
        return NO_ID;
    return methods_add(&p->methods, &m);
}

static uint32_t read_function(struct definition_row *row)
{
    struct function f = {0};

    f.name = string(row);
    f.module = string(row);
    f.address = reader_u64(row->r);
    f.kind = choice(row, CODE_KINDS);
    f.cause = choice(row, CAUSE_KINDS);
    return row->make && !row->r->failed ? profile_function(row->d->p, &f)
                                        : NO_ID;
}

/* Frames are four arrays of one length. */
static void read_frames(struct definition_row *row)
{
    struct profile *p = row->d->p;
    size_t n = row_get_count(row->r, sizeof(uint64_t)), first = p->frames.len;
    bool make = row->make;

    if (!n)
        reader_fail(row->r, ERR_CORRUPT, "location without frames");
    for (size_t i = 0; i < n; i++) {
        uint32_t function = needed(row, FLEET_FUNCTIONS);

        if (make)
            *vec_add(&p->frames) = (struct frame){.function = function};
    }
    if (row_get_count(row->r, 1) != n)
        reader_fail(row->r, ERR_CORRUPT, "frames differ in number");
    for (size_t i = 0; i < n; i++) {
        uint32_t file = string(row);

        if (make)
            p->frames.data[first + i].file = file;
    }
    if (row_get_count(row->r, sizeof(uint32_t)) != n)
        reader_fail(row->r, ERR_CORRUPT, "frames differ in number");
    for (size_t i = 0; i < n; i++) {
        uint32_t line = reader_u32(row->r);

        if (make)
            p->frames.data[first + i].line = line;
    }
    if (row_get_count(row->r, 1) != n)
        reader_fail(row->r, ERR_CORRUPT, "frames differ in number");
    for (size_t i = 0; i < n; i++) {
        bool inlined = choice(row, 2);

        if (make)
            p->frames.data[first + i].inlined = inlined;
    }
}

static uint32_t read_location(struct definition_row *row)
{
    struct profile *p = row->d->p;
    struct location l = {0};

    l.module = reference(row, FLEET_MODULES);
    l.method = reference(row, FLEET_METHODS);
    l.address = reader_u64(row->r);
    l.kind = choice(row, CODE_KINDS);
    l.cause = choice(row, CAUSE_KINDS);
    l.caller = choice(row, 2);
    if (row->make)
        *vec_add(&p->frame_start) = (uint32_t)p->frames.len;
    read_frames(row);
    if (!row->make)
        return NO_ID;
    *vec_add(&p->locations) = l;
    return (uint32_t)p->locations.len - 1;
}

static uint32_t read_stack(struct definition_row *row)
{
    struct definitions *d = row->d;
    struct sample sample = {.thread = needed(row, FLEET_PROCESSES)};
    size_t n;

    sample.flags = reader_u16(row->r);
    if (sample.flags > SAMPLE_FLAGS_ALL ||
        stack_end_of(sample.flags) >= STACK_ENDS)
        reader_fail(row->r, ERR_CORRUPT, "flags of a stack");
    n = row_get_count(row->r, sizeof(uint64_t));

    if (!n || n > STACK_DEEPEST)
        reader_fail(row->r, ERR_CORRUPT, "depth of a stack");
    for (size_t i = 0; i < n && !row->r->failed; i++) {
        uint32_t location = needed(row, FLEET_LOCATIONS);

        if (row->make && !row->r->failed)
            sample.stack = profile_stack(d->p, sample.stack, location);
    }
    if (!row->make)
        return NO_ID;
    *vec_add(&d->samples) = sample;
    return (uint32_t)d->samples.len - 1;
}

/* ---- tables ---- */

static read_row *const readers[FLEET_CONTENT] = {
    [FLEET_PROCESSES] = read_process, [FLEET_MODULES] = read_module,
    [FLEET_METHODS] = read_method,    [FLEET_FUNCTIONS] = read_function,
    [FLEET_LOCATIONS] = read_location, [FLEET_STACKS] = read_stack,
};

void definitions_want(struct definitions *d, enum fleet_table_id table,
                      uint64_t id)
{
    struct definition *of = &d->of[table];
    uint32_t fresh = (uint32_t)of->ids.all.len;

    if (id && map_add(&of->index, id, 0, fresh) == fresh)
        *vec_add(&of->ids.all) = id;
}

uint32_t definitions_get(const struct definitions *d,
                         enum fleet_table_id table, uint64_t id)
{
    uint32_t at = id ? map_get(&d->of[table].index, id, 0) : MAP_NONE;

    return at == MAP_NONE ? NO_ID : d->of[table].made[at];
}

/* Once that is done `made` says of each place whether there is a row: 0. */
static enum err_code look_through(struct definitions *d,
                                  enum fleet_table_id table)
{
    struct definition *of = &d->of[table];
    struct reader r = fleet_reader(d->f, &of->answer, d->err);
    struct definition_row row = {.d = d, .r = &r};

    while (reader_more(&r)) {
        uint64_t id = reader_u64(&r);
        uint32_t place = map_get(&of->index, id, 0);

        if (place != MAP_NONE && of->made[place] == NO_ID) {
            *vec_add(&of->rows) = (struct definition_at){id, place, r.pos};
            of->made[place] = 0;
        }
        readers[table](&row);
    }
    return r.failed ? ERR_CORRUPT : ERR_NONE;
}

static int by_id(const void *x, const void *y)
{
    const struct definition_at *a = x, *b = y;

    return (a->id > b->id) - (a->id < b->id);
}

static enum err_code fetch(struct definitions *d, enum fleet_table_id table)
{
    const struct fleet_table *t = &fleet_tables[table];
    struct definition *of = &d->of[table];
    struct out *sql = out_memory();
    enum err_code code = ERR_NONE;

    of->made = mem_new(of->ids.all.len, sizeof(*of->made));
    memset(of->made, 0xff, of->ids.all.len * sizeof(*of->made));
    out_str(sql, "SELECT ");
    for (size_t i = 0; i < t->width; i++)
        out_fmt(sql, "%s%s", i ? ", " : "", t->columns[i].name);
    /* Rows are there several times where the server has not joined them. */
    out_fmt(sql, " FROM %s WHERE id IN ids LIMIT 1 BY id", t->name);
    if (of->ids.all.len)
        code = fleet_ask(d->f, out_text(sql, NULL), &of->ids, &of->answer,
                         d->err);
    out_close(sql, NULL);
    return code ? code : look_through(d, table);
}

/* ERR_CORRUPT where one is missing. */
static enum err_code have_all(const struct definitions *d,
                              enum fleet_table_id table)
{
    const struct definition *of = &d->of[table];

    for (size_t i = 0; i < of->ids.all.len; i++)
        if (of->made[i] == NO_ID)
            return err_set(d->err, ERR_CORRUPT,
                           "%s: table %s: no row with the id %llu",
                           d->f->address.text, fleet_tables[table].name,
                           (unsigned long long)of->ids.all.data[i]);
    return ERR_NONE;
}

static enum err_code make(struct definitions *d, enum fleet_table_id table)
{
    struct definition *of = &d->of[table];
    struct reader r = fleet_reader(d->f, &of->answer, d->err);
    struct definition_row row = {.d = d, .r = &r, .make = true};

    if (have_all(d, table))
        return ERR_CORRUPT;
    if (of->rows.len)
        qsort(of->rows.data, of->rows.len, sizeof(*of->rows.data), by_id);
    for (size_t i = 0; i < of->rows.len && !r.failed; i++) {
        r.pos = of->rows.data[i].at;
        of->made[of->rows.data[i].place] = readers[table](&row);
    }
    fleet_answer_release(&of->answer);
    return r.failed ? ERR_CORRUPT : ERR_NONE;
}

enum err_code definitions_load(struct definitions *d)
{
    enum err_code code = ERR_NONE;

    for (int i = FLEET_CONTENT; !code && i-- > 0;)
        code = fetch(d, (enum fleet_table_id)i);
    for (int i = 0; !code && i < FLEET_CONTENT; i++)
        code = make(d, (enum fleet_table_id)i);
    if (!code)
        *vec_add(&d->p->frame_start) = mem_next_id(d->p->frames.len);
    return code;
}

void definitions_release(struct definitions *d)
{
    for (int i = 0; i < FLEET_CONTENT; i++) {
        vec_release(&d->of[i].ids.all);
        vec_release(&d->of[i].rows);
        map_release(&d->of[i].index);
        free(d->of[i].made);
        fleet_answer_release(&d->of[i].answer);
    }
    vec_release(&d->samples);
}
