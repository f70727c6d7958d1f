/*
 * Turns a checked script into events in order of time.  Everything becomes an
 * item (a time, a rank and what to write); items are sorted once and written,
 * so the stack cache sees them as a kernel would.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/support/etl_events.h"
#include "tests/support/scenario_impl.h"

/* In this order where times are equal. */
enum kind {
    PROCESS, THREAD, IMAGE, METHOD, EVICT, IDLE, SHOT, KERNEL_PART, USER_PART
};

struct item {
    int64_t at;
    enum kind kind;
    int phase;      /* enum etl_phase or etl_method_event */
    size_t index;   /* of the process, shot ... */
    size_t order;
};

/* A slot of the stack cache; key 0: empty. */
struct slot {
    uint64_t key;
    uint64_t frames[MAX_FRAMES];
    size_t count;
};

struct callchain {
    struct scenario *s;
    struct etl_writer *w;
    VEC(struct item) items;
    struct slot *slots;
    unsigned next_slot;
    uint64_t lost_keys;
    int64_t stop;
};

/* ---- one item as events ---- */

enum { CONTROLLER_PID = 5000, CONTROLLER_TID = 5004, MIN_CACHED = 4 };

static struct etl_at emit_at(const struct callchain *r, unsigned cpu, int64_t ns)
{
    struct etl_at at = { .cpu = cpu, .tick = etl_tick(r->w, ns) };

    return at;
}

static const struct process *process_of(const struct callchain *r, int index)
{
    return &r->s->processes.items[index == KERNEL ? IDLE_PROCESS : index];
}

static struct etl_at at_process(const struct callchain *r, int64_t ns,
                                const struct process *p)
{
    struct etl_at at = emit_at(r, 0, ns);

    at.pid = p->pid;
    at.tid = p->pid ? p->pid + 4 : 0;
    at.pointer_size = p->wow64 ? 4 : 0;
    return at;
}

static void write_process(struct callchain *r, const struct item *i)
{
    const struct process *p = &r->s->processes.items[i->index];
    struct etl_process e = {
        .pid = p->pid, .parent = p->pid ? 4 : 0, .image = p->name,
        .command_line = p->command, .flags = p->wow64 ? 2 : 0,
        .no_sid = p->pid <= 4
    };
    struct etl_at at = at_process(r, i->at, p);

    if (i->phase == ETL_START) {
        at.pid = CONTROLLER_PID; /* the creator */
        at.tid = CONTROLLER_TID;
    }
    etl_process(r->w, at, (enum etl_phase)i->phase, p->version, &e);
}

static void write_thread(struct callchain *r, const struct item *i)
{
    const struct thread *t = &r->s->threads.items[i->index];
    const struct process *p = process_of(r, t->process);
    unsigned copies = i->index == IDLE_THREAD ? r->s->options.cpus : 1;

    for (unsigned k = 0; k < copies; k++)
        etl_thread(r->w, at_process(r, i->at, p), (enum etl_phase)i->phase,
                   t->version, p->pid, t->tid, t->name);
}

static void nt_path(const char *name, char *out, size_t room)
{
    snprintf(out, room, "%s%s",
             strchr(name, '\\') ? "" : "\\Device\\HarddiskVolume2\\app\\",
             name);
}

/* Identities are made from the base address: the same script, the same id. */
static void write_image_id(struct callchain *r, struct etl_at at,
                           const struct image *m, const struct etl_image *e)
{
    struct etl_guid guid = { (uint32_t)m->base, (uint16_t)m->size, 0x4444,
                             { 1, 2, 3, 4, 5, 6, 7, 8 } };

    if (m->guid)
        etl_guid_parse(m->guid, &guid);
    etl_image_id(r->w, at, e, scenario_base_name(m->name));
    etl_image_rsds(r->w, at, e, &guid, m->age, m->pdb);
}

static void write_image(struct callchain *r, const struct item *i)
{
    const struct image *m = &r->s->images.items[i->index];
    const struct process *p = process_of(r, m->process);
    struct etl_at at = at_process(r, i->at, p);
    char path[512];
    struct etl_image e = {
        .pid = p->pid, .base = m->base, .size = m->size,
        .checksum = 0x8F3A, .link_time = m->stamp,
        .name = path
    };

    nt_path(m->name, path, sizeof(path));
    at.pointer_size = 0;
    if (m->pdb)
        write_image_id(r, at, m, &e);
    etl_image(r->w, at, (enum etl_phase)i->phase, m->version, &e);
}

static void write_script_method(struct callchain *r, struct etl_at at,
                                const struct item *i)
{
    const struct method *m = &r->s->methods.items[i->index];
    struct etl_script_method e = {
        .context = 0x90010, .start = m->start, .size = m->size,
        .id = (uint32_t)i->index + 1, .source_id = i->index + 1,
        .line = 1, .column = 1, .name = m->name
    };

    if (m->url)
        etl_script_source(r->w, at, (enum etl_method_event)i->phase,
                          e.source_id, e.context, m->url);
    etl_script_method(r->w, at, (enum etl_method_event)i->phase, &e);
}

/* The runtime's handle of a managed module: any number that is its own. */
static uint64_t module_id(const struct method *m)
{
    uint64_t id = 0x7FF810300000u;

    for (const char *c = m->module ? m->module : ""; *c; c++)
        id = (id * 31 + (unsigned char)*c) & 0x7FFFFFFFFFF8u;
    return id;
}

static void write_module(struct callchain *r, struct etl_at at,
                         enum etl_method_event event, const struct method *m)
{
    struct etl_module e = {
        .id = module_id(m), .assembly_id = module_id(m) + 8,
        .il_path = m->module, .native_path = "",
        .pdb_age = m->pdb != NULL, .pdb_path = m->pdb ? m->pdb : "",
    };

    if (m->guid)
        etl_guid_parse(m->guid, &e.pdb_guid);
    if (m->module && event != ETL_METHOD_UNLOAD)
        etl_module(r->w, at, event, 2, &e);
}

/* Runtime: behind the method's load; rundown: before its description. */
static void write_map(struct callchain *r, struct etl_at at,
                      enum etl_method_event event, const struct method *m,
                      const struct etl_method *e)
{
    static const struct etl_mapped map[] = {
        { -2, 0 }, { 0, 8 }, { 6, 0x20 }, { 14, 0x40 }, { 20, 0x60 },
        { -3, 0x80 }, { -1, 0x90 }
    };

    if (m->has_map && event != ETL_METHOD_UNLOAD)
        etl_il_map(r->w, at, event, m->map_version, e, map,
                   sizeof(map) / sizeof(map[0]));
}

static void write_clr_method(struct callchain *r, struct etl_at at,
                             enum etl_method_event event,
                             const struct method *m, const struct etl_method *e)
{
    if (event == ETL_METHOD_DC_START || event == ETL_METHOD_DC_END)
        write_map(r, at, event, m, e);
    etl_method_verbose(r->w, at, event, m->version, e);
    if (event == ETL_METHOD_LOAD)
        write_map(r, at, event, m, e);
}

static void write_method(struct callchain *r, const struct item *i)
{
    const struct method *m = &r->s->methods.items[i->index];
    enum etl_method_event event = (enum etl_method_event)i->phase;
    struct etl_at at = at_process(r, i->at, process_of(r, m->process));
    struct etl_method e = {
        .id = 0x7FF810000000u + i->index * 64, .module_id = module_id(m),
        .start = m->start, .size = (uint32_t)m->size,
        .token = 0x06000001u + (uint32_t)i->index,
        .flags = 8 | (event == ETL_METHOD_UNLOAD ? 0 : m->tier << 7),
        .class_name = m->class_name ? m->class_name : "", .name = m->name,
        .signature = m->signature ? m->signature : "",
        .rejit_id = m->version >= 2, .with_stack = m->with_stack
    };

    if (m->kind == METHOD_CLR)
        write_module(r, at, event, m);
    if (m->kind == METHOD_SCRIPT)
        write_script_method(r, at, i);
    else if (m->kind == METHOD_CLR2)
        etl_method_clr2(r->w, at, event, &e);
    else
        write_clr_method(r, at, event, m, &e);
}

static void define_key(struct callchain *r, struct etl_at at, struct slot *slot,
                       enum etl_key_event event)
{
    if (slot->key)
        etl_key_definition(r->w, at, event, slot->key, slot->frames,
                           slot->count);
    slot->key = 0;
}

/* Defines every key of the stack cache and empties it. */
static void emit_keys(struct callchain *r, int64_t ns, enum etl_key_event event)
{
    for (unsigned i = 0; i < r->s->key_slots; i++)
        define_key(r, emit_at(r, 0, ns), &r->slots[i], event);
    r->next_slot = 0;
}

static struct slot *find_slot(struct callchain *r, const uint64_t *frames,
                              size_t n)
{
    for (unsigned i = 0; i < r->s->key_slots; i++) {
        struct slot *slot = &r->slots[i];
        if (slot->key && slot->count == n &&
            memcmp(slot->frames, frames, n * sizeof(*frames)) == 0)
            return slot;
    }
    return NULL;
}

/*
 * A key is the address of its slot, so a full cache hands the same key to
 * another stack.  The old stack is defined first, and *at moves past that: a
 * definition belongs to references at or before its stamp.
 */
static uint64_t key_for(struct callchain *r, struct etl_at *at,
                        const uint64_t *frames, size_t n)
{
    bool wide = etl_writer_options(r->w)->pointer_size == 8;
    struct slot *slot = find_slot(r, frames, n);

    if (slot)
        return slot->key;
    slot = &r->slots[r->next_slot];
    if (slot->key) {
        define_key(r, *at, slot, ETL_KEY_DELETE);
        at->tick += 3;
    }
    slot->key = (wide ? 0xFFFFFA8303000000u : 0x83000000u) +
                r->next_slot * 0x1D0u;
    slot->count = n;
    memcpy(slot->frames, frames, n * sizeof(*frames));
    r->next_slot = (r->next_slot + 1) % r->s->key_slots;
    return slot->key;
}

static uint64_t lost_key(struct callchain *r)
{
    bool wide = etl_writer_options(r->w)->pointer_size == 8;

    return (wide ? 0xFFFFFA8304000000u : 0x84000000u) + r->lost_keys++ * 64;
}

static void write_fragment(struct callchain *r, const struct shot *h,
                           struct etl_at at, const uint64_t *frames, size_t n,
                           bool user)
{
    const struct thread *t = &r->s->threads.items[h->thread];
    uint32_t pid = process_of(r, t->process)->pid;
    uint64_t event = etl_tick(r->w, h->at);

    if (user && h->via == VIA_LOST)
        etl_stack_key(r->w, at, event, pid, t->tid, lost_key(r), user);
    else if (h->via == VIA_INLINE || n < MIN_CACHED)
        etl_stack(r->w, at, event, pid, t->tid, frames, n);
    else {
        uint64_t key = key_for(r, &at, frames, n);
        etl_stack_key(r->w, at, event, pid, t->tid, key, user);
    }
}

/* Both fragments in one inline record, where the script wants it so. */
static bool is_joined(const struct callchain *r, const struct shot *h)
{
    return r->s->join_fragments && h->via == VIA_INLINE && h->kernel >= 0 &&
           h->user >= 0 && !h->shared && h->late == NEVER;
}

static void write_part(struct callchain *r, const struct item *i)
{
    const struct shot *h = &r->s->shots.items[i->index];
    bool user = i->kind == USER_PART;
    uint64_t frames[2 * MAX_FRAMES];
    size_t n = scenario_addresses(r->s, h, user ? h->user : h->kernel,
                                  frames);
    unsigned cpu = user && h->late != NEVER ? h->late_cpu : h->cpu;

    if (is_joined(r, h)) {
        if (user)
            return;
        n += scenario_addresses(r->s, h, h->user, frames + n);
    }
    write_fragment(r, h, emit_at(r, cpu, i->at), frames, n, user);
}

static uint64_t instruction_pointer(struct callchain *r, const struct shot *h)
{
    const struct thread *t = &r->s->threads.items[h->thread];
    uint64_t frames[MAX_FRAMES];
    struct meaning m = { 0 };

    if (h->ip) {
        scenario_frame(r->s, h->line, t->process, h->at, h->ip, &m);
        return m.address;
    }
    scenario_addresses(r->s, h, h->kernel >= 0 ? h->kernel : h->user, frames);
    return frames[0];
}

static void write_shot(struct callchain *r, const struct item *i)
{
    const struct shot *h = &r->s->shots.items[i->index];
    const struct thread *t = &r->s->threads.items[h->thread];
    struct etl_at at = emit_at(r, h->cpu, i->at);

    if (h->fault)
        etl_hard_fault(r->w, at, 0x7FFE1000u, t->tid);
    else
        etl_sampled_profile(r->w, at, instruction_pointer(r, h), t->tid,
                            h->bits | 8u << 3);
}

/* The idle loop's address is nobody's: idle samples have no stack. */
static void write_idle(struct callchain *r, const struct item *i)
{
    const struct idle *d = &r->s->idles.items[i->index];
    bool wide = etl_writer_options(r->w)->pointer_size == 8;

    etl_sampled_profile(r->w, emit_at(r, d->cpu, i->at),
                        wide ? 0xFFFFF80000212345u : 0x80812345u, 0, 0);
}

static void emit_item(struct callchain *r, const struct item *i)
{
    switch (i->kind) {
    case PROCESS:
        write_process(r, i);
        break;
    case THREAD:
        write_thread(r, i);
        break;
    case IMAGE:
        write_image(r, i);
        break;
    case METHOD:
        write_method(r, i);
        break;
    case EVICT:
        emit_keys(r, i->at, ETL_KEY_DELETE);
        break;
    case IDLE:
        write_idle(r, i);
        break;
    case SHOT:
        write_shot(r, i);
        break;
    case KERNEL_PART:
    case USER_PART:
        write_part(r, i);
        break;
    }
}

static bool lives_at_stop(const struct callchain *r, int process, int64_t end)
{
    return end == NEVER && process_of(r, process)->end == NEVER;
}

/* The rundown: what is still there when the trace stops. */
/* What is still there when the trace stops. */
static void emit_rundown(struct callchain *r)
{
    struct scenario *s = r->s;
    struct item i = { .at = r->stop, .phase = ETL_DC_END };

    for (i.index = 0; i.index < s->images.count; i.index++) {
        const struct image *m = &s->images.items[i.index];
        if (lives_at_stop(r, m->process, m->unload))
            write_image(r, &i);
    }
    for (i.index = 0; i.index < s->threads.count; i.index++)
        if (s->threads.items[i.index].end == NEVER)
            write_thread(r, &i);
    for (i.index = 0; i.index < s->processes.count; i.index++)
        if (s->processes.items[i.index].end == NEVER)
            write_process(r, &i);
    i.phase = ETL_METHOD_DC_END;
    for (i.index = 0; i.index < s->methods.count; i.index++) {
        const struct method *m = &s->methods.items[i.index];
        if (!m->no_rundown && lives_at_stop(r, m->process, m->unload))
            write_method(r, &i);
    }
}

/* ---- all items ---- */

static void add(struct callchain *r, int64_t at, enum kind kind, int phase,
                size_t index)
{
    size_t order = r->items.count;

    *VEC_ADD(&r->items) = (struct item){ .at = at, .kind = kind,
                                         .phase = phase, .index = index,
                                         .order = order };
    if (at > r->stop)
        r->stop = at;
}

static int by_time(const void *x, const void *y)
{
    const struct item *a = x, *b = y;

    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static void add_shots(struct callchain *r)
{
    struct scenario *s = r->s;

    for (size_t i = 0; i < s->shots.count; i++) {
        const struct shot *h = &s->shots.items[i];
        int64_t user = h->at + (h->kernel >= 0 ? USER_DELAY : KERNEL_DELAY);
        add(r, h->at, SHOT, 0, i);
        if (h->kernel >= 0)
            add(r, h->at + KERNEL_DELAY, KERNEL_PART, 0, i);
        if (h->user >= 0 && !h->shared)
            add(r, h->late != NEVER ? h->late : user, USER_PART, 0, i);
    }
    for (size_t i = 0; i < s->idles.count; i++)
        add(r, s->idles.items[i].at, IDLE, 0, i);
    for (size_t i = 0; i < s->evictions.count; i++)
        add(r, s->evictions.items[i], EVICT, 0, i);
}

/* Start or DCStart, then End; what is alive at the stop comes later. */
static void add_life(struct callchain *r, enum kind kind, size_t index,
                     int64_t start, int64_t end, bool dcend_only)
{
    if (start != FROM_START)
        add(r, start, kind, ETL_START, index);
    else if (!dcend_only)
        add(r, 0, kind, ETL_DC_START, index);
    if (end != NEVER)
        add(r, end, kind, ETL_END, index);
}

static void add_method_life(struct callchain *r, size_t index)
{
    const struct method *m = &r->s->methods.items[index];

    if (m->load != FROM_START)
        add(r, m->load, METHOD, ETL_METHOD_LOAD, index);
    else if (m->dcstart)
        add(r, 0, METHOD, ETL_METHOD_DC_START, index);
    if (m->unload != NEVER)
        add(r, m->unload, METHOD, ETL_METHOD_UNLOAD, index);
}

static void add_lives(struct callchain *r)
{
    struct scenario *s = r->s;

    for (size_t i = 0; i < s->processes.count; i++) {
        const struct process *p = &s->processes.items[i];
        add_life(r, PROCESS, i, p->start, p->end, p->dcend_only);
    }
    for (size_t i = 0; i < s->threads.count; i++) {
        const struct thread *t = &s->threads.items[i];
        add_life(r, THREAD, i, t->start, t->end, t->dcend_only);
    }
    for (size_t i = 0; i < s->images.count; i++) {
        const struct image *m = &s->images.items[i];
        add_life(r, IMAGE, i, m->load, m->unload, m->dcend_only);
    }
    for (size_t i = 0; i < s->methods.count; i++)
        add_method_life(r, i);
}

static void write_all(struct callchain *r)
{
    struct scenario *s = r->s;
    uint32_t interval = (uint32_t)(s->interval / 100);

    etl_interval(r->w, emit_at(r, 0, 0), 73, interval);
    for (size_t i = 0; i < r->items.count; i++)
        emit_item(r, &r->items.items[i]);
    emit_keys(r, r->stop, ETL_KEY_RUNDOWN);
    emit_rundown(r);
    etl_volume_mapping(r->w, emit_at(r, 0, r->stop),
                       "\\Device\\HarddiskVolume2\\", "C:\\");
    etl_interval(r->w, emit_at(r, 0, r->stop), 74, interval);
}

static bool count_all(struct scenario *s, struct answer *answer)
{
    if (s->error)
        return false;
    for (size_t i = 0; i < s->shots.count; i++)
        if (!scenario_count(s, &s->shots.items[i], answer))
            return false;
    answer_idle(answer, s->idles.count);
    answer_lost(answer, s->options.events_lost, s->options.buffers_lost);
    return true;
}

bool scenario_write(struct scenario *s, FILE *file, struct answer *answer)
{
    struct callchain r = {.s = s};
    bool ok;

    if (!count_all(s, answer))
        return false;
    r.slots = calloc(s->key_slots, sizeof(*r.slots));
    if (!r.slots)
        abort();
    add_lives(&r);
    add_shots(&r);
    if (r.items.count) /* else there is no address to give */
        qsort(r.items.items, r.items.count, sizeof(*r.items.items), by_time);
    r.stop = s->stop != NEVER && s->stop > r.stop ? s->stop
                                                  : r.stop + 10000000;
    r.w = etl_writer_new(&s->options, file);
    write_all(&r);
    ok = etl_writer_finish(r.w);
    if (!ok)
        scenario_fail(s, 0, "the trace could not be written");
    etl_writer_free(r.w);
    free(r.slots);
    free(r.items.items);
    return ok;
}
