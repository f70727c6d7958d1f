#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/scenario_impl.h"

void *scenario_grow(void *items, size_t *count, size_t *room, size_t size)
{
    if (*count == *room) {
        *room = *room ? *room * 2 : 16;
        items = realloc(items, *room * size);
        if (!items)
            abort();
    }
    memset((char *)items + *count * size, 0, size);
    ++*count;
    return items;
}

bool scenario_fail(struct scenario *s, int line, const char *format, ...)
{
    char text[600], full[800];
    va_list args;

    if (s->error)
        return false;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (line)
        snprintf(full, sizeof(full), "%s:%d: %s", s->name, line, text);
    else
        snprintf(full, sizeof(full), "%s: %s", s->name, text);
    s->error = strdup(full);
    return false;
}

const char *scenario_error(const struct scenario *s)
{
    return s->error;
}

static bool option_number(const char *text, uint64_t max, uint64_t *out)
{
    char *end;

    *out = strtoull(text, &end, 0);
    return end != text && !*end && *out <= max;
}

static bool option_clock(struct scenario *s, const char *v)
{
    static const char *const names[] = { "", "qpc", "system", "cycles" };

    for (int i = 1; i <= 3; i++)
        if (strcmp(v, names[i]) == 0) {
            s->options.clock = (enum etl_writer_clock)i;
            return true;
        }
    return false;
}

bool scenario_option(struct scenario *s, const char *name, const char *v)
{
    bool on = strcmp(v, "on") == 0;
    uint64_t n;

    if (strcmp(name, "clock") == 0)
        return option_clock(s, v);
    if (strcmp(name, "interval") == 0)
        return scenario_time(v, &s->interval);
    if (strcmp(name, "stop") == 0)
        return scenario_time(v, &s->stop);
    if (strcmp(name, "compressed") == 0)
        s->options.compressed = on;
    else if (strcmp(name, "live") == 0)
        s->options.live = on;
    else if (strcmp(name, "stack32") == 0)
        s->join_fragments = on;
    else if (!option_number(v, 1u << 24, &n))
        return false;
    else if (strcmp(name, "bits") == 0 && (n == 32 || n == 64))
        s->options.pointer_size = (unsigned)n / 8;
    else if (strcmp(name, "cpus") == 0 && n > 0)
        s->options.cpus = (unsigned)n;
    else if (strcmp(name, "buffer") == 0 && n >= 1024 && n % 8 == 0)
        s->options.buffer_size = (uint32_t)n;
    else if (strcmp(name, "key-slots") == 0 && n > 0)
        s->key_slots = (unsigned)n;
    else if (strcmp(name, "late-buffers") == 0)
        s->options.late_buffers = (unsigned)n;
    else
        return false;
    return true;
}

/* Process 0 and its thread 0, which every trace has. */
static void add_idle(struct scenario *s)
{
    struct process p = { .alias = scenario_keep(s, "idle", 4), .version = 4,
                         .name = scenario_keep(s, "Idle", 4),
                         .start = FROM_START, .end = NEVER };
    struct thread t = { .alias = p.alias, .version = 3, .start = FROM_START,
                        .end = NEVER };

    *VEC_ADD(&s->processes) = p;
    *VEC_ADD(&s->threads) = t;
}

struct scenario *scenario_parse(const char *text, const char *name)
{
    struct scenario *s = calloc(1, sizeof(*s));
    int line_number = 0;

    if (!s)
        abort();
    s->name = scenario_keep(s, name, strlen(name));
    s->options.cpus = 1;
    s->options.pointer_size = 8;
    s->key_slots = 256;
    s->interval = 1000000;
    s->stop = NEVER;
    add_idle(s);
    while (*text && !s->error) {
        size_t n = strcspn(text, "\n");
        scenario_read_line(s, ++line_number, text, n);
        text += n + (text[n] != '\0');
    }
    return s;
}

void scenario_free(struct scenario *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->stacks.count; i++)
        free(s->stacks.items[i].frames);
    for (size_t i = 0; i < s->strings.count; i++)
        free(s->strings.items[i]);
    free(s->processes.items);
    free(s->threads.items);
    free(s->images.items);
    free(s->methods.items);
    free(s->stacks.items);
    free(s->shots.items);
    free(s->idles.items);
    free(s->evictions.items);
    free(s->strings.items);
    free(s->error);
    free(s);
}
