#include "symbols/naming.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "engine/attribution/jit_name.h"
#include "engine/base/budget.h"
#include "engine/base/keysort.h"
#include "engine/base/threads.h"
#include "engine/model/module_twins.h"
#include "engine/model/profile.h"
#include "symbols/name_source.h"
#include "symbols/trampolines.h"

static const struct name_source *const table[] = {
#define ROW(source) &source,
    NAME_SOURCES(ROW)
#undef ROW
        NULL,
};

/* ---- asking about one subject, by any thread ---- */

enum {
    TEXT_USUAL = 96,     /* bytes that a name may always have */
    TEXT_FREE = 8 << 20, /* bytes of longer ones, in all subjects */
};

/* The answer about one location. */
struct location_answer {
    uint64_t start; /* of the last frame's code; 0: not known */
    uint32_t location;
    uint32_t frames; /* how many */
    uint32_t method; /* index in `methods`, and 1; 0: none */
    uint8_t cause;   /* enum name_cause */
};

/* The origin of a module's names. */
struct origin {
    uint32_t module;
    uint32_t origin; /* id of `strings` */
};

/* All locations of one subject and what a source said of them, until it is
 * written into the profile. Nothing of the profile is touched before. */
struct answers {
    const struct profile *p;
    struct asked_about about;
    /* By address; NULL: the source knows nothing. */
    struct location_answer *list;
    struct subject_facts facts;
    VEC(struct frame) frames; /* function and file are ids of `strings` */
    VEC(struct code_method) methods; /* their text in `strings` */
    struct map method_ids;           /* pointer -> index */
    VEC(struct origin) origins;
    struct map modules_with_origin;
    struct strings *strings;
    struct map texts; /* (pointer, managed) -> id of `strings` */
    struct budget text_bytes, demangled;
    struct arena scratch;
};

static uint32_t intern(struct strings *strings, const char *text)
{
    return text ? strings_add(strings, text, strlen(text)) : 0;
}

/* A long text that the subject may not have, too: its beginning, and a sum of
 * it all by which two stay two. */
static const char *shortened(struct answers *a, const char *text, size_t n)
{
    size_t kept = TEXT_USUAL;
    char *made = arena_alloc(&a->scratch, TEXT_USUAL + 16, 1, 1);

    while (kept && ((uint8_t)text[kept] & 0xC0) == 0x80)
        kept--;
    snprintf(made, TEXT_USUAL + 16, "%.*s...%08lx", (int)kept, text,
             crc32(0, (const Bytef *)text, (uInt)n));
    return made;
}

/* Takes a text from the budget of the subject. Many records of a file may share
 * the bytes of one. */
static const char *affordable(struct answers *a, const char *text)
{
    size_t n = strlen(text);

    budget_question(&a->text_bytes, TEXT_USUAL);
    return budget_take(&a->text_bytes, n) ? text : shortened(a, text, n);
}

/* Sources give the same pointer for the same text: each is read once. */
static uint32_t keep_text(struct answers *a, const char *text, bool readable,
                          enum demangle_style style)
{
    uint32_t id;

    if (!text)
        return 0;
    id = map_get(&a->texts, (uintptr_t)text, readable);
    if (id != MAP_NONE)
        return id;
    id = intern(a->strings,
                readable
                    ? affordable(a, symbol_readable(affordable(a, text), style,
                                                    &a->scratch, &a->demangled))
                    : affordable(a, text));
    arena_reset(&a->scratch);
    map_set(&a->texts, (uintptr_t)text, readable, id);
    return id;
}

static const char *kept_text(struct answers *a, const char *text)
{
    return text ? strings_get(a->strings,
                              keep_text(a, text, false, DEMANGLE_SHORT))
                : NULL;
}

static void keep_frames(struct answers *a, const struct asked *asked,
                        const struct answer *answer, enum demangle_style style)
{
    for (size_t i = 0; i < answer->count; i++) {
        const struct debug_frame *f = &answer->frames[i];

        *vec_add(&a->frames) = (struct frame){
            .function =
                keep_text(a, f->function, asked->kind != CODE_MANAGED, style),
            .file = keep_text(a, f->file, false, style),
            .line = f->line,
            .inlined = f->inlined,
        };
    }
}

/* Its index, and 1. */
static uint32_t keep_method(struct answers *a, const struct code_method *method)
{
    uint32_t fresh = mem_next_id(a->methods.len);
    uint32_t id = map_add(&a->method_ids, (uintptr_t)method, 0, fresh);
    struct code_method m = *method;

    if (id == fresh) {
        m.assembly = kept_text(a, m.assembly);
        m.space = kept_text(a, m.space);
        m.name = kept_text(a, m.name);
        m.signature = kept_text(a, m.signature);
        m.full_name = kept_text(a, m.full_name);
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

static void keep_origin(struct answers *a, uint32_t module, const char *origin)
{
    uint32_t fresh = mem_next_id(a->origins.len);

    if (module != NO_ID && origin &&
        map_add(&a->modules_with_origin, module, 0, fresh) == fresh)
        *vec_add(&a->origins) =
            (struct origin){module, intern(a->strings, origin)};
}

/* The locations that are asked about, by address. For free(). */
static struct keyed *by_address(const struct answers *a)
{
    const struct asked_about *about = &a->about;
    struct keyed *list = mem_new(about->count, sizeof(*list));

    for (size_t i = 0; i < about->count; i++)
        list[i] =
            (struct keyed){a->p->locations.data[about->locations[i]].address,
                           about->locations[i]};
    keysort(list, about->count);
    return list;
}

static void answers_ask(struct answers *a, const struct name_source *s,
                        void *state, enum demangle_style style, size_t subjects)
{
    void *opened = state;
    struct keyed *list;
    struct answer answer;

    a->strings = strings_new();
    a->facts.strings = a->strings;
    if (s->open)
        opened = s->open(state, &a->about, &a->facts);
    if (!opened)
        return;
    a->text_bytes = budget_of(a->facts.bytes / 2 + 64 * a->about.count, 1,
                              TEXT_FREE / subjects);
    a->demangled = demangle_budget(a->facts.bytes, subjects);
    list = by_address(a);
    a->list = mem_new(a->about.count, sizeof(*a->list));
    for (size_t i = 0; i < a->about.count; i++) {
        struct asked asked = asked_of(a->p, list[i].value);
        struct location_answer *kept = &a->list[i];

        answer.count = 0;
        answer.start = 0;
        answer.method = NULL;
        answer.cause = CAUSE_NONE;
        answer.origin = NULL;
        s->ask(opened, &asked, &answer);
        keep_frames(a, &asked, &answer, style);
        keep_origin(a, module_named(&asked, &answer), answer.origin);
        kept->start = answer.start;
        kept->location = asked.location;
        kept->frames = (uint32_t)answer.count;
        kept->cause = (uint8_t)answer.cause;
        if (answer.method)
            kept->method = keep_method(a, answer.method);
    }
    free(list);
    if (s->close)
        s->close(opened);
}

/* ---- giving the answers to the profile, in order ---- */

struct giving {
    struct profile *p;
    const struct answers *answers;
    uint32_t *strings; /* id here -> id in the profile; 0: not yet */
    uint32_t *methods; /* likewise, of methods; NO_ID: not yet */
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
                              const struct frame *stored)
{
    struct profile *p = g->p;
    const char *text = strings_get(g->answers->strings, stored->function);
    struct frame frame = *stored;
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
    frame.file = translate(g, stored->file);
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

static void give_frames(struct giving *g, const struct location_answer *of,
                        const struct frame *stored)
{
    uint32_t location = of->location, n = of->frames;
    const struct location *l = &g->p->locations.data[location];
    struct function f = {.kind = l->kind};
    struct frame frames[DEBUG_FRAMES_MAX];

    if (!stored->function) {
        give_cause(g->p, location, (enum name_cause)of->cause);
        profile_set_line(g->p, location, translate(g, stored->file),
                         stored->line);
        return;
    }
    if (n == 1 && give_runtime_name(g, location, stored))
        return;
    f.module = l->module != NO_ID
                   ? g->p->modules.data[l->module].name
                   : intern(g->p->strings, profile_code_area(g->p, l));
    for (uint32_t i = 0; i < n; i++) {
        f.name = translate(g, stored[i].function);
        frames[i] = stored[i];
        frames[i].function = profile_function(g->p, &f);
        frames[i].file = translate(g, stored[i].file);
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

/* The trace's own word about a module stays. */
static void give_maker(struct giving *g)
{
    const struct asked_about *about = &g->answers->about;

    for (size_t i = 0; g->answers->facts.maker && i < about->module_count;
         i++) {
        struct module *m = &g->p->modules.data[about->modules[i]];

        if (!m->maker)
            m->maker = translate(g, g->answers->facts.maker);
    }
}

static void give_each(struct giving *g)
{
    const struct answers *a = g->answers;
    size_t frames = 0; /* given so far */

    for (size_t i = 0; i < a->about.count; i++) {
        const struct location_answer *kept = &a->list[i];
        uint32_t location = kept->location;

        if (kept->frames)
            give_frames(g, kept, a->frames.data + frames);
        else if (kept->method)
            give_method(g, location, kept->method - 1);
        else
            give_cause(g->p, location, (enum name_cause)kept->cause);
        frames += kept->frames;
    }
}

static void answers_give(const struct answers *a, struct profile *p)
{
    struct giving g = {
        .p = p,
        .answers = a,
        .strings = mem_new(strings_count(a->strings), sizeof(uint32_t)),
        .methods = mem_new(a->methods.len, sizeof(uint32_t)),
    };

    memset(g.methods, 0xFF, a->methods.len * sizeof(*g.methods));
    if (a->list)
        give_each(&g);
    for (size_t i = 0; i < a->about.count && !a->list; i++)
        give_cause(p, a->about.locations[i], a->facts.cause);
    give_maker(&g);
    for (size_t i = 0; i < a->origins.len; i++)
        profile_set_symbols(p, a->origins.data[i].module,
                            strings_get(a->strings, a->origins.data[i].origin));
    free(g.strings);
    free(g.methods);
}

static void answers_release(struct answers *a)
{
    free(a->list);
    vec_release(&a->frames);
    vec_release(&a->methods);
    map_release(&a->method_ids);
    vec_release(&a->origins);
    map_release(&a->modules_with_origin);
    strings_free(a->strings);
    map_release(&a->texts);
    arena_release(&a->scratch);
}

/* ---- one source ---- */

/* The subject of a location; NO_ID: the source is not asked about it.
 * Locations are asked about until they have frames. */
static uint32_t subject_of(const struct name_source *source,
                           const struct profile *p, uint32_t location)
{
    return profile_has_frames(p, location)
               ? NO_ID
               : source->subject(p, &p->locations.data[location]);
}

/* The questions for one source. */
struct asked_list {
    VEC(struct asked_about) subjects; /* in order */
    uint32_t *locations;              /* of all of them */
    uint32_t *modules;                /* likewise; or NULL */
};

/* Makes modules that are the same file one subject: the first of them becomes
 * the key of their locations. Returns the asked modules by these keys, for
 * free(). */
static struct keyed *join_modules(const struct profile *p, struct keyed *list,
                                  size_t n, size_t *count, bool *left_out)
{
    struct keyed *modules = mem_new(p->modules.len, sizeof(*modules));
    uint32_t *firsts = mem_new(p->modules.len, sizeof(*firsts));
    struct module_twins twins = {0};

    *count = 0;
    for (size_t i = 0; i < n; i++)
        firsts[list[i].key] = NO_ID; /* asked */
    for (uint32_t m = 0; m < p->modules.len; m++) {
        uint32_t first;

        if (firsts[m] != NO_ID)
            continue;
        first = module_twins_add(&twins, p->modules.data, m);
        left_out[m] = first == NO_ID;
        firsts[m] = left_out[m] ? m : first;
        modules[(*count)++] = (struct keyed){firsts[m], m};
    }
    for (size_t i = 0; i < n; i++)
        list[i].key = firsts[list[i].key];
    module_twins_release(&twins);
    free(firsts);
    keysort(modules, *count);
    return modules;
}

/* Both lists are in order of the subjects. */
static void add_modules(struct asked_list *asked, const struct keyed *modules,
                        size_t count, const bool *left_out)
{
    size_t i = 0;

    asked->modules = mem_new(count, sizeof(*asked->modules));
    for (size_t s = 0; s < asked->subjects.len; s++) {
        struct asked_about *about = &asked->subjects.data[s];

        about->left_out = left_out[about->subject];
        about->modules = asked->modules + i;
        for (; i < count && modules[i].key == about->subject; i++) {
            asked->modules[i] = modules[i].value;
            about->module_count++;
        }
    }
}

/* About the locations from `first` on. */
static struct asked_list select_asked(const struct name_source *source,
                                      const struct profile *p, uint32_t first)
{
    VEC(struct keyed) list = {0};
    struct asked_list asked = {.locations = NULL};
    struct keyed *modules = NULL;
    bool *left_out = mem_new(p->modules.len, sizeof(*left_out));
    size_t count = 0;

    vec_reserve(&list, p->locations.len - first);
    for (uint32_t i = first; i < p->locations.len; i++) {
        uint32_t subject = subject_of(source, p, i);

        if (subject != NO_ID)
            *vec_add(&list) = (struct keyed){subject, i};
    }
    if (source->by_file)
        modules = join_modules(p, list.data, list.len, &count, left_out);
    keysort(list.data, list.len);
    asked.locations = mem_new(list.len, sizeof(*asked.locations));
    for (size_t i = 0; i < list.len; i++) {
        asked.locations[i] = list.data[i].value;
        if (!i || list.data[i].key != list.data[i - 1].key)
            *vec_add(&asked.subjects) =
                (struct asked_about){.subject = (uint32_t)list.data[i].key,
                                     .locations = &asked.locations[i]};
        asked.subjects.data[asked.subjects.len - 1].count++;
    }
    if (source->by_file)
        add_modules(&asked, modules, count, left_out);
    free(modules);
    free(left_out);
    vec_release(&list);
    return asked;
}

struct asking {
    const struct name_source *source;
    void *state;
    enum demangle_style style;
    const struct progress *progress;
    VEC(struct answers) subjects; /* that are asked about now, in order */
    size_t done, count;           /* subjects before them, and all */
};

static void ask_subject(void *context, size_t task, unsigned worker)
{
    const struct asking *a = context;

    /* The caller's thread; subjects are handed out in order. */
    if (!worker)
        progress_report(a->progress, "finding names", a->done + task, a->count);
    answers_ask(&a->subjects.data[task], a->source, a->state, a->style,
                a->count);
}

/* About the locations from `first` on. Answers are given to the profile for
 * some subjects at a time, as a trace may have a module for each sample. */
static void ask_source(const struct name_source *source, const struct naming *n,
                       const struct naming_options *o, uint32_t first)
{
    struct asking a = {
        .source = source, .style = o->style, .progress = o->progress};
    struct asked_list asked = select_asked(source, n->p, first);
    enum { SUBJECTS_AT_ONCE = 1024 };
    bool cut = false;

    a.count = asked.subjects.len;
    if (a.count)
        a.state = source->begin(n, asked.subjects.data, a.count);
    if (a.state) {
        struct threads *pool = threads_new_for(a.count, o->threads);

        for (; a.done < a.count; a.done += a.subjects.len) {
            a.subjects.len = 0;
            for (size_t i = a.done;
                 i < a.count && a.subjects.len < SUBJECTS_AT_ONCE; i++)
                *vec_add(&a.subjects) = (struct answers){
                    .p = n->p, .about = asked.subjects.data[i]};
            threads_run(pool, a.subjects.len, ask_subject, &a);
            for (size_t i = 0; i < a.subjects.len; i++) {
                answers_give(&a.subjects.data[i], n->noted);
                cut |= a.subjects.data[i].text_bytes.cut;
                answers_release(&a.subjects.data[i]);
            }
        }
        threads_free(pool);
        if (source->end)
            source->end(a.state, n);
    }
    if (cut)
        naming_warn(n, "long names are shortened, because they come to more "
                       "than files of their size may have");
    vec_release(&a.subjects);
    vec_release(&asked.subjects);
    free(asked.locations);
    free(asked.modules);
}

/* ---- all of them ---- */

/* Names that a trace brings, as people read them. */
struct spelling {
    struct strings *strings;
    enum demangle_style style;
    struct arena arena;
    struct budget cost;
};

static uint32_t readable(void *spelling, uint32_t name)
{
    struct spelling *s = spelling;
    const char *text = strings_get(s->strings, name);
    const char *better = symbol_readable(text, s->style, &s->arena, &s->cost);

    if (better != text)
        name = strings_add(s->strings, better, strlen(better));
    arena_reset(&s->arena);
    return name;
}

/* The names of symbols that recorders read from files, and those of formats
 * that have names instead of addresses. */
static void make_names_readable(struct profile *p, enum demangle_style style)
{
    struct spelling s = {.strings = p->strings,
                         .style = style,
                         .cost = demangle_budget(strings_size(p->strings), 1)};
    bool *done;

    /* Compilers mangle names of code that they compile: methods of a runtime
     * are left alone. Each method is renamed once, however many locations it
     * has. */
    done = mem_new(p->methods.len, sizeof(*done));
    for (size_t i = 0; i < p->locations.len; i++) {
        const struct location *l = &p->locations.data[i];
        uint32_t name, better;

        if (l->method == NO_ID || done[l->method] || l->kind == CODE_MANAGED ||
            l->kind == CODE_SCRIPT)
            continue;
        done[l->method] = true;
        name = methods_get(&p->methods, l->method).full_name;
        better = readable(&s, name);
        if (better != name)
            profile_set_method_name(p, l->method,
                                    strings_get(p->strings, better));
    }
    free(done);
    profile_rename_functions(p, readable, &s);
    arena_release(&s.arena);
}

void name_from(const struct name_source *const *sources, struct profile *p,
               const struct naming_options *options, struct naming_log *log)
{
    struct naming n = {
        .p = p, .places = options->places, .log = log, .noted = p};
    bool is_database = p->frame_start.len;
    uint32_t first = 0;
    struct trampolines t = {.first = 0};

    if (is_database)
        profile_reopen(p);
    else
        make_names_readable(p, options->style);
    /* The second time about code that was interrupted, which the names found
     * the first time tell apart. */
    for (unsigned round = 0; round < 2; round++) {
        for (size_t i = 0; sources[i]; i++)
            if (sources[i]->for_databases || !is_database)
                ask_source(sources[i], &n, options, first);
        if (!round)
            t = trampolines_apart(p);
        first = t.first;
        n.again = true;
        n.log = NULL;
    }
    trampolines_end(&t, p);
}

void name_profile(struct profile *p, const struct naming_options *options,
                  struct naming_log *log)
{
    name_from(table, p, options, log);
}

void naming_warn(const struct naming *n, const char *warning)
{
    if (!n->again)
        profile_warn(n->noted, "%s", warning);
}

void naming_used(const struct naming *n, const char *path)
{
    profile_content_used(n->noted, path);
}

void naming_without_inlined(const struct naming *n, uint32_t module)
{
    n->noted->modules.data[module].without_inlined = true;
}

void naming_log_release(struct naming_log *log)
{
    for (size_t i = 0; i < log->symbols.modules.len; i++)
        if (!log->symbols.modules.data[i].borrowed)
            module_files_release(&log->symbols.modules.data[i].files);
    for (size_t i = 0; i < log->lines.modules.len; i++) {
        struct lines_search *search = &log->lines.modules.data[i];

        if (search->borrowed)
            continue;
        found_release(&search->pdb);
        found_release(&search->image);
    }
    vec_release(&log->symbols.modules);
    vec_release(&log->code.places);
    vec_release(&log->lines.modules);
}

/* ---- names that the recording itself holds (model/profile.h) ---- */

static uint32_t saved_subject(const struct profile *p, const struct location *l)
{
    (void)p, (void)l;
    return 0;
}

static void *saved_begin(const struct naming *n,
                         const struct asked_about *asked, size_t count)
{
    (void)asked, (void)count;
    return n->p->saved.find ? (void *)&n->p->saved : NULL;
}

static void saved_ask(void *opened, const struct asked *asked,
                      struct answer *answer)
{
    const struct saved_names *names = opened;
    struct saved_frame frame;

    if (!names->find(names->state, asked->location, asked->returns, &frame))
        return;
    answer->count = 1;
    answer->frames[0] = (struct debug_frame){
        .function = frame.function, .file = frame.file, .line = frame.line};
    answer->origin = names->origin;
}

const struct name_source saved_names_source = {
    .subject = saved_subject, .begin = saved_begin, .ask = saved_ask};
