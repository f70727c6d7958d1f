#include <string.h>

#include "engine/analysis/hot_path.h"
#include "engine/analysis/startup.h"
#include "engine/model/labels.h"
#include "engine/model/thread_states.h"
#include "report/header/header.h"
#include "report/profile/gc.h"
#include "report/table/table.h"
#include "report/table/text.h"

static void print_share(uint64_t part, uint64_t whole, struct out *out)
{
    out_str(out, " (");
    out_percent(out, part, whole, 1);
    out_str(out, " %)");
}

void heading_function(const struct subject *s, const struct rank_row *f,
                      struct out *out)
{
    struct out *line = out_memory();

    out_plain(line, f->label);
    out_str(line, " · ");
    out_plain(line, f->module);
    out_str(line, " · exclusive ");
    out_weight(line, s->p, f->exclusive);
    print_share(f->exclusive, s->sel->samples, line);
    out_str(line, " · inclusive ");
    out_weight(line, s->p, f->inclusive);
    print_share(f->inclusive, s->sel->samples, line);
    out_char(line, '\n');
    header_lines(out_text(line, NULL), s->options, "## ", out);
    out_close(line, NULL);
}

void heading_json(const struct subject *s, const struct rank_row *f,
                  struct json *json)
{
    json_line(json, 1);
    json_object(json, NULL);
    json_text(json, "name", f->name);
    json_text(json, "label", f->label);
    json_text(json, "module", f->module);
    json_text(json, "kind", code_kind_name((enum code_kind)f->kind));
    json_weight(json, "exclusive", s->p, f->exclusive);
    json_percent(json, "exclusive_percent", f->exclusive, s->sel->samples);
    json_weight(json, "inclusive", s->p, f->inclusive);
    json_percent(json, "inclusive_percent", f->inclusive, s->sel->samples);
}

void heading_rest(const struct subject *s, struct out *out)
{
    size_t more = s->function_count - subject_functions_shown(s);
    struct out *line;

    if (!more)
        return;
    out_char(out, '\n');
    line = out_memory();
    out_grouped(line, more);
    out_str(line,
            more == 1 ? " more function matches" : " more functions match");
    out_str(line, "; -n 0 shows all\n");
    header_lines(out_text(line, NULL), s->options, "", out);
    out_close(line, NULL);
}

enum {
    PROCESSES_NAMED = 3,
    STEPS_SHOWN = 6, /* of a path; those in the middle go first */
    STEPS_FIRST = 2,
    LEAST_TENTHS = 100 /* of a percent: a path of less is no hot one */
};

/* A part of the overview that can be shorter: prints at most `most` items. */
typedef void print_some(const void *list, size_t most, struct out *out);

/* Prints as many items as `lines` lines of the screen hold, at least two. */
static void print_fitting(print_some *print, const void *list, size_t most,
                          size_t width, size_t lines, struct out *out)
{
    for (bool fits = false; !fits; most--) {
        struct out *text = out_memory(), *wrapped = out_memory();
        const char *at = NULL;
        size_t used = 1;

        print(list, most, text);
        wrap(out_text(text, NULL), width, wrapped);
        for (at = out_text(wrapped, NULL); (at = strchr(at, '\n')) && at[1];
             at++)
            used++;
        fits = used <= lines || most <= 2;
        if (fits)
            out_str(out, out_text(text, NULL));
        out_close(text, NULL);
        out_close(wrapped, NULL);
    }
}

static void overview_print_share(struct out *out, uint64_t part, uint64_t whole)
{
    out_char(out, ' ');
    out_percent(out, part, whole, 1);
    out_str(out, " %");
}

/* True if another row has the same name. */
static bool has_namesake(const struct ranking *r, size_t row)
{
    for (size_t i = 0; i < r->len; i++)
        if (i != row && !strcmp(r->rows[i].name, r->rows[row].name))
            return true;
    return false;
}

struct shares {
    const struct profile *p;
    const struct selection *sel;
    const struct ranking *processes;
    struct hot_path path;
    size_t room; /* columns for the name of a step; 0: any */
};

static void print_processes(const void *list, size_t most, struct out *out)
{
    const struct shares *s = list;
    const struct ranking *r = s->processes;
    size_t shown = r->len <= most + 1 ? r->len : most;
    struct arena scratch = {0};

    for (size_t i = 0; i < shown; i++) {
        out_str(out, i ? " · " : "processes  ");
        out_plain(out, has_namesake(r, i)
                           ? process_title(s->p, r->rows[i].id, &scratch)
                           : r->rows[i].name);
        overview_print_share(out, r->rows[i].exclusive, s->sel->samples);
    }
    if (r->len > shown)
        out_fmt(out, " · %zu more", r->len - shown);
    out_char(out, '\n');
    arena_release(&scratch);
}

/* Steps that say something: named ones below what starts a program. */
static void keep_telling(const struct profile *p, struct hot_path *path)
{
    bool started = false;
    size_t kept = 0;

    for (size_t i = 0; i < path->steps.len; i++) {
        const struct hot_step step = path->steps.data[i];

        started =
            started || startup_class_of(p, step.function) > STARTUP_OF_MANAGED;
        if (started && p->functions.data[step.function].cause == CAUSE_NONE)
            path->steps.data[kept++] = step;
    }
    path->steps.len = kept;
}

/* The first steps and the last ones, of which each names more of the cause. */
static void print_path(const void *list, size_t most, struct out *out)
{
    const struct shares *s = list;
    size_t n = s->path.steps.len, first = most > 2 ? STEPS_FIRST : 1;
    size_t skipped = n > most ? n - most : 0;
    struct arena scratch = {0};

    for (size_t i = 0; i < n; i++) {
        const struct hot_step *step = &s->path.steps.data[i];
        const char *label;

        if (skipped && i == first) {
            out_str(out, " › …");
            i += skipped;
            step += skipped;
        }
        out_str(out, i ? " › " : "hot path   ");
        label = profile_label(s->p, step->function);
        out_plain(out, s->room ? shorten(label, s->room, &scratch) : label);
        if (step->depth > 1)
            out_fmt(out, " ×%u", (unsigned)step->depth);
        overview_print_share(out, step->samples, s->sel->samples);
    }
    out_char(out, '\n');
    arena_release(&scratch);
}

enum { ALSO_NAMED = 5 };

/* "allocation 3,196, exception 54", the first of them. */
static void print_others(const void *list, size_t most, struct out *out)
{
    const char *begin = list, *end = strstr(begin, ", ");

    for (size_t i = 1; i < most && end; i++)
        end = strstr(end + 1, ", ");
    out_str(out, FACT_ALSO ": ");
    out_plain_bytes(out, begin, end ? (size_t)(end - begin) : strlen(begin));
    out_str(out, end ? ", …\n" : "\n");
}

enum { NOTABLE_PERCENT = 1 };

/* Only where it took a notable part of the time. */
static bool compiles_much(const struct profile *p)
{
    enum { NOTABLE_PERCENT = 1 };
    const struct trace_fact *ns = profile_fact_named(p, FACT_COMPILING);

    return ns && ns->number / NOTABLE_PERCENT >=
                     (uint64_t)p->trace.duration_ns / 100;
}

/* The sums of the selected samples, if they are of all states; else those of
 * the recording, which makes `*is_whole` true. */
static void lifetime_sums(const struct profile *p, const struct selection *sel,
                          uint64_t sums[THREAD_STATES], bool *is_whole)
{
    *is_whole = p->trace.metric.id != METRIC_LIFETIME;
    for (unsigned s = THREAD_RUNNING; s < THREAD_STATES && *is_whole; s++) {
        const struct trace_fact *sum =
            profile_fact_named(p, thread_state_name((enum thread_state)s));

        sums[s] = sum ? sum->number : 0;
    }
    for (size_t i = 0; i < p->samples.len && !*is_whole; i++)
        if (selection_has(p, sel, i))
            sums[thread_wait_at(sample_wait(p->samples.flags[i])).state] +=
                sample_weight(p, i);
}

/* "thread lifetimes 34.5 s = running 1.2 s + ready 0.1 s + blocked 33 s +
 * unknown 0.2 s" */
static void print_lifetimes(const struct profile *p,
                            const struct selection *sel, struct out *out)
{
    uint64_t sums[THREAD_STATES] = {0}, all = 0;
    bool is_whole, is_filtered = sel->samples != sel->whole;

    lifetime_sums(p, sel, sums, &is_whole);
    for (unsigned s = THREAD_RUNNING; s < THREAD_STATES; s++)
        all += sums[s];
    out_str(out, FACT_LIFETIMES " ");
    print_span(out, (int64_t)all);
    for (unsigned s = THREAD_RUNNING; s < THREAD_STATES; s++) {
        out_fmt(out, " %s %s ", s == THREAD_RUNNING ? "=" : "+",
                thread_state_name((enum thread_state)s));
        print_span(out, (int64_t)sums[s]);
    }
    out_str(out, is_whole && is_filtered ? " (whole recording)\n" : "\n");
}

/* "thread-time, cswitch 7,369": context switches tell more than their number,
 * which the list of events does not say. */
static void print_events(const struct profile *p, const char *list,
                         size_t width, struct out *out)
{
    struct out *all = out_memory();
    bool has_switches =
        strstr(list, "cswitch ") || strstr(list, "sched:sched_switch ");

    if (has_switches && !profile_fact_named(p, FACT_LIFETIMES))
        out_str(all, "thread-time, ");
    out_str(all, list);
    print_fitting(print_others, out_text(all, NULL), ALSO_NAMED, width, 1, out);
    out_close(all, NULL);
}

/* Says what else the recording holds that may answer a question. */
static void print_also(const struct profile *p, const struct selection *sel,
                       size_t width, struct out *out)
{
    const struct trace_fact *also = profile_fact_named(p, FACT_ALSO);
    struct collection_sums gc = collection_sums(p, sel);

    if (also)
        print_events(p, strings_get(p->strings, also->value), width, out);
    if (gc.count) {
        print_collections(&gc, out);
        out_str(out, " (topfn gc)\n");
    }
    if (compiles_much(p)) {
        print_compiling(p, false, out);
        out_char(out, '\n');
    }
    if (profile_fact_named(p, FACT_LIFETIMES))
        print_lifetimes(p, sel, out);
}

enum { PATH_LINES = 2 };

/* Columns of a line that are not a step's name. */
static const size_t beside_step = 24;

void overview(const struct subject *s, struct out *out)
{
    size_t width = text_limit(s->options);
    struct shares shares = {.p = s->p, .sel = s->sel};
    struct ranking *processes;

    if (!s->sel->samples)
        return;
    print_also(s->p, s->sel, width, out);
    processes = ranking_new(s->p, s->sel, RANK_PROCESS, SORT_EXCLUSIVE);
    shares.processes = processes;
    if (processes->len > 1)
        print_fitting(print_processes, &shares, PROCESSES_NAMED, width, 1, out);
    hot_path_find(&shares.path, s->p, s->sel);
    keep_telling(s->p, &shares.path);
    if (width)
        shares.room =
            width > 2 * beside_step ? width - beside_step : beside_step;
    if (shares.path.steps.len && shares.path.steps.data[0].samples >=
                                     s->sel->samples / 1000 * LEAST_TENTHS)
        print_fitting(print_path, &shares, STEPS_SHOWN, width, PATH_LINES, out);
    hot_path_release(&shares.path);
    ranking_free(processes);
}
