#include "symbols/naming.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/keysort.h"
#include "engine/base/threads.h"
#include "engine/model/profile.h"
#include "symbols/answers.h"
#include "symbols/names/demangle.h"
#include "symbols/trampolines.h"

static const struct name_source *const table[] = {
#define ROW(source) &source,
    NAME_SOURCES(ROW)
#undef ROW
        NULL,
};

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

/* What a source is asked. */
struct asked_list {
    VEC(struct asked_about) subjects; /* in order */
    uint32_t *locations;              /* of all of them */
};

/* About the locations from `first` on. */
static struct asked_list select_asked(const struct name_source *source,
                                      const struct profile *p, uint32_t first)
{
    VEC(struct keyed) list = {0};
    struct asked_list asked = {.locations = NULL};

    vec_reserve(&list, p->locations.len - first);
    for (uint32_t i = first; i < p->locations.len; i++) {
        uint32_t subject = subject_of(source, p, i);

        if (subject != NO_ID)
            *vec_add(&list) = (struct keyed){subject, i};
    }
    keysort(list.data, list.len);
    asked.locations = mem_new(list.len, sizeof(*asked.locations));
    for (size_t i = 0; i < list.len; i++) {
        asked.locations[i] = list.data[i].value;
        if (!i || list.data[i].key != list.data[i - 1].key)
            *vec_add(&asked.subjects) = (struct asked_about){
                (uint32_t)list.data[i].key, &asked.locations[i], 0};
        asked.subjects.data[asked.subjects.len - 1].count++;
    }
    vec_release(&list);
    return asked;
}

/* A source whose turn comes later, which begins beside the one that is asked
 * now: what it begins with depends on neither. */
struct early {
    const struct name_source *source; /* NULL: none */
    const struct naming *naming;
    void **state;
};

struct asking {
    const struct name_source *source;
    void *state;
    struct early early;
    enum demangle_style style;
    const struct progress *progress;
    VEC(struct answers) subjects; /* in order */
};

static void ask_subject(void *context, size_t task, unsigned worker)
{
    const struct asking *a = context;

    if (task == a->subjects.len) {
        *a->early.state = a->early.source->begin(a->early.naming, NULL, 0);
        return;
    }
    /* The caller's thread; subjects are handed out in order. */
    if (!worker)
        progress_report(a->progress, "finding names", task, a->subjects.len);
    answers_ask(&a->subjects.data[task], a->source, a->state, a->style);
}

static void ask_all(struct asking *a, const struct profile *p,
                    const struct asked_list *asked, unsigned threads)
{
    struct threads *pool;
    size_t tasks;

    for (size_t i = 0; i < asked->subjects.len; i++)
        *vec_add(&a->subjects) =
            (struct answers){.p = p, .about = asked->subjects.data[i]};
    tasks = a->subjects.len + (a->early.source != NULL);
    pool = threads_new_for(tasks, threads);
    threads_run(pool, tasks, ask_subject, a);
    threads_free(pool);
}

/* About the locations from `first` on. `lasting`: what it began with before,
 * and begins with now, if it lasts. */
static void ask_source(const struct name_source *source, void **lasting,
                       struct early early, const struct naming *n,
                       const struct naming_options *o, uint32_t first)
{
    struct asking a = {.source = source,
                       .early = early,
                       .style = o->style,
                       .progress = o->progress};
    struct asked_list asked = select_asked(source, n->p, first);
    size_t count = asked.subjects.len;

    if (count)
        a.state =
            *lasting ? *lasting : source->begin(n, asked.subjects.data, count);
    if (count && source->lasting)
        *lasting = a.state;
    if (a.state) {
        ask_all(&a, n->p, &asked, o->threads);
        for (size_t i = 0; i < a.subjects.len; i++) {
            answers_give(&a.subjects.data[i], n->noted);
            answers_release(&a.subjects.data[i]);
        }
        if (source->end && !source->lasting)
            source->end(a.state, n);
    }
    vec_release(&a.subjects);
    vec_release(&asked.subjects);
    free(asked.locations);
}

/* ---- all of them ---- */

/* Names that a trace brings, as people read them. */
struct spelling {
    struct strings *strings;
    enum demangle_style style;
    struct arena arena;
};

static uint32_t readable(void *spelling, uint32_t name)
{
    struct spelling *s = spelling;
    const char *text = strings_get(s->strings, name);
    const char *better = symbol_readable(text, s->style, &s->arena);

    if (better != text)
        name = strings_add(s->strings, better, strlen(better));
    arena_reset(&s->arena);
    return name;
}

/* Compilers mangle names of code that they compile: methods of a runtime are
 * left alone. Each method is renamed once, however many locations it has. */
static void make_methods_readable(struct profile *p, struct spelling *s)
{
    bool *done = mem_new(p->methods.len, sizeof(*done));

    for (size_t i = 0; i < p->locations.len; i++) {
        const struct location *l = &p->locations.data[i];
        uint32_t name, better;

        if (l->method == NO_ID || done[l->method] ||
            l->kind == CODE_MANAGED || l->kind == CODE_SCRIPT)
            continue;
        done[l->method] = true;
        name = methods_get(&p->methods, l->method).full_name;
        better = readable(s, name);
        if (better != name)
            profile_set_method_name(p, l->method,
                                    strings_get(p->strings, better));
    }
    free(done);
}

/* The names of symbols that recorders read from files, and those of formats
 * that have names instead of addresses. */
static void make_names_readable(struct profile *p, enum demangle_style style)
{
    struct spelling s = {.strings = p->strings, .style = style};

    make_methods_readable(p, &s);
    profile_rename_functions(p, readable, &s);
    arena_release(&s.arena);
}

/* What sources began with, if it lasts; in their order. */
struct lasting {
    bool for_database; /* few sources are asked */
    VEC(void *) states;
};

static bool is_asked(const struct name_source *source, const struct profile *p,
                     uint32_t first)
{
    for (uint32_t i = first; i < p->locations.len; i++)
        if (subject_of(source, p, i) != NO_ID)
            return true;
    return false;
}

/* Whether its turn comes for this profile. */
static bool serves(const struct name_source *source,
                   const struct lasting *lasting, const struct naming *n)
{
    if (lasting->for_database && !source->for_databases)
        return false;
    return !source->serves || source->serves(n);
}

/* The next one behind `i` that lasts, if it did not begin. */
static struct early early_behind(const struct name_source *const *sources,
                                 size_t i, struct lasting *lasting,
                                 const struct naming *n, uint32_t first)
{
    for (i++; sources[i]; i++)
        if (sources[i]->lasting && !lasting->states.data[i] &&
            serves(sources[i], lasting, n) && is_asked(sources[i], n->p, first))
            return (struct early){sources[i], n, &lasting->states.data[i]};
    return (struct early){NULL, NULL, NULL};
}

/* The locations from `first` on. */
static void ask_sources(const struct name_source *const *sources,
                        struct lasting *lasting, const struct naming *n,
                        const struct naming_options *o, uint32_t first)
{
    for (size_t i = 0; sources[i]; i++)
        if (serves(sources[i], lasting, n))
            ask_source(sources[i], &lasting->states.data[i],
                       early_behind(sources, i, lasting, n, first), n, o,
                       first);
}

static void end_lasting(const struct name_source *const *sources,
                        struct lasting *lasting, const struct naming *n)
{
    for (size_t i = 0; i < lasting->states.len; i++)
        if (lasting->states.data[i] && sources[i]->end)
            sources[i]->end(lasting->states.data[i], n);
    vec_release(&lasting->states);
}

void name_from(const struct name_source *const *sources, struct profile *p,
               const struct naming_options *options, struct naming_log *log)
{
    struct naming n = {
        .p = p, .places = options->places, .log = log, .noted = p};
    bool is_database = p->frame_start.len;
    struct lasting lasting = {.for_database = is_database};
    struct trampolines t;

    for (size_t i = 0; sources[i]; i++)
        *vec_add(&lasting.states) = NULL;
    if (is_database)
        profile_reopen(p);
    else
        make_names_readable(p, options->style);
    ask_sources(sources, &lasting, &n, options, 0);
    t = trampolines_apart(p);
    n.again = true;
    n.log = NULL;
    if (t.first < p->locations.len)
        ask_sources(sources, &lasting, &n, options, t.first);
    trampolines_end(&t, p);
    end_lasting(sources, &lasting, &n);
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
    symbol_log_release(&log->symbols);
    code_log_release(&log->code);
    lines_log_release(&log->lines);
}
