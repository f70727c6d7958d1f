/*
 * Names of the kernel of Linux from its list of functions (kallsyms.h): a
 * file of that name in a place, or in a folder that perf keeps by build-id
 * (PLACE/.build-id/xx/yyyy/kallsyms). A vmlinux is a debug file as others.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/attribution/observations.h"
#include "engine/base/hex.h"
#include "engine/base/text.h"
#include "engine/container/container.h"
#include "symbols/find/places.h"
#include "symbols/generated/kallsyms.h"
#include "symbols/name_source.h"

enum { LONGEST_PATH = 4096 };

static const char kernel_name[] = "[kernel.kallsyms]";

struct kernel {
    const struct profile *p;
    struct container *file; /* that has the list */
    struct kallsyms *list;
    uint64_t *bases; /* by module: where it lies; 0: not in the kernel */
    char path[LONGEST_PATH];
};

static bool is_kernel(const struct profile *p, uint32_t module)
{
    return !strcmp(strings_get(p->strings, p->modules.data[module].path),
                   kernel_name);
}

static uint32_t subject(const struct profile *p, const struct location *l)
{
    (void)p;
    return l->kind == CODE_KERNEL && l->method == NO_ID ? l->module : NO_ID;
}

/* ---- the file ---- */

static bool is_there(struct kernel *k, const char *folder, const char *rest)
{
    int n = snprintf(k->path, LONGEST_PATH, "%s%s", folder, rest);

    return n > 0 && n < LONGEST_PATH && !access(k->path, R_OK);
}

/* ".build-id/xx/yyyy/kallsyms" of the kernel; false: its id is not known. */
static bool cached_name(const struct profile *p, char *text, size_t size)
{
    for (size_t m = 0; m < p->modules.len; m++) {
        const struct identity *id = &p->modules.data[m].identity;
        char hex[HEX_SIZE(sizeof(id->build_id))];
        int n;

        if (!is_kernel(p, (uint32_t)m) || !id->build_id_size)
            continue;
        hex_text(id->build_id, id->build_id_size, hex);
        n = snprintf(text, size, "/.build-id/%.2s/%s/kallsyms", hex, hex + 2);
        return n > 0 && (size_t)n < size;
    }
    return false;
}

/* perf's copy may be of another start of the same
 * kernel, unless it is known where this one was. */
static bool find_list(struct kernel *k, const struct places *places,
                      bool placed)
{
    char cached[200];
    bool known = placed && cached_name(k->p, cached, sizeof(cached));

    for (size_t i = 0; i < places->paths.len; i++) {
        const char *path = places->paths.data[i];

        if (known && is_there(k, path, cached))
            return true;
        if (is_there(k, path, "/kallsyms"))
            return true;
        if (!strncmp(path_base_name(path), "kallsyms", 8) &&
            is_there(k, path, ""))
            return true;
    }
    return known && places->perf_cache &&
           is_there(k, places->perf_cache, cached);
}

/* ---- the source ---- */

static void end(void *state, const struct naming *n)
{
    struct kernel *k = state;

    (void)n;
    kallsyms_free(k->list);
    container_close(k->file);
    free(k->bases);
    free(k);
}

/* A kernel without a known mapping has the upper half of all addresses, and its
 * list is taken as it is. */
static void *begin(const struct naming *n, const struct asked_about *asked,
                   size_t count)
{
    const uint64_t whole = kernel_space_start(8);
    struct kernel *k = mem_new(1, sizeof(*k));
    const struct profile *p = k->p = n->p;
    uint64_t base = 0;

    (void)asked, (void)count;
    k->bases = mem_new(p->modules.len + 1, sizeof(*k->bases));
    for (size_t i = 0; i < p->mappings.len; i++) {
        const struct mapping *m = &p->mappings.data[i];

        if (m->process != NO_ID)
            continue;
        k->bases[m->module] = m->base - m->rva;
        if (is_kernel(p, m->module) && m->base != whole)
            base = m->base;
    }
    if (find_list(k, n->places, base)) {
        struct container *c = k->file = container_open_file(k->path, NULL);

        if (c && c->count == 1 && !container_load(c, 0, NULL))
            k->list =
                kallsyms_open(c->entries[0].data, c->entries[0].size, base);
    }
    if (k->list)
        return k;
    end(k, n);
    return NULL;
}

static void ask(void *opened, const struct asked *asked, struct answer *answer)
{
    const struct kernel *k = opened;
    const struct profile *p = k->p;
    const char *name =
        strings_get(p->strings, p->modules.data[asked->module].name);
    uint64_t base = k->bases[asked->module];
    char driver[64] = "";
    bool own = is_kernel(p, asked->module);

    if (!base)
        return;
    if (!own && *name == '[' && strlen(name) - 2 < sizeof(driver))
        memcpy(driver, name + 1, strlen(name) - 2);
    name =
        kallsyms_find(k->list, base + asked_code(asked), own ? NULL : driver);
    if (!name)
        return;
    answer->count = 1;
    answer->frames[0] = (struct debug_frame){.function = name};
    answer->origin = k->path;
}

const struct name_source kernel_names_source = {
    .subject = subject,
    .begin = begin,
    .ask = ask,
    .end = end,
};
