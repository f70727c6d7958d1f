/*
 * info - what the info report gathers before it is written.
 *
 *     struct info info = info_gather(subject);
 *
 *     info_add_facts(&info); // or info_json(&info, out)
 *     ...
 *     info_release(&info);
 *
 * Facts and the two lists live as long as the info; names may be the
 * profile's.
 */
#ifndef TOPFN_REPORT_INFO_H
#define TOPFN_REPORT_INFO_H

#include "report/report.h"

struct fact {
    const char *section, *name;
    struct value value;
};

/* An event or a process with how often it occurred; largest first. */
struct counted {
    const char *name;
    uint64_t count;
    uint32_t id; /* of a process */
};

struct info {
    const struct profile *p;
    const struct selection *sel;
    VEC(struct counted) events;
    VEC(struct counted)
    processes; /* all, also those without samples; under
                  each of their names */
    size_t process_count, thread_count; /* whatever names they had */
    size_t all_processes, all_events;   /* 0: the lists are complete */
    VEC(struct fact) facts;
    bool for_people; /* numbers have separators and scaled units */
    const char *section; /* that facts are being added to */
    struct arena scratch;
};

/* Distinct stacks of the recording, whatever was asked of them. */
static inline size_t info_stacks(const struct profile *p)
{
    return (p->stacks_before ? p->stacks_before : p->stacks.len) - 1;
}

/* The lists, and no facts yet. */
struct info info_gather(const struct subject *s);
void info_release(struct info *info);

/* The whole report as JSON. */
void info_json(const struct info *info, struct out *out);

#endif
