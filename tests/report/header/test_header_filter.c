/* Which part of a trace the rows of a report are of. */
#include "report/header/header.h"

#include "tests/support/suite.h"

static void nothing(struct filter *f)
{
    (void)f;
}

static void idle_too(struct filter *f)
{
    f->include_idle = true;
}

static void a_process(struct filter *f)
{
    *vec_add(&f->processes) = "10";
    *vec_add(&f->threads) = "11";
}

static void words(struct filter *f)
{
    struct words *lists[] = {
        &f->processes, &f->threads,   &f->groups, &f->mine,
        &f->folds,     &f->focus,     &f->ignore, &f->leaves,
        &f->modules,   &f->show_from, &f->to_any, &f->between};
    static const char *const texts[] = {"p", "t", "g", "m", "F", "f", "i",
                                        "l", "M", "s", "o", "b"};

    for (size_t i = 0; i < COUNT(lists); i++)
        *vec_add(lists[i]) = texts[i];
    *vec_add(&f->processes) = "q\x1b";
    f->fold_percent = 1205;
}

static void sets(struct filter *f)
{
    f->kinds = 1 | 4;
    f->tiers = 2 | 16 | 64;
    *vec_add(&f->cpus) = (struct cpu_range){0, 0};
    *vec_add(&f->cpus) = (struct cpu_range){2, 4};
    f->types = SAMPLE_MANAGED;
}

static void external(struct filter *f)
{
    f->types = SAMPLE_EXTERNAL;
}

static void from(struct filter *f)
{
    f->has_time = true;
    f->from = 0;
    f->to = TIME_MAX;
}

static void until(struct filter *f)
{
    f->has_time = true;
    f->from = TIME_MIN;
    f->to = 1500000;
}

static const struct {
    void (*set)(struct filter *f);
    const char *text, *json;
} filters[] = {
    {nothing, "", "{}"},
    {idle_too, "filter · idle included\n", "{}"},
    {a_process, "filter · process 10 · thread 11 · 1,500 of 2,000 samples\n",
     "{\"selected\":{\"of_samples\":2000,\"process\":[\"10\"],\"thread\":[\"11\"]}}"},
    {words,
     "filter · process p, q\\x1b · thread t · group g · mine m · fol"
     "d F · fold below 12.05 % · focus f · ignore i · leaf l · module "
     "M · from s · to o · between b · 1,500 o"
     "f 2,000 samples\n",
     "{\"selected\":{\"of_samples\":2000,\"process\":[\"p\",\"q\\u001b"
     "\"],\"thread\":[\"t\"],\"group\":[\"g\"],\"mine\":[\"m\"],\"fold"
     "\":[\"F\"],\"focus\":[\"f\"],\"ignore\":[\"i\"],\"leaf\":[\"l\"]"
     ",\"module\":[\"M\"],\"s"
     "how_from\":[\"s\"],\"to\":[\"o\"],\"between\":[\"b\"],\"fold_per"
     "cent\":12.05}}"},
    {sets,
     "filter · kind kernel, managed · tier precompiled, tier0, osr ·"
     " CPU 0,2-4 · in managed code · 1,500 of 2,000 samples\n",
     "{\"selected\":{\"of_samples\":2000,\"kind\":[\"kernel\",\"manage"
     "d\"],\"tier\":[\"precompiled\",\"tier0\",\"osr\"],\"sample_type\":\"managed\","
     "\"cpu\":[0,2,3,4]}}"},
    {external, "filter · external · 1,500 of 2,000 samples\n",
     "{\"selected\":{\"of_samples\":2000,\"sample_type\":\"external\"}}"},
    {from, "filter · from 0 ns · 1,500 of 2,000 samples\n",
     "{\"selected\":{\"of_samples\":2000,\"from_ns\":0}}"},
    {until, "filter · up to 1.5 ms · 1,500 of 2,000 samples\n",
     "{\"selected\":{\"of_samples\":2000,\"to_ns\":1500000}}"},
};

TEST(what_was_asked_for)
{
    struct profile *p = profile_new();

    for (size_t i = 0; i < COUNT(filters); i++) {
        struct selection sel = {.samples = 1500, .whole = 2000};
        struct out *out = out_memory();
        struct json json;

        filters[i].set(&sel.filter);
        header_selected(p, &sel, out);
        ck_assert_str_eq(out_text(out, NULL), filters[i].text);
        out_close(out, NULL);
        out = out_memory();
        json = json_to(out);
        json_object(&json, NULL);
        header_json_selected(p, &sel, &json);
        json_end(&json);
        ck_assert_str_eq(out_text(out, NULL), filters[i].json);
        out_close(out, NULL);
        filter_release(&sel.filter);
    }
    profile_free(p);
}
