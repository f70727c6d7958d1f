/*
 * Which providers the modes full and meta are about.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/map.h"
#include "engine/base/strings.h"
#include "engine/base/text.h"
#include "report/events/event_modes.h"

static bool is_named(const struct event_texts *texts,
                     const struct event_kind *k)
{
    uint8_t guid[16];

    for (size_t i = 0; i < texts->count; i++)
        if (glob_match(texts->list[i], k->provider) ||
            (guid_parse(guid, texts->list[i]) &&
             (!memcmp(guid, k->guid, sizeof(guid)) ||
              !memcmp(guid, k->class_guid, sizeof(guid)))))
            return true;
    return false;
}

static void meet_providers(struct event_trace *trace,
                           const struct event_options *options,
                           const struct event_print *p, struct map *met,
                           struct strings *names)
{
    struct event_options quick = *options;
    struct event_cursor *c;
    const struct event *e;

    quick.stacks = false;
    quick.numbered = false;
    quick.unordered = true;
    if (p->providers.count)
        quick.providers = p->providers;
    c = event_cursor_new(trace, &quick);
    while ((e = event_next(c)))
        map_add(
            met,
            strings_add(names, e->kind->provider, strlen(e->kind->provider)), 0,
            1);
    event_cursor_free(c);
}

/* Events that bring their own schema are known when they were met. */
static bool are_described(struct event_trace *trace,
                          const struct event_texts *providers)
{
    for (size_t i = 0; i < providers->count; i++) {
        struct event_texts one = {&providers->list[i], 1};
        size_t k = 0;

        event_kinds_describe(trace, providers->list[i]);
        while (k < event_kind_count(trace) &&
               !is_named(&one, event_kind_at(trace, k)))
            k++;
        if (k == event_kind_count(trace) || strpbrk(providers->list[i], "*?"))
            return false;
    }
    return true;
}

static bool *find_providers(struct event_trace *trace,
                            const struct event_options *options,
                            const struct event_print *p)
{
    struct strings *names = strings_new();
    struct map met = {0};
    bool *chosen;

    if (!p->providers.count || !are_described(trace, &p->providers))
        meet_providers(trace, options, p, &met, names);
    for (uint32_t i = 1; i < strings_count(names); i++)
        event_kinds_describe(trace, strings_get(names, i));
    chosen = mem_new(event_kind_count(trace) + 1, sizeof(*chosen));
    for (size_t i = 0; i < event_kind_count(trace); i++) {
        const struct event_kind *k = event_kind_at(trace, i);

        chosen[i] =
            p->providers.count
                ? is_named(&p->providers, k)
                : map_get(&met,
                          strings_add(names, k->provider, strlen(k->provider)),
                          0) != MAP_NONE;
    }
    map_release(&met);
    strings_free(names);
    return chosen;
}

/* Kinds by provider and name, so that their order does not depend on which
 * was met first. */
static int compare_kinds(const void *a, const void *b)
{
    const struct event_kind *x = *(const struct event_kind *const *)a;
    const struct event_kind *y = *(const struct event_kind *const *)b;
    int order = strcmp(x->provider, y->provider);

    if (!order)
        order = (x->id > y->id) - (x->id < y->id);
    if (!order)
        order = strcmp(x->full_name, y->full_name);
    if (!order)
        order = (x->version > y->version) - (x->version < y->version);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

event_kind_list event_kinds_chosen(struct event_trace *trace,
                                   const struct event_options *options,
                                   const struct event_print *p)
{
    bool *chosen = find_providers(trace, options, p);
    size_t n = event_kind_count(trace);
    event_kind_list list = {0};

    for (size_t i = 0; i < n; i++)
        if (chosen[i])
            *vec_add(&list) = event_kind_at(trace, i);
    free(chosen);
    if (list.len)
        qsort(list.data, list.len, sizeof(*list.data), compare_kinds);
    return list;
}
