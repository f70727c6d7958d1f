#include "engine/format/perfdata/code_frames.h"

#include "engine/attribution/jitdump_records.h"

static void add_piece(struct pd_code_frames *c, const struct jitdump_code *code,
                      uint64_t time, struct bytes frames)
{
    *vec_add(&c->pieces) = (struct pd_code_piece){.start = code->start,
                                                  .size = code->size,
                                                  .time = time,
                                                  .frames = frames};
}

void pd_code_read(struct pd_code_frames *c, const struct entry *e)
{
    struct jitdump_records dump;
    struct jitdump_record record;
    struct jitdump_code code;
    struct map loads = {0}; /* index -> piece */
    struct bytes next = {0};

    if (!jitdump_probe(e->data, e->size) ||
        !jitdump_open(&dump, e->name, e->data, e->size, NULL))
        return;
    while (jitdump_next(&dump, &record)) {
        uint64_t time = dump.processor_clock ? 0 : record.time;

        if (record.id == JITDUMP_UNWINDING_INFO) {
            next = jitdump_frames(&dump, &record);
            next.data = arena_copy(&c->kept, next.data, next.len);
        } else if (jitdump_code(&dump, &record, &code)) {
            uint32_t load = map_get(&loads, code.index, 0);

            if (record.id == JITDUMP_LOAD) {
                map_set(&loads, code.index, 0, mem_next_id(c->pieces.len));
                add_piece(c, &code, time, next);
                next.len = 0;
            } else if (load != MAP_NONE) {
                add_piece(c, &code, time, c->pieces.data[load].frames);
            }
        }
    }
    map_release(&loads);
}

static struct pd_code_process *process_of(struct pd_code_frames *c,
                                          struct pd_reading *r, uint32_t pid,
                                          uint32_t jitdump)
{
    uint32_t fresh = mem_next_id(c->processes.len);
    uint32_t id = map_add(&c->process_ids, pid, jitdump, fresh);
    struct pd_code_process process = {NO_ID, c->pieces.len, 0};

    if (id == fresh) {
        pd_read_code_frames(r, pid, jitdump, c);
        process.end = c->pieces.len;
        *vec_add(&c->processes) = process;
    }
    return &c->processes.data[id];
}

uint32_t pd_code_at(struct pd_code_frames *c, struct pd_reading *r,
                    uint32_t pid, uint32_t jitdump, uint64_t address,
                    uint64_t time)
{
    struct pd_code_process *p = process_of(c, r, pid, jitdump);
    bool timed = pd_clock_is_monotonic(r);
    uint32_t i;

    c->tree.most = SIZE_MAX; /* a piece is a record of the dump */
    for (; p->next < p->end; p->next++) {
        const struct pd_code_piece *piece = &c->pieces.data[p->next];

        if (timed && piece->time > time)
            break;
        p->root = pd_mapping_tree_set(&c->tree, p->root, 0, piece->start,
                                      piece->size, (uint32_t)p->next);
    }
    i = pd_mapping_tree_find(&c->tree, p->root, address);
    return i == NO_ID ? NO_ID : PD_CODE_FIRST + i;
}

/* Distances in it are as if it lay behind the code. */
void *pd_code_open(struct pd_code_frames *c, uint32_t piece,
                   const struct frame_rules_source *source)
{
    struct pd_code_piece *p = &c->pieces.data[piece - PD_CODE_FIRST];

    if (!p->sought && p->frames.len && source->open_code)
        p->opened = source->open_code(source->state, p->frames,
                                      p->start + ((p->size + 7) & ~7ull));
    p->sought = true;
    return p->opened;
}

void pd_code_frames_release(struct pd_code_frames *c,
                            const struct frame_rules_source *source)
{
    for (size_t i = 0; i < c->pieces.len; i++)
        if (c->pieces.data[i].opened)
            source->close(c->pieces.data[i].opened);
    vec_release(&c->pieces);
    vec_release(&c->processes);
    map_release(&c->process_ids);
    pd_mapping_tree_release(&c->tree);
    arena_release(&c->kept);
}
