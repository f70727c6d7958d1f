#include "engine/fleet/fetched_stacks.h"

#include <string.h>

#include "engine/fleet/clickhouse.h"

/* The server finds the rows: each table is asked for those that the rows of a
 * later one refer to. */
#define LOCATIONS                                                              \
    "id GLOBAL IN (SELECT arrayJoin(locations) FROM stacks WHERE id IN ids)"
#define METHODS                                                                \
    "id GLOBAL IN (SELECT method FROM locations WHERE " LOCATIONS ")"

static const char *const conditions[FLEET_CONTENT] = {
    [FLEET_PROCESSES] =
        "id GLOBAL IN (SELECT process FROM stacks WHERE id IN ids)",
    [FLEET_MODULES] =
        "id GLOBAL IN (SELECT module FROM locations WHERE " LOCATIONS
        " UNION ALL SELECT module FROM methods WHERE " METHODS ")",
    [FLEET_METHODS] = METHODS,
    [FLEET_FUNCTIONS] = "id GLOBAL IN (SELECT arrayJoin(functions) FROM "
                        "locations WHERE " LOCATIONS ")",
    [FLEET_LOCATIONS] = LOCATIONS,
    [FLEET_STACKS] = "id IN ids",
};

/* A row behind its id. */
struct row {
    struct fetched_stacks *d;
    struct profile *p;
    struct reader *r;
};

static uint32_t read_string(struct row *row)
{
    struct bytes text = row_get_bytes(row->r);

    return text.len
               ? strings_add(row->p->strings, (const char *)text.data, text.len)
               : 0;
}

/* The profile's id of a row that is referred to; NO_ID for 0. */
static uint32_t read_reference(struct row *row, enum fleet_table_id table)
{
    uint64_t id = reader_u64(row->r);
    uint32_t made = id ? map_get(&row->d->made[table], id, 0) : MAP_NONE;

    if (id && made == MAP_NONE)
        reader_fail(row->r, ERR_CORRUPT, "refers to nothing");
    return made == MAP_NONE ? NO_ID : made;
}

static uint32_t read_needed(struct row *row, enum fleet_table_id table)
{
    uint32_t id = read_reference(row, table);

    if (id == NO_ID)
        reader_fail(row->r, ERR_CORRUPT, "refers to nothing");
    return id;
}

/* A value of an enumeration. */
static uint8_t read_choice(struct row *row, unsigned end)
{
    uint8_t value = reader_u8(row->r);

    if (value >= end)
        reader_fail(row->r, ERR_CORRUPT, "value out of range");
    return value;
}

static uint32_t read_process(struct row *row)
{
    uint32_t id = mem_next_id(row->p->processes.len);

    *vec_add(&row->p->processes) = (struct process){.pid = NO_PID,
                                                    .parent_pid = NO_PID,
                                                    .start = TIME_MIN,
                                                    .end = TIME_MAX,
                                                    .name = read_string(row)};
    *vec_add(&row->p->threads) =
        (struct thread){.process = id, .start = TIME_MIN, .end = TIME_MAX};
    return id;
}

static uint8_t get_fixed(struct row *row, uint8_t *to, size_t most)
{
    struct bytes bytes = row_get_bytes(row->r);

    if (bytes.len > most)
        reader_fail(row->r, ERR_CORRUPT, "identity is too long");
    else if (bytes.len)
        memcpy(to, bytes.data, bytes.len);
    return bytes.len > most ? 0 : (uint8_t)bytes.len;
}

static uint32_t read_module(struct row *row)
{
    struct module m = {0};
    struct identity *identity = &m.identity;

    m.path = read_string(row);
    m.name = read_string(row);
    m.version = read_string(row);
    m.symbols = read_string(row);
    m.area = read_string(row);
    identity->pdb_name = read_string(row);
    get_fixed(row, identity->guid, sizeof(identity->guid));
    identity->age = reader_u32(row->r);
    identity->timestamp = reader_u32(row->r);
    identity->image_size = reader_u32(row->r);
    identity->build_id_size =
        get_fixed(row, identity->build_id, sizeof(identity->build_id));
    m.managed = read_choice(row, 2);
    m.by_file_offset = read_choice(row, 2);
    m.without_inlined = read_choice(row, 2);
    *vec_add(&row->p->modules) = m;
    return mem_next_id(row->p->modules.len - 1);
}

/* A method's place in memory no longer matters: it begins at 0. */
static uint32_t read_method(struct row *row)
{
    struct method m = {.from = TIME_MIN, .to = TIME_MAX};

    m.space = read_string(row);
    m.name = read_string(row);
    m.signature = read_string(row);
    m.full_name = read_string(row);
    m.module = read_reference(row, FLEET_MODULES);
    m.size = reader_u64(row->r);
    m.token = reader_u32(row->r);
    m.tier = reader_u8(row->r);
    return methods_add(&row->p->methods, &m);
}

static uint32_t read_function(struct row *row)
{
    struct function f = {0};

    f.name = read_string(row);
    f.module = read_string(row);
    f.address = reader_u64(row->r);
    f.kind = read_choice(row, CODE_KINDS);
    f.cause = read_choice(row, CAUSE_KINDS);
    return row->r->failed ? NO_ID : profile_function(row->p, &f);
}

/* Frames are four arrays of one length. */
static void read_frames(struct row *row)
{
    struct profile *p = row->p;
    size_t n = row_get_count(row->r, sizeof(uint64_t)), first = p->frames.len;
    struct frame *frames;

    if (!n) {
        reader_fail(row->r, ERR_CORRUPT, "location without frames");
        return;
    }
    for (size_t i = 0; i < n; i++)
        *vec_add(&p->frames) =
            (struct frame){.function = read_needed(row, FLEET_FUNCTIONS)};
    frames = p->frames.data + first;
    if (row_get_count(row->r, 1) != n)
        reader_fail(row->r, ERR_CORRUPT, "frames differ in number");
    for (size_t i = 0; i < n; i++)
        frames[i].file = read_string(row);
    if (row_get_count(row->r, sizeof(uint32_t)) != n)
        reader_fail(row->r, ERR_CORRUPT, "frames differ in number");
    for (size_t i = 0; i < n; i++)
        frames[i].line = reader_u32(row->r);
    if (row_get_count(row->r, 1) != n)
        reader_fail(row->r, ERR_CORRUPT, "frames differ in number");
    for (size_t i = 0; i < n; i++)
        frames[i].inlined = read_choice(row, 2);
}

static uint32_t read_location(struct row *row)
{
    struct profile *p = row->p;
    struct location l = {0};

    l.module = read_reference(row, FLEET_MODULES);
    l.method = read_reference(row, FLEET_METHODS);
    l.address = reader_u64(row->r);
    l.kind = read_choice(row, CODE_KINDS);
    l.cause = read_choice(row, CAUSE_KINDS);
    l.caller = read_choice(row, 2);
    *vec_add(&p->frame_start) = mem_next_id(p->frames.len);
    read_frames(row);
    *vec_add(&p->locations) = l;
    return mem_next_id(p->locations.len - 1);
}

static uint32_t read_stack(struct row *row)
{
    struct fetched_stacks *d = row->d;
    struct sample sample = {.thread = read_needed(row, FLEET_PROCESSES),
                            .cpu = NO_CPU};
    size_t n;

    sample.flags = reader_u16(row->r);
    if (sample.flags > SAMPLE_FLAGS_ALL ||
        stack_end_of(sample.flags) >= STACK_ENDS)
        reader_fail(row->r, ERR_CORRUPT, "flags of a stack");
    n = row_get_count(row->r, sizeof(uint64_t));
    if (!n || n > STACK_DEEPEST)
        reader_fail(row->r, ERR_CORRUPT, "depth of a stack");
    for (size_t i = 0; i < n && !row->r->failed; i++) {
        uint32_t location = read_needed(row, FLEET_LOCATIONS);

        if (!row->r->failed)
            sample.stack = profile_stack(d->p, sample.stack, location);
    }
    *vec_add(&d->samples) = sample;
    return mem_next_id(d->samples.len - 1);
}

static uint32_t (*const readers[FLEET_CONTENT])(struct row *row) = {
    [FLEET_PROCESSES] = read_process,  [FLEET_MODULES] = read_module,
    [FLEET_METHODS] = read_method,     [FLEET_FUNCTIONS] = read_function,
    [FLEET_LOCATIONS] = read_location, [FLEET_STACKS] = read_stack,
};

/* ---- tables ---- */

/* A table has a row several times until the server has merged them. */
static enum err_code load_table(struct fetched_stacks *d,
                                const struct fleet_ids *stacks, int table)
{
    const struct fleet_table *t = &fleet_tables[table];
    struct out *sql = out_memory();
    struct answer answer = {0};
    enum err_code code;
    struct reader r;

    out_str(sql, "SELECT ");
    for (size_t i = 0; i < t->width; i++)
        out_fmt(sql, "%s%s", i ? ", " : "", t->columns[i].name);
    out_fmt(sql, " FROM %s WHERE %s ORDER BY id LIMIT 1 BY id", t->name,
            conditions[table]);
    code = fleet_ask(d->f, out_text(sql, NULL), stacks, &answer, d->err);
    out_close(sql, NULL);
    r = fleet_reader(d->f, &answer, d->err);
    while (!code && reader_more(&r)) {
        uint64_t id = reader_u64(&r);
        uint32_t made = readers[table](&(struct row){d, d->p, &r});

        if (!r.failed)
            map_set(&d->made[table], id, 0, made);
    }
    fleet_answer_release(&answer);
    return code ? code : r.failed ? ERR_CORRUPT : ERR_NONE;
}

enum err_code fetched_stacks_load(struct fetched_stacks *d,
                                  const struct fleet_ids *stacks)
{
    enum err_code code = ERR_NONE;

    for (int i = 0; !code && stacks->all.len && i < FLEET_CONTENT; i++)
        code = load_table(d, stacks, i);
    if (!code)
        *vec_add(&d->p->frame_start) = mem_next_id(d->p->frames.len);
    return code;
}

const struct sample *fetched_stacks_sample(const struct fetched_stacks *d,
                                           uint64_t stack)
{
    uint32_t at = map_get(&d->made[FLEET_STACKS], stack, 0);

    return at == MAP_NONE ? NULL : &d->samples.data[at];
}

void fetched_stacks_release(struct fetched_stacks *d)
{
    for (int i = 0; i < FLEET_CONTENT; i++)
        map_release(&d->made[i]);
    vec_release(&d->samples);
}
