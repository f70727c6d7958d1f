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

#include "engine/base/text.h"
#include "engine/format/perfdata/expression.h"
#include "engine/format/perfdata/generated.h"
#include "engine/format/perfdata/mapping_tree.h"
#include "engine/model/module_twins.h"

enum {
    MOST_FRAMES = STACK_PART_DEEPEST,
    /* Nodes of the mapping tree that any file may have, and one more for each
     * BYTES_PER_NODE bytes of the file. */
    NODES_FREE = 1 << 20,
    BYTES_PER_NODE = 24,
    /* Bytes of rules that are kept whatever the file's size. */
    ROWS_FREE = 32 << 20,
    /* Steps of expressions for one frame; those of a signal handler, which
     * saves all registers, take 20. */
    FRAME_STEPS = 200,
};

/* ---- machines ---- */

/* The numbers of a machine's registers. */
struct machine {
    uint8_t stack, frame; /* pointers, in DWARF's numbers */
    uint8_t numbers[64];  /* by perf's number: DWARF's + 1; 0: none */
    uint8_t address;      /* of the code, in perf's numbers */
    uint8_t address_bits; /* upper ones are a signature */
};

static const struct machine x64 = {
    .stack = 7,
    .frame = 6,
    .numbers = {1, 4, 3, 2, 5, 6, 7, 8, 17, [16] = 9, 10, 11, 12, 13, 14, 15,
                16},
    .address = 8,
    .address_bits = 64,
};

static const struct machine arm64 = {
    .stack = 31,
    .frame = 29,
    .numbers = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33},
    .address = 32,
    .address_bits = 48,
};

static const struct machine *pd_machine(enum pd_machine id)
{
    return id == PD_X64 ? &x64 : id == PD_ARM64 ? &arm64 : NULL;
}

/* A recorder of 32 bits names its own kind of the machine. */
enum pd_machine pd_machine_by_name(struct bytes name)
{
    static const struct {
        const char *name;
        enum pd_machine id;
    } names[] = {
        {"x86_64", PD_X64},    {"amd64", PD_X64},   {"i386", PD_X64},
        {"i486", PD_X64},      {"i586", PD_X64},    {"i686", PD_X64},
        {"aarch64", PD_ARM64}, {"arm64", PD_ARM64}, {"armv8l", PD_ARM64},
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (bytes_are(name, names[i].name))
            return names[i].id;
    return name.len ? PD_MACHINE_OTHER : PD_MACHINE_UNKNOWN;
}

static enum pd_machine pd_machine_by_elf(unsigned number)
{
    enum { EM_NONE = 0, EM_X86_64 = 62, EM_AARCH64 = 183 };

    switch (number) {
    case EM_NONE:
        return PD_MACHINE_UNKNOWN;
    case EM_X86_64:
        return PD_X64;
    case EM_AARCH64:
        return PD_ARM64;
    }
    return PD_MACHINE_OTHER;
}

/* x64 has no use for the segment registers, 12 to 15, which are others'
 * general ones. arm64 ends with sp and pc; 46 is the length of its vectors. */
static enum pd_machine pd_machine_by_mask(uint64_t mask)
{
    const uint64_t x64_all = 0xFF0FFF, x64_least = 1 << 7 | 1 << 8;
    const uint64_t arm64_all = (((uint64_t)1 << 33) - 1) | (uint64_t)1 << 46;
    const uint64_t arm64_least = (uint64_t)3 << 31;

    if (!(mask & ~x64_all) && (mask & x64_least) == x64_least)
        return PD_X64;
    if (!(mask & ~arm64_all) && (mask & arm64_least) == arm64_least)
        return PD_ARM64;
    return PD_MACHINE_OTHER;
}

/* ---- the walker ---- */

/* An image, once it was asked for. */
struct image {
    bool sought, shared; /* with a module of the same identity */
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
    VEC(struct image) images; /* by module */
    struct module_twins twins;
    struct pd_code_frames code; /* by module, too: their numbers follow */
    struct map row_ids;         /* (address, module) -> row */
    VEC(struct known_row) rows;
    size_t most_rows;       /* that are kept */
    struct known_row asked; /* the row beyond them that was asked for last */
    struct pd_mapping_tree mappings;
    uint8_t frames[MOST_FRAMES * 8];
    uint8_t exact[MOST_FRAMES];
    uint32_t count;
};

/* One stack while it is walked. */
struct walk {
    struct pd_walker *w;
    const struct machine *machine;
    uint32_t root; /* of the tree of mappings */
    uint32_t pid, jitdump;
    uint64_t time;
    struct frame_state state;
    uint64_t address;
    bool exact; /* not where a call returns to */
    bool lost;  /* a register was saved behind the end of the copy */
    enum stack_end guessed; /* why a caller was guessed, or 0 */
    bool leaf_guessed; /* that of the leaf, in a file: it may have no frame */
    enum stack_end end;
};

struct pd_walker *pd_walker_new(struct pd_reading *r)
{
    struct pd_walker *w = mem_new(1, sizeof(*w));

    w->r = r;
    w->source = r->options->frames;
    w->mappings.most = NODES_FREE + r->size / BYTES_PER_NODE;
    w->most_rows = (ROWS_FREE + r->size) / sizeof(struct known_row);
    return w;
}

void pd_walker_free(struct pd_walker *w)
{
    if (!w)
        return;
    w->r->walks_cut = w->mappings.full;
    for (size_t i = 0; i < w->images.len; i++) {
        void *opened = w->images.data[i].opened;

        if (!opened || w->images.data[i].shared)
            continue;
        w->r->rules_cut |= w->source->is_cut && w->source->is_cut(opened);
        w->source->close(opened);
    }
    vec_release(&w->images);
    module_twins_release(&w->twins);
    pd_code_frames_release(&w->code, w->source);
    vec_release(&w->rows);
    map_release(&w->row_ids);
    pd_mapping_tree_release(&w->mappings);
    free(w);
}

uint32_t pd_walker_owner(struct pd_walker *w)
{
    return ++w->mappings.owners;
}

uint32_t pd_walker_map(struct pd_walker *w, uint32_t root, uint32_t owner,
                       uint32_t mapping)
{
    const struct pd_mapping *m = &w->r->mappings.data[mapping];

    return pd_mapping_tree_set(&w->mappings, root, owner, m->base, m->size,
                               mapping);
}

/* ---- what lies at an address ---- */

static void *module_image(struct pd_walker *w, uint32_t module)
{
    const struct profile *p = w->r->profile;
    struct image *image;
    uint32_t first;

    while (w->images.len <= module)
        *vec_add(&w->images) = (struct image){0};
    image = &w->images.data[module];
    if (image->sought)
        return image->opened;
    first = module_twins_add(&w->twins, p->modules.data, module);
    image->sought = true;
    image->shared = first != module;
    if (first == module)
        image->opened = w->source->open(w->source->state, p, module);
    else if (first != NO_ID)
        image->opened = w->images.data[first].opened;
    else
        w->r->rules_cut = true;
    return image->opened;
}

static const struct pd_mapping *find_mapping(const struct walk *k,
                                             uint64_t address)
{
    uint32_t i = pd_mapping_tree_find(&k->w->mappings, k->root, address);

    return i == NO_ID ? NULL : &k->w->r->mappings.data[i];
}

/* Keeps the row of each address, but no more than the file's size allows. The
 * answer holds until the next call. */
static const struct frame_row *row_at(struct pd_walker *w, uint32_t module,
                                      uint64_t address)
{
    uint32_t id = map_get(&w->row_ids, address, module);
    struct known_row *known = &w->asked;

    if (id != MAP_NONE) {
        known = &w->rows.data[id];
    } else {
        void *image;

        if (w->rows.len < w->most_rows) {
            map_set(&w->row_ids, address, module, mem_next_id(w->rows.len));
            known = vec_add(&w->rows);
        }
        /* `module` or, behind all of them, a piece of generated code. */
        image = module < PD_CODE_FIRST
                    ? module_image(w, module)
                    : pd_code_open(&w->code, module, w->source);
        known->found = image && w->source->find(image, address, &known->row);
    }
    return known->found ? &known->row : NULL;
}

/* The rules for the frame that a walk stands at. NULL, and why in `end`. */
static const struct frame_row *find_row(struct walk *k)
{
    struct pd_walker *w = k->w;
    uint64_t address = k->address - (k->exact || !k->address ? 0 : 1);
    const struct pd_mapping *m = find_mapping(k, address);
    const struct frame_row *row = NULL;
    uint32_t code;

    if (m)
        row = row_at(w, pd_module(w->r, m), address - m->base + m->file_offset);
    if (row)
        return row;
    k->end = STACK_END_NO_UNWIND_DATA;
    code = pd_code_at(&w->code, w->r, k->pid, k->jitdump, address, k->time);
    if (code != NO_ID)
        row = row_at(w, code, address);
    if (code != NO_ID ||
        (m && pd_is_generated(strings_get(w->r->strings, m->path))))
        k->end = STACK_END_GENERATED_CODE;
    return row;
}

/* ---- from frame to frame ---- */

static bool frame_address(const struct walk *k, const struct frame_row *row,
                          unsigned *steps, uint64_t *frame)
{
    if (row->frame.kind == RULE_EXPRESSION)
        return frame_expression(&k->state, &row->frame, NULL, steps, frame);
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
                            unsigned *steps, uint64_t *value)
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
        return frame_expression(s, rule, &frame, steps, &address) &&
               frame_memory(s, address, value);
    case RULE_EXPRESSION:
        return frame_expression(s, rule, &frame, steps, value);
    }
    return false;
}

static bool end_walk(struct walk *k, enum stack_end end)
{
    k->end = end;
    return false;
}

/* Goes to the caller. False where the stack ends. */
static bool step_by_rules(struct walk *k, const struct frame_row *row)
{
    struct frame_state caller = k->state;
    unsigned back = row->return_register, stack = k->machine->stack;
    unsigned steps = FRAME_STEPS;
    uint64_t frame, value;

    if (row->rules[back].kind == RULE_UNDEFINED)
        return end_walk(k, k->leaf_guessed ? STACK_END_NO_UNWIND_DATA
                                           : STACK_END_ROOT);
    if (!frame_address(k, row, &steps, &frame))
        return end_walk(k, k->lost ? STACK_END_COPY : STACK_END_BROKEN);
    for (unsigned i = 0; i < FRAME_REGISTERS; i++) {
        const struct frame_rule *rule = &row->rules[i];
        bool has = caller_register(&k->state, i, rule, frame, &steps, &value);

        caller.known &= ~((uint64_t)1 << i);
        if (has) {
            caller.registers[i] = value;
            caller.known |= (uint64_t)1 << i;
        } else if (rule->kind == RULE_SAVED) {
            k->lost = true;
        }
    }
    if (row->rules[stack].kind == RULE_SAME) {
        caller.registers[stack] = frame;
        caller.known |= (uint64_t)1 << stack;
    }
    if (!(caller.known >> back & 1)) {
        k->w->r->cut_stacks++;
        return end_walk(k, STACK_END_COPY);
    }
    /* Stacks that do not shrink would be walked for ever. */
    if (k->w->count > 1 && caller.registers[stack] <= k->state.registers[stack])
        return end_walk(k, STACK_END_BROKEN);
    k->state = caller;
    k->address = caller.registers[back];
    k->exact = row->signal;
    return true;
}

/* JIT compilers make frames in leaves, too, those of .NET's assemblies among
 * them; others do not. */
static bool lies_in_native_file(const struct walk *k)
{
    const struct pd_mapping *m = find_mapping(k, k->address);
    const char *path = m ? strings_get(k->w->r->strings, m->path) : "";

    return m && !pd_is_generated(path) && !text_ends(path, ".dll") &&
           !text_ends(path, ".exe");
}

/* The frame pointer leads to that of the caller, and the address it returns
 * to lies above. `end` says why there is no better way. Programs and threads
 * begin with one of 0, in code that mostly has no rules: names have to tell. */
static bool step_by_pointer(struct walk *k)
{
    unsigned frame = k->machine->frame, stack = k->machine->stack;
    struct frame_state *s = &k->state;
    uint64_t at = s->registers[frame], caller, back;

    k->guessed = k->end;
    k->leaf_guessed |= k->exact && k->end == STACK_END_NO_UNWIND_DATA &&
                       lies_in_native_file(k);
    if (!at && !k->exact && k->end == STACK_END_NO_UNWIND_DATA)
        return end_walk(k, k->leaf_guessed ? k->end : STACK_END_UNKNOWN);
    if (!(s->known >> frame & 1) || at < s->registers[stack] ||
        !frame_memory(s, at, &caller) || !frame_memory(s, at + 8, &back))
        return false;
    s->registers[stack] = at + 16;
    s->registers[frame] = caller;
    k->address = back;
    k->exact = false;
    return true;
}

/* The address that a signal handler returns to follows no call: it is the first
 * byte of the trampoline. A return address of 0 may be the mark of the
 * outermost frame, or a stack that was switched: names have to tell. */
static bool step_walk(struct walk *k)
{
    const struct frame_row *row = find_row(k);

    if (row && row->signal)
        k->w->exact[k->w->count - 1] = true;
    if (!(row ? step_by_rules(k, row) : step_by_pointer(k)))
        return false;
    return k->address || end_walk(k, k->guessed);
}

/* ---- the whole stack ---- */

/* False: not all of them are there. */
static bool read_registers(struct walk *k, const struct pd_user_stack *stack)
{
    struct reader r = reader_of("registers", stack->registers.data,
                                stack->registers.len, 0, NULL);
    const struct machine *m = k->machine;

    for (unsigned i = 0; i < 64; i++) {
        uint64_t value;

        if (!(stack->mask >> i & 1))
            continue;
        value = reader_u64(&r);
        if (i == m->address)
            k->address = value;
        if (m->numbers[i]) {
            k->state.registers[m->numbers[i] - 1] = value;
            k->state.known |= (uint64_t)1 << (m->numbers[i] - 1);
        }
    }
    if (k->state.known >> m->stack & 1)
        k->state.memory = stack->memory;
    k->state.memory_at = k->state.registers[m->stack];
    return !r.failed;
}

static bool begin_walk(struct walk *k, const struct pd_user_stack *stack)
{
    return read_registers(k, stack) &&
           (stack->mask >> k->machine->address & 1) &&
           (k->state.known >> k->machine->stack & 1);
}

/* Recorders that were killed, and old pipes, do not say what machine it was:
 * the image that the walk begins in does, else the registers themselves. */
static enum pd_machine find_machine(const struct walk *k,
                                    const struct pd_user_stack *stack)
{
    const struct frame_rules_source *source = k->w->source;
    enum pd_machine guess = pd_machine_by_mask(stack->mask), said;
    struct walk start = *k;
    const struct pd_mapping *m;
    void *image;

    start.machine = pd_machine(guess);
    if (!start.machine || !source->machine || !begin_walk(&start, stack))
        return guess;
    m = find_mapping(&start, start.address);
    image = m ? module_image(k->w, pd_module(k->w->r, m)) : NULL;
    said = pd_machine_by_elf(image ? source->machine(image) : 0);
    return said ? said : guess;
}

static uint32_t walk_stack(struct pd_walker *w, struct walk *k)
{
    struct callchain run = {.frames = w->frames, .width = 8, .exact = w->exact};

    w->count = 0;
    do {
        k->address &= UINT64_MAX >> (64 - k->machine->address_bits);
        store_u64(w->frames + (size_t)w->count * 8, k->address);
        w->exact[w->count++] = k->exact;
    } while (w->count < MOST_FRAMES && step_walk(k));
    if (w->count == MOST_FRAMES)
        k->end = STACK_END_DEPTH;
    run.count = w->count;
    return callchains_add(&w->r->seen->callchains, &run,
                          callchain_fingerprint(&run), false);
}

/* ---- the caller of a leaf ---- */

/* False: it is not known, or it is in the chain, as the leaf has a frame. */
static bool leaf_caller(const struct walk *k, const struct frame_row *row,
                        uint64_t *caller)
{
    const struct frame_rule *rule = &row->rules[row->return_register];
    unsigned steps = FRAME_STEPS;
    uint64_t frame = 0;

    if (row->signal)
        return false;
    if (rule->kind != RULE_SAME &&
        ((row->frame.kind == RULE_REGISTER && row->base == k->machine->frame) ||
         !frame_address(k, row, &steps, &frame)))
        return false;
    return caller_register(&k->state, row->return_register, rule, frame, &steps,
                           caller);
}

/* Its caller's frame pointer is in its register still. */
static bool has_no_frame(const struct walk *k, const struct frame_row *row)
{
    return row->rules[row->return_register].kind == RULE_SAVED &&
           row->base != k->machine->frame &&
           row->rules[k->machine->frame].kind == RULE_SAME;
}

/* The chain, with the caller of its leaf if that is missing. Sets `end` if it
 * is, and is not known. */
static uint32_t mend_leaf(struct pd_walker *w, struct walk *k,
                          const struct pd_user_stack *stack)
{
    struct callchains *all = &w->r->seen->callchains;
    struct callchain run = all->list.data[stack->chain], mended = run;
    uint64_t mask = UINT64_MAX >> (64 - k->machine->address_bits), caller;
    const struct frame_row *row;
    size_t rest = run.count - 1;

    read_registers(k, stack);
    k->address = callchain_frame(&run, 0);
    row = run.exact ? NULL : find_row(k);
    k->end = STACK_END_UNKNOWN;
    if (!row || rest > MOST_FRAMES - 2)
        return stack->chain;
    if (!leaf_caller(k, row, &caller)) {
        if (has_no_frame(k, row))
            k->end = STACK_END_LEAF_FRAME;
        return stack->chain;
    }
    caller &= mask;
    if (!caller || (rest && (callchain_frame(&run, 1) & mask) == caller))
        return stack->chain;
    store_u64(w->frames, k->address);
    store_u64(w->frames + 8, caller);
    memcpy(w->frames + 16, run.frames + 8, rest * 8);
    mended.frames = w->frames;
    mended.count++;
    return callchains_add(all, &mended, callchain_fingerprint(&mended), false);
}

/* ---- samples ---- */

void pd_walk(struct pd_walker *w, size_t i, uint32_t root, uint32_t jitdump)
{
    struct pd_reading *r = w->r;
    struct samples *s = &r->samples;
    const struct pd_user_stack *stack = &r->stacks.data[s->stack[i]];
    struct walk k = {
        .w = w,
        .root = root,
        .pid = r->seen->thread_keys.data[s->thread[i]].pid,
        .jitdump = jitdump,
        .time = (uint64_t)s->time[i],
        .exact = true,
        .end = STACK_END_MACHINE,
    };
    enum pd_machine machine = stack->foreign ? PD_MACHINE_OTHER
                              : r->machine   ? r->machine
                                             : find_machine(&k, stack);

    s->leaf[i] &= (uint8_t)~PD_WALKS;
    s->stack[i] = stack->chain;
    k.machine = pd_machine(machine);
    if (stack->chain) {
        if (k.machine)
            s->stack[i] = mend_leaf(w, &k, stack);
        if (k.end == STACK_END_LEAF_FRAME)
            s->flags[i] = stack_end_put(s->flags[i], k.end);
        return;
    }
    if (k.machine && begin_walk(&k, stack)) {
        s->stack[i] = walk_stack(w, &k);
        if (s->leaf[i] && !stack->in_kernel)
            s->inner[i] = s->leaf[i] = 0;
    } else if (k.machine) {
        k.end = STACK_END_BROKEN;
    }
    if (k.end <= STACK_END_ROOT && stack_end_of(s->flags[i]))
        return; /* the walk is of the user part alone */
    s->flags[i] = stack_end_put(s->flags[i], k.end);
}
