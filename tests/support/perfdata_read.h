/*
 * perfdata_read - recordings of the writer (perfdata_writer.h), read and
 * looked at.
 *
 *     struct profile *p = read_written(&w);
 *     assert_stack(p, 0, "shop!+0x1234 < shop!+0x1100");
 *
 * Included by test programs only.
 */
#ifndef TOPFN_TESTS_PERFDATA_READ_H
#define TOPFN_TESTS_PERFDATA_READ_H

#include "engine/format/perfdata/perfdata.h"
#include "engine/input/recording.h"
#include "tests/support/perfdata_writer.h"
#include "tests/support/profile_check.h"
#include "tests/support/suite.h"

#define KERNEL_BASE 0xFFFFFFFF81000000u

/* The ways in which the writer writes. */
enum { FORMS = 9 };

static inline unsigned form(int i)
{
    static const unsigned forms[FORMS] = {
        0,
        PERFDATA_BIG,
        PERFDATA_PIPE,
        PERFDATA_PACKED,
        PERFDATA_BIG | PERFDATA_PIPE,
        PERFDATA_BIG | PERFDATA_PACKED,
        PERFDATA_PIPE | PERFDATA_PACKED,
        PERFDATA_BIG | PERFDATA_PIPE | PERFDATA_PACKED,
        PERFDATA_KILLED,
    };

    return forms[i];
}

/* The first `size` bytes; NULL, and why, where nothing can be read. */
static inline struct profile *try_read(const uint8_t *data, size_t size,
                                       const char *event, struct err *err)
{
    static const char *const lists[] = {"testdata/perfdata"};
    struct read_options options = {.threads = 1,
                                   .event = event,
                                   .symbol_folders = lists,
                                   .symbol_folder_count = 1};
    struct entry e = {
        .name = "a.data", .inner = "", .data = data, .size = size};
    struct profile *p = profile_new();

    if (recording_read(&perfdata_format, &e, 1, &options, p, err)) {
        profile_free(p);
        return NULL;
    }
    profile_finish(p);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    return p;
}

static inline struct profile *read_event(const struct perfdata_writer *w,
                                         const char *event)
{
    struct err err = {0};
    struct profile *p = try_read(w->file.data, w->file.len, event, &err);

    ck_assert_msg(p, "%s", err.message);
    return p;
}

static inline struct profile *read_written(struct perfdata_writer *w)
{
    struct profile *p;

    perfdata_end(w);
    p = read_event(w, NULL);
    perfdata_free(w);
    return p;
}

/* "inner < outer" of a sample. */
static inline void stack_text(const struct profile *p, size_t sample,
                              char text[1000])
{
    char name[FUNCTION_NAME_SIZE];
    uint32_t stack = p->samples.stack[sample];

    for (*text = 0; stack; stack = p->stacks.data[stack].parent) {
        uint32_t start = p->frame_start.data[p->stacks.data[stack].location];
        size_t n = strlen(text);

        snprintf(
            text + n, 1000 - n, "%s%s", n ? " < " : "",
            profile_function_name(p, p->frames.data[start].function, name));
    }
}

static inline void assert_stack(const struct profile *p, size_t sample,
                                const char *expected)
{
    char text[1000];

    stack_text(p, sample, text);
    ck_assert_str_eq(text, expected);
}

/* By frame, innermost first: "." stands where it stopped, "c" called. */
static inline void assert_roles(const struct profile *p, size_t sample,
                                const char *expected)
{
    uint32_t stack = p->samples.stack[sample];
    char text[100];
    size_t n = 0;

    for (; stack && n + 1 < sizeof(text); stack = p->stacks.data[stack].parent)
        text[n++] = p->locations.data[p->stacks.data[stack].location].caller
                        ? 'c'
                        : '.';
    text[n] = 0;
    ck_assert_str_eq(text, expected);
}

#endif
