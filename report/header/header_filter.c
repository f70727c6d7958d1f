#include <stddef.h>

#include "engine/analysis/algebra.h"
#include "engine/model/code.h"
#include "report/header/header.h"
#include "report/table/weight.h"

/* What was asked for, and how much of how much is left: every report says so.
 */

/* The lists of a filter, in the order in which they are asked. */
static const struct {
    const char *title; /* for people */
    const char *key;
    size_t at;
} lists[] = {
#define LIST(title, key, member)                                               \
    {                                                                          \
        title, key, offsetof(struct filter, member)                            \
    }
    LIST("process", "process", processes),
    LIST("thread", "thread", threads),
    LIST("group", "group", groups),
    LIST("mine", "mine", mine),
    LIST("fold", "fold", folds),
    LIST("focus", "focus", focus),
    LIST("ignore", "ignore", ignore),
    LIST("leaf", "leaf", leaves),
    LIST("module", "module", modules),
    LIST("leaf module", "leaf_module", leaf_modules),
    LIST("hide", "hide", hides),
    LIST("from", "show_from", show_from),
    LIST("to", "to", to_any),
    LIST("between", "between", between),
};

enum { LISTS = sizeof(lists) / sizeof(*lists) };

static const struct words *list_of(const struct filter *f, size_t i)
{
    return (const struct words *)((const char *)f + lists[i].at);
}

/* ---- the rest of it, as text ---- */

static void print_range(const struct filter *f, struct out *out)
{
    if (f->from > TIME_MIN) {
        out_str(out, " · from ");
        print_span(out, f->from);
    }
    if (f->to < TIME_MAX) {
        out_str(out, " · before ");
        print_span(out, f->to);
    }
}

static void print_cpus(const struct filter *f, struct out *out)
{
    for (size_t i = 0; i < f->cpus.len; i++) {
        const struct cpu_range *r = &f->cpus.data[i];

        out_str(out, i ? "," : " · CPU ");
        out_u64(out, r->from);
        if (r->to != r->from)
            out_fmt(out, "-%u", (unsigned)r->to);
    }
}

static void print_set(const char *title, unsigned set,
                      const char *(*name_of)(int), struct out *out)
{
    const char *before = title;

    for (int i = 0; name_of(i); i++) {
        if (!(set & 1u << i))
            continue;
        out_str(out, before);
        out_str(out, name_of(i));
        before = ", ";
    }
}

static void print_words(const char *title, const struct words *words,
                        struct out *out)
{
    for (size_t i = 0; i < words->len; i++) {
        if (!i)
            out_fmt(out, " · %s ", title);
        out_str(out, i ? ", " : "");
        out_plain(out, words->data[i]);
    }
}

static void print_lists(const struct filter *f, size_t from, size_t to,
                        struct out *out)
{
    for (size_t i = from; i < to; i++)
        print_words(lists[i].title, list_of(f, i), out);
}

static bool print_filter(const struct filter *f, struct out *out)
{
    if (filter_is_empty(f) && !f->include_idle)
        return false;
    out_str(out, "selected");
    print_lists(f, 0, 5, out);
    if (f->fold_percent)
        out_fmt(out, " · fold below %u.%02u %%", f->fold_percent / 100,
                f->fold_percent % 100);
    print_lists(f, 5, LISTS, out);
    print_set(" · kind ", f->kinds, leaf_kind_name, out);
    print_set(" · tier ", f->tiers, code_tier_word, out);
    print_cpus(f, out);
    if (f->has_time)
        print_range(f, out);
    if (f->include_idle)
        out_str(out, " · idle included");
    if (f->types)
        out_str(out, f->types == SAMPLE_MANAGED ? " · in managed code"
                                                : " · external");
    return true;
}

void header_filter(const struct filter *f, struct out *out)
{
    if (print_filter(f, out))
        out_char(out, '\n');
}

void header_selected(const struct profile *p, const struct selection *sel,
                     struct out *out)
{
    if (!print_filter(&sel->filter, out))
        return;
    if (!filter_is_empty(&sel->filter)) {
        out_str(out, " · ");
        out_weight(out, p, sel->samples);
        out_str(out, " of ");
        out_weight(out, p, sel->whole);
    }
    out_char(out, '\n');
}

/* ---- as JSON ---- */

static void json_set(struct json *json, const char *key, unsigned set,
                     const char *(*name_of)(int))
{
    if (!set)
        return;
    json_array(json, key);
    for (int i = 0; name_of(i); i++)
        if (set & 1u << i)
            json_text(json, NULL, name_of(i));
    json_end(json);
}

static void json_lists(struct json *json, const struct filter *f)
{
    for (size_t i = 0; i < LISTS; i++) {
        const struct words *words = list_of(f, i);

        if (!words->len)
            continue;
        json_array(json, lists[i].key);
        for (size_t w = 0; w < words->len; w++)
            json_text(json, NULL, words->data[w]);
        json_end(json);
    }
}

static void json_cpus(struct json *json, const struct filter *f)
{
    if (!f->cpus.len)
        return;
    json_array(json, "cpu");
    for (size_t i = 0; i < f->cpus.len; i++)
        for (unsigned n = f->cpus.data[i].from; n <= f->cpus.data[i].to; n++)
            json_u64(json, NULL, n);
    json_end(json);
}

void header_json_selected(const struct profile *p, const struct selection *sel,
                          struct json *json)
{
    const struct filter *f = &sel->filter;

    if (filter_is_empty(f))
        return;
    json_object(json, "selected");
    json_weight(json, "of_samples", p, sel->whole);
    json_lists(json, f);
    if (f->fold_percent)
        json_percent(json, "fold_percent", f->fold_percent, 10000);
    json_set(json, "kind", f->kinds, leaf_kind_name);
    json_set(json, "tier", f->tiers, code_tier_word);
    if (f->types)
        json_text(json, "sample_type",
                  f->types == SAMPLE_MANAGED ? "managed" : "external");
    json_cpus(json, f);
    if (f->has_time && f->from > TIME_MIN)
        json_i64(json, "from_ns", f->from);
    if (f->has_time && f->to < TIME_MAX)
        json_i64(json, "to_ns", f->to);
    json_end(json);
}
