#include "tests/support/big_world.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

enum { SITES_OF_IMAGE = 200, SITES_OF_METHOD = 3, MOST_NODES = 6000000 };

static void *check(void *p)
{
    if (!p)
        abort();
    return p;
}

/* xorshift64*: small, fast and the same everywhere. */
static uint64_t next_random(struct big_world *w)
{
    w->rng ^= w->rng >> 12;
    w->rng ^= w->rng << 25;
    w->rng ^= w->rng >> 27;
    return w->rng * 2685821657736338717u;
}

uint32_t big_random(struct big_world *w, uint32_t n)
{
    return (uint32_t)((next_random(w) >> 32) * n >> 32);
}

uint32_t big_skewed(struct big_world *w, uint32_t n)
{
    uint64_t a = big_random(w, n), b = big_random(w, n);

    return (uint32_t)(a * b / n);
}

static uint32_t add_site(struct big_world *w, uint64_t address,
                         uint32_t image, uint32_t method)
{
    if (w->site_count == w->site_room) {
        w->site_room = w->site_room ? w->site_room * 2 : 4096;
        w->sites = check(realloc(w->sites,
                                 w->site_room * sizeof(*w->sites)));
    }
    w->sites[w->site_count] = (struct big_site){ address, image, method, 0 };
    return w->site_count++;
}

static void add_image(struct big_world *w, const char *name, uint64_t base,
                      uint32_t size)
{
    uint32_t index = w->image_count++;
    struct big_image *m = &w->images[index];

    snprintf(m->name, sizeof(m->name), "%s", name);
    m->base = base;
    m->size = size;
    m->first_site = w->site_count;
    m->sites = SITES_OF_IMAGE;
    for (uint32_t i = 0; i < SITES_OF_IMAGE; i++)
        add_site(w, base + 0x1000 + big_random(w, size - 0x1000), index,
                 NONE);
}

static void add_kernel_images(struct big_world *w)
{
    char name[32];

    add_image(w, "ntoskrnl.exe", 0xFFFFF80020000000u, 0x800000);
    for (uint32_t i = 1; i < BIG_KERNEL_IMAGES; i++) {
        snprintf(name, sizeof(name), "driver%02" PRIu32 ".sys", i);
        add_image(w, name, 0xFFFFF80030000000u + i * 0x1000000u, 0x80000);
    }
}

/* The system's libraries stand at one address everywhere. */
static void add_process_images(struct big_world *w, struct big_process *p)
{
    static const char *const shared[] = {
        "ntdll.dll", "kernel32.dll", "KernelBase.dll", "ucrtbase.dll",
        "combase.dll", "user32.dll", "win32u.dll", "rpcrt4.dll"
    };
    char name[32];

    p->first_image = w->image_count;
    add_image(w, p->name, 0x7FF600000000u + p->pid * 0x100000u, 0x80000);
    for (uint32_t i = 0; i < 8; i++)
        add_image(w, shared[i], 0x7FFC10000000u + i * 0x1000000u, 0x200000);
    if (p->managed)
        add_image(w, "coreclr.dll", 0x7FFC00000000u, 0x500000);
    while (w->image_count - p->first_image < BIG_IMAGES) {
        snprintf(name, sizeof(name), "module%03" PRIu32 ".dll",
                 w->image_count % 200);
        add_image(w, name, 0x7FFB00000000u + w->image_count * 0x1000000u,
                  0x100000);
    }
}

static void add_method(struct big_world *w, uint32_t process, uint32_t n,
                       uint32_t length_ms)
{
    static const char *const parts[] = { "Orders", "Ledger", "Cache", "Query",
                                         "Index", "Parser", "Session" };
    uint32_t index = w->method_count++;
    struct big_method *m = &w->methods[index];

    snprintf(m->class_name, sizeof(m->class_name), "Shop.%s.%sService%" PRIu32,
             parts[big_random(w, 7)], parts[big_random(w, 7)], n / 12);
    snprintf(m->name, sizeof(m->name), "Handle%" PRIu32, n);
    snprintf(m->signature, sizeof(m->signature),
             "instance void  (int32,class System.String)");
    m->size = 0x80 + big_random(w, 0x400);
    m->start = 0x7FFA00000000u + process * 0x10000000u + n * 0x500u;
    m->process = process;
    m->load_ms = big_random(w, 2) ? 0 : 1 + big_random(w, length_ms);
    m->first_site = w->site_count;
    for (uint32_t i = 0; i < SITES_OF_METHOD; i++)
        add_site(w, m->start + big_random(w, m->size), NONE, index);
}

static uint32_t add_node(struct big_world *w, uint32_t parent, uint32_t site)
{
    uint16_t depth = 1;

    if (w->node_count == w->node_room) {
        w->node_room *= 2;
        w->nodes = check(realloc(w->nodes,
                                 w->node_room * sizeof(*w->nodes)));
    }
    if (parent)
        depth = (uint16_t)(w->nodes[parent].depth + 1);
    w->nodes[w->node_count] = (struct big_node){ .parent = parent,
                                                 .site = site,
                                                 .depth = depth };
    return w->node_count++;
}

static void add_threads(struct big_world *w, uint32_t process)
{
    uint32_t n = process == 0 ? 1 : BIG_THREADS;

    for (uint32_t i = 0; i < n; i++) {
        struct big_thread *t = &w->threads[w->thread_count++];
        t->process = process;
        t->tid = process ? w->processes[process].pid + 4 + i * 4 : 0;
    }
}

static void add_process(struct big_world *w, uint32_t index)
{
    struct big_process *p = &w->processes[index];

    p->pid = index < 2 ? index * 4 : 1000 + index * 400;
    p->managed = index >= 2 && index % 4 == 2;
    if (index < 2)
        snprintf(p->name, sizeof(p->name), "%s", index ? "System" : "Idle");
    else
        snprintf(p->name, sizeof(p->name), "%s%02" PRIu32 ".exe",
                 p->managed ? "service" : "worker", index);
    add_threads(w, index);
    if (index < 2)
        return;
    add_process_images(w, p);
    /* Every thread starts in ntdll. */
    p->root = add_node(w, 0, w->images[p->first_image + 1].first_site);
}

static void add_methods(struct big_world *w, uint32_t methods,
                        uint32_t length_ms)
{
    uint32_t each = methods / (BIG_PROCESSES / 4);

    for (uint32_t i = 2; i < BIG_PROCESSES; i += 4) {
        w->processes[i].first_method = w->method_count;
        w->processes[i].methods = each;
        for (uint32_t k = 0; k < each; k++)
            add_method(w, i, k, length_ms);
    }
}

struct big_world *big_world_new(uint64_t seed, uint32_t methods,
                                uint32_t length_ms)
{
    struct big_world *w = check(calloc(1, sizeof(*w)));

    w->rng = seed * 0x9E3779B97F4A7C15u + 1;
    w->threads = check(calloc(BIG_PROCESSES * BIG_THREADS,
                              sizeof(*w->threads)));
    w->images = check(calloc(BIG_KERNEL_IMAGES + BIG_PROCESSES * BIG_IMAGES,
                             sizeof(*w->images)));
    w->methods = check(calloc(methods + 1u, sizeof(*w->methods)));
    w->node_room = 1u << 16;
    w->nodes = check(malloc(w->node_room * sizeof(*w->nodes)));
    w->node_count = 1;
    add_kernel_images(w);
    w->kernel_root = add_node(w, 0, 0);
    for (uint32_t i = 0; i < BIG_PROCESSES; i++)
        add_process(w, i);
    add_methods(w, methods, length_ms);
    w->stub_site = w->site_count;
    w->stubs = 64;
    for (uint32_t i = 0; i < w->stubs; i++)
        add_site(w, 0x1F0000000u + i * 0x40u, NONE, NONE);
    return w;
}

void big_world_free(struct big_world *w)
{
    free(w->threads);
    free(w->images);
    free(w->methods);
    free(w->sites);
    free(w->nodes);
    free(w);
}

static uint32_t image_site(struct big_world *w, uint32_t first, uint32_t n)
{
    const struct big_image *m = &w->images[first + big_skewed(w, n)];

    return m->first_site + big_skewed(w, m->sites);
}

/* NONE if the method picked is not compiled yet. */
static uint32_t method_site(struct big_world *w, const struct big_process *p,
                            uint32_t now_ms)
{
    const struct big_method *m;

    m = &w->methods[p->first_method + big_skewed(w, p->methods)];
    return m->load_ms < now_ms || !m->load_ms
               ? m->first_site + big_random(w, SITES_OF_METHOD)
               : NONE;
}

static uint32_t user_site(struct big_world *w, const struct big_process *p,
                          uint32_t now_ms)
{
    uint32_t site = NONE;

    if (p->managed && big_random(w, 100) == 0)
        return w->stub_site + big_random(w, w->stubs);
    if (p->managed && p->methods && big_random(w, 100) < 70)
        site = method_site(w, p, now_ms);
    return site != NONE ? site : image_site(w, p->first_image, BIG_IMAGES);
}

static uint32_t new_site(struct big_world *w, uint32_t process,
                         uint32_t now_ms)
{
    return process ? user_site(w, &w->processes[process], now_ms)
                   : image_site(w, 0, BIG_KERNEL_IMAGES);
}

/* One step away from the root: mostly known ways, at times a new one. */
static uint32_t step(struct big_world *w, uint32_t node, uint32_t process,
                     uint32_t now_ms)
{
    uint32_t count = w->nodes[node].count, child;
    bool full = count == BIG_CHILDREN || w->node_count >= MOST_NODES;

    if (count && (full || big_random(w, 100) < 85))
        return w->nodes[node].children[big_skewed(w, count)];
    if (full)
        return node;
    child = add_node(w, node, new_site(w, process, now_ms));
    w->nodes[node].children[w->nodes[node].count++] = child;
    return child;
}

/* Process 0 stands for the kernel here. */
static uint32_t walk(struct big_world *w, uint32_t root, uint32_t depth,
                     uint32_t process, uint32_t now_ms)
{
    uint32_t node = root;

    while (depth-- > 1)
        node = step(w, node, process, now_ms);
    return node;
}

/* Half the stacks are near the average, a few are very deep. */
static uint32_t user_depth(struct big_world *w)
{
    uint32_t depth = 10 + big_random(w, 26);

    while (depth < BIG_DEEPEST && big_random(w, 100) < 22)
        depth += big_random(w, 24);
    return depth < BIG_DEEPEST ? depth : BIG_DEEPEST;
}

/* Most samples meet a stack in use; a new one takes the place of an old. */
static uint32_t pick(struct big_world *w, uint32_t *hot, uint32_t *count,
                     uint32_t fresh_percent)
{
    if (*count == BIG_HOT && big_random(w, 100) >= fresh_percent)
        return hot[big_skewed(w, BIG_HOT)];
    return 0;
}

static void keep(struct big_world *w, uint32_t *hot, uint32_t *count,
                 uint32_t node)
{
    if (*count < BIG_HOT)
        hot[(*count)++] = node;
    else
        hot[big_random(w, BIG_HOT)] = node;
}

uint32_t big_user_stack(struct big_world *w, uint32_t process,
                        uint32_t now_ms)
{
    struct big_process *p = &w->processes[process];
    uint32_t node = pick(w, p->hot, &p->hot_count, 7);

    if (!node) {
        node = walk(w, p->root, user_depth(w), process, now_ms);
        keep(w, p->hot, &p->hot_count, node);
    }
    return node;
}

uint32_t big_kernel_stack(struct big_world *w)
{
    uint32_t node = pick(w, w->kernel_hot, &w->kernel_hot_count, 3);

    if (!node) {
        node = walk(w, w->kernel_root, 2 + big_random(w, 10), 0, 0);
        keep(w, w->kernel_hot, &w->kernel_hot_count, node);
    }
    return node;
}

size_t big_addresses(const struct big_world *w, uint32_t node, uint64_t *out)
{
    size_t n = 0;

    for (; node; node = w->nodes[node].parent)
        out[n++] = w->sites[w->nodes[node].site].address;
    return n;
}

static uint32_t site_frame(struct big_world *w, struct answer *answer,
                           struct big_site *s)
{
    const char *module = "[unknown]";
    char text[256];

    if (s->image != NONE) {
        const struct big_image *m = &w->images[s->image];
        module = m->name;
        snprintf(text, sizeof(text), "%s!+0x%" PRIx64, m->name,
                 s->address - m->base);
    } else if (s->method != NONE) {
        const struct big_method *m = &w->methods[s->method];
        module = "[jit]";
        snprintf(text, sizeof(text), "%s.%s%s", m->class_name, m->name,
                 strchr(m->signature, '('));
    } else {
        snprintf(text, sizeof(text), "0x%" PRIx64, s->address);
    }
    return answer_frame(answer, text, module);
}

size_t big_frames(struct big_world *w, struct answer *answer, uint32_t node,
                  uint32_t *out)
{
    size_t n = 0;

    for (; node; node = w->nodes[node].parent) {
        struct big_site *s = &w->sites[w->nodes[node].site];
        if (!s->frame)
            s->frame = site_frame(w, answer, s) + 1;
        out[n++] = s->frame - 1;
    }
    return n;
}
