#include "tests/support/random_profile.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/profile_builder.h"

enum { PLACES = 12, DEPTH_MAX = 20, SAMPLES = 300 };

/* Few places, so that stacks share prefixes and functions recur. */
static const char *const places[PLACES] = {
    "a.exe!main@main.c:3",
    "a.exe!work@work.c:10",
    "a.exe!work@work.c:11",
    "A.EXE!other",
    "b.dll!tiny@b.h:5<b.dll!big@b.c:70",
    "b.dll!tiny@b.h:6<b.dll!tiny@b.h:5<b.dll!big@b.c:71",
    "b.dll!big@b.c:72",
    "[jit]!Space.Class.Method(int32)",
    "[jit]!Space.Class.Other()",
    "c.dll!+0x1234",
    "0x7ff812345678",
    "[kernel]ntos.exe!+0x99",
};

static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void random_stack(uint32_t *state, char *text, size_t size)
{
    unsigned depth = 1 + next(state) % DEPTH_MAX;

    *text = '\0';
    while (depth--) {
        size_t n = strlen(text);

        snprintf(text + n, size - n, "%s%s", n ? ";" : "",
                 places[next(state) % PLACES]);
    }
}

struct profile *random_profile(uint32_t seed)
{
    struct builder *b = builder_new("random.etl");
    uint32_t state = seed, threads[4];

    threads[0] = builder_thread(b, 10, "a.exe", 11);
    threads[1] = builder_thread(b, 10, "a.exe", 12);
    threads[2] = builder_thread(b, 20, "a.exe", 21);
    threads[3] = builder_thread(b, 30, "", 31);
    for (unsigned i = next(&state) % SAMPLES; i > 0; i--) {
        char stack[DEPTH_MAX * 64];
        uint32_t flags = next(&state) % 64 |
                         stack_end_flags(next(&state) % STACK_ENDS);

        if (next(&state) % 4)
            flags &= ~(uint32_t)SAMPLE_IDLE;
        random_stack(&state, stack, sizeof(stack));
        builder_sample(b, threads[next(&state) % 4], flags, stack);
    }
    return builder_finish(b);
}

struct filter random_filter(uint32_t seed)
{
    static const char *names[] = {"A.exe"}, *not_names[] = {"!12"},
                      *ids[] = {"20", "12"};
    static const struct filter filters[] = {
        {0},
        {.include_idle = true},
        {.processes = {.data = names, .len = 1}},
        {.processes = {.data = ids, .len = 1}},
        {.threads = {.data = ids + 1, .len = 1}, .include_idle = true},
        {.threads = {.data = not_names, .len = 1}},
        {.has_time = true, .from = 20000000, .to = 120000000},
        {.processes = {.data = names, .len = 1},
         .has_time = true,
         .from = TIME_MIN,
         .to = 90000000},
    };

    return filters[seed % (sizeof(filters) / sizeof(*filters))];
}

void random_selections(random_check *check)
{
    for (uint32_t seed = 1; seed <= 20; seed++) {
        struct profile *p = random_profile(seed);
        struct filter filter = random_filter(seed);
        struct selection *sel = selection_new(p, &filter);

        check(p, sel);
        selection_free(sel);
        profile_free(p);
    }
}
