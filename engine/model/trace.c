#include "engine/model/trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/model/profile.h"

void profile_skip(struct profile *p, const char *file, uint64_t offset,
                  uint64_t size, const char *reason)
{
    struct quality *q = &p->quality;
    struct skipped *last = q->skipped.len
                               ? &q->skipped.data[q->skipped.len - 1]
                               : NULL;
    uint32_t name = strings_add(p->strings, file, strlen(file));
    uint32_t why = strings_add(p->strings, reason, strlen(reason));

    q->skipped_bytes += size;
    if (last && q->skipped_ranges <= SKIPPED_KEPT && last->file == name &&
        last->reason == why && last->offset + last->size == offset) {
        last->size += size;
        return;
    }
    if (q->skipped_ranges++ < SKIPPED_KEPT)
        *vec_add(&q->skipped) = (struct skipped){name, offset, size, why};
}

void profile_warn(struct profile *p, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    *vec_add(&p->quality.warnings) =
        strings_add(p->strings, text, strlen(text));
}

static struct trace_fact *add_fact(struct profile *p, const char *name,
                                   const char *format, va_list args)
{
    struct trace_fact *fact = vec_add(&p->trace.facts);
    char text[512];

    vsnprintf(text, sizeof(text), format, args);
    *fact = (struct trace_fact){
        .name = strings_add(p->strings, name, strlen(name)),
        .value = strings_add(p->strings, text, strlen(text)),
    };
    return fact;
}

void profile_fact(struct profile *p, const char *name, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add_fact(p, name, format, args);
    va_end(args);
}

void profile_number(struct profile *p, const char *name, uint64_t number,
                    const char *format, ...)
{
    struct trace_fact *fact;
    va_list args;

    va_start(args, format);
    fact = add_fact(p, name, format, args);
    va_end(args);
    fact->type = FACT_NUMBER;
    fact->number = number;
}

void profile_flag(struct profile *p, const char *name, bool is)
{
    profile_number(p, name, is, "%s", is ? "yes" : "no");
    p->trace.facts.data[p->trace.facts.len - 1].type = FACT_FLAG;
}

void out_also(struct out *list, const char *event, uint64_t count)
{
    size_t n;

    out_text(list, &n);
    out_str(list, n ? ", " : "");
    out_str(list, event);
    if (count) {
        out_char(list, ' ');
        out_grouped(list, count);
    }
}

void profile_also_recorded(struct profile *p, struct out *list)
{
    size_t n;
    const char *text = out_text(list, &n);

    if (n)
        profile_fact(p, FACT_ALSO, "%s", text);
}

const struct trace_fact *profile_fact_named(const struct profile *p,
                                            const char *name)
{
    for (size_t i = 0; i < p->trace.facts.len; i++) {
        const struct trace_fact *f = &p->trace.facts.data[i];

        if (!strcmp(strings_get(p->strings, f->name), name))
            return f;
    }
    return NULL;
}

void profile_fact_field(struct profile *p, const char *field)
{
    p->trace.facts.data[p->trace.facts.len - 1].field =
        strings_add(p->strings, field, strlen(field));
}

void profile_content_used(struct profile *p, const char *name)
{
    for (size_t i = 0; i < p->trace.contents.len; i++)
        if (!strcmp(strings_get(p->strings, p->trace.contents.data[i].name),
                    name))
            p->trace.contents.data[i].used = true;
}

void profile_count_event(struct profile *p, const char *name, uint64_t n)
{
    uint32_t id = strings_add(p->strings, name, strlen(name));

    p->trace.events += n;
    for (size_t i = 0; i < p->trace.event_counts.len; i++) {
        if (p->trace.event_counts.data[i].name == id) {
            p->trace.event_counts.data[i].count += n;
            return;
        }
    }
    *vec_add(&p->trace.event_counts) = (struct event_count){id, n};
}
