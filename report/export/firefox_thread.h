/*
 * firefox_thread - the threads of a profile of the Firefox Profiler.
 *
 *     struct firefox_threads threads;
 *     firefox_threads_init(&threads, subject, lib_of, json);
 *     firefox_thread(&threads, thread);
 *     firefox_threads_release(&threads);
 *
 * Every thread has tables of its own, in which what its samples have is
 * numbered from 0: so memory is that of one thread. Part of the export
 * firefox (firefox.c), which says what version of the format this is.
 */
#ifndef TOPFN_FIREFOX_THREAD_H
#define TOPFN_FIREFOX_THREAD_H

#include "engine/base/json.h"
#include "report/export/thread_samples.h"
#include "report/report.h"

/* What a thread has of the profile's frames, functions or strings. */
struct firefox_numbers {
    VEC(uint32_t) list; /* ids of the profile */
    uint32_t *of;       /* by id, + 1; 0: none yet */
};

/* A row of a thread's stack table. */
struct firefox_row {
    uint32_t prefix; /* + 1; 0: none */
    uint32_t frame, kind;
};

struct firefox_threads {
    const struct profile *p;
    const uint32_t *lib_of; /* by name of the module, a string: + 1; 0: none */
    struct json *json;
    struct thread_samples samples;
    struct firefox_numbers frames, functions, resources; /* strings */
    VEC(struct firefox_row) rows;
    VEC(uint32_t) path;      /* stacks without a row yet, innermost first */
    uint32_t *of_stack;      /* by stack: its row + 1; 0: none yet */
    VEC(uint32_t) stacks;    /* that have one */
    struct strings *strings; /* of a thread */
    struct arena scratch;
};

/* What is given must outlive it. */
void firefox_threads_init(struct firefox_threads *w, const struct subject *s,
                          const uint32_t *lib_of, struct json *json);
/* A thread's object, in the array that is open. */
void firefox_thread(struct firefox_threads *w, uint32_t thread);
void firefox_threads_release(struct firefox_threads *w);

#endif
