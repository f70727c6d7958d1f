/*
 * From facts to a profile: every raw address becomes a location, every
 * sample gets its thread and its stack.
 *
 * Work is done per distinct thing. A run of addresses is resolved once per
 * process (once at all in kernel space), and so is an address; both answers
 * carry the times between which they hold, since memory is reused, and are
 * worked out anew outside them.
 */
#include <string.h>
#include <strings.h>

#include "engine/facts.h"
#include "engine/jitname.h"
#include "engine/lives.h"
#include "engine/symbolsets.h"

/* What lies where in one process (or in kernel space). */
struct space {
    struct rangemap images;  /* value: index of the image fact */
    struct rangemap areas;   /* the same, of what has symbols */
    struct rangemap methods; /* value: index of the method fact */
};

/* An outer part of a process's stacks: the stack it makes on its own. */
struct outer_part {
    uint32_t process; /* NO_ID: not used yet */
    uint32_t stack;
    int64_t from, to;
};

/* A kernel part, which goes on top of many stacks: its locations, outermost
 * first, in `kernel_locations`. */
struct kernel_part {
    size_t first;
    bool mixed; /* has user-mode frames, so it depends on the process */
    int64_t from, to; /* from > to: not resolved yet */
};

struct known_thread {
    uint32_t thread;
    int64_t since, until; /* holds for since <= time < until */
};

struct located {
    uint32_t location;
    int64_t from, to; /* holds for from <= time <= to */
};

/* A few addresses make up most of all stacks: a small table in front of the
 * map answers for those, in one cache line. */
struct recent {
    uint64_t address;
    uint32_t process;
    struct located located;
};

enum { RECENT = 16384 };

struct attribution {
    struct facts *facts;
    struct profile *profile;
    struct lives lives;
    struct space kernel;
    struct space *spaces; /* by process id */
    size_t space_count;
    struct map managed_modules; /* (runtime's id, process) -> module */
    uint32_t *method_ids;       /* by method fact; NO_ID: not sampled yet */
    struct rangemap *symbols;   /* by set; value: index of the symbol fact */
    uint32_t *symbol_ids;       /* as method_ids, by symbol fact */
    struct map address_ids;     /* (address, process) -> located */
    struct recent *recent;      /* RECENT of the answers, by a cheap hash */
    VEC(struct located) located;
    struct outer_part *outer_parts; /* by run: for its first process */
    struct map more_outer_ids;      /* (process, run) -> for the others */
    VEC(struct outer_part) more_outer_parts;
    struct kernel_part *kernel_parts; /* by run */
    VEC(uint32_t) kernel_locations;
    struct known_thread *threads; /* by thread key */
};

/* One fact about a thing at an address, with all that decides its place in
 * the order in which facts are taken. */
struct placed {
    uint32_t process; /* id; NO_ID: kernel space */
    uint64_t address;
    int64_t time;
    uint32_t fact; /* index */
};

static int compare_placed(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x->fact > y->fact) - (x->fact < y->fact);
}

/* The life of what is at one address, while its facts are taken. */
struct occupant {
    bool present; /* nobody ended it so far */
    struct range range;
};

static int64_t process_start(const struct attribution *a, uint32_t process)
{
    return process == NO_ID ? TIME_MIN
                            : a->profile->processes.data[process].start;
}

/*
 * Takes one fact into the life of an address. Returns true when `o` held
 * another thing before, whose finished life is then in `*done`.
 */
static bool take_fact(struct occupant *o, const struct range *thing,
                      enum fact_event event, int64_t time, bool same,
                      struct range *done)
{
    bool had = o->present;

    *done = o->range;
    switch (event) {
    case FACT_BEGIN:
        done->to = time;
        o->range = *thing;
        o->range.from = time;
        o->range.to = TIME_MAX;
        o->range.began = true;
        o->present = true;
        return had;
    case FACT_AT_START:
        if (had)
            return false;
        o->range = *thing;
        o->range.from = TIME_MIN;
        o->range.to = TIME_MAX;
        o->range.began = true;
        o->present = true;
        return false;
    case FACT_END:
        if (!had)
            o->range = *thing;
        o->range.to = time;
        *done = o->range;
        o->present = false;
        return true;
    case FACT_AT_STOP:
        if (had && same)
            return false;
        o->range = *thing;
        o->range.to = TIME_MAX;
        o->present = true;
        return had;
    }
    return false;
}

static struct space *space_of(struct attribution *a, uint32_t process)
{
    return process == NO_ID ? &a->kernel : &a->spaces[process];
}

/* ---- images ---- */

static bool same_image(const struct profile *p, const struct image_fact *a,
                       const struct image_fact *b)
{
    const struct module *modules = p->modules.data;

    if (a->module == b->module)
        return true;
    return a->module != NO_ID && b->module != NO_ID &&
           !strcasecmp(strings_get(p->strings, modules[a->module].path),
                       strings_get(p->strings, modules[b->module].path));
}

/* How much a module's identity tells: of two descriptions of one image the
 * fuller is kept. */
static int identity_rank(const struct module *m)
{
    return (m->identity.pdb_name ? 2 : 0) + (m->identity.timestamp ? 1 : 0);
}

static int image_rank(const struct profile *p, const struct image_fact *fact)
{
    return fact->module == NO_ID
               ? -1
               : identity_rank(&p->modules.data[fact->module]);
}

static void add_mapping(struct attribution *a, uint32_t process,
                        const struct range *range)
{
    const struct image_fact *fact = &a->facts->images.data[range->value];
    struct space *space = space_of(a, process);

    if (fact->symbols)
        rangemap_add(&space->areas, range);
    if (fact->module == NO_ID)
        return;
    rangemap_add(&space->images, range);
    *vec_add(&a->profile->mappings) = (struct mapping){
        .process = process,
        .module = fact->module,
        .base = range->start,
        .size = range->end - range->start,
        .rva = fact->rva,
        .from = range->from,
        .to = range->to,
    };
}

static struct placed *place_images(struct attribution *a)
{
    const struct facts *f = a->facts;
    struct placed *placed = mem_new(f->images.len, sizeof(*placed));

    for (uint32_t i = 0; i < f->images.len; i++) {
        const struct image_fact *fact = &f->images.data[i];

        placed[i] = (struct placed){
            .process = fact->kernel ? NO_ID
                                    : lives_process(&a->lives, fact->pid,
                                                    fact->time),
            .address = fact->base,
            .time = fact->time,
            .fact = i,
        };
    }
    if (f->images.len)
        qsort(placed, f->images.len, sizeof(*placed), compare_placed);
    return placed;
}

static void take_image(struct attribution *a, const struct placed *at,
                       struct occupant *o)
{
    const struct image_fact *facts = a->facts->images.data;
    const struct image_fact *fact = &facts[at->fact];
    struct range thing = {
        .start = fact->base,
        .end = fact->base + fact->size,
        .from = process_start(a, at->process),
        .value = at->fact,
    };
    bool same = o->present && o->range.end == thing.end &&
                same_image(a->profile, &facts[o->range.value], fact);
    struct range done;

    if (same && image_rank(a->profile, fact) >
                    image_rank(a->profile, &facts[o->range.value]))
        o->range.value = at->fact;
    if (take_fact(o, &thing, fact->event, fact->time, same, &done))
        add_mapping(a, at->process, &done);
}

static void build_images(struct attribution *a, struct placed *placed)
{
    struct occupant o = {0};
    size_t n = a->facts->images.len;

    for (size_t i = 0; i < n; i++) {
        take_image(a, &placed[i], &o);
        if (i + 1 < n && placed[i + 1].process == placed[i].process &&
            placed[i + 1].address == placed[i].address)
            continue;
        if (o.present)
            add_mapping(a, placed[i].process, &o.range);
        o = (struct occupant){0};
    }
    free(placed);
}

/* ---- methods ---- */

static struct placed *place_methods(struct attribution *a)
{
    const struct facts *f = a->facts;
    struct placed *placed = mem_new(f->methods.len, sizeof(*placed));

    for (uint32_t i = 0; i < f->methods.len; i++) {
        const struct method_fact *fact = &f->methods.data[i];

        placed[i] = (struct placed){
            .process = lives_process(&a->lives, fact->pid, fact->time),
            .address = fact->start,
            .time = fact->time,
            .fact = i,
        };
    }
    if (f->methods.len)
        qsort(placed, f->methods.len, sizeof(*placed), compare_placed);
    return placed;
}

static void take_method(struct attribution *a, const struct placed *at,
                        struct occupant *o)
{
    const struct method_fact *fact = &a->facts->methods.data[at->fact];
    struct range thing = {
        .start = fact->start,
        .end = fact->start + fact->size,
        .from = process_start(a, at->process),
        .value = at->fact,
    };
    bool same =
        o->present && o->range.end == thing.end &&
        a->facts->methods.data[o->range.value].method_id == fact->method_id;
    struct range done;

    if (take_fact(o, &thing, fact->event, fact->time, same, &done))
        rangemap_add(&a->spaces[at->process].methods, &done);
}

static void build_methods(struct attribution *a, struct placed *placed)
{
    struct occupant o = {0};
    size_t n = a->facts->methods.len;

    for (size_t i = 0; i < n; i++) {
        take_method(a, &placed[i], &o);
        if (i + 1 < n && placed[i + 1].process == placed[i].process &&
            placed[i + 1].address == placed[i].address)
            continue;
        if (o.present)
            rangemap_add(&a->spaces[placed[i].process].methods, &o.range);
        o = (struct occupant){0};
    }
    free(placed);
}

/* A module may be described several times; the fullest description stays. */
static void build_managed_modules(struct attribution *a)
{
    const struct facts *f = a->facts;
    const struct module *modules = a->profile->modules.data;

    for (size_t i = 0; i < f->managed_modules.len; i++) {
        const struct managed_module_fact *fact = &f->managed_modules.data[i];
        uint32_t known =
            map_get(&a->managed_modules, fact->module_id, fact->pid);

        if (known == MAP_NONE || identity_rank(&modules[fact->module]) >=
                                     identity_rank(&modules[known]))
            map_set(&a->managed_modules, fact->module_id, fact->pid,
                    fact->module);
    }
}

static void build_space(struct space *space)
{
    prefer_small_ranges(&space->images);
    prefer_small_ranges(&space->areas);
    rangemap_build(&space->images);
    rangemap_build(&space->areas);
    rangemap_build(&space->methods);
}

/* All processes are known once every fact has been placed. */
static void build_spaces(struct attribution *a)
{
    struct placed *images = place_images(a), *methods = place_methods(a);

    a->space_count = a->profile->processes.len;
    a->spaces = mem_new(a->space_count, sizeof(*a->spaces));
    build_images(a, images);
    build_methods(a, methods);
    build_managed_modules(a);
    build_space(&a->kernel);
    for (size_t i = 0; i < a->space_count; i++)
        build_space(&a->spaces[i]);
    a->symbols = symbolsets_new(a->facts);
}

/* ---- names of sampled methods ---- */

static uint32_t slice_string(struct strings *s, const struct text_slice *slice)
{
    if (slice->utf16)
        return strings_add_utf16(s, slice->data, slice->len / 2);
    return strings_add(s, (const char *)slice->data, slice->len);
}

/* Namespace.Name(arguments): clr-events.md, section 3. Script functions have
 * no namespace and no signature. */
static uint32_t full_name(struct strings *s, const struct method *m)
{
    const char *space = strings_get(s, m->space);
    const char *arguments = strchr(strings_get(s, m->signature), '(');
    VEC(char) text = {0};
    const char *parts[] = {space, *space ? "." : "", strings_get(s, m->name),
                           arguments ? arguments : ""};
    uint32_t id;

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        size_t n = strlen(parts[i]);

        vec_reserve(&text, n);
        if (n)
            memcpy(text.data + text.len, parts[i], n);
        text.len += n;
    }
    id = strings_add(s, text.len ? text.data : "", text.len);
    vec_release(&text);
    return id;
}

/* What stands for a managed module that nobody described. */
static uint32_t unknown_module(struct attribution *a)
{
    struct module module = {.managed = true};

    module.path = strings_add(a->profile->strings, "[unknown]", 9);
    module.area = module.path;
    return facts_module(a->facts, &module);
}

static uint32_t add_method(struct attribution *a, uint32_t process,
                           uint32_t fact_index)
{
    struct profile *p = a->profile;
    const struct method_fact *fact = &a->facts->methods.data[fact_index];
    uint32_t module =
        map_get(&a->managed_modules, fact->module_id, fact->pid);
    struct method m = {
        .process = process,
        .start = fact->start,
        .size = fact->size,
        .from = fact->time,
        .to = TIME_MAX,
        .space = slice_string(p->strings, &fact->space),
        .name = slice_string(p->strings, &fact->name),
        .signature = slice_string(p->strings, &fact->signature),
        .module = module,
        .token = fact->token,
        .tier = fact->tier,
    };

    if (m.module == NO_ID && a->facts->without_images)
        m.module = unknown_module(a);
    m.full_name = m.name ? full_name(p->strings, &m)
                         : strings_addf(p->strings, "[method token 0x%08x]",
                                        m.token);
    *vec_add(&p->methods) = m;
    return (uint32_t)p->methods.len - 1;
}

/* The profile's method for a fact, converted when first sampled. */
static uint32_t method_of(struct attribution *a, uint32_t process,
                          const struct range_hit *hit)
{
    uint32_t *id = &a->method_ids[hit->value];
    struct method *m;

    if (*id == NO_ID)
        *id = add_method(a, process, hit->value);
    m = &a->profile->methods.data[*id];
    if (m->from > hit->from)
        m->from = hit->from;
    return *id;
}

/* ---- names of sampled symbols ---- */

/* Code that the runtime made: its name tells the module. */
static bool name_jit_code(struct attribution *a, const char *text, size_t n,
                          struct method *m)
{
    struct profile *p = a->profile;
    struct module module = {.managed = true};
    struct jitname name;

    if (!jitname_parse(&name, text, n))
        return false;
    module.path = strings_add(p->strings, name.module, name.module_len);
    module.area = module.path;
    m->module = facts_module(a->facts, &module);
    m->full_name =
        strings_add(p->strings, name.method.data, name.method.len);
    m->tier = name.tier;
    jitname_release(&name);
    return true;
}

/* `module`: the image that holds it, or NO_ID. */
static uint32_t add_symbol(struct attribution *a, uint32_t process,
                           uint32_t index, uint32_t module)
{
    struct profile *p = a->profile;
    const struct symbol_fact *fact = &a->facts->symbols.data[index];
    uint32_t id = mem_next_id(p->methods.len);
    struct method m = {
        .process = process,
        .start = fact->start,
        .size = fact->size,
        .from = TIME_MIN,
        .to = TIME_MAX,
        .name = slice_string(p->strings, &fact->name),
        .module = module,
    };
    const char *text = strings_get(p->strings, m.name);

    if (!name_jit_code(a, text, strlen(text), &m))
        m.full_name = m.name;
    *vec_add(&p->methods) = m;
    return id;
}

/* ---- addresses, stacks, samples ---- */

static void narrow(struct located *l, const struct range_hit *hit)
{
    if (hit->from > l->from)
        l->from = hit->from;
    if (hit->to < l->to)
        l->to = hit->to;
}

/* Why nobody knows an address that no image holds. */
static enum name_cause unknown_cause(const struct attribution *a,
                                     int64_t time)
{
    const struct facts *f = a->facts;

    if (f->unknown_cause != CAUSE_NONE)
        return f->unknown_cause;
    return time <= f->last_unload ? CAUSE_UNLOADED : CAUSE_NO_IMAGE;
}

static void describe_native(const struct attribution *a, struct location *l,
                            uint64_t address, int64_t time)
{
    bool kernel =
        is_kernel_address(address, a->profile->trace.pointer_size);
    uint64_t page = a->facts->hypercall_page;

    if (l->module != NO_ID) {
        l->kind = kernel ? CODE_KERNEL : CODE_NATIVE;
        l->cause = CAUSE_NO_SYMBOLS;
    } else if (page && address - page < 4096) {
        l->kind = CODE_KERNEL;
        l->cause = CAUSE_HYPERCALL;
    } else {
        l->kind = kernel ? CODE_KERNEL : CODE_UNKNOWN;
        l->cause = (uint8_t)unknown_cause(a, time);
    }
}

/* The image fact for an address in one process; `*out` is narrowed to when
 * that holds. */
static struct range_hit find_own_image(const struct attribution *a,
                                   uint32_t process,
                                   const struct rangemap *images,
                                   uint64_t address, int64_t time,
                                   struct located *out)
{
    struct range_hit hit = rangemap_find(images, address, time);

    narrow(out, &hit);
    if (hit.value == UINT32_MAX && hit.to < TIME_MAX &&
        a->facts->late_images && process_start(a, process) == TIME_MIN)
        hit = rangemap_find(images, address, hit.to + 1);
    return hit;
}

/* By a symbol of the memory at an address. Names in an image are native;
 * elsewhere the runtime made the code. */
static bool locate_symbol(struct attribution *a, uint32_t process,
                          uint64_t address, int64_t time, struct location *l,
                          struct located *out)
{
    struct range_hit hit = {.value = UINT32_MAX};
    const struct image_fact *image;

    if (process != NO_ID)
        hit = find_own_image(a, process, &a->spaces[process].areas, address,
                             time, out);
    if (hit.value == UINT32_MAX)
        return false;
    image = &a->facts->images.data[hit.value];
    hit = rangemap_find(&a->symbols[image->symbols], address, time);
    if (hit.value == UINT32_MAX)
        return false;
    if (a->symbol_ids[hit.value] == NO_ID)
        a->symbol_ids[hit.value] = add_symbol(
            a, process, hit.value, image->jit ? NO_ID : image->module);
    l->method = a->symbol_ids[hit.value];
    if (image->jit) {
        l->module = NO_ID;
        l->kind = CODE_MANAGED;
        l->address = address - hit.start;
    } else {
        l->kind = is_kernel_address(address,
                                    a->profile->trace.pointer_size)
                      ? CODE_KERNEL
                      : CODE_NATIVE;
    }
    return true;
}

/* The image that holds an address; kernel space is part of every process. */
static struct range_hit find_image(const struct attribution *a,
                                   uint32_t process, uint64_t address,
                                   int64_t time, struct located *out)
{
    struct range_hit hit = {.value = UINT32_MAX};

    if (process != NO_ID)
        hit = find_own_image(a, process, &a->spaces[process].images, address,
                             time, out);
    if (hit.value == UINT32_MAX) {
        hit = rangemap_find(&a->kernel.images, address, time);
        narrow(out, &hit);
    }
    return hit;
}

static struct range_hit find_method(const struct attribution *a,
                                    uint32_t process, uint64_t address,
                                    int64_t time, struct located *out)
{
    struct range_hit hit = {.value = UINT32_MAX};

    if (process == NO_ID)
        return hit;
    hit = rangemap_find(&a->spaces[process].methods, address, time);
    narrow(out, &hit);
    return hit;
}

/* Process NO_ID: an address of kernel space, whatever process runs. */
static void locate(struct attribution *a, uint32_t process, uint64_t address,
                   int64_t time, struct located *out)
{
    struct location l = {.address = address, .module = NO_ID, .method = NO_ID};
    struct range_hit hit;

    *out = (struct located){.from = TIME_MIN, .to = TIME_MAX};
    hit = find_image(a, process, address, time, out);
    if (hit.value != UINT32_MAX) {
        const struct image_fact *fact = &a->facts->images.data[hit.value];

        l.module = fact->module;
        l.address = address - hit.start + fact->rva;
    }
    hit = find_method(a, process, address, time, out);
    if (hit.value != UINT32_MAX) {
        l.method = method_of(a, process, &hit);
        l.kind = a->facts->methods.data[hit.value].kind;
        if (l.module == NO_ID)
            l.address = address - hit.start;
    } else if (!locate_symbol(a, process, address, time, &l, out)) {
        describe_native(a, &l, address, time);
    }
    out->location = profile_location(a->profile, &l);
}

static bool holds(const struct located *l, int64_t time)
{
    return time >= l->from && time <= l->to;
}

static const struct located *find_located(struct attribution *a,
                                          uint32_t process, uint64_t address,
                                          int64_t time)
{
    uint32_t fresh = mem_next_id(a->located.len);
    uint32_t id = map_add(&a->address_ids, address, process, fresh);
    struct located l;

    if (id == fresh)
        *vec_add(&a->located) = (struct located){.from = 1, .to = 0};
    if (!holds(&a->located.data[id], time)) {
        locate(a, process, address, time, &l);
        a->located.data[id] = l;
    }
    return &a->located.data[id];
}

static const struct located *location_at(struct attribution *a,
                                         uint32_t process, uint64_t address,
                                         int64_t time)
{
    struct recent *recent =
        &a->recent[(address ^ address >> 13 ^ (uint64_t)process * 31) %
                   RECENT];

    if (recent->address != address || recent->process != process ||
        !holds(&recent->located, time)) {
        recent->address = address;
        recent->process = process;
        recent->located = *find_located(a, process, address, time);
    }
    return &recent->located;
}

/* When the answer for a stack holds: where all of its locations do. */
static void intersect(int64_t *from, int64_t *to, const struct located *l)
{
    if (l->from > *from)
        *from = l->from;
    if (l->to < *to)
        *to = l->to;
}

/* The stack of a run on top of another stack. */
static uint32_t push_run(struct attribution *a, uint32_t process,
                         uint32_t run_id, int64_t time, uint32_t stack,
                         int64_t *from, int64_t *to)
{
    const struct run run = a->facts->runs.list.data[run_id];

    for (uint32_t i = run.count; i-- > 0;) {
        const struct located *l =
            location_at(a, process, run_frame(&run, i), time);

        stack = profile_stack(a->profile, stack, l->location);
        intersect(from, to, l);
    }
    return stack;
}

/* Most runs belong to one process, which has the slot by run; the map leads
 * to the others. */
static struct outer_part *outer_slot(struct attribution *a, uint32_t process,
                                     uint32_t run)
{
    struct outer_part *slot = &a->outer_parts[run];
    uint32_t fresh, id;

    if (slot->process == process)
        return slot;
    if (slot->process != NO_ID) {
        fresh = mem_next_id(a->more_outer_parts.len);
        id = map_add(&a->more_outer_ids, (uint64_t)process << 32 | run, 0,
                     fresh);
        if (id == fresh)
            *vec_add(&a->more_outer_parts) =
                (struct outer_part){.from = 1, .to = 0};
        slot = &a->more_outer_parts.data[id];
    }
    slot->process = process;
    return slot;
}

static uint32_t outer_stack(struct attribution *a, uint32_t process,
                            uint32_t run, int64_t time)
{
    struct outer_part *slot = outer_slot(a, process, run);

    if (time < slot->from || time > slot->to) {
        slot->from = TIME_MIN;
        slot->to = TIME_MAX;
        slot->stack =
            push_run(a, process, run, time, 0, &slot->from, &slot->to);
    }
    return slot->stack;
}

static void resolve_kernel_part(struct attribution *a, uint32_t run_id,
                                int64_t time, struct kernel_part *part)
{
    const struct run run = a->facts->runs.list.data[run_id];

    *part = (struct kernel_part){
        .first = a->kernel_locations.len, .from = TIME_MIN, .to = TIME_MAX};
    for (uint32_t i = run.count; i-- > 0;) {
        uint64_t address = run_frame(&run, i);
        const struct located *l = location_at(a, NO_ID, address, time);

        if (!is_kernel_address(address, a->profile->trace.pointer_size))
            part->mixed = true;

        *vec_add(&a->kernel_locations) = l->location;
        intersect(&part->from, &part->to, l);
    }
}

/* What stands for the stack of a sample that has none, nor an address. */
static uint32_t stack_of_none(struct profile *p)
{
    struct location none = {
        .module = NO_ID,
        .method = NO_ID,
        .cause = CAUSE_NO_STACK,
    };

    return profile_stack(p, 0, profile_location(p, &none));
}

static uint32_t push_kernel_part(struct attribution *a, uint32_t process,
                                 uint32_t run, int64_t time, uint32_t stack)
{
    struct kernel_part *part = &a->kernel_parts[run];
    uint32_t count = a->facts->runs.list.data[run].count;
    int64_t from = TIME_MIN, to = TIME_MAX;

    if (time < part->from || time > part->to)
        resolve_kernel_part(a, run, time, part);
    if (part->mixed)
        return push_run(a, process, run, time, stack, &from, &to);
    for (uint32_t i = 0; i < count; i++)
        stack = profile_stack(a->profile, stack,
                              a->kernel_locations.data[part->first + i]);
    return stack;
}

/* The whole stack of one sample; notes its parts in *flags. */
static uint32_t whole_stack(struct attribution *a, uint32_t process,
                            uint32_t outer, uint32_t inner, int64_t time,
                            uint8_t *flags)
{
    int64_t from = TIME_MIN, to = TIME_MAX; /* not kept: a leaf is cheap */
    uint32_t stack = 0;

    if (outer) {
        stack = outer_stack(a, process, outer, time);
        *flags |= SAMPLE_USER_PART | SAMPLE_HAS_STACK;
    }
    if ((inner & PART_LEAF) && !outer) {
        stack = outer_stack(a, process, inner & ~PART_LEAF, time);
    } else if (inner & PART_LEAF) {
        stack = push_run(a, process, inner & ~PART_LEAF, time, stack, &from,
                         &to);
    } else if (inner) {
        stack = push_kernel_part(a, process, inner, time, stack);
        *flags |= SAMPLE_KERNEL_PART | SAMPLE_HAS_STACK;
    }
    return stack ? stack : stack_of_none(a->profile);
}

static uint32_t thread_at(struct attribution *a, uint32_t key, int64_t time)
{
    struct known_thread *known = &a->threads[key];
    const struct thread_key *id = &a->facts->thread_keys.data[key];

    if (time >= known->since && time < known->until)
        return known->thread;
    known->since = time;
    known->thread =
        lives_thread(&a->lives, id->tid, id->pid, time, &known->until);
    return known->thread;
}

static void attribute_samples(struct attribution *a)
{
    struct samples *s = &a->profile->samples;
    size_t runs = a->facts->runs.list.len;

    a->outer_parts = mem_new(runs, sizeof(*a->outer_parts));
    a->kernel_parts = mem_new(runs, sizeof(*a->kernel_parts));
    for (size_t i = 0; i < runs; i++) {
        a->outer_parts[i] = (struct outer_part){NO_ID, 0, 1, 0};
        a->kernel_parts[i] = (struct kernel_part){.from = 1, .to = 0};
    }
    for (size_t i = 0; i < s->len; i++) {
        uint32_t process;

        s->thread[i] = thread_at(a, s->thread[i], s->time[i]);
        process = a->profile->threads.data[s->thread[i]].process;
        s->stack[i] =
            whole_stack(a, process, s->stack[i], a->facts->inner.data[i],
                        s->time[i], &s->flags[i]);
    }
}

/* Processes made up for threads nobody described need a space too. */
static void meet_threads(struct attribution *a)
{
    const struct samples *s = &a->profile->samples;

    a->threads = mem_new(a->facts->thread_keys.len, sizeof(*a->threads));
    for (size_t i = 0; i < a->facts->thread_keys.len; i++)
        a->threads[i].until = TIME_MIN;
    for (size_t i = 0; i < s->len; i++)
        thread_at(a, s->thread[i], s->time[i]);
    for (size_t i = 0; i < a->facts->thread_keys.len; i++)
        a->threads[i].until = TIME_MIN;
}

static void release(struct attribution *a)
{
    lives_release(&a->lives);
    rangemap_release(&a->kernel.images);
    rangemap_release(&a->kernel.areas);
    symbolsets_free(a->symbols, a->facts);
    free(a->symbol_ids);
    for (size_t i = 0; i < a->space_count; i++) {
        rangemap_release(&a->spaces[i].images);
        rangemap_release(&a->spaces[i].areas);
        rangemap_release(&a->spaces[i].methods);
    }
    free(a->spaces);
    map_release(&a->managed_modules);
    free(a->method_ids);
    map_release(&a->address_ids);
    free(a->recent);
    vec_release(&a->located);
    free(a->outer_parts);
    map_release(&a->more_outer_ids);
    vec_release(&a->more_outer_parts);
    free(a->kernel_parts);
    vec_release(&a->kernel_locations);
    free(a->threads);
}

static uint32_t *no_ids(size_t n)
{
    uint32_t *ids = mem_new(n, sizeof(*ids));

    for (size_t i = 0; i < n; i++)
        ids[i] = NO_ID;
    return ids;
}

void facts_finish(struct facts *facts)
{
    struct attribution a = {.facts = facts, .profile = facts->profile};

    map_release(&facts->runs.ids); /* no more runs come */
    a.recent = mem_new(RECENT, sizeof(*a.recent));
    for (size_t i = 0; i < RECENT; i++)
        a.recent[i].located = (struct located){.from = 1, .to = 0};
    a.method_ids = no_ids(facts->methods.len);
    a.symbol_ids = no_ids(facts->symbols.len);
    lives_build(&a.lives, facts);
    meet_threads(&a);
    build_spaces(&a);
    attribute_samples(&a);
    release(&a);
}
