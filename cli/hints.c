#include "cli/hints.h"

#include <stdio.h>
#include <string.h>

#include "cli/say.h"
#include "engine/base/out.h"
#include "engine/formats.h"

static void say_how_to_record(const struct profile *p)
{
    const struct trace_format *format =
        trace_format_named(strings_get(p->strings, p->trace.format));

    if (format && format->how_to_record)
        say_warning("to record samples: %s", format->how_to_record);
}

/* The next most frequent event after *last, in order of count and table. */
static const struct event_count *next_event(const struct profile *p,
                                            const struct event_count *last)
{
    const struct event_count *best = NULL;

    for (size_t i = 0; i < p->trace.event_counts.len; i++) {
        const struct event_count *e = &p->trace.event_counts.data[i];
        bool later = !last || e->count < last->count ||
                     (e->count == last->count && e > last);

        if (later && (!best || e->count > best->count))
            best = e;
    }
    return best;
}

static void say_what_it_holds(const struct profile *p)
{
    const struct event_count *e = NULL;
    struct out *out = out_memory();

    if (p->trace.files.len)
        out_str(out, strings_get(p->strings, p->trace.files.data[0]));
    out_str(out, ": no CPU samples; it holds ");
    out_grouped(out, p->trace.events);
    out_str(out, " events");
    for (int i = 0; i < 4 && (e = next_event(p, e)); i++) {
        out_str(out, i ? ", " : ": ");
        out_grouped(out, e->count);
        out_char(out, ' ');
        out_str(out, strings_get(p->strings, e->name));
    }
    if (p->trace.event_counts.len > 4)
        out_str(out, ", ...");
    say_warning("%s", out_text(out, NULL));
    out_close(out, NULL);
}

void explain_empty(const struct profile *p, const struct selection *sel)
{
    if (sel->samples)
        return;
    if (!p->samples.len) {
        say_what_it_holds(p);
        say_how_to_record(p);
    } else if (sel->idle) {
        say_warning("only idle processors were sampled here (%llu times); "
                    "--include-idle counts them",
                    (unsigned long long)sel->idle);
    } else {
        say_warning("no sample is left by the filter");
    }
}

/* The module (string) with most samples without a name; its count. */
static uint64_t most_missing(const struct profile *p,
                             const struct selection *sel, uint32_t *module)
{
    uint64_t *counts = mem_new(strings_count(p->strings), sizeof(*counts));
    uint64_t most = 0;

    for (size_t i = 1; i < p->stacks.len; i++) {
        uint32_t location = p->stacks.data[i].location;
        uint32_t frame = p->frame_start.data[location];
        const struct function *f =
            &p->functions.data[p->frames.data[frame].function];

        if (f->module && f->cause != CAUSE_NONE)
            counts[f->module] += sel->stack_counts[i];
    }
    for (uint32_t i = 1; i < strings_count(p->strings); i++) {
        if (counts[i] > most) {
            most = counts[i];
            *module = i;
        }
    }
    free(counts);
    return most;
}

/* Ready to be pasted into a shell. */
static void quote(struct out *out, const char *text)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "0123456789_-./+,:@%";

    if (*text && !text[strspn(text, safe)]) {
        out_str(out, text);
        return;
    }
    out_char(out, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            out_str(out, "'\\'");
        out_char(out, *text);
    }
    out_char(out, '\'');
}

void hint_missing_names(const struct profile *p, const struct selection *sel,
                        const char *file)
{
    uint32_t module = 0;
    uint64_t most;
    struct out *out;

    if (!sel->unresolved || !say_is_watched())
        return;
    most = most_missing(p, sel, &module);
    if (!most)
        return;
    out = out_memory();
    out_str(out, "names missing: ");
    out_str(out, strings_get(p->strings, module));
    out_str(out, " (");
    out_grouped(out, most);
    out_str(out, most == 1 ? " sample" : " samples");
    out_str(out, ") — topfn symbols ");
    quote(out, file);
    out_str(out, " --explain ");
    quote(out, strings_get(p->strings, module));
    say_hint("%s", out_text(out, NULL));
    out_close(out, NULL);
}
