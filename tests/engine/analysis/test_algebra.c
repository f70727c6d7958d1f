#include "engine/analysis/algebra.h"
#include "engine/analysis/algebra_impl.h"
#include "engine/analysis/rank.h"
#include "engine/model/profile.h"

#include "tests/support/cells.h"
#include "tests/support/profile_builder.h"
#include "tests/support/profile_check.h"
#include "tests/support/random_profile.h"
#include "tests/support/suite.h"

/* ---- a filter as text: "focus=parse group=c.dll!*->C" ---- */

struct asked {
    struct filter filter;
    char text[400];
};

static struct words *words_of(struct filter *f, const char *key)
{
    const struct {
        const char *key;
        struct words *words;
    } lists[] = {
        {"group", &f->groups},   {"mine", &f->mine},
        {"fold", &f->folds},     {"focus", &f->focus},
        {"ignore", &f->ignore},  {"leaf", &f->leaves},
        {"module", &f->modules}, {"from", &f->show_from},
        {"to", &f->to_any},      {"process", &f->processes},
        {"thread", &f->threads},
    };

    for (size_t i = 0; i < COUNT(lists); i++)
        if (!strcmp(lists[i].key, key))
            return lists[i].words;
    return NULL;
}

static void set(struct filter *f, const char *key, const char *value)
{
    struct words *words = words_of(f, key);

    if (words)
        *vec_add(words) = value;
    else if (!strcmp(key, "percent"))
        f->fold_percent = (uint32_t)atoi(value) * 100;
    else if (!strcmp(key, "kind"))
        f->kinds |= (uint8_t)(1u << atoi(value));
    else if (!strcmp(key, "tier"))
        f->tiers |= (uint8_t)(1u << atoi(value));
    else if (!strcmp(key, "cpu"))
        *vec_add(&f->cpus) =
            (struct cpu_range){(uint16_t)atoi(value), (uint16_t)atoi(value)};
    else
        ck_abort_msg("%s", key);
}

static void ask(struct asked *a, const char *text)
{
    char *save = NULL;

    memset(a, 0, sizeof(*a));
    snprintf(a->text, sizeof(a->text), "%s", text);
    for (char *word = strtok_r(a->text, " ", &save); word;
         word = strtok_r(NULL, " ", &save)) {
        char *value = strchr(word, '=');

        *value++ = '\0';
        for (char *c = value; *c; c++)
            *c = (char)(*c == '_' ? ' ' : *c);
        set(&a->filter, word, value);
    }
}

/* ---- what is left, as text: "main;parse 3 | main;draw 1" ---- */

struct line {
    char text[300];
    uint64_t count;
};

static void add_names(const struct profile *p, uint32_t stack, char *text,
                      size_t size)
{
    const struct stack *s = &p->stacks.data[stack];
    uint32_t start, i;

    if (!stack)
        return;
    add_names(p, s->parent, text, size);
    start = p->frame_start.data[s->location];
    for (i = p->frame_start.data[s->location + 1]; i-- > start;) {
        size_t n = strlen(text);
        char name[FUNCTION_NAME_SIZE];
        uint32_t function = p->frames.data[i].function;
        const char *label = profile_label(p, function);

        snprintf(text + n, size - n, "%s%s", n ? ";" : "",
                 *label ? label : profile_function_name(p, function, name));
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct line *)a)->text,
                  ((const struct line *)b)->text);
}

static void fold_text(const struct profile *p, const struct selection *sel,
                      char *text, size_t size)
{
    struct line lines[40] = {{.count = 0}};
    size_t n = 0;

    for (uint32_t i = 1; i < p->stacks.len; i++)
        if (sel->stack_counts[i]) {
            ck_assert_uint_lt(n, 40);
            add_names(p, i, lines[n].text, sizeof(lines[n].text));
            lines[n++].count = sel->stack_counts[i];
        }
    qsort(lines, n, sizeof(*lines), by_text);
    *text = '\0';
    for (size_t i = 0; i < n; i++) {
        size_t at = strlen(text);

        while (i + 1 < n && !strcmp(lines[i].text, lines[i + 1].text)) {
            lines[i + 1].count += lines[i].count;
            i++;
        }
        snprintf(text + at, size - at, "%s%s %llu", at ? " | " : "",
                 lines[i].text, (unsigned long long)lines[i].count);
    }
}

/* ---- a small profile ---- */

static void name_module(struct profile *p, const char *name, const char *path)
{
    for (size_t i = 0; i < p->modules.len; i++)
        if (!strcmp(strings_get(p->strings, p->modules.data[i].name), name))
            p->modules.data[i].path =
                strings_add(p->strings, path, strlen(path));
}

/* 14 samples that are no idle ones. */
static struct profile *small_profile(void)
{
    struct builder *b = builder_new("small.etl");
    uint32_t app = builder_thread(b, 10, "app.exe", 11);
    uint32_t worker = builder_thread(b, 10, "app.exe", 12);
    uint32_t svc = builder_thread(b, 20, "svc.exe", 21);
    uint32_t idle = builder_thread(b, 0, "Idle", 0);
    struct profile *p;

    builder_samples(b, app, 3, "a.exe!main;a.exe!parse;c.dll!read;c.dll!wait");
    builder_samples(b, app, 1, "a.exe!main;a.exe!draw");
    builder_samples(b, app, 2, "a.exe!main;a.exe!parse;a.exe!parse;c.dll!read");
    builder_samples(b, worker, 2,
                    "a.exe!main;[jit]!Shop.Cart.Total(int32);"
                    "[jit]!System.String.Concat(string)");
    builder_samples(b, svc, 4,
                    "b.exe!serve;c.dll!read;[kernel]k.sys!Read;"
                    "[kernel]k.sys!Copy");
    builder_samples(b, svc, 1, "0x7ff0");
    builder_samples(b, worker, 1,
                    "a.exe!main;a.exe!in@x.h:3<a.exe!out@x.c:9;c.dll!+0x10");
    builder_sample(b, idle, SAMPLE_IDLE, "[kernel]hal.dll!Halt");
    p = builder_finish(b);
    p->methods.code.data[0].tier = 4;
    name_module(p, "c.dll", "C:\\Windows\\System32\\c.dll");
    for (size_t i = 0; i < p->samples.len; i++)
        p->samples.cpu[i] = (uint16_t)(i % 4);
    unnamed_fold(p);
    return p;
}

static void sort_expected(const char *left, char *text, size_t size)
{
    char copy[1000], *parts[40], *save = NULL;
    size_t n = 0;

    snprintf(copy, sizeof(copy), "%s", left);
    for (char *at = strtok_r(copy, "|", &save); at;
         at = strtok_r(NULL, "|", &save)) {
        size_t length;

        at += strspn(at, " ");
        length = strlen(at);
        while (length && at[length - 1] == ' ')
            at[--length] = '\0';
        parts[n++] = at;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (strcmp(parts[i], parts[j]) > 0) {
                char *other = parts[i];

                parts[i] = parts[j];
                parts[j] = other;
            }
    *text = '\0';
    for (size_t i = 0; i < n; i++) {
        size_t at = strlen(text);

        snprintf(text + at, size - at, "%s%s", at ? " | " : "", parts[i]);
    }
}

static void sort_lines(char *text, size_t size)
{
    char copy[1000];

    snprintf(copy, sizeof(copy), "%s", text);
    sort_expected(copy, text, size);
}

static void check_case(const struct cells *row)
{
    struct profile *p = small_profile();
    struct asked asked;
    struct selection *sel;
    char left[1000], wanted[1000];

    ask(&asked, row->cell[0]);
    algebra_apply(p, &asked.filter, NULL);
    sel = selection_new(p, &asked.filter);
    fold_text(p, sel, left, sizeof(left));
    sort_lines(left, sizeof(left));
    sort_expected(row->cell[1], wanted, sizeof(wanted));
    ck_assert_msg(!strcmp(left, wanted), "%s:\n%s\n%s", row->cell[0], left,
                  wanted);
    cells_expect_number(row, 2, p->left_out.samples);
    cells_expect_number(row, 3, p->left_out.idle);
    ck_assert_uint_eq(sel->whole, 14);
    selection_free(sel);
    filter_release(&asked.filter);
    profile_free(p);
}

TEST(questions_leave_what_was_worked_out_by_hand)
{
    cells_each("tests/engine/analysis/algebra.cells", "questions", check_case);
}

/* ---- what holds for any profile ---- */

enum { PROFILES = 25 };

/* One of each, or none. */
static const char *const groups[] = {"",
                                     "group=b.dll!*->B",
                                     "group=b.dll!*=>B",
                                     "group=modules",
                                     "group=just-my-code",
                                     "group=work->W group=*.exe!*->E"};
static const char *const folds[] = {
    "",       "fold=work",  "fold=b.dll!*",
    "fold=*", "percent=20", "fold=tiny percent=40"};
static const char *const keeps[] = {
    "", "focus=B", "ignore=main", "module=[jit]", "leaf=*", "kind=1"};
static const char *const cuts[] = {"", "from=main", "to=other"};

#define ANY(list) list[random_state(state) % (sizeof(list) / sizeof(*(list)))]

static uint32_t random_state(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void apply(struct profile *p, const char *text)
{
    struct asked asked;

    ask(&asked, text);
    algebra_apply(p, &asked.filter, NULL);
    filter_release(&asked.filter);
}

/* Each sample's stack, in order of time. */
static void all_text(const struct profile *p, char *text, size_t size)
{
    size_t n = 0;

    for (size_t i = 0; i < p->samples.len; i++) {
        char stack[4000] = "";

        add_names(p, p->samples.stack[i], stack, sizeof(stack));
        n += (size_t)snprintf(text + n, size - n, "%s\n", stack);
        ck_assert_uint_lt(n, size);
    }
}

static uint64_t total(const struct profile *p, uint64_t *exclusive)
{
    struct selection *sel = selection_new(p, NULL);
    struct ranking *r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);
    uint64_t samples = sel->samples;

    ck_assert_uint_eq(samples + p->left_out.samples, sel->whole);
    *exclusive = 0;
    for (size_t i = 0; i < r->len; i++)
        *exclusive += r->rows[i].exclusive;
    ranking_free(r);
    selection_free(sel);
    return samples;
}

TEST(exclusive_counts_add_up_to_the_total)
{
    for (uint32_t seed = 0; seed < PROFILES * 8; seed++) {
        struct profile *p = random_profile(seed % PROFILES);
        uint32_t draw = seed, *state = &draw;
        uint64_t whole, exclusive, left;
        char text[200];

        unnamed_fold(p);
        whole = total(p, &exclusive);
        snprintf(text, sizeof(text), "%s %s %s %s", ANY(groups), ANY(folds),
                 ANY(keeps), ANY(cuts));
        apply(p, text);
        left = total(p, &exclusive);
        ck_assert_uint_eq(left, exclusive);
        ck_assert_uint_eq(left + p->left_out.samples, whole);
        ck_assert_msg(!profile_check(p), "%s", profile_check(p));
        profile_free(p);
    }
}

/* What changes stacks alone takes no sample away. */
TEST(folds_and_groups_make_no_new_total)
{
    for (uint32_t seed = 0; seed < PROFILES * 4; seed++) {
        struct profile *p = random_profile(seed % PROFILES);
        uint32_t draw = seed, *state = &draw;
        uint64_t whole, exclusive;
        char text[200];

        whole = total(p, &exclusive);
        snprintf(text, sizeof(text), "%s %s", ANY(groups), ANY(folds));
        apply(p, text);
        ck_assert_uint_eq(total(p, &exclusive), whole);
        ck_assert_uint_eq(exclusive, whole);
        ck_assert_uint_eq(p->left_out.samples + p->left_out.idle, 0);
        profile_free(p);
    }
}

TEST(focus_and_ignore_add_up_to_the_whole)
{
    static const char *const patterns[] = {"main", "b.dll!*", "re:t", "nobody",
                                           "*"};

    for (uint32_t seed = 0; seed < PROFILES; seed++)
        for (size_t i = 0; i < COUNT(patterns); i++) {
            struct profile *with = random_profile(seed);
            struct profile *without = random_profile(seed);
            uint64_t exclusive, whole = total(with, &exclusive);
            char text[100];

            snprintf(text, sizeof(text), "focus=%s", patterns[i]);
            apply(with, text);
            snprintf(text, sizeof(text), "ignore=%s", patterns[i]);
            apply(without, text);
            ck_assert_uint_eq(
                total(with, &exclusive) + total(without, &exclusive), whole);
            profile_free(with);
            profile_free(without);
        }
}

/* All at once is one step after the other; the options' order is none. */
TEST(steps_have_one_order)
{
    static char once[200000], stepwise[200000];

    for (uint32_t seed = 0; seed < PROFILES * 4; seed++) {
        struct profile *a = random_profile(seed % PROFILES);
        struct profile *b = random_profile(seed % PROFILES);
        uint32_t draw = seed, *state = &draw;
        const char *group = ANY(groups), *keep = ANY(keeps), *cut = ANY(cuts);
        const char *fold = seed % 2 ? "fold=b.dll!*" : "fold=work";
        char text[200];

        snprintf(text, sizeof(text), "%s %s %s %s", cut, keep, fold, group);
        apply(a, text);
        apply(b, group);
        apply(b, fold);
        apply(b, keep);
        apply(b, cut);
        all_text(a, once, sizeof(once));
        all_text(b, stepwise, sizeof(stepwise));
        ck_assert_msg(!strcmp(once, stepwise), "%s", text);
        ck_assert_uint_eq(a->left_out.samples, b->left_out.samples);
        profile_free(a);
        profile_free(b);
    }
}

TEST(rules_are_told_from_what_is_none)
{
    static const char *const valid[] = {
        "a->b",         "a->",          "a=>b",    "re:^a$=>",
        "modules",      "kernel",       "runtime", "namespaces:1",
        "namespaces:9", "just-my-code", "a=>b->c"};
    static const char *const invalid[] = {"",
                                          "a",
                                          "->b",
                                          "=>",
                                          "re:(->b",
                                          "namespaces:0",
                                          "namespaces:",
                                          "namespaces:10",
                                          "module"};

    for (size_t i = 0; i < COUNT(valid); i++)
        ck_assert_msg(group_rule_is_valid(valid[i]), "%s", valid[i]);
    for (size_t i = 0; i < COUNT(invalid); i++)
        ck_assert_msg(!group_rule_is_valid(invalid[i]), "%s", invalid[i]);
}
