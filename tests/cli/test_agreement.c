/*
 * Counts by function, by line, by instruction and by caller agree over every
 * trace at hand, because one sample has one leaf frame. `resolve` gives an
 * address the same names as its samples have. tests/agree-commands asks the
 * commands, and a database, the same.
 */
#include <dirent.h>

#include "cli/commands/annotation.h"
#include "engine/analysis/call_edges.h"
#include "engine/analysis/rank.h"
#include "engine/analysis/source_lines.h"
#include "engine/input/recording.h"
#include "symbols/naming.h"
#include "tests/support/suite.h"

struct program {
    struct profile *p;
    struct selection *sel;
    struct places places;
};

static bool open_trace(struct program *s, const char *path)
{
    struct naming_options options = {
        .places = &s->places, .style = DEMANGLE_SHORT, .threads = 1};
    struct err err = {0};
    char place[800];

    *s = (struct program){.p = NULL};
    s->p = recording_take(
        recording_open(&path, 1, &(struct read_options){0}, &err));
    if (!s->p)
        return false;
    snprintf(place, sizeof(place), "%s/perfdata", traces_folder());
    places_add(&s->places, place);
    name_profile(s->p, &options, NULL);
    profile_finish(s->p);
    s->sel = selection_new(s->p, NULL);
    return true;
}

static void close_trace(struct program *s)
{
    selection_free(s->sel);
    places_release(&s->places);
    profile_free(s->p);
}

/* ---- sums ---- */

/* Samples by innermost function, straight from stacks; to be freed. */
static uint64_t *innermost(const struct program *s)
{
    const struct profile *p = s->p;
    uint64_t *counts = mem_new(p->functions.len, sizeof(*counts));

    for (size_t i = 1; i < p->stacks.len; i++) {
        uint32_t frame = p->frame_start.data[p->stacks.data[i].location];

        counts[p->frames.data[frame].function] += s->sel->stack_counts[i];
    }
    return counts;
}

static uint64_t sum_of_lines(const struct function_lines *lines)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < lines->counts.len; i++)
        sum += lines->counts.data[i].exclusive;
    return sum;
}

/* Each sample that holds the function has a caller of it, or none. */
static uint64_t most_callers(const struct function_calls *calls)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < calls->callers.len; i++)
        sum += calls->callers.data[i].samples;
    return sum;
}

static void check_functions(const struct program *s)
{
    struct ranking *r =
        ranking_new(s->p, s->sel, RANK_FUNCTION, SORT_EXCLUSIVE);
    struct function_lines *lines = mem_new(r->len, sizeof(*lines));
    struct function_calls *calls = mem_new(r->len, sizeof(*calls));
    uint32_t *ids = mem_new(r->len, sizeof(*ids));
    uint64_t *counts = innermost(s);

    for (size_t i = 0; i < r->len; i++)
        ids[i] = r->rows[i].id;
    source_lines_count(s->p, s->sel, ids, r->len, lines);
    call_edges_count(s->p, s->sel, ids, r->len, calls);
    for (size_t i = 0; i < r->len; i++) {
        ck_assert_uint_eq(r->rows[i].exclusive, counts[ids[i]]);
        ck_assert_uint_eq(sum_of_lines(&lines[i]), r->rows[i].exclusive);
        ck_assert_uint_ge(most_callers(&calls[i]), r->rows[i].inclusive);
    }
    source_lines_release(lines, r->len);
    call_edges_release(calls, r->len);
    free(lines);
    free(calls);
    free(counts);
    free(ids);
    ranking_free(r);
}

/* ---- by instruction ---- */

/* Checks that `resolve` gives a location its own names (for a return address,
 * those of the byte before), and that the instruction of a leaf frame has its
 * samples. */
static uint64_t check_location(const struct program *s, uint32_t location,
                               const struct code_module *m)
{
    const struct profile *p = s->p;
    const struct frame *f = &p->frames.data[p->frame_start.data[location]];
    const struct location *l = &p->locations.data[location];
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    uint64_t rva;

    if (l->method != NO_ID || !m->image ||
        p->functions.data[f->function].cause != CAUSE_NONE ||
        !module_rva(&m->files, l->address, &rva) ||
        !module_frames_at(&m->files, rva - l->caller, frames, DEBUG_FRAMES_MAX))
        return 0;
    ck_assert_uint_eq(frames[0].line, f->line);
    ck_assert_str_eq(frames[0].file ? frames[0].file : "",
                     strings_get(p->strings, f->file));
    return l->caller ? 0 : code_samples(m, rva, rva + 1);
}

static void check_instructions(const struct program *s)
{
    const struct profile *p = s->p;
    struct code_modules *modules = code_modules_new(p, s->sel, &s->places);
    uint64_t *exclusive = mem_new(p->locations.len, sizeof(*exclusive));

    for (size_t i = 1; i < p->stacks.len; i++)
        exclusive[p->stacks.data[i].location] += s->sel->stack_counts[i];
    for (uint32_t i = 0; i < p->locations.len; i++) {
        uint32_t module = p->locations.data[i].module;
        uint64_t samples;

        if (module == NO_ID)
            continue;
        samples = check_location(s, i, code_module_get(modules, module));
        ck_assert(!samples || samples == exclusive[i]);
    }
    free(exclusive);
    code_modules_free(modules);
}

/* ---- every trace ---- */

static void check_trace(const char *path)
{
    struct program s;

    if (!open_trace(&s, path))
        return;
    check_functions(&s);
    check_instructions(&s);
    close_trace(&s);
}

static void check_folder(const char *folder)
{
    char path[900];
    struct dirent *entry;
    DIR *dir;

    snprintf(path, sizeof(path), "%s/%s", traces_folder(), folder);
    dir = opendir(path);
    if (!dir) {
        suite_skip(1, folder);
        return;
    }
    while ((entry = readdir(dir))) {
        snprintf(path, sizeof(path), "%s/%s/%s", traces_folder(), folder,
                 entry->d_name);
        if (entry->d_name[0] != '.')
            check_trace(path);
    }
    closedir(dir);
}

static const char *const folders[] = {"etl",  "nettrace",    "vsp",
                                      "vspx", "diagsession", "perfdata"};

TEST_LOOP(in_folder, COUNT(folders))
{
    check_folder(folders[_i]);
}
