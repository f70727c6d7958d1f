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

/* ---- values ---- */

static struct virtual_value no_value(void)
{
    return (struct virtual_value){.type = SQLITE_NULL};
}

static struct virtual_value number(uint64_t n)
{
    return (struct virtual_value){.type = SQLITE_INTEGER, .number = (int64_t)n};
}

static struct virtual_value number_unless(uint64_t n, uint64_t none)
{
    return n == none ? no_value() : number(n);
}

static struct virtual_value text(const char *s)
{
    return (struct virtual_value){
        .type = SQLITE_TEXT, .text = s, .len = strlen(s)};
}

/* A string of the profile; the empty one is NULL. */
static struct virtual_value string(const struct profile *p, uint32_t id)
{
    size_t n = strings_len(p->strings, id);

    if (!n)
        return no_value();
    return (struct virtual_value){
        .type = SQLITE_TEXT, .text = strings_get(p->strings, id), .len = n};
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

void frame_function_value(struct frame_texts *t, enum frame_column_id column,
                          uint32_t function, struct virtual_value *v)
{
    const struct function *f = &t->p->functions.data[function];

    *v = no_value();
    switch (column) {
    case FRAME_FUNCTION:
        *v = string(t->p, f->name);
        if (v->type == SQLITE_NULL)
            *v = text(name_of_function(t, function));
        break;
    case FRAME_LABEL:
        *v = text(label_of_function(t, function));
        break;
    case FRAME_MODULE:
        *v = string(t->p, f->module);
        if (v->type == SQLITE_NULL)
            *v = text("[unknown]");
        break;
    case FRAME_KIND:
        *v = text(code_kind_name((enum code_kind)f->kind));
        break;
    case FRAME_WAITS:
        *v = number(t->waiting &&
                    only_waits(strings_get(t->p->strings, f->name)));
        break;
    case FRAME_CAUSE:
        if (f->cause)
            *v = text(name_cause_name((enum name_cause)f->cause));
        break;
    default:
        *v = number(function);
    }
}

/* ---- of a sample ---- */

static void sample_value(const struct profile *p, enum frame_column_id column,
                         size_t i, struct virtual_value *v)
{
    const struct samples *s = &p->samples;
    const struct thread *t = &p->threads.data[s->thread[i]];
    const struct process *process = &p->processes.data[t->process];

    switch (column) {
    case FRAME_SAMPLE:
        *v = number(i + 1);
        break;
    case FRAME_TIME:
        *v = (struct virtual_value){.type = SQLITE_FLOAT,
                                    .real = (double)s->time[i] / 1e9};
        break;
    case FRAME_CPU:
        *v = number_unless(s->cpu[i], NO_CPU);
        break;
    case FRAME_PROCESS:
        *v = string(p, process->name);
        if (v->type == SQLITE_NULL)
            *v = text("[unknown]");
        break;
    case FRAME_PID:
        *v = number_unless(process->pid, UINT32_MAX);
        break;
    case FRAME_THREAD:
        *v = string(p, t->name);
        break;
    case FRAME_TID:
        *v = is_thread_id(process->pid, t->tid) ? number(t->tid) : no_value();
        break;
    case FRAME_WEIGHT:
        *v = number(s->weight ? s->weight[i] : 1);
        break;
    case FRAME_STACK_END:
        *v = text(stack_end_word(stack_end_of(s->flags[i])));
        break;
    case FRAME_WAIT:
        *v = no_value();
        if (sample_wait(s->flags[i]))
            *v = text(thread_wait_at(sample_wait(s->flags[i])).name);
        break;
    default:
        *v = number_unless(s->period ? s->period[i] : 0, 0);
    }
}

/* ---- of a frame ---- */

static struct virtual_value tier_of(const struct profile *p, uint32_t location)
{
    const struct location *l = &p->locations.data[location];
    unsigned tier;

    if (l->method == NO_ID)
        return no_value();
    if (l->module != NO_ID)
        return text(code_tier_word(TIER_PRECOMPILED));
    tier = methods_get(&p->methods, l->method).tier;
    return tier < CODE_TIERS ? text(code_tier_word((int)code_tier_of(tier)))
                             : no_value();
}

void frame_value(struct frame_texts *t, enum frame_column_id column,
                 const struct frame_at *row, struct virtual_value *v)
{
    const struct frame *f = &t->p->frames.data[row->frame];

    *v = no_value();
    switch (column) {
    case FRAME_STACK:
        *v = number(row->stack);
        break;
    case FRAME_DEPTH:
        *v = number(row->depth);
        break;
    case FRAME_INLINED:
        *v = number(f->inlined);
        break;
    case FRAME_FILE:
        *v = string(t->p, f->file);
        break;
    case FRAME_LINE:
        *v = number_unless(f->line, 0);
        break;
    case FRAME_TIER:
        *v = tier_of(t->p, row->location);
        break;
    default:
        if (column >= FRAME_FUNCTION)
            frame_function_value(t, column, f->function, v);
        else
            sample_value(t->p, column, row->sample, v);
    }
}
