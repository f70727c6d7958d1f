#include "engine/facts.h"

#include <string.h>

struct facts *facts_new(struct profile *profile)
{
    struct facts *f = mem_new(1, sizeof(*f));

    f->profile = profile;
    runs_init(&f->runs);
    f->module_keys = strings_new();
    return f;
}

void facts_free(struct facts *f)
{
    if (!f)
        return;
    runs_release(&f->runs);
    vec_release(&f->inner);
    vec_release(&f->thread_keys);
    map_release(&f->thread_key_ids);
    vec_release(&f->processes);
    vec_release(&f->threads);
    vec_release(&f->images);
    vec_release(&f->methods);
    vec_release(&f->managed_modules);
    strings_free(f->module_keys);
    map_release(&f->module_ids);
    free(f);
}

void facts_process(struct facts *f, const struct process_fact *fact)
{
    *vec_add(&f->processes) = *fact;
}

void facts_thread(struct facts *f, const struct thread_fact *fact)
{
    *vec_add(&f->threads) = *fact;
}

void facts_image(struct facts *f, const struct image_fact *fact)
{
    *vec_add(&f->images) = *fact;
}

void facts_method(struct facts *f, const struct method_fact *fact)
{
    *vec_add(&f->methods) = *fact;
}

void facts_managed_module(struct facts *f,
                          const struct managed_module_fact *fact)
{
    *vec_add(&f->managed_modules) = *fact;
}

uint32_t facts_thread_key(struct facts *f, uint32_t tid, uint32_t pid)
{
    uint32_t fresh = (uint32_t)f->thread_keys.len;
    uint32_t id = map_add(&f->thread_key_ids, tid, pid, fresh);

    if (id == fresh)
        *vec_add(&f->thread_keys) = (struct thread_key){tid, pid};
    return id;
}

void facts_sample(struct facts *f, int64_t time, uint32_t thread_key,
                  uint16_t cpu, uint8_t flags, uint32_t outer, uint32_t inner)
{
    profile_sample(f->profile, time, thread_key, outer, cpu, flags);
    *vec_add(&f->inner) = inner;
}

/* The part behind the last separator of either kind. */
static const char *base_name(const char *path)
{
    const char *base = path;

    for (; *path; path++)
        if (*path == '\\' || *path == '/')
            base = path + 1;
    return base;
}

/* Everything that tells two modules apart, as one string. */
static uint32_t module_key(struct facts *f, const struct module *m)
{
    const struct identity *id = &m->identity;
    const char *path = strings_get(f->profile->strings, m->path);
    uint32_t folded = strings_fold(
        f->module_keys, strings_add(f->module_keys, path, strlen(path)));
    uint64_t guid[2], build_id[4];

    memcpy(guid, id->guid, sizeof(guid));
    memcpy(build_id, id->build_id, sizeof(build_id));
    return strings_addf(
        f->module_keys, "%u %d %llx%llx-%x %x-%x %llx%llx%llx%llx", folded,
        m->managed, (unsigned long long)guid[0], (unsigned long long)guid[1],
        id->age, id->timestamp, id->image_size,
        (unsigned long long)build_id[0], (unsigned long long)build_id[1],
        (unsigned long long)build_id[2], (unsigned long long)build_id[3]);
}

uint32_t facts_module(struct facts *f, const struct module *module)
{
    struct profile *p = f->profile;
    uint32_t fresh = (uint32_t)p->modules.len;
    uint32_t id = map_add(&f->module_ids, module_key(f, module), 0, fresh);
    const char *name = base_name(strings_get(p->strings, module->path));
    struct module *added;

    if (id != fresh)
        return id;
    added = vec_add(&p->modules);
    *added = *module;
    added->name = strings_add(p->strings, name, strlen(name));
    return id;
}
