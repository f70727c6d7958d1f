#include "tests/support/observed.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/events/events.h"

void observed_begin(struct observed *o)
{
    *o = (struct observed){.p = profile_new()};
    o->p->trace.pointer_size = 8;
    o->seen = observations_new(o->p);
    o->seen->naming = event_naming_new();
}

void observed_end(struct observed *o)
{
    event_naming_free(o->seen->naming);
    observations_free(o->seen);
    profile_free(o->p);
    arena_release(&o->names);
}

void observed_attribute(struct observed *o)
{
    attribute(o->seen);
}

uint32_t observed_string(struct observed *o, const char *text)
{
    return strings_add(o->p->strings, text, strlen(text));
}

struct text_slice observed_slice(struct observed *o, const char *text)
{
    uint32_t n = (uint32_t)strlen(text);

    return (struct text_slice){.data = arena_copy(&o->names, text, n),
                               .len = n};
}

void see_process(struct observed *o, int64_t time, enum observed_event event,
                 uint32_t pid, const char *name)
{
    observe_process(
        o->seen, &(struct observed_process){.time = time,
                                            .event = event,
                                            .pid = pid,
                                            .name = observed_string(o, name)});
}

void see_thread(struct observed *o, int64_t time, enum observed_event event,
                uint32_t tid, uint32_t pid, const char *name)
{
    observe_thread(o->seen,
                   &(struct observed_thread){.time = time,
                                             .event = event,
                                             .tid = tid,
                                             .pid = pid,
                                             .name = observed_string(o, name)});
}

static uint32_t module_of(struct observed *o, const char *path)
{
    struct module module = {0};

    if (!path)
        return NO_ID;
    module.path = observed_string(o, path);
    return observe_module(o->seen, &module);
}

uint32_t see_image(struct observed *o, int64_t time, enum observed_event event,
                   uint32_t pid, uint64_t base, uint64_t size, const char *path)
{
    uint32_t module = module_of(o, path);

    observe_image(o->seen, &(struct observed_image){.time = time,
                                                    .event = event,
                                                    .pid = pid,
                                                    .base = base,
                                                    .size = size,
                                                    .module = module});
    return module;
}

uint32_t see_method(struct observed *o, int64_t time, enum observed_event event,
                    uint32_t pid, uint64_t start, uint32_t size,
                    const char *name)
{
    uint32_t index = (uint32_t)o->seen->methods.len;

    observe_method(o->seen,
                   &(struct observed_method){.time = time,
                                             .event = event,
                                             .pid = pid,
                                             .start = start,
                                             .size = size,
                                             .method_id = index,
                                             .name = observed_slice(o, name),
                                             .kind = CODE_MANAGED});
    return index;
}

void see_symbol(struct observed *o, uint32_t set, uint64_t start, uint64_t size,
                const char *name)
{
    observe_symbol(o->seen,
                   &(struct observed_symbol){.set = set,
                                             .start = start,
                                             .size = size,
                                             .name = observed_slice(o, name)});
}

static uint32_t add_run(struct observed *o, struct addresses run)
{
    uint8_t *bytes = arena_new(&o->names, uint8_t, 8 * (size_t)run.count + 1);
    struct callchain chain = {bytes, run.count, 8, NULL};

    if (!run.count)
        return 0;
    for (uint32_t i = 0; i < 8 * run.count; i++)
        bytes[i] = (uint8_t)(run.list[i / 8] >> 8 * (i % 8));
    return callchains_add(&o->seen->callchains, &chain,
                          callchain_fingerprint(&chain), true);
}

static void add_sample(struct observed *o, uint32_t tid, uint32_t pid,
                       struct observed_sample sample)
{
    sample.thread_key = observe_thread_key(o->seen, tid, pid);
    sample.weight = 1;
    observe_sample(o->seen, &sample);
}

void see_sample(struct observed *o, int64_t time, uint32_t tid, uint32_t pid,
                struct addresses user, struct addresses kernel)
{
    add_sample(o, tid, pid,
               (struct observed_sample){.time = time,
                                        .outer = add_run(o, user),
                                        .inner = add_run(o, kernel)});
}

void see_leaf(struct observed *o, int64_t time, uint32_t tid, uint32_t pid,
              struct addresses user, uint64_t address)
{
    add_sample(
        o, tid, pid,
        (struct observed_sample){
            .time = time,
            .outer = add_run(o, user),
            .inner = callchains_add_address(&o->seen->callchains, address),
            .leaf = true,
        });
}

/* ---- what became of it ---- */

enum { TEXTS = 8, TEXT = 1024 };

struct text {
    char bytes[TEXT];
    size_t len;
};

static struct text *new_text(void)
{
    static struct text texts[TEXTS];
    static unsigned next;
    struct text *t = &texts[next++ % TEXTS];

    *t = (struct text){.len = 0};
    return t;
}

__attribute__((format(printf, 2, 3))) static void add(struct text *t,
                                                      const char *format, ...)
{
    va_list arguments;
    int n;

    va_start(arguments, format);
    n = vsnprintf(t->bytes + t->len, TEXT - t->len, format, arguments);
    va_end(arguments);
    t->len += n > 0 && (size_t)n < TEXT - t->len ? (size_t)n : 0;
}

size_t sample_count(const struct observed *o)
{
    return o->seen->samples.len ? o->seen->samples.len : o->p->samples.len;
}

static uint32_t all_flags_of(const struct observed *o, size_t sample)
{
    return o->seen->samples.len ? o->seen->samples.flags[sample]
                                : o->p->samples.flags[sample];
}

uint32_t sample_flags_of(const struct observed *o, size_t sample)
{
    return stack_end_put(all_flags_of(o, sample), STACK_END_UNKNOWN);
}

enum stack_end sample_end_of(const struct observed *o, size_t sample)
{
    return stack_end_of(all_flags_of(o, sample));
}

static void add_part(struct text *t, const struct observed *o, const char *what,
                     uint32_t id)
{
    const struct callchain *run = &o->seen->callchains.list.data[id];

    if (!id)
        return;
    add(t, "%s%s", t->len ? " " : "", what);
    for (uint32_t i = 0; i < run->count; i++)
        add(t, " 0x%" PRIx64, callchain_frame(run, i));
}

const char *sample_parts(const struct observed *o, size_t sample)
{
    struct observed_sample s = observed_samples_get(&o->seen->samples, sample);
    uint32_t pid = o->seen->thread_keys.data[s.thread_key].pid;
    struct text *t = new_text();

    add_part(t, o, "user", s.outer);
    add_part(t, o, s.leaf ? "leaf" : "kernel", s.inner);
    if (pid != NO_PID)
        add(t, "%spid %" PRIu32, t->len ? " " : "", pid);
    return t->bytes;
}

static const char *module_name(const struct observed *o, uint32_t module)
{
    return strings_get(o->p->strings, o->p->modules.data[module].name);
}

static void add_location(struct text *t, const struct observed *o,
                         uint32_t location)
{
    const struct location *l = &o->p->locations.data[location];

    if (l->cause == CAUSE_NO_STACK) {
        add(t, "nothing");
    } else if (l->method != NO_ID) {
        const struct method m = methods_get(&o->p->methods, l->method);

        if (l->module != NO_ID)
            add(t, "%s!", module_name(o, l->module));
        add(t, "%s+0x%" PRIx64, strings_get(o->p->strings, m.full_name),
            l->address);
    } else if (l->module != NO_ID) {
        add(t, "%s+0x%" PRIx64, module_name(o, l->module), l->address);
    } else {
        add(t, "0x%" PRIx64 " %s", l->address, name_cause_name(l->cause));
    }
}

const char *location_text(const struct observed *o, uint32_t location)
{
    struct text *t = new_text();

    add_location(t, o, location);
    return t->bytes;
}

const char *sample_stack(const struct observed *o, size_t sample)
{
    const struct stack *stacks = o->p->stacks.data;
    uint32_t chain[64], n = 0;
    struct text *t = new_text();

    for (uint32_t s = o->p->samples.stack[sample]; s && n < 64;
         s = stacks[s].parent)
        chain[n++] = stacks[s].location;
    while (n--) {
        add(t, "%s", t->len ? ";" : "");
        add_location(t, o, chain[n]);
    }
    return t->bytes;
}

const char *sample_thread(const struct observed *o, size_t sample)
{
    const struct thread *thread =
        &o->p->threads.data[o->p->samples.thread[sample]];
    const struct process *process = &o->p->processes.data[thread->process];
    struct text *t = new_text();

    add(t, "%s %" PRIu32 "/%" PRIu32, strings_get(o->p->strings, process->name),
        process->pid, thread->tid);
    return t->bytes;
}
