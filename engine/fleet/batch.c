#include "engine/fleet/batch.h"

#include <errno.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "engine/base/hex.h"
#include "engine/base/map.h"
#include "engine/fleet/clickhouse.h"
#include "engine/model/metric.h"

enum {
    FULL_SAMPLES = 500000, /* rows */
    FULL_BYTES = 32 << 20, /* of a table's rows */
    FULL_RUNS = 500,
    SECONDS_A_DAY = 86400,
};

/* Samples of one stack and slice. */
struct batch_sample {
    uint64_t stack; /* id */
    uint32_t slice;
    uint64_t weight;
};

struct batch_run {
    uint16_t day;      /* since 1970 */
    size_t first, end; /* its samples in the batch's */
    struct out *row;   /* of runs, without the number */
};

struct batch {
    VEC(struct batch_run) runs;
    VEC(struct batch_sample) samples;
    struct out *content[FLEET_CONTENT]; /* rows */
    struct map known[FLEET_CONTENT];    /* ids of rows added ever */
};

struct batch *batch_new(void)
{
    struct batch *b = mem_new(1, sizeof(*b));

    for (int i = 0; i < FLEET_CONTENT; i++)
        b->content[i] = out_memory();
    return b;
}

static size_t content_bytes(const struct batch *b, int table)
{
    size_t n;

    out_text(b->content[table], &n);
    return n;
}

bool batch_is_full(const struct batch *b)
{
    bool full = b->samples.len >= FULL_SAMPLES || b->runs.len >= FULL_RUNS;

    for (int i = 0; i < FLEET_CONTENT; i++)
        full |= content_bytes(b, i) >= FULL_BYTES;
    return full;
}

static void clear_batch(struct batch *b)
{
    for (size_t i = 0; i < b->runs.len; i++)
        out_close(b->runs.data[i].row, NULL);
    b->runs.len = 0;
    b->samples.len = 0;
    for (int i = 0; i < FLEET_CONTENT; i++) {
        /* Rows that were not sent are unknown to the server. */
        if (content_bytes(b, i))
            map_release(&b->known[i]);
        out_close(b->content[i], NULL);
        b->content[i] = out_memory();
    }
}

void batch_free(struct batch *b)
{
    if (!b)
        return;
    clear_batch(b);
    for (int i = 0; i < FLEET_CONTENT; i++) {
        map_release(&b->known[i]);
        out_close(b->content[i], NULL);
    }
    vec_release(&b->runs);
    vec_release(&b->samples);
    free(b);
}

/* ---- hashes ---- */

uint64_t fleet_id(enum fleet_table_id table, const void *row, size_t n)
{
    uint8_t digest[SHA256_DIGEST_SIZE], kind = (uint8_t)table;
    struct sha256_ctx sha;
    uint64_t id;

    sha256_init(&sha);
    sha256_update(&sha, sizeof(kind), &kind);
    sha256_update(&sha, n, row);
    sha256_digest(&sha, sizeof(digest), digest);
    id = load_u64(digest);
    return id ? id : 1;
}

/* ---- a profile as rows ---- */

/* Not sampled code is left out, and so are the places of code in memory: rows
 * tell what is the same wherever it ran. */
struct encoding {
    struct batch *b;
    const struct profile *p;
    uint64_t *ids_of[FLEET_STACKS]; /* by the profile's ids; 0: not yet */
    struct map stacks; /* stack, process and flags -> place in `stack_ids` */
    VEC(uint64_t) stack_ids;
    struct map groups; /* place and slice -> sample of the batch */
};

/* The id of a row, which is sent if it is new. Closes `row`. */
static uint64_t add_row(struct encoding *e, enum fleet_table_id table,
                        struct out *row)
{
    struct batch *b = e->b;
    size_t n;
    const char *bytes = out_text(row, &n);
    uint64_t id = fleet_id(table, bytes, n);

    if (map_add(&b->known[table], id, 0, 1) == 1) {
        map_set(&b->known[table], id, 0, 2);
        row_u64(b->content[table], id);
        out_bytes(b->content[table], bytes, n);
    }
    out_close(row, NULL);
    return id;
}

static void write_string(const struct profile *p, struct out *row,
                         uint32_t string)
{
    row_bytes(row, strings_get(p->strings, string),
              strings_len(p->strings, string));
}

static uint64_t process_of(struct encoding *e, uint32_t process)
{
    uint64_t *id = &e->ids_of[FLEET_PROCESSES][process];
    struct out *row;

    if (*id != 0)
        return *id;
    row = out_memory();
    write_string(e->p, row, e->p->processes.data[process].name);
    return *id = add_row(e, FLEET_PROCESSES, row);
}

static uint64_t module_of(struct encoding *e, uint32_t module)
{
    const struct module *m;
    struct out *row;
    uint64_t *id;

    if (module == NO_ID)
        return 0;
    id = &e->ids_of[FLEET_MODULES][module];
    if (*id != 0)
        return *id;
    m = &e->p->modules.data[module];
    row = out_memory();
    write_string(e->p, row, m->path);
    write_string(e->p, row, m->name);
    write_string(e->p, row, m->version);
    write_string(e->p, row, m->symbols);
    write_string(e->p, row, m->area);
    write_string(e->p, row, m->identity.pdb_name);
    row_bytes(row, m->identity.guid, sizeof(m->identity.guid));
    row_u32(row, m->identity.age);
    row_u32(row, m->identity.timestamp);
    row_u32(row, m->identity.image_size);
    row_bytes(row, m->identity.build_id, m->identity.build_id_size);
    row_u8(row, m->managed);
    row_u8(row, m->by_file_offset);
    row_u8(row, m->without_inlined);
    return *id = add_row(e, FLEET_MODULES, row);
}

static uint64_t method_of(struct encoding *e, uint32_t method)
{
    struct method m;
    struct out *row;
    uint64_t *id;

    if (method == NO_ID)
        return 0;
    id = &e->ids_of[FLEET_METHODS][method];
    if (*id != 0)
        return *id;
    m = methods_get(&e->p->methods, method);
    row = out_memory();
    write_string(e->p, row, m.space);
    write_string(e->p, row, m.name);
    write_string(e->p, row, m.signature);
    write_string(e->p, row, m.full_name);
    row_u64(row, module_of(e, m.module));
    row_u64(row, m.size);
    row_u32(row, m.token);
    row_u8(row, m.tier);
    return *id = add_row(e, FLEET_METHODS, row);
}

static uint64_t function_of(struct encoding *e, uint32_t function)
{
    uint64_t *id = &e->ids_of[FLEET_FUNCTIONS][function];
    const struct function *f = &e->p->functions.data[function];
    struct out *row;

    if (*id != 0)
        return *id;
    row = out_memory();
    write_string(e->p, row, f->name);
    write_string(e->p, row, f->module);
    row_u64(row, f->name ? 0 : f->address); /* builds share named ones */
    row_u8(row, f->kind);
    row_u8(row, f->cause);
    return *id = add_row(e, FLEET_FUNCTIONS, row);
}

static void write_frames(struct encoding *e, uint32_t location, struct out *row)
{
    uint32_t first = e->p->frame_start.data[location];
    size_t n = e->p->frame_start.data[location + 1] - first;
    const struct frame *frames = e->p->frames.data + first;

    row_count(row, n);
    for (size_t i = 0; i < n; i++)
        row_u64(row, function_of(e, frames[i].function));
    row_count(row, n);
    for (size_t i = 0; i < n; i++)
        write_string(e->p, row, frames[i].file);
    row_count(row, n);
    for (size_t i = 0; i < n; i++)
        row_u32(row, frames[i].line);
    row_count(row, n);
    for (size_t i = 0; i < n; i++)
        row_u8(row, frames[i].inlined);
}

static uint64_t location_of(struct encoding *e, uint32_t location)
{
    uint64_t *id = &e->ids_of[FLEET_LOCATIONS][location];
    const struct location *l = &e->p->locations.data[location];
    struct out *row;

    if (*id != 0)
        return *id;
    row = out_memory();
    row_u64(row, module_of(e, l->module));
    row_u64(row, method_of(e, l->method));
    row_u64(row, l->address);
    row_u8(row, l->kind);
    row_u8(row, l->cause);
    row_u8(row, l->caller);
    write_frames(e, location, row);
    return *id = add_row(e, FLEET_LOCATIONS, row);
}

/* Its place in `stack_ids`. */
static uint32_t stack_of(struct encoding *e, uint32_t stack, uint32_t process,
                         uint16_t flags)
{
    uint32_t fresh = mem_next_id(e->stack_ids.len);
    uint32_t at =
        map_add(&e->stacks, (uint64_t)stack << 32 | process, flags, fresh);
    const struct stack *stacks = e->p->stacks.data;
    VEC(uint64_t) chain = {0};
    struct out *row;

    if (at != fresh)
        return at;
    for (uint32_t s = stack; s; s = stacks[s].parent)
        *vec_add(&chain) = location_of(e, stacks[s].location);
    row = out_memory();
    row_u64(row, process_of(e, process));
    row_u16(row, flags);
    row_count(row, chain.len);
    while (chain.len)
        row_u64(row, chain.data[--chain.len]);
    vec_release(&chain);
    *vec_add(&e->stack_ids) = add_row(e, FLEET_STACKS, row);
    return at;
}

/* Samples of equal process, stack, slice and flags become one. A recording of
 * more slices than that has the rest in its last. */
static void add_sample(struct encoding *e, size_t i, uint64_t slice_ns)
{
    enum { LAST_SLICE = (1 << 24) - 1 };
    const struct samples *s = &e->p->samples;
    struct batch *b = e->b;
    uint32_t process = e->p->threads.data[s->thread[i]].process;
    uint64_t slice = s->time[i] > 0 ? (uint64_t)s->time[i] / slice_ns : 0;
    uint32_t fresh = mem_next_id(b->samples.len), at, part;
    uint32_t stack = stack_of(e, s->stack[i], process,
                              (uint16_t)s->flags[i]); /* without the wait */

    part = slice < LAST_SLICE ? (uint32_t)slice : LAST_SLICE;
    at = map_add(&e->groups, stack, part, fresh);
    if (at == fresh)
        *vec_add(&b->samples) = (struct batch_sample){
            .stack = e->stack_ids.data[stack],
            .slice = part,
        };
    b->samples.data[at].weight += s->weight ? s->weight[i] : 1;
}

static void encode_samples(struct batch *b, const struct profile *p,
                           uint64_t slice_ns)
{
    const size_t counts[FLEET_STACKS] = {
        [FLEET_PROCESSES] = p->processes.len,
        [FLEET_MODULES] = p->modules.len,
        [FLEET_METHODS] = p->methods.len,
        [FLEET_FUNCTIONS] = p->functions.len,
        [FLEET_LOCATIONS] = p->locations.len,
    };
    struct encoding e = {.b = b, .p = p};

    for (int i = 0; i < FLEET_STACKS; i++)
        e.ids_of[i] = mem_new(counts[i], sizeof(uint64_t));
    for (size_t i = 0; i < p->samples.len; i++)
        add_sample(&e, i, slice_ns);
    for (int i = 0; i < FLEET_STACKS; i++)
        free(e.ids_of[i]);
    map_release(&e.stacks);
    vec_release(&e.stack_ids);
    map_release(&e.groups);
}

/* ---- a row of runs ---- */

static uint32_t seconds(int64_t time)
{
    return time < 0 ? 0 : time > UINT32_MAX ? UINT32_MAX : (uint32_t)time;
}

static uint64_t no_less(int64_t value)
{
    return value > 0 ? (uint64_t)value : 0;
}

static int by_key(const void *x, const void *y)
{
    const struct fleet_label *a = x, *b = y;

    return strcmp(a->key, b->key);
}

static void write_labels(struct out *row, const struct fleet_recording *r)
{
    struct fleet_label *labels = mem_new(r->label_count, sizeof(*labels));

    if (r->label_count) {
        memcpy(labels, r->labels, r->label_count * sizeof(*labels));
        qsort(labels, r->label_count, sizeof(*labels), by_key);
    }
    row_count(row, r->label_count);
    for (size_t i = 0; i < r->label_count; i++)
        row_text(row, labels[i].key);
    row_count(row, r->label_count);
    for (size_t i = 0; i < r->label_count; i++)
        row_text(row, labels[i].value);
    free(labels);
}

static bool has_singles(const struct samples *s)
{
    for (size_t i = 0; s->weight && i < s->len; i++)
        if (s->weight[i] != 1)
            return false;
    return true;
}

/* The columns of runs behind the number, in their order. */
static void write_run(struct out *row, const struct profile *p,
                      const struct fleet_recording *r, uint32_t time,
                      uint64_t samples)
{
    const struct trace_info *t = &p->trace;
    struct out *metric = out_memory();

    row_text(row, r->hash);
    write_string(p, row, t->files.len ? t->files.data[0] : 0);
    if (r->host)
        row_text(row, r->host);
    else
        write_string(p, row, t->machine);
    write_string(p, row, t->os);
    write_string(p, row, t->format);
    out_metric(metric, p);
    row_text(row, out_text(metric, NULL));
    out_close(metric, NULL);
    row_u32(row, time);
    row_u32(row, seconds(r->pushed));
    write_labels(row, r);
    row_u64(row, no_less(t->duration_ns));
    row_u64(row, no_less(t->interval_ns));
    row_u64(row, r->slice_ns);
    row_u32(row, t->cpus);
    row_u32(row, t->pointer_size);
    row_u64(row, samples);
    row_u64(row, r->busy);
    row_u64(row, r->complete);
    row_u64(row, r->unnamed);
    row_u8(row, t->adds_up || has_singles(&p->samples));
    row_u64(row, t->idle_not_kept);
    row_u64(row, t->events);
    row_u64(row, p->quality.lost_events);
    row_u64(row, p->quality.lost_buffers);
    row_u64(row, p->quality.skipped_bytes);
    row_u64(row, p->quality.skipped_ranges);
    row_u64(row, p->quality.malformed);
    row_u64(row, p->quality.cut_stacks);
}

void batch_add(struct batch *b, const struct profile *p,
               const struct fleet_recording *r)
{
    int64_t start = p->trace.start_unix_ns / 1000000000;
    uint32_t time = seconds(start ? start : r->time);
    struct batch_run *run = vec_add(&b->runs);
    uint64_t samples = 0;

    *run = (struct batch_run){.day = (uint16_t)(time / SECONDS_A_DAY),
                              .first = b->samples.len,
                              .row = out_memory()};
    encode_samples(b, p, r->slice_ns);
    run->end = b->samples.len;
    for (size_t i = run->first; i < run->end; i++)
        samples += b->samples.data[i].weight;
    write_run(run->row, p, r, time, samples);
}

/* ---- sending ---- */

bool *fleet_has(struct fleet *f, const char *const *hashes, size_t count,
                struct err *err)
{
    struct out *sql = out_memory();
    struct answer answer = {0};
    bool *there = mem_new(count, sizeof(*there));
    enum err_code code;
    struct reader r;

    out_str(sql, "SELECT hash FROM runs WHERE hash IN (''");
    for (size_t i = 0; i < count; i++) {
        out_str(sql, ", ");
        sql_text(sql, hashes[i]);
    }
    out_char(sql, ')');
    code = fleet_ask(f, out_text(sql, NULL), NULL, &answer, err);
    r = fleet_reader(f, &answer, err);
    while (!code && reader_more(&r)) {
        struct bytes hash = row_get_bytes(&r);

        for (size_t i = 0; i < count; i++)
            there[i] |= hash.len == strlen(hashes[i]) && hash.len &&
                        !memcmp(hash.data, hashes[i], hash.len);
    }
    fleet_answer_release(&answer);
    out_close(sql, NULL);
    if (!code && !r.failed)
        return there;
    free(there);
    return NULL;
}

static enum err_code send_rows(struct fleet *f, enum fleet_table_id table,
                               struct out *rows, struct err *err)
{
    size_t n;
    const char *bytes = out_text(rows, &n);

    return n ? fleet_insert(f, table, bytes, n, err) : ERR_NONE;
}

static enum err_code send_runs(const struct batch *b, struct fleet *f,
                               struct err *err)
{
    struct out *samples = out_memory(), *runs = out_memory();
    enum err_code code = ERR_NONE;

    for (size_t i = 0; i < b->runs.len; i++) {
        const struct batch_run *run = &b->runs.data[i];
        uint64_t number;
        size_t n;
        const char *row = out_text(run->row, &n);

        if (getrandom(&number, sizeof(number), 0) != sizeof(number))
            code = err_set(err, ERR_IO, "the system gives no random numbers");
        for (size_t s = run->first; s < run->end; s++) {
            row_u64(samples, number);
            row_u16(samples, run->day);
            row_u64(samples, b->samples.data[s].stack);
            row_u32(samples, b->samples.data[s].slice);
            row_u64(samples, b->samples.data[s].weight);
        }
        row_u64(runs, number);
        out_bytes(runs, row, n);
    }
    if (!code)
        code = send_rows(f, FLEET_SAMPLES, samples, err);
    if (!code)
        code = send_rows(f, FLEET_RUNS, runs, err);
    out_close(samples, NULL);
    out_close(runs, NULL);
    return code;
}

enum err_code batch_send(struct batch *b, struct fleet *f,
                         struct batch_sent *sent, struct err *err)
{
    enum err_code code = ERR_NONE;

    for (int i = 0; !code && i < FLEET_CONTENT; i++) {
        code = send_rows(f, (enum fleet_table_id)i, b->content[i], err);
        if (code)
            break;
        out_close(b->content[i], NULL);
        b->content[i] = out_memory();
    }
    if (!code)
        code = send_runs(b, f, err);
    if (!code) {
        sent->runs += b->runs.len;
        sent->rows += b->samples.len;
    }
    clear_batch(b);
    return code;
}
