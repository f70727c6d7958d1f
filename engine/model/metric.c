#include "engine/model/metric.h"

#include <assert.h>
#include <string.h>

/* Events of a runtime begin their stacks with the call that wrote them, and
 * so does what the recorder of a runtime takes from the system. */
static const struct metric rows[METRICS] = {
    [METRIC_EVENTS] = {.word = "", .leaves_return = true},
    [METRIC_CPU_SAMPLES] = {.word = "cpu-samples", .meaning = "CPU samples"},
    [METRIC_EVENT_SAMPLES] = {.word = "event-samples"},
    [METRIC_THREAD_SAMPLES] =
        {
            .word = "thread-samples",
            .meaning = "thread samples, running or waiting",
            .wall_clock = true,
            .leaves_return = true,
        },
    [METRIC_THREAD_TIME] =
        {
            .word = "thread-time",
            .meaning = "time of threads to their next sample, running or "
                       "waiting",
            .unit = "microseconds",
            .wall_clock = true,
            .leaves_return = true,
        },
    [METRIC_WAIT_TIME] =
        {
            .word = "wait-time",
            .meaning = "time waited for locks",
            .unit = "nanoseconds",
        },
    [METRIC_CPU_TIME] = {.word = "cpu-time",
                         .meaning = "CPU time",
                         .unit = "nanoseconds"},
    [METRIC_TIME] = {.word = "time",
                     .meaning = "time",
                     .unit = "nanoseconds"},
    [METRIC_CONTEXT_SWITCHES] = {.word = "context-switches",
                                 .leaves_return = true},
    [METRIC_PAGE_FAULTS] = {.word = "page-faults", .leaves_return = true},
    [METRIC_ALLOCATIONS] = {.word = "allocations", .leaves_return = true},
    [METRIC_EXCEPTIONS] = {.word = "exceptions", .leaves_return = true},
    [METRIC_CONTENTIONS] = {.word = "contentions", .leaves_return = true},
    [METRIC_ALLOCATED] = {.word = "allocated-bytes",
                          .meaning = "bytes allocated by .NET",
                          .unit = "bytes",
                          .leaves_return = true},
    [METRIC_HEAP] = {.word = "heap-bytes",
                     .meaning = "bytes allocated from heaps",
                     .unit = "bytes",
                     .leaves_return = true},
    [METRIC_RESERVED] = {.word = "reserved-bytes",
                         .meaning = "bytes of address space taken",
                         .unit = "bytes",
                         .leaves_return = true},
    [METRIC_FAULT_TIME] = {.word = "hard-fault-time",
                           .meaning = "time waited for pages from disk",
                           .unit = "nanoseconds",
                           .leaves_return = true},
    [METRIC_COUNTER] = {.word = "pmc"},
    [METRIC_PERIODS] = {.word = "period",
                        .meaning = "events that samples stand for"},
};

const struct metric *metric_row(enum metric_id id)
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
const char *metric_unit(const char *word)
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
