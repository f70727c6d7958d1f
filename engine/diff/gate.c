#include "engine/diff/gate.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "engine/analysis/match.h"
#include "engine/model/profile.h"

/* The pattern of a limit, and the rule (match.h) by which it means functions
 * that were compared. */
struct meaning {
    struct name_pattern pattern;
    enum match_rule rule; /* MATCH_NONE: it means no function */
    bool used;            /* a row had this limit */
};

struct judging {
    const struct diff *d;
    const struct gate_rules *rules;
    struct gate *gate;
    struct meaning *limits; /* by limit */
    bool sums;     /* not samples: see are_sums */
};

const char *gate_outcome_name(enum gate_outcome outcome)
{
    static const char *const names[] = {
        [GATE_PASS] = "pass",
        [GATE_FAIL] = "fail",
        [GATE_INCONCLUSIVE] = "inconclusive",
    };

    return names[outcome];
}

/* Notes that the pattern means this function. */
static void meet(struct meaning *m, struct function_texts *texts,
                 const char *label, const char *name, const char *module)
{
    enum match_rule rule;

    function_texts_of(texts, label, name, module);
    rule = function_texts_rule(texts, &m->pattern);
    if (rule && (!m->rule || rule < m->rule))
        m->rule = rule;
}

static struct meaning meaning_of(const struct diff *d, const char *text)
{
    struct meaning m = {.pattern = name_pattern_new(text)};
    struct function_texts texts = {.p = NULL};

    for (size_t i = 0; i < d->len; i++)
        meet(&m, &texts, d->rows[i].label, d->rows[i].name, d->rows[i].module);
    function_texts_release(&texts);
    return m;
}

/* The number of the first limit that means the function, or of none. */
static size_t limit_of(const struct judging *g, const struct diff_row *row)
{
    struct function_texts texts = {.p = NULL};
    size_t i = 0;

    if (!g->rules->limits.len)
        return 0;
    function_texts_of(&texts, row->label, row->name, row->module);
    while (i < g->rules->limits.len &&
           (!g->limits[i].rule ||
            function_texts_rule(&texts, &g->limits[i].pattern) !=
                g->limits[i].rule))
        i++;
    function_texts_release(&texts);
    return i;
}

static void add_finding(struct gate *gate, const struct gate_finding *f)
{
    *vec_add(&gate->findings) = *f;
}

/* Bytes, objects and the like without times of their samples are sums that the
 * recorder made, not samples: a growth is what it is, and rows say nothing of
 * how sure it is. */
static bool are_sums(const struct diff *d)
{
    for (size_t i = 0; i < d->input_count; i++) {
        const struct profile *p = d->inputs[i].p;
        const struct samples *s = &p->samples;

        if (profile_counts_samples(p) || profile_counts_time(p) ||
            (s->len && s->time[0] != s->time[s->len - 1]))
            return false;
    }
    return d->input_count > 0;
}

/* A change that is this many half widths of a 95 % interval off its limit is
 * decided with a probability of 80 %: (1.96 + 0.84) / 1.96. */
static const double half_widths_to_tell = 1.43;

/* More than anybody records. */
static const double runs_most = 1e6;

/* A side of one recording makes an interval nearly as wide as two of them. */
static double runs_to_tell(const struct diff *d, const struct gate_finding *f)
{
    double before = (double)d->sides[0].runs, after = (double)d->sides[1].runs;
    double runs = 2 / (1 / before + 1 / after);
    double wide = half_widths_to_tell * (f->row->high - f->row->change);
    double off = fabs(f->allowed - f->row->change);

    return off > 0 ? fmin(runs * pow(wide / off, 2), runs_most) : runs_most;
}

/* A diff of one recording a side gives the total no verdict. With `single` its
 * interval decides, which knows how much runs are taken to differ. */
static bool is_sure(const struct judging *g, const struct diff_row *row)
{
    return diff_is_real(row) || (row == &g->d->total && g->rules->single);
}

/* Takes the finding's row and what is allowed to it. */
static void judge(struct judging *g, struct gate_finding *f, bool must_be_known)
{
    const struct diff_row *row = f->row;
    struct gate *gate = g->gate;

    f->beyond = g->sums ? row->change > f->allowed
                        : is_sure(g, row) && row->low > f->allowed;
    f->outcome = f->beyond                        ? GATE_FAIL
                 : must_be_known && !g->sums      ? GATE_INCONCLUSIVE
                                                  : GATE_PASS;
    if (f->beyond && gate->too_few_runs)
        f->outcome = GATE_INCONCLUSIVE;
    if (f->outcome == GATE_INCONCLUSIVE && !gate->too_few_runs)
        gate->runs_to_tell = fmax(gate->runs_to_tell, runs_to_tell(g->d, f));
    if (f->outcome == GATE_PASS && !g->sums && row != &g->d->total &&
        (!gate->missed || row->most > gate->missed->most))
        gate->missed = row;
    gate->counts[f->outcome]++;
}

/* The kernel runs them when a device or a timer asks, in whatever function the
 * program happens to be. */
static bool handles_interrupts(const struct diff_row *row)
{
    static const char *const parts[] = {"irq", "interrupt", "Interrupt",
                                        "apic", "Dpc"};

    if (strncmp(row->module, "[kernel", 7) != 0 &&
        strcasecmp(row->module, "ntoskrnl.exe") != 0 &&
        strcasecmp(row->module, "hal.dll") != 0)
        return false;
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        if (strstr(row->name, parts[i]))
            return true;
    return false;
}

static bool decides(const struct judging *g, const struct diff_row *row)
{
    double share = 0;

    for (int i = 0; i < 2; i++)
        if (g->d->whole[i] > 0)
            share = fmax(share, 100 * row->value[i] / g->d->whole[i]);
    return share >= g->rules->least_share && !handles_interrupts(row);
}

static void judge_row(struct judging *g, const struct diff_row *row)
{
    size_t i = limit_of(g, row);
    const struct gate_limit *limit =
        i < g->rules->limits.len ? &g->rules->limits.data[i] : NULL;
    struct gate_finding f = {.row = row, .glob = "*", .max = g->rules->max};

    if (limit) {
        g->limits[i].used = true;
        f.glob = limit->glob;
        f.max = limit->max;
    } else if (!g->rules->has_max || !decides(g, row)) {
        return;
    }
    f.allowed = fmax(f.max / 100 * row->value[0], diff_relevant(g->d));
    judge(g, &f, g->rules->require_power && row->most > f.allowed);
    if (f.outcome != GATE_PASS)
        add_finding(g->gate, &f);
}

/* A limit of its own needs a total; the limit of all functions is that of the
 * total, too. The time of threads depends on what else the machine does: it
 * fails when it surely rose, which several recordings must show. */
static void judge_total(struct judging *g)
{
    const struct gate_rules *rules = g->rules;
    const struct diff_row *row = &g->d->total;
    bool firm = rules->has_total || !diff_measures_waits(g->d);
    struct gate_finding f = {
        .row = row,
        .glob = "[all samples]",
        .max = rules->has_total ? rules->max_total : rules->max};

    if (rules->has_total && !g->d->has_total) {
        f.row = NULL;
        f.outcome = GATE_INCONCLUSIVE;
        g->gate->counts[f.outcome]++;
        add_finding(g->gate, &f);
    }
    if (!g->d->has_total || !(rules->has_total || rules->has_max) ||
        (!firm && diff_is_single(g->d)))
        return;
    f.allowed = fmax(f.max, g->d->options.relevant) / 100 * row->value[0];
    judge(g, &f, firm && row->change > f.allowed);
    if (f.outcome != GATE_PASS || rules->has_total)
        add_finding(g->gate, &f);
}

/* A limit for a function that is nowhere says nothing. */
static void judge_limits(struct judging *g)
{
    for (size_t i = 0; i < g->rules->limits.len; i++) {
        struct gate_finding f = {.glob = g->rules->limits.data[i].glob,
                                 .outcome = GATE_INCONCLUSIVE};

        if (g->limits[i].used)
            continue;
        g->gate->counts[f.outcome]++;
        add_finding(g->gate, &f);
    }
}

/* True if AFTER has a sample of a function that the pattern means. */
static bool is_there(const struct diff *d, const char *glob)
{
    struct meaning m = {.pattern = name_pattern_new(glob)};
    struct function_texts texts = {.p = NULL};

    for (uint32_t i = 0; i < d->pairs->names.len; i++) {
        const struct diff_name *n = &d->pairs->names.data[i];

        if (n->seen[1])
            meet(&m, &texts, n->label, n->name, n->module);
    }
    function_texts_release(&texts);
    pattern_free(m.pattern.pattern);
    return m.rule != MATCH_NONE;
}

static void judge_required(struct judging *g)
{
    for (size_t i = 0; i < g->rules->required.len; i++) {
        struct gate_finding f = {.glob = g->rules->required.data[i]};

        f.outcome = is_there(g->d, f.glob) ? GATE_PASS : GATE_FAIL;
        g->gate->counts[f.outcome]++;
        add_finding(g->gate, &f);
    }
}

/* Failures, what nobody can tell, the rest; else in the order of rows. */
static void sort_findings(struct gate *gate)
{
    static const enum gate_outcome order[] = {GATE_FAIL, GATE_INCONCLUSIVE,
                                              GATE_PASS};
    size_t n = gate->findings.len, at = 0;
    struct gate_finding *sorted = mem_new(n, sizeof(*sorted));

    for (size_t o = 0; o < 3; o++)
        for (size_t i = 0; i < n; i++)
            if (gate->findings.data[i].outcome == order[o])
                sorted[at++] = gate->findings.data[i];
    if (n)
        memcpy(gate->findings.data, sorted, n * sizeof(*sorted));
    free(sorted);
}

/* Without samples there is nothing to have become slower. */
static enum gate_outcome outcome_of(const struct gate *gate,
                                    const struct diff *d)
{
    if (gate->counts[GATE_FAIL])
        return GATE_FAIL;
    if (gate->counts[GATE_INCONCLUSIVE] || gate->too_few_runs ||
        !d->sides[0].total || !d->sides[1].total)
        return GATE_INCONCLUSIVE;
    return GATE_PASS;
}

struct gate *gate_new(const struct diff *d, const struct gate_rules *rules)
{
    struct gate *gate = mem_new(1, sizeof(*gate));
    struct judging g = {
        .d = d, .rules = rules, .gate = gate, .sums = are_sums(d)};

    g.limits = mem_new(rules->limits.len, sizeof(*g.limits));
    for (size_t i = 0; i < rules->limits.len; i++)
        g.limits[i] = meaning_of(d, rules->limits.data[i].glob);
    gate->too_few_runs = diff_is_single(d) && !g.sums && !rules->single;
    for (size_t i = 0; i < d->len; i++)
        judge_row(&g, &d->rows[i]);
    judge_total(&g);
    judge_limits(&g);
    judge_required(&g);
    sort_findings(gate);
    gate->outcome = outcome_of(gate, d);
    gate->runs_to_tell = ceil(gate->runs_to_tell);
    for (size_t i = 0; i < rules->limits.len; i++)
        pattern_free(g.limits[i].pattern.pattern);
    free(g.limits);
    return gate;
}

void gate_free(struct gate *gate)
{
    if (!gate)
        return;
    vec_release(&gate->findings);
    free(gate);
}

void gate_rules_release(struct gate_rules *rules)
{
    vec_release(&rules->limits);
    vec_release(&rules->required);
}
