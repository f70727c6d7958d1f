#include <stddef.h>
#include <string.h>

#include "engine/analysis/algebra.h"
#include "engine/base/json.h"
#include "engine/model/labels.h"
#include "report/page/page_data.h"

/* {"labels":[...],"names":[...],"modules":[...],"module":[...],"kinds":[...],
 *  "kind":[...],"nameless":[...],"waits":[...],"mine":[...],"runtime":[...],
 *  "leafKinds":["kernel"],"leafTiers":["tier0"],"processes":[{"title":"a.exe
 * (7)"}], "threads":[{"title":"main (8)","process":0}]} by function, where a
 * name that is like the label is null. */

static void json_labels(const struct page_tree *t, struct json *json)
{
    json_array(json, "labels");
    for (size_t i = 0; i < t->functions.len; i++)
        json_text(json, NULL, t->functions.data[i].label);
    json_end(json);
    json_array(json, "names");
    for (size_t i = 0; i < t->functions.len; i++) {
        const struct page_function *f = &t->functions.data[i];

        json_text(json, NULL, strcmp(f->name, f->label) ? f->name : NULL);
    }
    json_end(json);
}

/* Few modules, many functions. */
static void json_modules(const struct page_tree *t, struct json *json)
{
    struct strings *names = strings_new();

    json_array(json, "module");
    for (size_t i = 0; i < t->functions.len; i++) {
        const char *name = t->functions.data[i].module;

        json_u64(json, NULL, strings_add(names, name, strlen(name)));
    }
    json_end(json);
    json_array(json, "modules");
    for (uint32_t i = 0; i < strings_count(names); i++)
        json_text(json, NULL, strings_get(names, i));
    json_end(json);
    strings_free(names);
}

static void json_kinds(const struct page_tree *t, struct json *json)
{
    json_array(json, "kinds");
    for (int i = 0; i < CODE_KINDS; i++)
        json_text(json, NULL, code_kind_name((enum code_kind)i));
    json_end(json);
    json_array(json, "kind");
    for (size_t i = 0; i < t->functions.len; i++)
        json_u64(json, NULL, t->functions.data[i].kind);
    json_end(json);
}

/* What is so of each function or not: 0 or 1. */
static void json_traits(const struct page_tree *t, struct json *json)
{
    static const struct {
        const char *key;
        size_t at;
    } traits[] = {
        {"nameless", offsetof(struct page_function, nameless)},
        {"waits", offsetof(struct page_function, waits)},
        {"mine", offsetof(struct page_function, mine)},
        {"runtime", offsetof(struct page_function, runtime)},
    };

    for (size_t k = 0; k < sizeof(traits) / sizeof(*traits); k++) {
        json_array(json, traits[k].key);
        for (size_t i = 0; i < t->functions.len; i++) {
            const char *function = (const char *)&t->functions.data[i];

            json_u64(json, NULL,
                     *(const bool *)(const void *)(function + traits[k].at));
        }
        json_end(json);
    }
}

static void json_words(struct json *json, const char *key,
                       const char *name_of(int))
{
    const char *name;

    json_array(json, key);
    for (int i = 0; (name = name_of(i)); i++)
        json_text(json, NULL, name);
    json_end(json);
}

static void json_plain(struct json *json, const char *key, const char *text)
{
    struct out *out = out_memory();

    out_plain(out, text);
    json_text(json, key, out_text(out, NULL));
    out_close(out, NULL);
}

static void json_lives(const struct page_data *d, const struct profile *p,
                       struct json *json)
{
    struct arena scratch = {0};
    size_t process = 0;

    json_array(json, "processes");
    for (size_t i = 0; i < d->processes.len; i++)
        json_plain(json, NULL,
                   process_title(p, d->processes.data[i], &scratch));
    json_end(json);
    json_array(json, "threads");
    for (size_t i = 0; i < d->threads.len; i++) {
        const struct thread *t = &p->threads.data[d->threads.data[i]];

        while (d->processes.data[process] != t->process)
            process++;
        json_object(json, NULL);
        json_plain(json, "name", strings_get(p->strings, t->name));
        json_u64(json, "tid", t->tid);
        json_u64(json, "process", process);
        json_end(json);
    }
    json_end(json);
    arena_release(&scratch);
}

void page_names(struct page_data *d, const struct profile *p)
{
    struct out *out = out_memory();
    struct json json = json_to(out);
    const char *text;
    size_t n;

    json_object(&json, NULL);
    json_labels(&d->tree, &json);
    json_modules(&d->tree, &json);
    json_kinds(&d->tree, &json);
    json_traits(&d->tree, &json);
    json_words(&json, "leafKinds", leaf_kind_name);
    json_words(&json, "leafTiers", code_tier_word);
    if (p)
        json_lives(d, p, &json);
    json_end(&json);
    text = out_text(out, &n);
    page_bytes_release(&d->names);
    page_bytes_text(&d->names, text, n);
    page_bytes_pack(&d->names);
    out_close(out, NULL);
}
