#include "tests/support/profile_check.h"

#include <string.h>

/* Each returns whether its part is sound; `p` is what they look at. */

static bool is_string(const struct profile *p, uint32_t id)
{
    return id < strings_count(p->strings);
}

static bool lives_are_sound(const struct profile *p)
{
    for (size_t i = 0; i < p->processes.len; i++)
        if (!is_string(p, p->processes.data[i].name) ||
            !is_string(p, p->processes.data[i].command_line))
            return false;
    for (size_t i = 0; i < p->threads.len; i++)
        if (p->threads.data[i].process >= p->processes.len ||
            !is_string(p, p->threads.data[i].name))
            return false;
    return true;
}

static bool code_is_sound(const struct profile *p)
{
    for (size_t i = 0; i < p->modules.len; i++)
        if (!is_string(p, p->modules.data[i].name) ||
            !is_string(p, p->modules.data[i].path))
            return false;
    for (size_t i = 0; i < p->mappings.len; i++) {
        const struct mapping *m = &p->mappings.data[i];

        if (m->module >= p->modules.len ||
            (m->process != NO_ID && m->process >= p->processes.len))
            return false;
    }
    for (uint32_t i = 0; i < p->methods.len; i++) {
        struct method m = methods_get(&p->methods, i);

        if (!is_string(p, m.full_name) ||
            (m.module != NO_ID && m.module >= p->modules.len))
            return false;
    }
    return true;
}

static bool locations_are_sound(const struct profile *p)
{
    for (size_t i = 0; i < p->locations.len; i++) {
        const struct location *l = &p->locations.data[i];

        if ((l->module != NO_ID && l->module >= p->modules.len) ||
            (l->method != NO_ID && l->method >= p->methods.len) ||
            l->kind >= CODE_KINDS || l->cause >= CAUSE_KINDS)
            return false;
    }
    return true;
}

static bool frames_are_sound(const struct profile *p)
{
    const uint32_t *start = p->frame_start.data;

    if (p->frame_start.len != p->locations.len + 1 || start[0] ||
        start[p->locations.len] != p->frames.len)
        return false;
    for (size_t i = 0; i < p->locations.len; i++)
        if (start[i] >= start[i + 1])
            return false;
    for (size_t i = 0; i < p->frames.len; i++)
        if (p->frames.data[i].function >= p->functions.len ||
            !is_string(p, p->frames.data[i].file))
            return false;
    for (size_t i = 0; i < p->functions.len; i++)
        if (!is_string(p, p->functions.data[i].name) ||
            !is_string(p, p->functions.data[i].module))
            return false;
    return true;
}

static bool stacks_are_sound(const struct profile *p)
{
    if (!p->stacks.len || p->stacks.data[0].location != NO_ID)
        return false;
    for (size_t i = 1; i < p->stacks.len; i++)
        if (p->stacks.data[i].parent >= i ||
            p->stacks.data[i].location >= p->locations.len)
            return false;
    return true;
}

static const char *check_sample(const struct profile *p, size_t i)
{
    const struct samples *s = &p->samples;

    if (!s->stack[i] || s->stack[i] >= p->stacks.len)
        return "a sample has no stack";
    if (s->thread[i] >= p->threads.len)
        return "a sample has no thread";
    if (i && s->time[i - 1] > s->time[i])
        return "samples are not sorted by time";
    return NULL;
}

const char *profile_check(const struct profile *p)
{
    const char *broken = !lives_are_sound(p)       ? "a life is not sound"
                         : !code_is_sound(p)       ? "a module is not sound"
                         : !locations_are_sound(p) ? "a location is not sound"
                         : !frames_are_sound(p)    ? "a frame is not sound"
                         : !stacks_are_sound(p)    ? "a stack is not sound"
                                                   : NULL;

    for (size_t i = 0; !broken && i < p->samples.len; i++)
        broken = check_sample(p, i);
    return broken;
}

bool warns(const struct profile *p, const char *text)
{
    for (size_t i = 0; i < p->quality.warnings.len; i++)
        if (strstr(strings_get(p->strings, p->quality.warnings.data[i]), text))
            return true;
    return false;
}
