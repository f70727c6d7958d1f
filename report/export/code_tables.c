#include "report/export/code_tables.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"
#include "report/export/frames.h"
#include "report/table/table.h"

uint32_t code_text(struct code_tables *t, const char *text)
{
    return strings_add(t->strings, text, strlen(text));
}

uint64_t code_function(struct code_tables *t, const struct frame *f)
{
    uint32_t fresh = mem_next_id(t->functions.len);
    uint32_t id = map_add(&t->function_ids, f->function, f->file, fresh);

    if (id == fresh)
        *vec_add(&t->functions) = (struct code_pair){f->function, f->file};
    return (uint64_t)id + 1;
}

static uint64_t add_mapping(struct code_tables *t, uint32_t module,
                            uint32_t shown)
{
    uint32_t fresh = mem_next_id(t->mappings.len);
    uint32_t id = map_add(&t->mapping_ids, module, shown, fresh);

    if (id == fresh)
        *vec_add(&t->mappings) = (struct code_pair){module, shown};
    return (uint64_t)id + 1;
}

/* The outermost function at an address, which pprof gives the address to. 0:
 * none. */
uint64_t code_mapping(struct code_tables *t, uint32_t location)
{
    const struct profile *p = t->p;
    uint32_t last = p->frame_start.data[location + 1] - 1;
    uint32_t shown = p->functions.data[p->frames.data[last].function].module;
    uint32_t module = p->locations.data[location].module;

    if (!shown && module == NO_ID)
        return 0;
    if (module != NO_ID && p->modules.data[module].name == shown)
        shown = p->modules.data[module].path;
    return add_mapping(t, module, shown);
}

const struct mapping *code_mapped(const struct code_tables *t, uint32_t module)
{
    uint32_t id = module == NO_ID ? NO_ID : t->first_mapping[module];

    return id == NO_ID ? NULL : &t->p->mappings.data[id];
}

/* In memory as it was mapped first. */
uint64_t code_address(const struct code_tables *t, const struct location *l)
{
    const struct mapping *m = code_mapped(t, l->module);

    if (l->module == NO_ID && l->method != NO_ID)
        return methods_get(&t->p->methods, l->method).start + l->address;
    return m ? m->base + (l->address - m->rva) : l->address;
}

void code_main_mapping(struct code_tables *t)
{
    const struct profile *p = t->p;
    const struct process *processes = p->processes.data;
    uint32_t process;
    uint64_t *samples = mem_new(p->processes.len + 1, sizeof(*samples));
    uint32_t busiest = 0;

    for (size_t i = 0; i < p->threads.len; i++)
        samples[p->threads.data[i].process] += t->s->sel->thread_counts[i];
    for (uint32_t i = 0; i < p->processes.len; i++)
        if (samples[i] > samples[busiest])
            busiest = i;
    free(samples);
    process = busiest;
    for (size_t i = 0; i < p->mappings.len; i++) {
        const struct mapping *m = &p->mappings.data[i];
        const struct module *image = &p->modules.data[m->module];

        if (m->process == NO_ID ||
            processes[m->process].pid != processes[process].pid ||
            !ascii_same(strings_get(p->strings, image->name),
                        strings_get(p->strings, processes[process].name)))
            continue;
        add_mapping(t, m->module, image->path);
        return;
    }
}

struct code_tables code_tables_of(const struct subject *s)
{
    const struct profile *p = s->p;
    struct code_tables t = {
        .s = s,
        .p = p,
        .strings = strings_new(),
        .first_mapping = mem_new(p->modules.len, sizeof(*t.first_mapping)),
    };

    for (size_t i = 0; i < p->modules.len; i++)
        t.first_mapping[i] = NO_ID;
    for (size_t i = p->mappings.len; i-- > 0;)
        t.first_mapping[p->mappings.data[i].module] = (uint32_t)i;
    return t;
}

void code_tables_release(struct code_tables *t)
{
    strings_free(t->strings);
    free(t->first_mapping);
    vec_release(&t->functions);
    vec_release(&t->mappings);
    map_release(&t->function_ids);
    map_release(&t->mapping_ids);
    arena_release(&t->scratch);
}

/* ---- what is counted ---- */

const char *code_time_type(const struct profile *p)
{
    switch (p->trace.metric.id) {
    case METRIC_CPU_SAMPLES:
    case METRIC_CPU_TIME:
        return "cpu";
    case METRIC_WAIT_TIME:
        return "delay";
    case METRIC_EVENTS:
        return profile_counts_time(p) ? profile_metric_word(p) : "time";
    default:
        return profile_metric(p)->wall_clock ? "wall" : "time";
    }
}

static const char *count_type(const struct profile *p)
{
    const char *word = profile_metric_word(p);

    if (p->trace.metric.id == METRIC_PERIODS)
        return profile_unit(p);
    return p->trace.metric.id == METRIC_CPU_SAMPLES || !*word ? "samples"
                                                              : word;
}

const char *code_sample_type(const struct profile *p, char **unit)
{
    *unit = whole_unit(p);
    if (!strcmp(*unit, "samples") || p->trace.metric.id == METRIC_PERIODS) {
        free(*unit);
        *unit = text_dup("count");
    }
    return profile_counts_time(p) ? code_time_type(p) : count_type(p);
}
