#include <stdio.h>
#include <string.h>

#include "report/columns.h"
#include "report/header.h"

/* top - what was sampled most, grouped by --by. */

static const char *label_with(struct arena *arena, const char *name,
                              uint32_t number)
{
    size_t size = strlen(name) + sizeof(" (4294967295)");
    char *text = arena_new(arena, char, size);

    snprintf(text, size, "%s (%u)", name, (unsigned)number);
    return text;
}

static void label_lives(struct ranked *ranked, enum rank_by by, size_t n,
                        struct arena *scratch)
{
    const struct rank_row *rows = ranked->ranking->rows;

    ranked->labels = arena_new(scratch, const char *, n);
    ranked->owners = arena_new(scratch, const char *, n);
    for (size_t i = 0; i < n; i++) {
        const struct rank_row *row = &rows[i];
        uint32_t process = row->id;

        if (by == RANK_THREAD)
            process = ranked->p->threads.data[row->id].process;
        ranked->owners[i] = label_with(
            scratch, process_label(ranked->p, process), row->pid);
        ranked->labels[i] =
            by == RANK_THREAD ? label_with(scratch, row->name, row->tid)
                              : ranked->owners[i];
    }
}

/* A list that was cut says what it leaves out. */
static void print_rest(const struct ranking *r, size_t shown, uint64_t samples,
                       struct out *out)
{
    uint64_t rest = samples;

    for (size_t i = 0; i < shown; i++)
        rest -= r->rows[i].exclusive;
    if (shown == r->total)
        return;
    out_char(out, '\n');
    out_grouped(out, r->total - shown);
    out_str(out, " more with ");
    out_percent(out, rest, samples, 1);
    out_str(out, " % of the exclusive samples; -n 0 shows all\n");
}

static void run(const struct subject *s, struct out *out)
{
    const struct report_options *o = s->options;
    struct ranking *r = ranking_top(s->p, s->sel, o->by, o->sort, o->rows);
    size_t shown = o->rows && o->rows < r->len ? o->rows : r->len;
    struct ranked ranked = {
        .p = s->p, .ranking = r, .samples = s->sel->samples};
    struct column columns[COLUMNS_MAX];
    struct table table = {columns, 0, &ranked, shown, r->total};
    struct arena scratch = {0};

    if (o->by == RANK_PROCESS || o->by == RANK_THREAD)
        label_lives(&ranked, o->by, shown, &scratch);
    table.column_count = columns_of(&ranked, o->by, shown, columns);
    report_table(s, "top", &table, out);
    if (o->format == FORMAT_TEXT || o->format == FORMAT_MARKDOWN)
        print_rest(r, shown, s->sel->samples, out);
    arena_release(&scratch);
    ranking_free(r);
}

const struct report top_report = {
    .name = "top",
    .help = "functions (or modules, processes, ...) by samples",
    .takes = TAKES_RANK,
    .ranks_functions = true,
    .write = IN_EVERY_FORMAT(run),
};
