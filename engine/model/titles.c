#include "engine/model/titles.h"

#include <stdio.h>
#include <string.h>

const char *function_name(const struct profile *p, uint32_t function,
                          struct arena *arena)
{
    char text[FUNCTION_NAME_SIZE];
    const char *name = profile_function_name(p, function, text);

    return name == text ? arena_strndup(arena, text, strlen(text)) : name;
}

const char *function_label(const struct profile *p, uint32_t function,
                           struct arena *arena)
{
    const char *label = profile_label(p, function);

    return *label ? label : function_name(p, function, arena);
}

const char *function_module(const struct profile *p, uint32_t function)
{
    uint32_t module = p->functions.data[function].module;

    return module ? strings_get(p->strings, module) : "[unknown]";
}

const char *process_label(const struct profile *p, uint32_t process)
{
    uint32_t name = p->processes.data[process].name;

    return name ? strings_get(p->strings, name) : "[unknown]";
}

const char *process_title(const struct profile *p, uint32_t process,
                          struct arena *arena)
{
    const char *name = process_label(p, process);
    uint32_t pid = p->processes.data[process].pid;
    size_t size = strlen(name) + sizeof(" (4294967295)");
    char *text = arena_new(arena, char, size);

    if (pid == NO_PID)
        snprintf(text, size, "%s (unknown)", name);
    else
        snprintf(text, size, "%s (%u)", name, (unsigned)pid);
    return text;
}
