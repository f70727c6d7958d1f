#include "engine/attribution/locate.h"

/* A few addresses make up most of all stacks: a small table in front of the
 * map answers for those, in one cache line. */
struct recent {
    uint64_t address;
    uint32_t process;
    bool known;
    struct located located;
};

enum { RECENT = 16384 };

void locator_init(struct locator *w, const struct address_spaces *spaces)
{
    *w = (struct locator){
        .seen = spaces->seen,
        .profile = spaces->profile,
        .spaces = spaces,
        .recent = mem_new(RECENT, sizeof(*w->recent)),
    };
    trace_names_init(&w->names, spaces);
}

void locator_release(struct locator *w)
{
    trace_names_release(&w->names);
    map_release(&w->address_ids);
    vec_release(&w->located);
    free(w->recent);
}

static void narrow(struct located *l, const struct range_hit *hit)
{
    if (hit->from > l->from)
        l->from = hit->from;
    if (hit->to < l->to)
        l->to = hit->to;
}

/* Why nobody knows an address that no image holds. */
static enum name_cause unknown_cause(const struct locator *w,
                                     int64_t time)
{
    const struct observations *f = w->seen;

    if (f->unknown_cause != CAUSE_NONE)
        return f->unknown_cause;
    return time <= f->last_unload ? CAUSE_UNLOADED : CAUSE_NO_IMAGE;
}

/* `freed`: there had been a method. */
static void describe_native(const struct locator *w, struct location *l,
                            uint64_t address, int64_t time, bool freed)
{
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
        l->cause = (uint8_t)(freed ? CAUSE_FREED : unknown_cause(w, time));
    }
}

/* The image fact for an address in one process; `*out` is narrowed to when
 * that holds. */
static struct range_hit find_own_image(const struct locator *w,
                                       uint32_t process,
                                       const struct rangemap *images,
                                       uint64_t address, int64_t time,
                                       struct located *out)
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
static bool locate_symbol(struct locator *w, uint32_t process,
                          uint64_t address, int64_t time, struct location *l,
                          struct located *out)
{
    struct range_hit hit = {.value = UINT32_MAX};
    const struct observed_image *image;

    if (process != NO_ID)
        hit = find_own_image(w, process, &w->spaces->list[process].areas,
                             address, time, out);
    if (hit.value == UINT32_MAX) {
        hit = rangemap_find(&w->spaces->kernel.areas, address, time);
        narrow(out, &hit);
    }
    if (hit.value == UINT32_MAX)
        return false;
    image = &w->seen->images.data[hit.value];
    hit = rangemap_find(&w->spaces->symbols[image->symbols], address, time);
    if (hit.value == UINT32_MAX)
        return false;
    l->method = trace_names_symbol(&w->names, process, hit.value,
                                   image->jit ? NO_ID : image->module);
    if (image->jit) {
        l->module = NO_ID;
        l->kind = CODE_MANAGED;
        l->address = address - hit.start;
    } else {
        l->kind = address >= w->seen->kernel_from ? CODE_KERNEL : CODE_NATIVE;
    }
    return true;
}

/* The image that holds an address; kernel space is part of every process. */
static struct range_hit find_image(const struct locator *w,
                                   uint32_t process, uint64_t address,
                                   int64_t time, struct located *out)
{
    struct range_hit hit = {.value = UINT32_MAX};

    if (process != NO_ID)
        hit = find_own_image(w, process, &w->spaces->list[process].images,
                             address, time, out);
    if (hit.value == UINT32_MAX) {
        hit = rangemap_find(&w->spaces->kernel.images, address, time);
        narrow(out, &hit);
    }
    return hit;
}

static struct range_hit find_method(const struct locator *w,
                                    uint32_t process, uint64_t address,
                                    int64_t time, struct located *out)
{
    struct range_hit hit = {.value = UINT32_MAX};

    if (process == NO_ID)
        return hit;
    hit = rangemap_find(&w->spaces->list[process].methods, address, time);
    narrow(out, &hit);
    return hit;
}

/* Process NO_ID: an address of kernel space, whatever process runs. */
static void locate(struct locator *w, uint32_t process, uint64_t address,
                   int64_t time, struct located *out)
{
    struct location l = {.address = address, .module = NO_ID, .method = NO_ID};
    struct range_hit hit;

    *out = (struct located){.from = TIME_MIN, .to = TIME_MAX};
    hit = find_image(w, process, address, time, out);
    if (hit.value != UINT32_MAX) {
        const struct observed_image *fact = &w->seen->images.data[hit.value];

        l.module = fact->module;
        l.address = address - hit.start + fact->rva;
    }
    hit = find_method(w, process, address, time, out);
    if (hit.value != UINT32_MAX &&
        (l.module == NO_ID || !w->seen->methods.data[hit.value].listed)) {
        l.method = trace_names_method(&w->names, process, &hit);
        l.kind = w->seen->methods.data[hit.value].kind;
        if (l.module == NO_ID)
            l.address = address - hit.start;
    } else if (!locate_symbol(w, process, address, time, &l, out)) {
        describe_native(w, &l, address, time, hit.ended);
    }
    out->location = profile_location(w->profile, &l);
}

static bool holds(const struct located *l, int64_t time)
{
    return time >= l->from && time <= l->to;
}

static const struct located *find_located(struct locator *w,
                                          uint32_t process, uint64_t address,
                                          int64_t time)
{
    uint32_t fresh = mem_next_id(w->located.len);
    uint32_t id = map_add(&w->address_ids, address, process, fresh);
    struct located l;

    if (id == fresh)
        *vec_add(&w->located) = (struct located){.from = 1, .to = 0};
    if (!holds(&w->located.data[id], time)) {
        locate(w, process, address, time, &l);
        w->located.data[id] = l;
    }
    return &w->located.data[id];
}

const struct located *locator_find(struct locator *w, uint32_t process,
                                   uint64_t address, int64_t time)
{
    struct recent *recent =
        &w->recent[(address ^ address >> 13 ^ (uint64_t)process * 31) %
                   RECENT];

    if (!recent->known || recent->address != address ||
        recent->process != process || !holds(&recent->located, time)) {
        recent->known = true;
        recent->address = address;
        recent->process = process;
        recent->located = *find_located(w, process, address, time);
    }
    return &recent->located;
}
