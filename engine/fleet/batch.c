#include "engine/fleet/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "engine/analysis/trust.h"
#include "engine/fleet/batch_impl.h"
#include "engine/fleet/encode.h"
#include "engine/fleet/rows.h"
#include "engine/fleet/sql.h"
#include "engine/model/profile.h"

enum {
    FULL_SAMPLES = 500000, /* rows */
    FULL_BYTES = 32 << 20, /* of a table's rows */
    FULL_RUNS = 500,
    SECONDS_A_DAY = 86400,
};

struct batch *batch_new(void)
{
    return mem_new(1, sizeof(struct batch));
}

static size_t content_bytes(const struct batch *b, int table)
{
    size_t n = 0;

    if (b->content[table])
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

/* ---- a run ---- */

static void string(struct out *row, const struct profile *p, uint32_t id)
{
    row_bytes(row, strings_get(p->strings, id), strings_len(p->strings, id));
}

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

/* What numbers of recordings begin with: the same for the same labels, so that
 * their samples lie together, and questions about a service read little else.
 */
static uint64_t family_of(const struct fleet_recording *r)
{
    struct out *labels = out_memory();
    const char *bytes;
    uint64_t hash;
    size_t n;

    write_labels(labels, r);
    bytes = out_text(labels, &n);
    hash = fleet_id(FLEET_RUNS, bytes, n);
    out_close(labels, NULL);
    return hash << FLEET_RUN_BITS;
}

static bool has_singles(const struct samples *s)
{
    for (size_t i = 0; s->weight && i < s->len; i++)
        if (s->weight[i] != 1)
            return false;
    return true;
}

static void write_counts(struct out *row, const struct profile *p,
                         uint64_t samples)
{
    struct selection *sel = selection_new(p, NULL);
    struct trust trust = {0};

    trust_stacks(&trust, sel);
    row_u64(row, samples);
    row_u64(row, sel->samples);
    row_u64(row, trust.complete);
    row_u64(row, sel->unresolved);
    selection_free(sel);
    row_u8(row, p->trace.adds_up || has_singles(&p->samples));
    row_u64(row, p->trace.idle_not_kept);
    row_u64(row, p->trace.events);
    row_u64(row, p->quality.lost_events);
    row_u64(row, p->quality.lost_buffers);
    row_u64(row, p->quality.skipped_bytes);
    row_u64(row, p->quality.skipped_ranges);
    row_u64(row, p->quality.malformed);
    row_u64(row, p->quality.cut_stacks);
    row_u64(row, 1);
    row_count(row, 0);
}

/* The columns of runs behind the first, in their order. */
static void write_run(struct out *row, const struct profile *p,
                      const struct fleet_recording *r, uint32_t time,
                      uint64_t samples)
{
    const struct trace_info *t = &p->trace;
    struct out *metric = out_memory();

    row_text(row, r->hash);
    string(row, p, t->files.len ? t->files.data[0] : 0);
    if (r->host)
        row_text(row, r->host);
    else
        string(row, p, t->machine);
    string(row, p, t->os);
    string(row, p, t->format);
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
    write_counts(row, p, samples);
}

void batch_add(struct batch *b, const struct profile *p,
               const struct fleet_recording *r)
{
    int64_t start = p->trace.start_unix_ns / 1000000000;
    uint32_t time = seconds(start ? start : r->time);
    struct batch_run *run = vec_add(&b->runs);
    uint64_t samples = 0;

    *run = (struct batch_run){.day = (uint16_t)(time / SECONDS_A_DAY),
                              .family = family_of(r),
                              .first = b->samples.len,
                              .row = out_memory()};
    snprintf(run->hash, sizeof(run->hash), "%s", r->hash);
    encode_samples(b, p, r->slice_ns);
    run->end = b->samples.len;
    for (size_t i = run->first; i < run->end; i++)
        samples += b->samples.data[i].weight;
    write_run(run->row, p, r, time, samples);
}

void batch_clear(struct batch *b)
{
    for (size_t i = 0; i < b->runs.len; i++)
        out_close(b->runs.data[i].row, NULL);
    b->runs.len = 0;
    b->samples.len = 0;
    for (int i = 0; i < FLEET_CONTENT; i++) {
        /* What was not sent is unknown to the server. */
        if (b->content[i]) {
            map_release(&b->known[i]);
            out_close(b->content[i], NULL);
        }
        b->content[i] = NULL;
    }
}

void batch_free(struct batch *b)
{
    if (!b)
        return;
    batch_clear(b);
    for (int i = 0; i < FLEET_CONTENT; i++)
        map_release(&b->known[i]);
    vec_release(&b->runs);
    vec_release(&b->samples);
    free(b);
}

/* ---- sending ---- */

static void write_hashes(const char *const *hashes, size_t count,
                         struct out *sql)
{
    out_str(sql, "(''");
    for (size_t i = 0; i < count; i++) {
        out_str(sql, ", ");
        sql_text(sql, hashes[i]);
    }
    out_char(sql, ')');
}

bool *fleet_has(struct fleet *f, const char *const *hashes, size_t count,
                struct err *err)
{
    struct out *sql = out_memory();
    struct answer answer = {0};
    bool *there = mem_new(count, sizeof(*there));
    enum err_code code;
    struct reader r;

    out_str(sql, "SELECT hash FROM runs WHERE hash IN ");
    write_hashes(hashes, count, sql);
    out_str(sql, " UNION ALL SELECT r FROM runs ARRAY JOIN replaces AS r "
                 "WHERE r IN ");
    write_hashes(hashes, count, sql);
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

/* And draws a number for those that are not. */
static enum err_code find_there(struct batch *b, struct fleet *f,
                                struct err *err)
{
    const char **hashes = mem_new(b->runs.len, sizeof(*hashes));
    bool *there;

    for (size_t i = 0; i < b->runs.len; i++)
        hashes[i] = b->runs.data[i].hash;
    there = fleet_has(f, hashes, b->runs.len, err);
    free(hashes);
    if (!there)
        return err->code;
    for (size_t i = 0; i < b->runs.len; i++) {
        struct batch_run *run = &b->runs.data[i];

        run->is_there = there[i];
        if (getrandom(&run->run, sizeof(run->run), 0) != sizeof(run->run))
            run->is_there = true; /* never: so few bytes are always given */
        run->run = run->family | run->run >> (64 - FLEET_RUN_BITS);
    }
    free(there);
    return ERR_NONE;
}

static enum err_code send_rows(struct fleet *f, enum fleet_table_id table,
                               struct out *rows, struct batch_sent *sent,
                               struct err *err)
{
    size_t n;
    const char *bytes = out_text(rows, &n);

    sent->bytes += n;
    return n ? fleet_insert(f, table, bytes, n, err) : ERR_NONE;
}

static void write_samples(const struct batch *b, const struct batch_run *run,
                          struct out *rows)
{
    for (size_t i = run->first; i < run->end; i++) {
        const struct batch_sample *s = &b->samples.data[i];

        row_u64(rows, run->run);
        row_u16(rows, run->day);
        row_u64(rows, s->stack);
        row_u32(rows, s->slice);
        row_u64(rows, s->weight);
    }
}

static enum err_code send_runs(const struct batch *b, struct fleet *f,
                               struct batch_sent *sent, struct err *err)
{
    struct out *samples = out_memory(), *runs = out_memory();
    struct batch_sent add = {0};
    enum err_code code;

    for (size_t i = 0; i < b->runs.len; i++) {
        const struct batch_run *run = &b->runs.data[i];
        size_t n;
        const char *row = out_text(run->row, &n);

        if (run->is_there)
            continue;
        write_samples(b, run, samples);
        row_u64(runs, run->run);
        out_bytes(runs, row, n);
        add.runs++;
        add.rows += run->end - run->first;
    }
    code = send_rows(f, FLEET_SAMPLES, samples, &add, err);
    if (!code)
        code = send_rows(f, FLEET_RUNS, runs, &add, err);
    out_close(samples, NULL);
    out_close(runs, NULL);
    sent->bytes += add.bytes;
    if (!code) {
        sent->runs += add.runs;
        sent->rows += add.rows;
    }
    return code;
}

enum err_code batch_send(struct batch *b, struct fleet *f,
                         struct batch_sent *sent, struct err *err)
{
    enum err_code code = find_there(b, f, err);

    for (int i = 0; !code && i < FLEET_CONTENT; i++) {
        if (!b->content[i])
            continue;
        code = send_rows(f, (enum fleet_table_id)i, b->content[i], sent, err);
        if (code)
            break;
        out_close(b->content[i], NULL);
        b->content[i] = NULL;
    }
    return code ? code : send_runs(b, f, sent, err);
}
