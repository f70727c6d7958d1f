/* symbols.bin, alone and in a container. */
#include <unistd.h>

#include "engine/input/recording.h"
#include "symbols/find/places.h"
#include "symbols/naming.h"
#include "symbols/saved/nrbf.h"
#include "symbols/saved/symbols_bin.h"
#include "tests/support/nrbf_writer.h"
#include "tests/support/profile_check.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"
#include "tests/support/zip_writer.h"

enum { PID = 4, BASE = 0x400000 };

static uint32_t string(struct profile *p, const char *text)
{
    return strings_add(p->strings, text, strlen(text));
}

/* Locations 0: 0x1010, called by 1: 0x1021, called by 2: 0x5000. */
static struct profile *make_profile(void)
{
    static const uint64_t rvas[] = {0x1010, 0x1021, 0x5000};
    struct profile *p = profile_new();
    uint32_t stack = 0;

    *vec_add(&p->processes) = (struct process){.pid = PID};
    *vec_add(&p->threads) = (struct thread){.process = 0};
    *vec_add(&p->modules) = (struct module){.name = string(p, "a.exe")};
    *vec_add(&p->mappings) = (struct mapping){
        .process = 0, .module = 0, .base = BASE, .size = 0x10000};
    for (size_t i = 0; i < 3; i++)
        profile_location(p, &(struct location){.address = rvas[i],
                                               .module = 0,
                                               .method = NO_ID,
                                               .kind = CODE_NATIVE,
                                               .cause = CAUSE_NO_SYMBOLS,
                                               .caller = i != 0});
    for (uint32_t i = 3; i-- > 0;)
        stack = profile_stack(p, stack, i);
    profile_sample(p, &(struct sample){
                          .stack = stack,
                          .weight = 1,
                          .flags = SAMPLE_HAS_STACK | SAMPLE_USER_PART,
                      });
    return p;
}

static const struct frame *frame_of(const struct profile *p, uint32_t location)
{
    return &p->frames.data[p->frame_start.data[location]];
}

static void assert_named(const struct profile *p, uint32_t location,
                         const char *name, uint32_t line, bool inlined)
{
    const struct frame *f = frame_of(p, location);
    char text[FUNCTION_NAME_SIZE];

    ck_assert_str_eq(profile_function_name(p, f->function, text), name);
    ck_assert_uint_eq(f->line, line);
    ck_assert_int_eq(f->inlined, inlined);
    ck_assert_str_eq(strings_get(p->strings, f->file), line ? "a.cpp" : "");
}

static void name_from_containers(struct profile *p,
                                 struct container *const *containers,
                                 size_t count)
{
    struct places places = {.inside = inside_new(containers, count)};

    name_profile(p, &(struct naming_options){.places = &places}, NULL);
    places_release(&places);
}

/* With the file beside a trace. */
static void name_with(struct profile *p, const struct blob *b)
{
    struct zip_member members[] = {{"a.etl", "etl", 3, false},
                                   {"x\\Symbols.bin", b->data, b->len, true}};
    struct blob zip = zip_make(members, 2);
    char path[TEMP_PATH];
    struct container *c;

    temp_file(path, zip.data, zip.len);
    c = container_open(path, NULL);
    ck_assert_ptr_nonnull(c);
    name_from_containers(p, &c, 1);
    profile_finish(p);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    container_close(c);
    unlink(path);
    free(zip.data);
}

/* An array of nulls takes nine bytes, whatever its length. */
TEST(array_of_nulls)
{
    uint8_t stream[64] = {0, 1, 0, 0, 0};
    uint8_t *at = stream + 17;
    struct err err = {0};

    *at++ = 16; /* an array of objects, id 1, of 2^26 */
    memcpy(at, (uint8_t[]){1, 0, 0, 0, 0, 0, 0, 4}, 8);
    at += 8;
    *at++ = 14; /* nulls */
    memcpy(at, (uint8_t[]){0, 0, 0, 4}, 4);
    at += 4;
    *at++ = 11;
    ck_assert_ptr_null(
        nrbf_read("symbols.bin", stream, (size_t)(at - stream), &err));
    ck_assert_int_eq(err.code, ERR_LIMIT);
}

TEST(names_and_lines)
{
    struct blob b = nrbf_symbols(PID, BASE);
    struct profile *p = make_profile();

    name_with(p, &b);
    assert_named(p, 0, "run", 7, true);
    assert_named(p, 1, "run", 9, false);
    ck_assert_uint_eq(p->functions.data[frame_of(p, 1)->function].address,
                      0x1000);
    assert_named(p, 2, "a.exe!+0x5000", 0, false);
    ck_assert_str_eq(strings_get(p->strings, p->modules.data[0].symbols),
                     "symbols.bin, found inside the container");
    profile_free(p);
    free(b.data);
}

/* A warning, and no name. */
TEST(broken)
{
    struct blob b = nrbf_symbols(PID, BASE);
    struct profile *p = make_profile();

    b.len /= 2;
    name_with(p, &b);
    assert_named(p, 0, "a.exe!+0x1010", 0, false);
    ck_assert_uint_eq(p->quality.warnings.len, 1);
    profile_free(p);
    free(b.data);
}

/* Every change and every cut is an error or other names, and no more. */
TEST(damaged)
{
    struct blob b = nrbf_symbols(PID, BASE);
    struct profile *p = make_profile();
    struct symbols_bin *bin;

    for (size_t n = 0; n < b.len; n++)
        ck_assert(!symbols_bin_open("cut", b.data, n, p, NULL));
    for (size_t i = 0; i < b.len * 3; i++) {
        uint8_t old = b.data[i / 3];

        b.data[i / 3] = i % 3 == 0 ? 0 : i % 3 == 1 ? 0xFF : (uint8_t)i;
        bin = symbols_bin_open("changed", b.data, b.len, p, NULL);
        if (bin)
            symbols_bin_close(bin);
        b.data[i / 3] = old;
    }
    profile_free(p);
    free(b.data);
}

/* The share of frames that an independent reading of the files gave. */
TEST(real)
{
    static const struct {
        const char *name;
        size_t frames;
    } rows[] = {{"WooEngineCore160119.vspx", 29703},
                {"WooEngineCore160119-1.vspx", 27947}};

    for (size_t i = 0; i < 2; i++) {
        struct read_options options = {0};
        char path[1000];
        const char *paths[] = {path};
        struct recording *r;
        struct profile *p;
        size_t named = 0;

        snprintf(path, sizeof(path), "%s/vspx/%s", traces_folder(),
                 rows[i].name);
        if (access(path, R_OK)) {
            suite_skip(1, "real recordings: TOPFN_TRACES is not there");
            continue;
        }
        r = recording_open(paths, 1, &options, NULL);
        ck_assert_ptr_nonnull(r);
        name_from_containers(r->profile, r->containers.data, r->containers.len);
        p = recording_take(r);
        profile_finish(p);
        for (size_t j = 0; j < p->samples.len; j++)
            for (uint32_t s = p->samples.stack[j]; s;
                 s = p->stacks.data[s].parent)
                named += p->functions
                             .data[frame_of(p, p->stacks.data[s].location)
                                       ->function]
                             .name != 0;
        ck_assert_uint_eq(named, rows[i].frames);
        profile_free(p);
    }
}
