#include "engine/attribution/observations.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"

struct observations *observations_new(struct profile *profile)
{
    struct observations *seen = mem_new(1, sizeof(*seen));

    seen->profile = profile;
    callchains_init(&seen->callchains);
    seen->module_keys = strings_new();
    seen->kernel_from = kernel_space_start(0);
    seen->last_unload = TIME_MIN;
    return seen;
}

void observations_free(struct observations *seen)
{
    if (!seen)
        return;
    callchains_release(&seen->callchains);
    arena_release(&seen->kept);
    samples_release(&seen->samples);
    vec_release(&seen->thread_keys);
    map_release(&seen->thread_key_ids);
    vec_release(&seen->processes);
    vec_release(&seen->threads);
    vec_release(&seen->images);
    vec_release(&seen->methods);
    vec_release(&seen->il_maps);
    vec_release(&seen->collections);
    vec_release(&seen->stops);
    map_release(&seen->stop_ids);
    vec_release(&seen->jits);
    vec_release(&seen->wakeups);
    map_release(&seen->neighbour_ids);
    vec_release(&seen->neighbours);
    vec_release(&seen->managed_modules);
    vec_release(&seen->symbols);
    map_release(&seen->managed_names);
    map_release(&seen->assembly_makers);
    strings_free(seen->module_keys);
    map_release(&seen->module_ids);
    map_release(&seen->folded_paths);
    free(seen);
}

void observe_process(struct observations *seen,
                     const struct observed_process *fact)
{
    *vec_add(&seen->processes) = *fact;
}

void observe_thread(struct observations *seen,
                    const struct observed_thread *fact)
{
    *vec_add(&seen->threads) = *fact;
}

void observe_image(struct observations *seen, const struct observed_image *fact)
{
    *vec_add(&seen->images) = *fact;
}

void observe_method(struct observations *seen,
                    const struct observed_method *fact)
{
    *vec_add(&seen->methods) = *fact;
}

void observe_il_map(struct observations *seen,
                    const struct observed_il_map *fact)
{
    *vec_add(&seen->il_maps) = *fact;
}

void observe_managed_module(struct observations *seen,
                            const struct observed_managed_module *fact)
{
    *vec_add(&seen->managed_modules) = *fact;
}

void observe_symbol(struct observations *seen,
                    const struct observed_symbol *fact)
{
    *vec_add(&seen->symbols) = *fact;
}

uint32_t observe_symbol_set(struct observations *seen)
{
    seen->symbol_sets = mem_next_id((size_t)seen->symbol_sets + 1);
    return seen->symbol_sets;
}

uint32_t observe_thread_key(struct observations *seen, uint32_t tid,
                            uint32_t pid)
{
    uint32_t fresh = (uint32_t)seen->thread_keys.len;
    uint32_t id = map_add(&seen->thread_key_ids, tid, pid, fresh);

    if (id == fresh)
        *vec_add(&seen->thread_keys) = (struct thread_key){tid, pid};
    return id;
}

void observe_sample(struct observations *seen,
                    const struct observed_sample *fact)
{
    observed_samples_add(&seen->samples, fact);
}

void observe_samples(struct observations *seen, const struct samples *samples)
{
    assert(!seen->samples.len);
    samples_release(&seen->samples);
    seen->samples = *samples;
}

/* The path without regard to case, as a number. */
static uint32_t folded_path(struct observations *seen, uint32_t path)
{
    uint32_t known = map_get(&seen->folded_paths, path, 0);
    const char *text;

    if (known != MAP_NONE)
        return known;
    text = strings_get(seen->profile->strings, path);
    known = strings_fold(seen->module_keys,
                         strings_add(seen->module_keys, text, strlen(text)));
    map_set(&seen->folded_paths, path, 0, known);
    return known;
}

/* Tells most identities apart; module_slot tells all. */
static uint32_t identity_hash(const struct module *m)
{
    const struct identity *id = &m->identity;
    uint32_t h =
        id->timestamp ^ id->image_size * 31 ^ id->age * 17 ^ m->managed;

    for (size_t i = 0; i < sizeof(id->guid); i += 4)
        h = (h ^ load_u32(id->guid + i)) * 0x9E3779B1u;
    for (size_t i = 0; i < sizeof(id->build_id); i += 4)
        h = (h ^ load_u32(id->build_id + i)) * 0x9E3779B1u;
    return h;
}

/* Without a build-id the inode tells a file from the one that replaced it. */
static bool same_identity(const struct module *a, const struct module *b)
{
    const struct identity *x = &a->identity, *y = &b->identity;
    const struct file_stamp *f = &a->stamp, *g = &b->stamp;

    return a->managed == b->managed && x->age == y->age &&
           x->timestamp == y->timestamp && x->image_size == y->image_size &&
           !memcmp(x->guid, y->guid, sizeof(x->guid)) &&
           !memcmp(x->build_id, y->build_id, sizeof(x->build_id)) &&
           (x->build_id_size || !f->inode || !g->inode ||
            (f->inode == g->inode && f->major == g->major &&
             f->minor == g->minor));
}

/* The id of a known module like `m`, or `fresh` after noting that id. */
static uint32_t module_slot(struct observations *seen, const struct module *m,
                            uint32_t fresh)
{
    uint64_t key =
        (uint64_t)folded_path(seen, m->path) << 32 | identity_hash(m);
    uint32_t id, attempt = 0;

    do
        id = map_add(&seen->module_ids, key, attempt++, fresh);
    while (id != fresh && !same_identity(&seen->profile->modules.data[id], m));
    return id;
}

uint32_t observe_module(struct observations *seen, const struct module *module)
{
    struct profile *p = seen->profile;
    uint32_t fresh = (uint32_t)p->modules.len;
    uint32_t id = module_slot(seen, module, fresh);
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
        added->name = map_add(&seen->managed_names,
                              folded_path(seen, added->name), 0, added->name);
    return id;
}

/* ---- columns of samples ---- */

void observed_samples_add(struct samples *s,
                          const struct observed_sample *sample)
{
    samples_add(s, &(struct sample){.time = sample->time,
                                    .thread = sample->thread_key,
                                    .stack = sample->outer,
                                    .weight = sample->weight,
                                    .period = sample->period,
                                    .value = sample->value,
                                    .cpu = sample->cpu,
                                    .flags = sample->flags});
    if (!s->inner) {
        s->inner = mem_new(s->cap, sizeof(*s->inner));
        s->leaf = mem_new(s->cap, sizeof(*s->leaf));
    }
    s->inner[s->len - 1] = sample->inner;
    s->leaf[s->len - 1] = sample->leaf;
}

void observed_ends_state(const struct observations *seen, struct samples *s)
{
    for (size_t i = 0; i < s->len && seen->whole_below; i++) {
        const struct callchain *run =
            &seen->callchains.list.data[s->stack[i]];

        if (s->stack[i])
            s->flags[i] |= stack_end_flags(run->count < seen->whole_below
                                               ? STACK_END_ROOT
                                               : STACK_END_DEPTH);
    }
}

struct observed_sample observed_samples_get(const struct samples *s, size_t i)
{
    return (struct observed_sample){
        .time = s->time[i],
        .thread_key = s->thread[i],
        .outer = s->stack[i],
        .inner = s->inner[i],
        .weight = s->weight ? s->weight[i] : 1,
        .period = s->period ? s->period[i] : 0,
        .value = s->value ? s->value[i] : 0,
        .cpu = s->cpu[i],
        .flags = s->flags[i],
        .leaf = s->leaf[i],
    };
}
