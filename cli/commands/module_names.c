#include "cli/commands/module_names.h"

#include <stdlib.h>

static bool is_unnamed(const struct profile *p, uint32_t location)
{
    uint32_t frame = p->frame_start.data[location];
    uint32_t function = p->frames.data[frame].function;

    return p->functions.data[function].cause != CAUSE_NONE;
}

/* The managed module of a location; NO_ID none. */
static uint32_t assembly_of(const struct profile *p, uint32_t location)
{
    const struct location *l = &p->locations.data[location];
    uint32_t module =
        l->method == NO_ID ? NO_ID : methods_get(&p->methods, l->method).module;

    return module == NO_ID || !p->modules.data[module].managed ? NO_ID
                                                               : module;
}

/* Precompiled code counts for its image and for its assembly. */
static void count_samples(const struct profile *p, const struct selection *sel,
                          struct module_row *rows)
{
    for (size_t i = 1; i < p->stacks.len; i++) {
        uint32_t location = p->stacks.data[i].location;
        uint32_t module = p->locations.data[location].module;
        uint32_t assembly = assembly_of(p, location);

        if (module != NO_ID)
            rows[module].samples += sel->stack_counts[i];
        if (module != NO_ID && is_unnamed(p, location))
            rows[module].unnamed += sel->stack_counts[i];
        if (assembly != NO_ID)
            rows[assembly].samples += sel->stack_counts[i];
    }
}

/* Marks what has addresses at all. */
static void find_causes(const struct profile *p, struct module_row *rows,
                        bool *sampled)
{
    for (uint32_t i = 0; i < p->locations.len; i++) {
        const struct location *l = &p->locations.data[i];
        uint32_t assembly = assembly_of(p, i);

        if (assembly != NO_ID)
            sampled[assembly] = true;
        if (l->module == NO_ID)
            continue;
        sampled[l->module] = true;
        if (is_unnamed(p, i))
            rows[l->module].cause = l->cause;
    }
}

static int compare_rows(const void *a, const void *b)
{
    const struct module_row *x = a, *y = b;

    if (x->unnamed != y->unnamed)
        return x->unnamed > y->unnamed ? -1 : 1;
    if (x->samples != y->samples)
        return x->samples > y->samples ? -1 : 1;
    return (x->module > y->module) - (x->module < y->module);
}

static void link_searches(struct module_row *rows, const struct naming_log *log)
{
    for (size_t i = 0; i < log->symbols.modules.len; i++) {
        const struct module_search *search = &log->symbols.modules.data[i];

        rows[search->module].search = search;
    }
    for (size_t i = 0; i < log->lines.modules.len; i++) {
        const struct lines_search *search = &log->lines.modules.data[i];

        rows[search->module].lines = search;
    }
}

struct module_names module_names_new(const struct profile *p,
                                     const struct selection *sel,
                                     const struct naming_log *log)
{
    struct module_names names = {
        .p = p,
        .code = &log->code,
        .rows = mem_new(p->modules.len, sizeof(struct module_row)),
    };
    bool *sampled = mem_new(p->modules.len, sizeof(*sampled));

    for (uint32_t i = 0; i < p->modules.len; i++)
        names.rows[i].module = i;
    link_searches(names.rows, log);
    count_samples(p, sel, names.rows);
    find_causes(p, names.rows, sampled);
    for (uint32_t i = 0; i < p->modules.len; i++)
        if (sampled[i])
            names.rows[names.count++] = names.rows[i];
    if (names.count)
        qsort(names.rows, names.count, sizeof(*names.rows), compare_rows);
    free(sampled);
    return names;
}

const struct found *names_lost(const struct module_row *row)
{
    const struct found *used =
        row->search ? module_file_used(&row->search->files) : NULL;

    return used && used->lost.len ? used : NULL;
}

void module_names_release(struct module_names *names)
{
    free(names->rows);
}
