#include "cli/load.h"

#include "cli/bar.h"
#include "cli/say.h"
#include "engine/trace.h"
#include "symbols/symbols.h"

enum { RANGES_SAID = 8 };

bool is_damaged(const struct profile *p)
{
    return p->quality.skipped_ranges || p->quality.malformed;
}

static const char *string(const struct profile *p, uint32_t id)
{
    return strings_get(p->strings, id);
}

static void warn_of_damage(const struct profile *p)
{
    const struct quality *q = &p->quality;
    size_t said = q->skipped.len < RANGES_SAID ? q->skipped.len : RANGES_SAID;

    for (size_t i = 0; i < said; i++) {
        const struct skipped *s = &q->skipped.data[i];

        say_warning("warning: %s: %llu bytes skipped at 0x%llx: %s",
                    string(p, s->file), (unsigned long long)s->size,
                    (unsigned long long)s->offset, string(p, s->reason));
    }
    if (q->skipped_ranges > said)
        say_warning("warning: %llu more ranges skipped; topfn info lists them",
                    (unsigned long long)(q->skipped_ranges - said));
    if (q->malformed)
        say_warning("warning: %llu malformed records left out",
                    (unsigned long long)q->malformed);
    for (size_t i = 0; i < q->warnings.len; i++)
        say_warning("warning: %s", string(p, q->warnings.data[i]));
}

struct profile *load(const struct options *o, const char *const *files,
                     size_t count, enum load_what what, enum status *status)
{
    const struct filter *filter = &o->report.filter;
    struct bar bar;
    struct progress progress = bar_start(&bar);
    struct trace_options options = {
        .threads = o->threads,
        .without_times = what != LOAD_ALL && !filter->has_time,
        .without_idle = what == LOAD_BUSY && filter_only_counts_idle(filter),
        .event = o->event,
        .progress = &progress,
    };
    struct err err = {0};
    struct profile *p = trace_open(files, count, &options, &err);

    bar_end(&bar);
    if (!p) {
        say("%s", err.message);
        *status = status_of_input(err.code);
        return NULL;
    }
    symbols_from_containers(p);
    profile_finish(p);
    warn_of_damage(p);
    *status = is_damaged(p) && o->strict ? STATUS_BAD_INPUT : STATUS_OK;
    return p;
}
