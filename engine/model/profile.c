#include "engine/model/profile.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Leaves room for "!+0x", 16 digits and the NUL. */
enum { LONGEST_NAME = 256 };

struct profile *profile_new(void)
{
    struct profile *p = mem_new(1, sizeof(*p));

    p->strings = strings_new();
    p->labels = labels_new();
    stack_table_init(&p->stacks);
    return p;
}

void profile_free(struct profile *p)
{
    if (!p)
        return;
    strings_free(p->strings);
    labels_free(p->labels);
    vec_release(&p->trace.files);
    vec_release(&p->trace.event_counts);
    vec_release(&p->trace.facts);
    vec_release(&p->trace.contents);
    vec_release(&p->trace.inputs);
    vec_release(&p->quality.skipped);
    vec_release(&p->quality.warnings);
    vec_release(&p->collections);
    vec_release(&p->processes);
    vec_release(&p->threads);
    vec_release(&p->modules);
    vec_release(&p->mappings);
    methods_release(&p->methods);
    vec_release(&p->locations);
    stack_table_release(&p->stacks);
    vec_release(&p->frame_start);
    vec_release(&p->frames);
    vec_release(&p->functions);
    samples_release(&p->samples);
    vec_release(&p->event_stacks);
    map_release(&p->location_ids);
    map_release(&p->function_ids);
    vec_release(&p->between);
    vec_release(&p->given);
    vec_release(&p->given_of);
    il_maps_release(&p->il_maps);
    saved_names_release(&p->saved);
    free(p);
}

static int compare_place(const void *key, const void *at)
{
    uint64_t wanted = *(const uint64_t *)key;
    uint64_t place = ((const struct event_stack_at *)at)->place;

    return (wanted > place) - (wanted < place);
}

uint32_t profile_event_stack(const struct profile *p, uint64_t place)
{
    const struct event_stack_at *found =
        !p->event_stacks.len
            ? NULL
            : bsearch(&place, p->event_stacks.data, p->event_stacks.len,
                      sizeof(*found), compare_place);

    return found ? found->stack : 0;
}

/* The second half of an address's key: which table it counts in. A method in
 * an image and the same method outside are kept apart. */
static uint32_t address_space(const struct location *l)
{
    if (l->method != NO_ID)
        return l->method | 1u << 31 | (l->module != NO_ID ? 1u << 30 : 0);
    return l->module != NO_ID ? l->module : 1u << 30;
}

/* Code that no image and no method holds is another place at each time and in
 * each process where it has another cause. */
static uint32_t location_space(const struct location *l)
{
    bool nowhere = l->method == NO_ID && l->module == NO_ID;

    return address_space(l) | (l->caller ? 1u << 29 : 0) |
           (nowhere ? l->cause : 0);
}

uint32_t profile_location(struct profile *p, const struct location *location)
{
    uint32_t fresh = mem_next_id(p->locations.len), id;

    if (location->method != NO_ID && location->method >= 1u << 29)
        mem_exhausted(location->method); /* see location_space */
    id = map_add(&p->location_ids, location->address, location_space(location),
                 fresh);
    if (id == fresh)
        *vec_add(&p->locations) = *location;
    return id;
}

uint64_t profile_cost(const struct profile *p)
{
    /* Debug files are looked for by module; a page has the name of each thread.
     */
    enum { FUNCTION = 400, LOCATION = 100, FRAME = 40, STACK = 64 };
    enum { MODULE = 1200, THREAD = 300, SAMPLE = 30, TEXT = 2 };

    return (uint64_t)p->functions.len * FUNCTION +
           (uint64_t)p->modules.len * MODULE +
           (uint64_t)p->locations.len * LOCATION +
           (uint64_t)p->given.len * FRAME + (uint64_t)p->stacks.len * STACK +
           (uint64_t)p->threads.len * THREAD +
           (uint64_t)p->samples.len * SAMPLE +
           (uint64_t)strings_size(p->strings) * TEXT;
}

size_t profile_addresses(const struct profile *p)
{
    struct map met = {0};
    uint32_t count = 0;

    for (size_t i = 0; i < p->locations.len; i++) {
        const struct location *l = &p->locations.data[i];

        count += map_add(&met, l->address, address_space(l), count) == count;
    }
    map_release(&met);
    return count;
}

uint32_t profile_stack(struct profile *p, uint32_t parent, uint32_t location)
{
    assert(location < p->locations.len);
    return stack_table_add(&p->stacks, parent, location);
}

const char *profile_code_area(const struct profile *p, const struct location *l)
{
    uint32_t module;

    if (l->kind == CODE_SCRIPT)
        return "[script]";
    if (l->method == NO_ID)
        return "[unknown]";
    module = methods_get(&p->methods, l->method).module;
    if (module != NO_ID && p->modules.data[module].area)
        return strings_get(p->strings, p->modules.data[module].area);
    return "[jit]";
}

/* "module!+0x1a2b" for a separator of "!+". A long name is cut between
 * characters, not inside one. */
static const char *name_and_offset(char text[FUNCTION_NAME_SIZE],
                                   const char *name, const char *separator,
                                   uint64_t offset)
{
    size_t n = strlen(name);

    if (n > LONGEST_NAME)
        for (n = LONGEST_NAME; (name[n] & 0xC0) == 0x80; n--)
            continue;
    snprintf(text, FUNCTION_NAME_SIZE, "%.*s%s0x%llx", (int)n, name, separator,
             (unsigned long long)offset);
    return text;
}

const char *profile_function_name(const struct profile *p, uint32_t function,
                                  char text[FUNCTION_NAME_SIZE])
{
    const struct function *f = &p->functions.data[function];

    if (f->name)
        return strings_get(p->strings, f->name);
    return name_and_offset(text, strings_get(p->strings, f->module),
                           f->module ? "!+" : "", f->address);
}

const char *profile_location_name(const struct profile *p, uint32_t location,
                                  char text[FUNCTION_NAME_SIZE])
{
    const struct location *l = &p->locations.data[location];
    uint32_t name;

    if (l->module != NO_ID) {
        name = p->modules.data[l->module].name;
        return name_and_offset(text, strings_get(p->strings, name), "!+",
                               l->address);
    }
    if (l->method == NO_ID)
        return name_and_offset(text, "", "", l->address);
    name = methods_get(&p->methods, l->method).full_name;
    return name_and_offset(text, strings_get(p->strings, name), "+",
                           l->address);
}

const char *profile_location_module(const struct profile *p, uint32_t location)
{
    const struct location *l = &p->locations.data[location];

    if (p->jit_in_modules)
        return function_module(p, profile_innermost(p, location));
    if (l->module != NO_ID && l->kind != CODE_SCRIPT)
        return strings_get(p->strings, p->modules.data[l->module].name);
    return profile_code_area(p, l);
}

int64_t profile_end(const struct profile *p)
{
    const struct samples *s = &p->samples;
    int64_t end = p->trace.duration_ns;

    return s->len && s->time[s->len - 1] > end ? s->time[s->len - 1] : end;
}
