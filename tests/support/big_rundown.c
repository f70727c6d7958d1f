#include "tests/support/big_run.h"

#include <stdlib.h>

uint32_t big_chance(struct big_run *r, uint32_t n)
{
    return big_random(r->world, n);
}

struct etl_at big_next(struct big_run *r, unsigned cpu)
{
    struct etl_at at = { .cpu = cpu };

    r->tick += 3 + big_chance(r, 20);
    at.tick = r->tick;
    return at;
}

struct etl_at big_next_in(struct big_run *r, unsigned cpu, uint32_t process,
                             uint32_t tid)
{
    struct etl_at at = big_next(r, cpu);

    at.pid = r->world->processes[process].pid;
    at.tid = tid;
    return at;
}

void big_put_method(struct big_run *r, unsigned cpu, uint32_t index,
                       enum etl_method_event event)
{
    const struct big_method *m = &r->world->methods[index];
    struct etl_method e = {
        .id = 0x7FF810000000u + index * 64, .module_id = 0x7FF810300000u,
        .start = m->start, .size = m->size, .token = 0x06000001u + index,
        .flags = 8 | (3 + index % 2) << 7, .class_name = m->class_name,
        .name = m->name, .signature = m->signature
    };
    uint32_t pid = r->world->processes[m->process].pid;

    etl_method_verbose(r->w, big_next_in(r, cpu, m->process, pid + 4), event,
                       1, &e);
}

void big_load_methods(struct big_run *r)
{
    const struct big_world *w = r->world;

    for (; r->next_method < w->method_count; r->next_method++) {
        uint32_t index = r->load_order[r->next_method];
        if (w->methods[index].load_ms > r->now)
            return;
        if (w->methods[index].load_ms)
            big_put_method(r, index % CPUS, index, ETL_METHOD_LOAD);
    }
}

static void put_image(struct big_run *r, enum etl_phase phase, uint32_t pid,
                      const struct big_image *m)
{
    char path[80];
    struct etl_image e = {
        .pid = pid, .base = m->base, .size = m->size, .checksum = m->size,
        .link_time = 0x5F000000u, .name = path
    };
    struct etl_at at = big_next(r, 0);

    at.pid = pid;
    snprintf(path, sizeof(path), "\\Device\\HarddiskVolume2\\bin\\%s",
             m->name);
    etl_image(r->w, at, phase, 2, &e);
}

static void put_process(struct big_run *r, enum etl_phase phase,
                        uint32_t index)
{
    const struct big_process *p = &r->world->processes[index];
    struct etl_process e = { .pid = p->pid, .parent = index ? 4 : 0,
                             .image = p->name, .command_line = p->name };

    etl_process(r->w, big_next(r, 0), phase, 4, &e);
    for (uint32_t i = 0; index >= 2 && i < BIG_IMAGES; i++)
        put_image(r, phase, p->pid, &r->world->images[p->first_image + i]);
}

/* The rundown, at the start and at the stop. */
void big_put_system(struct big_run *r, enum etl_phase phase)
{
    struct big_world *w = r->world;

    for (uint32_t i = 0; i < BIG_KERNEL_IMAGES; i++)
        put_image(r, phase, 0, &w->images[i]);
    for (uint32_t i = 0; i < BIG_PROCESSES; i++)
        put_process(r, phase, i);
    for (uint32_t i = 0; i < w->thread_count; i++) {
        const struct big_thread *t = &w->threads[i];
        etl_thread(r->w, big_next(r, 0), phase, 3,
                   w->processes[t->process].pid, t->tid, NULL);
    }
}

/* Counting sort by load time; times are below length. */
void big_sort_methods(struct big_run *r, uint32_t length)
{
    const struct big_world *w = r->world;
    uint32_t *first = calloc(length + 2u, sizeof(*first));

    r->load_order = calloc(w->method_count + 1u, sizeof(*r->load_order));
    if (!first || !r->load_order)
        abort();
    for (uint32_t i = 0; i < w->method_count; i++)
        first[w->methods[i].load_ms + 1]++;
    for (uint32_t i = 1; i <= length + 1; i++)
        first[i] += first[i - 1];
    for (uint32_t i = 0; i < w->method_count; i++)
        r->load_order[first[w->methods[i].load_ms]++] = i;
    free(first);
}
