#include "engine/diff/hints.h"

#include <math.h>
#include <string.h>

/* A caller through which fewer of a function's samples come is left out. */
static const double share_least = 0.1;

/* The callers' change may differ from what the function had by this part of
 * it, or by their own uncertainty. */
static const double part_apart = 0.25;

struct call {
    uint32_t unit, caller;
    uint64_t samples;
};

struct finding {
    struct diff *d;
    uint32_t *row_of; /* by unit, plus 1; 0: none */
    VEC(struct call) calls;
    struct map call_ids;
};

static struct diff_row *row_at(const struct finding *f, uint32_t unit)
{
    return unit != NO_ID && f->row_of[unit] ? &f->d->rows[f->row_of[unit] - 1]
                                            : NULL;
}

static bool is_one_sided(const struct diff_row *row)
{
    return row->verdict == DIFF_NEW || row->verdict == DIFF_GONE;
}

static void set_hint(struct diff_row *row, enum diff_hint hint,
                     uint32_t beside)
{
    row->hint = (uint8_t)hint;
    row->beside = beside;
}

/* ---- what a row was paired with ---- */

/* True of a function that moved to another module. When the module itself got
 * another name, this is false: each of its rows would repeat it. */
static bool is_moved(const struct diff_name *from, const struct diff_name *to)
{
    return from->module_key != to->module_key &&
           !diff_is_other_module(from, to);
}

static void find_paired(struct finding *f)
{
    const struct diff_name *names = f->d->pairs->names.data;

    for (uint32_t i = 0; i < f->d->pairs->names.len; i++) {
        const struct diff_name *n = &names[i];
        struct diff_row *row = row_at(f, n->unit);
        bool heavier;

        if (n->unit == i || !row || !n->seen[0])
            continue;
        heavier = !row->hint || n->weight > names[row->beside].weight;
        if (heavier && n->rule == DIFF_SIMILAR)
            set_hint(row, DIFF_HINT_WAS, i);
        else if (heavier && n->rule == DIFF_MODULE &&
                 is_moved(n, &names[n->unit]))
            set_hint(row, DIFF_HINT_MOVED, i);
    }
}

static void find_guesses(struct finding *f)
{
    const struct diff_name *names = f->d->pairs->names.data;

    for (size_t i = 0; i < f->d->len; i++) {
        struct diff_row *row = &f->d->rows[i];
        uint32_t other = names[row->function].perhaps;

        if (is_one_sided(row) && other != NO_ID)
            set_hint(row,
                     row->verdict == DIFF_NEW ? DIFF_HINT_PERHAPS_WAS
                                              : DIFF_HINT_PERHAPS_IS,
                     other);
    }
}

/* ---- inlined, or no more ---- */

/* The unit of the nearest caller that is another function than the leaf. */
static uint32_t caller_of(const struct diff *d, size_t input, uint32_t stack)
{
    const struct profile *p = d->inputs[input].p;
    const uint32_t *unit_of = d->pairs->unit_of[input];
    uint32_t own = NO_ID;

    for (; stack; stack = p->stacks.data[stack].parent) {
        uint32_t location = p->stacks.data[stack].location;
        uint32_t end = p->frame_start.data[location + 1];

        for (uint32_t i = p->frame_start.data[location]; i < end; i++) {
            uint32_t unit = unit_of[p->frames.data[i].function];

            if (own == NO_ID)
                own = unit;
            else if (unit != own)
                return unit;
        }
    }
    return NO_ID;
}

static void add_calls(struct finding *f, size_t input)
{
    const struct diff_input *in = &f->d->inputs[input];

    for (uint32_t i = 1; i < in->p->stacks.len; i++) {
        uint64_t samples = in->sel->stack_counts[i];
        uint32_t leaf = profile_innermost(in->p, in->p->stacks.data[i].location);
        uint32_t unit = f->d->pairs->unit_of[input][leaf];
        const struct diff_row *row = row_at(f, unit);
        uint32_t fresh = (uint32_t)f->calls.len, caller, id;

        if (!samples || !row || !is_one_sided(row))
            continue;
        caller = caller_of(f->d, input, i);
        if (!row_at(f, caller))
            continue;
        id = map_add(&f->call_ids, unit, caller, fresh);
        if (id == fresh)
            *vec_add(&f->calls) = (struct call){unit, caller, 0};
        f->calls.data[id].samples += samples;
    }
}

static bool is_caller(const struct finding *f, const struct call *call,
                      const struct diff_row *row)
{
    const struct diff_name *caller = &f->d->pairs->names.data[call->caller];

    return call->unit == row->function && caller->seen[0] && caller->seen[1] &&
           (double)call->samples >=
               share_least * (double)(row->samples[0] + row->samples[1]);
}

/* True if the row's change is about this one, which is that sure. */
static bool is_alike(const struct diff_row *row, double change, double unsure)
{
    double whole = fabs(row->change), apart = fabs(change - row->change);

    return fabs(change) > unsure && apart < whole &&
           apart <= fmax(part_apart * whole, unsure);
}

/* The caller with most of the row's samples, if all callers together changed by
 * about what the row had; else NULL. */
static struct diff_row *taker(const struct finding *f,
                              const struct diff_row *row)
{
    const struct call *most = NULL;
    double change = 0, variance = 0;

    for (size_t i = 0; i < f->calls.len; i++) {
        const struct call *call = &f->calls.data[i];
        const struct diff_row *caller = row_at(f, call->caller);

        if (!is_caller(f, call, row))
            continue;
        change -= caller->change;
        variance += (caller->high - caller->low) * (caller->high - caller->low);
        if (!most || call->samples > most->samples)
            most = call;
    }
    return most && is_alike(row, change, sqrt(variance) / 2)
               ? row_at(f, most->caller)
               : NULL;
}

/* The only function of the module with a change like the row's; else NULL. */
static struct diff_row *only_taker(const struct finding *f,
                                   const struct diff_row *row)
{
    const struct diff_name *names = f->d->pairs->names.data;
    struct diff_row *only = NULL;

    for (size_t i = 0; i < f->d->len; i++) {
        struct diff_row *other = &f->d->rows[i];
        const struct diff_name *n = &names[other->function];

        if (!diff_is_real(other) || !n->seen[0] || !n->seen[1] ||
            n->module_key != names[row->function].module_key ||
            !is_alike(row, -other->change, (other->high - other->low) / 2))
            continue;
        if (only)
            return NULL;
        only = other;
    }
    return only;
}

/* The function that a row's samples went to, or came from, says so, too. */
static void set_both(struct diff_row *row, struct diff_row *other,
                     bool is_caller)
{
    bool gone = row->verdict == DIFF_GONE;

    if (is_caller)
        set_hint(row, gone ? DIFF_HINT_INTO_CALLER : DIFF_HINT_OUT_OF_CALLER,
                 other->function);
    else
        set_hint(row, gone ? DIFF_HINT_INTO : DIFF_HINT_OUT_OF,
                 other->function);
    if (is_caller && !other->hint)
        set_hint(other, gone ? DIFF_HINT_HAS_TAKEN : DIFF_HINT_HAS_GIVEN,
                 row->function);
}

static void find_inlined(struct finding *f)
{
    for (size_t i = 0; i < f->d->input_count; i++)
        add_calls(f, i);
    for (size_t i = 0; i < f->d->len; i++) {
        struct diff_row *row = &f->d->rows[i];
        struct diff_row *caller = is_one_sided(row) ? taker(f, row) : NULL;

        if (caller)
            set_both(row, caller, true);
        else if (is_one_sided(row) && !row->hint &&
                 (caller = only_taker(f, row)) != NULL)
            set_both(row, caller, false);
    }
    vec_release(&f->calls);
    map_release(&f->call_ids);
}

void diff_hints_find(struct diff *d)
{
    struct finding f = {.d = d};

    if (d->options.by != RANK_FUNCTION || d->options.paths)
        return;
    f.row_of = mem_new(d->pairs->names.len, sizeof(*f.row_of));
    for (size_t i = 0; i < d->len; i++)
        f.row_of[d->rows[i].unit] = (uint32_t)i + 1;
    find_paired(&f);
    find_guesses(&f);
    if (!d->options.inclusive)
        find_inlined(&f);
    free(f.row_of);
}

void diff_hint_print(const struct diff *d, const struct diff_row *row,
                     struct out *out)
{
    static const char *const words[] = {
        [DIFF_HINT_WAS] = "was ",
        [DIFF_HINT_MOVED] = "moved from ",
        [DIFF_HINT_PERHAPS_WAS] = "perhaps renamed from ",
        [DIFF_HINT_PERHAPS_IS] = "perhaps renamed to ",
        [DIFF_HINT_INTO_CALLER] = "moved into its caller ",
        [DIFF_HINT_OUT_OF_CALLER] = "moved out of its caller ",
        [DIFF_HINT_INTO] = "perhaps moved into ",
        [DIFF_HINT_OUT_OF] = "perhaps moved out of ",
        [DIFF_HINT_HAS_TAKEN] = "now contains ",
        [DIFF_HINT_HAS_GIVEN] = "no longer contains ",
    };
    const struct diff_name *beside;

    if (!row->hint)
        return;
    beside = &d->pairs->names.data[row->beside];
    out_str(out, words[row->hint]);
    out_str(out, row->hint == DIFF_HINT_MOVED ? beside->module : beside->label);
}
