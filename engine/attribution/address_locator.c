#include "engine/attribution/address_locator.h"

/* The code at an address, before it is a location of the profile. */
struct found {
    struct location location; /* without its method */
    int64_t from, to;         /* as of `located` */
    enum { FOUND_NO_NAME, FOUND_METHOD, FOUND_SYMBOL } name;
    uint32_t fact;       /* index of the method or symbol */
    uint32_t image;      /* module that holds the symbol, or NO_ID */
    int64_t method_from; /* since when the method was there */
};

/* The address to be located. `code` is a byte of the code that ran: the one
 * before an address that a call returns to. */
struct target {
    uint64_t address, code;
    uint32_t process; /* NO_ID: of kernel space, whatever process runs */
    bool caller;
};

void locator_init(struct locator *w, const struct address_spaces *spaces)
{
    *w = (struct locator){
        .seen = spaces->seen,
        .profile = spaces->profile,
        .spaces = spaces,
    };
    trace_names_init(&w->names, spaces);
}

void locator_release(struct locator *w)
{
    trace_names_release(&w->names);
    map_release(&w->address_ids);
    vec_release(&w->located);
}

static void narrow(struct found *l, const struct range_hit *hit)
{
    if (hit->from > l->from)
        l->from = hit->from;
    if (hit->to < l->to)
        l->to = hit->to;
}

/* Why nobody knows an address that no image holds; `*out` is narrowed to when
 * that is so. */
static enum name_cause unknown_cause(const struct locator *w, int64_t time,
                                     struct found *out)
{
    const struct observations *f = w->seen;

    if (f->unknown_cause != CAUSE_NONE)
        return f->unknown_cause;
    if (time <= f->last_unload) {
        out->to = out->to < f->last_unload ? out->to : f->last_unload;
        return CAUSE_UNLOADED;
    }
    if (f->last_unload > TIME_MIN && out->from <= f->last_unload)
        out->from = f->last_unload + 1;
    return CAUSE_NO_IMAGE;
}

/* `freed`: there had been a method. */
static void describe_native(const struct locator *w, uint64_t address,
                            int64_t time, bool freed, struct found *out)
{
    struct location *l = &out->location;
    bool kernel = address >= w->seen->kernel_from;
    uint64_t page = w->seen->hypercall_page;

    if (l->module != NO_ID) {
        l->kind = kernel ? CODE_KERNEL : CODE_NATIVE;
        l->cause = CAUSE_NO_SYMBOLS;
    } else if (page && address - page < 4096) {
        l->kind = CODE_KERNEL;
        l->cause = CAUSE_HYPERCALL;
    } else {
        l->kind = kernel ? CODE_KERNEL : CODE_UNKNOWN;
        l->cause = (uint8_t)(freed ? CAUSE_FREED : unknown_cause(w, time, out));
    }
}

/* The image fact for an address in one process; `*out` is narrowed to when
 * that holds. */
static struct range_hit find_own_image(const struct locator *w,
                                       uint32_t process,
                                       const struct rangemap *images,
                                       uint64_t address, int64_t time,
                                       struct found *out)
{
    struct range_hit hit = rangemap_find(images, address, time);

    narrow(out, &hit);
    if (hit.value == UINT32_MAX && hit.to < TIME_MAX && w->seen->late_images &&
        address_spaces_process_start(w->spaces, process) == TIME_MIN)
        hit = rangemap_find(images, address, hit.to + 1);
    return hit;
}

/* By a symbol of the memory at an address. Names in an image are native;
 * elsewhere the runtime made the code. */
static bool find_symbol(const struct locator *w, const struct target *at,
                        int64_t time, struct found *out)
{
    struct range_hit hit = {.value = UINT32_MAX};
    struct location *l = &out->location;
    const struct observed_image *image;

    if (!w->seen->symbol_sets)
        return false;
    if (at->process != NO_ID)
        hit = find_own_image(w, at->process,
                             &address_spaces_of(w->spaces, at->process)->areas,
                             at->code, time, out);
    if (hit.value == UINT32_MAX) {
        hit = rangemap_find(&w->spaces->kernel.areas, at->code, time);
        narrow(out, &hit);
    }
    if (hit.value == UINT32_MAX)
        return false;
    image = &w->seen->images.data[hit.value];
    hit = rangemap_find(&w->spaces->symbols[image->symbols], at->code, time);
    if (hit.value == UINT32_MAX)
        return false;
    out->name = FOUND_SYMBOL;
    out->fact = hit.value;
    out->image = image->jit ? NO_ID : image->module;
    if (image->jit) {
        l->module = NO_ID;
        l->kind = CODE_MANAGED;
        l->address = at->address - hit.start;
    } else {
        l->kind =
            at->address >= w->seen->kernel_from ? CODE_KERNEL : CODE_NATIVE;
    }
    return true;
}

/* The image that holds an address; kernel space is part of every process. */
static struct range_hit find_image(const struct locator *w, uint32_t process,
                                   uint64_t address, int64_t time,
                                   struct found *out)
{
    struct range_hit hit = {.value = UINT32_MAX};

    if (process != NO_ID)
        hit = find_own_image(w, process,
                             &address_spaces_of(w->spaces, process)->images,
                             address, time, out);
    if (hit.value == UINT32_MAX) {
        hit = rangemap_find(&w->spaces->kernel.images, address, time);
        narrow(out, &hit);
    }
    return hit;
}

static struct found look_up(const struct locator *w, const struct target *at,
                            int64_t time)
{
    struct found out = {.location = {.address = at->address,
                                     .module = NO_ID,
                                     .method = NO_ID,
                                     .caller = at->caller},
                        .from = TIME_MIN,
                        .to = TIME_MAX};
    struct location *l = &out.location;
    struct range_hit hit;
    bool generated = false;

    hit = find_image(w, at->process, at->code, time, &out);
    if (hit.value != UINT32_MAX) {
        const struct observed_image *fact = &w->seen->images.data[hit.value];

        l->module = fact->module;
        l->address = at->address - hit.start + fact->rva;
        generated = fact->jit;
    }
    hit = (struct range_hit){.value = UINT32_MAX};
    if (at->process != NO_ID) {
        hit = rangemap_find(&address_spaces_of(w->spaces, at->process)->methods,
                            at->code, time);
        narrow(&out, &hit);
    }
    if (hit.value != UINT32_MAX && (l->module == NO_ID || generated ||
                                    !w->seen->methods.data[hit.value].listed)) {
        l->module = generated ? NO_ID : l->module;
        out.name = FOUND_METHOD;
        out.fact = hit.value;
        out.method_from = hit.from;
        l->kind = w->seen->methods.data[hit.value].kind;
        if (l->module == NO_ID)
            l->address = at->address - hit.start;
    } else if (!find_symbol(w, at, time, &out)) {
        describe_native(w, at->address, time, hit.ended, &out);
    }
    return out;
}

struct located locator_look_up(struct locator *w, uint32_t process,
                               uint64_t address, bool caller, int64_t time)
{
    struct target at = {address, address - (caller && address), process,
                        caller};
    struct found found = look_up(w, &at, time);

    if (found.name == FOUND_METHOD)
        found.location.method = trace_names_method(
            &w->names, process, found.fact, found.method_from);
    else if (found.name == FOUND_SYMBOL)
        found.location.method =
            trace_names_symbol(&w->names, process, found.fact, found.image);
    return (struct located){profile_location(w->profile, &found.location),
                            found.from, found.to};
}

const struct located *locator_find(struct locator *w, uint32_t process,
                                   uint64_t address, bool caller, int64_t time)
{
    uint32_t fresh = mem_next_id(w->located.len);
    uint32_t id =
        map_add(&w->address_ids, address, process << 1 | caller, fresh);
    struct located *l;

    if (id == fresh)
        *vec_add(&w->located) = (struct located){.from = 1, .to = 0};
    l = &w->located.data[id];
    if (time < l->from || time > l->to)
        *l = locator_look_up(w, process, address, caller, time);
    return l;
}
