#include "tests/support/hostile.h"

#include <stdlib.h>

/* Profiles of other tools that are text, and text of perf script. */

static void put(struct blob *b, const char *text)
{
    blob_bytes(b, text, strlen(text));
}

static void repeat(struct blob *b, char c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        blob_u8(b, (uint8_t)c);
}

/* ---- speedscope ---- */

static void begin_speedscope(struct blob *b, unsigned frames)
{
    put(b, "{\"$schema\":\"https://www.speedscope.app/file-format-schema"
           ".json\",\"shared\":{\"frames\":[");
    for (unsigned i = 0; i < frames; i++)
        blob_format(b, "%s{\"name\":\"f%u\"}", i ? "," : "", i);
    put(b, "]},\"profiles\":[");
}

static void put_event(struct blob *b, bool open, unsigned frame, size_t at)
{
    blob_format(b, "%s{\"type\":\"%c\",\"frame\":%u,\"at\":%zu}", at ? "," : "",
                open ? 'O' : 'C', frame, at);
}

/* Half of the events open one frame, the rest close one that is not open. */
static void speedscope_close_unknown(struct blob *b, size_t size)
{
    size_t events = size / 40;

    begin_speedscope(b, 2);
    put(b, "{\"type\":\"evented\",\"unit\":\"none\",\"events\":[");
    for (size_t i = 0; i < events; i++)
        put_event(b, i < events / 2, i >= events / 2, i);
    put(b, "]}]}");
}

/* Each sample is one frame deeper. */
static void speedscope_deep(struct blob *b, size_t size)
{
    begin_speedscope(b, 3);
    put(b, "{\"type\":\"evented\",\"unit\":\"none\",\"events\":[");
    for (size_t i = 0; i < size / 40; i++)
        put_event(b, true, (unsigned)(i % 3), i);
    put(b, "]}]}");
}

static void speedscope_many_profiles(struct blob *b, size_t size)
{
    begin_speedscope(b, 1);
    for (size_t i = 0; i < size / 70; i++)
        blob_format(b,
                    "%s{\"type\":\"sampled\",\"unit\":\"none\",\"samples\":"
                    "[[0]],\"weights\":[1]}",
                    i ? "," : "");
    put(b, "]}");
}

static void json_small_values(struct blob *b, size_t size)
{
    begin_speedscope(b, 1);
    put(b, "],\"x\":[[]");
    for (size_t i = 0; i < size / 3; i++)
        put(b, ",[]");
    put(b, "]}");
}

static void json_nested(struct blob *b, size_t size)
{
    begin_speedscope(b, 1);
    repeat(b, '[', size);
}

/* ---- V8 ---- */

/* Every node names all of the same children. */
static void cpuprofile_one_family(struct blob *b, size_t size)
{
    unsigned side = 4;

    while ((size_t)side * side * 8 < size)
        side++;
    put(b, "{\"nodes\":[");
    for (unsigned i = 0; i < side; i++) {
        blob_format(b,
                    "%s{\"id\":%u,\"callFrame\":{\"functionName\":\"f%u\"}"
                    ",\"hitCount\":1,\"children\":[",
                    i ? "," : "", i, i);
        for (unsigned c = 0; c < side; c++)
            blob_format(b, "%s%u", c ? "," : "", c);
        put(b, "]}");
    }
    put(b, "]}");
}

/* A chain, sampled at each node. */
static void cpuprofile_chain(struct blob *b, size_t size)
{
    size_t nodes = size / 80;

    put(b, "{\"nodes\":[");
    for (size_t i = 0; i < nodes; i++)
        blob_format(b,
                    "%s{\"id\":%zu,\"hitCount\":1,\"callFrame\":"
                    "{\"functionName\":\"f%zu\"},\"children\":[%zu]}",
                    i ? "," : "", i, i % 7, i + 1);
    put(b, "]}");
}

/* ---- Firefox ---- */

static void put_column(struct blob *b, const char *name, size_t n, int step)
{
    blob_format(b, "\"%s\":[", name);
    for (size_t i = 0; i < n; i++)
        blob_format(b, "%s%zu", i ? "," : "", step ? i : (size_t)0);
    put(b, "],");
}

/* All functions have the same long name. */
static void firefox_one_name(struct blob *b, size_t size)
{
    size_t n = size / 80;

    put(b, "{\"meta\":{\"preprocessedProfileVersion\":48},\"libs\":[],"
           "\"threads\":[{\"stringArray\":[\"");
    repeat(b, 'n', size / 2);
    put(b, "\"],\"samples\":{");
    put_column(b, "stack", n, 1);
    blob_format(b, "\"length\":%zu},\"stackTable\":{", n);
    put_column(b, "frame", n, 1);
    put(b, "\"prefix\":[]},\"frameTable\":{");
    put_column(b, "func", n, 1);
    put_column(b, "line", n, 1);
    put(b, "\"x\":[]},\"funcTable\":{");
    put_column(b, "name", n, 0);
    put_column(b, "fileName", n, 0);
    put(b, "\"x\":[]}}]}");
}

/* A chain of frames, each inlined into the one before. */
static void firefox_inlined(struct blob *b, size_t size)
{
    size_t n = size / 30;

    put(b, "{\"meta\":{\"preprocessedProfileVersion\":48},\"libs\":[],"
           "\"threads\":[{\"stringArray\":[\"a\"],\"samples\":{");
    put_column(b, "stack", n, 1);
    blob_format(b, "\"length\":%zu},\"stackTable\":{", n);
    put_column(b, "frame", n, 1);
    put(b, "\"prefix\":[null");
    for (size_t i = 0; i + 1 < n; i++)
        blob_format(b, ",%zu", i);
    put(b, "]},\"frameTable\":{");
    put_column(b, "func", n, 0);
    put_column(b, "inlineDepth", n, 1);
    put(b, "\"x\":[]},\"funcTable\":{\"name\":[0]}}]}");
}

/* ---- collapsed ---- */

static void collapsed_deep(struct blob *b, size_t size)
{
    for (size_t i = 0; i < size / 2; i++)
        put(b, i % 2 ? "b;" : "a;");
    put(b, "c 1\n");
}

/* Deep stacks that differ in their innermost frame. */
static void collapsed_leaves(struct blob *b, size_t size)
{
    for (size_t i = 0; b->len < size; i++) {
        for (unsigned k = 0; k < 500; k++)
            put(b, k % 2 ? "b;" : "a;");
        blob_format(b, "leaf%zu 1\n", i);
    }
}

/* ... in their outermost. */
static void collapsed_roots(struct blob *b, size_t size)
{
    for (size_t i = 0; b->len < size; i++) {
        blob_format(b, "root%zu", i);
        for (unsigned k = 0; k < 500; k++)
            put(b, k % 2 ? ";b" : ";a");
        put(b, " 1\n");
    }
}

static void collapsed_inlined(struct blob *b, size_t size)
{
    put(b, "a");
    for (size_t i = 0; i < size / 6; i++)
        put(b, i % 2 ? ";b_[i]" : ";a_[i]");
    put(b, ";c 1\n");
}

/* A path of many folders as a name. */
static void collapsed_parts(struct blob *b, size_t size)
{
    for (size_t i = 0; i < size / 2; i++)
        put(b, i % 2 ? "a/" : "b.");
    put(b, "c;d 1\na;");
    for (size_t i = 0; i < size / 16; i++)
        put(b, "a::(<[");
    put(b, " 1\n");
}

/* Two functions of each line's own. */
static void collapsed_names(struct blob *b, size_t size)
{
    for (size_t i = 0; b->len < size; i++)
        blob_format(b, "%zx;%zx_ 1\n", i * 0x9E3779B1 % 0xFFFFFFF, i);
}

/* Deep stacks that part near their roots. */
static void collapsed_forks(struct blob *b, size_t size)
{
    uint64_t state = 1;

    while (b->len < size) {
        for (unsigned k = 0; k < 200; k++) {
            state = state * 6364136223846793005 + 1442695040888963407;
            blob_format(b, "%s%c", k ? ";" : "", (int)('A' + (state >> 59)));
        }
        put(b, " 1\n");
    }
}

/* ---- perf script ---- */

static void put_head(struct blob *b, size_t i)
{
    blob_format(b, "app %zu/%zu [000] %zu.000001: 1 cycles: \n", 10 + i % 9,
                10 + i, i + 1);
}

/* One sample of frames that are inlined into one another. */
static void script_inlined(struct blob *b, size_t size)
{
    put_head(b, 0);
    for (size_t i = 0; i < size / 17; i++)
        blob_format(b, "\t%zx f (inlined)\n", i % 256);
    put(b, "\t10 main (/bin/a)\n\n");
}

static void script_one_file(struct blob *b, size_t size)
{
    put_head(b, 0);
    for (size_t i = 0; i < size / 34; i++)
        blob_format(b, "\t%zx f (inlined)\n", i % 256);
    put(b, "\t10 main (");
    repeat(b, 'f', size / 2);
    put(b, ")\n\n");
}

/* A file for every sample, each in a process of its own. */
static void script_many_files(struct blob *b, size_t size)
{
    for (size_t i = 0; b->len < size; i++) {
        blob_format(b, "app %zu/%zu [000] 1.000001: 1 cycles: \n", i, i);
        blob_format(b, "\t10 f (/bin/f%zu)\n\n", i);
    }
}

/* Every sample is one frame deeper than the one before. */
static void script_stairs(struct blob *b, size_t size)
{
    for (size_t i = 0; b->len < size; i++) {
        put_head(b, i);
        for (size_t k = 0; k < i % 500; k++)
            blob_format(b, "\t%zx f (/bin/a)\n", 4096 - k);
        put(b, "\n");
    }
}

/* ---- generated code ---- */

/* Functions that all overlap. */
static void map_overlaps(struct blob *b, size_t size)
{
    for (size_t i = 0; b->len < size; i++)
        blob_format(b, "%zx %zx f%zu\n", 0x1000 + i, 0x1000000 - 2 * i, i);
}

static void map_same(struct blob *b, size_t size)
{
    for (size_t i = 0; b->len < size; i++)
        blob_format(b, "1000 1000 f%zu\n", i);
}

const struct hostile_kind hostile_texts[] = {
    {"close-unknown.speedscope.json", speedscope_close_unknown},
    {"deep.speedscope.json", speedscope_deep},
    {"many-profiles.speedscope.json", speedscope_many_profiles},
    {"small-values.speedscope.json", json_small_values},
    {"nested.speedscope.json", json_nested},
    {"one-family.cpuprofile", cpuprofile_one_family},
    {"chain.cpuprofile", cpuprofile_chain},
    {"one-name.profile.json", firefox_one_name},
    {"inlined.profile.json", firefox_inlined},
    {"deep.collapsed", collapsed_deep},
    {"leaves.collapsed", collapsed_leaves},
    {"roots.collapsed", collapsed_roots},
    {"inlined.collapsed", collapsed_inlined},
    {"parts.collapsed", collapsed_parts},
    {"names.collapsed", collapsed_names},
    {"forks.collapsed", collapsed_forks},
    {"inlined.perf", script_inlined},
    {"one-file.perf", script_one_file},
    {"many-files.perf", script_many_files},
    {"stairs.perf", script_stairs},
    {"overlaps.map", map_overlaps},
    {"same.map", map_same},
    {NULL, NULL},
};
