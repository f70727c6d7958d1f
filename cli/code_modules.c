#include "cli/code_modules.h"

#include <stdlib.h>

#include "engine/base/bisect.h"

struct code_modules {
    const struct profile *p;
    const struct places *places;
    uint64_t *exclusive; /* by location */
    VEC(struct code_module *) modules;
};

struct code_modules *code_modules_new(const struct profile *p,
                                      const struct selection *sel,
                                      const struct places *places)
{
    struct code_modules *all = mem_new(1, sizeof(*all));

    all->p = p;
    all->places = places;
    all->exclusive = mem_new(p->locations.len, sizeof(*all->exclusive));
    for (size_t i = 1; i < p->stacks.len; i++)
        all->exclusive[p->stacks.data[i].location] += sel->stack_counts[i];
    return all;
}

static void close_module(struct code_module *m)
{
    disasm_close(m->disasm);
    module_files_release(&m->files);
    vec_release(&m->hits);
    free(m);
}

void code_modules_free(struct code_modules *all)
{
    for (size_t i = 0; i < all->modules.len; i++)
        close_module(all->modules.data[i]);
    vec_release(&all->modules);
    free(all->exclusive);
    free(all);
}

static int by_rva(const void *x, const void *y)
{
    const struct code_hit *a = x, *b = y;

    return (a->rva > b->rva) - (a->rva < b->rva);
}

static void list_hits(const struct code_modules *all, struct code_module *m)
{
    for (size_t i = 0; i < all->p->locations.len; i++) {
        const struct location *l = &all->p->locations.data[i];
        uint64_t rva;

        if (l->module == m->module && all->exclusive[i] &&
            module_rva(&m->files, l->address, &rva))
            *vec_add(&m->hits) = (struct code_hit){rva, all->exclusive[i]};
    }
    if (m->hits.len)
        qsort(m->hits.data, m->hits.len, sizeof(*m->hits.data), by_rva);
}

const struct code_module *code_module_get(struct code_modules *all,
                                          uint32_t module)
{
    struct code_module *m;

    for (size_t i = 0; i < all->modules.len; i++)
        if (all->modules.data[i]->module == module)
            return all->modules.data[i];
    m = mem_new(1, sizeof(*m));
    m->module = module;
    m->files = find_module(all->p, module, all->places);
    m->image = m->files.image.file;
    if (m->image)
        m->disasm = disasm_open(m->image->machine);
    list_hits(all, m);
    *vec_add(&all->modules) = m;
    return m;
}

uint64_t code_samples(const struct code_module *m, uint64_t start,
                      uint64_t end)
{
    size_t i;
    uint64_t samples = 0;

    BISECT(i, m->hits.len, m->hits.data[i].rva < start);
    for (; i < m->hits.len && m->hits.data[i].rva < end; i++)
        samples += m->hits.data[i].samples;
    return samples;
}
