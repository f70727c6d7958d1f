#include "engine/model/metric.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/model/profile.h"

/* Events of a runtime begin their stacks with the call that wrote them, and
 * so does what the recorder of a runtime takes from the system. */
static const struct metric rows[METRICS] = {
    /* word, meaning, unit, wall_clock, leaves_return */
    [METRIC_EVENTS] = {"", NULL, NULL, false, true},
    [METRIC_CPU_SAMPLES] = {"cpu-samples", "CPU samples", NULL, false, false},
    [METRIC_EVENT_SAMPLES] = {"event-samples", NULL, NULL, false, false},
    [METRIC_THREAD_SAMPLES] =
        {"thread-samples",
         "thread samples (wall clock: waiting threads count too)", NULL, true,
         true},
    [METRIC_THREAD_TIME] =
        {"thread-time", "thread time (wall clock: waiting threads count too)",
         "microseconds", true, true},
    [METRIC_LIFETIME] =
        {"thread-lifetime", "thread time (running, ready, blocked, unknown)",
         "nanoseconds", false, false},
    [METRIC_RUNNING_TIME] = {"running-time", "thread time, running",
                             "nanoseconds", false, false},
    [METRIC_READY_TIME] = {"ready-time", "thread time, ready", "nanoseconds",
                           false, false},
    [METRIC_WAKER_TIME] = {"waker-time",
                           "thread time, blocked, and who ended it",
                           "nanoseconds", false, false},
    [METRIC_BLOCKED_TIME] = {"blocked-time", "thread time, blocked",
                             "nanoseconds", false, false},
    [METRIC_WAIT_TIME] = {"wait-time", "lock contention", "nanoseconds", false,
                          false},
    [METRIC_CPU_TIME] = {"cpu-time", "CPU time", "nanoseconds", false, false},
    [METRIC_TIME] = {"time", "time", "nanoseconds", false, false},
    [METRIC_CONTEXT_SWITCHES] = {"context-switches", NULL, NULL, false, true},
    [METRIC_PAGE_FAULTS] = {"page-faults", NULL, NULL, false, true},
    [METRIC_ALLOCATIONS] = {"allocations", NULL, NULL, false, true},
    [METRIC_EXCEPTIONS] = {"exceptions", NULL, NULL, false, true},
    [METRIC_CONTENTIONS] = {"contentions", NULL, NULL, false, true},
    [METRIC_ALLOCATED] = {"allocated-bytes", ".NET allocations", "bytes", false,
                          true},
    [METRIC_HEAP] = {"heap-bytes", "heap allocations", "bytes", false, true},
    [METRIC_RESERVED] = {"reserved-bytes", "virtual memory allocations", "bytes",
                         false, true},
    [METRIC_FAULT_TIME] = {"hard-fault-time", "hard faults, time waited",
                           "nanoseconds", false, true},
    [METRIC_COUNTER] = {"pmc", NULL, NULL, false, false},
    [METRIC_PERIODS] = {"period", "events that samples stand for", NULL, false,
                        false},
};

static const struct metric *metric_row(enum metric_id id)
{
    assert(id < METRICS);
    return &rows[id];
}

enum metric_id metric_by_word(const char *word)
{
    for (unsigned i = METRIC_EVENTS + 1; i < METRICS; i++)
        if (!strcmp(rows[i].word, word))
            return (enum metric_id)i;
    if (!strncmp(word, "pmc:", 4))
        return METRIC_COUNTER;
    if (!strncmp(word, "period:", 7))
        return METRIC_PERIODS;
    return METRIC_EVENTS;
}

/* Events that have no row say it by their word: "period:cycles", "bytes",
 * "lock-microseconds". */
static const char *metric_unit(const char *word)
{
    const struct metric *row = &rows[metric_by_word(word)];
    static const char *const endings[] = {"bytes", "nanoseconds",
                                          "microseconds"};
    size_t len = strlen(word);

    if (row == &rows[METRIC_PERIODS])
        return word[strcspn(word, ":")] ? strchr(word, ':') + 1 : "events";
    if (row->unit)
        return row->unit;
    for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
        size_t n = strlen(endings[i]);

        if (len >= n && !strcmp(word + len - n, endings[i]))
            return endings[i];
    }
    return "samples";
}

void profile_set_metric_word(struct profile *p, const char *word)
{
    p->trace.metric = (struct recorded_metric){
        .id = metric_by_word(word),
        .word = strings_add(p->strings, word, strlen(word)),
    };
    profile_set_unit(p, metric_unit(word), 0);
}

void profile_set_metric(struct profile *p, enum metric_id id)
{
    profile_set_metric_word(p, metric_row(id)->word);
}

void profile_set_unit(struct profile *p, const char *unit, uint32_t decimals)
{
    p->trace.metric.unit = strings_add(p->strings, unit, strlen(unit));
    p->trace.metric.decimals = decimals;
}

const struct metric *profile_metric(const struct profile *p)
{
    return metric_row(p->trace.metric.id);
}

const char *profile_metric_word(const struct profile *p)
{
    return strings_get(p->strings, p->trace.metric.word);
}

bool profile_leaves_return(const struct profile *p)
{
    return profile_metric(p)->leaves_return;
}

uint64_t unit_nanoseconds(const char *unit)
{
    static const struct {
        const char *unit;
        uint64_t ns;
    } units[] = {
        {"nanoseconds", 1},        {"nanosecond", 1},        {"ns", 1},
        {"microseconds", 1000},    {"microsecond", 1000},    {"us", 1000},
        {"\xC2\xB5s", 1000},       {"\xCE\xBCs", 1000},
        {"milliseconds", 1000000}, {"millisecond", 1000000}, {"ms", 1000000},
        {"seconds", 1000000000},   {"second", 1000000000},   {"s", 1000000000},
    };

    for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
        if (!strcmp(unit, units[i].unit))
            return units[i].ns;
    return 0;
}

size_t unit_fraction(const char *unit, uint32_t *decimals)
{
    size_t zeros = strncmp(unit, "0.", 2) ? 0 : strspn(unit + 2, "0");

    if (strncmp(unit, "0.", 2) != 0 || zeros >= WEIGHT_DECIMALS_MOST ||
        strncmp(unit + 2 + zeros, "1 ", 2) != 0)
        return 0;
    *decimals = (uint32_t)zeros + 1;
    return zeros + 4;
}

void out_metric(struct out *out, const struct profile *p)
{
    const char *word = profile_metric_word(p);
    uint32_t decimals = p->trace.metric.decimals;

    out_str(out, word);
    if (!decimals && !strcmp(profile_unit(p), metric_unit(word)))
        return;
    out_str(out, ", ");
    if (decimals) {
        out_decimal(out, 1, decimals, false);
        out_char(out, ' ');
    }
    out_str(out, profile_unit(p));
}

void profile_set_metric_text(struct profile *p, const char *text)
{
    const char *unit = strstr(text, ", ");
    size_t n = unit ? (size_t)(unit - text) : strlen(text);
    char *word = text_copy(text, n);
    uint32_t decimals = 0;

    profile_set_metric_word(p, word);
    free(word);
    if (!unit)
        return;
    unit += 2;
    unit += unit_fraction(unit, &decimals);
    profile_set_unit(p, unit, decimals);
}

const char *profile_unit(const struct profile *p)
{
    const char *unit = strings_get(p->strings, p->trace.metric.unit);

    return *unit ? unit : "samples";
}

/* Makes a word of the file fit for a sentence. */
static const char *plain_word(const char *word)
{
    enum { LONGEST = 40 };
    size_t n = 0;

    while (word[n] >= ' ' && word[n] < 0x7F)
        n++;
    return *word && !word[n] && n <= LONGEST ? word : "units";
}

const char *profile_unit_text(const struct profile *p, uint64_t n)
{
    static const char *const one[][2] = {{"samples", "sample"},
                                         {"bytes", "byte"},
                                         {"nanoseconds", "nanosecond"},
                                         {"microseconds", "microsecond"},
                                         {"milliseconds", "millisecond"},
                                         {"seconds", "second"},
                                         {"objects", "object"}};
    const char *unit = profile_unit(p);

    if (!strcmp(unit, "count"))
        return plain_word(profile_metric_word(p));
    for (size_t i = 0; i < sizeof(one) / sizeof(*one); i++)
        if (n == power_of_ten(p->trace.metric.decimals) &&
            !strcmp(unit, one[i][0]))
            return one[i][1];
    return plain_word(unit);
}

bool profile_counts_time(const struct profile *p)
{
    return unit_nanoseconds(profile_unit(p)) != 0;
}

bool profile_knows_time(const struct profile *p)
{
    return p->trace.interval_ns > 0 || profile_counts_time(p);
}

bool profile_counts_bytes(const struct profile *p)
{
    return !strcmp(profile_unit(p), "bytes");
}

bool profile_counts_samples(const struct profile *p)
{
    return !strcmp(profile_unit(p), "samples");
}

uint64_t power_of_ten(uint32_t decimals)
{
    uint64_t power = 1;

    for (uint32_t i = 0; i < decimals && i < WEIGHT_DECIMALS_MOST; i++)
        power *= 10;
    return power;
}

uint64_t profile_nanoseconds(const struct profile *p, uint64_t weight)
{
    unsigned __int128 ns = (unsigned __int128)weight *
                           unit_nanoseconds(profile_unit(p)) /
                           power_of_ten(p->trace.metric.decimals);

    return ns < UINT64_MAX ? (uint64_t)ns : UINT64_MAX;
}

/* Exports of samples to pprof have its word for them, "count". */
static bool counts_things(const struct profile *p)
{
    return profile_counts_samples(p) || !strcmp(profile_unit(p), "count");
}

bool profile_same_metric(const struct profile *a, const struct profile *b)
{
    return !strcmp(profile_metric_word(a), profile_metric_word(b)) &&
           (!strcmp(profile_unit(a), profile_unit(b)) ||
            (profile_counts_time(a) && profile_counts_time(b)) ||
            (counts_things(a) && counts_things(b)));
}

const char *profile_metric_beside(const struct profile *p,
                                  const struct profile *other)
{
    return strcmp(profile_metric_word(p), profile_metric_word(other)) != 0
               ? profile_metric_word(p)
               : profile_unit(p);
}

struct weight_scale weight_scale_of(const struct profile *const *profiles,
                                    size_t count)
{
    struct weight_scale scale = {profile_unit(profiles[0]), 0};

    for (size_t i = 0; i < count; i++) {
        if (unit_nanoseconds(profile_unit(profiles[i])) <
            unit_nanoseconds(scale.unit))
            scale.unit = profile_unit(profiles[i]);
        if (profiles[i]->trace.metric.decimals > scale.decimals)
            scale.decimals = profiles[i]->trace.metric.decimals;
    }
    return scale;
}

uint64_t weight_in(const struct profile *p, const struct weight_scale *to,
                   uint64_t weight)
{
    uint64_t factor =
        power_of_ten(to->decimals) / power_of_ten(p->trace.metric.decimals);
    uint64_t ns = unit_nanoseconds(to->unit);
    unsigned __int128 n = weight;

    if (ns)
        n *= unit_nanoseconds(profile_unit(p)) / ns;
    n *= factor;
    return n < WEIGHTS_MOST ? (uint64_t)n : WEIGHTS_MOST;
}

void profile_scale_weights(struct profile *p, const struct weight_scale *to)
{
    uint32_t unit = strings_add(p->strings, to->unit, strlen(to->unit));
    struct samples *s = &p->samples;

    if (unit == p->trace.metric.unit &&
        to->decimals == p->trace.metric.decimals)
        return;
    profile_begin_weights(p);
    for (size_t i = 0; i < s->len; i++)
        s->weight[i] = weight_in(p, to, s->weight[i]);
    p->left_out.samples = weight_in(p, to, p->left_out.samples);
    p->left_out.idle = weight_in(p, to, p->left_out.idle);
    p->trace.metric.unit = unit;
    p->trace.metric.decimals = to->decimals;
    profile_fit_weights(p, s->weight, &s->len);
}

void profiles_in_one_unit(struct profile *const *profiles, size_t count)
{
    struct weight_scale scale;

    for (size_t i = 1; i < count; i++)
        if (!profile_same_metric(profiles[0], profiles[i]))
            return;
    scale = weight_scale_of((const struct profile *const *)profiles, count);
    for (size_t i = 0; i < count; i++)
        profile_scale_weights(profiles[i], &scale);
}
