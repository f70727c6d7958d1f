/*
 * big_world: what runs in a big_trace: processes, threads, images, methods and
 * the call trees that stacks are taken from.  Private to big_trace.c.
 *
 * A stack is a node of a call tree: the path from it to its root, leaf first.
 * Trees grow as they are walked, so stacks share prefixes and new ones never
 * stop coming.
 */
#ifndef TESTS_SUPPORT_BIG_WORLD_H
#define TESTS_SUPPORT_BIG_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/support/answer.h"

enum {
    BIG_PROCESSES = 40,     /* 0 is Idle, 1 System; every 4th is .NET */
    BIG_THREADS = 12,       /* of a process */
    BIG_IMAGES = 16,        /* of a process */
    BIG_KERNEL_IMAGES = 24,
    BIG_CHILDREN = 5,       /* most callees of one node */
    BIG_HOT = 600,          /* stacks of a process in use at a time */
    BIG_DEEPEST = 180
};

struct big_image {
    char name[32];
    uint64_t base;
    uint32_t size;
    uint32_t first_site, sites; /* locations */
};

struct big_method {
    char class_name[64], name[32], signature[64];
    uint64_t start;
    uint32_t size;
    uint32_t process;
    uint32_t load_ms;    /* 0: before the trace */
    uint32_t first_site;
};

/* One code address; what the answer calls it is made at its first use. */
struct big_site {
    uint64_t address;
    uint32_t image;   /* index in images, or UINT32_MAX */
    uint32_t method;  /* index in methods, or UINT32_MAX */
    uint32_t frame;   /* of the answer, + 1; 0: not yet */
};

struct big_node {
    uint32_t parent;  /* 0: root */
    uint32_t site;
    uint32_t slot;    /* of the stack cache, + 1 */
    uint16_t depth;
    uint16_t count;
    uint32_t children[BIG_CHILDREN];
};

struct big_process {
    uint32_t pid;
    char name[32];
    bool managed;
    uint32_t first_image;
    uint32_t first_method, methods;
    uint32_t root;            /* node */
    uint32_t hot[BIG_HOT];
    uint32_t hot_count;
    uint32_t row;             /* of the answer */
};

struct big_thread {
    uint32_t tid, process;
    uint32_t row;
    bool running;
    /* One stay in the kernel: samples so far want this user stack. */
    uint64_t stay_stamp;      /* 0: not in one */
    uint32_t stay_user;
    uint32_t stay_left;
};

struct big_world {
    uint64_t rng;
    struct big_process processes[BIG_PROCESSES];
    struct big_thread *threads;
    uint32_t thread_count;
    struct big_image *images;   /* kernel ones first */
    uint32_t image_count;
    struct big_method *methods;
    uint32_t method_count;
    struct big_site *sites;
    uint32_t site_count, site_room;
    uint32_t stub_site, stubs;  /* addresses without a name */
    struct big_node *nodes;     /* 0 is unused */
    uint32_t node_count, node_room;
    uint32_t kernel_root;
    uint32_t kernel_hot[BIG_HOT];
    uint32_t kernel_hot_count;
};

/* methods: JIT methods in all; length_ms: they are loaded within it. */
struct big_world *big_world_new(uint64_t seed, uint32_t methods,
                                uint32_t length_ms);
void big_world_free(struct big_world *w);

/* Below n, n > 0. */
uint32_t big_random(struct big_world *w, uint32_t n);
/* Below n, small values far more often. */
uint32_t big_skewed(struct big_world *w, uint32_t n);

/* The stack of a sample: a node of the process's or the kernel's tree. */
uint32_t big_user_stack(struct big_world *w, uint32_t process,
                        uint32_t now_ms);
uint32_t big_kernel_stack(struct big_world *w);

/* Addresses of a stack, leaf first; returns how many. */
size_t big_addresses(const struct big_world *w, uint32_t node, uint64_t *out);
/* The same as frames of the answer. */
size_t big_frames(struct big_world *w, struct answer *answer, uint32_t node,
                  uint32_t *out);

#endif
