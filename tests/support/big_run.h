/*
 * big_run: the state of a big_trace while it is written, between big_trace.c
 * (what runs and is sampled) and big_rundown.c (what describes it).
 */
#ifndef TESTS_SUPPORT_BIG_RUN_H
#define TESTS_SUPPORT_BIG_RUN_H

#include "tests/support/big_world.h"
#include "tests/support/etl_events.h"

enum {
    CPUS = 8,
    TICKS_PER_MS = 10000,
    SLOTS = 8192,      /* of the stack cache: at full load some five seconds */
    MIN_CACHED = 4,
    MOST_METHODS = 20000,
    MOST_FRAMES = 256,
    SAMPLE_BYTES = 294, /* of the file for one sample, about */
    KEY_BYTES = 220,    /* of a definition */
    METHOD_BYTES = 270
};

struct big_run {
    struct big_world *world;
    struct etl_writer *w;
    struct answer *answer;
    uint64_t target;           /* bytes of records */
    uint32_t slots[SLOTS];     /* node in each, 0: free */
    uint32_t next_slot;
    uint32_t waiting;          /* keys that are not defined yet */
    uint32_t running[CPUS];    /* thread; 0 is the idle thread */
    uint32_t left[CPUS];       /* milliseconds until the next switch */
    uint64_t tick;
    uint32_t now;              /* milliseconds */
    uint32_t next_method;      /* first that is not loaded yet */
    uint32_t *load_order;      /* methods by load time */
};

/* Below n. */
uint32_t big_chance(struct big_run *r, uint32_t n);

/* A fresh stamp for an event on this CPU; in: of this process and thread. */
struct etl_at big_next(struct big_run *r, unsigned cpu);
struct etl_at big_next_in(struct big_run *r, unsigned cpu, uint32_t process,
                          uint32_t tid);

/* Processes, images, threads: at the start and at the stop. */
void big_put_system(struct big_run *r, enum etl_phase phase);

void big_put_method(struct big_run *r, unsigned cpu, uint32_t index,
                    enum etl_method_event event);
/* Makes load_order, for load times up to length (milliseconds). */
void big_sort_methods(struct big_run *r, uint32_t length);
/* Load events of the methods that are due. */
void big_load_methods(struct big_run *r);

#endif
