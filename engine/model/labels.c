#include "engine/model/labels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/model/label_impl.h"

bool span_is(struct span s, const char *text)
{
    return span_len(s) == strlen(text) && !memcmp(s.at, text, span_len(s));
}

bool span_starts(struct span s, const char *with)
{
    size_t n = strlen(with);

    return span_len(s) >= n && !memcmp(s.at, with, n);
}

bool span_ends(struct span s, const char *with)
{
    size_t n = strlen(with);

    return span_len(s) >= n && !memcmp(s.end - n, with, n);
}

const char *span_find(struct span s, const char *text)
{
    return span_len(s) ? memmem(s.at, span_len(s), text, strlen(text)) : NULL;
}

const char *span_find_char(struct span s, char c)
{
    return span_len(s) ? memchr(s.at, c, span_len(s)) : NULL;
}

void label_add(struct label_text *t, struct span s)
{
    size_t n = span_len(s);

    if (!n)
        return;
    vec_reserve(&t->text, n);
    memcpy(t->text.data + t->text.len, s.at, n);
    t->text.len += n;
}

void label_add_text(struct label_text *t, const char *text)
{
    label_add(t, span_of(text, text + strlen(text)));
}

const char *closing_bracket(struct span s)
{
    unsigned depth = 0;

    for (const char *at = s.at; at < s.end; at++) {
        bool arrow = *at == '>' && at > s.at && at[-1] == '-';

        if (strchr("<[(", *at) && *at)
            depth++;
        else if (strchr(">])", *at) && *at && !arrow && !--depth)
            return at;
    }
    return NULL;
}

const char *opening_parenthesis(struct span s)
{
    unsigned depth = 0;

    for (const char *at = s.end; at-- > s.at;) {
        if (*at == ')')
            depth++;
        else if (*at == '(' && !--depth)
            return at;
    }
    return NULL;
}

static void write_label(struct label_text *t, const struct label_source *source)
{
    struct span name =
        span_of(source->name, source->name + strlen(source->name));

    if (source->kind == CODE_MANAGED)
        label_managed(t, source);
    else if (!label_script(t, source))
        label_native(t, name);
}

/* Nothing parts it, so that nothing can be left out. */
static bool is_one_word(const char *name)
{
    while (is_word(*name) && *name != '$')
        name++;
    return !*name;
}

const char *label_from_name(struct arena *arena,
                            const struct label_source *source, unsigned parts)
{
    struct label_text t = {.parts = parts};
    const char *label = source->name;
    size_t most = strlen(label) * (parts ? 2 : 1) + LABEL_GROWTH;

    if (is_one_word(label))
        return label;
    write_label(&t, source);
    if (t.text.len && t.text.len <= most)
        label = arena_strndup(arena, t.text.data, t.text.len);
    vec_release(&t.text);
    return label;
}

/* Most labels are a name that the profile has already. */
struct labels {
    uint32_t *ids; /* by function: the profile's strings; NULL: not made yet */
    bool as_recorded;
    /* By process: its number, from 1 on, among those of its name and id; 0: no
     * other looks like it. NULL: not made yet. */
    uint32_t *process_numbers;
};

struct labels *labels_new(void)
{
    return mem_new(1, sizeof(struct labels));
}

void labels_forget(struct labels *labels)
{
    free(labels->ids);
    free(labels->process_numbers);
    labels->ids = labels->process_numbers = NULL;
}

void labels_as_recorded(struct labels *labels)
{
    labels->as_recorded = true;
}

void labels_free(struct labels *labels)
{
    if (labels)
        labels_forget(labels);
    free(labels);
}

/* Further parts that a label may have to differ from others. */
enum { WITH_MODULE = LABEL_DETAIL << 1, WITH_NAME = LABEL_DETAIL << 2 };

static const unsigned steps[] = {LABEL_PARAMETERS, LABEL_DETAIL, WITH_MODULE};

struct making {
    const struct profile *p;
    struct labels *labels;
    uint32_t *signatures; /* by function: string + 1; 0: unknown */
    uint8_t *parts;       /* by function */
    uint32_t *trial;      /* by function: label with one part more */
    uint32_t *count;      /* by label: functions that have it */
    struct arena arena;   /* of one label */
};

/* ---- one label ---- */

static uint32_t with_module(struct making *m, const struct function *f,
                            const char *text)
{
    const char *module = strings_get(m->p->strings, f->module);

    return strings_addf(m->p->strings, *module == '[' ? "%s %s" : "%s [%s]",
                        text, module);
}

static uint32_t make(struct making *m, size_t function, unsigned parts)
{
    const struct function *f = &m->p->functions.data[function];
    uint32_t signature = m->signatures ? m->signatures[function] : 0;
    struct label_source source = {
        strings_get(m->p->strings, f->name),
        signature ? strings_get(m->p->strings, signature - 1) : NULL,
        (enum code_kind)f->kind};
    const char *text = source.name;
    uint32_t id;

    if (!(parts & WITH_NAME))
        text = label_from_name(&m->arena, &source,
                        parts & (LABEL_PARAMETERS | LABEL_DETAIL));
    id = parts & WITH_MODULE && f->module ? with_module(m, f, text)
         : text != source.name ? strings_add(m->p->strings, text, strlen(text))
                               : f->name;
    arena_reset(&m->arena);
    return id;
}

static bool any_signature(const struct profile *p)
{
    for (size_t i = 0; i < p->methods.code.len; i++)
        if (p->methods.code.data[i].signature)
            return true;
    return false;
}

/* By function, that of the first method which it is the plain name of. */
static void find_signatures(struct making *m)
{
    const struct profile *p = m->p;

    if (!any_signature(p))
        return;
    m->signatures = mem_new(p->functions.len, sizeof(*m->signatures));
    for (size_t i = 0; i < p->locations.len; i++) {
        uint32_t method = p->locations.data[i].method, id;

        if (method == NO_ID)
            continue;
        id = p->frames.data[p->frame_start.data[i + 1] - 1].function;
        if (!m->signatures[id] && p->functions.data[id].name ==
                                      p->methods.data[method].full_name)
            m->signatures[id] =
                methods_get(&p->methods, method).signature + 1;
    }
}

/* ---- telling them apart ---- */

/* Functions by label. Only what was counted before is reset. */
static void count_labels(struct making *m, const uint32_t *ids)
{
    size_t n = strings_count(m->p->strings);

    m->count = mem_resize(m->count, n, sizeof(*m->count));
    memset(m->count, 0, n * sizeof(*m->count));
    for (size_t i = 0; i < m->p->functions.len; i++)
        m->count[ids[i]]++;
}

static bool any_shared(const struct making *m, const uint32_t *ids)
{
    for (size_t i = 0; i < m->p->functions.len; i++)
        if (ids[i] && m->count[ids[i]] > 1)
            return true;
    return false;
}

/* Gives functions whose label is shared one part more where that splits
 * those who share it. */
static void refine(struct making *m, unsigned part)
{
    size_t n = m->p->functions.len;
    uint32_t *ids = m->labels->ids;
    uint32_t *sharing;

    count_labels(m, ids);
    if (!any_shared(m, ids))
        return;
    sharing = mem_new(n, sizeof(*sharing));
    for (size_t i = 0; i < n; i++) {
        sharing[i] = ids[i] ? m->count[ids[i]] : 0;
        m->trial[i] = ids[i];
        if (sharing[i] > 1)
            m->trial[i] = make(m, i, m->parts[i] | part);
    }
    count_labels(m, m->trial);
    for (size_t i = 0; i < n; i++)
        if (sharing[i] > 1 && m->count[m->trial[i]] < sharing[i]) {
            m->parts[i] = (uint8_t)(m->parts[i] | part);
            ids[i] = m->trial[i];
        }
    free(sharing);
}

/* Labels that are still shared become the recorded name with the module, and
 * get a number if a recorded name equals another function's label. */
static void settle(struct making *m)
{
    struct strings *texts = m->p->strings;
    size_t n = m->p->functions.len;
    uint32_t *ids = m->labels->ids;
    struct map taken = {.size = 0};

    count_labels(m, ids);
    if (!any_shared(m, ids))
        return;
    for (size_t i = 0; i < n; i++)
        if (ids[i] && m->count[ids[i]] > 1)
            ids[i] = make(m, i, WITH_NAME | WITH_MODULE);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t number = 1, first = ids[i];

        while (ids[i] && map_add(&taken, ids[i], 0, i) != i)
            ids[i] = strings_addf(texts, "%s #%u", strings_get(texts, first),
                                  ++number);
    }
    map_release(&taken);
}

static void make_all(const struct profile *p)
{
    size_t n = p->functions.len;
    struct making m = {.p = p, .labels = p->labels};

    m.labels->ids = mem_new(n, sizeof(*m.labels->ids));
    m.parts = mem_new(n, sizeof(*m.parts));
    m.trial = mem_new(n, sizeof(*m.trial));
    find_signatures(&m);
    for (size_t i = 0; i < n; i++)
        if (p->functions.data[i].name &&
            p->functions.data[i].cause == CAUSE_NONE)
            m.labels->ids[i] = make(&m, i, 0);
    for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
        refine(&m, steps[i]);
    settle(&m);
    free(m.signatures);
    free(m.parts);
    free(m.trial);
    free(m.count);
    arena_release(&m.arena);
}

void labels_make(const struct profile *p)
{
    if (!p->labels->as_recorded && !p->labels->ids && p->functions.len)
        make_all(p);
}

const char *profile_label(const struct profile *p, uint32_t function)
{
    labels_make(p);
    if (p->labels->as_recorded)
        return strings_get(p->strings, p->functions.data[function].name);
    return strings_get(p->strings, p->labels->ids[function]);
}

const char *function_name(const struct profile *p, uint32_t function,
                          struct arena *arena)
{
    char text[FUNCTION_NAME_SIZE];
    const char *name = profile_function_name(p, function, text);

    return name == text ? arena_strndup(arena, text, strlen(text)) : name;
}

bool function_is_unknown(const struct profile *p, uint32_t function)
{
    const struct function *f = &p->functions.data[function];

    return !f->module && f->name &&
           !strcmp(strings_get(p->strings, f->name), NAME_UNKNOWN);
}

const char *function_label(const struct profile *p, uint32_t function,
                           struct arena *arena)
{
    const char *label = profile_label(p, function);

    if (function_is_unknown(p, function))
        return p->functions.data[function].cause == CAUSE_NO_STACK
                   ? "(sample without address)"
                   : "(address in no loaded module)";
    return *label ? label : function_name(p, function, arena);
}

const char *function_module(const struct profile *p, uint32_t function)
{
    uint32_t module = p->functions.data[function].module;

    return module ? strings_get(p->strings, module) : "[unknown]";
}

const char *process_label(const struct profile *p, uint32_t process)
{
    uint32_t name = p->processes.data[process].name;

    return name ? strings_get(p->strings, name) : "[unknown]";
}

static void number_processes(const struct profile *p)
{
    uint32_t *numbers = mem_new(p->processes.len, sizeof(*numbers));
    struct map last = {0}; /* by name and id: the process seen last */

    for (uint32_t i = 0; i < p->processes.len; i++) {
        const struct process *process = &p->processes.data[i];
        uint32_t before = map_get(&last, process->name, process->pid);

        if (before != MAP_NONE) {
            numbers[before] += !numbers[before];
            numbers[i] = numbers[before] + 1;
        }
        map_set(&last, process->name, process->pid, i);
    }
    map_release(&last);
    p->labels->process_numbers = numbers;
}

const char *process_title(const struct profile *p, uint32_t process,
                          struct arena *arena)
{
    const char *name = process_label(p, process);
    uint32_t pid = p->processes.data[process].pid, number;

    if (pid == NO_PID)
        return name;
    if (!p->labels->process_numbers)
        number_processes(p);
    number = p->labels->process_numbers[process];
    if (!number)
        return arena_fmt(arena, "%s (%u)", name, (unsigned)pid);
    return arena_fmt(arena, "%s (%u) #%u", name, (unsigned)pid,
                     (unsigned)number);
}
