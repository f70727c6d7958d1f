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

static void run(const struct profile *p, const struct selection *sel,
                const struct report_options *options, struct out *out)
{
    struct ranking *r =
        ranking_top(p, sel, options->by, options->sort, options->rows);
    size_t shown =
        options->rows && options->rows < r->len ? options->rows : r->len;
    struct ranked ranked = {.p = p, .ranking = r, .samples = sel->samples};
    struct column columns[COLUMNS_MAX];
    struct table table = {columns, 0, &ranked, shown, r->total};
    struct arena scratch = {0};

    if (options->by == RANK_PROCESS || options->by == RANK_THREAD)
        label_lives(&ranked, options->by, shown, &scratch);
    table.column_count = columns_of(&ranked, options->by, shown, columns);
    report_table(p, sel, options, "top", &table, out);
    if (options->format == FORMAT_TEXT || options->format == FORMAT_MARKDOWN)
        print_rest(r, shown, sel->samples, out);
    arena_release(&scratch);
    ranking_free(r);
}

const struct report top_report = {
    "top", "functions (or modules, processes, ...) by samples", run, false};
