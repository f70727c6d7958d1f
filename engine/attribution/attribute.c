/*
 * From facts to a profile: every raw address becomes a location, every
 * sample gets its thread and its stack.
 *
 * Work is done per distinct thing: an address of a process is located once, a
 * part of a stack becomes a row of locations once (located_parts.h), a pair
 * of parts a stack (stack_rows.h). Locations carry the times between which
 * they hold, since memory is reused, and are worked out anew outside them.
 *
 * Samples are gone through in order of time to meet the threads, the parts and
 * the pairs of parts there are; then, with every process known, parts get their
 * locations, in the order in which they came. Only where code changed under
 * parts samples are gone through once more: what a pair is depends on the
 * time. So what is numbered as it comes is numbered in that order: parts,
 * pairs, locations, methods and their strings. Each of these is done by one
 * thread at a time, beside others where these do not need it yet; where the
 * order does not show, threads share one thing.
 */
#include "engine/attribution/attribute.h"

#include <string.h>

#include "engine/attribution/il_map_match.h"
#include "engine/attribution/located_parts.h"
#include "engine/attribution/met_samples.h"
#include "engine/model/whole_stacks.h"

struct attribution {
    struct observations *seen;
    struct profile *profile;
    struct lifetimes lives;
    struct stack_parts parts;
    struct located_parts located;
    struct met_samples met;
    struct pair_ids whole;     /* of the rows that these are */
    uint32_t *whole_of;        /* where parts have several rows: by pair of
                                  parts, its pair of rows; NO_ID: not located
                                  yet, or it has several too */
    uint32_t none;             /* row of samples without a stack, or NO_ID */
};

/* Stacks share their roots, so a trace has fewer of them than frames; of four
 * times that many frames it is believed that code changed under them. */
enum { CHANGES_FREE = 3 << 16, CHANGES_A_FRAME = 4 };

static size_t most_changes(const struct observations *seen)
{
    size_t frames = seen->samples.len;

    for (size_t i = 0; i < seen->callchains.list.len; i++)
        frames += seen->callchains.list.data[i].count;
    return CHANGES_FREE + CHANGES_A_FRAME * frames;
}

/* What stands for the stack of a sample that has none, nor an address. */
static uint32_t row_of_none(struct attribution *a)
{
    struct location none = {
        .module = NO_ID,
        .method = NO_ID,
        .cause = CAUSE_NO_STACK,
    };

    if (a->none == NO_ID)
        a->none = located_parts_extra(&a->located,
                                      profile_location(a->profile, &none));
    return a->none;
}

/* The rows of a pair of parts at a time. */
static struct row_pair rows_at(struct attribution *a, struct row_pair p,
                               int64_t time)
{
    if (p.outer == NO_ID)
        p.inner = NO_ID;
    else
        p.outer = located_parts_row(&a->located, p.outer, time);
    if (p.inner != NO_ID)
        p.inner = located_parts_row(&a->located, p.inner, time);
    if (p.outer == NO_ID) {
        p.outer = p.inner;
        p.inner = NO_ID;
    }
    if (p.outer == NO_ID)
        p.outer = row_of_none(a);
    return p;
}

static bool pair_lasts(const struct attribution *a, uint32_t pair)
{
    struct row_pair p = a->met.pairs.list.data[pair];

    return p.outer == NO_ID ||
           (a->located.lasting[p.outer] &&
            (p.inner == NO_ID || a->located.lasting[p.inner]));
}

enum { AHEAD = 8 }; /* samples */

/* The sample that comes soon: fetches what its pair is. */
static void fetch_soon(const struct attribution *a, size_t i)
{
    const struct observed_samples *s = &a->seen->samples;

    if (i + AHEAD < s->len)
        mem_fetch(&a->whole_of[s->outer[i + AHEAD]]);
}

static uint32_t whole_at(struct attribution *a, uint32_t pair, int64_t time)
{
    struct row_pair rows = rows_at(a, a->met.pairs.list.data[pair], time);

    return pair_ids_add(&a->whole, rows.outer, rows.inner);
}

/* Pairs of rows take the place of pairs of parts. */
static void locate_samples(struct attribution *a)
{
    struct observed_samples *s = &a->seen->samples;
    size_t n = a->met.pairs.list.len;

    a->whole_of = mem_new(n, sizeof(*a->whole_of));
    memset(a->whole_of, 0xFF, n * sizeof(*a->whole_of));
    for (size_t i = 0; i < s->len; i++) {
        uint32_t pair = s->outer[i], *known = &a->whole_of[pair], whole;

        fetch_soon(a, i);
        whole = *known != NO_ID ? *known : whole_at(a, pair, s->time[i]);
        if (*known == NO_ID && pair_lasts(a, pair))
            *known = whole;
        s->outer[i] = whole;
    }
    free(a->whole_of);
    vec_release(&a->met.pairs.list);
    pair_ids_end(&a->whole);
}

enum { PARTS_AHEAD = 8 };

/* What stands for samples without a part has its place between the parts, as
 * they came. */
static void locate_parts(struct attribution *a)
{
    size_t n = a->parts.list.len;

    for (uint32_t i = 0; i < n; i++) {
        if (i == a->met.parts_before_none)
            row_of_none(a);
        if (i + PARTS_AHEAD < n)
            located_parts_soon(&a->located, i + PARTS_AHEAD);
        located_parts_row(&a->located, i, a->parts.list.data[i].since);
    }
    if (n == a->met.parts_before_none)
        row_of_none(a);
}

/* Every part has one row, of its own number: so pairs of rows are as many as
 * those of parts, and samples have them already. */
static void take_pairs(struct attribution *a)
{
    a->whole = a->met.pairs;
    if (a->none != NO_ID)
        a->whole.list.data[a->met.none].outer = a->none;
}

/* The columns become the profile's, so that memory holds millions of samples
 * once, and so do rows. */
static void give_samples(struct attribution *a)
{
    struct samples columns = met_samples_columns(&a->met);
    struct profile *p = a->profile;

    p->rows = a->located.rows;
    p->rows.stacks = a->whole.list;
    p->rows.locations = stack_parts_take_rows(&a->parts);
    a->located.rows = (struct stack_rows){.locations = NULL};
    profile_take_samples(p, &columns);
    a->seen->samples = (struct observed_samples){0};
}

static void add_names(void *context, size_t task, unsigned worker)
{
    (void)task;
    (void)worker;
    trace_names_add(context);
}

static void build_spaces(void *context, size_t task, unsigned worker)
{
    (void)task;
    (void)worker;
    address_spaces_build(context);
}

/* What lay where, and pairs, are needed when parts are located, names in the
 * end: these go on beside the rest. */
static void attribute_samples(struct attribution *a, struct threads *pool)
{
    struct address_spaces spaces;
    struct locator locator;
    struct threads_series names = {.run = add_names, .context = &locator.names};
    struct threads_series build = {.run = build_spaces, .context = &spaces};
    size_t most = most_changes(a->seen);

    stack_parts_init(&a->parts, a->seen);
    meet_samples(&a->met, a->seen, &a->lives, &a->parts, pool);
    address_spaces_init(&spaces, a->seen, &a->lives);
    threads_beside(pool, &build, 1);
    stack_parts_number(&a->parts, pool);
    threads_finish(pool, &build);
    locator_init(&locator, &spaces);
    located_parts_init(&a->located, &a->parts, &locator, most, pool);
    if (a->located.one_row)
        locate_parts(a);
    met_samples_finish(&a->met, pool);
    if (a->located.one_row)
        take_pairs(a);
    else
        locate_samples(a);
    threads_beside(pool, &names, trace_names_tasks(&locator.names));
    located_parts_settle(&a->located, pool);
    give_samples(a);
    callchains_release(&a->seen->callchains); /* as much as stacks take */
    whole_stacks_make(a->profile, pool);
    threads_finish(pool, &names);
    match_il_maps(a->seen, locator.names.method_ids);
    locator_release(&locator);
    address_spaces_release(&spaces);
    stack_parts_release(&a->parts);
}

/* What happened is in its order, and when is not known. */
static void forget_times(struct profile *p)
{
    for (size_t i = 0; i < p->processes.len; i++) {
        p->processes.data[i].start = TIME_MIN;
        p->processes.data[i].end = TIME_MAX;
    }
    for (size_t i = 0; i < p->threads.len; i++) {
        p->threads.data[i].start = TIME_MIN;
        p->threads.data[i].end = TIME_MAX;
    }
    for (size_t i = 0; i < p->mappings.len; i++) {
        p->mappings.data[i].from = TIME_MIN;
        p->mappings.data[i].to = TIME_MAX;
    }
    for (size_t i = 0; i < p->methods.code.len; i++) {
        p->methods.code.data[i].from = TIME_MIN;
        p->methods.code.data[i].to = TIME_MAX;
    }
    for (size_t i = 0; i < p->samples.len; i++)
        p->samples.time[i] = 0;
}

/* What is as long as may be was longer. */
static void note_cut(struct observations *seen, struct profile *p)
{
    const struct callchains *runs = &seen->callchains;
    struct observed_samples *s = &seen->samples;

    if (!runs->cut)
        return;
    p->quality.cut_stacks += runs->cut;
    profile_warn(p, "stacks deeper than %u frames, cut to the innermost: %llu",
                 STACK_PART_DEEPEST, (unsigned long long)runs->cut);
    for (size_t i = 0; i < s->len; i++) {
        uint32_t run = s->outer[i] ? s->outer[i] : s->inner[i];

        if (runs->list.data[run].count == STACK_PART_DEEPEST)
            s->flags[i] = stack_end_put(s->flags[i], STACK_END_DEPTH);
    }
}

static void warn_of_changes(const struct attribution *a)
{
    if (a->located.kept)
        profile_warn(a->profile,
                     "code changed under too many stacks: for %llu "
                     "samples the names may be of earlier code",
                     (unsigned long long)a->located.kept);
}

void attribute(struct observations *seen, unsigned threads)
{
    struct threads *pool = threads_new(threads);
    struct attribution a = {
        .seen = seen, .profile = seen->profile, .none = NO_ID};

    map_release(&seen->callchains.ids); /* no more runs come */
    profile_fit_weights(a.profile, seen->samples.weight, &seen->samples.len);
    note_cut(seen, a.profile);
    lifetimes_build(&a.lives, seen);
    attribute_samples(&a, pool);
    if (seen->untimed)
        forget_times(seen->profile);
    warn_of_changes(&a);
    located_parts_release(&a.located);
    lifetimes_release(&a.lives);
    threads_free(pool);
}
