/*
 * What a script says, between scenario_parse.c (reads it), scenario_frames.c
 * (what its frames mean) and scenario_write.c (make events of
 * it).  Times are nanoseconds from the trace's start, NEVER where a script is
 * silent.
 */
#ifndef TESTS_SUPPORT_SCENARIO_IMPL_H
#define TESTS_SUPPORT_SCENARIO_IMPL_H

#include <stddef.h>
#include <stdint.h>

#include "tests/support/etl_writer.h"
#include "tests/support/scenario.h"

#define NEVER INT64_MAX
#define FROM_START INT64_MIN

enum { MAX_FRAMES = 192, IDLE_PROCESS = 0, IDLE_THREAD = 0, KERNEL = -1 };

struct process {
    char *alias, *name, *command;
    uint32_t pid;
    int64_t start, end; /* FROM_START .. NEVER */
    unsigned version;
    bool wow64, dcend_only;
};

struct thread {
    char *alias, *name;
    int process;
    uint32_t tid;
    int64_t start, end;
    unsigned version;
    bool dcend_only;
};

struct image {
    int process; /* or KERNEL */
    char *name, *pdb;
    char *guid; /* of the PDB, or NULL */
    unsigned age;
    uint32_t stamp; /* when it was linked, as its header says */
    uint64_t base, size;
    int64_t load, unload;
    unsigned version;
    bool dcend_only;
};

enum method_kind { METHOD_CLR, METHOD_CLR2, METHOD_SCRIPT };

struct method {
    char *alias, *class_name, *name, *signature, *url;
    char *module;     /* path of the managed module, or NULL */
    int process;
    uint64_t start, size;
    int64_t load, unload;
    unsigned tier, version;
    enum method_kind kind;
    bool dcstart, no_rundown;
    bool with_stack;  /* its events carry stacks of their own */
    bool has_map;
    unsigned map_version;
    char *pdb, *guid; /* of its module, or NULL */
};

struct stack {
    char *alias;
    char **frames;
    size_t count;
};

enum via { VIA_INLINE, VIA_KEYS, VIA_LOST };

/* One sample or fault. */
struct shot {
    int line;         /* of the script, for messages */
    bool fault;
    int thread;
    unsigned cpu;
    int64_t at;
    int user, kernel; /* stacks or -1 */
    enum via via;
    int64_t late;     /* NEVER: at once */
    unsigned late_cpu;
    bool shared;
    unsigned bits;
    char *ip;         /* no-stack: the frame, owned by the first of a repeat */
};

struct idle {
    unsigned cpu;
    int64_t at;
};

/* A growable array of T: items, count, room. */
#define VEC(T) struct { T *items; size_t count, room; }

struct scenario {
    char *name;
    char *error;
    struct etl_options options;
    unsigned key_slots;
    int64_t interval, stop;
    bool join_fragments;
    VEC(struct process) processes;
    VEC(struct thread) threads;
    VEC(struct image) images;
    VEC(struct method) methods;
    VEC(struct stack) stacks;
    VEC(struct shot) shots;
    VEC(struct idle) idles;
    VEC(int64_t) evictions;
    VEC(char *) strings; /* every string of the script, to free */
};

/* Room for one more item, which is zeroed: *VEC_ADD(&s->images) = ... */
#define VEC_ADD(v)                                                      \
    ((v)->items = scenario_grow((v)->items, &(v)->count, &(v)->room,    \
                                sizeof(*(v)->items)),                   \
     &(v)->items[(v)->count - 1])

void *scenario_grow(void *items, size_t *count, size_t *room, size_t size);

/* Keeps the first message; line 0 leaves the number out.  Returns false. */
bool scenario_fail(struct scenario *s, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* One line of the text, without its newline. */
void scenario_read_line(struct scenario *s, int number, const char *text,
                        size_t n);

/* A frame of a script in its process and time. */
struct meaning {
    uint64_t address;
    char function[512];
    const char *module;
};

bool scenario_frame(struct scenario *s, int line, int process, int64_t at,
                    const char *text, struct meaning *out);

/* Adds a sample to the answer after checking that the script is right. */
bool scenario_count(struct scenario *s, const struct shot *shot,
                    struct answer *answer);

/* The addresses of a stack; returns how many. */
size_t scenario_addresses(struct scenario *s, const struct shot *h,
                          int stack, uint64_t out[MAX_FRAMES]);

/* Delays after the sample of fragments that are written at once. */
enum { KERNEL_DELAY = 7000, USER_DELAY = 11000 };

const char *scenario_base_name(const char *path);

/* "10.5ms" as nanoseconds. */
bool scenario_time(const char *text, int64_t *out);

/* A copy of text that lives as long as the scenario. */
char *scenario_keep(struct scenario *s, const char *text, size_t n);

#endif
