/* Records of the index and of methods (format.md, sections 5.1 and 5.2). */
#include <stdlib.h>
#include <string.h>

#include "engine/format/vsp/vsp.h"

enum { PATH_SIZE = 520, MAP_ENTRY = 12, MOST_PROCESSES = 64 };

int64_t vsp_time(const struct vsp_reading *r, uint64_t cycles)
{
    uint64_t d = cycles - r->blocks->first_time;
    uint64_t mhz = r->file->header.mhz;

    if (cycles < r->blocks->first_time)
        return 0;
    if (d / mhz > INT64_MAX / 1000 - 1)
        return INT64_MAX;
    return (int64_t)(d / mhz * 1000 + d % mhz * 1000 / mhz);
}

static uint32_t path_string(struct profile *p, const uint8_t *field)
{
    struct bytes path = vsp_text(field, PATH_SIZE);

    return strings_add_utf16(p->strings, path.data, path.len / 2);
}

/* The part behind the last separator. */
static uint32_t base_string(struct profile *p, const uint8_t *field)
{
    struct bytes path = vsp_text(field, PATH_SIZE);
    size_t start = 0;

    for (size_t i = 0; i + 1 < path.len; i += 2)
        if ((path.data[i] == '\\' || path.data[i] == '/') && !path.data[i + 1])
            start = i + 2;
    return strings_add_utf16(p->strings, path.data + start,
                             (path.len - start) / 2);
}

static void take_process(struct vsp_reading *r, const struct vsp_record *rec)
{
    struct profile *p = r->seen->profile;
    bool start = rec->kind == VSP_PROCESS_START;
    struct observed_process fact = {
        .time = vsp_time(r, rec->time),
        .event = start ? SEEN_AT_START : SEEN_END,
        .pid = load_u32(rec->at + 4),
    };

    if (start)
        fact.name = base_string(p, rec->at + 32);
    observe_process(r->seen, &fact);
}

/* The runtime reports an assembly at the base of its precompiled image, which
 * is larger and is what lies there: the smaller of two at one base, loaded
 * while the other is, does not count. */
static bool counts(struct map *loaded, uint64_t base, uint32_t size, bool load)
{
    uint32_t there = map_get(loaded, base, 0);

    if (size == MAP_NONE)
        size--;
    if (there == MAP_NONE)
        there = 0;
    if (load ? there > size : there && there != size)
        return false;
    map_set(loaded, base, 0, load ? size : 0);
    return true;
}

/* A module record does not say of which process it is; recordings of more
 * than one have not been met. */
static void take_module(struct vsp_reading *r, const struct vsp_record *rec,
                        struct map *loaded, const uint32_t *pids,
                        size_t pid_count)
{
    struct profile *p = r->seen->profile;
    uint32_t width = r->file->header.width;
    const uint8_t *at = rec->at + 20 + width;
    struct module m = {
        .path = path_string(p, at + 8),
        .identity = {.image_size = load_u32(at), .timestamp = load_u32(at + 4)},
    };
    struct observed_image fact = {
        .time = vsp_time(r, rec->time),
        .event = rec->kind == VSP_MODULE_LOAD ? SEEN_BEGIN : SEEN_END,
        .base = load_ptr(rec->at + 20, width),
        .size = load_u32(at),
        .module = observe_module(r->seen, &m),
    };
    bool load = rec->kind == VSP_MODULE_LOAD;

    if (!counts(loaded, fact.base, load_u32(at), load))
        return;
    for (size_t i = 0; i < pid_count; i++) {
        fact.pid = pids[i];
        observe_image(r->seen, &fact);
    }
}

static size_t find_processes(const struct vsp_blocks *blocks,
                             uint32_t pids[MOST_PROCESSES])
{
    size_t n = 0;

    for (size_t i = 0; i < blocks->index.len && n < MOST_PROCESSES; i++) {
        const struct vsp_record *rec = &blocks->index.data[i];
        uint32_t pid = load_u32(rec->at + 4);
        size_t known = 0;

        if (rec->kind != VSP_PROCESS_START)
            continue;
        while (known < n && pids[known] != pid)
            known++;
        pids[known] = pid;
        n += known == n;
    }
    return n;
}

static void take_index(struct vsp_reading *r)
{
    uint32_t pids[MOST_PROCESSES];
    size_t n = find_processes(r->blocks, pids);
    struct map loaded = {0};

    r->pid = n == 1 ? pids[0] : NO_PID;
    for (size_t i = 0; i < r->blocks->index.len; i++) {
        const struct vsp_record *rec = &r->blocks->index.data[i];

        switch (rec->kind) {
        case VSP_PROCESS_START:
        case VSP_PROCESS_END:
            take_process(r, rec);
            break;
        case VSP_THREAD_START:
        case VSP_THREAD_END:
            observe_thread(r->seen, &(struct observed_thread){
                                        .time = vsp_time(r, rec->time),
                                        .event = rec->kind == VSP_THREAD_START
                                                     ? SEEN_BEGIN
                                                     : SEEN_END,
                                        .pid = load_u32(rec->at + 4),
                                        .tid = load_u32(rec->at + 8),
                                    });
            break;
        case VSP_MODULE_LOAD:
        case VSP_MODULE_UNLOAD:
            take_module(r, rec, &loaded, pids, n);
            break;
        }
    }
    map_release(&loaded);
}

/* ---- methods ---- */

static struct vsp_method read_method(const struct vsp_record *rec,
                                     uint32_t width)
{
    const uint8_t *at = rec->at + 12;
    const uint8_t *behind = at + (size_t)2 * width;
    uint32_t fixed = 40 + 2 * width;
    struct vsp_method m = {
        .time = rec->time,
        .start = load_ptr(at, width),
        .length = load_u32(at + width),
        .token = load_u32(behind + 4),
        .pid = load_u32(behind + 8),
        .mvid = behind + 12,
    };

    if (rec->size > fixed + 5) {
        m.map = rec->at + fixed + 5;
        m.map_entries = (rec->size - fixed - 5) / MAP_ENTRY;
    }
    return m;
}

/* By address, what is the same side by side, with its map first. */
static int compare_methods(const void *a, const void *b)
{
    const struct vsp_method *x = a, *y = b;
    int mvid;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    if (x->token != y->token)
        return x->token < y->token ? -1 : 1;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    mvid = memcmp(x->mvid, y->mvid, 16);
    if (mvid)
        return mvid;
    if (!x->map != !y->map)
        return x->map ? -1 : 1;
    return (x->time > y->time) - (x->time < y->time);
}

/* The same method occurs with a map and without: once is enough, as early as
 * it was seen. */
static void gather_methods(struct vsp_reading *r)
{
    size_t kept = 0;

    for (size_t i = 0; i < r->blocks->methods.len; i++)
        *vec_add(&r->methods) =
            read_method(&r->blocks->methods.data[i], r->file->header.width);
    if (!r->methods.len)
        return;
    qsort(r->methods.data, r->methods.len, sizeof(*r->methods.data),
          compare_methods);
    for (size_t i = 1; i < r->methods.len; i++) {
        struct vsp_method *last = &r->methods.data[kept];
        const struct vsp_method *m = &r->methods.data[i];

        if (!(last->start == m->start && last->pid == m->pid &&
              last->token == m->token && last->length == m->length &&
              !memcmp(last->mvid, m->mvid, 16)))
            r->methods.data[++kept] = *m;
        else if (m->time < last->time)
            last->time = m->time;
    }
    r->methods.len = kept + 1;
}

/* Module ids of facts: the saved module's number, above those without. */
static void name_managed_modules(struct vsp_reading *r, uint32_t pid)
{
    struct profile *p = r->seen->profile;

    for (uint32_t i = 0; i < r->saved->modules.len; i++) {
        const struct saved_module *saved = &r->saved->modules.data[i];
        struct module m = {.managed = true};

        if (!saved->managed_count)
            continue;
        m.path = strings_add_utf16(p->strings, saved->path.data,
                                   saved->path.len / 2);
        observe_managed_module(r->seen,
                               &(struct observed_managed_module){
                                   .pid = pid,
                                   .module_id = i,
                                   .module = observe_module(r->seen, &m),
                               });
    }
}

/* Code at an address that nobody had before it is taken to have been there
 * from the start: records can be written after the first samples. */
static void take_methods(struct vsp_reading *r)
{
    for (size_t i = 0; i < r->methods.len; i++) {
        const struct vsp_method *m = &r->methods.data[i];
        bool first = !i || r->methods.data[i - 1].start != m->start;
        struct saved_managed found;
        struct observed_method fact = {
            .time = vsp_time(r, m->time),
            .event = first ? SEEN_AT_START : SEEN_BEGIN,
            .pid = m->pid,
            .start = m->start,
            .size = m->length,
            .method_id = i,
            .module_id = UINT64_MAX,
            .token = m->token,
            .kind = CODE_MANAGED,
        };

        if (saved_managed(r->saved, m->mvid, m->token, &found)) {
            fact.module_id = found.module;
            fact.name = (struct text_slice){found.name.data,
                                            (uint32_t)found.name.len, true};
        }
        observe_method(r->seen, &fact);
    }
}

void vsp_records_take(struct vsp_reading *r)
{
    take_index(r);
    gather_methods(r);
    if (r->methods.len)
        name_managed_modules(r, r->methods.data[0].pid);
    take_methods(r);
}
