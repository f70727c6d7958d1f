#include "cli/commands/code_modules.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/bisect.h"

struct code_modules {
    const struct profile *p;
    const struct places *places;
    uint64_t *exclusive; /* by location */
    /* What was sampled in a module: its first location, and after each the
     * next one; NO_ID ends. */
    uint32_t *first, *next;
    struct code_module **modules; /* by module; NULL: not asked for yet */
    uint64_t steps;
};

static void list_locations(struct code_modules *all)
{
    const struct profile *p = all->p;

    all->first = mem_new(p->modules.len, sizeof(*all->first));
    all->next = mem_new(p->locations.len, sizeof(*all->next));
    memset(all->first, 0xFF, p->modules.len * sizeof(*all->first));
    for (uint32_t i = (uint32_t)p->locations.len; i-- > 0;) {
        uint32_t module = p->locations.data[i].module;

        all->steps++;
        if (module == NO_ID || !all->exclusive[i])
            continue;
        all->next[i] = all->first[module];
        all->first[module] = i;
    }
}

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
    all->modules = mem_new(p->modules.len, sizeof(*all->modules));
    list_locations(all);
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
    for (size_t i = 0; i < all->p->modules.len; i++)
        if (all->modules[i])
            close_module(all->modules[i]);
    free(all->modules);
    free(all->first);
    free(all->next);
    free(all->exclusive);
    free(all);
}

static int by_rva(const void *x, const void *y)
{
    const struct code_hit *a = x, *b = y;

    return (a->rva > b->rva) - (a->rva < b->rva);
}

static void list_hits(struct code_modules *all, struct code_module *m)
{
    for (uint32_t i = all->first[m->module]; i != NO_ID; i = all->next[i]) {
        uint64_t rva;

        all->steps++;
        if (module_rva(&m->files, all->p->locations.data[i].address, &rva))
            *vec_add(&m->hits) = (struct code_hit){rva, all->exclusive[i]};
    }
    if (m->hits.len)
        qsort(m->hits.data, m->hits.len, sizeof(*m->hits.data), by_rva);
}

const struct code_module *code_module_get(struct code_modules *all,
                                          uint32_t module)
{
    struct code_module *m = all->modules[module];

    if (m)
        return m;
    m = mem_new(1, sizeof(*m));
    m->module = module;
    m->files = find_module(all->p, module, all->places);
    m->image = m->files.image.file;
    if (m->image)
        m->disasm = disasm_open(m->image->machine);
    list_hits(all, m);
    all->modules[module] = m;
    return m;
}

uint64_t code_modules_steps(const struct code_modules *all)
{
    return all->steps;
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
