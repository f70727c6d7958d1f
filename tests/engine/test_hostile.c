/* Made files that ask for more than they are: what comes of them, counted. */
#include "engine/input/recording.h"
#include "tests/support/hostile.h"
#include "tests/support/profile_check.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

/* Large enough that what is left out, and not what is free, decides. */
enum { SIZE = 1 << 18, LARGE = 1 << 20, INLINED = 64 };

/* NULL when it was refused, as `err` says. */
static struct profile *open_made(const char *name, size_t size, struct err *err)
{
    char path[TEMP_PATH];
    const char *files[] = {path};
    struct blob b = {0};
    struct recording *r;
    struct profile *p = NULL;

    ck_assert_msg(hostile_make(name, size, &b), "%s", name);
    temp_file(path, b.data, b.len);
    free(b.data);
    r = recording_open(files, 1, &(struct read_options){.threads = 1}, err);
    unlink(path);
    if (r) {
        p = recording_take(r);
        profile_finish(p);
        ck_assert_ptr_null(profile_check(p));
    }
    return p;
}

static size_t bytes_of_texts(const struct profile *p)
{
    size_t n = 0;

    for (uint32_t i = 0; i < strings_count(p->strings); i++)
        n += strings_len(p->strings, i);
    return n;
}

static uint64_t frames_below(const struct profile *p, uint32_t stack)
{
    uint64_t n = 0;

    for (; stack; stack = p->stacks.data[stack].parent) {
        uint32_t l = p->stacks.data[stack].location;

        n += p->frame_start.data[l + 1] - p->frame_start.data[l];
    }
    return n;
}

/* What the profile has many of is in proportion to the file's bytes. */
static void assert_in_proportion(const char *name, const struct profile *p)
{
    size_t rows = p->samples.len + p->stacks.len + p->locations.len +
                  p->functions.len + p->modules.len + p->methods.len +
                  p->processes.len + p->threads.len;

    ck_assert_msg(rows <= (size_t)4 * SIZE, "%s: %zu rows", name, rows);
    ck_assert_msg(p->frames.len <= (size_t)8 * SIZE, "%s: %zu frames", name,
                  p->frames.len);
    ck_assert_msg(bytes_of_texts(p) <= (size_t)2 * SIZE,
                  "%s: %zu bytes of text", name, bytes_of_texts(p));
    for (size_t i = 0; i < p->samples.len; i++)
        ck_assert_msg(frames_below(p, p->samples.stack[i]) <=
                          STACK_DEEPEST + INLINED,
                      "%s: sample %zu", name, i);
}

static bool is_recording(const char *name)
{
    static const char *const images[] = {".so", ".dwo", ".exe", ".pdb",
                                         ".dump"};

    for (size_t i = 0; i < COUNT(images); i++)
        if (strstr(name, images[i]))
            return false;
    return true;
}

TEST(every_recording)
{
    const char *name;

    for (size_t i = 0; (name = hostile_name(i)); i++) {
        struct err err = {0};
        struct profile *p =
            is_recording(name) ? open_made(name, SIZE, &err) : NULL;

        if (!is_recording(name))
            continue;
        ck_assert_msg(p || err.message[0], "%s: refused without a word", name);
        ck_assert_msg(hostile_is_full(name) == (p && p->samples.len),
                      "%s: %zu samples", name, p ? p->samples.len : 0);
        if (p)
            assert_in_proportion(name, p);
        profile_free(p);
    }
}

/* 3,600 children of a process with 4,700 mappings: the samples stay, what was
 * copied is told as far as it is in proportion. */
TEST(memory_that_forks_copy)
{
    struct err err = {0};
    struct profile *p = open_made("forks.perf.data", LARGE, &err);

    ck_assert_msg(p, "%s", err.message);
    ck_assert_uint_gt(p->samples.len, 1000);
    ck_assert(warns(p, "that lack mappings of their parent"));
    profile_free(p);
}

/* Of a name that all functions share the beginning is kept. */
TEST(a_name_that_is_shared)
{
    static const char *const names[] = {"one-name.pprof",
                                        "one-name.profile.json"};

    for (size_t i = 0; i < 2; i++) {
        struct err err = {0};
        struct profile *p = open_made(names[i], SIZE, &err);
        uint32_t name;

        ck_assert_msg(p, "%s", err.message);
        ck_assert_uint_gt(p->samples.len, 1000);
        name = p->functions.data[p->functions.len - 1].name;
        ck_assert_uint_le(strings_len(p->strings, name), 4096);
        profile_free(p);
    }
}
