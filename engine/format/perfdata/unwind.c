/*
 * User stacks from copies of registers and stack memory: from frame to frame
 * by the rules of the image that each frame's code is in. Code without rules,
 * as a JIT compiler makes it, is taken to keep frame pointers.
 *
 * Registers are in the order of bits of the event's mask, which has perf's
 * own numbers; frames have those of DWARF. (format.md, section 9)
 */
#include "engine/format/perfdata/perfdata.h"

#include <string.h>

#include "engine/format/perfdata/expression.h"

enum {
    MOST_FRAMES = 1024,
    ARM_ADDRESS_BITS = 48,
    PAGE_SHIFT = 12,
    /* Mappings gone through in search of those that hold addresses: many
     * addresses of a process that mapped much are out of proportion. */
    STEPS_FREE = 1 << 26,
    STEPS_PER_BYTE = 4,
};

/* An image, once it was asked for. */
struct image {
    bool sought;
    void *opened;
};

/* The rules at an address, once they were asked for. */
struct known_row {
    bool found;
    struct frame_row row;
};

struct pd_walker {
    struct pd_reading *r;
    const struct frame_rules_source *source;
    VEC(struct image) images;       /* by module */
    struct map row_ids;             /* (address, module) -> row */
    VEC(struct known_row) rows;
    struct map mapping_ids;         /* (page, newest mapping) -> its own + 1 */
    uint8_t frames[MOST_FRAMES * 8];
    uint8_t exact[MOST_FRAMES];
    uint32_t count;
    uint64_t steps; /* that may be taken yet */
};

/* What a machine calls its registers. */
struct machine {
    uint8_t stack, frame; /* pointers, in DWARF's numbers */
    uint8_t numbers[64];  /* by perf's number: DWARF's + 1; 0: none */
    uint8_t address;      /* of the code, in perf's numbers */
};

static const struct machine x64 = {
    .stack = 7,
    .frame = 6,
    .numbers = {1, 4, 3, 2, 5, 6, 7, 8, 17, [16] = 9, 10, 11, 12, 13, 14, 15,
                16},
    .address = 8,
};

static const struct machine arm64 = {
    .stack = 31,
    .frame = 29,
    .numbers = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33},
    .address = 32,
};

/* One stack while it is walked. */
struct walk {
    struct pd_walker *w;
    const struct machine *machine;
    uint32_t newest; /* mapping */
    struct frame_state state;
    uint64_t address;
    bool exact;      /* not where a call returns to */
};

struct pd_walker *pd_walker_new(struct pd_reading *r)
{
    struct pd_walker *w = mem_new(1, sizeof(*w));

    w->r = r;
    w->steps = STEPS_FREE + STEPS_PER_BYTE * (uint64_t)r->size;
    w->source = r->options->frames;
    return w;
}

void pd_walker_free(struct pd_walker *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->images.len; i++)
        if (w->images.data[i].opened)
            w->source->close(w->images.data[i].opened);
    vec_release(&w->images);
    vec_release(&w->rows);
    map_release(&w->row_ids);
    map_release(&w->mapping_ids);
    free(w);
}

/* ---- what lies at an address ---- */

static void *image_of(struct pd_walker *w, uint32_t module)
{
    struct image *image;

    while (w->images.len <= module)
        *vec_add(&w->images) = (struct image){0};
    image = &w->images.data[module];
    if (!image->sought)
        image->opened =
            w->source->open(w->source->state, w->r->profile, module);
    image->sought = true;
    return image->opened;
}

/* The latest that holds the address. Parts of pages do not differ. */
static const struct pd_mapping *find_mapping(struct pd_walker *w,
                                             uint32_t newest, uint64_t address)
{
    const struct pd_mapping *all = w->r->mappings.data;
    uint32_t known = map_get(&w->mapping_ids, address >> PAGE_SHIFT, newest);
    uint32_t i = newest;

    if (known != MAP_NONE)
        return known ? &all[known - 1] : NULL;
    while (i != NO_ID && w->steps && address - all[i].base >= all[i].size) {
        i = all[i].older;
        w->steps--;
    }
    if (!w->steps) {
        w->r->walks_cut = true;
        i = NO_ID;
    }
    map_set(&w->mapping_ids, address >> PAGE_SHIFT, newest, i + 1);
    return i == NO_ID ? NULL : &all[i];
}

static const struct frame_row *row_at(struct pd_walker *w, uint32_t module,
                                      uint64_t address)
{
    uint32_t fresh = mem_next_id(w->rows.len);
    uint32_t id = map_add(&w->row_ids, address, module, fresh);
    struct known_row *known;
    void *image;

    if (id == fresh) {
        known = vec_add(&w->rows);
        image = image_of(w, module);
        known->found = image && w->source->find(image, address, &known->row);
    }
    known = &w->rows.data[id];
    return known->found ? &known->row : NULL;
}

/* The rules for the frame that a walk stands at. */
static const struct frame_row *find_row(struct walk *k)
{
    uint64_t address = k->address - (k->exact || !k->address ? 0 : 1);
    const struct pd_mapping *m = find_mapping(k->w, k->newest, address);
    uint32_t module = m ? pd_module(k->w->r, m) : NO_ID;

    return module == NO_ID ? NULL
                           : row_at(k->w, module,
                                    address - m->base + m->file_offset);
}

/* ---- from frame to frame ---- */

static bool frame_address(const struct walk *k, const struct frame_row *row,
                          uint64_t *frame)
{
    if (row->frame.kind == RULE_EXPRESSION)
        return frame_expression(&k->state, &row->frame, 0, false, frame);
    if (row->frame.kind != RULE_REGISTER)
        return false;
    if (!(k->state.known >> row->base & 1))
        return false;
    *frame = k->state.registers[row->base] + (uint64_t)row->frame.offset;
    return true;
}

/* A register of the caller. False: it is lost. */
static bool caller_register(const struct frame_state *s, unsigned i,
                            const struct frame_rule *rule, uint64_t frame,
                            uint64_t *value)
{
    uint64_t address;

    switch (rule->kind) {
    case RULE_SAME:
        *value = s->registers[i];
        return s->known >> i & 1;
    case RULE_SAVED:
        return frame_memory(s, frame + (uint64_t)rule->offset, value);
    case RULE_OFFSET:
        *value = frame + (uint64_t)rule->offset;
        return true;
    case RULE_REGISTER:
        if (rule->offset < 0 || rule->offset >= FRAME_REGISTERS)
            return false;
        *value = s->registers[rule->offset];
        return s->known >> rule->offset & 1;
    case RULE_SAVED_EXPRESSION:
        return frame_expression(s, rule, frame, true, &address) &&
               frame_memory(s, address, value);
    case RULE_EXPRESSION:
        return frame_expression(s, rule, frame, true, value);
    }
    return false;
}

/* Goes to the caller. False where the stack ends. */
static bool step_by_rules(struct walk *k, const struct frame_row *row)
{
    struct frame_state caller = k->state;
    unsigned back = row->return_register, stack = k->machine->stack;
    uint64_t frame, value;

    if (!frame_address(k, row, &frame))
        return false;
    for (unsigned i = 0; i < FRAME_REGISTERS; i++) {
        bool has = caller_register(&k->state, i, &row->rules[i], frame, &value);

        caller.known &= ~((uint64_t)1 << i);
        if (has) {
            caller.registers[i] = value;
            caller.known |= (uint64_t)1 << i;
        }
    }
    if (row->rules[stack].kind == RULE_SAME) {
        caller.registers[stack] = frame;
        caller.known |= (uint64_t)1 << stack;
    }
    if (row->rules[back].kind == RULE_UNDEFINED)
        return false;
    if (!(caller.known >> back & 1)) {
        k->w->r->cut_stacks++;
        return false;
    }
    /* Stacks that do not shrink would be walked for ever. */
    if (k->w->count > 1 &&
        caller.registers[stack] <= k->state.registers[stack])
        return false;
    k->state = caller;
    k->address = caller.registers[back];
    k->exact = row->signal;
    return true;
}

/* The frame pointer leads to that of the caller, and the address it returns
 * to lies above. */
static bool step_by_pointer(struct walk *k)
{
    unsigned frame = k->machine->frame, stack = k->machine->stack;
    struct frame_state *s = &k->state;
    uint64_t at = s->registers[frame], caller, back;

    if (!(s->known >> frame & 1) || at < s->registers[stack] ||
        !frame_memory(s, at, &caller) || !frame_memory(s, at + 8, &back))
        return false;
    s->registers[stack] = at + 16;
    s->registers[frame] = caller;
    k->address = back;
    k->exact = false;
    return true;
}

/* Without the signature that arm64 keeps in the upper bits. */
static void add_frame(struct walk *k)
{
    uint8_t *at = k->w->frames + (size_t)k->w->count * 8;

    if (k->machine == &arm64)
        k->address &= ((uint64_t)1 << ARM_ADDRESS_BITS) - 1;
    store_u64(at, k->address);
    k->w->exact[k->w->count++] = k->exact;
}

/* Where a signal handler returns to, nothing was called: it is the first byte
 * of the trampoline. */
static bool step(struct walk *k)
{
    const struct frame_row *row = find_row(k);

    if (row && row->signal)
        k->w->exact[k->w->count - 1] = true;
    return (row ? step_by_rules(k, row) : step_by_pointer(k)) && k->address;
}

/* ---- the whole stack ---- */

static bool begin(struct walk *k, const struct pd_user_stack *stack)
{
    struct reader r = reader_of("registers", stack->registers.data,
                                stack->registers.len, 0, NULL);
    const struct machine *m = k->machine;
    bool has_address = false;

    for (unsigned i = 0; i < 64; i++) {
        uint64_t value;

        if (!(stack->mask >> i & 1))
            continue;
        value = reader_u64(&r);
        if (i == m->address) {
            k->address = value;
            has_address = true;
        }
        if (m->numbers[i]) {
            k->state.registers[m->numbers[i] - 1] = value;
            k->state.known |= (uint64_t)1 << (m->numbers[i] - 1);
        }
    }
    k->state.memory = stack->memory;
    k->state.memory_at = k->state.registers[m->stack];
    return has_address && (k->state.known >> m->stack & 1) && !r.failed;
}

static uint32_t walk(struct pd_walker *w, struct walk *k)
{
    struct callchain run = {.frames = w->frames, .width = 8, .exact = w->exact};

    w->count = 0;
    do
        add_frame(k);
    while (w->count < MOST_FRAMES && step(k));
    run.count = w->count;
    return callchains_add(&w->r->seen->callchains, &run,
                          callchain_fingerprint(&run), false);
}

void pd_walk(struct pd_walker *w, size_t i, uint32_t newest)
{
    struct pd_reading *r = w->r;
    struct observed_samples *s = &r->samples;
    uint32_t stack = s->outer[i];
    struct walk k = {.w = w,
                     .machine = r->arm ? &arm64 : &x64,
                     .newest = newest,
                     .exact = true};

    s->leaf[i] &= (uint8_t)~PD_WALKS;
    if (!begin(&k, &r->stacks.data[stack])) {
        s->outer[i] = 0;
        return;
    }
    s->outer[i] = walk(w, &k);
    if (s->leaf[i] && !r->stacks.data[stack].in_kernel)
        s->inner[i] = s->leaf[i] = 0;
}
