#include "symbols/answers.h"

#include <stdlib.h>
#include <string.h>

#include "engine/attribution/jit_name.h"
#include "engine/base/keysort.h"
#include "engine/model/profile.h"
#include "symbols/names/demangle.h"

/* ---- asking, by any thread ---- */

static uint32_t intern(struct strings *strings, const char *text)
{
    return text ? strings_add(strings, text, strlen(text)) : 0;
}

static const char *kept(struct strings *strings, const char *text)
{
    return text ? strings_get(strings, intern(strings, text)) : NULL;
}

static void keep_frames(struct answers *a, const struct asked *asked,
                        const struct answer *answer, enum demangle_style style)
{
    for (size_t i = 0; i < answer->count; i++) {
        const struct debug_frame *f = &answer->frames[i];
        const char *function = f->function;

        if (function && asked->kind != CODE_MANAGED)
            function = symbol_readable(function, style, &a->scratch);
        *vec_add(&a->frames) = (struct frame){
            .function = intern(a->strings, function),
            .file = intern(a->strings, f->file),
            .line = f->line,
            .inlined = f->inlined,
        };
        arena_reset(&a->scratch);
    }
}

/* Its index, and 1. */
static uint32_t keep_method(struct answers *a, const struct code_method *method)
{
    uint32_t fresh = mem_next_id(a->methods.len);
    uint32_t id = map_add(&a->method_ids, (uintptr_t)method, 0, fresh);
    struct code_method m = *method;

    if (id == fresh) {
        m.assembly = kept(a->strings, m.assembly);
        m.space = kept(a->strings, m.space);
        m.name = kept(a->strings, m.name);
        m.signature = kept(a->strings, m.signature);
        m.full_name = kept(a->strings, m.full_name);
        *vec_add(&a->methods) = m;
    }
    return id + 1;
}

/* The module whose code got a name; NO_ID: none, or only a line. */
static uint32_t module_named(const struct asked *asked,
                             const struct answer *answer)
{
    if (!answer->method && !(answer->count && answer->frames[0].function))
        return NO_ID;
    if (asked->module != NO_ID || !answer->method)
        return asked->module;
    return answer->method->module;
}

static void keep_origin(struct answers *a, const struct name_source *source,
                        void *opened, uint32_t module)
{
    uint32_t fresh = mem_next_id(a->credits.len);

    if (module != NO_ID && map_add(&a->credited, module, 0, fresh) == fresh)
        *vec_add(&a->credits) = (struct credit){
            module, intern(a->strings, source->origin(opened, module))};
}

enum { AHEAD = 16 }; /* locations */

/* Those asked about, by address. They lie all over the profile's. For free().
 */
static struct keyed *by_address(const struct answers *a)
{
    const struct location *locations = a->p->locations.data;
    const struct asked_about *about = &a->about;
    struct keyed *list = mem_new(about->count, sizeof(*list));

    for (size_t i = 0; i < about->count; i++) {
        if (i + AHEAD < about->count)
            mem_fetch(&locations[about->locations[i + AHEAD]]);
        list[i] = (struct keyed){locations[about->locations[i]].address,
                                 about->locations[i]};
    }
    keysort(list, about->count);
    return list;
}

static void ask_each(struct answers *a, const struct name_source *s,
                     void *opened, enum demangle_style style)
{
    struct keyed *list = by_address(a);
    struct answer answer;

    a->said = mem_new(a->about.count, sizeof(*a->said));
    for (size_t i = 0; i < a->about.count; i++) {
        struct asked asked = asked_of(a->p, list[i].value);
        struct said *said = &a->said[i];

        answer.count = 0;
        answer.start = 0;
        answer.method = NULL;
        answer.cause = CAUSE_NONE;
        s->ask(opened, &asked, &answer);
        keep_frames(a, &asked, &answer, style);
        keep_origin(a, s, opened, module_named(&asked, &answer));
        said->start = answer.start;
        said->location = asked.location;
        said->frames = (uint32_t)answer.count;
        said->cause = (uint8_t)answer.cause;
        if (answer.method)
            said->method = keep_method(a, answer.method);
    }
    free(list);
}

void answers_ask(struct answers *a, const struct name_source *s, void *state,
                 enum demangle_style style)
{
    void *opened = s->open ? s->open(state, &a->about) : state;

    a->strings = strings_new();
    if (!s->knows || s->knows(opened, &a->cause))
        ask_each(a, s, opened, style);
    if (s->maker)
        a->maker = s->maker(opened, a->strings);
    if (s->close)
        s->close(opened);
}

/* ---- giving, in order ---- */

struct giving {
    struct profile *p;
    const struct answers *answers;
    uint32_t *strings; /* id here -> id in the profile; 0: not yet */
    uint32_t *methods; /* the same of methods; NO_ID: not yet */
};

/* The profile's id of a string, found once. */
static uint32_t translate(struct giving *g, uint32_t id)
{
    struct strings *from = g->answers->strings;

    if (!g->strings[id])
        g->strings[id] = strings_add(g->p->strings, strings_get(from, id),
                                     strings_len(from, id));
    return g->strings[id];
}

/* "jitted-PID-NUMBER.so": perf writes such a file for each body of code that a
 * runtime made. */
static bool is_of_runtime(const struct profile *p, const struct location *l)
{
    static const char prefix[] = "jitted-";

    return l->module != NO_ID &&
           !strncmp(strings_get(p->strings, p->modules.data[l->module].name),
                    prefix, sizeof(prefix) - 1);
}

/* A body's name, as its runtime spells it, makes all bodies of a function that
 * one. False: it is of another form. */
static bool give_runtime_name(struct giving *g, uint32_t location,
                              const struct frame *said)
{
    struct profile *p = g->p;
    const char *text = strings_get(g->answers->strings, said->function);
    struct frame frame = *said;
    struct function f = {.kind = CODE_SCRIPT};
    struct jit_name name;

    if (!is_of_runtime(p, &p->locations.data[location]) ||
        !jit_name_parse(&name, text, strlen(text)))
        return false;
    if (name.module)
        f.kind = CODE_MANAGED;
    profile_set_kind(p, location, (enum code_kind)f.kind);
    f.module = name.module
                   ? strings_add(p->strings, name.module, name.module_len)
                   : intern(p->strings,
                            profile_code_area(p, &p->locations.data[location]));
    f.name = strings_add(p->strings, name.method.data, name.method.len);
    frame.function = profile_function(p, &f);
    frame.file = translate(g, said->file);
    profile_set_frames(p, location, &frame, 1);
    jit_name_release(&name);
    return true;
}

static void give_cause(struct profile *p, uint32_t location,
                       enum name_cause cause)
{
    if (cause && p->locations.data[location].method == NO_ID)
        profile_set_cause(p, location, cause);
}

static void give_frames(struct giving *g, const struct said *of,
                        const struct frame *said)
{
    uint32_t location = of->location, n = of->frames;
    const struct location *l = &g->p->locations.data[location];
    struct function f = {.kind = l->kind};
    struct frame frames[DEBUG_FRAMES_MAX];

    if (!said->function) {
        give_cause(g->p, location, (enum name_cause)of->cause);
        profile_set_line(g->p, location, translate(g, said->file), said->line);
        return;
    }
    if (n == 1 && give_runtime_name(g, location, said))
        return;
    f.module = l->module != NO_ID
                   ? g->p->modules.data[l->module].name
                   : intern(g->p->strings, profile_code_area(g->p, l));
    for (uint32_t i = 0; i < n; i++) {
        f.name = translate(g, said[i].function);
        frames[i] = said[i];
        frames[i].function = profile_function(g->p, &f);
        frames[i].file = translate(g, said[i].file);
    }
    if (!frames[n - 1].inlined)
        profile_set_start(g->p, frames[n - 1].function, of->start);
    profile_set_frames(g->p, location, frames, n);
}

static uint32_t add_method(struct profile *p, const struct code_method *m)
{
    struct method method = {
        .process = m->process,
        .start = m->start,
        .size = m->size,
        .from = TIME_MIN,
        .to = TIME_MAX,
        .space = intern(p->strings, m->space),
        .name = intern(p->strings, m->name),
        .signature = intern(p->strings, m->signature),
        .full_name = intern(p->strings, m->full_name),
        .module = m->module != NO_ID ? m->module
                                     : profile_managed_module(p, m->assembly),
        .token = m->token,
    };

    return methods_add(&p->methods, &method);
}

static void give_method(struct giving *g, uint32_t location, uint32_t number)
{
    uint32_t *id = &g->methods[number];

    if (*id == NO_ID)
        *id = add_method(g->p, &g->answers->methods.data[number]);
    profile_set_method(g->p, location, *id);
}

/* What the trace says of a module stays. */
static void give_maker(struct giving *g)
{
    struct module *m;

    if (!g->answers->maker)
        return;
    m = &g->p->modules.data[g->answers->about.subject];
    if (!m->maker)
        m->maker = translate(g, g->answers->maker);
}

static void give_each(struct giving *g)
{
    const struct answers *a = g->answers;
    size_t frames = 0; /* given so far */

    for (size_t i = 0; i < a->about.count; i++) {
        const struct said *said = &a->said[i];
        uint32_t location = said->location;

        if (said->frames)
            give_frames(g, said, a->frames.data + frames);
        else if (said->method)
            give_method(g, location, said->method - 1);
        else
            give_cause(g->p, location, (enum name_cause)said->cause);
        frames += said->frames;
    }
}

void answers_give(const struct answers *a, struct profile *p)
{
    struct giving g = {
        .p = p,
        .answers = a,
        .strings = mem_new(strings_count(a->strings), sizeof(uint32_t)),
        .methods = mem_new(a->methods.len, sizeof(uint32_t)),
    };

    memset(g.methods, 0xFF, a->methods.len * sizeof(*g.methods));
    if (a->said)
        give_each(&g);
    for (size_t i = 0; i < a->about.count && !a->said; i++)
        give_cause(p, a->about.locations[i], a->cause);
    give_maker(&g);
    for (size_t i = 0; i < a->credits.len; i++)
        profile_set_symbols(p, a->credits.data[i].module,
                            strings_get(a->strings, a->credits.data[i].origin));
    free(g.strings);
    free(g.methods);
}

void answers_release(struct answers *a)
{
    free(a->said);
    vec_release(&a->frames);
    vec_release(&a->methods);
    map_release(&a->method_ids);
    vec_release(&a->credits);
    map_release(&a->credited);
    strings_free(a->strings);
    arena_release(&a->scratch);
}
