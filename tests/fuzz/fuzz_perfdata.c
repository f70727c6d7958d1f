/* A recording of perf, from bytes to a finished profile, with stacks walked
 * by rules that are taken from the recording itself. */
#include "engine/format/perfdata/perfdata.h"
#include "engine/input/recording.h"
#include "symbols/dwarf/call_frames.h"
#include "tests/fuzz/target.h"
#include "tests/support/profile_check.h"

static void *open_rules(void *state, const struct profile *p, uint32_t module)
{
    (void)p;
    (void)module;
    return state;
}

static bool find_rules(void *opened, uint64_t address, struct frame_row *row)
{
    return call_frames_find(opened, address, row);
}

static void close_rules(void *opened)
{
    (void)opened;
}

FUZZ(perfdata)
{
    struct call_frames_section section = {.bytes = {data, size}, .wide = true};
    struct frame_rules_source rules = {
        .open = open_rules, .find = find_rules, .close = close_rules};
    struct read_options options = {.threads = 1, .frames = &rules};
    struct entry entry = {
        .name = "fuzz.data", .inner = "", .data = data, .size = size};
    struct err err = {0};
    struct profile *p;

    if (perfdata_format.probe(data, size) == PROBE_NO)
        return 0;
    rules.state = call_frames_open(&section);
    p = profile_new();
    if (recording_read(&perfdata_format, &entry, 1, &options, p, &err)) {
        if (!err.code || !err.message[0])
            abort();
    } else {
        profile_finish(p);
        if (profile_check(p))
            abort();
    }
    profile_free(p);
    call_frames_close(rules.state);
    return 0;
}
