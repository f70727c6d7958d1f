#include "engine/attribution/address_spaces.h"

#include <string.h>
#include <strings.h>

#include "engine/base/keysort.h"

/* The life of what is at one address, while its facts are taken. */
struct occupant {
    bool present; /* nobody ended it so far */
    struct range range;
};

/* A key of keysort, of the fact that has this index. */
typedef uint64_t fact_key(const struct address_spaces *s, uint32_t fact);

/* Facts of images or of methods. */
struct fact_kind {
    fact_key *process, *address, *time;
    void (*take)(struct address_spaces *s, uint32_t fact, struct occupant *o);
    void (*add)(struct address_spaces *s, uint32_t process,
                const struct range *range);
};

/* Takes `n` facts by process, address, time and index; what is at a place in
 * the end is added as well. There may be millions of facts, so no more than
 * their order is kept. */
static void build(struct address_spaces *s, const struct fact_kind *kind,
                  size_t n)
{
    fact_key *const minor_first[] = {kind->time, kind->address, kind->process};
    struct keyed *keys = mem_new(n, sizeof(*keys));
    uint32_t *order = mem_new(n, sizeof(*order));
    struct occupant o = {0};

    for (size_t i = 0; i < n; i++)
        keys[i].value = (uint32_t)i;
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < n; i++)
            keys[i].key = minor_first[k](s, keys[i].value);
        keysort(keys, n);
    }
    for (size_t i = 0; i < n; i++)
        order[i] = keys[i].value;
    free(keys);
    for (size_t i = 0; i < n; i++) {
        uint32_t fact = order[i];

        kind->take(s, fact, &o);
        if (i + 1 < n &&
            kind->process(s, fact) == kind->process(s, order[i + 1]) &&
            kind->address(s, fact) == kind->address(s, order[i + 1]))
            continue;
        if (o.present)
            kind->add(s, (uint32_t)kind->process(s, fact), &o.range);
        o = (struct occupant){0};
    }
    free(order);
}

int64_t address_spaces_process_start(const struct address_spaces *s,
                                     uint32_t process)
{
    return process == NO_ID ? TIME_MIN
                            : s->profile->processes.data[process].start;
}

/*
 * Takes one fact into the life of an address. Returns true when `o` held
 * another thing before, whose finished life is then in `*done`.
 */
static bool take_fact(struct occupant *o, const struct range *thing,
                      enum observed_event event, int64_t time, bool same,
                      struct range *done)
{
    bool had = o->present;

    *done = o->range;
    switch (event) {
    case SEEN_BEGIN:
        done->to = time;
        o->range = *thing;
        o->range.from = time;
        o->range.to = TIME_MAX;
        o->range.began = true;
        o->present = true;
        return had;
    case SEEN_AT_START:
        if (had)
            return false;
        o->range = *thing;
        o->range.from = TIME_MIN;
        o->range.to = TIME_MAX;
        o->range.began = true;
        o->present = true;
        return false;
    case SEEN_END:
        if (!had)
            o->range = *thing;
        o->range.to = time;
        *done = o->range;
        o->present = false;
        return true;
    case SEEN_AT_STOP:
        if (had && same)
            return false;
        o->range = *thing;
        o->range.to = TIME_MAX;
        o->present = true;
        return had;
    }
    return false;
}

const struct address_space *address_spaces_of(const struct address_spaces *s,
                                              uint32_t process)
{
    static const struct address_space empty;

    return s->list[process] ? s->list[process] : &empty;
}

/* The same, to put something into it; kernel space for NO_ID. */
static struct address_space *space_to_fill(struct address_spaces *s,
                                           uint32_t process)
{
    if (process == NO_ID)
        return &s->kernel;
    if (!s->list[process])
        s->list[process] = mem_new(1, sizeof(**s->list));
    return s->list[process];
}

/* ---- images ---- */

static bool same_image(const struct profile *p, const struct observed_image *a,
                       const struct observed_image *b)
{
    const struct module *modules = p->modules.data;

    if (a->module == b->module)
        return true;
    return a->module != NO_ID && b->module != NO_ID &&
           !strcasecmp(strings_get(p->strings, modules[a->module].path),
                       strings_get(p->strings, modules[b->module].path));
}

/* Ranks how much a module's identity tells. The fuller one of two descriptions
 * of an image is kept. */
static int identity_rank(const struct module *m)
{
    return (m->identity.pdb_name ? 2 : 0) + (m->identity.timestamp ? 1 : 0);
}

static int image_rank(const struct profile *p,
                      const struct observed_image *fact)
{
    return fact->module == NO_ID
               ? -1
               : identity_rank(&p->modules.data[fact->module]);
}

static void add_mapping(struct address_spaces *s, uint32_t process,
                        const struct range *range)
{
    const struct observed_image *fact = &s->seen->images.data[range->value];
    struct address_space *space = space_to_fill(s, process);

    if (fact->symbols)
        rangemap_add(&space->areas, range);
    if (fact->module == NO_ID)
        return;
    rangemap_add(&space->images, range);
    *vec_add(&s->profile->mappings) = (struct mapping){
        .process = process,
        .module = fact->module,
        .base = range->start,
        .size = range->end - range->start,
        .rva = fact->rva,
        .from = range->from,
        .to = range->to,
    };
}

static uint64_t image_process(const struct address_spaces *s, uint32_t fact)
{
    return s->image_processes[fact];
}

static uint64_t image_address(const struct address_spaces *s, uint32_t fact)
{
    return s->seen->images.data[fact].base;
}

static uint64_t image_time(const struct address_spaces *s, uint32_t fact)
{
    return keysort_signed(s->seen->images.data[fact].time);
}

static void take_image(struct address_spaces *s, uint32_t id,
                       struct occupant *o)
{
    const struct observed_image *facts = s->seen->images.data;
    const struct observed_image *fact = &facts[id];
    uint32_t process = s->image_processes[id];
    struct range thing = {
        .start = fact->base,
        .end = fact->base + fact->size,
        .from = address_spaces_process_start(s, process),
        .value = id,
    };
    bool same = o->present && o->range.end == thing.end &&
                same_image(s->profile, &facts[o->range.value], fact);
    bool beneath = fact->pages && fact->event == SEEN_BEGIN && o->present &&
                   thing.end < o->range.end;
    struct range done;

    if (same && image_rank(s->profile, fact) >
                    image_rank(s->profile, &facts[o->range.value]))
        o->range.value = id;
    if (!take_fact(o, &thing, fact->event, fact->time, same, &done))
        return;
    if (beneath)
        done.to = TIME_MAX;
    add_mapping(s, process, &done);
}

static const struct fact_kind image_facts = {
    image_process, image_address, image_time, take_image, add_mapping,
};

/* ---- methods ---- */

static void add_method(struct address_spaces *s, uint32_t process,
                       const struct range *range)
{
    rangemap_add(&space_to_fill(s, process)->methods, range);
}

static uint64_t method_process(const struct address_spaces *s, uint32_t fact)
{
    return s->method_processes[fact];
}

static uint64_t method_address(const struct address_spaces *s, uint32_t fact)
{
    return s->seen->methods.data[fact].start;
}

static uint64_t method_time(const struct address_spaces *s, uint32_t fact)
{
    return keysort_signed(s->seen->methods.data[fact].time);
}

static void take_method(struct address_spaces *s, uint32_t id,
                        struct occupant *o)
{
    const struct observed_method *facts = s->seen->methods.data;
    const struct observed_method *fact = &facts[id];
    uint32_t process = s->method_processes[id];
    struct range thing = {
        .start = fact->start,
        .end = fact->start + fact->size,
        .from = address_spaces_process_start(s, process),
        .value = id,
    };
    bool same = o->present && o->range.end == thing.end &&
                facts[o->range.value].method_id == fact->method_id;
    struct range done;

    if (take_fact(o, &thing, fact->event, fact->time, same, &done))
        add_method(s, process, &done);
}

static const struct fact_kind method_facts = {
    method_process, method_address, method_time, take_method, add_method,
};

/* A module may be described several times; the fullest description stays.
 * Assemblies, which say who made them, may be described after their modules. */
static void build_managed_modules(struct address_spaces *s)
{
    const struct observations *f = s->seen;
    struct module *modules = s->profile->modules.data;

    for (size_t i = 0; i < f->managed_modules.len; i++) {
        const struct observed_managed_module *fact =
            &f->managed_modules.data[i];
        uint32_t known =
            map_get(&s->managed_modules, fact->module_id, fact->pid);
        uint32_t maker =
            map_get(&f->assembly_makers, fact->assembly_id, fact->pid);

        if (known == MAP_NONE || identity_rank(&modules[fact->module]) >=
                                     identity_rank(&modules[known]))
            map_set(&s->managed_modules, fact->module_id, fact->pid,
                    fact->module);
        if (maker != MAP_NONE)
            modules[fact->module].maker = maker;
    }
}

/* ---- symbols ---- */

static unsigned leading_underscores(const struct text_slice *name)
{
    unsigned n = 0;

    while (n < name->len && name->data[n] == '_')
        n++;
    return n;
}

static bool has_version(const struct text_slice *name)
{
    return name->len && memchr(name->data, '@', name->len);
}

/* The rule for aliases, as far as names alone can tell:
 * symbols/elf/format.md, section 3. Negative when `a` is plainer. */
static int compare_names(const struct text_slice *a, const struct text_slice *b)
{
    unsigned x = leading_underscores(a), y = leading_underscores(b);
    size_t n = a->len < b->len ? a->len : b->len;

    if (x != y)
        return x < y ? -1 : 1;
    if (has_version(a) != has_version(b))
        return has_version(b) ? -1 : 1;
    if (a->len != b->len)
        return a->len < b->len ? -1 : 1;
    return n ? memcmp(a->data, b->data, n) : 0;
}

/* The plainest name of equal ranges is first. */
static int compare_symbols(const void *a, const void *b)
{
    const struct observed_symbol *x = *(const struct observed_symbol *const *)a;
    const struct observed_symbol *y = *(const struct observed_symbol *const *)b;
    int order;

    if (x->set != y->set)
        return x->set < y->set ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    order = compare_names(&x->name, &y->name);
    return order ? order : (x > y) - (x < y);
}

static int compare_ranges(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    uint64_t m = x->end - x->start, n = y->end - y->start;

    if (m != n)
        return m > n ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/* rangemap takes the later addition of equals where beginnings are known,
 * and the later one of equal ends where they are not. */
static void prefer_small_ranges(struct rangemap *map)
{
    if (map->ranges.len)
        qsort(map->ranges.data, map->ranges.len, sizeof(*map->ranges.data),
              compare_ranges);
}

struct rangemap *trace_symbols_new(const struct observations *seen)
{
    struct rangemap *sets =
        mem_new((size_t)seen->symbol_sets + 1, sizeof(*sets));
    size_t n = seen->symbols.len;
    const struct observed_symbol **order = mem_new(n, sizeof(*order));

    for (size_t i = 0; i < n; i++)
        order[i] = &seen->symbols.data[i];
    if (n)
        qsort(order, n, sizeof(*order), compare_symbols);
    for (size_t i = 0; i < n; i++) {
        struct range range = {
            .start = order[i]->start,
            .end = order[i]->start + order[i]->size,
            .from = TIME_MIN,
            .to = TIME_MAX,
            .began = true,
            .value = (uint32_t)(order[i] - seen->symbols.data),
        };

        if (!i || order[i - 1]->set != order[i]->set ||
            order[i - 1]->start != order[i]->start ||
            order[i - 1]->size != order[i]->size)
            rangemap_add(&sets[order[i]->set], &range);
    }
    free(order);
    for (uint32_t i = 0; i <= seen->symbol_sets; i++) {
        prefer_small_ranges(&sets[i]);
        rangemap_build(&sets[i]);
    }
    return sets;
}

void trace_symbols_free(struct rangemap *sets, const struct observations *seen)
{
    for (uint32_t i = 0; sets && i <= seen->symbol_sets; i++)
        rangemap_release(&sets[i]);
    free(sets);
}

/* ---- all of them ---- */

static void build_space(struct address_space *space)
{
    prefer_small_ranges(&space->images);
    prefer_small_ranges(&space->areas);
    rangemap_build(&space->images);
    rangemap_build(&space->areas);
    rangemap_build(&space->methods);
}

/* All processes are known once every fact has been placed. */
void address_spaces_init(struct address_spaces *s, struct observations *seen,
                         struct lifetimes *lives)
{
    *s = (struct address_spaces){
        .seen = seen,
        .profile = seen->profile,
        .lives = lives,
        .image_processes = mem_new(seen->images.len, sizeof(uint32_t)),
        .method_processes = mem_new(seen->methods.len, sizeof(uint32_t)),
    };
    for (size_t i = 0; i < seen->images.len; i++) {
        const struct observed_image *fact = &seen->images.data[i];

        s->image_processes[i] =
            fact->kernel ? NO_ID
                         : lifetimes_process(lives, fact->pid, fact->time);
    }
    for (size_t i = 0; i < seen->methods.len; i++)
        s->method_processes[i] = lifetimes_process(
            lives, seen->methods.data[i].pid, seen->methods.data[i].time);
    s->count = s->profile->processes.len;
    s->list = mem_new(s->count, sizeof(*s->list));
}

void address_spaces_build(struct address_spaces *s)
{
    build(s, &image_facts, s->seen->images.len);
    build(s, &method_facts, s->seen->methods.len);
    free(s->image_processes);
    free(s->method_processes);
    s->image_processes = s->method_processes = NULL;
    build_managed_modules(s);
    build_space(&s->kernel);
    for (size_t i = 0; i < s->count; i++)
        if (s->list[i])
            build_space(s->list[i]);
    s->symbols = trace_symbols_new(s->seen);
}

static void release_space(struct address_space *space)
{
    rangemap_release(&space->images);
    rangemap_release(&space->areas);
    rangemap_release(&space->methods);
}

void address_spaces_release(struct address_spaces *s)
{
    release_space(&s->kernel);
    for (size_t i = 0; i < s->count; i++) {
        if (s->list[i])
            release_space(s->list[i]);
        free(s->list[i]);
    }
    free(s->list);
    map_release(&s->managed_modules);
    trace_symbols_free(s->symbols, s->seen);
}
