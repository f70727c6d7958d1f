#include "engine/format/perfdata/printed_memory.h"

#include <string.h>

#include "engine/base/text.h"

#define FILE_BITS 48
#define MADE_UP   ((uint64_t)1 << 47) /* addresses from here on, of inlined */
#define FILE_MASK (((uint64_t)1 << FILE_BITS) - 1)

/* ---- images ---- */

static bool begins_with(const char *text, const char *prefix)
{
    return !strncmp(text, prefix, strlen(prefix));
}

static uint32_t image_of(struct printed_memory *m, struct bytes file,
                         bool kernel)
{
    struct pd_reading *r = m->r;
    uint32_t path = pd_text(r, file), fresh = mem_next_id(m->images.len);
    struct pd_mapping mapping = {.path = path, .kernel = kernel};
    const char *text = strings_get(r->strings, path);
    struct printed_image image = {
        .path = path,
        .kernel = kernel,
        .jit = begins_with(path_base_name(text), "perf-") ||
               begins_with(text, "[JIT]") || pd_is_generated(text),
        .module = NO_ID,
    };
    uint32_t id = map_add(&m->image_ids, path, kernel, fresh);

    if (id != fresh)
        return id;
    image.symbols = observe_symbol_set(r->seen);
    if (!image.jit) {
        image.module = pd_module(r, &mapping);
        /* What was printed are addresses in memory: no file knows them. */
        r->profile->modules.data[image.module].by_file_offset = false;
    }
    *vec_add(&m->images) = image;
    return id;
}

/* In every process that has frames in it. */
static void tell_image(struct printed_memory *m, uint32_t id, uint32_t pid)
{
    const struct printed_image *i = &m->images.data[id];
    struct observed_image fact = {
        .time = -1,
        .event = SEEN_AT_START,
        .pid = pid,
        .base = (uint64_t)(id + 1) << FILE_BITS,
        .size = FILE_MASK,
        .module = i->module,
        .symbols = i->symbols,
        .jit = i->jit,
    };

    if (map_get(&m->told, id, pid) != MAP_NONE)
        return;
    map_set(&m->told, id, pid, 0);
    observe_image(m->r->seen, &fact);
}

/* ---- frames ---- */

bool printed_frame_is_kernel(const struct printed_frame *frame)
{
    return frame->address >= kernel_space_start(8);
}

/* A function that was inlined is its own place in the file. */
static uint64_t made_up_address(struct printed_memory *m, uint32_t image,
                                struct bytes symbol)
{
    uint32_t name = pd_text(m->r, symbol);
    uint32_t fresh = (uint32_t)m->made_up.used;
    uint32_t number = map_add(&m->made_up, name, image, fresh);

    return MADE_UP | (uint64_t)number << 1 | 1;
}

static void tell_symbol(struct printed_memory *m,
                        const struct printed_image *image, uint64_t code,
                        struct bytes name)
{
    struct observations *seen = m->r->seen;
    struct observed_symbol fact = {
        .set = image->symbols,
        .start = code,
        .size = 1,
        .unplaced = true,
        .name = {name.data, (uint32_t)name.len, false},
    };

    if (!name.len || map_get(&m->symbol_ids, code, fact.set) != MAP_NONE)
        return;
    map_set(&m->symbol_ids, code, fact.set, 0);
    observe_symbol(seen, &fact);
}

/* The address in our memory. `holder` has the file of an inlined frame. Where
 * files are not printed, functions of several may be at one address, and only
 * the kernel's are told apart by it. */
static uint64_t place(struct printed_memory *m, const struct printed_frame *f,
                      const struct printed_frame *holder, bool caller)
{
    static const struct bytes nowhere = {(const uint8_t *)"[unknown]", 9};
    bool kernel = printed_frame_is_kernel(holder);
    struct bytes file = holder->file.len ? holder->file : nowhere;
    uint64_t address = f->address;
    struct printed_image *image;
    uint32_t id;

    if (!holder->file.len && !f->symbol.len)
        return kernel ? address : address & FILE_MASK;
    id = holder == m->held_by ? m->held_in : image_of(m, file, kernel);
    m->held_by = holder;
    m->held_in = id;
    if (id >= PRINTED_FILES) {
        m->frames_elsewhere++;
        return address & FILE_MASK;
    }
    image = &m->images.data[id];
    if (f->inlined || (!holder->file.len && !kernel))
        address = made_up_address(m, id, f->symbol);
    if (kernel && !f->inlined) {
        if (!image->last || address - 1 < image->first)
            image->first = address - 1;
        if (address > image->last)
            image->last = address;
    } else {
        tell_image(m, id, m->pid);
        address = (address & FILE_MASK) | (uint64_t)(id + 1) << FILE_BITS;
    }
    tell_symbol(m, image, address - caller, f->symbol);
    return address;
}

uint32_t printed_memory_keep(struct printed_memory *m, uint32_t pid,
                             const struct printed_frame *frames, size_t n)
{
    struct pd_reading *r = m->r;
    struct callchain run = {.frames = m->addresses, .width = 8};
    const struct printed_frame *holder = NULL, *end;

    if (!n)
        return 0;
    end = frames + n;
    m->pid = pid;
    m->held_by = NULL;
    for (const struct printed_frame *f = frames;
         f < end && run.count < PRINTED_FRAMES; f++) {
        uint64_t address;

        if (!holder || holder < f)
            holder = f;
        while (holder->inlined && holder + 1 < end)
            holder++;
        address = place(m, f, holder, f > frames);
        store_u64(m->addresses + (size_t)8 * run.count++, address);
    }
    return callchains_add(&r->seen->callchains, &run,
                          callchain_fingerprint(&run), false);
}

void printed_memory_tell_kernel(struct printed_memory *m)
{
    uint64_t start = kernel_space_start(8);

    for (size_t k = 0; k < m->images.len; k++) {
        const struct printed_image *i = &m->images.data[k];
        bool whole =
            begins_with(strings_get(m->r->strings, i->path), "[kernel.");
        struct observed_image fact = {
            .time = -1,
            .event = SEEN_AT_START,
            .kernel = true,
            .base = whole ? start : i->first,
            .size = whole ? UINT64_MAX - start : i->last - i->first + 1,
            .module = i->module,
            .symbols = i->symbols,
        };

        if (i->kernel && i->last)
            observe_image(m->r->seen, &fact);
    }
}

void printed_memory_release(struct printed_memory *m)
{
    map_release(&m->image_ids);
    vec_release(&m->images);
    map_release(&m->told);
    map_release(&m->symbol_ids);
    map_release(&m->made_up);
}
