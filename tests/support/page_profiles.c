#include "tests/support/page_profiles.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/profile_builder.h"

enum { FUNCTIONS = 6000, THREADS = 16, DEPTH = 40 };

static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static uint32_t add_function(struct profile *p, uint32_t i)
{
    uint32_t name = strings_addf(p->strings,
                                 "Company.Product%u.Area%u."
                                 "Worker%u<System.String>."
                                 "HandleRequest%u(int32, string)",
                                 i % 7, i % 61, i % 509, i);
    uint32_t module = strings_addf(p->strings, "Product%u.dll", i % 23);

    return profile_function(p, &(struct function){.name = name,
                                                  .module = module,
                                                  .kind = CODE_MANAGED});
}

static void add_locations(struct profile *p)
{
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        struct frame frame = {.function = add_function(p, i)};
        uint32_t id = profile_location(
            p, &(struct location){.address = 0x1000 + 16 * (uint64_t)i,
                                  .module = NO_ID,
                                  .method = NO_ID,
                                  .kind = CODE_MANAGED});

        profile_set_frames(p, id, &frame, 1);
    }
}

/* Few outermost functions, and callers that call some functions often. */
static void add_stacks(struct profile *p, uint32_t count, uint32_t *state)
{
    uint8_t *depth = mem_new(count + 2, 1);

    while (p->stacks.len <= count) {
        uint32_t len = (uint32_t)p->stacks.len;
        uint32_t parent = len < 8 ? 0 : next(state) % len, stack;
        uint32_t location = (parent * 31 + next(state) % 9) % FUNCTIONS;

        if (depth[parent] >= DEPTH)
            continue;
        stack = profile_stack(p, parent, location);
        depth[stack] = (uint8_t)(depth[parent] + 1);
    }
    free(depth);
}

/* Each stack once; then threads stay where they are for a while, and go on in
 * some stacks far more often than in others. */
static uint32_t stack_of(uint32_t i, uint32_t stacks, uint32_t last,
                         uint32_t *state)
{
    double u = next(state) / (double)(1 << 24);

    if (i < stacks)
        return 1 + (i * 7919u) % stacks;
    return next(state) % 4 ? last : 1 + (uint32_t)(u * u * u * u * stacks);
}

struct profile *large_page_profile(uint32_t stacks, uint32_t samples)
{
    struct builder *b = builder_new("large.etl");
    struct profile *p;
    uint32_t state = 7, threads[THREADS], last[THREADS], process = 0;
    char name[32];

    for (uint32_t i = 0; i < THREADS; i++) {
        process = 100 + i / 4;
        snprintf(name, sizeof(name), "service%u.exe", (unsigned)process);
        threads[i] = builder_thread(b, process, name, 1000 + i);
    }
    p = builder_finish(b);
    profile_reopen(p);
    add_locations(p);
    add_stacks(p, stacks, &state);
    for (uint32_t i = 0; i < samples; i++) {
        uint32_t t = next(&state) % THREADS;
        struct sample s = {
            .time = (int64_t)i * 62500,
            .thread = threads[t],
            .stack = last[t] = stack_of(i, stacks, last[t], &state),
            .weight = 1,
            .flags = SAMPLE_HAS_STACK | SAMPLE_USER_PART,
        };

        profile_sample(p, &s);
    }
    p->trace.duration_ns = (int64_t)samples * 62500;
    profile_finish(p);
    return p;
}

/* A parallel build: most processes are compilers, of which each has a few
 * samples, two at a time; some programs run once. */
struct profile *many_processes_page_profile(uint32_t processes,
                                            uint32_t samples)
{
    static const char *const names[] = {"cc1", "as", "sh", "cc1", "gcc"};
    enum { NAMES = sizeof(names) / sizeof(*names), STACKS = 2000 };
    struct builder *b = builder_new("build.data");
    uint32_t *threads = mem_new(processes, sizeof(*threads)), state = 7;
    struct profile *p;
    char name[32];

    for (uint32_t i = 0; i < processes; i++) {
        snprintf(name, sizeof(name), "tool%u", (unsigned)i);
        threads[i] = builder_thread(b, 100 + i,
                                    i % 100 ? names[i % NAMES] : name, 100 + i);
    }
    p = builder_finish(b);
    profile_reopen(p);
    add_locations(p);
    add_stacks(p, STACKS, &state);
    for (uint32_t i = 0; i < samples; i++) {
        uint32_t at = (uint32_t)((uint64_t)i * processes / samples);
        struct sample s = {
            .time = (int64_t)i * 62500,
            .thread = threads[i % 2 && at ? at - 1 : at],
            .stack = 1 + next(&state) % STACKS,
            .weight = 1,
            .flags = SAMPLE_HAS_STACK | SAMPLE_USER_PART,
        };

        profile_sample(p, &s);
    }
    p->trace.duration_ns = (int64_t)samples * 62500;
    profile_finish(p);
    free(threads);
    return p;
}

struct profile *hostile_page_profile(void)
{
    static const char *const names[] = {
        "</script><script>window.broken=1</script>",
        "<img src=x onerror=window.broken=2>",
        "'\"><svg/onload=window.broken=3>",
        "<!--<script>",
        "]]>",
        "&lt;b&gt;&amp;",
        "\xE2\x80\xAEtxt.exe\xE2\x80\xAC",
        "a\x01\x1B[31mb\x7F",
        "${window.broken=4}",
        "__proto__",
        "constructor",
        "javascript:window.broken=5",
        "=cmd|' /C calc'!A0",
        "\xFF\xFE\xC0",
    };
    struct builder *b = builder_new("<script>window.broken=6</script>.etl");
    uint32_t thread = builder_thread(b, 1, "<b>p</b>\"'", 2), stack = 0;
    struct profile *p = builder_finish(b);
    size_t count = sizeof(names) / sizeof(*names);
    static char longest[10001];

    profile_reopen(p);
    memset(longest, 'W', sizeof(longest) - 1);
    for (size_t i = 0; i < count + 2; i++) {
        const char *name = i < count ? names[i] : longest;
        size_t n = i < count ? strlen(name) : sizeof(longest) - 1;
        uint32_t id = i <= count ? strings_add(p->strings, name, n)
                                 : strings_add(p->strings, "nul\0l", 5);
        struct frame frame = {.function = profile_function(
                                  p, &(struct function){.name = id,
                                                        .module = id,
                                                        .kind = CODE_NATIVE})};
        uint32_t location =
            profile_location(p, &(struct location){.address = 0x1000 + i,
                                                   .module = NO_ID,
                                                   .method = NO_ID,
                                                   .kind = CODE_NATIVE});
        struct sample s = {
            .time = (int64_t)i * 1000000, .thread = thread, .weight = 1};

        profile_set_frames(p, location, &frame, 1);
        s.stack = stack = profile_stack(p, i % 5 ? stack : 0, location);
        for (int k = 0; k < 3; k++)
            profile_sample(p, &s);
    }
    p->trace.duration_ns = 20000000;
    profile_finish(p);
    return p;
}
