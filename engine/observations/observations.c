#include "engine/observations/observations.h"

#include <assert.h>
#include <string.h>

#include "engine/base/text.h"

struct observations *observations_new(struct profile *profile)
{
    struct observations *f = mem_new(1, sizeof(*f));

    f->profile = profile;
    callchains_init(&f->callchains);
    f->module_keys = strings_new();
    f->kernel_from = kernel_space_start(0);
    f->last_unload = TIME_MIN;
    return f;
}

void observations_free(struct observations *f)
{
    if (!f)
        return;
    callchains_release(&f->callchains);
    arena_release(&f->kept);
    observed_samples_release(&f->samples);
    vec_release(&f->thread_keys);
    map_release(&f->thread_key_ids);
    vec_release(&f->processes);
    vec_release(&f->threads);
    vec_release(&f->images);
    vec_release(&f->methods);
    vec_release(&f->il_maps);
    map_release(&f->neighbour_ids);
    vec_release(&f->neighbours);
    vec_release(&f->managed_modules);
    vec_release(&f->symbols);
    map_release(&f->managed_names);
    strings_free(f->module_keys);
    map_release(&f->module_ids);
    map_release(&f->folded_paths);
    free(f);
}

void observe_process(struct observations *f,
                     const struct observed_process *fact)
{
    *vec_add(&f->processes) = *fact;
}

void observe_thread(struct observations *f, const struct observed_thread *fact)
{
    *vec_add(&f->threads) = *fact;
}

void observe_image(struct observations *f, const struct observed_image *fact)
{
    *vec_add(&f->images) = *fact;
}

void observe_method(struct observations *f, const struct observed_method *fact)
{
    *vec_add(&f->methods) = *fact;
}

void observe_il_map(struct observations *f, const struct observed_il_map *fact)
{
    *vec_add(&f->il_maps) = *fact;
}

void observe_managed_module(struct observations *f,
                            const struct observed_managed_module *fact)
{
    *vec_add(&f->managed_modules) = *fact;
}

void observe_symbol(struct observations *f, const struct observed_symbol *fact)
{
    *vec_add(&f->symbols) = *fact;
}

uint32_t observe_symbol_set(struct observations *f)
{
    f->symbol_sets = mem_next_id((size_t)f->symbol_sets + 1);
    return f->symbol_sets;
}

uint32_t observe_thread_key(struct observations *f, uint32_t tid, uint32_t pid)
{
    uint32_t fresh = (uint32_t)f->thread_keys.len;
    uint32_t id = map_add(&f->thread_key_ids, tid, pid, fresh);

    if (id == fresh)
        *vec_add(&f->thread_keys) = (struct thread_key){tid, pid};
    return id;
}

void observe_sample(struct observations *f, const struct observed_sample *fact)
{
    observed_samples_add(&f->samples, fact);
}

void observe_samples(struct observations *f,
                     const struct observed_samples *samples)
{
    assert(!f->samples.len);
    observed_samples_release(&f->samples);
    f->samples = *samples;
}

/* The path without regard to case, as a number. */
static uint32_t folded_path(struct observations *f, uint32_t path)
{
    uint32_t known = map_get(&f->folded_paths, path, 0);
    const char *text;

    if (known != MAP_NONE)
        return known;
    text = strings_get(f->profile->strings, path);
    known = strings_fold(f->module_keys,
                         strings_add(f->module_keys, text, strlen(text)));
    map_set(&f->folded_paths, path, 0, known);
    return known;
}

/* Tells most identities apart; module_slot tells all. */
static uint32_t identity_hash(const struct module *m)
{
    const struct identity *id = &m->identity;
    uint32_t h = id->timestamp ^ id->image_size * 31 ^ id->age * 17 ^
                 m->managed;

    for (size_t i = 0; i < sizeof(id->guid); i += 4)
        h = (h ^ load_u32(id->guid + i)) * 0x9E3779B1u;
    for (size_t i = 0; i < sizeof(id->build_id); i += 4)
        h = (h ^ load_u32(id->build_id + i)) * 0x9E3779B1u;
    return h;
}

static bool same_identity(const struct module *a, const struct module *b)
{
    const struct identity *x = &a->identity, *y = &b->identity;

    return a->managed == b->managed && x->age == y->age &&
           x->timestamp == y->timestamp && x->image_size == y->image_size &&
           !memcmp(x->guid, y->guid, sizeof(x->guid)) &&
           !memcmp(x->build_id, y->build_id, sizeof(x->build_id));
}

/* The id of a known module like `m`, or `fresh` after noting that id. */
static uint32_t module_slot(struct observations *f, const struct module *m,
                            uint32_t fresh)
{
    uint64_t key = (uint64_t)folded_path(f, m->path) << 32 | identity_hash(m);
    uint32_t id, attempt = 0;

    do
        id = map_add(&f->module_ids, key, attempt++, fresh);
    while (id != fresh &&
           !same_identity(&f->profile->modules.data[id], m));
    return id;
}

static uint32_t one_spelling(struct observations *f, uint32_t name)
{
    return map_add(&f->managed_names, folded_path(f, name), 0, name);
}

uint32_t observe_module(struct observations *f, const struct module *module)
{
    struct profile *p = f->profile;
    uint32_t fresh = (uint32_t)p->modules.len;
    uint32_t id = module_slot(f, module, fresh);
    struct module *added;
    const char *name;

    if (id != fresh)
        return id;
    name = path_base_name(strings_get(p->strings, module->path));
    added = vec_add(&p->modules);
    *added = *module;
    if (!added->name)
        added->name = strings_add(p->strings, name, strlen(name));
    if (added->managed)
        added->name = one_spelling(f, added->name);
    return id;
}
