#include "tests/support/profile_builder.h"

#include <string.h>

enum { TEXT_MAX = 512 };

struct builder {
    struct profile *p;
    struct strings *texts; /* of locations */
    struct map locations;  /* text to location */
    VEC(uint32_t) text_of; /* by location */
    uint64_t next_address;
};

static uint32_t string(struct builder *b, const char *text, size_t n)
{
    return strings_add(b->p->strings, text, n);
}

struct builder *builder_new(const char *file)
{
    struct builder *b = mem_new(1, sizeof(*b));
    struct trace_info *t;

    b->p = profile_new();
    b->texts = strings_new();
    b->next_address = 0x1000;
    t = &b->p->trace;
    *vec_add(&t->files) = string(b, file, strlen(file));
    t->format = string(b, "etl", 3);
    profile_set_metric(b->p, METRIC_CPU_SAMPLES);
    t->interval_ns = 1000000;
    t->cpus = 8;
    return b;
}

static uint32_t find_process(struct builder *b, uint32_t pid,
                             const char *name)
{
    for (uint32_t i = 0; i < b->p->processes.len; i++)
        if (b->p->processes.data[i].pid == pid)
            return i;
    *vec_add(&b->p->processes) = (struct process){
        .pid = pid,
        .start = TIME_MIN,
        .end = TIME_MAX,
        .name = string(b, name, strlen(name)),
    };
    return (uint32_t)b->p->processes.len - 1;
}

uint32_t builder_thread(struct builder *b, uint32_t pid, const char *process,
                        uint32_t tid)
{
    uint32_t id = find_process(b, pid, process);

    *vec_add(&b->p->threads) = (struct thread){
        .tid = tid, .process = id, .start = TIME_MIN, .end = TIME_MAX};
    return (uint32_t)b->p->threads.len - 1;
}

static uint32_t find_module(struct builder *b, const char *name, size_t n)
{
    uint32_t id = string(b, name, n);

    for (uint32_t i = 0; i < b->p->modules.len; i++)
        if (b->p->modules.data[i].name == id)
            return i;
    *vec_add(&b->p->modules) = (struct module){.path = id, .name = id};
    return (uint32_t)b->p->modules.len - 1;
}

static uint32_t add_method(struct builder *b, const char *name, size_t n)
{
    uint32_t id = string(b, name, n);

    return methods_add(&b->p->methods,
                       &(struct method){.start = b->next_address * 0x1000,
                                        .size = 0x100,
                                        .name = id,
                                        .full_name = id,
                                        .module = NO_ID});
}

/* One frame's text, taken apart. */
struct parts {
    const char *module, *name, *file;
    size_t module_len, name_len, file_len;
    uint32_t line;
    bool kernel;
};

static struct parts parts_of(const char *text, size_t n)
{
    struct parts parts = {.name = text};
    const char *at = memchr(text, '@', n);
    size_t code = at ? (size_t)(at - text) : n;
    const char *bang;

    if (code > 8 && !strncmp(text, "[kernel]", 8)) {
        parts.kernel = true;
        parts.name = text += 8;
        n -= 8, code -= 8;
    }
    bang = memchr(text, '!', code);
    parts.name_len = code;
    if (bang) {
        parts.module = text;
        parts.module_len = (size_t)(bang - text);
        parts.name = bang + 1;
        parts.name_len = code - parts.module_len - 1;
    }
    if (at) {
        const char *colon = memchr(at, ':', (size_t)(text + n - at));

        parts.file = at + 1;
        parts.file_len = (size_t)(colon - at - 1);
        parts.line = (uint32_t)strtoul(colon + 1, NULL, 10);
    }
    return parts;
}

static struct location location_of(struct builder *b, const char *text)
{
    const char *outer = strrchr(text, '<');
    struct parts parts;
    struct location l = {.module = NO_ID, .method = NO_ID};

    outer = outer ? outer + 1 : text;
    parts = parts_of(outer, strlen(outer));
    l.address = b->next_address += 0x10;
    if (!parts.module) {
        l.address = strtoull(parts.name, NULL, 16);
        l.cause = CAUSE_NO_IMAGE;
    } else if (!strncmp(parts.module, "[jit]", 5)) {
        l.method = add_method(b, parts.name, parts.name_len);
        l.kind = CODE_MANAGED;
        l.address = 8;
    } else {
        l.module = find_module(b, parts.module, parts.module_len);
        l.kind = parts.kernel ? CODE_KERNEL : CODE_NATIVE;
        l.cause = parts.name[0] == '+' ? CAUSE_NO_SYMBOLS : CAUSE_NONE;
        if (parts.name[0] == '+')
            l.address = strtoull(parts.name + 1, NULL, 16);
    }
    return l;
}

static uint32_t find_location(struct builder *b, const char *text)
{
    uint32_t id = strings_add(b->texts, text, strlen(text));
    uint32_t location = map_get(&b->locations, id, 0);
    struct location l;

    if (location != MAP_NONE)
        return location;
    l = location_of(b, text);
    location = profile_location(b->p, &l);
    map_set(&b->locations, id, 0, location);
    if (location == b->text_of.len)
        *vec_add(&b->text_of) = id;
    return location;
}

static uint32_t find_stack(struct builder *b, const char *text)
{
    uint32_t stack = 0;

    while (*text) {
        char part[TEXT_MAX];
        size_t n = strcspn(text, ";");

        memcpy(part, text, n);
        part[n] = '\0';
        stack = profile_stack(b->p, stack, find_location(b, part));
        text += n + (text[n] == ';');
    }
    return stack;
}

void builder_sample(struct builder *b, uint32_t thread, uint32_t flags,
                    const char *stack)
{
    int64_t time = (int64_t)b->p->samples.len * 1000000;

    profile_sample(b->p, &(struct sample){
                             .time = time,
                             .thread = thread,
                             .stack = find_stack(b, stack),
                             .weight = 1,
                             .flags = flags,
                         });
    b->p->trace.duration_ns = time + 1000000;
}

void builder_samples(struct builder *b, uint32_t thread, unsigned count,
                     const char *stack)
{
    while (count--)
        builder_sample(b, thread,
                       SAMPLE_HAS_STACK | SAMPLE_USER_PART |
                           SAMPLE_KERNEL_PART |
                           stack_end_flags(STACK_END_ROOT),
                       stack);
}

static void add_frame(struct builder *b, const struct location *l,
                      const char *text, size_t n, bool inlined)
{
    struct parts parts = parts_of(text, n);
    struct function f = {.kind = l->kind, .cause = l->cause};
    struct frame *frame;

    if (parts.module)
        f.module = string(b, parts.module, parts.module_len);
    if (l->cause == CAUSE_NONE || inlined) {
        f.name = string(b, parts.name, parts.name_len);
        f.cause = CAUSE_NONE;
    } else {
        f.address = l->address;
    }
    frame = vec_add(&b->p->frames);
    *frame = (struct frame){.function = profile_function(b->p, &f),
                            .inlined = inlined};
    if (parts.file) {
        frame->file = string(b, parts.file, parts.file_len);
        frame->line = parts.line;
    }
}

static void add_frames(struct builder *b, uint32_t location)
{
    const struct location *l = &b->p->locations.data[location];
    const char *text = strings_get(b->texts, b->text_of.data[location]);

    *vec_add(&b->p->frame_start) = (uint32_t)b->p->frames.len;
    for (;;) {
        size_t n = strcspn(text, "<");

        add_frame(b, l, text, n, text[n] == '<');
        if (!text[n])
            return;
        text += n + 1;
    }
}

struct profile *builder_profile(struct builder *b)
{
    return b->p;
}

struct profile *builder_finish(struct builder *b)
{
    struct profile *p = b->p;

    for (uint32_t i = 0; i < p->locations.len; i++)
        add_frames(b, i);
    *vec_add(&p->frame_start) = (uint32_t)p->frames.len;
    strings_free(b->texts);
    map_release(&b->locations);
    vec_release(&b->text_of);
    free(b);
    return p;
}
