/* Recordings of the Visual Studio profiler, made and real. */
#include <unistd.h>

#include "engine/format/vsp/vsp.h"
#include "engine/input/recording.h"
#include "symbols/naming.h"
#include "tests/support/profile_check.h"
#include "tests/support/suite.h"
#include "tests/support/vsp_writer.h"

static const struct places nowhere;
static const struct naming_options options = {.places = &nowhere};

static struct profile *try_read(const uint8_t *data, size_t size,
                                struct err *err)
{
    struct read_options how = {.threads = 1};
    struct entry e = {.name = "a.vsp", .inner = "", .data = data, .size = size};
    struct profile *p = profile_new();

    ck_assert_int_eq(vsp_format.probe(data, size), PROBE_YES);
    if (recording_read(&vsp_format, &e, 1, &how, p, err)) {
        profile_free(p);
        return NULL;
    }
    name_profile(p, &options, NULL);
    profile_finish(p);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    return p;
}

static struct profile *read_writer(const struct vsp_writer *w)
{
    struct err err = {0};
    struct profile *p = try_read(w->b.data, w->b.len, &err);

    ck_assert_msg(p, "%s", err.message);
    return p;
}

/* "inner < outer", lines behind a colon, of the sample at a time. */
static void assert_stack(const struct profile *p, int64_t time,
                         const char *expected)
{
    char text[1000] = "", name[FUNCTION_NAME_SIZE];
    uint32_t stack = 0;

    for (size_t i = 0; i < p->samples.len; i++)
        if (p->samples.time[i] == time)
            stack = p->samples.stack[i];
    for (; stack; stack = p->stacks.data[stack].parent) {
        uint32_t start =
            p->frame_start.data[p->stacks.data[stack].location];
        const struct frame *f = &p->frames.data[start];
        size_t n = strlen(text);

        snprintf(text + n, sizeof(text) - n, "%s%s", n ? " < " : "",
                 profile_function_name(p, f->function, name));
        n = strlen(text);
        if (f->line)
            snprintf(text + n, sizeof(text) - n, ":%u", f->line);
    }
    ck_assert_str_eq(text, expected);
}

static const char *fact(const struct profile *p, const char *name)
{
    for (size_t i = 0; i < p->trace.facts.len; i++)
        if (!strcmp(strings_get(p->strings, p->trace.facts.data[i].name), name))
            return strings_get(p->strings, p->trace.facts.data[i].value);
    return "";
}

static void write_world(struct vsp_writer *w, unsigned width)
{
    vsp_begin(w, width);
    vsp_block(w, 1);
    vsp_process(w, 100, 10, "C:\\work\\a.exe");
    vsp_thread(w, 110, 10, 11);
    vsp_module(w, 120, true, 0x400000, 0x10000, 77, "C:\\work\\A.exe");
    vsp_module(w, 121, true, 0x700000, 0x10000, 5, "C:\\sys\\b.dll");
    vsp_block(w, 5);
    vsp_method(w, 900, 0x900000, 0x40, 0x06000001, 10, 3, false);
    vsp_block(w, 8);
    vsp_method(w, 950, 0x900000, 0x40, 0x06000001, 10, 3, true);
    vsp_method(w, 950, 0x901000, 0x40, 0x06000002, 10, 3, true);
}

static void known_answers(unsigned width)
{
    static const uint64_t first[] = {0x900010, 0x401011, 0x702000};
    static const uint64_t second[] = {0x401010, 0xBAADF00D, 0x702000};
    static const uint64_t third[] = {0x12345, 0x901001};
    struct vsp_writer w;
    struct profile *p;

    write_world(&w, width);
    vsp_block(&w, 4);
    vsp_sample(&w, 300, 11, second, 3, true);
    vsp_sample(&w, 200, 11, first, 3, false);
    vsp_sample(&w, 400, 11, third, 2, false);
    vsp_end(&w);
    vsp_saved_names(&w, "c:\\WORK\\a.exe", 0x10000, 77, "C:\\work\\M.dll", 3);
    p = read_writer(&w);
    ck_assert_uint_eq(p->samples.len, 3);
    ck_assert_uint_eq(p->trace.pointer_size, width);
    ck_assert_int_eq(p->trace.interval_ns, 1000000);
    ck_assert_int_eq(p->trace.start_unix_ns, 1388448000ll * 1000000000);
    assert_stack(p, 100000, "N.C.M():30 < run:7 < b.dll!+0x2000");
    assert_stack(p, 200000, "run:7 < [broken] < b.dll!+0x2000");
    assert_stack(p, 300000, "0x12345 < [method token 0x06000002]");
    ck_assert_str_eq(fact(p, "stack walks"), "3");
    ck_assert_str_eq(fact(p, "collection type"), "4 (sampling)");
    ck_assert_uint_eq(p->processes.len, 1);
    ck_assert_uint_eq(p->processes.data[0].pid, 10);
    ck_assert_str_eq(strings_get(p->strings, p->processes.data[0].name),
                     "a.exe");
    ck_assert_uint_eq(p->threads.data[p->samples.thread[0]].tid, 11);
    ck_assert_uint_eq(p->samples.cpu[0], 1);
    ck_assert_uint_eq(p->quality.warnings.len, 0);
    ck_assert_uint_eq(p->quality.skipped_ranges, 0);
    profile_free(p);
    free(w.b.data);
}

TEST(made)
{
    known_answers(4);
    known_answers(8);
}

/* What lies in the blocks of samples is not known there; all else is read. */
TEST(other_collections)
{
    static const struct {
        uint32_t type;
        const char *name;
    } rows[] = {{2, "instrumentation"}, {8, "code coverage"},
                {16, "concurrency"},    {1, "32-bit resource contention"}};
    static const uint64_t frames[] = {0x401010, 0x402000};
    struct vsp_writer w;

    write_world(&w, 4);
    vsp_block(&w, 4);
    vsp_sample(&w, 200, 11, frames, 2, false);
    vsp_end(&w);
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct profile *p;
        const char *warning;

        blob_set(&w.b, 164, rows[i].type, 4);
        p = read_writer(&w);
        ck_assert_uint_eq(p->samples.len, 0);
        ck_assert_uint_eq(p->processes.len, 1);
        ck_assert_uint_ge(p->modules.len, 1);
        ck_assert_uint_eq(p->quality.skipped_bytes, 0);
        ck_assert_uint_eq(p->quality.warnings.len, 1);
        warning = strings_get(p->strings, p->quality.warnings.data[0]);
        ck_assert_msg(strstr(warning, rows[i].name), "%s", warning);
        profile_free((struct profile *)p);
    }
    free(w.b.data);
}

TEST(declined)
{
    struct vsp_writer w;
    struct err err = {0};

    write_world(&w, 4);
    vsp_end(&w);
    blob_set(&w.b, 164, 64, 4);
    ck_assert_ptr_null(try_read(w.b.data, w.b.len, &err));
    ck_assert_int_eq(err.code, ERR_UNSUPPORTED);
    ck_assert_msg(strstr(err.message, "unknown type 64"), "%s", err.message);
    free(w.b.data);
}

TEST(damaged)
{
    static const uint64_t frames[] = {0x401010, 0x702000};
    struct vsp_writer w;
    uint32_t state = 1;

    write_world(&w, 4);
    vsp_block(&w, 4);
    for (uint32_t i = 0; i < 20; i++)
        vsp_sample(&w, 200 + i, 11, frames, 2, false);
    vsp_end(&w);
    vsp_saved_names(&w, "C:\\work\\a.exe", 0x10000, 77, "C:\\work\\M.dll", 3);
    for (size_t n = 4; n < w.b.len; n += 251)
        profile_free(try_read(w.b.data, n, NULL));
    for (unsigned i = 0; i < 3000; i++) {
        size_t at;
        uint8_t old;

        state = state * 1664525 + 1013904223;
        at = 4 + state % (w.b.len - 4);
        if (i & 1) /* the headers of file and blocks more often */
            at = i & 2 ? 4 + state % 256 : VSP_HEADER + state % 4 * VSP_BLOCK +
                                               state / 4 % 128;
        old = w.b.data[at];
        w.b.data[at] = i % 3 ? (uint8_t)(state >> 24) : 0xFF;
        profile_free(try_read(w.b.data, w.b.len, NULL));
        w.b.data[at] = old;
    }
    free(w.b.data);
}

/* The shares that an independent reading of the files gave. */
TEST(real)
{
    static const struct {
        const char *name;
        size_t samples, native, native_named, managed, managed_named;
    } rows[] = {
        {"Kex120612.vsp", 50, 1912, 0, 1504, 1504},
        {"Sparky-core160810.vsp", 2180, 8354, 6120, 0, 0},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct read_options how = {0};
        struct recording *r;
        char path[1000];
        const char *paths[] = {path};
        struct err err = {0};
        struct profile *p;
        size_t frames[2][2] = {{0}};

        snprintf(path, sizeof(path), "%s/vsp/%s", traces_folder(),
                 rows[i].name);
        if (access(path, R_OK)) {
            suite_skip(1, "real recordings: TOPFN_TRACES is not there");
            continue;
        }
        r = recording_open(paths, 1, &how, &err);
        ck_assert_msg(r, "%s", err.message);
        name_profile(r->profile, &options, NULL);
        p = recording_take(r);
        profile_finish(p);
        for (size_t j = 0; j < p->samples.len; j++)
            for (uint32_t s = p->samples.stack[j]; s;
                 s = p->stacks.data[s].parent) {
                uint32_t id = p->stacks.data[s].location;
                const struct location *l = &p->locations.data[id];
                uint32_t f =
                    p->frames.data[p->frame_start.data[id]].function;
                const char *name =
                    strings_get(p->strings, p->functions.data[f].name);

                if (l->method == NO_ID && l->module == NO_ID)
                    continue;
                frames[l->method != NO_ID][0]++;
                frames[l->method != NO_ID][1] += *name && *name != '[';
            }
        ck_assert_uint_eq(p->samples.len, rows[i].samples);
        ck_assert_uint_eq(frames[0][0], rows[i].native);
        ck_assert_uint_eq(frames[0][1], rows[i].native_named);
        ck_assert_uint_eq(frames[1][0], rows[i].managed);
        ck_assert_uint_eq(frames[1][1], rows[i].managed_named);
        ck_assert_uint_eq(p->quality.warnings.len, 0);
        profile_free(p);
    }
}
