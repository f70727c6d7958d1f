/* Code that comes with names, which may be long. */
#include "engine/attribution/named_code.h"

#include "engine/base/unpacking.h"
#include "tests/support/profile_check.h"
#include "tests/support/suite.h"

enum { LONG = 100000, FUNCTIONS = 500 };

/* What all functions share is gone through once, whatever they are. */
TEST(a_long_name_is_cut_once)
{
    struct profile *p = profile_new();
    struct named_code n = named_code_of(p);
    char *text = mem_new(LONG + 1, 1);
    uint32_t name, thread;

    memset(text, 'n', LONG);
    name = strings_add(p->strings, text, LONG);
    profile_set_metric_word(p, "samples");
    thread = named_thread(&n, named_process(&n, NO_PID, name), 0, name);
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        char module[32];
        struct named_frame frame = {.name = name, .file = name};

        snprintf(module, sizeof(module), "m%u", i);
        frame.module = strings_add(p->strings, module, strlen(module));
        named_sample(&n, &(struct named_sample){
                             .thread = thread,
                             .stack = named_push(&n, (struct named_stack){0},
                                                 named_location(&n, &frame))
                                          .whole,
                             .weight = 1});
    }
    ck_assert_uint_eq(n.cut.used, 2); /* as a title, and as a name */
    named_code_end(&n, "times");
    ck_assert_uint_eq(p->samples.len, FUNCTIONS);
    ck_assert_uint_eq(p->quality.warnings.len, 1);
    profile_finish(p);
    ck_assert_ptr_null(profile_check(p));
    profile_free(p);
    free(text);
}

/* "module!name" and marks behind it. */
static const struct {
    const char *text, *module, *name;
    enum code_kind kind;
    bool inlined;
} frames[] = {
    {"run", "", "run", CODE_UNKNOWN, false},
    {"a.exe!run", "a.exe", "run", CODE_UNKNOWN, false},
    {"a.exe!run_[k]", "a.exe", "run", CODE_KERNEL, false},
    {"run_[j]", "", "run", CODE_MANAGED, false},
    {"run_[i]", "", "run", CODE_UNKNOWN, true},
    {"run_[x]", "", "run_[x]", CODE_UNKNOWN, false},
    {"_[k]", "", "_[k]", CODE_UNKNOWN, false},
    {"x_[k]", "", "x", CODE_KERNEL, false},
    {"!run", "", "!run", CODE_UNKNOWN, false},
    {"a!", "", "a!", CODE_UNKNOWN, false},
    {"a!=b", "", "a!=b", CODE_UNKNOWN, false},
    {"a!b", "a", "b", CODE_UNKNOWN, false},
    {"a!b!c", "a", "b!c", CODE_UNKNOWN, false},
    {"f(x)!b", "", "f(x)!b", CODE_UNKNOWN, false},
    {"std::f!b", "", "std::f!b", CODE_UNKNOWN, false},
    {"~!b", "", "~!b", CODE_UNKNOWN, false},
    {"", "", "", CODE_UNKNOWN, false},
};

TEST(texts_of_frames)
{
    for (size_t i = 0; i < COUNT(frames); i++) {
        struct profile *p = profile_new();
        struct named_code n = named_code_of(p);
        struct named_frame f =
            named_frame_of(&n, frames[i].text, strlen(frames[i].text));

        ck_assert_str_eq(strings_get(p->strings, f.module), frames[i].module);
        ck_assert_str_eq(strings_get(p->strings, f.name), frames[i].name);
        ck_assert_msg(f.kind == frames[i].kind, "%s", frames[i].text);
        ck_assert_msg(f.inlined == frames[i].inlined, "%s", frames[i].text);
        profile_free(p);
    }
}

/* What a name alone becomes: module of the function, cause. */
static const struct {
    const char *module, *name, *of_module;
    enum name_cause cause;
} unnamed[] = {
    {"", "run", NULL, CAUSE_NONE},
    {"", "", NULL, CAUSE_NO_IMAGE},
    {"a.dll", "", "a.dll", CAUSE_NO_SYMBOLS},
    {"", "[unknown]", NULL, CAUSE_NO_IMAGE},
    {"", "[no symbols]", NULL, CAUSE_NO_IMAGE},
    {"a.dll", "[no symbols]", "a.dll", CAUSE_NO_SYMBOLS},
    {"", "b.dll [no symbols]", "b.dll", CAUSE_NO_SYMBOLS},
    {"a.dll", "b.dll [no symbols]", "a.dll", CAUSE_NO_SYMBOLS},
    {"", " [no symbols]", NULL, CAUSE_NO_IMAGE},
    {"", "x [no symbols]", "x", CAUSE_NO_SYMBOLS},
    {"", "x[no symbols]", NULL, CAUSE_NO_IMAGE},
    {"", "[no symbols] x", NULL, CAUSE_NONE},
    {"", "no symbols]", NULL, CAUSE_NONE},
};

TEST(names_that_stand_for_none)
{
    for (size_t i = 0; i < COUNT(unnamed); i++) {
        struct profile *p = profile_new();
        struct named_code n = named_code_of(p);
        struct named_frame f = {.name = strings_add(p->strings, unnamed[i].name,
                                                    strlen(unnamed[i].name)),
                                .module =
                                    strings_add(p->strings, unnamed[i].module,
                                                strlen(unnamed[i].module))};
        const struct location *l = NULL;

        ck_assert_uint_eq(named_location(&n, &f), 0);
        l = &p->locations.data[0];
        ck_assert_msg(l->cause == unnamed[i].cause, "%s", unnamed[i].name);
        ck_assert_uint_eq(l->address, 0);
        ck_assert_int_eq(profile_has_frames(p, 0),
                         unnamed[i].cause == CAUSE_NONE);
        ck_assert_int_eq(l->module != NO_ID, unnamed[i].of_module != NULL);
        if (unnamed[i].of_module)
            ck_assert_str_eq(
                strings_get(p->strings, p->modules.data[l->module].name),
                unnamed[i].of_module);
        ck_assert_uint_eq(named_location(&n, &f), 0);
        named_code_end(&n, "");
        profile_finish(p);
        ck_assert_msg(p->functions.data[profile_innermost(p, 0)].cause ==
                          unnamed[i].cause,
                      "%s", unnamed[i].name);
        profile_free(p);
    }
}

static uint32_t string(struct profile *p, const char *text)
{
    return strings_add(p->strings, text, strlen(text));
}

static uint32_t depth_of(const struct profile *p, uint32_t stack)
{
    uint32_t depth = 0;

    for (; stack; stack = p->stacks.data[stack].parent)
        depth++;
    return depth;
}

/* Up to STACK_DEEPEST frames a stack is whole; deeper ones begin anew at every
 * half of that. Depths are counted, and stacks sampled, at the turns and beside
 * them alone. */
TEST(stacks_turn_where_they_are_too_deep)
{
    enum { PART = STACK_DEEPEST / 2, DEEP = 4 * PART + PART / 2 };
    struct profile *p = profile_new();
    struct named_code n = named_code_of(p);
    struct named_frame f = {.name = string(p, "run")}, none = {.line = 0};
    uint32_t location = named_location(&n, &f);
    uint32_t thread = named_thread(&n, named_process(&n, 1, 0), 1, 0);
    struct named_stack stack = {0};

    stack = named_push(&n, stack, named_location(&n, &none));
    ck_assert_uint_eq(stack.frames, 1);
    stack = (struct named_stack){0};

    for (uint32_t depth = 1; depth <= DEEP; depth++) {
        uint32_t turns = (depth - 1) / PART;

        stack = named_push(&n, stack, location);
        ck_assert_uint_eq(n.deep, turns ? turns - 1 : 0);
        if (depth % PART > 1 && depth % PART < PART - 1 && depth % 1000)
            continue;
        ck_assert_uint_eq(depth_of(p, stack.whole),
                          turns ? depth - PART * (turns - 1) : depth);
        ck_assert_uint_eq(depth_of(p, stack.part), depth - PART * turns);
        named_sample(&n, &(struct named_sample){.thread = thread,
                                                .stack = stack.whole,
                                                .weight = 1,
                                                .end = STACK_END_ROOT});
        ck_assert_int_eq(stack_end_of(p->samples.flags[p->samples.len - 1]),
                         turns > 1 ? STACK_END_DEPTH : STACK_END_ROOT);
    }
    named_code_end(&n, "");
    ck_assert_str_eq(
        strings_get(p->strings, p->quality.warnings.data[0]),
        "stacks deeper than 16384 frames, truncated to their leaf frames: 3");
    profile_free(p);
}

/* As long as may be, and one more, which is cut between characters. */
TEST(names_are_cut_where_they_are_too_long)
{
    struct profile *p = profile_new();
    struct named_code n = named_code_of(p);
    char text[300];
    const char *name;

    memset(text, 'x', sizeof(text));
    named_process(&n, 1, strings_add(p->strings, text, 256));
    named_process(&n, 1, strings_add(p->strings, text, 257));
    memcpy(text + 244, "\xC3\xA9", 2); /* its second byte would be cut off */
    named_process(&n, 1, strings_add(p->strings, text, 257));
    name = strings_get(p->strings, p->processes.data[0].name);
    ck_assert_uint_eq(strlen(name), 256);
    ck_assert_ptr_null(strchr(name, '.'));
    name = strings_get(p->strings, p->processes.data[1].name);
    ck_assert_uint_eq(strlen(name), 256);
    ck_assert_uint_eq(strspn(name, "x"), 245);
    ck_assert_int_eq(strncmp(name + 245, "...", 3), 0);
    name = strings_get(p->strings, p->processes.data[2].name);
    ck_assert_uint_eq(strlen(name), 255);
    ck_assert_uint_eq(strspn(name, "x"), 244);
    named_code_end(&n, "");
    ck_assert_uint_eq(p->quality.warnings.len, 1);
    profile_free(p);
}

/* Reads a text of JSON whose root gives a sample if it has a member "s". */
static enum err_code take_root(void *file, struct json_value root,
                               struct err *err)
{
    struct named_code *n = file;

    ck_assert_ptr_nonnull(err);
    if (json_is_there(json_member(root, "s")))
        named_sample(n, &(struct named_sample){.thread = 0, .weight = 1});
    named_code_end(n, "times");
    return ERR_NONE;
}

static struct profile *read_text(const char *text, enum err_code expected)
{
    struct profile *p = profile_new();
    struct named_code n = named_code_of(p);
    struct bytes all = {(const uint8_t *)text, strlen(text)};
    struct entry e = {.name = "a", .data = all.data, .size = all.len};
    struct err err = {.code = ERR_NONE};

    ck_assert_int_eq(named_read_json(&n, &e, all, take_root, &n, &err),
                     expected);
    ck_assert_int_eq(err.code, expected);
    return p;
}

/* With a sample what is damaged is skipped, without one it is refused. */
TEST(damage_is_skipped_or_refused)
{
    struct profile *p = read_text("{\"s\":1}", ERR_NONE);

    ck_assert_uint_eq(p->quality.skipped.len, 0);
    profile_free(p);
    profile_free(read_text("{\"t\":1,]}", ERR_CORRUPT));
    p = read_text("{\"s\":1,]}", ERR_NONE);
    ck_assert_uint_eq(p->quality.skipped.len, 1);
    ck_assert_uint_eq(p->quality.skipped.data[0].offset +
                          p->quality.skipped.data[0].size,
                      strlen("{\"s\":1,]}"));
    profile_free(p);
}

static void assert_unsaid(const char *module, const char *unsaid,
                          const char *expected)
{
    struct profile *p = profile_new();
    struct named_code n = named_code_of(p);

    if (module)
        named_module(&n, string(p, module));
    named_code_end(&n, unsaid);
    ck_assert_uint_eq(p->trace.facts.len, expected != NULL);
    if (expected)
        ck_assert_str_eq(strings_get(p->strings, p->trace.facts.data[0].value),
                         expected);
    profile_free(p);
}

TEST(what_a_format_does_not_say)
{
    assert_unsaid("a", "times", "times");
    assert_unsaid("a", "", NULL);
    assert_unsaid(NULL, "times", "modules, times");
    assert_unsaid(NULL, "", "modules");
}

/* Every sample is a stack of its own, of 100 frames. */
static struct profile *differ_at_the_root(const struct entry *e,
                                          uint32_t samples)
{
    enum { DEPTH = 100, NAMES = 10 };
    struct profile *p = profile_new();
    struct named_code n = named_code_from(p, e);
    uint32_t thread = named_thread(&n, named_process(&n, NO_PID, 0), 0, 0);

    profile_set_metric_word(p, "samples");
    for (uint32_t i = 0; i < samples; i++) {
        struct named_stack stack = {0};

        for (uint32_t k = 0; k < DEPTH; k++) {
            struct named_frame frame = {
                .name =
                    strings_addf(p->strings, "f%u", k ? k % NAMES : NAMES + i)};

            stack = named_push(&n, stack, named_location(&n, &frame));
        }
        named_sample(&n, &(struct named_sample){.thread = thread,
                                                .stack = stack.whole,
                                                .weight = 1});
    }
    named_code_end(&n, "times");
    profile_finish(p);
    ck_assert_ptr_null(profile_check(p));
    return p;
}

/* Without a budget for long names: they count in each row. */
static size_t longest_of(size_t functions)
{
    enum { LONG = 4000 };
    static char name[LONG];
    struct profile *p = profile_new();
    struct named_code n = named_code_from(p, &(struct entry){.size = 0});
    uint32_t thread = named_thread(&n, named_process(&n, 1, 0), 1, 0);
    size_t len;

    memset(name, 'n', LONG);
    for (size_t i = 0; i < functions; i++) {
        struct named_frame f = {.name = strings_add(p->strings, name, LONG),
                                .module = strings_addf(p->strings, "m%zu", i)};

        named_sample(&n, &(struct named_sample){
                             .thread = thread,
                             .stack = named_push(&n, (struct named_stack){0},
                                                 named_location(&n, &f))
                                          .whole,
                             .weight = 1});
    }
    named_code_end(&n, "times");
    profile_finish(p);
    ck_assert_ptr_null(profile_check(p));
    ck_assert_uint_eq(p->functions.len, functions);
    len = strings_len(p->strings, p->functions.data[0].name);
    profile_free(p);
    return len;
}

TEST(names_that_too_many_rows_share_are_shortened)
{
    ck_assert_uint_eq(longest_of(100), 4000);
    ck_assert_uint_eq(longest_of(5000), 256);
}

TEST(a_plain_file_costs_no_more_than_it_may)
{
    enum { SAMPLES = 5000 };
    const struct entry empty = {.size = 0};
    struct profile *cut = differ_at_the_root(&empty, SAMPLES);

    ck_assert_uint_lt(cut->samples.len, SAMPLES);
    ck_assert_uint_lt(profile_cost(cut), PROFILE_FREE + PROFILE_FREE / 8);
    ck_assert_uint_eq(cut->quality.warnings.len, 1);
    profile_free(cut);
}

TEST(a_packed_file_makes_no_more_than_it_may)
{
    enum { SAMPLES = 12000, PACKED = 10000 };
    const struct entry as_it_is = {.size = 24 << 20},
                       unpacked = {.packed = PACKED};
    struct profile *whole = differ_at_the_root(&as_it_is, SAMPLES);
    struct profile *cut = differ_at_the_root(&unpacked, SAMPLES);

    ck_assert_uint_eq(whole->samples.len, SAMPLES);
    ck_assert_uint_eq(whole->quality.warnings.len, 0);
    ck_assert_uint_lt(cut->samples.len, SAMPLES);
    ck_assert_uint_gt(cut->samples.len, SAMPLES / 4);
    ck_assert_uint_lt(cut->stacks.len, unpack_most_of_profile(PACKED) / 40);
    ck_assert_uint_eq(cut->quality.warnings.len, 1);
    profile_free(whole);
    profile_free(cut);
}
