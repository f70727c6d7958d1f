#include "symbols/naming.h"

#include <stdlib.h>

#include "engine/base/threads.h"
#include "engine/model/naming.h"
#include "symbols/answers.h"
#include "symbols/names/names.h"
#include "symbols/trampolines.h"

static const struct name_source *const table[] = {
#define ROW(source) &source,
    NAME_SOURCES(ROW)
#undef ROW
        NULL,
};

/* ---- one source ---- */

static int compare_asked(const void *x, const void *y)
{
    const struct asked *a = x, *b = y;

    if (a->subject != b->subject)
        return a->subject < b->subject ? -1 : 1;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return (a->location > b->location) - (a->location < b->location);
}

/* What the source is asked about, by subject and address; for free(). */
static struct asked *select_asked(const struct name_source *source,
                                  const struct profile *p,
                                  const struct asked_list *list, size_t *count)
{
    struct asked *selected = mem_new(list->all.len, sizeof(*selected));
    size_t n = 0;

    for (size_t i = 0; i < list->all.len; i++) {
        selected[n] = list->all.data[i];
        selected[n].subject = source->subject(p, &selected[n]);
        n += selected[n].subject != NO_ID;
    }
    qsort(selected, n, sizeof(*selected), compare_asked);
    *count = n;
    return selected;
}

struct asking {
    const struct name_source *source;
    void *state;
    enum demangle_style style;
    const struct progress *progress;
    VEC(struct answers) subjects; /* in order */
};

static void ask_subject(void *context, size_t task, unsigned worker)
{
    const struct asking *a = context;

    /* The caller's thread; subjects are handed out in order. */
    if (!worker)
        progress_report(a->progress, "finding names", task, a->subjects.len);
    answers_ask(&a->subjects.data[task], a->source, a->state, a->style);
}

static void ask_all(struct asking *a, const struct asked *asked, size_t n,
                    unsigned threads)
{
    struct threads *pool;

    for (size_t i = 0; i < n; i++) {
        if (!i || asked[i].subject != asked[i - 1].subject)
            *vec_add(&a->subjects) = (struct answers){.asked = &asked[i]};
        a->subjects.data[a->subjects.len - 1].count++;
    }
    pool = threads_new(a->subjects.len > 1 ? threads : 1);
    threads_run(pool, a->subjects.len, ask_subject, a);
    threads_free(pool);
}

static void ask_source(const struct name_source *source, const struct naming *n,
                       const struct naming_options *o, struct asked_list *list)
{
    struct asking a = {
        .source = source, .style = o->style, .progress = o->progress};
    size_t count;
    struct asked *asked = select_asked(source, n->p, list, &count);

    a.state = count ? source->begin(n, asked, count) : NULL;
    if (a.state) {
        ask_all(&a, asked, count, o->threads);
        for (size_t i = 0; i < a.subjects.len; i++) {
            answers_give(&a.subjects.data[i], n->noted);
            answers_release(&a.subjects.data[i]);
        }
        if (source->end)
            source->end(a.state, n);
        asked_list_update(list, n->p);
    }
    vec_release(&a.subjects);
    free(asked);
}

/* ---- all of them ---- */

/* Methods whose names a recorder read from files, as people read them. */
static void make_methods_readable(struct profile *p, enum demangle_style style)
{
    struct arena arena = {0};

    for (size_t i = 0; i < p->locations.len; i++) {
        const struct location *l = &p->locations.data[i];
        const char *name, *better;

        if (l->method == NO_ID ||
            (l->kind != CODE_NATIVE && l->kind != CODE_KERNEL))
            continue;
        name = strings_get(p->strings,
                           methods_get(&p->methods, l->method).full_name);
        better = symbol_readable(name, style, &arena);
        if (better != name)
            profile_set_method_name(p, l->method, better);
        arena_reset(&arena);
    }
    arena_release(&arena);
}

/* The locations from `first` on. */
static void ask_sources(const struct name_source *const *sources,
                        const struct naming *n, const struct naming_options *o,
                        bool is_database, uint32_t first)
{
    struct asked_list list = asked_list_new(n->p, first);

    for (; *sources; sources++)
        if (!is_database || (*sources)->for_databases)
            ask_source(*sources, n, o, &list);
    asked_list_release(&list);
}

void name_from(const struct name_source *const *sources, struct profile *p,
               const struct naming_options *options, struct naming_log *log)
{
    struct naming n = {
        .p = p, .places = options->places, .log = log, .noted = p};
    bool is_database = p->frame_start.len;
    struct trampolines t;

    if (is_database)
        profile_reopen(p);
    else
        make_methods_readable(p, options->style);
    ask_sources(sources, &n, options, is_database, 0);
    t = trampolines_apart(p);
    n.again = true;
    n.log = NULL;
    if (t.first < p->locations.len)
        ask_sources(sources, &n, options, is_database, t.first);
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
    symbol_log_release(&log->symbols);
    code_log_release(&log->code);
    lines_log_release(&log->lines);
}
