#include <string.h>

#include "engine/analysis/hot_path.h"
#include "engine/analysis/startup.h"
#include "engine/model/labels.h"
#include "report/header/header.h"
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

static void print_processes(const struct profile *p,
                            const struct selection *sel, struct out *out)
{
    struct ranking *r = ranking_new(p, sel, RANK_PROCESS, SORT_EXCLUSIVE);
    size_t shown = r->len <= PROCESSES_NAMED + 1 ? r->len : PROCESSES_NAMED;
    struct arena scratch = {0};

    for (size_t i = 0; i < shown && r->len > 1; i++) {
        out_str(out, i ? " · " : "processes  ");
        out_plain(out, has_namesake(r, i)
                           ? process_title(p, r->rows[i].id, &scratch)
                           : r->rows[i].name);
        overview_print_share(out, r->rows[i].exclusive, sel->samples);
    }
    if (r->len > shown)
        out_fmt(out, " · %zu more", r->len - shown);
    if (r->len > 1)
        out_char(out, '\n');
    arena_release(&scratch);
    ranking_free(r);
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

enum { BESIDE_STEP = 24 /* columns of a line that are not a step's name */ };

/* `width` 0: no name is shortened. */
static void print_path(const struct profile *p, const struct selection *sel,
                       size_t width, struct out *out)
{
    size_t room = width > 2 * BESIDE_STEP ? width - BESIDE_STEP : BESIDE_STEP;
    struct hot_path path = {0};
    struct arena scratch = {0};
    size_t n, skipped;

    hot_path_find(&path, p, sel);
    keep_telling(p, &path);
    n = path.steps.len;
    skipped = n > STEPS_SHOWN ? n - STEPS_SHOWN : 0;
    if (!n || path.steps.data[0].samples < sel->samples / 1000 * LEAST_TENTHS)
        n = 0;
    for (size_t i = 0; i < n; i++) {
        const char *label;

        if (skipped && i == STEPS_FIRST) {
            out_str(out, " › …");
            i += skipped;
        }
        out_str(out, i ? " › " : "hot path   ");
        label = profile_label(p, path.steps.data[i].function);
        out_plain(out, width ? shorten(label, room, &scratch) : label);
        if (path.steps.data[i].depth > 1)
            out_fmt(out, " ×%u", (unsigned)path.steps.data[i].depth);
        overview_print_share(out, path.steps.data[i].samples, sel->samples);
    }
    if (n)
        out_char(out, '\n');
    arena_release(&scratch);
    hot_path_release(&path);
}

enum { ALSO_NAMED = 5 };

/* "allocation 3,196, exception 54", the first of them. */
static void print_others(const char *list, struct out *out)
{
    const char *end = list;

    for (size_t i = 0; i < ALSO_NAMED && end; i++)
        end = strstr(i ? end + 1 : end, ", ");
    out_str(out, FACT_ALSO ": ");
    out_plain_bytes(out, list, end ? (size_t)(end - list) : strlen(list));
    out_str(out, end ? ", …" : "");
}

/* "84 garbage collections, 1.2 s paused", and the command that lists them. */
static void print_collections(const struct profile *p, uint64_t count,
                              struct out *out)
{
    const struct trace_fact *paused = profile_fact_named(p, FACT_PAUSED);

    out_count(out, count, "garbage collection");
    if (paused && paused->number) {
        out_str(out, ", ");
        print_span(out, (int64_t)paused->number);
        out_str(out, " paused");
    }
    out_str(out, " (topfn events --event GC/Start)");
}

/* Says what else the recording holds that may answer a question. */
static void print_also(const struct profile *p, struct out *out)
{
    const struct trace_fact *also = profile_fact_named(p, FACT_ALSO);
    const struct trace_fact *gc = profile_fact_named(p, FACT_COLLECTIONS);

    if (also)
        print_others(strings_get(p->strings, also->value), out);
    if (also && gc)
        out_str(out, " · ");
    if (gc)
        print_collections(p, gc->number, out);
    if (also || gc)
        out_char(out, '\n');
}

void overview(const struct subject *s, struct out *out)
{
    if (!s->sel->samples)
        return;
    print_also(s->p, out);
    print_processes(s->p, s->sel, out);
    print_path(s->p, s->sel, text_limit(s->options), out);
}
