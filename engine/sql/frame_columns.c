#include "engine/sql/frame_columns.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/base/strings.h"
#include "engine/model/code.h"
#include "engine/model/labels.h"
#include "engine/model/thread_states.h"
#include "engine/model/waits.h"

const struct frame_column frame_columns[FRAME_COLUMNS] = {
    [FRAME_SAMPLE] = {"sample", "INTEGER"},
    [FRAME_STACK] = {"stack", "INTEGER"},
    [FRAME_DEPTH] = {"depth", ""},
    [FRAME_TIME] = {"time", ""},
    [FRAME_CPU] = {"cpu", "INTEGER"},
    [FRAME_PROCESS] = {"process", ""},
    [FRAME_PID] = {"pid", ""},
    [FRAME_THREAD] = {"thread", ""},
    [FRAME_TID] = {"tid", "INTEGER"},
    [FRAME_WEIGHT] = {"weight", "INTEGER"},
    [FRAME_PERIOD] = {"period", ""},
    [FRAME_STACK_END] = {"stack_end", "TEXT"},
    [FRAME_WAIT] = {"wait", ""},
    [FRAME_INLINED] = {"inlined", "INTEGER"},
    [FRAME_FILE] = {"file", ""},
    [FRAME_LINE] = {"line", ""},
    [FRAME_TIER] = {"tier", ""},
    [FRAME_FUNCTION] = {"function", ""},
    [FRAME_LABEL] = {"label", "TEXT"},
    [FRAME_MODULE] = {"module", ""},
    [FRAME_KIND] = {"kind", "TEXT"},
    [FRAME_WAITS] = {"waits", "INTEGER"},
    [FRAME_CAUSE] = {"cause", "TEXT"},
    [FRAME_FUNCTION_ID] = {"function_id", "INTEGER"},
};

struct frame_names {
    const char *name, *label; /* NULL: not made yet */
};

void frame_texts_init(struct frame_texts *t, const struct profile *p)
{
    *t = (struct frame_texts){
        .p = p,
        .made =
            mem_new(p->functions.len ? p->functions.len : 1, sizeof(*t->made)),
        .waiting = measures_wall_clock(p),
    };
}

void frame_texts_release(struct frame_texts *t)
{
    free(t->made);
    arena_release(&t->arena);
}

/* A string of the profile, which may have bytes of 0; the empty one is NULL. */
static struct virtual_value string(const struct profile *p, uint32_t id)
{
    struct virtual_value v =
        virtual_text(id ? strings_get(p->strings, id) : NULL);

    v.len = strings_len(p->strings, id);
    return v;
}

static struct virtual_value string_or(const struct profile *p, uint32_t id,
                                      const char *other)
{
    return id ? string(p, id) : virtual_text(other);
}

/* ---- of a function ---- */

static const char *name_of_function(struct frame_texts *t, uint32_t function)
{
    struct frame_names *made = &t->made[function];

    if (!made->name)
        made->name = function_name(t->p, function, &t->arena);
    return made->name;
}

static const char *label_of_function(struct frame_texts *t, uint32_t function)
{
    struct frame_names *made = &t->made[function];

    if (!made->label)
        made->label = function_label(t->p, function, &t->arena);
    return made->label;
}

struct virtual_value frame_function_value(struct frame_texts *t,
                                          enum frame_column_id column,
                                          uint32_t function)
{
    const struct function *f = &t->p->functions.data[function];

    switch (column) {
    case FRAME_FUNCTION:
        return f->name ? string(t->p, f->name)
                       : virtual_text(name_of_function(t, function));
    case FRAME_LABEL:
        return virtual_text(label_of_function(t, function));
    case FRAME_MODULE:
        return string_or(t->p, f->module, "[unknown]");
    case FRAME_KIND:
        return virtual_text(code_kind_name((enum code_kind)f->kind));
    case FRAME_WAITS:
        return virtual_number(t->waiting &&
                              only_waits(strings_get(t->p->strings, f->name)));
    case FRAME_CAUSE:
        return virtual_text(
            f->cause ? name_cause_name((enum name_cause)f->cause) : NULL);
    default:
        return virtual_number(function);
    }
}

/* ---- of a sample ---- */

static struct virtual_value sample_value(const struct profile *p,
                                         enum frame_column_id column, size_t i)
{
    const struct samples *s = &p->samples;
    const struct thread *t = &p->threads.data[s->thread[i]];
    const struct process *process = &p->processes.data[t->process];

    switch (column) {
    case FRAME_SAMPLE:
        return virtual_number((int64_t)i + 1);
    case FRAME_TIME:
        return virtual_seconds(s->time[i]);
    case FRAME_CPU:
        return virtual_unless(s->cpu[i], NO_CPU);
    case FRAME_PROCESS:
        return string_or(p, process->name, "[unknown]");
    case FRAME_PID:
        return virtual_unless(process->pid, UINT32_MAX);
    case FRAME_THREAD:
        return string(p, t->name);
    case FRAME_TID:
        return is_thread_id(process->pid, t->tid) ? virtual_number(t->tid)
                                                  : virtual_null();
    case FRAME_WEIGHT:
        return virtual_number(s->weight ? (int64_t)s->weight[i] : 1);
    case FRAME_STACK_END:
        return virtual_text(stack_end_word(stack_end_of(s->flags[i])));
    case FRAME_WAIT:
        return virtual_text(sample_wait(s->flags[i])
                                ? thread_wait_at(sample_wait(s->flags[i])).name
                                : NULL);
    default:
        return virtual_unless(s->period ? s->period[i] : 0, 0);
    }
}

/* ---- of a frame ---- */

static struct virtual_value tier_of(const struct profile *p, uint32_t location)
{
    const struct location *l = &p->locations.data[location];
    unsigned tier;

    if (l->method == NO_ID)
        return virtual_null();
    if (l->module != NO_ID)
        return virtual_text(code_tier_word(TIER_PRECOMPILED));
    tier = methods_get(&p->methods, l->method).tier;
    return virtual_text(
        tier < CODE_TIERS ? code_tier_word((int)code_tier_of(tier)) : NULL);
}

struct virtual_value frame_value(struct frame_texts *t,
                                 enum frame_column_id column,
                                 const struct frame_at *row)
{
    const struct frame *f = &t->p->frames.data[row->frame];

    switch (column) {
    case FRAME_STACK:
        return virtual_number(row->stack);
    case FRAME_DEPTH:
        return virtual_number(row->depth);
    case FRAME_INLINED:
        return virtual_number(f->inlined);
    case FRAME_FILE:
        return string(t->p, f->file);
    case FRAME_LINE:
        return virtual_unless(f->line, 0);
    case FRAME_TIER:
        return tier_of(t->p, row->location);
    default:
        return column >= FRAME_FUNCTION
                   ? frame_function_value(t, column, f->function)
                   : sample_value(t->p, column, row->sample);
    }
}
